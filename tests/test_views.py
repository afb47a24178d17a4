"""Views in whole numbers: what a game declares, writes and shows, and what the numbers stand for."""

import dataclasses

import gymnasium
import numba
import numpy as np
import pytest
from pettingzoo.test import api_test

import alarife
from alarife.adapters.aec import GameModule
from alarife.adapters.gym import OneSeatEnv
from alarife.engine.batch import Batch
from alarife.engine.errors import ConformanceError, OptionError
from alarife.engine.jit import rule
from alarife.engine.kernels import kernels
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.engine.views import (
    SHARE,
    after,
    blank_views,
    count_bits,
    lowest_bit,
    mark,
    write_bits,
    write_grid,
    write_row,
    write_share,
)
from alarife.players import Turns
from alarife.players.policy import NetworkPlayer, Policy, shapes_of
from alarife.testing.kit import check_game
from teaching_game import observation

WHOLE = "lisboa", "patios", "viana", "villa_paletti", "viva"


# --- what is declared -----------------------------------------------------------------------------------


def test_whole_numbers_stand_for_themselves_times_their_scale():
    """Sixths from 0 to 1 are 0 to 6; points from -1 to 5 in laps of 80 are laps and what is left."""
    features = Features(
        hand=Block(2, "in sixths", scale=1 / 6),
        points=Block((1, 2), "laps, and what is left", low=(-1, 0), high=(5, 79 / 80), scale=(1, 1 / 80)),
        mine=Flags(1, "mine"),
    )
    assert features.dtype == np.int8
    low, high = features.bounds("int8")
    assert low.tolist() == [0, 0, -1, 0, 0]
    assert high.tolist() == [6, 6, 5, 79, 1]
    view = np.array([3, 6, -1, 20, 1], np.int8)
    assert features.decode(view).dtype == np.float32
    assert features.decode(view) == pytest.approx([1 / 2, 1, -1, 1 / 4, 1])
    assert np.array_equal(features.decode(view), view * features.scale)
    assert features.describe(view)["points"] == pytest.approx(np.array([[-1, 1 / 4]]))
    assert [bound.tolist() for bound in features.bounds()] == [features.decode(side).tolist() for side in (low, high)]
    assert features.table()[1][3] == "-1 to 5, 0 to 0.9875"


def test_floats_stand_for_themselves():
    features = Features(hand=Block(2, "in sixths", scale=1 / 6))
    assert features.decode(np.array([0.5, 1], np.float32)).tolist() == [0.5, 1]
    fractions = Features(place=Block(2, "where", low=-1))
    assert fractions.dtype == np.float32
    assert fractions.decode(np.array([-0.25, 1], np.float32)).tolist() == [-0.25, 1]


@pytest.mark.parametrize(("low", "high", "dtype"), [
    (0, 127, "int8"), (-128, 0, "int8"), (0, 128, "uint8"), (0, 255, "uint8"), (-1, 128, "int16"), (0, 256, "int16"),
    (0, 65_535, "uint16"), (-1, 65_535, "int32"),
])  # fmt: skip
def test_the_smallest_type_that_holds_all_numbers(low, high, dtype):
    assert Features(flag=Flags(1, "one"), wide=Block(1, "wide", low=low, high=high, scale=1)).dtype == dtype


def test_what_cannot_be_declared_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match=r"either all blocks .* or none is: place declares none"):
        Features(flag=Flags(1, "one"), place=Block(1, "where"))
    with pytest.raises(ValueError, match=r"bounds that are multiples of its scale: 'thirds' goes from 0.0 to 0.5"):
        Features(part=Block(1, "thirds", high=0.5, scale=1 / 3))
    with pytest.raises(ValueError, match="whole numbers of an observation go from 0 to 5000000000"):
        Features(far=Block(1, "far", high=5e9, scale=1))


def test_the_games_write_bytes():
    types = {name: find_game(name).features.dtype for name in WHOLE}
    assert types == dict.fromkeys(WHOLE, np.int8)
    assert {find_game(name).with_memory.features.dtype for name in WHOLE if find_game(name).memory} == {np.dtype("i1")}


# --- rules that write -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("part", "whole", "told"), [
    (0, 600, [0, 0]), (7, 600, [1, 17]), (1, 3, [33, 33]), (2, 3, [66, 67]), (600, 600, [100, 0]), (601, 600, [100, 0]),
])  # fmt: skip
def test_a_share_is_told_in_hundredths_and_hundredths_of_those(part, whole, told):
    """7 of 600 are 1.1667 hundredths: 1, and 17 hundredths of one."""
    view = np.zeros(2, np.int8)
    write_share(view, 0, part, whole)
    assert view.tolist() == told
    assert Features(share=Block((1, 2), "a share", **SHARE)).dtype == np.int8


def test_rows_grids_bits_and_marks():
    view = np.zeros(12, np.int8)
    write_row(view, 0, np.array([3, 1]))
    write_grid(view, 2, np.array([[1, 2], [3, 4]]))
    write_bits(view, 6, 0b101, 3)
    mark(view, 9, 1)
    assert view.tolist() == [3, 1, 1, 2, 3, 4, 1, 0, 1, 0, 1, 0]
    mark(view, 11, -1)
    assert view[11] == 0
    assert [after(q, 2, 4) for q in range(4)] == [2, 3, 0, 1]


@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_native_rows_and_grids_are_moved_or_converted(dtype):
    """Row 1 of six bytes, and all of them as a grid, into views of bytes and of floats; what lies beside stays."""

    @numba.njit
    def write(view, numbers):
        write_row(view, 1, numbers[1])
        write_grid(view, 4, numbers)
        view[11] = lowest_bit(numbers[1, 0])

    view = np.full(12, 9, dtype)
    write(view, np.array([[1, 2], [-4, 5], [0, 7]], np.int8))
    assert view.tolist() == [9, -4, 5, 9, 1, 2, -4, 5, 0, 7, 9, 2]


@pytest.mark.parametrize("at", [-1, 3])
def test_native_rows_that_do_not_fit_are_refused(at):
    row_of, grid_of = numba.njit(lambda v, n, a: write_row(v, a, n)), numba.njit(lambda v, n, a: write_grid(v, a, n))
    view = np.zeros(4, np.int8)
    for native, numbers in ((row_of, np.ones(2, np.int8)), (grid_of, np.ones((1, 2), np.int8))):
        with pytest.raises(IndexError, match="into the view"):
            native(view, numbers, at)
    assert not view.any()


def test_the_lowest_bit():
    assert [lowest_bit(bits) for bits in (1, 2, 12, 1 << 23, -8)] == [0, 1, 2, 23, 3]


def test_how_many_bits_are_set():
    words = np.array([0, 1, 12, (1 << 21) - 1, 1 << 23], np.int32)
    counted = numba.njit(rule(lambda word: count_bits(word)))
    for count in (count_bits, counted):
        assert [count(word) for word in words] == [0, 1, 2, 21, 1]


@pytest.mark.parametrize("at", [-1, 3])
def test_what_does_not_fit_into_the_view_is_refused(at):
    view = np.zeros(4, np.int8)
    for write in (lambda: write_row(view, at, np.ones(2)), lambda: write_grid(view, at, np.ones((1, 2))),
                  lambda: write_bits(view, at, 3, 2)):  # fmt: skip
        with pytest.raises(IndexError, match="into the view"):
            write()
    assert not view.any()


def test_room_for_views_comes_in_whole_words():
    features = Features(nine=Flags(9, "nine"))
    assert blank_views(features).shape == (1, 16)
    assert blank_views(features, 3, 20).shape == (3, 24)
    assert blank_views(Features(three=Block(3, "fractions"))).shape == (1, 4)


# --- who asks for what ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WHOLE)
def test_floats_are_what_the_whole_numbers_stand_for(name):
    game = find_game(name)
    whole, floats = (Batch(game, 5, seed=3, interpreted=True, observation_dtype=kind) for kind in (None, "float32"))
    assert (whole.observation.dtype, floats.observation.dtype) == (np.int8, np.float32)
    for _ in range(20):
        assert np.array_equal(game.features.decode(whole.observation), floats.observation)
        actions = whole.sample()
        whole.step(actions)
        floats.step(actions)
    assert np.array_equal(whole.table(2).observe(0), floats.view([2], [0])[0])


def test_a_type_that_a_game_does_not_write_is_refused(pebbles):
    for make in (Batch, Table, OneSeatEnv):
        with pytest.raises(OptionError, match=r"observation_dtype is int8, .* or float32, got 'uint8'"):
            make(pebbles, observation_dtype="uint8")


@pytest.mark.parametrize(("dtype", "kind"), [(None, np.int8), ("int8", np.int8), ("float32", np.float32)])
def test_spaces_tell_the_type_and_the_bounds(pebbles, dtype, kind):
    low, high = pebbles.features.bounds(kind)
    env = GameModule(pebbles).raw_env(players=3, observation_dtype=dtype)
    one = OneSeatEnv(pebbles, opponents="random", observation_dtype=dtype)
    for space in (env.observation_space("player_0")["observation"], one.observation_space):
        assert space.dtype == kind
        assert np.array_equal(space.low, low)
        assert np.array_equal(space.high, high)
    assert env.state_space.dtype == kind
    env.reset(seed=1)
    assert env.state_space.contains(env.state())
    seen, _ = one.reset(seed=1)
    assert seen.dtype == kind
    assert one.observation_space.contains(seen)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", [None, "float32"])
def test_the_environments_keep_their_contracts(pebbles, dtype):
    api_test(GameModule(pebbles).env(players=2, observation_dtype=dtype), num_cycles=30)
    env = OneSeatEnv(pebbles, opponents="random", observation_dtype=dtype)
    env.action_space = gymnasium.spaces.Discrete(pebbles.actions.size, start=0)
    seen, told = env.reset(seed=2)
    for _ in range(3):
        seen, _, over, _, told = env.step(int(np.flatnonzero(told["action_mask"])[0]))
        assert env.observation_space.contains(seen)
        if over:
            break


def test_a_vector_environment_shows_what_is_asked_for():
    whole, floats = (gymnasium.make_vec("alarife/Viva-v1", 3, observation_dtype=kind, opponents="random",
                                        match="single_round") for kind in ("int8", "float32"))  # fmt: skip
    features = find_game("viva").features
    (a, told), (b, _) = whole.reset(seed=4), floats.reset(seed=4)
    for _ in range(30):
        assert whole.observation_space.contains(a)
        assert floats.observation_space.contains(b)
        assert np.array_equal(features.decode(a), b)
        actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in told["action_mask"]])
        (a, *_, told), (b, *_) = whole.step(actions), floats.step(actions)


def test_a_policy_plays_alike_on_whole_numbers_and_on_floats():
    game, random = find_game("viva"), np.random.default_rng(1)
    tensors = {key: random.normal(size=shape).astype(np.float32) for key, shape in shapes_of(game, [16]).items()}
    player = NetworkPlayer(Policy(game, {"hidden": [16]}, tensors))
    batch = Batch(game, 20, 4, seed=2, interpreted=True)
    assert np.array_equal(player.logits(batch.observation), player.logits(game.features.decode(batch.observation)))
    turns = Turns.of_batch(batch, np.arange(20), player)
    assert turns.observation.dtype == np.int8


# --- the kit --------------------------------------------------------------------------------------------


@rule
def half_a_flag(s, seat, view):
    observation.observe(s, seat, view)
    view[observation.AT.passing] = 0.5


@rule
def wraps_around(s, seat, view):
    observation.observe(s, seat, view)
    view[observation.AT.passing] = 256 + s.options.passing


@pytest.mark.parametrize("observe", [half_a_flag, wraps_around])
def test_numbers_that_a_view_cannot_hold_are_found_out(pebbles, observe):
    """Cut off, they would look sound: half a flag as 0, 257 as 1."""
    with pytest.raises((ConformanceError, OverflowError), match=r"passing\[0\]|out of bounds"):
        check_game(dataclasses.replace(pebbles, observe=observe), [2], only=["whole_views"])


def test_a_sound_game_has_whole_views(pebbles):
    check_game(pebbles, [2], only=["whole_views"])
    assert kernels(pebbles, interpreted=True)
    assert alarife.make_batch("viva", 2).observation.dtype == np.int8
