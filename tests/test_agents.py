"""The agents that come along with the games: files, results, and whether they still play as their pages say."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from alarife.engine.batch import Batch
from alarife.engine.registry import find_game, game_names
from alarife.evaluation.statistics import Z
from alarife.players import Turns, find_player
from alarife.players.policy import AGENT, read_policy
from alarife_training.config import make_config, override
from alarife_training.evaluate import THE_GAME, TRAINED, judge
from alarife_training.plain_yaml import read_yaml
from alarife_training.ready_made import config_path

GAMES = [name for name in game_names() if (find_game(name).folder / "made" / "agent.json").exists()]
ENOUGH = 500


def about(name):
    return json.loads((find_game(name).folder / "made" / "agent.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", GAMES)
def test_the_agent_is_the_one_that_was_judged(name):
    game, told = find_game(name), about(name)
    policy = read_policy(game.folder / AGENT)
    assert told["game"] == game.id
    assert told["rules"] == policy.card["rules"]
    assert told["layout"] == policy.card["layout"] == game.layout_digest
    assert told["chosen"]["decisions"] == policy.card["steps"]
    assert told["config"]["seed"] == policy.card["seed"]
    assert make_config(told["config"]).hidden == policy.card["hidden"]
    assert all(verdict["games"] >= ENOUGH for verdict in told["judged"])
    assert all(verdict["low"] <= verdict["win_share"] <= verdict["high"] for verdict in told["judged"])


@pytest.mark.parametrize("name", GAMES)
def test_the_run_kept_to_three_hours(name):
    assert about(name)["learning"]["minutes"] <= 180


@pytest.mark.parametrize("name", GAMES)
def test_the_agent_plays_as_its_page_says(name):
    """New games against random play or alone: within four standard errors of the page, a game's weight allowed."""
    told, games = about(name), 150
    rungs = ("random", THE_GAME)
    pages = {v["players"]: v for v in told["judged"] if v["player"] == TRAINED and v["against"] in rungs}
    content = told["config"] | {"evaluation": told["config"]["evaluation"] | {"against": ["random"], "best_by": None}}
    config = make_config(content)
    assert list(pages) == config.counts
    for verdict in judge(find_player("trained", 1), config, games, 77):
        page = pages[verdict.players]
        share, near = page["win_share"], 4 * np.hypot(verdict.score_width, page["score_width"]) / Z + 1 / games
        assert abs(verdict.win_share - share) <= 4 * np.sqrt(share * (1 - share) / games) + 1 / games
        assert abs(verdict.score - page["score"]) <= near


@pytest.mark.parametrize("name", GAMES)
def test_the_agent_answers_for_every_table_size(name):
    """Also where it was not trained its moves are legal."""
    game = find_game(name)
    batch = Batch(game, 8, list(game.seats), 3)
    player = find_player("trained", 2)
    for _ in range(30):
        turns = Turns.of_batch(batch, np.arange(8))
        actions = player.act(turns)
        assert (turns.action_mask[np.arange(8), actions] == 1).all()
        batch.step(actions)


@pytest.mark.parametrize("name", GAMES)
def test_from_nothing_means_by_the_config_and_the_words_on_the_page(name):
    """No teacher, no advice, no other network's weights; only how long it took is the run's own."""
    told = json.loads((find_game(name).folder / "made" / "from_nothing.json").read_text(encoding="utf-8"))
    content = read_yaml(config_path("from-nothing"), "config")
    for word in [f"game={name}", *told["told"]]:
        override(content, word)
    config, run = make_config(content).model_dump(), make_config(told["config"]).model_dump()
    for one in (config, run):
        one["minutes"] = one["steps"] = one["evaluation"]["every"] = None
    assert config == run
    assert not run["advice"]
    assert run["init"] is None
    assert run["imitation"]["decisions"] == run["refinement"]["decisions"] == 0
    page = (find_game(name).folder / "README.md").read_text(encoding="utf-8")
    assert f"`alarife train --config from-nothing {' '.join([f'game={name}', *told['told']])}`" in page


def test_agents_hold_no_code():
    """Plain arrays in the safetensors format: eight bytes for the length of a JSON head."""
    for name in GAMES:
        content = Path(find_game(name).folder / AGENT).read_bytes()
        size = int.from_bytes(content[:8], "little")
        head = json.loads(content[8 : 8 + size])
        assert set(head) >= {"policy.weight", "value.weight"}
        assert len(content) == 8 + size + max(v["data_offsets"][1] for k, v in head.items() if k != "__metadata__")
