"""Checks of what seats know: a view holds all that is shown, and a fork cannot be told from the truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.errors import ConformanceError, StateError
from alarife.engine.game import Game
from alarife.engine.memory import beliefs_of
from alarife.engine.numbers import Array
from alarife.engine.options import GameOptions
from alarife.engine.table import Table
from alarife.testing.positions import sample_positions
from alarife.testing.tampering import change

GAMES = 12  # random games that positions are taken from
MARKS = 9  # moments of each
COPIES = 16  # true copies of a position that are played on
FORKS = 32  # forks of it, an equal share for each seat
DEPTH = 3  # random decisions that copies and forks are played on
ALIKE = 6  # pairs looked at among those that differ in the same parts of the state
PAIRS = 500  # pairs whose texts are compared
PLAYED = 150  # pairs whose actions are played
ACTIONS = 6  # actions played in each
FUTURES = 32  # forks that they are played on
CHANGED_GAMES = 3  # random games with positions that are changed by hand
CHANGES = 12  # changes of each position
PAID_GAMES = 4  # random games with rewards before the end
PAID = 12  # actions with rewards that are looked at in each


# --- positions that can be found again ------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """How a position came about: game `row` of a batch after some random decisions, perhaps forked, and played on."""

    seed: int
    row: int
    decisions: int
    fork: tuple[int, int] | None = None  # for which seat, with which key
    then: tuple[int, ...] = ()

    def __str__(self) -> str:
        forked = "" if self.fork is None else f", forked for seat {self.fork[0]} with key {self.fork[1]}"
        then = f", then actions {', '.join(map(str, self.then))}" if self.then else ""
        return f"game {self.row} of seed {self.seed} after {self.decisions} random decisions{forked}{then}"

    def state(self, game: Game, players: int, options: GameOptions) -> Array:
        """The position, as an array of one record."""
        batch = Batch(game, self.row + 1, players, self.seed, options)
        for _ in range(self.decisions):
            batch.step(batch.sample())
        row = np.array([self.row])
        states = batch.clone(row)
        if self.fork is not None:
            seat, key = self.fork
            states = batch.fork(row, np.array([seat]), np.array([key], np.uint64))
        batch = Batch(game, 1, players, self.seed, options, restart=False)
        batch.load(states)
        for action in self.then:
            batch.step(np.array([action]))
        return batch.clone()


def random_moments(
    game: Game, players: int, options: GameOptions, seed: int, games: int, marks: int
) -> Iterator[tuple[int, Batch]]:
    """Random games side by side, at the first decisions and at others spread over a game of usual length."""
    batch = Batch(game, games, players, seed, options)
    while not batch.final_decisions.all():
        batch.step(batch.sample())
    usual = int(np.median(batch.final_decisions))
    random = np.random.default_rng([seed, players])
    chosen = {0, 1, 2, *(int(n) for n in random.integers(0, max(1, usual), marks - 3))}
    batch.reset()
    for number in range(max(chosen) + 1):
        if number in chosen:
            yield number, batch
        batch.step(batch.sample())


# --- a view holds all that is shown ---------------------------------------------------------------


def complete_views(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Two positions with equal view and mask have equal text for that seat, and its actions do the same."""
    found = _Seen(game, players)
    for number, batch in random_moments(game, players, options, seed, GAMES, MARKS):
        found.play_on(batch, number)
    pairs = found.pairs(np.random.default_rng(seed))
    tables = [Table(game, players, options, seed=0) for _ in range(2)]
    futures = Batch(game, 2 * FUTURES, players, seed, options, restart=False)
    played = 0
    for seat, one, other in pairs:
        for table, index in zip(tables, (one, other), strict=True):
            table.from_bytes(found.states[index].tobytes())
        where = (f"{game.id}, {players} players: seat {seat} sees the same in two positions:\n"
                 f"  {found.positions[one]}\n  {found.positions[other]}\nbut ")  # fmt: skip
        _same_words(tables, seat, where)
        if seat == tables[0].seat and not tables[0].over and played < PLAYED:
            _same_results(tables, seat, futures, where, np.random.default_rng([seed, played]))
            played += 1


class _Seen:
    """Positions with what each seat sees in them."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        self.positions: list[Position] = []
        self.parts: list[Array] = []
        self.alike: dict[tuple[int, bytes], list[int]] = defaultdict(list)

    def play_on(self, batch: Batch, decisions: int) -> None:
        """Copies of each game, and forks for each seat, played on at random: all that is met."""
        rows, players = np.arange(batch.games), self.players
        starts = [Position(batch.seed, row, decisions) for row in range(batch.games)]
        states = [batch.clone()] * COPIES
        origins = starts * COPIES
        for seat in range(players if players > 1 else 0):
            for key in range(FORKS // players):
                states.append(batch.fork(rows, np.full(batch.games, seat), np.full(batch.games, key, np.uint64)))
                origins += [replace(start, fork=(seat, key)) for start in starts]
        variants = Batch(self.game, len(origins), players, batch.seed + 1, batch.options, restart=False)
        variants.load(np.concatenate(states))
        for _ in range(DEPTH):
            self._look(variants, origins)
            going = np.flatnonzero(variants.over == 0)
            if len(going):
                actions = variants.sample().copy()
                variants.step(actions, going)
                for row in going:
                    origins[row] = replace(origins[row], then=(*origins[row].then, int(actions[row])))
        self._look(variants, origins)

    def _look(self, variants: Batch, origins: list[Position]) -> None:
        """What each seat sees in each variant; a fork for a seat shows that seat nothing new."""
        rows = np.arange(variants.games)
        first = len(self.positions)
        self.positions += origins
        self.parts.append(variants.clone())
        for seat in range(self.players):
            views = variants.view(rows, np.full(variants.games, seat))
            for row in rows:
                fork = origins[row].fork
                if fork is None or fork[0] != seat:
                    turn, over = int(variants.seat[row]), int(variants.over[row])
                    mask = variants.action_mask[row].tobytes() if turn == seat and not over else b""
                    seen = hash((turn, over, views[row].tobytes(), mask)).to_bytes(8, "big", signed=True)
                    self.alike[seat, seen].append(first + int(row))

    def pairs(self, random: np.random.Generator) -> list[tuple[int, int, int]]:
        """Seats with two different positions that look alike, from as many sorts of difference as there are."""
        self.states = np.concatenate(self.parts)
        bare = self.states.copy()
        bare["rng"] = 0
        found = []
        for (seat, _), members in self.alike.items():
            known: dict[bytes, int] = {}
            for index in members:
                known.setdefault(bare[index].tobytes(), index)
            different = list(known.values())
            found += [(seat, different[0], other) for other in different[1:9]]
        if not found:
            return []
        order = random.permutation(len(found))
        seats, ones, others = np.array(found)[order].T
        return self._varied(seats, ones, others)

    def _varied(self, seats: Array, ones: Array, others: Array) -> list[tuple[int, int, int]]:
        """Some pairs of each sort of difference, rare sorts first."""
        marks = []
        for name in self.game.state.fields:
            if name != "rng":
                differs = _as_numbers(self.states[name][ones]) != _as_numbers(self.states[name][others])
                if differs.ndim > 1 and differs.shape[1] == self.game.most_seats > 1:
                    by_seat = differs.reshape(*differs.shape[:2], -1).any(2)
                    marks += [by_seat[np.arange(len(seats)), (seats + k) % self.players] for k in range(self.players)]
                else:
                    marks.append(differs.reshape(len(seats), -1).any(1))
        sorts: dict[bytes, list[int]] = defaultdict(list)
        for number, sort in enumerate(np.packbits(np.array(marks).T, axis=1)):
            sorts[sort.tobytes()].append(number)
        chosen = [k for sort in sorted(sorts.values(), key=len) for k in sort[:ALIKE]][:PAIRS]
        return [(int(seats[k]), int(ones[k]), int(others[k])) for k in chosen]


def changed_by_hand(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """One number changed while a decision is due, where invariants let it pass: who sees the same is told the same.

    Measures are left out: a view rounds them otherwise than a text does.
    """
    random = np.random.default_rng([seed, players])
    for table in sample_positions(game, players, options, games=CHANGED_GAMES, seed=seed):
        for _ in range(CHANGES):
            states, changed = change(table, random)
            if isinstance(changed.after, float):
                continue
            try:
                other = table.clone().set_up(states)
            except StateError:
                continue
            for seat in range(players if other.players == players and not other.over else 0):
                if _looks_alike(table, other, seat):
                    where = f"{game.id}, {players} players, decision {table.state.decisions}: seat {seat} sees the same"
                    _same_words((table, other), seat, f"{where} after {changed}, but ")


def _looks_alike(one: Table, other: Table, seat: int) -> bool:
    """Whether a seat sees the same in two positions, and may do the same."""
    due = [(table.seat, table.over, table.mask.tobytes() if seat == table.seat else b"") for table in (one, other)]
    return due[0] == due[1] and np.array_equal(one.observe(seat), other.observe(seat))


def _as_numbers(values: Array) -> Array:
    """Fields that are records themselves as bytes."""
    if values.dtype.names is None:
        return values
    return np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)


def _same_words(tables: Sequence[Table], seat: int, where: str) -> None:
    one, other = (table.text(seat).splitlines() for table in tables)
    for a, b in zip([*one, "(its end)"], [*other, "(its end)"], strict=False):
        if a != b:
            raise ConformanceError(f"{where}its text tells them apart: {a.strip()!r}, {b.strip()!r}")
    if seat == tables[0].seat and not tables[0].over:
        for action in tables[0].legal():
            a, b = (table.phrase(action, seat) for table in tables)
            if a != b:
                raise ConformanceError(f"{where}{tables[0].game.actions.name(action)} means {a!r} in one, {b!r} in "
                                       "the other")  # fmt: skip


def _same_results(tables: Sequence[Table], seat: int, futures: Batch, where: str, random: np.random.Generator) -> None:
    """What an action leads to, over forks for the seat: nothing that one position often shows lacks in the other."""
    keys = random.integers(2**62, size=FUTURES).astype(np.uint64)
    forks = np.concatenate([table.fork_states(seat, keys) for table in tables])
    rows = np.arange(len(forks))
    legal = tables[0].legal()
    for action in random.permutation(legal)[:ACTIONS]:
        futures.load(forks)
        futures.step(np.full(len(forks), action))
        views = futures.view(rows, np.full(len(forks), seat))
        seen = [view.tobytes() for view in views]
        for mine, theirs in ((0, FUTURES), (FUTURES, 0)):
            own = seen[mine : mine + FUTURES]
            usual = max(own, key=own.count)
            if 2 * own.count(usual) >= FUTURES and usual not in seen[theirs : theirs + FUTURES]:
                a, b = views[seen.index(usual)], views[theirs]
                game, index = tables[0].game, int(np.flatnonzero(a != b)[0])
                raise ConformanceError(f"{where}{game.actions.name(int(action))} leads apart: "
                                       f"{game.features.name(index)} is {a[index]:g} after it in one, "
                                       f"{b[index]:g} in the other")  # fmt: skip


# --- rewards tell no more than is seen ------------------------------------------------------------


def rewards_seen(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Rewards before the end tell a seat no more than it sees: they are equal in forks where it sees the same."""
    if game.open_information or players == 1:
        return
    for mode in ("score", "margin"):
        for number in range(PAID_GAMES):
            random = np.random.default_rng([seed, players, number])
            paid = _paid(Table(game, players, options, int(random.integers(2**62)), mode), random)
            for place in random.permutation(len(paid))[:PAID]:
                before, action = paid[place]
                for seat in range(players):
                    _same_rewards(before, action, seat, 1000 * seed + number)


def _paid(table: Table, random: np.random.Generator) -> list[tuple[Table, int]]:
    """A random game's actions that paid something before the end, with the positions before them."""
    found = []
    while not table.over:
        before, action = table.clone(), int(random.choice(table.legal()))
        table.play(action)
        if table.rewards[0, : table.players].any() and not table.over:
            found.append((before, action))
    return found


def _same_rewards(table: Table, action: int, seat: int, seed: int) -> None:
    """Play an action in the true position and in forks; chance goes the same way in all of them."""
    true = table.clone()
    true.pay_so_far()  # as in forks: the first action of a game pays for the standing at its start, too
    _after(true, action, seed)
    for number, belief in enumerate(beliefs_of(table.game)):
        fork = table.fork(seat, seed + number, belief)
        if fork.seat != table.seat or not fork.mask[action]:
            continue
        after = _after(fork, action, seed)
        mine, theirs = float(true.rewards[0, seat]), float(after.rewards[0, seat])
        if mine != theirs and not after.over and np.array_equal(true.observe(seat), after.observe(seat)):
            name = table.game.actions.name(action)
            raise ConformanceError(
                f"{table.game.id}, {table.players} players, decision {table.state.decisions}: {name} pays seat {seat} "
                f"{mine:g}, and {theirs:g} in a fork for it of belief {belief}, but it sees the same: the "
                f"{table.reward} reward tells what it cannot know, or the fork denies what it has been paid for"
            )


def _after(table: Table, action: int, seed: int) -> Table:
    table.states["rng"] = seed + 1
    return table.play(action)
