"""Search against what is known: by hand, by exhaustive search, by Kuhn's paper."""

import itertools

import numpy as np
import pytest

from alarife.engine.arrays import Scratch
from alarife.engine.errors import AlarifeError
from alarife.engine.random import Stream
from alarife.engine.table import Table
from alarife.evaluation import evaluate
from alarife.players import ISMCTS, MonteCarlo, Turns
from alarife.players.lookahead import best_by_gains
from alarife.players.searching import MOST_NODES, Settings
from alarife.search.ismcts import Node, Tree, searchers
from alarife.search.tree import MOST_DEPTH, Edge, Outcome, Step, Tally
from alarife.testing import sample_positions
from teaching_game import GAME as PEBBLES
from toy_games import KUHN, SAFE_OR_GUESS
from toy_games.kuhn import JACK, KING, QUEEN

TAKE, DARE = SAFE_OR_GUESS.actions.encode("take"), SAFE_OR_GUESS.actions.encode("dare")
CHECK, BET = KUHN.actions.encode("check"), KUHN.actions.encode("bet")


def searched(player, table):
    actions, visits, means = player.search(Turns.of_table(table))
    assert table.mask[actions[0]]
    return visits[0], means[0]


# --- tiny games with known answers --------------------------------------------------------------------


def best_outcomes(table):
    """The actions that win, or else draw, for the seat to decide when everybody sees everything: by trying all."""

    def value(here, seat):
        if here.over:
            places = here.places()
            return (places[seat] == 1) - 0.5 * (places.count(1) == 2)
        values = [value(here.clone().play(action), seat) for action in here.legal()]
        return max(values) if here.seat == seat else min(values)

    seat = table.seat
    values = {action: value(table.clone().play(action), seat) for action in table.legal()}
    return {action for action, worth in values.items() if worth == max(values.values())}


def clear_positions(count):
    """Late positions of Pebbles in which some actions are best, and others worse, whatever pile the other likes."""
    found = []
    for table in sample_positions(PEBBLES, 2, {"passing": False}, games=60, each=8, seed=5):
        if table.over or not 2 <= sum(table.state.piles) <= 5 or len(table.legal()) < 2:
            continue
        best = set(table.legal())
        for lucky in range(3):
            case = table.clone()
            other = 1 - case.seat
            case.state.lucky[other] = lucky
            case.state.points[other] = sum(case.state.taken[other]) + case.state.taken[other, lucky]
            best &= best_outcomes(case.refresh())
        if best and len(best) < len(table.legal()):
            found.append((table.clone(), best))
    assert len(found) >= count
    return found[:count]


@pytest.mark.parametrize("information", ["own", "each"])
def test_the_best_action_of_a_solved_position_is_found(information):
    for table, best in clear_positions(25):
        player = ISMCTS(f"2000:information={information}:rollout=random", seed=1)
        assert player.act(Turns.of_table(table))[0] in best


def test_more_playouts_find_more_of_the_best_actions():
    """In 300 searches of solved positions. Three standard errors of a difference of such shares are 0.065."""
    positions = clear_positions(25)

    def share(playouts):
        player = ISMCTS(str(playouts), seed=1)
        return np.mean([player.act(Turns.of_table(table))[0] in best for table, best in positions * 12])

    assert share(100) - share(4) > 0.065


def test_ten_times_the_budget_wins_more_games(tmp_path):
    """In Patios, whose games are long enough; in Pebbles whoever begins has all but won."""
    pytest.importorskip("openskill")
    few, many = "ismcts:4:cut=30", "ismcts:40:cut=30"
    summary = evaluate("patios", [few, many], 2, games=40, seed=3, out=tmp_path)
    assert not summary.forfeits
    assert summary.against[many, few].low > 0.5


def test_a_tree_over_information_sets_does_not_think_that_it_can_guess():
    """Solving each coin by itself would value the dare at 10. It is worth 5, and the safe points 6."""
    table = Table(SAFE_OR_GUESS, seed=1)
    visits, means = searched(ISMCTS("4000:rollout=random", seed=1), table)
    assert visits[TAKE] == visits[DARE] == 2000
    assert means[TAKE] == 6
    assert abs(means[DARE] - 5) < 1.5
    assert ISMCTS("400", seed=2).act(Turns.of_table(table))[0] == TAKE


def test_flat_monte_carlo_values_actions_by_their_mean():
    table = Table(SAFE_OR_GUESS, seed=1)
    visits, means = searched(MonteCarlo("2000:rollout=random", seed=1), table)
    assert list(visits[[TAKE, DARE]]) == [1000, 1000]
    assert means[TAKE] == 6
    assert abs(means[DARE] - 5) < 5 * 5 / 1000**0.5  # five standard errors
    assert MonteCarlo("200", seed=1).act(Turns.of_table(table))[0] == TAKE


def kuhn(first, second, *actions):
    table = Table(KUHN, seed=1)
    table.state.card[:] = [first, second]
    table.refresh()
    for action in actions:
        table.play(action)
    return table


POKER = "30000:information=each:rollout=random:reward=score:widening=100:patience=0"


def test_kuhn_poker_is_worth_an_eighteenth_to_the_second_player():
    values = []
    for card in (JACK, QUEEN, KING):
        visits, means = searched(ISMCTS(POKER, seed=card), kuhn(card, (card + 1) % 3))
        values.append(means[visits > 0].max())
    assert abs(np.mean(values) + 1 / 18) < 0.1
    assert values[0] < values[1] < values[2]


@pytest.mark.parametrize(("card", "action"), [(JACK, CHECK), (KING, BET)])
def test_nobody_calls_with_a_jack_or_folds_a_king(card, action):
    """Whatever the first player holds, folding the king or calling with the jack only loses."""
    _, means = searched(ISMCTS(POKER, seed=3), kuhn((card + 1) % 3, card, BET))
    assert means[action] > means[BET + CHECK - action]
    assert ISMCTS(POKER, seed=3).act(Turns.of_table(kuhn((card + 1) % 3, card, BET)))[0] == action


# --- nothing hidden is used ---------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["mc", "ismcts", "each"])
def test_searches_do_not_depend_on_what_the_seat_cannot_know(player):
    make = {"mc": lambda: MonteCarlo("60", seed=9), "ismcts": lambda: ISMCTS("60", seed=9),
            "each": lambda: ISMCTS("60:information=each", seed=9)}[player]  # fmt: skip
    differing = 0
    for table in sample_positions(PEBBLES, 3, games=4, each=5, seed=2):
        if table.over or len(table.legal()) < 2:
            continue
        other = table.fork(table.seat, 77)
        differing += list(other.state.lucky) != list(table.state.lucky)
        for ours, theirs in zip(searched(make(), table), searched(make(), other), strict=True):
            assert np.array_equal(ours, theirs)
    assert differing > 5


# --- the machinery ------------------------------------------------------------------------------------


def grown(game, table, rounds, nodes, interpreted, **settings):
    scratch = Scratch(game, interpreted=interpreted)
    tree, path = Tree.zeros(1), Step.zeros(MOST_DEPTH)
    tree["low"], tree["high"] = -1, 1
    arrays = np.full(2 * nodes, -1, np.int32), Node.zeros(nodes), Edge.zeros(2 * nodes)
    plan = Settings(**settings).plan(table.game, table.players)
    tallies = Tally.zeros(game.actions.size)
    forks = table.fork_states(table.seat, np.array([4], np.uint64))
    order = np.array(table.legal())
    searchers(game, interpreted).grow(*scratch.thinking, Outcome.zeros(1), path, tallies, Stream.zeros(1), plan, tree,
                                      *arrays, forks, 0, rounds, order)  # fmt: skip
    return tree[0], arrays, scratch.marks, tallies


@pytest.mark.parametrize(
    "settings", [{}, {"patience": 0}, {"information": "each", "rollout": "random"}, {"reward": "margin", "cut": 2}]
)
def test_compiled_and_interpreted_searches_agree(settings):
    table = Table(PEBBLES, 3, seed=4)
    trees = [grown(PEBBLES, table, 8, 200, interpreted, **settings) for interpreted in (False, True)]
    (a, arrays_a, _, tallies_a), (b, arrays_b, _, tallies_b) = trees
    assert a["nodes"] > 10
    assert a.tobytes() == b.tobytes()
    assert tallies_a.tobytes() == tallies_b.tobytes()
    assert all(x.tobytes() == y.tobytes() for x, y in zip(arrays_a, arrays_b, strict=True))


def test_every_playout_is_counted_once_at_the_root():
    table = Table(PEBBLES, 2, seed=4)
    tree, (_, nodes, edges), marks, tallies = grown(PEBBLES, table, 50, 1000, False)
    assert list(np.flatnonzero(tallies["visits"])) == sorted(table.legal())
    assert set(tallies["visits"][table.legal()]) == {50}
    assert nodes["visits"].sum() < 50 * len(table.legal()) * MOST_DEPTH
    assert not marks.any()
    assert np.all(edges["available"][: tree["edges"]] >= edges["visits"][: tree["edges"]])


def test_a_full_tree_goes_on_without_new_nodes():
    table = Table(PEBBLES, 2, seed=4)
    tree, _, _, tallies = grown(PEBBLES, table, 50, 8, False)
    assert tree["nodes"] == 8
    assert tree["edges"] <= 16
    assert tallies["visits"].sum() == 50 * len(table.legal())


def test_actions_meet_the_same_deals():
    """The coin is the same for both actions of a round, so what the dare gains on the safe 6 is 4 or -6, never else."""
    table = Table(SAFE_OR_GUESS, seed=1)
    tallies = grown(SAFE_OR_GUESS, table, 400, 0, False, rollout="random", reward="score")[-1]
    first, second = table.legal()
    assert tallies["gain"][first] == tallies["square"][first] == 0
    won, lost = tallies["total"][second] / 10, 400 - tallies["total"][second] / 10
    assert 150 < won < 250
    assert tallies["gain"][second] == 4 * won - 6 * lost
    assert tallies["square"][second] == 16 * won + 36 * lost
    assert list(tallies["visits"][[first, second]]) == [400, 400]


# --- the root -----------------------------------------------------------------------------------------


def told(order, worth, **settings):
    """The action chosen, and how often each was tried, where each playout of an action is worth `worth(action, i)`."""
    asked = Settings(**settings)
    tallies = Tally.zeros(len(order))

    def grow(tried, rounds):
        for _ in range(rounds):
            i = int(tallies["visits"][order[0]])
            for action in tried:
                gain = worth(action, i) - worth(order[0], i)
                tallies["visits"][action] += 1
                tallies["gain"][action] += gain
                tallies["square"][action] += gain**2

    return best_by_gains(asked, np.array(order), grow, tallies, asked.lead), list(tallies["visits"])


def test_the_worse_half_is_dropped_and_the_rest_shares_the_budget():
    best, visits = told(range(8), lambda action, i: action, playouts=240)
    assert best == 7
    assert visits == [70, 10, 10, 10, 10, 30, 30, 70]
    assert sum(visits) == 240


def test_a_budget_is_never_exceeded():
    for count in range(2, 30):
        for playouts in range(1, 60):
            assert sum(told(range(count), lambda action, i: -action, playouts=playouts)[1]) <= playouts


def test_the_advice_is_followed_until_another_action_is_surely_better():
    def lucky_once(action, i):
        return action * (i == 0)

    def better_by_half(action, i):
        return action * (i % 2)

    assert told([0, 1], lucky_once, playouts=40)[0] == 0
    assert told([0, 1], lucky_once, playouts=40, lead=0.5)[0] == 1
    assert told([0, 1], better_by_half, playouts=40)[0] == 1
    assert told([0, 1], better_by_half, playouts=40, lead=4)[0] == 0


def last_pebble(first, second):
    """Seat 0 may take the last pebble, of its lucky pile, or pass; seat 1 has passed already."""
    table = Table(PEBBLES, 2, seed=1)
    state = table.state
    state.piles[:] = [0, 0, 1]
    state.taken[0, :], state.taken[1, :] = first, second
    state.lucky[0], state.lucky[1], state.passed[1] = 2, 2, 1
    state.points[0], state.points[1] = sum(first) + first[2], sum(second) + second[2]
    return table.refresh()


def test_values_are_those_of_the_seat_to_decide():
    take, leave = PEBBLES.actions.encode("take", pile=2, count=0), PEBBLES.actions.encode("pass_turn")
    # Taken, it makes 6 and 2 points, against 7, 8 or 9, which are equally likely. Left, the other has 8 or more.
    visits, means = searched(ISMCTS("3000:rollout=random", seed=1), last_pebble([2, 2, 1], [1, 2, 3]))
    assert visits.sum() == 3000
    assert abs(means[take]) < 0.1
    assert means[leave] == -1
    # Now 12 and 2 points are enough in any case, and so are 12.
    _, means = searched(ISMCTS("300", seed=1), last_pebble([2, 2, 4], [1, 2, 0]))
    assert means[take] == means[leave] == 1


def test_forced_decisions_are_not_searched():
    table = Table(PEBBLES, 2, {"passing": False}, seed=1)
    table.state.piles[:] = [1, 0, 0]
    table.refresh()
    for player in (ISMCTS("50", seed=1), MonteCarlo("50", seed=1)):
        assert player.act(Turns.of_table(table))[0] == table.legal()[0]
        assert player.playouts == 0


def test_a_table_for_one_is_valued_by_score_and_others_by_outcome():
    assert Settings().plan(PEBBLES, 1)["mode"][0] == 2
    assert Settings().plan(PEBBLES, 3)["mode"][0] == 0
    assert Settings(reward="rank").plan(PEBBLES, 3)["mode"][0] == 1


def test_time_budgets_play_at_least_one_round():
    table = Table(PEBBLES, 2, seed=1)
    for player in (ISMCTS("1ms", seed=1), MonteCarlo("1ms", seed=1), ISMCTS("1ms:threads=2", seed=1)):
        assert player.act(Turns.of_table(table))[0] in table.legal()
        assert player.playouts > 0


def test_settings_are_read_from_words():
    assert Settings.parse("") == Settings()
    assert Settings.parse("1000") == Settings(playouts=1000)
    assert Settings.parse("500ms:random:cut=100:lead=0.5") == Settings(
        milliseconds=500, rollout="random", cut=100, lead=0.5
    )


@pytest.mark.parametrize(("text", "says"), [
    ("0", "playouts from 1 to 2147483647, got 0"),
    ("99999999999", "playouts from 1 to 2147483647, got 99999999999"),
    ("9" * 5000, "a number of playouts such as 100"),
    ("0ms", "milliseconds from 1"),
    ("-5", "a number of playouts such as 100, a time such as 500ms"),
    ("abc", "a number of playouts such as 100, .* got 'abc'"),
    ("100:100ms", "one budget, playouts or milliseconds, got both in '100:100ms'"),
    ("100:200", "told its playouts once, got '100:200'"),
    ("100:cut=1:cut=2", "told its cut once"),
    ("100:rollout=never", "no rollout called 'never'"),
    ("100:cut=99999999999", "cut from 0 to 2147483647, got 99999999999"),
    ("100:patience=9999999999", "patience from 0 to 2147483647, got 9999999999"),
    ("100:exploration=inf", "exploration from 0 to 2147483647, got inf"),
    ("100:depth=3", "no setting called 'depth'"),
    ("100:cut=far", "cut of a search takes a whole number, got 'far'"),
    ("100:lead=far", "lead of a search takes a number, got 'far'"),
    ("100:reward=gold", "no reward called 'gold'"),
    ("100:lead=-1", "lead from 0 to 2147483647, got -1.0"),
    ("100:threads=0", "threads from 1 to 256, got 0"),
])  # fmt: skip
def test_wrong_settings_are_refused_in_a_sentence(text, says):
    with pytest.raises(AlarifeError, match=says):
        Settings.parse(text)


def test_the_largest_settings_are_played_with():
    """They fit into the kernels' fields, and a tree takes no more memory than it may."""
    table = Table(SAFE_OR_GUESS, seed=1)
    most = 2**31 - 1
    player = ISMCTS(f"20:cut={most}:patience={most}:lead={most}:exploration={most}:widening={most}", seed=1)
    assert player.act(Turns.of_table(table))[0] == TAKE
    assert len(ISMCTS(str(most))._thinkers[0]._tree.nodes) == MOST_NODES


def test_same_seed_same_search():
    table = Table(PEBBLES, 4, seed=8)
    for kind in (ISMCTS, MonteCarlo):
        runs = [searched(kind("100", seed=seed), table) for seed in (5, 5, 6)]
        assert all(np.array_equal(a, b) for a, b in zip(runs[0], runs[1], strict=True))
        assert any(not np.array_equal(a, b) for a, b in zip(runs[0], runs[2], strict=True))


@pytest.mark.parametrize("kind", [ISMCTS, MonteCarlo])
def test_threads_share_out_the_rounds_of_a_budget(kind):
    """90 playouts of 9 actions are 10 rounds or fewer a part; three threads together play what one does, no more."""
    table = Table(PEBBLES, 3, seed=8)
    alone, shared = kind("90", seed=5), kind("90:threads=3", seed=5)
    visits, shared_visits = searched(alone, table)[0], searched(shared, table)[0]
    assert alone.playouts == shared.playouts == visits.sum() == shared_visits.sum()
    assert sorted(visits[visits > 0]) == sorted(shared_visits[shared_visits > 0])
    assert all(thinker.tallies["visits"].sum() > 0 for thinker in shared._thinkers)
    assert len({thinker.stream.tobytes() for thinker in shared._thinkers}) == 3  # each has a future of its own


def test_what_threads_found_out_is_added_up():
    """The dare's gain on the safe 6 is 4 or -6, whoever of the three met it."""
    table = Table(SAFE_OR_GUESS, seed=1)
    player = MonteCarlo("600:random:reward=score:threads=3", seed=1)
    visits, means = searched(player, table)
    assert list(visits[[TAKE, DARE]]) == [300, 300]
    assert means[TAKE] == 6
    won = [thinker.tallies["total"][DARE] / 10 for thinker in player._thinkers]
    assert [30 < count < 70 for count in won] == [True] * 3  # of 100
    assert len(set(won)) > 1
    assert means[DARE] == pytest.approx(10 * sum(won) / 300)


@pytest.mark.parametrize("settings", ["100:threads=3", "100:random:threads=2"])
def test_the_same_seed_and_threads_search_alike(settings):
    table = Table(PEBBLES, 4, seed=8)
    for kind in (ISMCTS, MonteCarlo):
        runs = [searched(kind(settings, seed=5), table) for _ in range(3)]
        assert all(np.array_equal(a, b) for run in runs[1:] for a, b in zip(runs[0], run, strict=True))


def test_threads_find_the_best_action_of_a_solved_position():
    for table, best in clear_positions(10):
        assert ISMCTS("2000:threads=2:patience=0", seed=1).act(Turns.of_table(table))[0] in best


def test_any_number_of_seats_is_served():
    for kind, seats in itertools.product((ISMCTS, MonteCarlo), PEBBLES.seats):
        table = Table(PEBBLES, seats, seed=1)
        player = kind("30", seed=1)
        asked = set()
        while not table.over:
            asked.add(table.seat)
            table.play(int(player.act(Turns.of_table(table))[0]))  # an illegal action would raise
        assert asked == set(range(seats))
