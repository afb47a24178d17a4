"""The terminal commands, as a user types them."""

import argparse
import io
import json
import re
import sys

import numpy as np
import pytest

import alarife
from alarife.__main__ import main, make_parser
from alarife.engine.kernels import kernels
from alarife.players import find_player, play_out
from alarife.search import guided, ismcts


@pytest.fixture
def run(capsys, monkeypatch):
    def go(*words, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main([str(word) for word in words])
        done = capsys.readouterr()
        return code, done.out, done.err

    return go


GAME = ("viva", "--players", "3", "--seed", "4", "-o", "match=single_round")


def test_list_names_every_game_in_straight_columns(run):
    code, out, _ = run("list")
    assert code == 0
    head, *games = out.splitlines()
    assert any(re.match(r"viva_v1 +VIVA +2-6 +53 +204 +616$", line) for line in games)
    for title in ("title", "players"):
        assert {line[head.index(title) - 1] for line in games} == {" "}
        assert " " not in {line[head.index(title)] for line in games}
    assert {len(line) for line in games} == {len(head)}


def test_the_version_is_told(run, capsys):
    with pytest.raises(SystemExit) as caught:
        run("--version")
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"alarife {alarife.__version__}\n"


@pytest.mark.parametrize(("words", "sentence"), [
    (["dance"], "argument command: invalid choice: 'dance'"),
    (["watch", "viva", "--seed", "-1"], "argument --seed: a seed is a whole number from 0 to 2**64 - 1, got -1"),
    (["check", "viva", "--seed", "x"], "argument --seed: a seed is a whole number from 0 to 2**64 - 1, got 'x'"),
    (["evaluate", "viva", "--seed", "1.5"], "argument --seed: a seed is a whole number from 0 to 2**64 - 1, got 1.5"),
    (["watch", "viva", "--delay", "-1"], "argument --delay: a pause is from 0 to 3600 seconds, got '-1'"),
    (["watch", "viva", "--delay", "nan"], "argument --delay: a pause is from 0 to 3600 seconds, got 'nan'"),
])  # fmt: skip
def test_an_argument_of_the_wrong_kind_is_refused(run, capsys, words, sentence):
    with pytest.raises(SystemExit) as caught:
        run(*words)
    assert caught.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_picture_of_another_kind_is_refused_before_the_game(run):
    code, out, err = run("watch", *GAME, "--picture", "x.bmp")
    assert (code, out) == (1, "")
    assert err == "alarife: pictures end in .svg or .png, got x.bmp\n"


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(run, tmp_path):
    table = alarife.table("pebbles", seed=1).play(0)
    alarife.record(table).write(tmp_path / "game.json")
    (tmp_path / "file").touch()
    code, _, err = run("replay", "show", tmp_path / "game.json", "--pictures", tmp_path / "file")
    assert code == 1
    assert err == f"alarife: cannot write {tmp_path / 'file' / '00001.svg'}: File exists\n"


def test_watch_tells_a_game_to_its_end_and_writes_picture_and_replay(run, tmp_path):
    picture, replay = tmp_path / "end.png", tmp_path / "game.json"
    code, out, _ = run("watch", *GAME, "--brief", "--picture", picture, "--record", replay, "--with", "random,scripted")
    assert code == 0
    assert out.startswith("VIVA, seed 4: player_0 random, player_1 scripted, player_2 random\n")
    assert "place 1, score 2" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    told = re.findall(r"^ *\d+  player_", out, re.MULTILINE)
    assert len(json.loads(replay.read_text())["decisions"]) == len(told) > 10
    code, out, _ = run("replay", "verify", replay)
    assert code == 0
    assert "agree with the present rules" in out
    code, out, _ = run("replay", "show", replay, "--pictures", tmp_path / "pictures")
    assert code == 0
    assert out.startswith("VIVA: player_0 random, player_1 scripted, player_2 random\n")
    assert (tmp_path / "pictures" / "00001.svg").read_text().startswith("<svg")


def test_what_the_automa_of_a_solo_game_does_is_told(run):
    code, out, _ = run("watch", "lisboa", "--seed", "2", "--brief")
    assert code == 0
    for step in ("1 the courtier goes to", "4 discards", "5 the Helper"):
        assert out.count(step) > 3


def test_the_same_seed_is_the_same_game(run):
    assert run("watch", *GAME) == run("watch", *GAME)


def test_a_person_plays_by_number_and_does_not_see_other_hands(run):
    code, out, err = run("play", *GAME, "--seat", "0", typed="x\n99\n0\nq\n")
    assert code == 0
    assert "You are player_0; player_1 is scripted, player_2 is scripted.\n" in out
    assert err.count("Type a number from 0 to") == 2
    assert re.search(r"^> you +5  [A-Z]{2} ", out, re.MULTILINE)
    assert "?? ?? ?? ?? ??" in out
    assert out.rstrip().endswith("stopped")


def test_a_person_may_go_home_at_the_end_of_input(run):
    code, out, _ = run("play", *GAME)
    assert code == 0
    assert out.rstrip().endswith("stopped")


def test_check_runs_the_kit(run):
    code, out, _ = run("check", "viva", "--players", "2", "--only", "declarations")
    assert code == 0
    assert out.splitlines() == [
        "viva_v1, 2 players: Names of actions read back, bounds are sound, options survive.",
        "viva_v1: every check passed",
    ]


def test_compile_says_what_it_does_and_leaves_no_kernel_out(run, pebbles):
    code, out, _ = run("compile", "pebbles")
    assert code == 0
    first, *steps, last = out.splitlines()
    assert re.fullmatch(r"pebbles: 7 steps, about \d+ s where nothing is in the cache", first)
    assert [re.fullmatch(r"pebbles: (\d) of 7, [a-z ]+ \.\.\. [\d.]+ s", step)[1] for step in steps] == list("1234567")
    assert "guided search" in steps[-1]
    assert last.startswith("pebbles_v0: ready after ")
    ready = compiled(pebbles)
    assert {"step", "act", "grow", "consult", "playouts", "sample"} <= {name for _, name in ready}
    assert all(ready.values())
    batch = alarife.make_batch(pebbles, games=6, threads=2, seed=1)
    batch.step(batch.script())
    batch.step(batch.sample(), rows=np.array([1, 4]))
    for name in ("random", "scripted", "mc:4", "ismcts:8:random:information=each"):
        play_out(alarife.table(pebbles, players=3, seed=1), [find_player(name, 1)] * 3)
    assert compiled(pebbles) == ready


def compiled(game):
    """How many versions there are of each kernel."""
    sets = {"kernels": kernels(game), "searches": ismcts.searchers(game), "guides": guided.searchers(game)}
    return {(kind, name): len(made.signatures) for kind, run in sets.items() for name, made in vars(run).items()}


def test_compile_refuses_a_folder_that_can_keep_nothing(run, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    for folder, why in ((tmp_path / "file", "is not a folder"), (tmp_path / "file" / "below", "Not a directory")):
        monkeypatch.setenv("ALARIFE_CACHE_DIR", str(folder))
        code, out, err = run("compile", "pebbles")
        assert (code, out) == (1, "")
        assert err.startswith("alarife: compiled kernels cannot be kept: ")
        assert why in err


@pytest.mark.parametrize(("words", "sentence"), [
    (["watch", "vva"], "no game called 'vva'. Did you mean 'viva'?"),
    (["watch", "viva", "--players", "9"], "viva is for 2 to 6 players, got 9"),
    (["watch", "viva", "--with", "nobody"], "no player called 'nobody'. Allowed: random, scripted"),
    (["watch", "viva", "--with", "os:path"], "the player os:path cannot be made with seed=...: TypeError"),
    (["watch", "viva", "--with", "os.path:joint"], "the player os.path:joint cannot be imported"),
    (["watch", "viva", "-o", "rounds"], "write options as name=value, got 'rounds'"),
    (["watch", "viva", "-o", "rounds=many"], "option rounds takes 1 to 12, got 'many'"),
    (["play", "viva", "--seat", "5"], "seats go from 0 to 1, got 5"),
    (["replay", "verify", "nothing.json"], "cannot read the replay nothing.json"),
    (["check", "viva", "--only", "magic"], "no check called 'magic'; there are declarations"),
    (["check", "viva", "--players", "1"], "viva is for 2 to 6 players, got 1"),
])  # fmt: skip
def test_what_goes_wrong_is_one_sentence(run, words, sentence):
    code, _, err = run(*words)
    assert code == 1
    assert err.startswith("alarife: ")
    assert sentence in err
    assert err.count("\n") == 1


def test_training_without_its_extra_says_what_to_install(run, monkeypatch):
    monkeypatch.delitem(sys.modules, "alarife_training.train", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    code, _, err = run("train", "--config", "configs/smoke.yaml")
    assert code == 1
    assert err.startswith("alarife: training needs the extra [train]: pip install 'alarife[train]'")


def test_help_is_shown_without_a_command(run):
    code, out, _ = run()
    assert code == 0
    for command in ("list", "watch", "play", "replay", "check", "compile", "bench"):
        assert command in out


# --- nobody hears a secret ----------------------------------------------------------------------------


@pytest.mark.rules("VIA-060", "VIA-194")
def test_a_person_does_not_hear_which_first_cards_others_pick(run):
    code, out, _ = run("play", "viana", "--with", "scripted", "--seed", "3", typed="1\nq\n")
    assert code == 0
    assert "player_1 secretly picks a card\n" in out
    assert not re.search(r"^player_1 secretly picks the ", out, re.MULTILINE)
    assert re.search(r"^ +\d+  secretly picks the ", out, re.MULTILINE)  # the person's own choices are named


@pytest.mark.rules("PAT-023", "PAT-196")
def test_a_person_does_not_hear_which_dry_card_others_place(run):
    """Each seat places a beautiful card in the open, then a dry one that only he knows."""
    shown = 0
    for seed in range(2, 6):
        code, out, _ = run(
            "play", "patios", "--with", "scripted", "--players", "3", "--seed", seed, typed="0\n0\n0\n0\nq\n"
        )
        assert code == 0
        for seat in (1, 2):
            placed = re.findall(rf"^player_{seat} places (.*) in cell \d+$", out, re.MULTILINE)[:2]
            if len(placed) == 2:
                assert re.fullmatch("the (blue|red|green) pot", placed[0])
                assert placed[1] == "a card face down"
                shown += 1
    assert shown > 3


def hands_shown(out, name):
    """What the lines of VIVA's table tell of the hand of a seat, `you` where a person is asked."""
    return re.findall(rf"^[> ] {name} *  \** *\d+  (\S.*)$", out, re.MULTILINE)


def test_a_table_with_a_person_is_watched_as_that_person_sees_it(run):
    typed = "0\n" * 700
    code, out, _ = run(
        "watch", "viva", "--with", "person,scripted", "-o", "match=single_round", "--seed", "4", typed=typed
    )
    assert code == 0
    theirs = hands_shown(out, "player_1")
    assert len(theirs) > 10
    assert all(set(hand.split()) <= {"??", "out,", "place", "1", "2"} for hand in theirs)
    for own in (hands_shown(out, "you"), hands_shown(out, "player_0")):
        assert len(own) > 3
        assert not any("??" in hand for hand in own)


def test_several_persons_at_one_terminal_see_the_table_one_at_a_time(run):
    code, out, _ = run(
        "watch", "viva", "--with", "person,person,scripted", "--players", "3", "--seed", "4", typed="0\n" * 9
    )
    assert code == 1  # both persons have gone home: the input has ended
    tables = out.split("VIVA  ")[1:]
    assert len(tables) > 3
    for shown in tables:
        others = hands_shown(shown, r"player_\d")
        assert all(set(hand.split()) == {"??"} for hand in others)
        assert [len(hands_shown(shown, "you")), len(others)] in ([1, 2], [1, 0], [0, 0])  # all of it, or what changed


def test_a_game_that_is_only_watched_is_open(run):
    _, out, _ = run("watch", *GAME)
    assert "??" not in out


def test_a_replay_is_shown_as_a_seat_saw_and_heard_it_or_with_everything_told(run, tmp_path):
    path = tmp_path / "game.json"
    table, random = alarife.table("viana", 3, seed=5), np.random.default_rng(5)
    for _ in range(12):
        table.play(int(random.choice(table.legal())))
    alarife.record(table).write(path)
    picks = {}
    for seat in (None, 0, 1, 2):
        code, out, _ = run("replay", "show", path, *([] if seat is None else ["--seat", seat]))
        assert code == 0
        told = "everything is told, secrets included" if seat is None else f"as player_{seat} sees and hears it"
        assert out.splitlines()[1] == told
        picks[seat] = dict(re.findall(r"player_(\d) secretly picks (.*)", out))
    assert set(picks[None]) == {"0", "1", "2"}
    assert "a card" not in picks[None].values()
    for seat in range(3):
        assert picks[seat] == {str(p): picks[None][str(p)] if p == seat else "a card" for p in range(3)}
    code, _, err = run("replay", "show", path, "--seat", "3")
    assert (code, err) == (1, "alarife: seats go from 0 to 2, got 3\n")


def test_a_capped_round_is_told_at_the_end(run):
    for turns, told in (("600", False), ("3", True)):
        code, out, _ = run("watch", *GAME, "--brief", "-o", f"max_turns_per_round={turns}")
        assert code == 0
        assert ("rounds or games ended by a cap on their length: 1\n" in out) is told


def commands_of(parser):
    """All commands below a parser, with their whole names."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield name, command
                yield from ((f"{name} {below}", part) for below, part in commands_of(command))


def test_each_argument_of_each_command_says_what_it_is():
    commands = dict(commands_of(make_parser()))
    assert {"watch", "train", "hub install", "benchmark run"} <= set(commands)
    for name, command in commands.items():
        assert command.description, name
        arguments = [action for action in command._actions if not isinstance(action, argparse._SubParsersAction)]
        silent = [action.dest for action in arguments if not action.help]
        assert not silent, (name, silent)
