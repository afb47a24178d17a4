"""Games forwards and backwards, and what players think of their decisions."""

from dataclasses import replace

import numpy as np
import pytest

import alarife
from alarife.engine.registry import find_game
from alarife.engine.replay import record
from alarife.engine.steps import EVERY, Steps
from alarife.engine.table import Table
from alarife.players import Turns, find_player
from alarife.players.policy import NetworkPlayer, Policy, shapes_of
from alarife.players.thoughts import think
from teaching_game import GAME


def a_game(decisions=3 * EVERY // 2):
    """A table after so many decisions, and the bytes of each position before it."""
    table, random, seen = Table(find_game("viva"), 3, seed=4, interpreted=True), np.random.default_rng(1), []
    for _ in range(decisions):
        seen.append(table.to_bytes())
        table.play(int(random.choice(table.legal())))
    return table, seen


def test_a_replay_is_stepped_in_any_order():
    table, seen = a_game()
    steps = record(table).steps()
    assert len(steps) == len(seen)
    for number in (0, 7, 6, len(seen) - 1, EVERY + 1, EVERY, EVERY - 1, 1, 0):
        assert steps.at(number).to_bytes() == seen[number]
    assert steps.at(len(seen)).to_bytes() == table.to_bytes()
    for wrong in (-1, len(seen) + 1, 1.5):
        with pytest.raises(alarife.AlarifeError, match="this game has decisions 0 to 75"):
            steps.at(wrong)


def test_a_replay_that_does_not_follow_says_where_and_still_shows_what_came_before():
    table, seen = a_game(3)
    replay = record(table)
    replay.decisions.append(replay.decisions[-1])
    replay.decisions[2] = replace(replay.decisions[2], action="catch()")
    steps = replay.steps()
    for _ in range(2):
        with pytest.raises(alarife.AlarifeError, match=r"^decision 3: player_"):
            steps.at(4)
        assert [steps.at(number).to_bytes() for number in (2, 0, 1)] == [seen[number] for number in (2, 0, 1)]


def test_what_is_done_with_a_step_changes_no_other():
    steps = record(a_game(3)[0]).steps()
    before = steps.at(2).to_bytes()
    look = steps.at(2)
    look.play(look.legal()[0])
    assert steps.at(2).to_bytes() == before


def test_a_table_tells_its_last_moves_as_a_seat_heard_them():
    """In Patios nobody but the owner hears which card is put face down."""
    table, told = Table(find_game("patios"), 2, seed=3), []
    for _ in range(3):
        told.append((table.seat, [table.phrase(table.legal()[0], viewer) for viewer in (None, 0, 1)]))
        table.play(table.legal()[0])
    owner, (whole, *_) = told[-1]
    assert whole.startswith("places the ")
    for viewer, at in ((None, 0), (0, 1), (1, 2)):
        heard = table.last_moves(2, viewer)
        assert [(one.seat, one.phrase) for one in heard] == [(seat, words[at]) for seat, words in told[1:]]
        assert bool(heard[-1].places) == (viewer in (None, owner))
    assert table.fork(0, 1).last_moves(2) == []


def test_decisions_are_added_and_cut():
    start = Table(GAME, seed=3)
    steps = Steps(start)
    table = start.clone()
    for _ in range(4):
        action = table.legal()[0]
        steps.add(action, table.play(action))
    assert steps.at(4).to_bytes() == table.to_bytes()
    second = steps.at(2).to_bytes()
    steps.cut(2)
    assert (len(steps), steps.at(2).to_bytes()) == (2, second)
    other = Table(GAME, seed=9)
    steps.cut(1, other)
    assert steps.at(1).to_bytes() == other.to_bytes()
    assert steps.at(0).to_bytes() == start.to_bytes()
    steps.cut(0, other)
    assert steps.at(0).to_bytes() == other.to_bytes()


def a_network(hidden, **arrays):
    """A network whose arrays are all 0 but for those given."""
    tensors = {name: np.zeros(shape, np.float32) for name, shape in shapes_of(GAME, hidden).items()}
    tensors["input.scale"] += 1
    for name, values in arrays.items():
        tensors[name][:] = values
    return Policy(GAME, {"hidden": hidden, "reward_scale": 0.5}, tensors)


def test_a_network_tells_its_probabilities_and_its_value():
    """Scores of log 3 and 0 on two legal actions are shares of three quarters and one quarter (of the rest 0)."""
    table = Table(GAME, seed=2)
    first, *others = table.legal()
    bias = np.full(GAME.actions.size, 50.0)  # of what is not legal: no share, whatever its score
    bias[others], bias[first] = 0, np.log(3 * len(others))
    for hidden in ([], [4]):
        policy = a_network(hidden, **{"policy.bias": bias, "value.bias": 0.2})
        shares = NetworkPlayer(policy, 0).probabilities(Turns.of_table(table))[0]
        assert shares[first] == pytest.approx(0.75)
        assert shares[others] == pytest.approx(0.25 / len(others))
        assert shares.sum() == pytest.approx(1)
        thought = think(NetworkPlayer(policy, 0), Turns.of_table(table))
        assert thought.choice == first
        assert thought.value == pytest.approx(0.4)  # 0.2, in rewards that were halved for training


def test_the_value_depends_on_what_is_seen():
    table = Table(GAME, seed=2)
    seen = table.observe()
    policy = a_network([], **{"value.weight": 1.0, "input.shift": 0.5})
    value = NetworkPlayer(policy, 0).values(Turns.of_table(table))[0]
    assert value == pytest.approx(2 * float((seen - 0.5).sum()))


def test_searches_tell_visits_and_values_and_others_their_choice():
    table = Table(GAME, seed=2)
    thought = think(find_player("ismcts:60", 1), Turns.of_table(table))
    assert sum(thought.visits.values()) >= 40
    assert set(thought.visits) == set(table.legal())
    assert thought.choice in thought.values
    told = think(find_player("scripted", 1), Turns.of_table(table)).to_dict()
    assert told["actions"] == []
    assert told["choice"] in table.legal()
