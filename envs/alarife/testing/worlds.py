"""Whether forks can be told from the truth: true positions of some random games against forks of others.

A position is laid out as numbers, arrays by seat turned so that the seat to decide comes first. A number is hidden
where it differs between the true state and some forks of it. Truth and forks are never of the same game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.errors import ConformanceError
from alarife.engine.game import Game
from alarife.engine.layout import Field
from alarife.engine.numbers import Array
from alarife.engine.options import GameOptions

#: Forks of the given rows for the seats to decide, one for each key: states[j] for rows[j].
Forks = Callable[[Batch, Array, Array], Array]

#: Names of the numbers that have some.
Words = dict[str, type[IntEnum]]

GAMES = 1200  # two thirds of them give true positions, one third forks
MARKS = 32  # moments at which all games are looked at
WITNESSES = 2  # forks of a position that tell what is hidden
CHANCE = 1e-6  # of a failure where forks are right, over all that is compared
MOST_MEASURES = 64  # numbers of an array of measures that is looked at
MOST_SORTS = 40  # of positions, by what is being decided
MOST_VALUES = 16  # of one number; of more, ranges are compared
MOST_SETTINGS = 12  # values of a public number that splits the positions
MOST_FEATURES = 500  # hidden features compared in one sort of position, the commonest
MOST_CONTEXTS = 300  # combinations of public numbers, likewise


def view_forks(batch: Batch, rows: Array, keys: Array) -> Array:
    """Forks as the game makes them: true for all that the present view tells."""
    return batch.fork(rows, batch.seat[rows].astype(np.int64), keys)


# --- sampling -------------------------------------------------------------------------------------


@dataclass
class Worlds:
    """Positions as numbers, one row each."""

    columns: list[Column]
    values: Array  # [N, columns]
    hidden: Array  # [N, columns] bool
    forked: Array  # [N] bool
    game: Array  # [N] which game a position is from


@dataclass(frozen=True)
class Column:
    """A number of a state record: field, position in it, and how many seats on it belongs to (-1: to none)."""

    field: str
    at: tuple[int, ...]
    seat: int = -1

    def __str__(self) -> str:
        return self.field + (f"[{', '.join(map(str, self.at))}]" if self.at else "")


def sample_worlds(
    game: Game,
    players: int,
    options: GameOptions | None = None,
    seed: int = 0,
    *,
    games: int = GAMES,
    marks: int = MARKS,
    scripted: bool = False,
    forks: Forks = view_forks,
) -> Worlds:
    """True positions of two thirds of many games, forks in the others, at moments spread over them."""
    batch = Batch(game, games, players, seed, options)
    random = np.random.default_rng([seed, players])
    usual = _usual_length(game, players, options, seed)
    rows = np.arange(games)
    forked = rows % 3 == 2
    parts = []
    # Games start together, and the first decisions of a game are its rarest: all of them are looked at once.
    first = max(1, marks // 4)
    chosen = {*range(first), *(int(n) for n in random.integers(first, max(first + 1, 2 * usual), marks - first))}
    for number in range(max(chosen) + 1):
        if number in chosen:
            seats = batch.seat.astype(np.int64)
            keys = random.integers(2**62, size=(WITNESSES, games)).astype(np.uint64)
            true = _numbers(game, players, batch.clone(), seats)
            drawn = [_numbers(game, players, forks(batch, rows, key), seats) for key in keys]
            hidden = np.any([one != true for one in drawn], axis=0)
            parts.append((np.where(forked[:, None], drawn[0], true), hidden))
        batch.step(batch.script() if scripted else batch.sample())
    return Worlds(
        columns_of(game, players),
        np.concatenate([values for values, _ in parts]),
        np.concatenate([hidden for _, hidden in parts]),
        np.tile(forked, len(parts)),
        np.tile(rows, len(parts)),
    )


def _usual_length(game: Game, players: int, options: GameOptions | None, seed: int) -> int:
    batch = Batch(game, 8, players, seed, options)
    while not batch.final_decisions.all():
        batch.step(batch.sample())
    return int(np.median(batch.final_decisions))


def _fields(game: Game) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """Fields of plain numbers with their shapes, and whether they go by seat."""
    for name, field in game.state.fields.items():
        if isinstance(field, Field) and field.dtype.base.names is None and name not in ("rng", "options"):
            shape = field.dtype.shape
            if field.dtype.base.kind == "f" and math.prod(shape) > MOST_MEASURES:
                continue  # such tables are caches, and as numbers they would fill the memory
            yield name, shape, bool(shape) and shape[0] == game.most_seats > 1


def columns_of(game: Game, players: int) -> list[Column]:
    """The numbers that a position is laid out as."""
    found = []
    for name, shape, by_seat in _fields(game):
        for at in np.ndindex(*((players, *shape[1:]) if by_seat else shape)):
            found.append(Column(name, at, at[0] if by_seat else -1))
    return found


def _numbers(game: Game, players: int, states: Array, seats: Array) -> Array:
    """States as numbers, the given seats first."""
    parts = []
    for name, _, by_seat in _fields(game):
        values = states[name]
        if by_seat:
            turned = (seats[:, None] + np.arange(players)) % players
            values = values[np.arange(len(states))[:, None], turned]
        parts.append(values.reshape(len(states), -1).astype(np.float32))
    return np.concatenate(parts, axis=1)


# --- the check ------------------------------------------------------------------------------------


def true_forks(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A fork cannot be told from the truth: it shows no value, and no two together, that the truth never shows."""
    if game.open_information:
        return
    compare(game, players, sample_worlds(game, players, options, seed))


def compare(game: Game, players: int, worlds: Worlds) -> None:
    """Raise a sentence about what forks show again and again and true positions never."""
    words = {name: field.names for name, field in game.state.fields.items() if isinstance(field, Field)
             and field.names is not None and not field.dtype.shape}  # fmt: skip
    found = [odd for sort, rows in _sorts(worlds, words) if (odd := _odd(worlds, sort, rows, words)) is not None]
    if found:
        raise ConformanceError(f"{game.id}, {players} players: {max(found)[1]}")


def _sorts(worlds: Worlds, words: Words) -> list[tuple[str, Array]]:
    """The positions by what is being decided: the first of the numbers that have names."""
    everything = np.arange(len(worlds.values))
    if not words:
        return [("", everything)]
    name = next(iter(words))
    values = worlds.values[:, worlds.columns.index(Column(name, ()))]
    return [(f"{name} {words[name](int(v)).name}", everything[values == v]) for v in np.unique(values)]


def _odd(worlds: Worlds, sort: str, rows: Array, words: Words) -> tuple[int, str] | None:
    """What forks of positions of one sort show most often and the truth never: how often, and the sentence."""
    forked = worlds.forked[rows]
    if forked.all() or forked.sum() < _needed(worlds, 1):
        return None
    compared, features = _hidden_features(worlds, rows, forked)
    if not compared:  # nothing is hidden in positions of this sort
        return None
    contexts, settings = _contexts(worlds, rows, words)
    needed = _needed(worlds, compared * (len(contexts) + compared))
    counts = {name: int(holds[forked].sum()) for name, holds in features.items()}
    names = sorted((name for name in features if counts[name] >= needed), key=lambda name: -counts[name])
    names = names[:MOST_FEATURES]
    if not names:
        return None
    marks = np.array([features[name] for name in names], np.float32).T
    for given, of in ((settings.astype(np.float32), contexts), (marks, [f"with {name}" for name in names])):
        shown, truly = given[forked].T @ marks[forked], given[~forked].T @ marks[~forked]
        for i, j in sorted(np.argwhere((truly == 0) & (shown >= needed)), key=lambda at: -shown[at[0], at[1]]):
            both = (given[:, i] * marks[:, j] > 0) & forked
            if len(set(worlds.game[rows[both]])) >= needed:
                within = given[:, i] > 0 if given is not marks else np.ones(len(rows), np.bool_)
                where = ", ".join(filter(None, (sort, of[i])))
                return int(both.sum()), (f"{where}{': ' if where else ''}forks show {names[j]} in {int(both.sum()):,} "
                                         f"of {int((within & forked).sum()):,} positions, the truth in 0 of "
                                         f"{int((within & ~forked).sum()):,}")  # fmt: skip
    return None


def _needed(worlds: Worlds, compared: int) -> int:
    """In how many games something has to be seen, all of them with forks, so that it is no chance.

    Were forks like the truth, each of those games would be one with forks by the share of such games.
    """
    share = len(np.unique(worlds.game[worlds.forked])) / len(np.unique(worlds.game))
    return math.ceil(math.log(CHANCE / (compared * MOST_SORTS)) / math.log(share))


def _hidden_features(worlds: Worlds, rows: Array, forked: Array) -> tuple[int, dict[str, Array]]:
    """What is hidden, as yes or no: each number's value, and what the numbers of one array have in common.

    How many there are, and those that forks show often enough to be judged.
    """
    compared, found = 0, {}
    least = _needed(worlds, 1)
    groups: dict[tuple[str, int], list[int]] = {}
    for k, column in enumerate(worlds.columns):
        groups.setdefault((column.field, column.seat if len(column.at) > 1 else -1), []).append(k)
    for (field, seat), members in groups.items():
        hidden = worlds.hidden[rows][:, members]
        if not hidden.any():
            continue
        values = worlds.values[rows][:, members]
        features = [(f"{worlds.columns[m]} {word}", holds) for k, m in enumerate(members)
                    for word, holds in _values(values[:, k], hidden[:, k])]  # fmt: skip
        if len(members) > 1:
            whose = f"{field} of the seat {seat} on" if seat >= 0 else field
            features += [(f"{whose} with {word}", holds) for word, holds in _of_array(values, hidden)]
        compared += len(features)
        found.update({name: holds for name, holds in features if holds[forked].sum() >= least})
    return compared, found


def _values(values: Array, hidden: Array) -> Iterator[tuple[str, Array]]:
    """Which value a hidden number has, or which range it lies in."""
    known = np.unique(values[hidden])
    if len(known) == 0:
        return
    if len(known) <= MOST_VALUES and np.array_equal(known, np.round(known)):
        for v in known:
            yield f"= {v:g}", hidden & (values == v)
        return
    edges = np.unique(np.quantile(values[hidden], np.linspace(0, 1, MOST_VALUES // 2 + 1)))
    for low, high in pairwise(edges):
        yield f"from {low:g} to {high:g}", hidden & (values >= low) & (values <= high)


def _of_array(values: Array, hidden: Array) -> Iterator[tuple[str, Array]]:
    """Values of any hidden number of an array, and whether hidden ones equal each other or open ones."""
    known = np.unique(values[hidden])
    if len(known) > 4 * MOST_VALUES or not np.array_equal(known, np.round(known)):
        return
    matched = np.zeros(len(values), np.int64)
    alone = np.zeros(len(values), np.int64)
    twice = np.zeros(len(values), np.bool_)
    for v in known:
        here = values == v
        count = (here & hidden).sum(1)
        yield f"a hidden {v:g}", count > 0
        yield f"two hidden {v:g}", count > 1
        is_open = (here & ~hidden).any(1)
        matched += count * is_open
        alone += count * ~is_open
        twice |= count > 1
    yield "two hidden ones equal", twice
    yield "a hidden one equal to an open one", matched > 0
    yield "a hidden one unlike all open ones", alone > 0
    yield "hidden ones that all are unlike the open ones", (alone > 0) & (matched == 0)


def _contexts(worlds: Worlds, rows: Array, words: Words) -> tuple[list[str], Array]:
    """The public numbers that positions can be split by, alone and two together; first none at all."""
    names, marks, owner = [""], [np.ones(len(rows), np.bool_)], [-1]
    for k, column in enumerate(worlds.columns):
        is_plain = not column.at or (column.seat >= 0 and len(column.at) == 1)
        if not is_plain or worlds.hidden[rows, k].any():
            continue
        values = worlds.values[rows, k]
        if column.field == "decisions":
            values = np.minimum(values, MOST_SETTINGS)
        known, counts = np.unique(values, return_counts=True)
        for v in known[np.argsort(-counts)][:MOST_SETTINGS] if len(known) > 1 else ():
            if column.field != "decisions" or v < MOST_SETTINGS:
                word = words[column.field](int(v)).name if column.field in words else f"{v:g}"
                names.append(f"{column} {word}")
                marks.append(values == v)
                owner.append(k)
    singles = len(names)
    size = np.array([mark.sum() for mark in marks])
    twos = [(i, j) for i in range(1, singles) for j in range(i + 1, singles) if owner[i] != owner[j]]
    twos.sort(key=lambda at: -min(size[at[0]], size[at[1]]))
    for i, j in twos[: MOST_CONTEXTS - singles]:
        names.append(f"{names[i]}, {names[j]}")
        marks.append(marks[i] & marks[j])
    return names, np.array(marks).T
