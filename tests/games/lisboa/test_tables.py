"""Lisboa with other tables: every number anywhere within its range."""

from __future__ import annotations

import random

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.games.lisboa import GAME
from alarife.games.lisboa.components import EFFECT_NAMES, Effect
from alarife.games.lisboa.tables import COLUMNS, NUMBERS, shipped

SMALL = 5  # most choices of an effect, and one


def any_tables(chance):
    """Tables drawn at random among those that are accepted."""
    tables = {name: {**shipped()[name], "rows": [dict(row) for row in shipped()[name]["rows"]]} for name in COLUMNS}
    for name in COLUMNS:
        for row in tables[name]["rows"]:
            change(chance, name, row)
    for name, numbers in NUMBERS.items():
        tables[name] = {**shipped()[name], **{key: chance.randint(low, high) for key, (low, high) in numbers.items()}}
    limits, start = tables["limits"], tables["start"]
    limits["price_max"] = max(limits["price_min"], limits["price_max"])
    start["price"] = chance.randint(limits["price_min"], limits["price_max"])
    start["influence"] = min(start["influence"], limits["influence_max"])
    start["goods_each"] = min(start["goods_each"], limits["room_base"], limits["goods_supply"])
    for key in "top_slot_at_sets", "bottom_slot_at_sets":
        limits[key] = [chance.randint(1, 5) for _ in range(2)]
    return tables


def change(chance, name, row):
    """Other numbers in a row; what it is and where it belongs stay."""
    if "effect" in row:
        penalties = name == "political_cards"
        row["effect"] = chance.choice(EFFECT_NAMES if penalties else EFFECT_NAMES[: Effect.LOSE_REIS])
        row["n"] = chance.randrange(SMALL)
        row.pop("good", None)
        if row["effect"] == "good":
            row["good"] = "cloth"
    for column, allowed in COLUMNS[name].items():
        if column in row and isinstance(allowed, tuple) and (name, column) != ("rubble", "count") and column != "n":
            row[column] = chance.randint(*allowed)
    for side in "side_a", "side_b":
        if side in row:
            row[side] = {good: chance.randint(0, 20) for good in row[side]}


@pytest.mark.parametrize("seed", range(6))
def test_other_tables_keep_every_invariant_and_every_bound(seed):
    tables = any_tables(random.Random(seed))
    batch = Batch(GAME, 24, seed=seed, options={"tables": tables, "lacerda_wigs": 100})
    low, high = GAME.features.bounds(GAME.features.dtype)
    for step in range(250):
        batch.step(batch.script() if step % 50 > 30 else batch.sample())
        batch.check()
        assert np.all((batch.observation >= low) & (batch.observation <= high))
        assert np.all(batch.final_decisions <= GAME.longest)


@pytest.mark.parametrize("seed", range(3))
def test_other_tables_play_alike_compiled_and_interpreted(seed):
    options = {"tables": any_tables(random.Random(100 + seed))}
    compiled = Batch(GAME, 1, seed=seed, options=options)
    interpreted = Batch(GAME, 1, seed=seed, options=options, interpreted=True)
    for _ in range(60):
        actions = compiled.sample()
        compiled.step(actions)
        interpreted.step(actions)
        assert compiled.state.tobytes() == interpreted.state.tobytes()
        assert np.array_equal(compiled.observation, interpreted.observation)
