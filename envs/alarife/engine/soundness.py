"""What is a position of a game, and what happens when a rule fails in one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Arrays, same_bytes
from .errors import RuleError, StateError
from .game import Game
from .kernels import kernels
from .layout import check_ranges
from .numbers import Array
from .options import GameOptions
from .result import OUTCOME


def check_positions(game: Game, states: Array, options: GameOptions, interpreted: bool) -> None:
    """Raise a sentence unless every record holds a position of the game, with these options.

    First each field by itself, then what holds for any game, then the game's own invariants, and at last whether the
    position can be looked at and goes on.
    """
    states = np.ascontiguousarray(states)
    for name in ("seats", "seat", "over", "decisions"):
        _check_field(game, states, name)
    check_ranges(game.state, states)
    for seats in np.unique(states["seats"]):
        _check_prepared(game, states[states["seats"] == seats], game.template(int(seats), options))
    _try_out(game, states, interpreted)


def _check_prepared(game: Game, states: Array, template: Array) -> None:
    """Options, and what `prepare` made of them, are those that the table was made with."""
    for name in ("options", *game.state.prepared):
        wanted, given = template[name].tobytes(), np.ascontiguousarray(states[name]).tobytes()
        if given != wanted * len(states):
            about = "are" if name == "options" else "follows from the options, which are"
            raise StateError(f"{name} {about} chosen when a table is made and stay as they are")


def _check_field(game: Game, states: Array, name: str) -> None:
    """The fields of every game depend on how many sit at the table, and on how long a game can be."""
    seats = states["seats"]
    if name == "seats":
        if (strange := ~np.isin(seats, list(game.seats))).any():
            raise StateError(f"seats: {game.name} is for {game.seat_words}, got {_first(seats, strange)}")
        return
    over = states["over"].astype(np.int64)
    most = {"seat": seats - 1, "over": np.ones_like(over), "decisions": game.longest - 1 + over}[name]
    wrong = (states[name] < 0) | (states[name] > most)
    if wrong.any():
        limit = _first(most, wrong)
        raise StateError(f"{name} goes from 0 to {limit}, got {_first(states[name], wrong)}")


def _first(values: Array, where: Array) -> int:
    return int(values[where][0])


def _try_out(game: Game, states: Array, interpreted: bool) -> None:
    """The game's own invariants, what the seats see, and a legal action unless the game is over."""
    arrays, rows = Arrays(game, len(states), OUTCOME, kernels(game, interpreted)), np.arange(len(states))
    same_bytes(arrays.states, states)
    try:
        arrays.verify(rows)
        arrays.judge(rows)
        for seat in range(int(states["seats"].max())):
            seated = rows[states["seats"] > seat]
            arrays.view(seated, np.full(len(seated), seat), arrays.views)
        arrays.look(rows)
    except Exception as error:
        raise StateError(f"this is no position of {game.id}: {error or type(error).__name__}") from None
    if not (arrays.masks.any(axis=1) | (states["over"] == 1)).all():
        raise StateError(f"this is no position of {game.id}: the game goes on, but nothing is legal")


def rule_error(
    game: Game, error: BaseException, state: bytes, action: int, where: str, rows: tuple[int, ...] = ()
) -> RuleError:
    """A rule failed: which game, where in it, what can be done; `where` begins with the player count."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return RuleError(
        f"a rule of {game.id} failed ({what}) when {game.actions.name(action)} was played: {where}. The game stays as "
        "it was before this action. This is a fault of the game's rules: please report it with this message, which "
        "holds all that is needed to reproduce it",
        state, action, rows,
    )  # fmt: skip


def settings_words(options: Any) -> str:
    """Options that are not the defaults, in words; nothing if all are."""
    plain, usual = options.to_dict(), type(options)().to_dict()
    other = {name: value for name, value in plain.items() if value != usual[name]}
    return f", options {other}" if other else ""
