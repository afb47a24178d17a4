"""Rules that follow from those of any game, shared by all kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from .jit import rule
from .memory import MEMORY, PLAY, VIEW
from .moves import pick
from .random import _uniform, begin_luck, digest, stream_key
from .result import SEATS, clear_result
from .views import stand_for

if TYPE_CHECKING:
    from .game import Game


@lru_cache(maxsize=64)
def play_of(game: Game) -> SimpleNamespace:
    """The rules below, made for one game."""
    legal, apply, observe = game.legal, game.apply, game.observe
    resample, result, advise = game.resample, game.result, game.advise
    recall = game.memory.recall if game.memory else resample
    infer = (game.memory.infer if game.memory else None) or recall
    hide = game.blindfold or resample
    scale, is_whole = game.features.scale, game.features.is_whole

    @rule
    def list_moves(s, moves):
        """The legal actions; none once the game is over."""
        moves.count = 0
        if not s.over:
            legal(s, moves)

    @rule
    def play(s, action):
        """Play a legal action."""
        s.decisions += 1
        apply(s, action)

    @rule
    def see(s, seat, view):
        """Fill in what a seat sees: whole numbers as the game writes them, or floats that they stand for."""
        view[:] = 0
        observe(s, seat, view)
        if is_whole:
            stand_for(view, scale)

    @rule
    def standing(s, r):
        """Scores and places so far."""
        clear_result(r)
        result(s, r)

    @rule
    def imagine(s, seat, key, belief):
        """A state that could be the true one for all that a seat knows, with a new future.

        Of a belief that has no name here, `alarife.engine.memory.GIVEN`, the state is taken as it is.
        """
        begin_luck(s, key)
        if belief == VIEW:
            resample(s, seat)
        elif belief == MEMORY:
            recall(s, seat)
        elif belief == PLAY:
            infer(s, seat)

    @rule
    def blindfold(s, seat, key):
        """A state for the scripted player to decide on: what the seat cannot know is wiped out, or drawn anew."""
        begin_luck(s, key)
        hide(s, seat)

    # --- for searches -----------------------------------------------------------------------------

    @rule
    def information_set(s, observer, view):
        """The key of the decision that is due, as a seat sees it; `view` gets what it sees, and fills whole words."""
        see(s, observer, view)
        return stream_key(digest(view.view(np.uint64)), observer * SEATS + s.seat)

    @rule
    def roll_out(s, moves, stream, scripted, most):
        """Play on to the end, or for so many decisions, that share of them the scripted player's; returns how many."""
        taken = 0
        while not s.over and taken < most:
            list_moves(s, moves)
            if scripted > 0 and (scripted >= 1 or _uniform(stream) < scripted):
                play(s, advise(s, moves))
            else:
                play(s, pick(stream, moves))
            taken += 1
        return taken

    made = list_moves, play, see, standing, imagine, blindfold, information_set, roll_out
    return SimpleNamespace(**{made_rule.__name__: made_rule for made_rule in made})


def observe_and_remember(game: Game) -> Callable[..., Any]:
    """The game's `observe`, with what the seat remembers behind it."""
    assert game.memory is not None
    observe, remember, size = game.observe, game.memory.observe, game.features.size

    @rule
    def observe_with_memory(s, seat, view):
        """What a seat sees, then what it remembers."""
        observe(s, seat, view)
        remember(s, seat, view[size:])

    return observe_with_memory
