"""A game as an OpenEnv environment: served over its protocol, played by its clients. Needs the extra [openenv].

An action is a reply in words, ``{"answer": "ANSWER: 3"}``. An observation tells what the seat is asked, and after a
reset the briefing besides. Whoever connects chooses seed, seat and number of players, nothing else: game, options and
opponents are the server's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from alarife.engine.errors import AlarifeError, missing_extra
from alarife.engine.numbers import seed_number
from alarife.text.text_env import TextEnv

try:
    from openenv.core.env_server.http_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
    from pydantic import Field
except ModuleNotFoundError as error:
    raise missing_extra("games over OpenEnv's protocol need", "openenv", error) from None

MOST_SESSIONS = 64


class TextAction(Action):  # type: ignore[misc]
    """A reply of the seat that was asked."""

    answer: str = Field(description="the reply: the number of a choice, or its words, behind ANSWER: on the last line")


class TextObservation(Observation):  # type: ignore[misc]
    """What the seat is told."""

    briefing: str = Field(default="", description="rules and how to answer; told at the beginning of a game")
    text: str = Field(default="", description="what happened, the table as the seat sees it, and its choices")
    seat: int = Field(default=0, description="the seat that is asked")
    kind: str = Field(default="begun", description="what came of the answer: begun, played, page, again, random, lost")


class TextState(State):  # type: ignore[misc]
    """What is known of a game from outside: nothing that is secret at the table."""

    game: str = ""
    players: int = 0
    seat: int = 0
    decisions: int = 0
    over: bool = False


class TextEnvironment(Environment):  # type: ignore[misc]
    """One session: a game at a time, made by the server's own maker."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, make: Callable[..., TextEnv]) -> None:
        super().__init__()
        self._make, self._env = make, make()
        self._state = TextState(game=self._env.game.id)
        self._is_begun = False

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        players: int | None = None,
        seat: int | None = None,
    ) -> TextObservation:
        """Begin a game; without a number of players or a seat it is the server's."""
        wished = {name: value for name, value in (("players", players), ("seat", seat)) if value is not None}
        if wished:
            self._env = self._make(**wished)
        messages = self._env.reset(None if seed is None else seed_number(seed))
        self._is_begun = True
        self._state = TextState(episode_id=episode_id or str(uuid4()))
        self._note()
        return TextObservation(briefing=messages[0]["content"], text=messages[-1]["content"], seat=self._env.seat,
                               done=self._env.over)  # fmt: skip

    def step(self, action: TextAction, timeout_s: float | None = None, **_: Any) -> TextObservation:
        """Take a reply."""
        if not self._is_begun:
            raise AlarifeError("reset this session before its first step; over plain HTTP every call is a session of "
                               "its own, so games are played over the WebSocket")  # fmt: skip
        step = self._env.step(action.answer)
        self._state.step_count += 1
        self._note()
        told = {name: value for name, value in step.info.items() if name not in ("kind", "seat")}
        return TextObservation(text=step.messages[-1]["content"], seat=self._env.seat, kind=step.info["kind"],
                               reward=step.reward, done=step.over, metadata=told)  # fmt: skip

    def _note(self) -> None:
        env = self._env
        self._state.game, self._state.players, self._state.seat = env.game.id, env.players, env.seat
        self._state.decisions, self._state.over = int(env.table.state.decisions), env.over

    @property
    def state(self) -> TextState:
        """What is known of the game from outside."""
        return self._state

    def get_metadata(self) -> Any:
        """What this environment is."""
        game = self._env.game
        return EnvironmentMetadata(name=f"alarife/{game.id}", version=str(game.version),
                                   description=f"{game.title} in words, for {game.seat_words}")  # fmt: skip


def application(game: str, sessions: int = MOST_SESSIONS, **settings: Any) -> Any:
    """The server as an ASGI application; `settings` are those of `TextEnv`."""

    def make(**wished: int) -> TextEnv:
        return TextEnv(game, **{**settings, **wished})

    make()  # compiles before anybody waits, and refuses settings that no game has
    return create_fastapi_app(lambda: TextEnvironment(make), TextAction, TextObservation, max_concurrent_envs=sessions,
                              env_name=make().game.name, state_cls=TextState)  # fmt: skip
