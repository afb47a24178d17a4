"""Training runs of a few seconds."""

from alarife_training.config import make_config

TINY = {
    "game": "viva", "options": {"match": "single_round"}, "steps": 4096, "games": 32, "hidden": [16], "longest": 50,
    "advice": True,
    "checkpoint_every": 1024, "keep": 3, "replays": 0,
    "ppo": {"steps": 16, "minibatch": 256, "epochs": 2, "learning_rate": 0.001},
    "pool": {"snapshots": 2, "games": 1, "gate": 0.05},
    "evaluation": {"every": 2048, "games": 16, "final_games": 16, "against": ["scripted"], "also_against": ["random"],
                   "also_games": 20},
}  # fmt: skip


def tiny(**changes):
    return make_config(TINY | changes)


def quiet(words):
    """Tell nobody."""
