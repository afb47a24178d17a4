"""What a config may say, and what it is told otherwise."""

from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("pydantic")
pytest.importorskip("yaml")

import yaml

from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game, game_names
from alarife_training.config import ConfigError, describe, make_config, read_config, write_config
from alarife_training.plain_yaml import parse_yaml, read_yaml, yaml_of

PATIOS = str(find_game("patios").folder / "made" / "agent.safetensors")
CONFIGS = sorted((Path(__file__).parent.parent / "configs").glob("*.yaml"))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_shipped_config_is_sound_and_survives_being_written(path, tmp_path):
    named = yaml.safe_load(path.read_text()).get("game")  # one for any game names none
    for game in [named] if named else game_names():
        if game not in game_names():
            pytest.skip(f"{game} is not installed")
        config = read_config(path, [f"game={game}"])
        copy = tmp_path / "copy.yaml"
        copy.write_bytes(write_config(config))
        assert read_config(copy) == config


def test_overrides_are_words_and_numbers_may_have_exponents(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text("game: viva\nppo:\n  learning_rate: 1e-3\n")
    config = read_config(path, ["ppo.entropy=2e-2", "players=[2, 3]", "options.match=single_round", "steps=1e6"])
    assert config.ppo.learning_rate == 0.001
    assert config.ppo.entropy == 0.02
    assert config.counts == [2, 3]
    assert config.options == {"match": "single_round"}
    assert config.steps == 1_000_000
    assert isinstance(config.steps, int)


def test_texts_that_look_like_numbers_stay_texts(tmp_path):
    """Names of players; YAML's own writer would leave the quotes away, which this reader needs."""
    words = ["1e4", "09", "1_0", "2024-01-01", "yes", "null", "~", "1:30", "0x1F", ".5", "<<", "="]
    path = tmp_path / "words.yaml"
    path.write_text(yaml_of({"words": words, "numbers": [1, 0.5, 1e-5, 1e22]}))
    assert read_yaml(path, "list") == {"words": words, "numbers": [1, 0.5, 1e-5, 1e22]}


def test_a_date_is_the_text_that_it_is():
    assert parse_yaml("a: 2024-02-30\nb: 012\nc: 1_000\nd: 1e3\ne: yes\nf: 1:30") == {
        "a": "2024-02-30", "b": 12, "c": 1000, "d": 1000.0, "e": True, "f": "1:30"}  # fmt: skip


def test_left_out_players_are_the_smallest_table():
    assert make_config({"game": "viva"}).counts == [2]


@pytest.mark.parametrize(("content", "sentence"), [
    ({"game": "viva", "ppo": {"clipp": 1}}, "config: no key called 'clipp' in ppo. Did you mean 'clip'?"),
    ({"game": "viva", "sed": 1}, "config: no key called 'sed'. Did you mean 'seed'?"),
    ({"game": "viva", "steps": -4}, "config: steps: input should be greater than or equal to 1, got -4"),
    ({"game": "viva", "steps": "many"}, "config: steps: input should be a valid integer, got 'many'"),
    ({"game": "viva", "steps": "12"}, "config: steps: input should be a valid integer, got '12'"),
    ({"players": 2}, "config: the key 'game' is missing"),
    ({"game": "vva"}, "config: no game called 'vva'. Did you mean 'viva'?"),
    ({"game": "viva", "players": 9}, "config: viva is for 2 to 6 players, got 9"),
    ({"game": "viva", "options": {"rouns": 2}}, "config: viva: no option called 'rouns'. Did you mean 'rounds'?"),
    ({"game": "viva", "reward": "money"}, "input should be 'outcome', 'rank', 'score' or 'margin', got 'money'"),
    ({"game": "viva", "evaluation": {"best_by": "mc"}}, "config: evaluation.best_by: no rung called 'mc'. Allowed:"),
    ({"game": "viva", "games": 4}, "4 games with 64 steps are fewer decisions than one minibatch, 2048"),
    ({"game": "viva", "steps": 1.5}, "config: steps: input should be a valid integer, got 1.5"),
    ({"game": "viva", "players": [2, 2.5]}, "players: give a whole number or a list of whole numbers, got [2, 2.5]"),
    ({"game": "viva", "ppo": 3}, "config: ppo: it has keys of its own, got 3. Allowed: ppo.learning_rate, ppo."),
    ({"game": "viva", "hidden": [0]}, "hidden.0: input should be greater than or equal to 1, got 0"),
    ({"game": "viva", "hidden": [64, -3]}, "hidden.1: input should be greater than or equal to 1, got -3"),
    ({"game": "viva", "seed": 2**32}, "config: seed: input should be less than 4294967296, got 4294967296"),
    ({"game": "viva", "reward_scale": float("inf")}, "config: reward_scale: numbers are finite, got inf"),
    ({"game": "viva", "games": 1, "ppo": {"steps": 65, "minibatch": 16}},
     "ppo.minibatch: 1 games with 65 steps are one decision more than minibatches of 16"),
    ({"game": "viva", "evaluation": {"against": ["scripte"]}},
     "config: evaluation.against: no player called 'scripte'. Did you mean 'scripted'?"),
    ({"game": "viva", "evaluation": {"also_against": ["ismct:100"]}},
     "config: evaluation.also_against: no player called 'ismct:100'"),
    ({"game": "viva", "pool": {"anchors": ["runs/none.safetensors"]}},
     "config: pool.anchors: there is no checkpoint runs/none.safetensors"),
    ({"game": "viva", "pool": {"anchors": ["person"]}},
     "config: pool.anchors: a person cannot take part in training, got 'person'"),
    ({"game": "viva", "pool": {"anchors": [PATIOS]}}, "agent.safetensors plays patios_v1, the config is for viva_v1"),
    ({"game": "pebbles", "pool": {"anchors": ["trained"]}},
     "config: pool.anchors: pebbles_v0 comes without a trained agent"),
    ({"game": "viva", "imitation": {"player": "guided:self:many"}}, "imitation.player: a search takes a number"),
    ({"game": "viva", "imitation": {"player": "guided:selfish:10"}},
     "config: imitation.player: a guided search is named guided:path/to/policy.safetensors:<playouts>"),
    ({"game": "viva", "refinement": {"player": "mc:playots=4"}},
     "config: refinement.player: a search has no setting called 'playots'. Did you mean 'playouts'?"),
    ({"game": "viva", "pool": {"anchors": []}}, "pool.anchors: games for several seats need at least one anchor"),
])  # fmt: skip
def test_what_is_wrong_is_one_sentence(content, sentence):
    with pytest.raises(ConfigError) as caught:
        make_config(content)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "overrides", "sentence"), [
    ("game: viva", ["seed"], "write overrides as key=value"),
    ("game: viva", ["ppo.epoch=2"], "no key called 'epoch' in ppo. Did you mean 'epochs'?"),
    ("game: viva", ["seed.more=2"], "seed.more: seed has no parts"),
    ("game: [viva", [], "is not YAML"),
    ("- viva", [], "is not a config"),
    ("game: !!python/object/apply:os.system ['touch hacked']", [], "is not YAML: tags are not read"),
    ("game: viva\nsteps: !!int abc", [], "is not YAML: tags are not read, got 'tag:yaml.org,2002:int' on line 2"),
    ("game: viva\noptions: {a: &a [1], b: *a}", [], "anchors and aliases are not read, got 'a' on line 2"),
    ("a: &a [x]\n" + "\n".join(f"{b}: &{b} [{f'*{a},' * 9}]" for a, b in pairwise("abcdefghij")), [], "anchors and"),
    ("game: viva\nseed: 1\nseed: 2", [], "'seed' stands twice in one table, again on line 3"),
    ("game: viva\n3: 1", [], "names in tables are texts, got 3 on line 2"),
    ("game: viva\n? [a, b]\n: 1", [], "names in tables are texts, got ['a', 'b'] on line 2"),
    ("game: viva\nsteps: " + "9" * 5000, [], "numbers have at most 100 digits, got 5,000"),
    ("game: viva\nsteps: 99999999999999999999", [], "whole numbers have at most 64 bits"),
    ("game: viva\nsteps: " + "[" * 5000, [], "lie at most 32 deep inside one another, more on line 2"),
    ("game: viva\nreward_scale: .inf", [], "numbers are finite, got inf"),
    ("game: viva\nsteps: 2024-99-99", [], "steps: input should be a valid integer, got '2024-99-99'"),
    ("game: viva\ngames: 1e12", [], "games: input should be less than or equal to 1048576, got 1000000000000"),
    ("game: viva\nevaluation: {games: 1e12}", [], "evaluation.games: input should be less than or equal to 1000000"),
    ("# " + "x" * (1 << 20), [], "is too large for a config: it has 1,048,579 bytes, at most 1,048,576 are read"),
])  # fmt: skip
def test_files_and_overrides_are_refused_in_one_sentence(text, overrides, sentence, tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text(text + ("\nseed: 1\n" if text == "game: viva" else "\n"))
    with pytest.raises(AlarifeError) as caught:
        read_config(path, overrides)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_runners_play_side_by_side_so_a_minibatch_may_need_them_all():
    small = {"game": "viva", "games": 16, "ppo": {"steps": 16, "minibatch": 512}, "trainer": "rllib"}
    with pytest.raises(ConfigError, match="16 games with 16 steps are fewer decisions than one minibatch, 512"):
        make_config(small)
    make_config(small | {"rllib": {"runners": 2}})


def test_names_of_players_are_found_and_a_teacher_may_be_the_network_itself():
    config = make_config({
        "game": "viva", "imitation": {"player": "guided:self"}, "refinement": {"player": "guided:self:40:mix=0.2"},
        "pool": {"anchors": ["random", "trained"]}, "evaluation": {"also_against": ["guided:trained:20", "mc:10"]},
    })  # fmt: skip
    assert config.imitation.guidance == ""
    assert config.refinement.guidance == "40:mix=0.2"
    assert make_config({"game": "viva", "refinement": {"player": "mc:10"}}).refinement.guidance is None


def test_every_key_has_a_meaning():
    rows = describe()
    assert ("seed", "1", "the same seed gives the same run on one thread") in rows
    assert all(meaning for _, _, meaning in rows)
