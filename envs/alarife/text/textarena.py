"""A game as a TextArena environment: all seats are played by its agents. Needs ``pip install textarena``.

``TextArenaGame("viva", match="single_round")`` is used like what ``textarena.make`` gives; `register` makes all games
known to it, as ``alarife/viva_v1``.
"""

from __future__ import annotations

from typing import Any

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.registry import find_game, game_names
from alarife.text.text_env import TextEnv

try:
    import textarena
except ModuleNotFoundError:
    raise AlarifeError("games in TextArena need it: pip install textarena") from None


class TextArenaGame(textarena.Env):  # type: ignore[misc]
    """One game; each agent gets the briefing first, then what it is asked."""

    def __init__(self, game: str | Game, **settings: Any) -> None:
        self._game, self._settings = game, settings

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game."""
        self.text = TextEnv(self._game, num_players, None, **self._settings)
        self.state = textarena.State(num_players, max_turns=None)
        self.state.role_mapping = {p: f"Player {p}" for p in range(num_players)} | {textarena.GAME_ID: "GAME"}
        self._told = [0] * num_players
        self._invalid = [0] * num_players
        self.text.reset(seed)
        self._note()

    def get_observation(self) -> tuple[int, list[tuple[int, str, Any]]]:
        """The seat to answer, and what it was told since it was asked last."""
        seat = self.text.seat
        transcript = self.text.transcripts[seat]
        kind = textarena.ObservationType.GAME_BOARD
        told = [(textarena.GAME_ID, message["content"], kind) for message in transcript[self._told[seat] :]
                if message["role"] != "assistant"]  # fmt: skip
        self._told[seat] = len(transcript)
        return seat, told

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take the reply of the seat that was asked."""
        step = self.text.step(action)
        self._invalid[step.info["seat"]] += step.info["kind"] in ("random", "lost")
        self._note()
        return step.over, step.info

    def _note(self) -> None:
        self.state.current_player_id, self.state.done = self.text.seat, self.text.over

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """What each seat gets for the game, and how it did."""
        rewards = dict(enumerate(self.text.totals()))
        places = self.text.places()
        return rewards, {p: {"role": f"Player {p}", "place": places[p], "invalid_move": self._invalid[p] > 0}
                         for p in rewards}  # fmt: skip


def register() -> list[str]:
    """Make every game known to ``textarena.make``; returns the names."""
    from textarena.envs import registration

    names = []
    for name in game_names():
        game = find_game(name)
        names.append(f"alarife/{game.id}")
        if names[-1] not in registration.ENV_REGISTRY:
            registration.register(names[-1], TextArenaGame, default_wrappers=None, game=game)
    return names
