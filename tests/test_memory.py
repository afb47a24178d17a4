"""Beliefs that players name, and environments that show what seats remember."""

from __future__ import annotations

import dataclasses
import pickle

import gymnasium
import numpy as np
import pytest

import alarife
from alarife.engine.errors import AlarifeError, ConformanceError
from alarife.engine.game import Game
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.players.find import find_player
from alarife.players.policy import NetworkPlayer, Policy, shapes_of
from alarife.players.turns import Turns
from alarife.testing import check_game
from teaching_game import GAME as PEBBLES

VIVA, VIANA = find_game("viva"), find_game("viana")
REMEMBERING = "patios", "viana", "villa_paletti", "viva"


def some_policy(game: Game) -> Policy:
    """A network with random weights."""
    random = np.random.default_rng(5)
    shapes = shapes_of(game, [16])
    tensors = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return Policy(game, {"hidden": [16], "greedy": True}, tensors)


def some_way_on(table: Table, decisions: int = 40) -> Table:
    """After some random moves."""
    random = np.random.default_rng(3)
    for _ in range(decisions):
        if not table.over:
            table.play(int(random.choice(table.legal())))
    return table


# --- environments -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REMEMBERING)
def test_memory_stands_behind_what_is_seen_and_is_a_layout_of_its_own(name):
    plain, game = find_game(name), find_game(name, memory=True)
    assert game is find_game(f"{name}_v{plain.version}", memory=True)
    assert [*game.features.blocks] == [*plain.features.blocks, *plain.memory.features.blocks]
    assert plain.layout_digest != game.layout_digest
    seen, remembered = (some_way_on(Table(which, 3, seed=7)) for which in (plain, game))
    assert seen.to_bytes() == remembered.to_bytes()
    for seat in range(3):
        assert np.array_equal(remembered.observe(seat)[: plain.features.size], seen.observe(seat))
    assert any(remembered.observe(seat)[plain.features.size :].any() for seat in range(3))


def test_every_way_in_takes_the_option():
    size = VIVA.with_memory.features.size
    env = alarife.make("viva_v1", players=2, memory=True)
    env.reset(seed=1)
    assert env.observe("player_0")["observation"].shape == (size,)
    assert alarife.make_batch("viva", 4, 2, memory=True).observation.shape == (4, size)
    assert alarife.table("viva", 2, 1, memory=True).observe().shape == (size,)
    single = gymnasium.make("alarife/Viva-v1", opponents="random", memory=True)
    assert single.reset(seed=1)[0].shape == (size,)
    many = gymnasium.make_vec("alarife/Viva-v1", num_envs=3, opponents="random", memory=True)
    assert many.reset(seed=1)[0].shape == (3, size)


def test_pickles_and_saves_keep_it(tmp_path):
    table = some_way_on(alarife.table("viva", 2, 1, memory=True), 10)
    alarife.save(table, tmp_path / "game.npz")
    for again in (pickle.loads(pickle.dumps(table)), alarife.load(tmp_path / "game.npz")):
        assert again.game is VIVA.with_memory
        assert np.array_equal(again.observe(), table.observe())
    assert pickle.loads(pickle.dumps(VIVA.with_memory)) is VIVA.with_memory
    assert pickle.loads(pickle.dumps(VIVA)) is VIVA
    assert alarife.record(table).game is VIVA


def test_a_game_without_memory_says_so():
    with pytest.raises(AlarifeError, match="pebbles_v0 has no memory to show"):
        find_game(PEBBLES, memory=True)
    with pytest.raises(AlarifeError, match="pebbles_v0 offers forks of belief view, got 'memory'"):
        Table(PEBBLES, 2, seed=1).fork(0, 1, "memory")
    with pytest.raises(AlarifeError, match="viana_v1 offers forks of belief view and memory, got 'play'"):
        Table(VIANA, 2, seed=1).fork(0, 1, "play")
    with pytest.raises(AlarifeError, match=r"no belief called 'memroy'\. Did you mean 'memory'"):
        Table(VIVA, 2, seed=1).fork(0, 1, "memroy")


def test_a_block_that_is_there_already_is_refused():
    doubled = dataclasses.replace(VIVA, memory=dataclasses.replace(VIVA.memory, features=VIVA.features))
    with pytest.raises(AlarifeError, match="the memory names a block that the view has already, active"):
        _ = doubled.with_memory


# --- players ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shows", [False, True])
@pytest.mark.parametrize("learnt_with", [False, True])
def test_a_policy_sees_its_own_layout_at_every_table(shows, learnt_with):
    policy = some_policy(find_game("viva", learnt_with))
    player = NetworkPlayer(policy)
    table = some_way_on(Table(find_game("viva", shows), 3, seed=11))
    same = Table(policy.game, 3, seed=1).from_bytes(table.to_bytes())
    seen = policy.game.features.decode(player.seen(Turns.of_table(table, player))[0])
    assert np.array_equal(seen, same.observe())


def test_a_policy_of_another_game_is_refused():
    with pytest.raises(AlarifeError, match="this checkpoint plays viva_v1, the table is viana_v1"):
        NetworkPlayer(some_policy(VIVA.with_memory)).act(Turns.of_table(Table(VIANA, 2, seed=1)))


@pytest.mark.parametrize("belief", ["view", "memory", "play"])
@pytest.mark.parametrize("search", ["mc:20:cut=10", "ismcts:20:cut=10"])
def test_searches_name_their_belief(search, belief):
    player = find_player(f"{search}:belief={belief}", 1)
    table = some_way_on(Table(VIVA, 2, seed=4), 12)
    assert int(player.act(Turns.of_table(table))[0]) in table.legal()


def test_a_search_with_a_belief_that_the_game_does_not_offer_says_so():
    with pytest.raises(AlarifeError, match="pebbles_v0 offers forks of belief view, got 'memory'"):
        find_player("mc:20:belief=memory", 1).act(Turns.of_table(Table(PEBBLES, 2, seed=1)))
    with pytest.raises(AlarifeError, match="lisboa_v1 offers forks of belief view, got 'play'"):
        find_player("mc:20:belief=play", 1).act(Turns.of_table(Table(find_game("lisboa"), seed=1)))
    with pytest.raises(AlarifeError, match=r"no belief called 'pley'\. Did you mean 'play'"):
        find_player("mc:20:belief=pley", 1)


# --- the kit ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "sentence"), [
    (VIVA, "contradicts what it remembers: a (card that was seen|hand holds cards)"),
    (VIANA, r"its view depends on what it cannot know: remembered_hand\["),
])  # fmt: skip
def test_forks_that_forget_are_found(game, sentence):
    forgetful = dataclasses.replace(game, memory=dataclasses.replace(game.memory, recall=game.resample, infer=None))
    with pytest.raises(ConformanceError, match=sentence):
        check_game(forgetful, [2], only=["beliefs"])
