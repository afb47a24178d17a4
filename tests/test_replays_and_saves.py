"""Games on file: whole, checked, and never half-written."""

import json
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import alarife
from alarife.engine.errors import FileError
from alarife.engine.files import write_whole
from alarife.engine.replay import Replay
from alarife.engine.table import Table

on_files = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def played():
    table = alarife.table("viva", 3, seed=4, match="single_round", bluff=True)
    random = np.random.default_rng(1)
    for _ in range(60):
        table.play(int(random.choice(table.legal())))
    return table


@pytest.fixture(scope="module")
def files(played, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    alarife.record(played, ["ada", "grace", "emmy"]).write(folder / "game.json")
    alarife.save(played, folder / "game.npz")
    return folder


def test_a_replay_tells_every_action_and_every_chance_outcome(files, played):
    about = json.loads((files / "game.json").read_text())
    assert about["game"] == "viva"
    assert about["options"]["bluff"] is True
    assert len(about["decisions"]) == 60
    # 3 hands of 5 cards and the blocking card, drawn from 126, 125, ... cards (VIV-011, VIV-013).
    assert [draw[:2] for draw in about["setup"]] == [["draw_kind", 126 - i] for i in range(16)]
    for (seat, name, chance), action in zip(about["decisions"], played.history, strict=True):
        assert played.game.actions.parse(name) == action
        assert seat in (0, 1, 2)
        if name == "draw()":
            assert chance[0][0] == "draw_kind"


def test_a_replay_can_be_followed_without_our_random_stream(files):
    """Hands dealt from the file's chance outcomes alone are the hands of the game."""
    replay = Replay.read(files / "game.json")
    table = next(replay.tables())
    dealt = [draw[2] for draw in replay.setup]
    for p in range(3):
        hand = [k for k in range(21) for _ in range(table.state.hand[p, k])]
        assert sorted(dealt[5 * p : 5 * p + 5]) == hand
    assert table.state.general == dealt[15]


def test_a_replay_is_verified_and_shown(files, played):
    assert alarife.verify(files / "game.json") == "60 decisions of viva_v1 agree with the present rules"
    *_, last = Replay.read(files / "game.json").tables()
    assert last.to_bytes() == played.to_bytes()
    assert Replay.read(files / "game.json").names == ["ada", "grace", "emmy"]


def test_a_replay_by_other_rules_of_the_version_is_verified_but_for_the_fields_of_its_states(files):
    """States may have had other fields then; draws, actions, scores and places are still compared."""
    then = {"digest": "0" * 16, "state": "0" * 32}
    told = "60 decisions of viva_v1 agree with rules whose files have changed since"
    assert alarife.verify(changed(files, **then)) == told
    with pytest.raises(FileError, match=r"the file says scores \[9, 9, 9\]"):
        alarife.verify(changed(files, **then, scores=[9, 9, 9]))


def changed(files, **entries):
    about = json.loads((files / "game.json").read_text()) | entries
    path = files / "changed.json"
    path.write_text(json.dumps(about))
    return path


def test_the_first_difference_is_named(files):
    about = json.loads((files / "game.json").read_text())
    decisions = about["decisions"]
    number = next(i for i, (_, _, chance) in enumerate(decisions) if chance)
    kind, among, outcome = decisions[number][2][0]
    decisions[number][2][0] = [kind, among, outcome + 1]
    with pytest.raises(FileError, match=rf"^decision {number + 1}, .*: the file says {kind} -> {outcome + 1}"):
        alarife.verify(changed(files, decisions=decisions))


@pytest.mark.parametrize(("entries", "sentence"), [
    ({"format": "chess game"}, "is not a replay of alarife"),
    ({"format_version": 2}, "is a replay of format 2; this version reads 1"),
    ({"game": "chess"}, "no game called 'chess'"),
    ({"version": 9}, "is of viva version 9, the rules here are of version 1"),
    ({"options": {"bluf": True}}, "no option called 'bluf'"),
    ({"players": 9}, "is for 2 to 6 players, got 9"),
    ({"decisions": [[0, "fly()", []]]}, "no action called 'fly'"),
    ({"decisions": [[0]]}, "is a damaged replay"),
    ({"decisions": [[0, "draw()", []], [0, "draw()", [["draw_kind", 126]]]]}, "decision 2 is a seat, an action and"),
    ({"decisions": ["zz"]}, 'is a damaged replay: decision 1 is a seat, an action and its chance outcomes, got "zz"'),
    ({"decisions": {}}, "is a damaged replay: decisions is a list, got {}"),
    ({"key": "xyz"}, 'is a damaged replay: key is 16 hexadecimal digits, got "xyz"'),
    ({"key": "0" * 17}, "is a damaged replay: key is 16 hexadecimal digits"),
    ({"players": "x"}, 'is a damaged replay: players is a whole number, got "x"'),
    ({"options": []}, "is a damaged replay: options is a table of names and values, got []"),
    ({"names": "zz"}, 'is a damaged replay: names is a list of texts, got "zz"'),
    ({"names": ["a", "b"]}, "is a damaged replay: it names 2 of 3 players"),
    ({"over": "no"}, 'is a damaged replay: over is true or false, got "no"'),
    ({"over": None}, "is a damaged replay: over is true or false, got null"),
    ({"scores": [1, "2", 3]}, "is a damaged replay: scores is a list of whole numbers"),
    ({"setup": [["draw_kind"]]}, "is a damaged replay: setup is a list of chance outcomes"),
    ({"scores": [9, 9, 9]}, "the file says scores [9, 9, 9], the rules give"),
    ({"state": "0" * 3000}, "the file says digest of the last state " + "0" * 77 + "..., the rules give"),
    ({"setup": [["x" * 3000, 1, 1]]}, "setting up: the file says " + "x" * 77 + "... -> 1 of 1, the rules give"),
    ({"state": "0"}, "the file says digest of the last state 0"),
    ({"setup": []}, "setting up: the file has 0 chance outcomes, the rules give 16"),
])  # fmt: skip
def test_a_broken_replay_is_answered_with_a_sentence(files, entries, sentence):
    with pytest.raises(FileError) as caught:
        alarife.verify(changed(files, **entries))
    assert sentence in str(caught.value)


def test_over_is_compared(files, played):
    with pytest.raises(FileError, match=f"the file says over {not played.over}, the rules give {played.over}"):
        alarife.verify(changed(files, over=not played.over))


def test_an_entry_that_is_not_there_is_named(files):
    about = json.loads((files / "game.json").read_text())
    del about["names"]
    (files / "short.json").write_text(json.dumps(about))
    with pytest.raises(FileError, match="is a damaged replay: it has no entry 'names'"):
        Replay.read(files / "short.json")


def test_a_file_of_the_other_kind_is_told_from_a_broken_one(files, tmp_path):
    with pytest.raises(FileError, match=r"game\.json is not a save; a replay is read by alarife\.Replay\.read$"):
        alarife.load(files / "game.json")
    with pytest.raises(FileError, match=r"game\.npz is not a replay; a save is read by alarife\.load$"):
        Replay.read(files / "game.npz")
    (tmp_path / "letter").write_text("Dear Ada")
    with pytest.raises(FileError, match=r"letter is not a save or is damaged: it is not an npz file$"):
        alarife.load(tmp_path / "letter")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(FileError, match=r"noise is not a replay: it holds no text$"):
        Replay.read(tmp_path / "noise")


@on_files
@given(data=st.data())
def test_a_replay_cut_short_is_refused(files, data):
    content = (files / "game.json").read_bytes()
    path = files / "cut.json"
    path.write_bytes(content[: data.draw(st.integers(0, len(content) - 3))])
    with pytest.raises(FileError):
        Replay.read(path)


@on_files
@given(data=st.data())
def test_a_save_cut_short_or_with_a_flipped_bit_is_refused_or_unharmed(files, played, data):
    content = bytearray((files / "game.npz").read_bytes())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path = files / "broken.npz"
    path.write_bytes(content)
    try:
        table = alarife.load(path)
    except FileError:
        return
    assert table.to_bytes() == played.to_bytes()


def test_a_save_is_the_same_position_with_the_same_future(files, played):
    table = alarife.load(files / "game.npz")
    assert table.to_bytes() == played.to_bytes()
    assert table.options == played.options
    assert table.history == played.history
    one, two = played.clone(), table
    for _ in range(50):
        action = one.legal()[-1]
        assert one.play(action).to_bytes() == two.play(action).to_bytes()


def test_a_save_of_other_rules_or_of_another_kind_is_refused(files, tmp_path):
    with np.load(files / "game.npz") as arrays:
        content = dict(arrays)
    about = json.loads(content["about"].tobytes())
    for entries, sentence in (
        ({"record": "0" * 16}, "was saved when states of viva_v1 had other fields"),
        ({"format": "alarife replay"}, "is not a save of alarife"),
        ({"format_version": 7}, "is a save of format 7"),
        ({"version": 3}, "is of viva version 3"),
        ({"state": "0"}, "is a damaged save: its state is not the one that was saved"),
        ({"seed": -3}, r"is a damaged save: a seed is a whole number from 0 to 2\*\*64 - 1, got -3"),
        ({"past": "abc"}, 'is a damaged save: past is a table of names and values, got "abc"'),
    ):
        content["about"] = np.frombuffer(json.dumps(about | entries).encode(), np.uint8)
        np.savez(tmp_path / "other.npz", **content)
        with pytest.raises(FileError, match=sentence):
            alarife.load(tmp_path / "other.npz")


def test_a_save_of_what_is_no_position_is_refused(tmp_path):
    table = alarife.table("viva", 3, seed=4)
    table.state.stack_size -= 1
    alarife.save(table, tmp_path / "odd.npz")
    with pytest.raises(FileError, match="is a damaged save: this is no position of viva_v1: VIV-140"):
        alarife.load(tmp_path / "odd.npz")


def test_a_save_runs_no_code(tmp_path):
    trap = tmp_path / "ran"

    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(trap),)

    np.savez(tmp_path / "trap.npz", about=np.array([Trap()], object), state=np.array([Trap()], object))
    with pytest.raises(FileError, match="is not a save"):
        alarife.load(tmp_path / "trap.npz")
    assert not trap.exists()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"cannot read the save .*nothing\.npz: No such file"):
        alarife.load(tmp_path / "nothing.npz")
    with pytest.raises(FileError, match=r"cannot read the replay .*nothing\.json: No such file"):
        Replay.read(tmp_path / "nothing.json")


def test_a_position_set_up_by_hand_has_no_replay(pebbles):
    table = Table(pebbles, 2, seed=1).from_dict({"passed": [1, 0, 0, 0]})
    with pytest.raises(alarife.AlarifeError, match="set up by hand has no replay"):
        alarife.record(table)


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, b"old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileError, match=r"^cannot write .*file: disk full$"):
        write_whole(path, b"new and much longer")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
