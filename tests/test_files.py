"""Files of others: read within limits, one sentence about whatever is wrong, nothing of them on the terminal raw."""

import copy
import json
import os
import tracemalloc

import numpy as np
import pytest

import alarife
import fuzz_files
from alarife.__main__ import main
from alarife.engine.errors import AlarifeError, FileError, OptionError, WriteError
from alarife.engine.files import append_whole
from alarife.engine.numbers import seed_number
from alarife.engine.printable import escape, printable
from alarife.engine.reading import MOST_TEXT, parse_json, parse_toml, plain, read_bytes, read_json, read_table
from alarife.engine.registry import find_game
from alarife.engine.replay import Replay
from alarife.engine.table import Table

BOARD = find_game("viana").folder / "board.toml"
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes")


# --- what is opened -----------------------------------------------------------------------------------


@needs_pipes
def test_a_pipe_holds_nobody_up(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for read in (Replay.read, alarife.load, alarife.verify, lambda path: read_json(path, "replay")):
        with pytest.raises(FileError, match=r"cannot read the (replay|save) .*: it is a named pipe, not a file"):
            read(pipe)
    for game, option in (("viana", "board"), ("patios", "balconies"), ("lisboa", "tables")):
        with pytest.raises(OptionError, match="it is a named pipe, not a file"):
            find_game(game).make_options({option: pipe})


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no endless device here")
def test_an_endless_device_is_not_read():
    with pytest.raises(FileError, match="cannot read the replay /dev/zero: it is a device, not a file"):
        Replay.read("/dev/zero")


def test_folders_and_odd_names_are_one_sentence(tmp_path):
    with pytest.raises(FileError, match="it is a directory, not a file"):
        Replay.read(tmp_path)
    with pytest.raises(FileError, match="no name of a file holds a zero byte"):
        Replay.read("a\0b")


@pytest.mark.parametrize("read", [Replay.read, alarife.load, alarife.verify])
def test_a_large_file_is_not_read(tmp_path, read):
    path = tmp_path / "sparse"
    with open(path, "wb") as file:
        file.truncate(10 << 30)
    tracemalloc.start()
    with pytest.raises(FileError, match="it has 10,737,418,240 bytes, at most 16,777,216 are read"):
        read(path)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_the_limit_is_exact(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 100)
    assert len(read_bytes(tmp_path / "file", "text", 100)) == 100
    with pytest.raises(FileError, match="it has 100 bytes, at most 99 are read"):
        read_bytes(tmp_path / "file", "text", 99)
    assert MOST_TEXT == 16_777_216


# --- JSON and TOML ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "sentence"), [
    ("[" * 33 + "]" * 33, "lie at most 32 deep"),
    ("[" * 200_000, "lie at most 32 deep"),
    ("9" * 5000, "numbers have at most 100 digits, got 5,000"),
    (str(2**64), "whole numbers have at most 64 bits"),
    ("[1e999]", "numbers are finite, got inf"),
    ("NaN", "numbers are finite, got NaN"),
    ("-Infinity", "numbers are finite, got -Infinity"),
    ('{"a": 1, "b": 2, "a": 1}', "'a' stands twice in one table"),
    ('"\\ud800"', "half a character"),
    ("[0" + ",0" * 2_000_000 + "]", "more than 2,000,000 entries"),
    ("{", "line 1 column 2"),
])  # fmt: skip
def test_json_has_limits(text, sentence):
    with pytest.raises(FileError) as caught:
        parse_json(text)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 200


def test_what_json_may_say():
    text = '{"a": [1, -9223372036854775808, 18446744073709551615, 0.5, 1e308, true, null, "\\u00e9\\ud83c\\udfb2"]}'
    assert parse_json(text) == {"a": [1, -(2**63), 2**64 - 1, 0.5, 1e308, True, None, "é🎲"]}
    assert parse_json("[" * 32 + "]" * 32)


@pytest.mark.parametrize(("text", "sentence"), [
    (".".join("a" * 20_000) + " = 1", "a name has at most 16 parts"),
    ("[" + ".".join(["'a'"] * 20_000) + "]", "a name has at most 16 parts"),
    ("a = " + "[" * 5000, "lie at most 32 deep"),
    ("a = " + "{a = " * 5000, "lie at most 32 deep"),
    ("a = " + "9" * 5000, "numbers have at most 100 digits, got 5,000"),
    ("a = 99999999999999999999", "a: whole numbers have at most 64 bits"),
    ("a = inf", "a: numbers are finite, got inf"),
    ("a = 2024-02-30", "Invalid"),
    ("a = 2024-02-03", "a: it holds tables, lists, texts and numbers, got datetime.date(2024, 2, 3)"),
    ("a = 1\na = 2", "Cannot overwrite a value"),
    ('a = "\n', "Illegal character"),
])  # fmt: skip
def test_toml_has_limits(text, sentence):
    with pytest.raises(FileError) as caught:
        parse_toml(text)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 200


def test_brackets_and_dots_in_texts_do_not_count():
    dots, open_ = "." * 200, "[{" * 50
    text = (f"a = '{dots}{open_}' # {dots}{open_}\nb = \"{dots}{open_}\\\"[\"\nc = '''{dots}\n{open_}'''\n"
            f'd = """{dots}\n\\"{open_}"""\n')  # fmt: skip
    told = parse_toml(text + "e = [" + "1.5, " * 100 + "]")
    assert told["a"] == dots + open_
    assert told["b"] == dots + open_ + '"['
    assert told["c"] == dots + "\n" + open_
    assert told["d"] == dots + '\n"' + open_
    assert len(told["e"]) == 100


def test_a_large_table_is_not_read(tmp_path):
    path = tmp_path / "board.toml"
    path.write_text("# " + "x" * (1 << 20))
    with pytest.raises(FileError, match="is too large for a board"):
        read_table(path, "board")


@pytest.mark.parametrize("value", [{1, 2}, {"a": b"x"}, {3: 4}, np.zeros(3), float("nan"), 2**70, "\ud800"])
def test_only_plain_data_stands_in_tables(value):
    with pytest.raises(OptionError, match=r"^viana: option board: "):
        find_game("viana").make_options({"board": {"name": value}})


def test_a_table_that_holds_itself_is_refused():
    table = {}
    table["table"] = table
    with pytest.raises(FileError, match="lie at most 32 deep"):
        plain(table)


def test_numbers_of_numpy_and_tuples_are_plain():
    assert plain({"a": (np.int8(3), np.float32(0.5))}) == {"a": [3, 0.5]}


# --- no file leads to another -------------------------------------------------------------------------


def of_viana(tmp_path):
    table = alarife.table("viana", players=2, seed=1, board=str(BOARD))
    alarife.record(table).write(tmp_path / "game.json")
    alarife.save(table, tmp_path / "game.npz")
    return table


def test_files_hold_tables_whole(tmp_path):
    of_viana(tmp_path)
    assert len(json.loads((tmp_path / "game.json").read_text())["options"]["board"]["courtyards"]) == 13
    assert alarife.verify(tmp_path / "game.json").startswith("0 decisions of viana_v1 agree")
    assert alarife.load(tmp_path / "game.npz").options.board["doorways"]


@pytest.mark.parametrize("path", [str(BOARD), "/dev/zero", "no/such/file", ""])
def test_a_path_in_a_file_is_not_followed(tmp_path, path):
    of_viana(tmp_path)
    about = json.loads((tmp_path / "game.json").read_text())
    about["options"]["board"] = path
    (tmp_path / "game.json").write_text(json.dumps(about))
    sentence = "option board: a file holds its table whole and names no other file"
    with pytest.raises(FileError, match=sentence):
        alarife.verify(tmp_path / "game.json")
    with np.load(tmp_path / "game.npz") as arrays:
        content = dict(arrays)
    about = json.loads(content["about"].tobytes())
    about["options"]["board"] = path
    content["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(tmp_path / "game.npz", **content)
    with pytest.raises(FileError, match=sentence):
        alarife.load(tmp_path / "game.npz")


def test_a_replay_without_an_option_tells_the_default(tmp_path):
    of_viana(tmp_path)
    about = json.loads((tmp_path / "game.json").read_text())
    full = copy.deepcopy(about["options"])
    del about["options"][next(name for name in full if name != "board")]
    (tmp_path / "game.json").write_text(json.dumps(about))
    assert Replay.read(tmp_path / "game.json").options == full


# --- saves --------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    table = alarife.table("viva", 3, seed=4, reward="score", match="single_round")
    for _ in range(30):
        table.play(table.legal()[-1])
    alarife.save(table, tmp_path / "game.npz")
    return tmp_path / "game.npz"


def rewritten(path, history=None, **changes):
    with np.load(path) as arrays:
        content = dict(arrays)
    about = json.loads(content["about"].tobytes()) | changes.pop("about", {})
    about["past"]["actions"] = about["past"]["actions"] if history is None else history
    content["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez_compressed(path, **(content | changes))


@pytest.mark.parametrize(("paid", "sentence"), [
    (np.full((1, 6), np.nan, np.float32), "rewards paid in mode score lie between -4294967296 and 4294967296, got"),
    (np.full((1, 6), np.inf, np.float32), "rewards paid in mode score lie between"),
    (np.full((1, 6), 17, np.float32), "its history pays"),
    (np.zeros((1, 5), np.float32), "its rewards do not fit the table"),
    (np.zeros((1, 6), np.float64), "its array paid is not of type float32"),
    (np.zeros((1, 6000), np.float32), "its array paid is too large"),
    (np.zeros((6, 1), np.float32).T.copy("F"), None),
])  # fmt: skip
def test_rewards_of_a_save_are_those_of_its_history(saved, paid, sentence):
    own = alarife.load(saved).paid
    rewritten(saved, paid=own if sentence is None else paid)
    if sentence is None:
        assert np.array_equal(alarife.load(saved).paid, own)
        return
    with pytest.raises(FileError, match="is a damaged save: " + sentence):
        alarife.load(saved)


def test_rewards_of_a_position_set_up_by_hand_are_possible(tmp_path):
    table = alarife.table("viva", 2, seed=4)
    table.refresh()
    alarife.save(table, tmp_path / "game.npz")
    rewritten(tmp_path / "game.npz", paid=np.full((1, 6), 1.5, np.float32))
    with pytest.raises(FileError, match="rewards paid in mode outcome lie between -1 and 1, got"):
        alarife.load(tmp_path / "game.npz")
    rewritten(tmp_path / "game.npz", paid=np.full((1, 6), -0.5, np.float32))
    assert alarife.load(tmp_path / "game.npz").paid[0, 0] == -0.5


@pytest.mark.parametrize(("history", "sentence"), [
    ([10**6], "action 1 of its history: "),
    ([], "its history leads to another position"),
    ([26.0], "its history is a list of whole numbers, got [26.0]"),
])  # fmt: skip
def test_the_history_of_a_save_is_played_again(saved, history, sentence):
    rewritten(saved, history)
    with pytest.raises(FileError) as caught:
        alarife.load(saved)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("about", "sentence"), [
    ({"key": "0" * 16}, "its past is not the one of its key"),
    ({"seed": 2**64}, "is not a save: whole numbers have at most 64 bits"),
    ({"seed": -1}, "a seed is a whole number from 0 to"),
    ({"players": 10**18}, "is for 2 to 6 players, got 1000000000000000000"),
    ({"reward": "money"}, "money"),
])  # fmt: skip
def test_numbers_of_a_save_are_checked(saved, about, sentence):
    rewritten(saved, about=about)
    with pytest.raises(FileError) as caught:
        alarife.load(saved)
    assert sentence in str(caught.value)


def test_a_save_does_not_grow_when_it_is_unpacked(saved):
    """A few kilobytes that unpack to 64 megabytes."""
    with np.load(saved) as arrays:
        content = dict(arrays)
    for name in content:
        np.savez_compressed(saved, **(content | {name: np.zeros(1 << 26, np.uint8)}))
        assert saved.stat().st_size < 1 << 20
        tracemalloc.start()
        with pytest.raises(FileError, match=f"its array {name} is too large"):
            alarife.load(saved)
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
        tracemalloc.stop()


def test_arrays_that_are_not_a_saves_are_refused(saved):
    rewritten(saved, more=np.zeros(3))
    with pytest.raises(FileError, match="it holds the arrays about, state, paid, and no others"):
        alarife.load(saved)


# --- seeds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [2**64, 2**64 + 7, 10**5000], ids=["64", "64 and 7", "5000 digits"])
def test_seeds_are_not_folded(pebbles, seed):
    batch, table = alarife.make_batch(pebbles, games=2), Table(pebbles, 2, seed=1)
    for use in (seed_number, table.reset, lambda seed: table.fork(0, seed), batch.reset,
                lambda seed: Table(pebbles, 2, seed=seed), lambda seed: alarife.make_batch(pebbles, games=2, seed=seed),
                lambda seed: alarife.make(pebbles).reset(seed=seed)):  # fmt: skip
        with pytest.raises(AlarifeError, match=r"a seed is a whole number from 0 to 2\*\*64 - 1, got"):
            use(seed)


def test_the_largest_seed_is_one_of_its_own(pebbles):
    games = {Table(pebbles, 3, seed=seed).to_bytes() for seed in (0, 2**63, 2**64 - 1)}
    assert len(games) == 3


# --- terminals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "shown"), [
    ("Ada", "Ada"), ("é 🎲 日本", "é 🎲 日本"), ("a\u00a0b", "a\u00a0b"), ("\x1b[31mred", r"\x1b[31mred"),
    ("\x9b31m", r"\x9b31m"), ("a\nb\rc\t", r"a\nb\rc\t"), ("\u202eabc", r"\u202eabc"), ("\udcff", r"\udcff"),
    ("\x7f\0\u2028", r"\x7f\x00\u2028"),
])  # fmt: skip
def test_what_a_terminal_would_obey_is_written_out(text, shown):
    assert printable(text) == shown
    assert printable(f"{text}\n{text}", lines=True).count("\n") >= 1


def test_pages_and_pictures_escape_names():
    assert escape("<b>\x1b&\"'") == r"&lt;b&gt;\x1b&amp;&quot;&#x27;"


def test_names_in_a_replay_do_not_reach_the_terminal_raw(tmp_path, capsys):
    table = alarife.table("viva", players=2, seed=1, match="single_round").play("draw()")
    path = tmp_path / "a\x1b[2Jb.json"
    alarife.record(table, ["\x1b]0;owned\x07", "b\n9 player_0 wins"]).write(path)
    assert main(["replay", "show", str(path)]) == 0
    out = capsys.readouterr().out
    assert r"player_0 \x1b]0;owned\x07, player_1 b\n9 player_0 wins" in out
    assert main(["replay", "verify", str(path)]) == 0
    assert main(["replay", "verify", f"{path}\x1b[31m"]) == 1
    with pytest.raises(SystemExit):
        main(["replay", "\x1b[31m", "x"])
    told = capsys.readouterr()
    assert "\x1b" not in out + told.out + told.err
    assert r"a\x1b[2Jb.json: 1 decisions" in told.out


def test_names_in_a_board_do_not_reach_the_terminal_raw(tmp_path, capsys):
    board = BOARD.read_text().replace('name = "', r'name = "\u001b[31m', 4)
    assert board != BOARD.read_text()
    (tmp_path / "board.toml").write_text(board)
    command = [
        "watch",
        "viana",
        "--players",
        "2",
        "--seed",
        "1",
        "--with",
        "scripted",
        "-o",
        f"board={tmp_path}/board.toml",
    ]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "\x1b" not in told
    assert r"\x1b[31m" in told


# --- writing ------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize("room", [0, 1, 5, 9])
def test_what_does_not_fit_on_the_disk_is_not_begun(tmp_path, room):
    import resource

    path = tmp_path / "log"
    append_whole(path, b"one line\n")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (9 + room, limits[1]))
    try:
        with pytest.raises(WriteError, match=r"cannot write .*log: File too large"):
            append_whole(path, b"ten bytes\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"one line\n"
    append_whole(path, b"ten bytes\n")
    assert path.read_bytes() == b"one line\nten bytes\n"


# --- at random ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", fuzz_files.FORMATS)
def test_damaged_and_hostile_files_are_refused_or_read_soundly(name):
    """A few of what ``scripts/fuzz_files.py`` tries at length."""
    if name in ("checkpoint", "config"):
        pytest.importorskip("pydantic")
        pytest.importorskip("safetensors")
    if name == "results":
        pytest.importorskip("openskill")
    told = []
    counts = fuzz_files.fuzz(name, 12, seed=20, tell=told.append)
    assert counts["tried"] == 12
    assert counts["refused"] > 0
    assert not told
