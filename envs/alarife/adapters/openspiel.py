"""OpenSpiel: every game as a `pyspiel.Game`, with information states of perfect recall and nodes of chance.

``alarife.adapters.openspiel.load("viva", players=3)``, or after the import ``pyspiel.load_game("alarife_viva")``.

Where an action (or the deal) draws anything, chance is a node of its own. It is ``explicit`` where its outcomes can be
listed, as the algorithms of game theory want it: in small games, and nowhere else. It is ``sampled`` otherwise: such a
node has one outcome, and what it leads to is drawn anew each time, so that no search can look into the future.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from alarife.engine.chance import MOST, Outcome
from alarife.engine.errors import ChanceError, OptionError, missing_extra, nearest
from alarife.engine.game import Game
from alarife.engine.information import names_of
from alarife.engine.numbers import Array
from alarife.engine.options import GameOptions
from alarife.engine.registry import find_game, game_names
from alarife.engine.table import Table

try:
    import pyspiel
except ImportError:
    raise missing_extra("OpenSpiel's games need", "openspiel") from None

CHANCE = "explicit", "sampled"
LARGEST = 100_000  # numbers in a tensor of information; larger games have its digest only
_WIDE = 1e9  # of scores, which have no bounds that all games share
_DEAL = -1  # the event that is due is the deal


def load(
    game: str | Game,
    players: int | None = None,
    reward: str = "outcome",
    chance: str | None = None,
    seed: int = 0,
    **options: Any,
) -> AlarifeGame:
    """A game as OpenSpiel knows games. Without `chance`, explicit where the deal can be listed, else sampled."""
    game = find_game(game)
    if game.name in game_names():
        register(game)
    about = {"players": players or 0, "reward": reward, "chance": chance or "", "seed": seed}
    return AlarifeGame(game, about | options)


def _chance_of(table: Table) -> str:
    try:
        table.chance()
    except ChanceError:
        return "sampled"
    return "explicit"


class _Luck:
    """What sampled chance is drawn from: one stream for all states of a game, which copying does not copy."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def next(self) -> int:
        """A key for a deal or a fork."""
        return int(self.random.integers(0, 2**63))

    def __deepcopy__(self, memo: Any) -> _Luck:
        return self


class AlarifeGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its table size, reward and options settled."""

    def __init__(self, game: Game, parameters: dict[str, Any]) -> None:
        known = dict(parameters)
        players, reward = int(known.pop("players", 0)) or None, str(known.pop("reward", "outcome"))
        chance, seed = str(known.pop("chance", "")), int(known.pop("seed", 0))
        self.blank = Table(game, players, known, seed=0, reward=reward)
        chance = chance or _chance_of(self.blank)
        if chance not in CHANCE:
            raise OptionError(f"no chance called {chance!r}{nearest(chance, CHANCE)}")
        deal = tuple(self.blank.chance()) if chance == "explicit" else ()  # says why if it cannot be listed
        self.start = _Position(self.blank, _DEAL, deal)
        if self.blank.state.rng == self.blank.key:  # nothing is drawn
            self.start = _Position(self.blank)
        self.game, self.chance, self.luck = game, chance, _Luck(seed)
        low, high = (-1.0, 1.0) if reward in ("outcome", "rank") else (-_WIDE, _WIDE)
        sums_to_nothing = self.blank.players > 1 and (reward in ("outcome", "rank") or self._is_duel(reward))
        utility = pyspiel.GameType.Utility
        about = _type_of(game, chance, utility.ZERO_SUM if sums_to_nothing else utility.GENERAL_SUM, self.has_tensor)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions.size, max_chance_outcomes=MOST if chance == "explicit" else 1,
            num_players=self.blank.players, min_utility=low, max_utility=high,
            utility_sum=0.0 if sums_to_nothing else None, max_game_length=game.longest,
        )  # fmt: skip
        settled = {"players": self.blank.players, "reward": reward, "chance": chance, "seed": seed}
        super().__init__(about, info, settled | _plain(self.blank.options))

    def _is_duel(self, reward: str) -> bool:
        return reward == "margin" and self.blank.players == 2

    @property
    def has_tensor(self) -> bool:
        """Whether the whole information fits into a tensor of a bearable size."""
        return (self.game.longest + 1) * row_size(self.blank) <= LARGEST

    def new_initial_state(self) -> AlarifeState:
        """The start, before the deal."""
        return AlarifeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What a seat sees now, or with perfect recall all that it has seen and done."""
        if params:
            raise OptionError(f"observers take no parameters, got {params}")
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return _Observer(self, recall)


@dataclass(frozen=True)
class _Position:
    """A table, and what chance decides next. Never changed, so that copies of a state share it."""

    table: Table
    due: int | None = None  # the action that chance decides now, or the deal
    outcomes: tuple[Outcome, ...] = ()

    def __deepcopy__(self, memo: Any) -> _Position:
        return self


class AlarifeState(pyspiel.State):  # type: ignore[misc]
    """A position, or a node of chance on the way to one."""

    def __init__(self, game: AlarifeGame) -> None:
        super().__init__(game)
        self._at, self._luck, self._is_explicit = game.start, game.luck, game.chance == "explicit"

    @property
    def table(self) -> Table:
        """The position; at a node of chance, the one before it. A look only: play on the state."""
        return self._at.table

    @property
    def is_before_deal(self) -> bool:
        """Whether nobody has seen anything yet."""
        return self._at.due == _DEAL

    # --- what OpenSpiel asks ----------------------------------------------------------------------

    def current_player(self) -> int:
        """The seat to decide, chance, or nobody."""
        if self._at.due is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.over else self.table.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal() if player == self.table.seat and not self.table.over else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may come out; of sampled chance, only that something does."""
        if not self._is_explicit:
            return [(0, 1.0)]
        return [(i, float(outcome.probability)) for i, outcome in enumerate(self._at.outcomes)]

    def _apply_action(self, action: int) -> None:
        due = self._at.due
        if due is not None:
            self._at = _Position(self._turned_out(due, action))
            return
        played = self.table.clone().play(action)
        if played.state.rng == self.table.state.rng:  # nothing was drawn
            self._at = _Position(played)
        else:
            outcomes = tuple(self.table.chance(action)) if self._is_explicit else ()
            self._at = _Position(self.table, int(action), outcomes)

    def _turned_out(self, due: int, which: int) -> Table:
        table = self.table.clone()
        if due == _DEAL:
            return table.deal(self._at.outcomes[which]) if self._is_explicit else table.start(self._luck.next())
        return table.play(due, self._at.outcomes[which] if self._is_explicit else self._luck.random)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.table.game.actions.name(action)
        if not self._is_explicit:
            return "chance"
        return ", ".join(f"{kind} -> {drawn}" for kind, _, drawn in self._at.outcomes[action].draws)

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self._at.due is None and self.table.over

    def returns(self) -> list[float]:
        """What the game was worth to each seat; 0 before its end."""
        if not self.is_terminal():
            return [0.0] * self.table.players
        return [float(worth) for worth in self.table.paid[0, : self.table.players]]

    def resample_from_infostate(self, player: int, sampler: Any = None) -> AlarifeState:
        """A state that could be the true one for all that the seat knows (`Table.fork`)."""
        twin: AlarifeState = self.clone()
        twin._at = _Position(self.table.fork(player, self._luck.next()))
        return twin

    def __str__(self) -> str:
        if (due := self._at.due) is not None:
            return "the deal" if due == _DEAL else f"chance after {self.table.game.actions.name(due)}"
        return spell(self.table.game, self.table.observe(), f"player_{self.table.seat} sees")


def spell(game: Game, view: Array, head: str) -> str:
    """A view in words: its numbers by name, but for those that are 0."""
    names = names_of(game.features)
    return f"{head} " + " ".join(f"{names[i]}={view[i]:g}" for i in np.flatnonzero(view))


# --- tensors ------------------------------------------------------------------------------------------


def row_size(table: Table) -> int:
    """Numbers of one event: who decided, the own action, the view, the own legal actions."""
    return table.players + 2 * table.game.actions.size + table.game.features.size


class _Observer:
    """Strings and tensors for one seat, as OpenSpiel's observers give them."""

    def __init__(self, game: AlarifeGame, recall: bool) -> None:
        self._game, self._recall = game, recall
        table = game.blank
        features, rows = table.game.features, table.game.longest + 1
        self.dict: dict[str, Array] = {}
        if not recall:
            self.tensor = np.zeros(features.size, np.float32)
            self.dict = features.describe(self.tensor)
        else:
            self.tensor = np.zeros(rows * row_size(table) if game.has_tensor else 0, np.float32)
            if game.has_tensor:
                self.dict["events"] = self.tensor.reshape(rows, -1)
        self._index = {name: i for i, name in enumerate(names_of(features))}

    def set_from(self, state: AlarifeState, player: int) -> None:
        """Write what the seat sees, or all its information, into `tensor`."""
        self.tensor[:] = 0
        if state.is_before_deal:
            return
        if not self._recall:
            self.tensor[:] = state.table.observe(player)
        elif self.dict:
            self._write_events(state.table, player)

    def _write_events(self, table: Table, player: int) -> None:
        actions, view = table.game.actions.size, np.zeros(table.game.features.size, np.float32)
        at_view = table.players + actions
        for row, event in zip(self.dict["events"], table.information(player), strict=False):
            for name, value in event.seen.items():
                view[self._index[name]] = value
            if event.by is not None:
                row[event.by] = 1
            if event.action is not None:
                row[table.players + event.action] = 1
            row[at_view : at_view + len(view)] = view
            row[at_view + len(view) + np.array(event.legal, int)] = 1

    def string_from(self, state: AlarifeState, player: int) -> str:
        """What the seat sees in words, or the key of its information."""
        if state.is_before_deal:
            return f"player_{player} before the deal"
        if self._recall:
            return f"player_{player} {state.table.information_key(player)}"
        return spell(state.table.game, state.table.observe(player), f"player_{player} sees")


# --- by name ------------------------------------------------------------------------------------------


def _type_of(game: Game, chance: str, utility: Any, has_tensor: bool) -> Any:
    kind = pyspiel.GameType
    modes = {"explicit": kind.ChanceMode.EXPLICIT_STOCHASTIC, "sampled": kind.ChanceMode.SAMPLED_STOCHASTIC}
    parameters = {"players": 0, "reward": "outcome", "chance": "", "seed": 0} | _plain(game.make_options())
    return kind(
        short_name=f"alarife_{game.name}", long_name=game.title, dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=modes[chance], information=kind.Information.IMPERFECT_INFORMATION, utility=utility,
        reward_model=kind.RewardModel.TERMINAL, max_num_players=max(game.seats), min_num_players=min(game.seats),
        provides_information_state_string=True, provides_information_state_tensor=has_tensor,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=parameters,
    )  # fmt: skip


def _plain(options: GameOptions) -> dict[str, Any]:
    """The options that OpenSpiel has parameters for; tables of one's own are for `load` alone."""
    return {name: value for name, value in options.to_dict().items() if isinstance(value, (bool, int, float, str))}


def register(game: str | Game) -> None:
    """Make a game known to `pyspiel.load_game` as ``alarife_`` and its name."""
    made = find_game(game)
    if f"alarife_{made.name}" not in pyspiel.registered_names():
        kind = _type_of(made, "sampled", pyspiel.GameType.Utility.GENERAL_SUM, False)

        class Registered(AlarifeGame):
            """The game by its name. A class, as OpenSpiel lets go of what it registered after Python has ended."""

            def __init__(self, parameters: dict[str, Any] | None = None) -> None:
                super().__init__(made, parameters or {})

        pyspiel.register_game(kind, Registered)


for _name in game_names():
    register(_name)
