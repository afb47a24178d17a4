"""Searches led by a policy. Networks are made by hand; what is expected is worked out, or found by trying all."""

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.layout import PlainArray
from alarife.engine.registry import find_game
from alarife.engine.result import REWARDS
from alarife.engine.table import Table
from alarife.players import Turns, find_player, play_out
from alarife.players.guiding import EDGES, MOST_TREES, Guided, GuidedSettings, Network
from alarife.players.policy import NetworkPlayer, Policy, shapes_of, with_checksum
from alarife.search.guided import outcome_of, searchers
from alarife.search.inference import check_sizes, think
from alarife.testing import sample_positions
from teaching_game import GAME as PEBBLES
from test_search import clear_positions
from toy_games import KUHN, SAFE_OR_GUESS

TAKE, DARE = SAFE_OR_GUESS.actions.encode("take"), SAFE_OR_GUESS.actions.encode("dare")
PASS = PEBBLES.actions.encode("pass_turn")


def untrained(game, hidden=(8,), spread=0.0, seed=0, advised=False, **card):
    """A network of random weights, or of zeros: then it likes all actions alike and values everything at 0."""
    random = np.random.default_rng(seed)
    shapes = shapes_of(game, list(hidden), advised)
    arrays = {name: (spread * random.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()}
    arrays["input.scale"] = (1 + spread * random.random(shapes["input.scale"])).astype(np.float32)
    return Policy(game, {"hidden": list(hidden), "advice": advised} | card, arrays)


def convinced(game, value=0.0, scores=(), **card):
    """A network that thinks the same whatever it sees."""
    policy = untrained(game, **card)
    policy.tensors["value.bias"][0] = value
    for action, score in scores:
        policy.tensors["policy.bias"][action] = score
    return policy


def by_puct(policy, settings, seed, reward=None):
    """A search whose root goes by PUCT, too, so that all playouts count there; it seeks what the policy learnt."""
    return Guided(policy, f"{settings}:root=puct:reward={reward or policy.card.get('reward', 'outcome')}", seed)


def searched(player, table):
    picked, visits, means = player.search(Turns.of_table(table))
    return int(picked[0]), visits[0], means[0]


# --- the network --------------------------------------------------------------------------------------


def by_numpy(policy, views):
    """Values as the definition has them, in double precision."""
    tensors = {name: array.astype(np.float64) for name, array in policy.tensors.items()}
    values = (policy.game.features.decode(views) - tensors["input.shift"]) * tensors["input.scale"]
    for i in range(len(policy.card["hidden"])):
        values = np.maximum(values @ tensors[f"trunk.{i}.weight"].T + tensors[f"trunk.{i}.bias"], 0)
    return (values @ tensors["value.weight"].T + tensors["value.bias"])[:, 0]


@pytest.mark.parametrize("hidden", [[32, 16], [], [16, 8, 8]])
@pytest.mark.parametrize("name", ["lisboa", "patios", "viana", "villa_paletti", "viva"])
def test_the_native_network_is_the_network_player(name, hidden):
    game = find_game(name)
    batch = Batch(game, 20, None, 1)
    views = []
    for _ in range(30):
        views.append(batch.observation.copy())
        batch.step(batch.sample())
    views = np.concatenate(views)
    policy = untrained(game, hidden, spread=0.05, seed=3)
    scores, values = Network(policy).consult(game, views)
    assert np.abs(scores - NetworkPlayer(policy).logits(views)).max() < 1e-5
    assert np.abs(values - by_numpy(policy, views)).max() < 1e-5
    assert scores.std(0).min() > 0 < values.std()


def test_the_network_by_hand():
    """Seven inputs of which five count: four at once and one that is left over."""
    sizes = np.array([7, 2, 3])
    view = np.array([1, 0, -2, 3, 0, 4, 5], np.float32)
    first = np.array([[1, -1], [9, 9], [1, -1], [1, -1], [9, 9], [1, -1], [1, -1]])  # weights of each input
    head, bias, value = np.array([[2, 3, 4], [100, 100, 100]]), [0.5, 0.25, 0], [7, 100]
    flat = [np.array([1, 1]), first.ravel(), bias, head.ravel(), [0.125], value]
    weights = np.concatenate(flat).astype(np.float32)
    signals = np.zeros(14, np.float32)
    scores = np.zeros(3, np.float32)
    check_sizes(sizes, weights, signals)
    worth = think(*(array.view(PlainArray) for array in (view, sizes, weights, signals, scores)))
    # 1 + (1 - 2 + 3 + 4 + 5) = 12, and 1 - 11 = -10, of which ReLU leaves 0.
    assert list(scores) == [24.5, 36.25, 48]
    assert worth == 7 * 12 + 0.125
    native, values = np.zeros((1, 3), np.float32), np.zeros(1, np.float32)
    searchers(PEBBLES).consult(sizes, weights, signals, view[None], native, values)
    assert native[0].tobytes() == scores.tobytes()
    assert values[0] == worth


def test_a_network_of_other_sizes_never_reaches_the_kernel():
    network = Network(untrained(PEBBLES))
    with pytest.raises(AssertionError, match="other sizes"):
        check_sizes(network.sizes, network.weights[:-1], network.signals)


# --- the prior ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("liked", [0, 4, 8, PASS])
def test_the_first_playout_follows_the_prior(liked):
    table = Table(PEBBLES, 2, seed=1)
    policy = convinced(PEBBLES, scores=[(liked, 0.01)])
    picked, visits, _ = searched(by_puct(policy, "1", seed=1), table)
    assert picked == liked
    assert visits[liked] == visits.sum() == 1


def test_visits_follow_the_prior_where_values_say_nothing():
    """All is worth 0 and nothing is over: PUCT then shares out 1 + visits by the prior, half of them to one action.

    Ten actions and 40 playouts make 50 to share out: 25, which is 24 visits, and 25 for nine, which is 1 or 2 visits.
    """
    table = Table(PEBBLES, 4, seed=1)
    legal = table.legal()
    policy = convinced(PEBBLES, scores=[(legal[3], np.log(len(legal) - 1.0))])
    _, visits, _ = searched(by_puct(policy, "40:exploration=100:fpu_reduction=0:mix=0:temperature=1", seed=1), table)
    assert len(legal) == 10
    assert abs(visits[legal[3]] - 24) <= 2
    others = [visits[action] for action in legal if action != legal[3]]
    assert max(others) - min(others) <= 1


def test_illegal_actions_have_no_share_of_the_prior():
    table = Table(PEBBLES, 2, {"passing": False}, seed=1)
    policy = convinced(PEBBLES, scores=[(PASS, 50.0), (1, 1.0)])
    picked, visits, _ = searched(by_puct(policy, "60:mix=0:temperature=1", seed=1), table)
    assert picked == 1
    assert visits[PASS] == 0


def test_a_higher_temperature_tries_more():
    table = Table(PEBBLES, 4, seed=1)
    policy = convinced(PEBBLES, scores=[(0, 5.0)])
    sure, unsure = (searched(by_puct(policy, f"60:temperature={t}", seed=1), table)[1] for t in (1, 100))
    assert (sure > 0).sum() < (unsure > 0).sum()


def test_an_advised_network_sees_what_the_scripted_player_would_do():
    """One that scores the advised action 7 and others 0: its scores at the root say what was advised."""
    policy = untrained(PEBBLES, hidden=(), advised=True)
    size = PEBBLES.features.size
    policy.tensors["policy.weight"][:, size:] = 7 * np.eye(PEBBLES.actions.size)
    for table in sample_positions(PEBBLES, 2, games=4, each=5, seed=2):
        if table.over or len(table.legal()) < 2:
            continue
        player = by_puct(policy, "30", seed=1)
        advice = find_player("scripted", 1).act(Turns.of_table(table))[0]
        assert searched(by_puct(policy, "1", seed=1), table)[0] == advice
        searched(player, table)
        tree = player._thinkers[0].trees[0]
        scores = tree.logits[: int(tree.tree["nodes"][0])]
        assert (scores.sum(1) == 7).all()
        assert (scores.max(1) == 7).all()


# --- the value ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "reward", "worth"), [
    (2, "outcome", -0.25),  # the other is to decide: what is 0.25 to it is -0.25 to me
    (2, "rank", -0.25),
    (2, "margin", -0.25 + 1),  # and I have a pebble more already
    (2, "score", 0.25 + 1),  # each seat looks for itself
    (3, "outcome", -0.125),  # two seats share the opposite
    (3, "margin", 0.25 + 1),
])  # fmt: skip
def test_the_value_of_a_leaf_is_the_networks(players, reward, worth):
    table = Table(PEBBLES, players, seed=1)
    one = PEBBLES.actions.encode("take", pile=0, count=0)
    policy = convinced(PEBBLES, 0.125, [(one, 50.0)], reward=reward, reward_scale=0.5)
    _, visits, means = searched(by_puct(policy, "1:mix=0", seed=1), table)
    assert visits[one] == 1
    assert means[one] == worth


def test_each_seat_that_decided_on_the_way_gets_its_own_value():
    """Everybody takes a pebble in turn: 0.25 to come, and at least 1 point for whoever has decided."""
    table = Table(PEBBLES, 3, seed=1)
    one = PEBBLES.actions.encode("take", pile=0, count=0)
    player = by_puct(convinced(PEBBLES, 0.125, [(one, 50.0)], reward="score", reward_scale=0.5), "12:mix=0", seed=1)
    searched(player, table)
    tree = player._thinkers[0].trees[0]
    edges = tree.edges[: tree.tree["edges"][0]]
    tried = edges[edges["visits"] > 0]
    assert len(tried) > 3  # those of the root, and of others
    assert (tried["total"] / tried["visits"] >= 1.25).all()
    assert tree.tree["low"][0] == 1.25


def test_bounded_values_stay_within_their_bounds():
    table = Table(PEBBLES, 2, seed=1)
    _, visits, means = searched(by_puct(convinced(PEBBLES, 40.0), "30", seed=1), table)
    assert np.abs(means).max() == 1
    assert visits.sum() == 30


def last_pebble():
    """Seat 0 may take the last pebble or pass; with 12 and 2 points it has won either way."""
    table = Table(PEBBLES, 2, seed=1)
    state = table.state
    state.piles[:] = [0, 0, 1]
    state.taken[0, :], state.taken[1, :] = [2, 2, 4], [1, 2, 0]
    state.lucky[0], state.lucky[1], state.passed[1] = 2, 2, 1
    state.points[0], state.points[1] = 12, 3
    return table.refresh()


def test_a_finished_game_is_worth_its_result_whatever_the_network_thinks():
    table = last_pebble()
    _, visits, means = searched(by_puct(convinced(PEBBLES, -0.9), "40", seed=1), table)
    assert set(np.flatnonzero(visits)) == set(table.legal())
    assert all(means[table.legal()] == 1)


def test_rollouts_are_mixed_in():
    """A rollout from the decision after is worth 1, 0 or -1: with a quarter of it the leaf is worth 3/4 v and that."""
    table = Table(PEBBLES, 2, seed=1)
    policy = convinced(PEBBLES, 0.5, [(0, 50.0)])
    for seed in range(5):
        player = by_puct(policy, "1:mix=0.25", seed=seed)
        _, _, means = searched(player, table)
        assert means[0] in {-0.5 * 0.75 + 0.25 * outcome for outcome in (-1, 0, 1)}
        assert player.decisions > 0
    _, _, means = searched(by_puct(policy, "20:mix=1:random", seed=1), table)
    assert (20 * means[0]) % 1 == 0


# --- what is found ------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ["puct", "halving", "gains"])
@pytest.mark.parametrize("information", ["own", "each"])
@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_the_best_action_of_a_solved_position_is_found_with_an_untrained_network(information, spread, root):
    policy = untrained(PEBBLES, spread=spread, seed=2)
    for table, best in clear_positions(20):
        player = Guided(policy, f"3000:information={information}:root={root}:exploration=2:trust=1", seed=1)
        assert player.act(Turns.of_table(table))[0] in best


def test_a_guided_search_does_not_think_that_it_can_guess():
    """Solving each coin by itself would value the dare at 10. It is worth 5, and the safe points 6."""
    table = Table(SAFE_OR_GUESS, seed=1)
    policy = untrained(SAFE_OR_GUESS, reward="score")
    picked, visits, means = searched(by_puct(policy, "3000:exploration=2", seed=1), table)
    assert picked == TAKE
    assert visits[TAKE] > visits[DARE] > 20
    assert means[TAKE] == 6
    assert abs(means[DARE] - 5) < 1.5


def test_a_wrong_prior_is_overruled_by_results():
    table = Table(SAFE_OR_GUESS, seed=1)
    policy = convinced(SAFE_OR_GUESS, scores=[(DARE, 2.0)], reward="score")
    assert NetworkPlayer(policy, greedy=True).act(Turns.of_table(table))[0] == DARE
    assert by_puct(policy, "2000", seed=1).act(Turns.of_table(table))[0] == TAKE


# --- nothing hidden is used ---------------------------------------------------------------------------


@pytest.mark.parametrize("settings", ["60", "60:information=own:mix=0.5", "60:root=halving", "60:root=gains"])
def test_guided_searches_do_not_depend_on_what_the_seat_cannot_know(settings):
    policy = untrained(PEBBLES, spread=0.5)
    differing = 0
    for table in sample_positions(PEBBLES, 3, games=4, each=5, seed=2):
        if table.over or len(table.legal()) < 2:
            continue
        other = table.fork(table.seat, 77)
        differing += list(other.state.lucky) != list(table.state.lucky)
        for ours, theirs in zip(*(searched(Guided(policy, settings, 9), each) for each in (table, other)), strict=True):
            assert np.array_equal(ours, theirs)
    assert differing > 5


def test_others_decide_with_the_cards_that_they_would_hold():
    """The network bets with the king alone: the second player's bet is then believed, its check is not feared."""
    policy = untrained(KUHN, reward="score")
    king = KUHN.features.start.card + 2
    policy.tensors["trunk.0.weight"][0, king] = 1.0
    bet = KUHN.actions.encode("bet")
    policy.tensors["policy.weight"][bet, 0], policy.tensors["policy.bias"][bet] = 100.0, -50.0
    table = Table(KUHN, seed=1)
    table.state.card[:] = [1, 0]
    table.refresh()
    player = by_puct(policy, "400:exploration=100:fpu_reduction=0", seed=1)
    searched(player, table)
    tree = player._thinkers[0].trees[0]
    liked = tree.logits[: int(tree.tree["nodes"][0]), bet]
    assert set(liked) == {50.0, -50.0}  # nodes of seats with a king, and of seats without


# --- the machinery ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    ["60", "60:information=own:mix=0.5", "60:mix=1:random:cut=3", "60:root=halving:reuse=false",
     "60:root=gains:reward=outcome", "60:reward=rank"],
)  # fmt: skip
def test_compiled_and_interpreted_guided_searches_agree(settings, monkeypatch):
    table = Table(PEBBLES, 3, seed=4)
    trees = []
    for interpreted in (False, True):
        monkeypatch.setattr("alarife.players.guiding.searchers", lambda game, by=interpreted: searchers(game, by))
        player = Guided(untrained(PEBBLES, (8, 8), spread=0.3, reward="margin"), settings, seed=1)
        searched(player, table)
        trees.append(player._thinkers[0].trees[0])
    for name in ("tree", "nodes", "edges", "slots", "logits"):
        assert getattr(trees[0], name).tobytes() == getattr(trees[1], name).tobytes()


def test_every_playout_is_counted_once_at_the_root():
    table = Table(PEBBLES, 2, seed=4)
    player = by_puct(untrained(PEBBLES, spread=0.3), "500", seed=1)
    _, visits, _ = searched(player, table)
    assert visits.sum() == player.playouts == 500
    assert set(np.flatnonzero(visits)) <= set(table.legal())
    assert not player._thinkers[0]._scratch.marks.any()
    tree = player._thinkers[0].trees[0]
    edges = tree.edges[: tree.tree["edges"][0]]
    assert np.all(edges["available"] >= edges["visits"])


def test_halving_shares_out_its_budget_evenly():
    """80 playouts: half of them for four actions, 10 each, the other half for two, 20 each."""
    table = Table(PEBBLES, 2, seed=4)
    player = Guided(untrained(PEBBLES, spread=0.3), "80:root=halving:considered_actions=4", seed=1)
    picked, visits, _ = searched(player, table)
    assert sorted(visits[visits > 0]) == [10, 10, 30, 30]
    assert visits[picked] == 30


@pytest.mark.parametrize("root", ["halving", "gains"])
@pytest.mark.parametrize("playouts", [1, 2, 3, 5, 17])
def test_a_halved_budget_is_never_passed(playouts, root):
    table = Table(PEBBLES, 2, seed=4)
    player = Guided(untrained(PEBBLES, spread=0.3), f"{playouts}:root={root}", seed=1)
    assert player.act(Turns.of_table(table))[0] in table.legal()
    assert player.playouts <= playouts


def test_actions_of_a_round_meet_the_same_state_and_future():
    """Both calls of a coin, halved: in each round one is right and the other wrong."""
    table = Table(SAFE_OR_GUESS, seed=1).play(DARE)
    player = Guided(untrained(SAFE_OR_GUESS, reward="score"), "100:root=halving", seed=1)
    _, visits, means = searched(player, table)
    calls = table.legal()
    assert list(visits[calls]) == [50, 50]
    assert means[calls].sum() == 10


def test_gains_are_those_on_the_likeliest_action():
    """The coin is the same for both actions of a round, so what the safe 6 gains on the dare is -4 or 6."""
    table = Table(SAFE_OR_GUESS, seed=1)
    policy = convinced(SAFE_OR_GUESS, scores=[(DARE, 2.0)], reward="score")
    player = Guided(policy, "200:root=gains:mix=1:random", seed=1)
    searched(player, table)
    tallies = player._tallies
    assert tallies["gain"][DARE] == tallies["square"][DARE] == 0
    assert list(tallies["visits"][[TAKE, DARE]]) == [100, 100]
    won, lost = tallies["total"][DARE] / 10, 100 - tallies["total"][DARE] / 10
    assert 0 < won < 100
    assert tallies["gain"][TAKE] == 6 * lost - 4 * won
    assert tallies["square"][TAKE] == 36 * lost + 16 * won


@pytest.mark.parametrize(("lead", "picked"), [(0, TAKE), (1000, DARE)])
def test_the_policy_is_followed_until_another_action_is_surely_better(lead, picked):
    """The safe 6 is worth 1 more than the dare, but not on every deal."""
    table = Table(SAFE_OR_GUESS, seed=1)
    policy = convinced(SAFE_OR_GUESS, scores=[(DARE, 2.0)], reward="score")
    settings = f"2000:root=gains:mix=1:random:lead={lead}"
    assert Guided(policy, settings, seed=1).act(Turns.of_table(table))[0] == picked


@pytest.mark.parametrize("root", ["puct", "gains"])
def test_another_reward_than_the_policy_learnt_is_sought(root):
    """A network that expects 77 points of everything says nothing of who wins, which lies between -1 and 1."""
    table = Table(PEBBLES, 2, seed=4)
    policy = convinced(PEBBLES, value=77.0, reward="score")
    means = [
        searched(Guided(policy, f"90:random:root={root}{more}", seed=1), table)[2] for more in ("", ":reward=outcome")
    ]
    assert means[0].max() > 77 / 2
    assert np.abs(means[1]).max() <= 1
    assert len(set(means[1])) > 2  # wins and losses, not zeros


@pytest.mark.parametrize("seed", range(3))
def test_values_of_another_reward_change_nothing(seed):
    """What the network expects of points is not asked where wins are sought: any expectation gives the same search."""
    table = Table(PEBBLES, 3, seed=seed)
    runs = []
    for value in (0.0, 77.0):
        policy = convinced(PEBBLES, value, [(0, 1.0)], reward="score")
        runs.append(searched(by_puct(policy, "200:random", seed=1, reward="outcome"), table))
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))


@pytest.mark.parametrize(("lead", "spread", "seats", "worth"), [
    (0, 10, 2, 0.0),
    (10, 10, 2, 2 * 0.841345 - 1),  # one standard deviation ahead
    (-20, 10, 2, 2 * 0.022750 - 1),
    (10, 10, 3, 0.841345 - 0.158655 / 2),
    (0, 10, 5, 0.5 - 0.5 / 4),
    (10, 10, 1, 2 * 0.841345 - 1),
    (3, 0, 2, 1.0),
    (-3, 0, 4, -1 / 3),
    (0, 0, 2, 0.0),
])  # fmt: skip
def test_what_a_lead_is_worth_by_the_normal_distribution(lead, spread, seats, worth):
    assert outcome_of(lead, spread, seats) == pytest.approx(worth, abs=1e-5)


def test_a_search_learns_from_rollouts_how_sure_a_lead_is():
    """The network expects to lead by 50 more points; rollouts end near 0, so that it is wrong by some 50 each time.

    An expectation one deviation from 0 is worth 2 * 0.8413 - 1 = 0.68, half of the value; a rollout at most 1, the
    other half. Before the first rollout, which then is half of its value, nothing is known.
    """
    table = Table(PEBBLES, 2, seed=4)
    policy = convinced(PEBBLES, value=50.0, reward="margin")
    player = Guided(policy, "200:random:reward=outcome", seed=1)
    _, visits, means = searched(player, table)
    tree = player._thinkers[0].trees[0].tree[0]
    assert 190 <= tree["leads"] <= visits.sum() == 200  # a playout that ends the game in the tree has no rollout
    assert 45 < np.sqrt(tree["errors"] / tree["leads"]) < 55
    assert np.abs(means).max() < 0.5 * 0.75 + 0.5
    other = Guided(policy, "200:random:mix=1:reward=outcome", seed=1)
    assert not np.array_equal(searched(other, table)[2], means)


def test_a_lead_says_nothing_without_rollouts():
    policy = untrained(PEBBLES, reward="margin")
    with pytest.raises(AlarifeError, match=r"how sure a lead is, rollouts tell: .* takes mix above 0, got 0"):
        Guided(policy, "20:mix=0:reward=outcome")


@pytest.mark.parametrize(("learnt", "seats", "more", "sought"), [
    ("outcome", 2, "", "outcome"),
    ("score", 2, "", "score"),
    ("margin", 2, "", "outcome"),  # of two, who learnt to be ahead wants to win
    ("margin", 3, "", "margin"),
    ("margin", 2, ":reward=margin", "margin"),
    ("margin", 4, ":reward=outcome", "outcome"),
    ("margin", 2, ":mix=0", "margin"),  # without rollouts nothing tells how sure a lead is
    ("outcome", 2, ":reward=rank", "rank"),
])  # fmt: skip
def test_what_is_sought_by_default(learnt, seats, more, sought):
    plan = GuidedSettings.parse(f"60{more}").plan(untrained(PEBBLES, reward=learnt), seats)
    assert REWARDS[plan["mode"][0]] == sought
    assert REWARDS[plan["learnt"][0]] == learnt


def test_alone_a_lead_is_sought_where_it_was_learnt():
    plan = GuidedSettings().plan(untrained(find_game("lisboa"), reward="margin"), 1)
    assert REWARDS[plan["mode"][0]] == "margin"


def test_each_table_is_searched_for_what_is_sought_there():
    """One player at tables for two and for three by turns: margins of three may be above 1, wins of two never are."""
    player = Guided(convinced(PEBBLES, value=5.0, reward="margin"), "60:random", seed=1)
    for _ in range(2):
        for seats in (3, 2):
            means = searched(player, Table(PEBBLES, seats, seed=4))[2]
            assert (np.abs(means).max() > 1) == (seats == 3)


def test_a_full_tree_goes_on_without_new_nodes(monkeypatch):
    monkeypatch.setattr("alarife.players.guiding.MOST_NODES", 16)
    player = by_puct(untrained(PEBBLES, spread=0.3), "500", seed=1)
    _, visits, _ = searched(player, Table(PEBBLES, 3, seed=4))
    tree = player._thinkers[0].trees[0]
    assert tree.tree["nodes"][0] == 15  # the last one is scratch
    assert tree.tree["edges"][0] <= 16 * EDGES
    assert visits.sum() == 500


def test_memory_is_bounded_over_many_tables(monkeypatch):
    batch = Batch(PEBBLES, MOST_TREES + 20, 2, seed=1)
    player = by_puct(untrained(PEBBLES), "8", seed=1)
    for _ in range(3):
        batch.step(player.act(Turns.of_batch(batch, np.arange(batch.games))))
    assert len(player._thinkers[0].trees) == MOST_TREES
    monkeypatch.setattr("alarife.players.guiding.MOST_MEMORY", 1)
    player.reset(1)
    player.act(Turns.of_batch(batch, np.arange(batch.games)))
    assert len(player._thinkers[0].trees) == 1


def test_a_guided_tree_is_used_again_at_the_next_decision():
    table = Table(PEBBLES, 2, seed=3)
    policy = untrained(PEBBLES)
    kept, fresh = by_puct(policy, "400", seed=1), by_puct(policy, "400:reuse=false", seed=1)
    picked, before, _ = searched(kept, table)
    assert before.sum() == 400
    reply = table.clone().play(picked)
    while reply.seat != table.seat:
        reply.play(reply.legal()[0])
    fresh.search(Turns.of_table(table))
    assert searched(kept, reply)[1].sum() > 400
    assert searched(fresh, reply)[1].sum() == 400


def test_forced_decisions_are_not_searched():
    table = Table(PEBBLES, 2, {"passing": False}, seed=1)
    table.state.piles[:] = [1, 0, 0]
    table.refresh()
    player = Guided(untrained(PEBBLES), "50", seed=1)
    assert player.act(Turns.of_table(table))[0] == table.legal()[0]
    assert player.playouts == 0


@pytest.mark.parametrize("root", ["puct", "halving", "gains"])
def test_time_budgets_play_at_least_one_round(root):
    table = Table(PEBBLES, 2, seed=1)
    for threads in (1, 2):
        player = Guided(untrained(PEBBLES), f"1ms:root={root}:threads={threads}", seed=1)
        assert player.act(Turns.of_table(table))[0] in table.legal()
        assert player.playouts > 0


def test_same_seed_same_guided_search():
    table = Table(PEBBLES, 4, seed=8)
    policy = untrained(PEBBLES, spread=0.3)
    runs = [searched(Guided(policy, "100", seed=seed), table)[1:] for seed in (5, 5, 6)]
    assert all(np.array_equal(a, b) for a, b in zip(runs[0], runs[1], strict=True))
    assert any(not np.array_equal(a, b) for a, b in zip(runs[0], runs[2], strict=True))


@pytest.mark.parametrize("root", ["puct", "halving", "gains"])
def test_threads_share_out_the_rounds_of_a_guided_search(root):
    """Three threads together make as many playouts as one, each with a tree and a future of its own."""
    table = Table(PEBBLES, 3, seed=8)
    policy = untrained(PEBBLES, spread=0.3, reward="score")
    alone, shared = (Guided(policy, f"90:root={root}:mix=0.5{more}", seed=5) for more in ("", ":threads=3"))
    visits, shared_visits = searched(alone, table)[1], searched(shared, table)[1]
    assert alone.playouts == shared.playouts == visits.sum() == shared_visits.sum()
    parts = [thinker.tree.tallies()[0] for thinker in shared._thinkers]
    assert np.array_equal(np.sum(parts, 0), shared_visits)
    assert all(part.sum() > 0 for part in parts)
    assert len({thinker.stream.tobytes() for thinker in shared._thinkers}) == 3
    if root != "puct":
        assert sorted(visits[visits > 0]) == sorted(shared_visits[shared_visits > 0])


def test_what_threads_of_a_guided_search_found_out_is_added_up():
    """The dare wins 10 or nothing beside the safe 6: 100 calls of each of three threads, about half of them right."""
    player = Guided(untrained(SAFE_OR_GUESS, reward="score"), "600:mix=1:rollout=random:threads=3", seed=1)
    _, visits, means = searched(player, Table(SAFE_OR_GUESS, seed=1))
    assert list(visits[[TAKE, DARE]]) == [300, 300]
    assert means[TAKE] == 6
    won = [thinker.tree.tallies()[1][DARE] / 10 for thinker in player._thinkers]
    assert [25 < count < 75 for count in won] == [True] * 3  # of 100
    assert len(set(won)) > 1
    assert means[DARE] == pytest.approx(10 * sum(won) / 300)
    assert player._tallies["total"][DARE] == pytest.approx(10 * sum(won))


@pytest.mark.parametrize("settings", ["100:threads=3", "100:root=puct:threads=2", "100:root=halving:threads=2"])
def test_the_same_seed_and_threads_lead_alike(settings):
    table = Table(PEBBLES, 4, seed=8)
    policy = untrained(PEBBLES, spread=0.3)
    runs = [searched(Guided(policy, settings, seed=5), table) for _ in range(3)]
    assert all(np.array_equal(a, b) for run in runs[1:] for a, b in zip(runs[0], run, strict=True))


def test_more_threads_take_no_more_memory(monkeypatch):
    """What all trees may take is shared out among those who think."""
    monkeypatch.setattr("alarife.players.guiding.MOST_MEMORY", 2**20)
    table = Table(PEBBLES, 3, seed=8)
    rooms = []
    for threads in (1, 4):
        player = Guided(untrained(PEBBLES), f"1ms:threads={threads}", seed=5)
        searched(player, table)
        rooms.append([len(thinker.tree.nodes) for thinker in player._thinkers])
    assert len(rooms[1]) == 4
    assert len({*rooms[1]}) == 1
    assert rooms[0][0] // 4 == rooms[1][0]


@pytest.mark.parametrize("settings", ["30", "30:root=halving", "30:root=gains", "30:mix=0.5:information=own"])
def test_any_number_of_seats_and_of_rows_is_served(settings):
    policy = untrained(PEBBLES, spread=0.3)
    for seats in PEBBLES.seats:
        player = Guided(policy, settings, seed=1)
        batch = Batch(PEBBLES, 7, seats, seed=1)
        for _ in range(12):
            batch.step(player.act(Turns.of_batch(batch, np.arange(7))))  # an illegal action would raise
        assert play_out(Table(PEBBLES, seats, seed=1), [player] * seats).over


# --- names --------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    numpy_files = pytest.importorskip("safetensors.numpy")
    import json

    viva = find_game("viva")
    policy = untrained(viva, spread=0.1)
    card = {"format": "alarife policy", "format_version": 1, "game": "viva", "version": 1,
            "layout": viva.layout_digest, "hidden": [8]}  # fmt: skip

    def write(name="policy.safetensors", **changed):
        path = tmp_path / name
        path.write_bytes(with_checksum(numpy_files.save(policy.tensors | changed, {"alarife": json.dumps(card)})))
        return path

    return write


def test_a_guided_search_is_named_by_file_and_budget(file):
    path = file()
    assert find_player(f"guided:{path}", 1).settings == GuidedSettings()
    player = find_player(f"guided:{path}:50ms:random:mix=0.5:root=halving", 1)
    assert player.settings == GuidedSettings(milliseconds=50, rollout="random", mix=0.5, root="halving")
    table = Table(find_game("viva"), 2, seed=1)
    assert find_player(f"guided:{path}:10", 1).act(Turns.of_table(table))[0] in table.legal()


def test_the_agent_of_a_game_leads_by_name(file, monkeypatch):
    path = file()
    monkeypatch.setattr("alarife.players.guiding.TrainedPlayer.file_of", lambda game: path)
    table = Table(find_game("viva"), 2, seed=1)
    mine, named = find_player("guided:trained:20", 5), find_player(f"guided:{path}:20", 5)
    assert mine.act(Turns.of_table(table)) == named.act(Turns.of_table(table))
    mine.reset(5)
    assert find_player("guided:trained:20", 5).act(Turns.of_table(table)) == mine.act(Turns.of_table(table))


def test_the_path_may_hold_colons(file):
    assert find_player(f"guided:{file('C:drive:50.safetensors')}:30", 1).settings == GuidedSettings(playouts=30)


@pytest.mark.parametrize(("name", "says"), [
    ("guided", "a guided search is named guided:path/to/policy.safetensors:<playouts>, got 'guided:'"),
    ("guided:200", "a guided search is named guided:path"),
    ("guided:runs/best.zip:200", "a guided search is named guided:path"),
    ("guided:no/such.safetensors:200", "cannot read the checkpoint no/such.safetensors"),
])  # fmt: skip
def test_wrong_names_are_refused_in_a_sentence(name, says):
    with pytest.raises(AlarifeError, match=r"named guided|cannot read") as caught:
        find_player(name)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("settings", "says"), [
    ("0", "playouts from 1"),
    ("mix=2", "mix from 0 to 1, got 2"),
    ("mix=nan", "mix from 0 to 1, got nan"),
    ("temperature=0", "temperature from 0.01 to"),
    ("99999999999", "playouts from 1 to 2147483647, got 99999999999"),
    ("threads=0", "threads from 1 to 256, got 0"),
    ("reuse=yes", "takes true or false, got 'yes'"),
    ("root=random", "no root called 'random'"),
    ("width=3", "no setting called 'width'"),
    ("exploration=far", "takes a number, got 'far'"),
])  # fmt: skip
def test_wrong_settings_are_refused_in_a_sentence(settings, says):
    with pytest.raises(AlarifeError, match=says):
        Guided(untrained(PEBBLES), settings)


def test_numbers_that_are_not_finite_are_refused(file):
    wrong = np.full(1, np.nan, np.float32)
    with pytest.raises(FileError, match=r"value\.bias holds numbers that are not finite"):
        find_player(f"guided:{file(**{'value.bias': wrong})}:50")
    with pytest.raises(AlarifeError, match="the network for pebbles_v0 holds numbers that are not finite"):
        Guided(convinced(PEBBLES, np.nan))
    too_large = untrained(PEBBLES)
    for name in ("trunk.0.bias", "policy.weight"):
        too_large.tensors[name][:] = 3e38
    with np.errstate(over="ignore"), pytest.raises(AlarifeError, match="gave scores that are not finite"):
        Guided(too_large).act(Turns.of_table(Table(PEBBLES, 2, seed=1)))


@pytest.mark.parametrize("card", [{"reward": "gold"}, {"reward_scale": 0}, {"reward_scale": "much"}])
def test_a_card_that_says_no_units_of_value_is_refused(card):
    with pytest.raises(AlarifeError, match="names a reward of outcome, rank, score, margin and a reward_scale above 0"):
        Guided(untrained(PEBBLES, **card))


def test_a_table_of_another_game_is_refused(file):
    with pytest.raises(AlarifeError, match="this checkpoint plays viva_v1, the table is pebbles_v0"):
        find_player(f"guided:{file()}:10").act(Turns.of_table(Table(PEBBLES, 2, seed=1)))
