"""Algorithms of somebody's own, as a suite's protocol calls them."""

import numpy as np

from alarife.engine.registry import find_game
from alarife.players.policy import FORMAT, FORMAT_VERSION, Policy, shapes_of
from alarife_training.checkpoint import write_policy

CALLS = []


def learn(table, budget, seed):
    """Draws a policy without hidden layers by its seed."""
    CALLS.append((table, budget, seed))
    game, random = find_game(table.game), np.random.default_rng(table.training[seed])
    tensors = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes_of(game, []).items()}
    card = {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "version": game.version,
            "layout": game.layout_digest, "hidden": [], "steps": 0}  # fmt: skip
    return write_policy(table.folder / "mine.safetensors", Policy(game, card, tensors))


def stop_at_seed_two(table, budget, seed):
    """Is stopped in the middle."""
    if seed == 2:
        raise KeyboardInterrupt
    return learn(table, budget, seed)


def returns_nothing(table, budget, seed):
    """Forgets to say where its policy is."""
