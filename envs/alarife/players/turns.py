"""What a player is given, and the protocol it follows."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np

from alarife.engine.arrays import advice_of, forks_of, views_of
from alarife.engine.batch import Batch, illegal_sentence
from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.game import Game
from alarife.engine.numbers import Array, key_numbers, short
from alarife.engine.options import GameOptions
from alarife.engine.table import Table

#: What a player says instead of ``forks = True`` that asks for the scripted player's advice and for no forks.
ADVICE = "advice"


class Turns:
    """The decisions due at some tables, one row each.

    - ``observation [n, F]`` and ``action_mask [n, A]`` int8: copies, each for the seat to decide. Observations come as
      the table has them, in whole numbers or in float32: ``game.features.decode`` makes floats of either
    - ``seat [n]``: the seat to decide; ``players [n]``: how many seats the table has
    - ``table [n]``: the table's number, the same from decision to decision of a game
    - ``game`` and ``options``: what is being played

    All of it is the player's own: what it writes there reaches nobody. A player gets nothing else. Turns hold no true
    state: the states that `fork` draws from have been redrawn already, and the key that did it is gone.
    """

    def __init__(
        self,
        game: Game,
        options: GameOptions,
        observation: Array,
        action_mask: Array,
        seat: Array,
        players: Array,
        table: Array,
        sealed: Array | None,
        blind: Array | None = None,
    ) -> None:
        self.game, self._options = game, options
        self.observation, self.action_mask, self.seat, self.players = observation, action_mask, seat, players
        self.table = table
        self._sealed, self._blind = sealed, blind

    def __len__(self) -> int:
        return len(self.seat)

    @cached_property
    def options(self) -> GameOptions:
        """The options of the game, tables included; a copy."""
        return copy.deepcopy(self._options)

    def fork(self, keys: Array, belief: str = "view") -> Array:
        """One state for each row, made for its seat: what it cannot know is redrawn, the future is the key's.

        `belief` is ``view``, ``memory`` or ``play``: see `alarife.engine.memory`.
        """
        keys = key_numbers(keys, len(self))
        if self._sealed is None:
            said = False if self._blind is None else ADVICE
            raise AlarifeError(f"these turns were made for a player that says `forks = {said!r}`, so it gets no forks")
        return forks_of(self.game, self._sealed, self.seat, keys, belief)

    def advice(self) -> Array:
        """The scripted player's action for each row."""
        states = self._sealed if self._blind is None else self._blind
        if states is None:
            raise AlarifeError("these turns were made for a player that says `forks = False`, so it gets no advice")
        return advice_of(self.game, states)

    def only(self, row: int) -> Turns:
        """The turns of one row alone."""
        return self.at(np.array([row]))

    def at(self, rows: Array) -> Turns:
        """The turns of some rows, which may be there more than once."""
        return Turns(self.game, self._options, self.observation[rows], self.action_mask[rows], self.seat[rows],
                     self.players[rows], self.table[rows],
                     *(None if states is None else states[rows] for states in (self._sealed, self._blind)))  # fmt: skip

    def seen_in(self, game: Game) -> Array:
        """What the seats see in the layout of this game, which may show their memory where the table does not."""
        here = self.game.showing(game.remembers) if self.game.memory or not game.remembers else self.game
        if here.layout_digest != game.layout_digest:
            raise AlarifeError(f"this checkpoint plays {game.id}, the table is {self.game.id}")
        if here is self.game:
            return self.observation
        if not here.remembers:
            return self.observation[:, : here.features.size]
        return views_of(here, self.fork(np.zeros(len(self), np.uint64), "memory"), self.seat)

    @classmethod
    def of_batch(cls, batch: Batch, rows: Array, player: Player | None = None) -> Turns:
        """The decisions due in some rows of a batch; forks are left out for a player that says it needs none."""
        rows = np.array(rows)
        seat = batch.seat[rows].astype(np.int64)
        wants = wants_forks(player)
        sealed, blind = batch.seal(rows) if wants is True else None, batch.blind(rows) if wants == ADVICE else None
        return cls(batch.game, batch.options, batch.observation[rows], batch.action_mask[rows], seat,
                   batch.players[rows].astype(np.int64), rows, sealed, blind)  # fmt: skip

    @classmethod
    def of_table(cls, table: Table, player: Player | None = None) -> Turns:
        """The decision due at one table; forks are left out for a player that says it needs none."""
        wants = wants_forks(player)
        sealed, blind = table.seal() if wants is True else None, table.blind() if wants == ADVICE else None
        return cls(table.game, table.options, table.observe()[None], table.mask.copy()[None], np.array([table.seat]),
                   np.array([table.players]), np.zeros(1, np.int64), sealed, blind)  # fmt: skip


def wants_forks(player: Any) -> bool | str:
    """Whether a player may ask for forks; one that never does says ``forks = False`` and is served faster.

    `ADVICE` for one that says so: it asks for the scripted player's advice and for no forks.
    """
    wanted = getattr(player, "forks", True)
    return ADVICE if wanted == ADVICE else bool(wanted)


@runtime_checkable
class Player(Protocol):
    """Anything with a method `act`; a `reset(seed)` is called before a series of games where there is one."""

    def act(self, turns: Turns) -> Array:
        """One legal action for each row."""
        ...


def ask(player: Player, turns: Turns, name: str = "the player") -> Array:
    """The player's actions, checked: right shape, whole numbers, legal.

    What is legal is noted before the player is asked, for its turns are its own, and it may write into them.
    """
    game, mask, seat = turns.game, turns.action_mask.copy(), turns.seat.copy()
    actions = _numbers(player.act(turns), len(mask), name)
    inside = (actions >= 0) & (actions < mask.shape[1])
    legal = mask[_rows(len(mask)), np.where(inside, actions, 0)] * inside
    if not legal.all():
        row = int(np.argmin(legal))
        raise IllegalAction(f"{name}: {illegal_sentence(game, mask[row], int(seat[row]), int(actions[row]))}")
    return actions.astype(np.int64, copy=False)


def decide(player: Player, table: Table, name: str = "the player") -> int:
    """The player's action for the decision due at a table, checked as by `ask`."""
    return int(ask(player, Turns.of_table(table, player), name)[0])


@lru_cache(maxsize=16)
def _rows(count: int) -> Array:
    return np.arange(count)


def _numbers(answer: Any, count: int, name: str) -> Array:
    """An answer as an array that nobody else holds."""
    try:
        actions = np.array(answer)
        if actions.shape == (count,) and actions.dtype.kind in "iu":
            return actions
        given = f"{actions.dtype} of shape {actions.shape}"
    except Exception as error:  # ragged, or something of another library that will not be an array
        given = f"a {type(answer).__name__} that is no array ({type(error).__name__})"
    raise IllegalAction(f"{name} has to answer {count} whole numbers, got {given}")


def play_out(table: Table, players: Sequence[Player], most: int | None = None) -> Table:
    """Let the players, one for each seat, finish the game (or play `most` decisions of it)."""
    is_list = isinstance(players, Sequence) and not isinstance(players, str)
    if not is_list or len(players) != table.players or not all(isinstance(player, Player) for player in players):
        raise AlarifeError(f"a table for {table.players} is played by a list of as many players, got {short(players)}")
    left = most
    while not table.over and (left is None or left > 0):
        player = players[table.seat]
        table.play(decide(player, table, f"player_{table.seat}"))
        left = None if left is None else left - 1
    return table
