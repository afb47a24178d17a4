"""One game between players, from deal to places, whatever the players do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alarife.engine.game import Game
from alarife.engine.options import GameOptions
from alarife.engine.random import stream_key
from alarife.engine.table import Table
from alarife.evaluation.schedule import Fixture
from alarife.players import Player, Turns, find_player
from alarife.players.turns import ask

Maker = str | Callable[[int], Player]


@dataclass(frozen=True)
class Setting:
    """What all games of an evaluation share."""

    game: Game
    players: int
    options: GameOptions
    seed: int
    names: tuple[str, ...]
    makers: tuple[Maker, ...]


def deal_key(seed: int, deal: int) -> int:
    """The key of a deal: the same for everybody who plays it."""
    return int(stream_key(np.uint64(seed % 2**64), deal))


def player_seed(seed: int, fixture: Fixture, seat: int) -> int:
    """The seed of a player in one game, which depends on nothing but that game."""
    words = np.random.SeedSequence([seed, fixture.deal, *fixture.seats, 1 + seat]).generate_state(2)
    return int(words[0]) << 32 | int(words[1])


def play_fixture(setting: Setting, fixture: Fixture) -> dict[str, Any]:
    """Play a game and say how it went, ready for JSON. A player that fails forfeits; nothing it does stops the run."""
    table = Table(setting.game, setting.players, setting.options, 0).start(deal_key(setting.seed, fixture.deal))
    sitting: list[Player] = []
    seconds, choices = [0.0] * table.players, [0] * table.players
    failure: dict[str, Any] = {}
    seat = 0
    try:
        for seat, entrant in enumerate(fixture.seats):
            sitting.append(_make(setting.makers[entrant], player_seed(setting.seed, fixture, seat)))
        while not table.over:
            seat = table.seat
            turns = Turns.of_table(table, sitting[seat])
            start = time.perf_counter()
            action = int(ask(sitting[seat], turns, setting.names[fixture.seats[seat]])[0])
            seconds[seat] += time.perf_counter() - start
            choices[seat] += 1
            table.advance(action)
    except (Exception, SystemExit) as error:
        failure = {"seat": seat, "why": f"{type(error).__name__}: {error}"[:500]}
    told: dict[str, Any] = {"deal": fixture.deal, "seats": [setting.names[entrant] for entrant in fixture.seats]}
    told |= _outcome(table) if not failure else _forfeited(table, seat)
    told |= {"decisions": int(table.state.decisions), "choices": choices, "seconds": [round(s, 6) for s in seconds]}
    return told | ({"forfeit": failure} if failure else {})


def _make(maker: Maker, seed: int) -> Player:
    return find_player(maker if isinstance(maker, str) else maker(seed), seed)


def _outcome(table: Table) -> dict[str, Any]:
    result = table.result()
    told = {"scores": list(result.score[: table.players]), "places": list(result.place[: table.players])}
    return told | ({"won": bool(result.won)} if table.players == 1 else {})


def _forfeited(table: Table, seat: int) -> dict[str, Any]:
    """Who forfeits is last, the others share the first place; there are no scores."""
    places = [1] * table.players
    places[seat] = table.players
    return {"scores": None, "places": places} | ({"won": False} if table.players == 1 else {})


def winners_share(places: Sequence[int]) -> list[float]:
    """A game's win, shared among those on the first place."""
    first = [float(place == 1) for place in places]
    return [won / sum(first) for won in first]
