"""Whoever can sit at a table: naming, seeds, and what a cheat cannot find."""

import dataclasses
import gc
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.registry import find_game, game_names
from alarife.engine.table import Table
from alarife.players import (
    ISMCTS,
    MonteCarlo,
    RandomPlayer,
    ScriptedPlayer,
    Turns,
    find,
    find_player,
    is_person,
    play_out,
)
from alarife.players.guiding import GuidedSettings
from alarife.players.person import PersonPlayer
from alarife.players.searching import Settings
from alarife.players.speech import as_you
from alarife.players.turns import ask, decide
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


class Seedless(FirstLegal):
    def __init__(self):
        super().__init__()


class Broken(FirstLegal):
    def __init__(self, seed=None):
        raise OSError(2, "no such file")


class Named(FirstLegal):
    """Made with a setting, as entry points may be."""

    def __init__(self, setting="none", seed=None):
        super().__init__(seed)
        self.setting = setting


@pytest.fixture
def mine(monkeypatch):
    """A plain module of somebody's own players, as `mineplayer.py` would be."""
    kinds = {kind.__name__: kind for kind in (FirstLegal, NoPlayer, Seedless, Broken, Named)}
    monkeypatch.setitem(sys.modules, "mineplayer", types.SimpleNamespace(**kinds))


@pytest.fixture
def points(monkeypatch):
    """Players that another package brings along."""

    def load(name, value):
        point = types.SimpleNamespace(name=name, load=value)
        find._points_on.cache_clear()
        monkeypatch.setattr("alarife.players.find.metadata.entry_points", lambda group: [point])

    yield load
    find._points_on.cache_clear()


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kind"), [
    ("random", RandomPlayer), ("scripted", ScriptedPlayer), ("person", PersonPlayer), ("mc:50", MonteCarlo),
    ("mc", MonteCarlo), ("ismcts:100:cut=20", ISMCTS), ("mineplayer:FirstLegal", FirstLegal),
])  # fmt: skip
def test_players_are_found_by_name(name, kind, mine):
    assert type(find_player(name, 3)) is kind


def test_a_plain_module_in_the_path_is_imported(tmp_path, monkeypatch):
    (tmp_path / "loneplayer.py").write_text(
        "class Mine:\n    def __init__(self, seed=None):\n        self.seed = seed\n    def act(self, turns):\n"
        "        return turns.action_mask.argmax(1)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert find_player("loneplayer:Mine", 3).seed == 3


def test_people_are_told_from_others_whatever_they_are_called():
    assert is_person(find_player("person"))
    assert is_person(find_player("alarife.players.person:PersonPlayer"))
    assert not is_person(find_player("random"))


def test_entry_points_are_players_that_may_take_a_setting(points):
    points("theirs", lambda: Named)
    assert (find_player("theirs", 5).setting, find_player("theirs", 5).seed) == ("none", 5)
    assert find_player("theirs:a:b=c", 5).setting == "a:b=c"


def test_an_entry_point_that_does_not_load_is_refused_in_a_sentence(points):
    def load():
        raise RuntimeError("half\ninstalled")

    points("theirs", load)
    with pytest.raises(AlarifeError) as caught:
        find_player("theirs", 5)
    assert str(caught.value) == "the player theirs cannot be imported: RuntimeError: half installed"


def test_a_module_that_fails_on_import_is_refused_in_a_sentence(tmp_path, monkeypatch):
    for name, line in {"typo_player": "x = = 1", "leaving_player": "raise SystemExit(3)"}.items():
        (tmp_path / f"{name}.py").write_text(line)
    monkeypatch.syspath_prepend(tmp_path)
    for name, says in {"typo_player": "SyntaxError: invalid syntax", "leaving_player": "SystemExit: 3"}.items():
        with pytest.raises(AlarifeError, match=f"the player {name}:Mine cannot be imported: {says}"):
            find_player(f"{name}:Mine")


def test_a_player_itself_is_handed_back():
    mine = FirstLegal()
    assert find_player(mine) is mine


@pytest.mark.parametrize(("name", "says"), [
    ("radnom", "no player called 'radnom'. Did you mean 'random'? Allowed: random, scripted, person, trained, mc, "
               "ismcts, guided, hub, module:Player, or a checkpoint"),
    ("ismtcs:100", "no player called 'ismtcs:100', and no module 'ismtcs' to import it from. Did you mean 'ismcts'?"),
    ("guided:trained:20:urgency=0.2", "the setting urgency of a search is called fpu_reduction now"),
    ("mc:20:trust=2", "the setting trust of a search is called lead now"),
    ("guided:trained:considered=4", "the setting considered of a search is called considered_actions now"),
    ("random:3", "the player random takes no settings, got 'random:3'"),
    ("mc:fast", "a search takes a number of playouts such as 100"),
    ("random:" + "9" * 5000, "the player random takes no settings, got 'random:99"),
    ("x" * 5000, "no player called 'xxx"),
    ("x" * 5000 + ":Mine", "no player called 'xxx"),
    ("runs/" + "x" * 5000, "there is no checkpoint 'runs/xxx"),
    ("a\0b", "no player called 'a\\x00b'"),
    ("runs/nothing/there", "there is no checkpoint runs/nothing/there"),
    ("no_such.module:Player", "the player no_such.module:Player cannot be imported: ModuleNotFoundError: No module"),
    ("mineplayer:Yours", "the player mineplayer:Yours cannot be imported: AttributeError: "),
    ("mineplayer:", "no player called 'mineplayer:'"),
    (":Player", "no player called ':Player'"),
    ("", "no player called ''"),
    ("mineplayer:Seedless", "the player mineplayer:Seedless cannot be made with seed=...: TypeError: "),
    ("mineplayer:Broken", "the player mineplayer:Broken cannot be made with seed=...: FileNotFoundError: [Errno 2]"),
    ("json.decoder:JSONDecoder", "the player json.decoder:JSONDecoder cannot be made with seed=...: TypeError: "),
    ("os.path:join", "the player os.path:join cannot be made with seed=...: TypeError: "),
    ("collections:OrderedDict", "a player needs a method act(turns), OrderedDict"),
])  # fmt: skip
def test_unknown_players_are_refused_in_a_sentence(name, says, mine):
    with pytest.raises(AlarifeError) as caught:
        find_player(name, 0)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_what_cannot_act_is_no_player(mine):
    for player in (NoPlayer(), "mineplayer:NoPlayer"):
        with pytest.raises(AlarifeError, match=r"needs a method act\(turns\)"):
            find_player(player)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a policy")
    with pytest.raises(AlarifeError, match=r"notes\.txt"):
        find_player(str(path))


PAGE = Path(__file__).parent.parent / "docs" / "players.md"


@pytest.mark.parametrize(("column", "kind"), [(1, Settings), (2, GuidedSettings)])
def test_the_page_tells_every_setting_with_its_default(column, kind):
    def shown(default):
        return f"{default:g}" if isinstance(default, float) else str(default).lower()

    rows = [line.split("|")[1:] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    told = {row[0].split("`")[1]: row[column].strip() for row in rows if len(row) == 5}
    defaults = {field.name: shown(field.default) for field in dataclasses.fields(kind)}
    assert {name: text for name, text in told.items() if text} == {
        name: text for name, text in defaults.items() if text
    }


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
    ([[0], [1, 2]], "cheat has to answer 1 whole numbers, got a list that is no array"),
    (["draw"], "cheat has to answer 1 whole numbers, got <U4 of shape"),
    ([10**30], "cheat has to answer 1 whole numbers, got object of shape"),
    (None, "cheat has to answer 1 whole numbers, got object of shape"),
])  # fmt: skip
def test_wrong_answers_are_refused_in_a_sentence(answer, says):
    player = types.SimpleNamespace(act=lambda turns: answer)
    with pytest.raises(IllegalAction, match=says) as caught:
        decide(player, Table(PEBBLES, 2, seed=1), "cheat")
    assert "\n" not in str(caught.value)


def test_a_player_that_needs_no_forks_gets_none():
    turns = Turns.of_table(Table(PEBBLES, 2, seed=1), RandomPlayer(1))
    with pytest.raises(AlarifeError, match="forks = False"):
        turns.fork(np.zeros(1, np.uint64))
    with pytest.raises(AlarifeError, match="for each of 1 rows"):
        Turns.of_table(Table(PEBBLES, 2, seed=1)).fork(np.zeros(2, np.uint64))


def test_a_player_that_asks_for_advice_alone_gets_no_forks():
    table = Table(PEBBLES, 2, seed=1)
    turns = Turns.of_table(table, ScriptedPlayer())
    for asked in (turns, turns.only(0), Turns.of_table(table)):
        assert asked.advice().tolist() == [table.script(seed=5)]
    with pytest.raises(AlarifeError, match="forks = 'advice'"):
        turns.fork(np.zeros(1, np.uint64))
    with pytest.raises(AlarifeError, match="it gets no advice"):
        Turns.of_table(table, RandomPlayer(1)).advice()


def test_a_person_is_shown_the_seat_and_asked_until_the_answer_is_a_legal_number(capsys):
    table = Table(PEBBLES, 2, seed=1)
    answers = iter(["", "take", "99", "1"])
    person = PersonPlayer(ask=lambda prompt: next(answers))
    assert person.act(Turns.of_table(table))[0] == table.legal()[1]
    shown = capsys.readouterr()
    assert table.phrase(table.legal()[1]) in shown.out
    assert as_you(table.text(table.seat), table.seat) in shown.out
    assert shown.err.count("Type a number") == 2
    assert "'take' fits" in shown.err


def test_a_person_may_leave():
    def gone(prompt):
        raise EOFError

    with pytest.raises(AlarifeError, match="player_0 has left the table"):
        PersonPlayer(ask=gone).act(Turns.of_table(Table(PEBBLES, 2, seed=1)))


# --- what a cheat cannot find -------------------------------------------------------------------------


PLAIN = bool, int, float, complex, str, bytes, bytearray, memoryview, type(None)


def referents(thing):
    """What an object refers to: attributes, items, closures, defaults, and the arrays that it is a view of."""
    if isinstance(thing, types.FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        return [*cells, thing.__defaults__, thing.__kwdefaults__, thing.__dict__]
    if isinstance(thing, np.ndarray):
        inside = thing.ravel().tolist() if thing.dtype.hasobject else []
        return [inside, thing.base, getattr(thing, "__dict__", None)]
    if isinstance(thing, (np.random.Generator, np.random.BitGenerator)):
        return [getattr(thing, "bit_generator", thing).state]
    return gc.get_referents(thing)


def leaf(thing):
    """The bytes that an object holds itself."""
    if isinstance(thing, (np.ndarray, np.generic)) and thing.dtype.hasobject:
        return b""
    if isinstance(thing, (np.ndarray, np.generic, memoryview)):
        return thing.tobytes()
    return repr(thing).encode() if isinstance(thing, PLAIN) else b""


def told(turns, leave_out=()):
    """All that can be found from turns, as kinds and bytes in the order of the search; modules and types left out."""
    seen, waiting, found = {id(thing): thing for thing in leave_out}, [turns], []
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, (types.ModuleType, type, types.CodeType)):
            continue
        if not isinstance(thing, PLAIN):
            seen[id(thing)] = thing
            waiting += referents(thing)
        found.append((type(thing).__name__, leaf(thing)))
    return found


def some_positions(game, players, count):
    """Tables of interpreted rules, some decisions apart, random play in between."""
    random = np.random.default_rng(3)
    table = Table(game, players, seed=3, interpreted=True)
    while count and not table.over:
        for _ in range(int(random.integers(1, 8))):
            if not table.over:
                table.play(int(random.choice(table.legal())))
        if not table.over and table.fork(table.seat, 5).to_bytes() != table.to_bytes():
            yield table
            count -= 1


def with_state(table, states):
    """The table with another state."""
    other = table.clone()
    other.states[:] = states
    return other.refresh()


def unknown_to(table):
    """The same table for all that the seat to decide knows: another future, other hidden things, and both."""
    fork = table.fork(table.seat, 77).states.copy()
    future, hidden = table.states.copy(), fork.copy()
    future["rng"], hidden["rng"] = fork["rng"], table.states["rng"]
    return [with_state(table, states) for states in (future, hidden, fork)]


def served(table, batched=False):
    """Turns of a table, or of two rows of a batch with that state."""
    if not batched:
        return Turns.of_table(table)
    batch = Batch(table.game, 2, table.players, 5, table.options, interpreted=True)
    batch.load(np.concatenate([table.states] * 2))
    return Turns.of_batch(batch, np.arange(2))


WITH_SECRETS = [name for name in game_names() if not find_game(name).open_information]


@pytest.mark.parametrize("batched", [False, True], ids=["table", "batch"])
@pytest.mark.parametrize("name", WITH_SECRETS)
def test_turns_hold_nothing_that_the_seat_cannot_know(name, batched):
    """All that can be found from them is the same, byte for byte, whatever lies hidden and whatever will be drawn."""
    game, redrawn = find_game(name), []
    for table in some_positions(game, max(game.seats), 2):
        turns = served(table, batched)
        known = told(turns, [turns._sealed])
        for other in unknown_to(table):
            theirs = served(other, batched)
            assert told(theirs, [theirs._sealed]) == known
        sealed, truth = turns._sealed, table.states.copy()
        assert sealed.base is None or sealed.base.nbytes == sealed.nbytes, "nothing lies beside the redrawn states"
        assert np.all(sealed["rng"] == 0), "the key that redrew them is gone"
        assert truth["rng"].tobytes() not in sealed.tobytes()
        truth["rng"] = 0
        redrawn += [state.tobytes() != truth.tobytes() for state in sealed]
    assert any(redrawn)


LEAKS = {
    "bytes of the state": lambda table: table.states.tobytes(),
    "a copy as plain numbers": lambda table: table.states.view(np.uint8).copy(),
    "a dictionary": lambda table: table.to_dict(),
    "the hidden piles": lambda table: table.states["lucky"].copy(),
    "the future": lambda table: int(table.states["rng"][0]),
    "the future as a number of NumPy": lambda table: table.states["rng"][0],
    "the table": lambda table: table,
    "the table in a closure": lambda table: lambda: table,
    "a method of the table": lambda table: table.to_dict,
    "a view of the state": lambda table: table.states["piles"],
    "a generator seeded with the future": lambda table: np.random.default_rng(int(table.states["rng"][0])),
    "an object in an array": lambda table: np.array([None, table.to_dict()], object),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_any_leak_would_be_found(leak):
    def leaking(table):
        turns = served(table)
        turns.note = {"deep": [LEAKS[leak](table)]}
        return told(turns, [turns._sealed])

    (table,) = some_positions(PEBBLES, 4, 1)
    assert leaking(table) == leaking(table)
    assert any(leaking(table) != leaking(other) for other in unknown_to(table))


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
