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
from typing import Any

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.errors import ConformanceError
from alarife.engine.game import Game
from alarife.engine.layout import Field
from alarife.engine.memory import beliefs_of
from alarife.engine.numbers import Array
from alarife.engine.options import GameOptions

#: Forks of the given rows for the seats to decide, one for each key: states[j] for rows[j].
Forks = Callable[[Batch, Array, Array], Array]

#: Names of the numbers that have some.
Words = dict[str, type[IntEnum]]

GAMES = 1200  # two thirds of them give true positions, one third forks
MARKS = 32  # moments at which all games are looked at
MARKS_OF_MEMORY = 12  # the same for beliefs that remember, whose forks are dearer
WITNESSES = 2  # forks of a position that tell what is hidden
CHANCE = 1e-6  # of a failure where forks are right, over all that is compared
DEALS = 1200  # games whose deal is looked at
UNFAIR = 1e-5  # the chance that sound forks of deals are refused, over all that is compared at a table
MOST_MEASURES = 64  # numbers of an array of measures that is looked at
MOST_SORTS = 40  # of positions, by what is being decided
MOST_VALUES = 16  # of one number; of more, ranges are compared
MOST_SETTINGS = 12  # values of a public number that splits the positions
MOST_FEATURES = 500  # hidden features compared in one sort of position, the commonest
MOST_CANDIDATES = 100  # of what one side shows and the other never, whose games are counted
MOST_CONTEXTS = 300  # combinations of public numbers, likewise


def forks_of(belief: str) -> Forks:
    """Forks of some grade of belief for the seats to decide."""
    return lambda batch, rows, keys: batch.fork(rows, batch.seat[rows].astype(np.int64), keys, belief)


#: Forks as players get them: true for all that the present view tells.
view_forks = forks_of("view")


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
    """A fork of any belief cannot be told from the truth: each shows what the other shows."""
    if game.open_information:
        return
    for belief in beliefs_of(game):
        scripted = belief == "play"  # such forks take it that others play as the scripted player does
        marks = MARKS if belief == "view" else MARKS_OF_MEMORY
        worlds = sample_worlds(game, players, options, seed, marks=marks, scripted=scripted, forks=forks_of(belief))
        compare(game, players, worlds, belief)


def compare(game: Game, players: int, worlds: Worlds, belief: str = "view") -> None:
    """Raise a sentence about what forks show again and again and true positions never, or the other way round.

    Forks show no value, alone, in a public setting or with another, that the truth never shows there. The truth shows
    no value that forks of positions of that sort never show. Of two values together that is not asked: what others
    choose to keep makes some pairs common that forks, to which every choice is as likely as another, hardly ever draw.
    """
    words = {name: field.names for name, field in game.state.fields.items() if isinstance(field, Field)
             and field.names is not None and not field.dtype.shape}  # fmt: skip
    found = [odd for sort, rows in _sorts(worlds, words) for odd in _odd(worlds, sort, rows, words)]
    if found:
        raise ConformanceError(f"{game.id}, {players} players, belief {belief}: {max(found)[1]}")


# --- the deal -------------------------------------------------------------------------------------


def fair_deals(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Before the first decision a fork shows what is hidden as often as the truth does: no value more, none less.

    Later on what others chose tilts the truth; a deal is chance alone. A game counts once: of those in which one of
    truth and fork shows something and the other does not, either is the one as often as the other.
    """
    if game.open_information:
        return
    batch = Batch(game, DEALS, players, seed, options)
    rows = np.arange(DEALS)
    seats = np.random.default_rng([seed, players]).integers(players, size=DEALS)
    true = _numbers(game, players, batch.clone(), seats)
    for belief in beliefs_of(game):
        drawn = _numbers(game, players, batch.fork(rows, seats, rows.astype(np.uint64) + seed, belief), seats)
        both = np.arange(2 * DEALS)
        hidden = np.tile(true != drawn, (2, 1))
        worlds = Worlds(columns_of(game, players), np.concatenate([true, drawn]), hidden, both >= DEALS, both)
        compared, features = _hidden_features(worlds, both, worlds.forked)
        for name, holds in features.items():
            truth, fork = holds[:DEALS], holds[DEALS:]
            more, less = int((fork & ~truth).sum()), int((truth & ~fork).sum())
            if _chance_of(more, less) * compared * len(beliefs_of(game)) < UNFAIR:
                raise ConformanceError(
                    f"{game.id}, {players} players, belief {belief}: of {DEALS:,} deals {more:,} show {name} in a fork "
                    f"and not in the truth, {less:,} in the truth and not in the fork: forks are dealt with other odds"
                )


def _chance_of(more: int, less: int) -> float:
    """An upper bound, Hoeffding's, of the chance that two even sides are as far apart as that, or farther."""
    return 2 * math.exp(-((more - less) ** 2) / (2 * max(1, more + less)))


# --- what one side shows and the other never --------------------------------------------------------


def _sorts(worlds: Worlds, words: Words) -> list[tuple[str, Array]]:
    """The positions by what is being decided: the first of the numbers that have names."""
    everything = np.arange(len(worlds.values))
    if not words:
        return [("", everything)]
    name = next(iter(words))
    values = worlds.values[:, worlds.columns.index(Column(name, ()))]
    return [(f"{name} {words[name](int(v)).name}", everything[values == v]) for v in np.unique(values)]


def _odd(worlds: Worlds, sort: str, rows: Array, words: Words) -> Iterator[tuple[int, str]]:
    """What one side shows in positions of one sort and the other never: how often at most, and the sentence."""
    forked = worlds.forked[rows]
    if forked.all() or not forked.any():
        return
    compared, features = _hidden_features(worlds, rows, forked)
    if not features:  # nothing is hidden in positions of this sort, or there are too few
        return
    contexts, settings = _contexts(worlds, rows, words)
    compared *= len(contexts) + compared + 1
    names, marks = _commonest(features, forked, _needed(worlds, True, compared))
    for given, of in (settings.astype(np.float32), contexts), (marks, [f"with {name}" for name in names]):
        if odd := _shown_by_one(worlds, rows, forked, given, marks, compared):
            count, within, i, j = odd
            yield count, _sentence(sort, of[i], names[j], count, within, "forks", "the truth")
            break
    names, marks = _commonest(features, ~forked, _needed(worlds, False, compared))
    if odd := _shown_by_one(worlds, rows, ~forked, np.ones((len(rows), 1), np.float32), marks, compared):
        count, within, _, j = odd
        yield count, _sentence(sort, "", names[j], count, within, "the truth", "forks")


def _commonest(features: dict[str, Array], side: Array, needed: int) -> tuple[list[str], Array]:
    """Names of the features that one side shows often enough, and where they hold."""
    counts = {name: int(holds[side].sum()) for name, holds in features.items()}
    names = sorted((name for name in features if counts[name] >= needed), key=lambda name: -counts[name])
    names = names[:MOST_FEATURES]
    return names, np.array([features[name] for name in names], np.float32).reshape(len(names), len(side)).T


def _sentence(sort: str, setting: str, name: str, count: int, within: tuple[int, int], one: str, other: str) -> str:
    """What one side shows and the other never does."""
    where = ", ".join(filter(None, (sort, setting)))
    shows = "shows" if one == "the truth" else "show"
    return (f"{where}{': ' if where else ''}{one} {shows} {name} in {count:,} of {within[0]:,} positions, {other} in "
            f"0 of {within[1]:,}")  # fmt: skip


def _shown_by_one(
    worlds: Worlds, rows: Array, side: Array, given: Array, marks: Array, compared: int
) -> tuple[int, tuple[int, int], int, int] | None:
    """A setting and a mark that one side shows together most often and the other never.

    Told are how often, in how many positions with that setting on either side, and the numbers of the two.
    """
    needed = _needed(worlds, side[0] == worlds.forked[rows[0]], compared)
    shown, never = given[side].T @ marks[side], given[~side].T @ marks[~side] == 0
    likely = never & (shown >= needed)
    candidates = np.argwhere(likely)
    for i, j in candidates[np.argsort(-shown[likely], kind="stable")][:MOST_CANDIDATES]:
        both = (given[:, i] * marks[:, j] > 0) & side
        if len(set(worlds.game[rows[both]])) >= needed:
            within = given[:, i] > 0
            return int(both.sum()), (int((within & side).sum()), int((within & ~side).sum())), int(i), int(j)
    return None


def _needed(worlds: Worlds, forked: Any, compared: int) -> int:
    """In how many games of one side something has to be seen, and in none of the other, so that it is no chance.

    Were forks like the truth, each of those games would be one of this side by the share of such games.
    """
    share = len(np.unique(worlds.game[worlds.forked == forked])) / len(np.unique(worlds.game))
    return math.ceil(math.log(CHANCE / (compared * MOST_SORTS)) / math.log(share))


def _hidden_features(worlds: Worlds, rows: Array, forked: Array) -> tuple[int, dict[str, Array]]:
    """What is hidden, as yes or no: each number's value, and what the numbers of one array have in common.

    How many there are, and those that forks or the truth show often enough to be judged.
    """
    compared, found = 0, {}
    least = {side: _needed(worlds, side, 1) for side in (True, False)}
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
        found.update({name: holds for name, holds in features if
                      holds[forked].sum() >= least[True] or holds[~forked].sum() >= least[False]})  # fmt: skip
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
