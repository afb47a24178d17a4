"""One game between players, from deal to places, whatever the players do."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.options import GameOptions
from alarife.engine.random import stream_key
from alarife.engine.table import Table
from alarife.evaluation.schedule import Fixture
from alarife.players import Player, Turns, find_player, is_person
from alarife.players.find import OWN, kind_of, reads_a_policy
from alarife.players.turns import ask

Maker = str | Callable[[int], Player]
Notice = Callable[[int, int, float], None]  # who begins to think, decisions so far or MADE, seconds that there are
NOBODY = -1
MADE = -1  # in place of a number of decisions: the player is only being made
KEPT = 3  # deals whose games are kept decision by decision, to be looked at
MAKING = 60.0  # seconds more for making a player: it loads, and may compile
OWN_PLAYERS = "alarife.players."


@dataclass(frozen=True)
class Setting:
    """What all games of an evaluation share."""

    game: Game
    players: int
    options: GameOptions
    seed: int
    names: tuple[str, ...]
    makers: tuple[Maker, ...]
    limit: float | None = None  # seconds of a decision
    memory: float | None = None  # gigabytes of a process
    making: float = MAKING  # seconds more for making a player


def deal_key(seed: int, deal: int) -> int:
    """The key of a deal: the same for everybody who plays it."""
    return int(stream_key(np.uint64(seed), deal))


def player_seed(seed: int, fixture: Fixture, seat: int) -> int:
    """The seed of a player in one game, which depends on nothing but that game. It does not give the other away."""
    words = f"{seed} {fixture.deal} {fixture.seats} {seat}".encode()
    return int.from_bytes(hashlib.blake2b(words, digest_size=8).digest(), "little")


class OutOfTime(Exception):
    """A player has answered, but too late."""


def too_long(limit: float) -> str:
    """Why a player that thinks too long forfeits."""
    return f"OutOfTime: took longer than the limit of {limit:g} s"


def _unnoticed(seat: int, decisions: int, seconds: float) -> None:
    """Tell nobody that a decision was made."""


def play_fixture(
    setting: Setting, fixture: Fixture, ready: set[int] | None = None, notice: Notice = _unnoticed
) -> dict[str, Any]:
    """Play a game and say how it went, ready for JSON. A player that fails forfeits; nothing it does stops the run.

    `ready` holds the entrants that have played in this process before, and `notice` is told whenever a seat begins to
    think or a player to be made, and NOBODY when that is done.
    """
    table = Table(setting.game, setting.players, setting.options, 0).start(deal_key(setting.seed, fixture.deal))
    ready = set() if ready is None else ready
    sitting: list[Player] = []
    seconds, choices = [0.0] * table.players, [0] * table.players
    limit = math.inf if setting.limit is None else setting.limit
    seat = 0
    try:
        for seat, entrant in enumerate(fixture.seats):
            notice(seat, MADE, limit + setting.making)
            if entrant not in ready:
                _get_ready(setting, entrant)
                ready.add(entrant)
            sitting.append(_make(setting.makers[entrant], player_seed(setting.seed, fixture, seat)))
            notice(NOBODY, 0, math.inf)
        while not table.over:
            seat = table.seat
            notice(seat, sum(choices), limit)
            turns = Turns.of_table(table, sitting[seat])
            start = time.perf_counter()
            action = int(ask(sitting[seat], turns, setting.names[fixture.seats[seat]])[0])
            taken = time.perf_counter() - start
            notice(NOBODY, sum(choices), math.inf)
            if taken > limit:
                raise OutOfTime
            seconds[seat] += taken
            choices[seat] += 1
            table.play(action)  # which looks into the table's own mask
    except KeyboardInterrupt:
        raise
    except OutOfTime:
        return forfeit(setting, fixture, seat, too_long(limit), sum(choices))
    except BaseException as error:
        return forfeit(setting, fixture, seat, _in_one_line(error), sum(choices))
    return _told(setting, fixture) | _outcome(table) | {
        "decisions": int(table.state.decisions), "choices": choices, "seconds": [round(s, 6) for s in seconds],
        "moves": moves_digest(table.history or []),
    } | ({"actions": table.history} if fixture.deal < KEPT else {})  # fmt: skip


def moves_digest(actions: Sequence[int]) -> str:
    """The digest of a game's actions, in order."""
    return hashlib.blake2b(np.asarray(actions, "<u4").tobytes(), digest_size=8).hexdigest()


def _in_one_line(error: BaseException) -> str:
    """What went wrong, even if the error cannot say it."""
    try:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    except Exception:
        return type(error).__name__


def _make(maker: Maker, seed: int) -> Player:
    return find_player(maker if isinstance(maker, str) else maker(seed), seed)


# --- before the games ---------------------------------------------------------------------------------


def require_names(setting: Setting) -> None:
    """Refuse people, unknown names, and players of alarife's own that cannot play this game.

    Nothing of anybody else's is imported, read or made: see `refusal`.
    """
    for maker in setting.makers:
        if isinstance(maker, str) and kind_of(maker) == OWN and not reads_a_policy(maker):
            if sentence := refusal(setting, maker):
                raise AlarifeError(sentence)
        elif isinstance(maker, str):
            kind_of(maker)


def strangers(setting: Setting) -> list[int]:
    """The entrants that are code of others, or files of weights."""
    return [entrant for entrant, maker in enumerate(setting.makers)
            if not isinstance(maker, str) or kind_of(maker) != OWN or reads_a_policy(maker)]  # fmt: skip


def refusal(setting: Setting, maker: str) -> str | None:
    """Why a named player cannot take part at all: a person, a module that is not there, another game's checkpoint.

    One of others' that fails in any other way forfeits its games, which say why.
    """
    try:
        player = find_player(maker, 0)
        if is_person(player):
            return "an evaluation is played without people; sit down with `alarife play`"
        if type(player).__module__.startswith(OWN_PLAYERS):
            _answer_once(setting, player)
    except AlarifeError as error:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None
    return None


def _get_ready(setting: Setting, entrant: int) -> None:
    """Let a player answer once for nothing: then it has loaded and compiled all it needs before its time counts.

    If it fails it will do so again in its game.
    """
    try:
        _answer_once(setting, _make(setting.makers[entrant], 0))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: S110 - see above
        pass


def _answer_once(setting: Setting, player: Player) -> None:
    """Ask about the first position of some game in which there is something to decide."""
    table = Table(setting.game, setting.players, setting.options, 0)
    while not table.over and len(table.legal()) < 2:
        table.play(table.legal()[0])
    if not table.over:
        ask(player, Turns.of_table(table, player))


# --- results ------------------------------------------------------------------------------------------


def forfeit(setting: Setting, fixture: Fixture, seat: int, why: str, decisions: int) -> dict[str, Any]:
    """The result of a game that a seat forfeits: it is last, the others share the first place; there are no scores."""
    places = [1] * setting.players
    places[seat] = setting.players
    nothing = [0] * setting.players
    told = _told(setting, fixture) | {"scores": None, "places": places}
    told |= {"won": False} if setting.players == 1 else {}
    return told | {"decisions": decisions, "choices": nothing, "seconds": nothing,
                   "forfeit": {"seat": seat, "why": why[:500]}}  # fmt: skip


def _told(setting: Setting, fixture: Fixture) -> dict[str, Any]:
    """What a result says of its game."""
    return {"deal": fixture.deal, "seats": [setting.names[entrant] for entrant in fixture.seats]}


def _outcome(table: Table) -> dict[str, Any]:
    result = table.result()
    told: dict[str, Any] = {
        "scores": list(result.score[: table.players]), "places": list(result.place[: table.players])
    }  # fmt: skip
    told |= {"won": bool(result.won)} if table.players == 1 else {}
    return told | ({"capped": int(result.capped)} if result.capped else {})


def winners_share(places: Sequence[int]) -> list[float]:
    """A game's win, shared among those on the first place."""
    first = [float(place == 1) for place in places]
    return [won / sum(first) for won in first]
