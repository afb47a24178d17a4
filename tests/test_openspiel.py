"""Our games in OpenSpiel: its own tests run on them, its algorithms solve the small ones."""

import copy
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts, mcts

import alarife
from alarife.adapters import openspiel
from alarife.engine.errors import AlarifeError, ChanceError, OptionError
from library_pages import run_section
from page_blocks import python_blocks
from toy_games import KUHN, SAFE_OR_GUESS

pytestmark = pytest.mark.openspiel
EXPLICIT = pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
SAMPLED = pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC

for _game in (KUHN, SAFE_OR_GUESS):
    if _game.name not in alarife.engine.registry.game_names():
        alarife.register(_game)


@pytest.fixture(scope="module")
def kuhn():
    return openspiel.load("kuhn", reward="margin")


def chips(table):
    """Of the first player."""
    return int(table.state.chips[0])


def test_kuhn_is_the_kuhn_that_openspiel_knows(kuhn):
    # Our margin is the chips won minus those that the other lost: twice the chips.
    ours, theirs = policy.UniformRandomPolicy(kuhn), pyspiel.load_game("kuhn_poker")
    assert kuhn.get_type().chance_mode == EXPLICIT
    assert kuhn.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert exploitability.nash_conv(kuhn, ours) == pytest.approx(2 * 11 / 12)
    assert exploitability.exploitability(kuhn, ours) == pytest.approx(2 * 11 / 24)
    assert exploitability.nash_conv(theirs, policy.UniformRandomPolicy(theirs)) == pytest.approx(11 / 12)


def test_cfr_solves_kuhn(kuhn):
    solver = cfr.CFRPlusSolver(kuhn)
    for _ in range(40):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert len(average.state_lookup) == 12
    assert exploitability.exploitability(kuhn, average) < 0.03
    values = expected_game_score.policy_value(kuhn.new_initial_state(), [average, average])
    assert values[0] == pytest.approx(2 * -1 / 18, abs=0.03)


@pytest.mark.parametrize(("name", "settings"), [
    ("kuhn", {}),
    ("safe_or_guess", {}),
    ("pebbles", {"players": 3}),
    ("pebbles", {"players": 2, "chance": "sampled", "reward": "score"}),
])  # fmt: skip
def test_openspiels_own_test_runs(name, settings):
    game = openspiel.load(name, **settings)
    pyspiel.random_sim_test(game, num_sims=3, serialize=game.chance == "explicit", verbose=False)


def test_a_large_game_is_sampled_and_keeps_its_word():
    game = pyspiel.load_game("alarife_viva(players=3,match=single_round)")
    assert (game.num_players(), game.get_type().chance_mode) == (3, SAMPLED)
    state, random = game.new_initial_state(), np.random.default_rng(1)
    assert state.is_chance_node()
    for _ in range(120):
        if state.is_terminal():
            break
        if state.is_chance_node():
            assert state.chance_outcomes() == [(0, 1.0)]
            state.apply_action(0)
            continue
        table, player = state.table, state.current_player()
        assert player == table.seat
        assert state.legal_actions() == table.legal()
        assert state.observation_tensor(player) == table.observe(player).tolist()
        assert state.information_state_string(player) == f"player_{player} {table.information_key(player)}"
        assert state.action_to_string(player, table.legal()[0]) == table.game.actions.name(table.legal()[0])
        state.apply_action(int(random.choice(state.legal_actions())))


def test_nobody_sees_the_future_of_sampled_chance():
    game = openspiel.load("viva", match="single_round", seed=4)
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(game.game.actions.parse("draw()"))
    assert state.is_chance_node()
    drawn = set()
    for _ in range(30):
        clone = state.clone()
        clone.apply_action(0)
        drawn.add(int(clone.table.state.drawn))
    assert len(drawn) > 5
    assert state.is_chance_node()  # copies go their own way


def test_equal_information_is_an_equal_string_and_tensor(kuhn):
    states = []
    for deal, _ in kuhn.new_initial_state().chance_outcomes():
        state = kuhn.new_initial_state()
        state.apply_action(deal)
        state.apply_action(1)
        states.append(state)
    assert len(states) == 6
    for player in (0, 1):
        for one in states:
            for two in states:
                same = one.table.state.card[player] == two.table.state.card[player]
                assert (one.information_state_string(player) == two.information_state_string(player)) == same
                assert (one.information_state_tensor(player) == two.information_state_tensor(player)) == same


def test_games_pay_what_their_reward_says():
    for reward, scale in (("score", 1), ("margin", 2), ("outcome", 1)):
        game = openspiel.load("kuhn", reward=reward)
        state = game.new_initial_state()
        for action in (0, 1, 0):  # a deal; bet and fold: one chip
            assert state.returns() == [0, 0]
            state.apply_action(action)
        assert state.is_terminal()
        assert state.returns() == [scale, -scale]


def test_a_copy_of_a_state_goes_its_own_way(kuhn):
    state = kuhn.new_initial_state()
    state.apply_action(2)
    for twin in (state.clone(), copy.deepcopy(state)):
        twin.apply_action(1)
        assert twin.history() == [2, 1]
    assert state.history() == [2]
    assert state.table.state.decisions == 0


@pytest.mark.parametrize(
    ("name", "settings"), [("pebbles", {}), ("viva", {"match": "single_round", "chance": "sampled"})]
)
def test_its_searches_play_our_games(name, settings):
    game = openspiel.load(name, **settings)
    state = game.new_initial_state()
    state.apply_action(0)

    class Standing(mcts.RandomRolloutEvaluator):
        def evaluate(self, state):
            return np.zeros(game.num_players())

    evaluator = Standing(1, np.random.RandomState(1))
    for bot in (mcts.MCTSBot(game, 2.0, 10, evaluator, random_state=np.random.RandomState(2)),
                ismcts.ISMCTSBot(game, evaluator, 2.0, 10, random_state=np.random.RandomState(3))):  # fmt: skip
        assert bot.step(state) in state.legal_actions()


def test_worlds_for_a_search_keep_what_the_seat_knows_and_redraw_the_rest():
    game = openspiel.load("pebbles", players=3)
    state = game.new_initial_state()
    state.apply_action(0)
    worlds = [state.resample_from_infostate(0) for _ in range(40)]
    assert {w.information_state_string(0) for w in worlds} == {state.information_state_string(0)}
    assert len({tuple(w.table.state.lucky[1:3].tolist()) for w in worlds}) == 9


def test_the_example_on_the_page_runs():
    page = Path(__file__).parent.parent / "docs" / "openspiel.md"
    (code,) = python_blocks(page.read_text(encoding="utf-8"))
    made = {}
    exec(code, made)
    assert made["game"].num_players() == 3


def test_the_block_on_the_page_of_all_libraries_runs():
    made = run_section("OpenSpiel")
    assert not made["state"].is_chance_node()


def test_what_cannot_be_is_said():
    with pytest.raises(ChanceError, match="the outcomes of the deal are too many to enumerate"):
        openspiel.load("viva", chance="explicit")
    with pytest.raises(OptionError, match="no chance called 'some'"):
        openspiel.load("kuhn", chance="some")
    with pytest.raises(OptionError, match="no option called 'cards'"):
        openspiel.load("kuhn", cards=3)
    with pytest.raises(AlarifeError, match="observers take no parameters"):
        openspiel.load("kuhn").make_py_observer(None, {"x": 1})
    assert not openspiel.load("viva").get_type().provides_information_state_tensor
