"""Numba and C play the same VIVA, byte for byte."""

import numpy as np
import pytest

import twin
from alarife.engine.arrays import BatchArrays
from alarife.engine.batch import Batch
from alarife.engine.kernels import kernels
from alarife.engine.result import OUTCOME
from alarife.games.viva import GAME
from alarife.games.viva.state import Options

pytestmark = pytest.mark.skipif(twin.gcc() is None, reason="there is no gcc to compile the C twin with")

GAMES = 48
STEPS = 1500
TABLES = {
    "a match": {},
    "a long match of the pocket edition": {"edition": "pocket", "rounds": 8},
    "one round": {"match": "single_round"},
    "a match whose rounds are stopped early": {"max_turns_per_round": 20},
    "one round of the pocket edition with bluffs": {"edition": "pocket", "match": "single_round", "bluff": True},
    "a match with bluffs": {"bluff": True, "rounds": 2},
    "a match with bluffs that all notice": {"bluff": True, "bluff_notice_probability": 1.0, "rounds": 1},
}


def pair(players, options, seed=11, reward="outcome", games=GAMES):
    """A batch played by Numba and the same batch played by C."""
    settings = {"games": games, "players": players, "seed": seed, "options": options, "reward": reward}
    return Batch(GAME, **settings), twin.twin_batch(**settings)


def assert_same(numba, c, where):
    for name in ("states", "moves", "masks", "views", "rewards", "finished", "results", "last_states"):
        ours, theirs = getattr(numba.arrays, name), getattr(c.arrays, name)
        if ours.tobytes() != theirs.tobytes():
            raise AssertionError(f"{where}: {name} differ{_first_difference(ours, theirs)}")


def _first_difference(ours, theirs):
    for row in range(len(ours)):
        for field in ours.dtype.names or ():
            if ours[row][field].tobytes() != theirs[row][field].tobytes():
                return f" in row {row}, {field}: {ours[row][field]} from Numba, {theirs[row][field]} from C"
    return ""


def play_both(numba, c, steps, where, choose=None):
    assert_same(numba, c, f"{where}, start")
    for number in range(steps):
        actions = numba.sample() if choose is None else choose(numba)
        if choose is None:
            assert np.array_equal(actions, c.sample()), f"{where}, step {number}: other random actions"
        numba.step(actions)
        c.step(actions)
        assert_same(numba, c, f"{where}, step {number}")


@pytest.mark.parametrize("players", GAME.seats)
@pytest.mark.parametrize("table", TABLES)
def test_states_masks_views_and_rewards_are_bit_identical_at_every_step(table, players):
    numba, c = pair(players, TABLES[table])
    play_both(numba, c, STEPS, f"{table}, {players} players")


@pytest.mark.parametrize("players", GAME.seats)
def test_short_games_played_with_a_purpose_reach_their_ends_alike(players):
    """Random play rarely gets rid of its cards; a player that never draws without need ends many matches."""
    numba, c = pair(players, {"rounds": 3}, games=16)
    play_both(numba, c, 3000, f"{players} players", choose=lambda batch: batch.script())
    assert numba.arrays.episodes.sum() > 16
    assert np.array_equal(numba.final_score, c.final_score)


@pytest.mark.parametrize("players", GAME.seats)
def test_tied_matches_go_on_alike(players):
    numba, c = pair(players, {"rounds": 2}, games=16)
    tied = np.zeros(16, bool)
    for number in range(3000):
        actions = numba.script()
        numba.step(actions)
        c.step(actions)
        tied |= numba.state["tie_break"] == 1
        assert_same(numba, c, f"{players} players, step {number}")
    assert tied.any()


@pytest.mark.parametrize("reward", ["outcome", "rank", "score", "margin"])
def test_every_reward_mode_pays_alike(reward):
    numba, c = pair(4, {"match": "single_round"}, reward=reward, games=16)
    paid = 0
    for number in range(1500):
        actions = numba.script()
        numba.step(actions)
        c.step(actions)
        paid += int((numba.reward != 0).sum())
        assert_same(numba, c, f"{reward}, step {number}")
    assert paid > 0


def test_tables_of_several_sizes_side_by_side_stay_identical():
    numba, c = pair([2, 3, 4, 5, 6], {"bluff": True})
    play_both(numba, c, 500, "mixed tables")


@pytest.mark.parametrize("players", GAME.seats)
def test_a_view_of_any_seat_is_bit_identical(players):
    numba, c = pair(players, {"bluff": True})
    rows = np.arange(GAMES)
    for _ in range(200):
        actions = numba.sample()
        numba.step(actions)
        c.step(actions)
        for seat in range(players):
            seats = np.full(GAMES, seat)
            assert numba.view(rows, seats).tobytes() == c.view(rows, seats).tobytes()


@pytest.mark.parametrize("players", GAME.seats)
def test_a_long_rollout_ends_in_the_same_bytes(players):
    template = GAME.template(players, Options(rounds=2))
    ended = {}
    for name, run in {"numba": kernels(GAME), "c": twin.kernels()}.items():
        arrays, lengths = BatchArrays(GAME, 1, OUTCOME, run, template, True), np.zeros(2, np.int64)
        arrays.begin(template, np.array([7], np.uint64), np.zeros(1, np.int64))
        games = arrays.rollout(300_000, 5, lengths)
        ended[name] = games, lengths.tolist(), arrays.states.tobytes(), arrays.streams.tobytes()
    assert ended["numba"] == ended["c"]
    assert ended["c"][0] > 0


def test_every_action_is_played_and_every_phase_seen():
    """What the comparisons above cover: nothing of the rules may hide from random play with bluffs."""
    batch = twin.twin_batch(games=256, players=3, seed=3, options={"bluff": True})
    played, phases = np.zeros(GAME.actions.size, bool), np.zeros(7, bool)
    for _ in range(1000):
        actions = batch.sample()
        played[actions] = True
        phases[batch.state["phase"]] = True
        batch.step(actions)
    assert played.all(), [GAME.actions.name(int(a)) for a in np.flatnonzero(~played)]
    assert phases.all()


def test_a_caller_whose_last_card_cannot_be_replaced_keeps_it_in_both():
    """VIV-094, which random play does not reach: three tops of one colour, no other card outside the hands."""
    numba, c = pair(3, {"rounds": 1}, games=1)
    s = numba.at(0)
    for name in ("stack", "discard", "covered"):
        getattr(s, name)[:] = 0
    s.hand[:] = 0
    s.hand[1, :] = 6
    s.hand[1, 0] -= 3
    s.hand[1, 20] -= 1
    s.hand[1, 19] -= 5
    s.hand[0, 20], s.hand[2, 19] = 1, 5
    s.held[:] = [1, 21 * 6 - 9, 5, 0, 0, 0]
    s.stack_size, s.general = 0, -1
    s.top[:], s.height[:] = 0, 1
    s.seat = s.turn_of = 0
    s.phase, s.kind, s.placed[0] = 4, 0, 1  # a red card has just been put on the first house
    numba.check()
    for batch in (numba, c):
        batch.load(numba.clone())
    numba.step(np.array([GAME.actions.encode("call_viva")]))
    c.step(np.array([GAME.actions.encode("call_viva")]))
    assert_same(numba, c, "the call")
    assert numba.state["held"][0, 0] == 1
    assert numba.state["general"][0] == -1
    play_both(numba, c, 200, "afterwards")
