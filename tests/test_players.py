"""Whoever can sit at a table: naming, seeds, and what a cheat cannot find."""

import gc
import types

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.players import ISMCTS, MonteCarlo, RandomPlayer, ScriptedPlayer, Turns, find_player, play_out
from alarife.players.person import PersonPlayer
from alarife.players.turns import ask
from alarife.testing import sample_positions
from teaching_game import GAME as PEBBLES


class FirstLegal:
    """Somebody's own player."""

    def __init__(self, seed=None):
        self.seed = seed

    def act(self, turns):
        return turns.action_mask.argmax(1)


class NoPlayer:
    def __init__(self, seed=None):
        pass


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kind"), [
    ("random", RandomPlayer), ("scripted", ScriptedPlayer), ("person", PersonPlayer), ("mc:50", MonteCarlo),
    ("mc", MonteCarlo), ("ismcts:100:cut=20", ISMCTS), (f"{__name__}:FirstLegal", FirstLegal),
])  # fmt: skip
def test_players_are_found_by_name(name, kind, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, __name__, types.SimpleNamespace(FirstLegal=FirstLegal))
    assert type(find_player(name, 3)) is kind


def test_a_player_itself_is_handed_back():
    mine = FirstLegal()
    assert find_player(mine) is mine


@pytest.mark.parametrize(("name", "says"), [
    ("radnom", "Did you mean 'random'"),
    ("random:3", "no player called 'random:3'"),
    ("mc:fast", "no rollout called 'fast'"),
    ("runs/nothing/there", "there is no checkpoint runs/nothing/there"),
    ("no_such.module:Player", "cannot be imported"),
    ("collections:OrderedDict", "no player called"),
])  # fmt: skip
def test_unknown_players_are_refused_in_a_sentence(name, says):
    with pytest.raises(AlarifeError, match=says):
        find_player(name, 0)


def test_what_cannot_act_is_no_player(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "some.where", types.SimpleNamespace(NoPlayer=NoPlayer))
    for player in (NoPlayer(), "some.where:NoPlayer"):
        with pytest.raises(AlarifeError, match=r"needs a method act\(turns\)"):
            find_player(player)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a policy")
    with pytest.raises(AlarifeError, match=r"notes\.txt"):
        find_player(str(path))


# --- seeds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random", "scripted", "mc:10", "ismcts:10"])
def test_the_same_seed_plays_the_same_game(name):
    def game(seed):
        table = Table(PEBBLES, 3, seed=4)
        return play_out(table, [find_player(name, seed + p) for p in range(3)]).history

    assert game(1) == game(1)
    assert name == "scripted" or any(game(1) != game(seed) for seed in (11, 21, 31))


@pytest.mark.parametrize("name", ["random", "scripted", "mc:10", "ismcts:10"])
def test_batches_are_answered_row_by_row(name):
    batch = Batch(PEBBLES, 9, [2, 3, 4], seed=1)
    player = find_player(name, 1)
    rows = np.array([7, 2, 3])
    turns = Turns.of_batch(batch, rows)
    assert list(turns.table) == [7, 2, 3]
    actions = ask(player, turns, name)
    assert actions.shape == (3,)
    assert np.all(batch.action_mask[rows, actions] == 1)


# --- the protocol -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "says"), [
    ([[0]], "has to answer 1 whole numbers"),
    ([0.5], "has to answer 1 whole numbers"),
    ([-1], "not legal"),
    ([9999], "not legal"),
])  # fmt: skip
def test_wrong_answers_are_refused_in_a_sentence(answer, says):
    player = types.SimpleNamespace(act=lambda turns: answer)
    with pytest.raises(IllegalAction, match=says):
        ask(player, Turns.of_table(Table(PEBBLES, 2, seed=1)), "cheat")


def test_a_player_that_needs_no_forks_gets_none():
    turns = Turns.of_table(Table(PEBBLES, 2, seed=1), RandomPlayer(1))
    with pytest.raises(AlarifeError, match="forks = False"):
        turns.fork(np.zeros(1, np.uint64))
    with pytest.raises(ValueError, match="one key for each of the 1 rows"):
        Turns.of_table(Table(PEBBLES, 2, seed=1)).fork(np.zeros(2, np.uint64))


def test_a_person_is_shown_the_seat_and_asked_until_the_answer_is_a_legal_number(capsys):
    table = Table(PEBBLES, 2, seed=1)
    answers = iter(["", "take", "99", "1"])
    person = PersonPlayer(ask=lambda prompt: next(answers))
    assert person.act(Turns.of_table(table))[0] == table.legal()[1]
    shown = capsys.readouterr()
    assert table.phrase(table.legal()[1]) in shown.out
    assert table.text(table.seat) in shown.out
    assert shown.err.count("Type a number") == 3


def test_a_person_may_leave():
    def gone(prompt):
        raise EOFError

    with pytest.raises(AlarifeError, match="player_0 has left the table"):
        PersonPlayer(ask=gone).act(Turns.of_table(Table(PEBBLES, 2, seed=1)))


# --- what a cheat cannot find -------------------------------------------------------------------------


def reachable(start):
    """Every object that can be reached from one by references, closures included; modules and types left out."""
    seen, waiting = {}, [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (types.ModuleType, type, types.CodeType)):
            continue
        seen[id(thing)] = thing
        if isinstance(thing, types.FunctionType):
            waiting += [cell.cell_contents for cell in thing.__closure__ or ()]
        else:
            waiting += gc.get_referents(thing)
        if isinstance(thing, np.ndarray) and thing.base is not None:
            waiting.append(thing.base)
    return seen.values()


def records(turns, game):
    """All states of the game that can be reached from turns, the arrays they are views of included."""
    arrays = [thing for thing in reachable(turns) if isinstance(thing, np.ndarray)]
    return [array for array in arrays if array.dtype == game.state.dtype]


@pytest.mark.parametrize("name", ["pebbles", "viva"])
def test_no_true_state_can_be_reached_from_turns(name):
    game = find_game(name)
    hidden = {"pebbles": "lucky", "viva": "hand"}[name]
    secrets = [field for field in game.state.dtype.names if field in (hidden, "rng")]
    guessed = positions = 0
    for table in sample_positions(game, 4, games=8, each=6, seed=3):
        if table.over:
            continue
        batch = Batch(game, 3, 4, seed=5, options=table.options)
        batch.load(np.concatenate([table.states] * 3))
        for turns in (Turns.of_table(table), Turns.of_batch(batch, np.arange(3))):
            found = records(turns, game)
            assert len(found) == 1, "only the redrawn states are there"
            assert len(found[0]) == len(turns)
            assert np.all(found[0]["rng"] == 0), "the key that redrew them is gone"
            assert not any(isinstance(thing, (Table, Batch)) for thing in reachable(turns))
        assert int(table.states["rng"][0]) not in [t for t in reachable(turns) if isinstance(t, int)]
        others = [p for p in range(4) if p != table.seat]
        guessed += np.array_equal(found[0][0][hidden][others], table.states[0][hidden][others])
        positions += 1
    assert positions > 20
    assert guessed < positions / 2
    assert len(secrets) == 2


def test_what_is_redrawn_tells_nothing_about_the_truth():
    """Of three equally likely piles the redrawn one is the true one in a third of all deals, forked again or not."""
    batch = Batch(PEBBLES, 3000, 2, seed=9)
    turns = Turns.of_batch(batch, np.arange(3000))
    other = 1 - turns.seat
    truth = batch.state["lucky"][np.arange(3000), other]
    sealed = turns._sealed["lucky"][np.arange(3000), other]
    forked = turns.fork(np.zeros(3000, np.uint64))["lucky"][np.arange(3000), other]
    again = turns.fork(np.arange(3000, dtype=np.uint64))["lucky"][np.arange(3000), other]
    for redrawn in (sealed, again):
        assert abs((redrawn == truth).mean() - 1 / 3) < 4 * (2 / 9 / 3000) ** 0.5  # four standard errors
    assert len(set(forked)) == 1, "the same key redraws the same pile, whatever the truth"


def test_what_a_player_is_given_is_its_own():
    batch = Batch(PEBBLES, 2, 2, seed=1)
    turns = Turns.of_batch(batch, np.arange(2))
    before = batch.state.tobytes(), batch.observation.tobytes(), batch.action_mask.tobytes()
    for array in (turns.observation, turns.action_mask, turns.seat, turns.players, turns._sealed):
        array.view(np.uint8)[:] = 0
    assert (batch.state.tobytes(), batch.observation.tobytes(), batch.action_mask.tobytes()) == before
