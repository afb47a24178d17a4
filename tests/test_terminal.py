"""Sitting down at the terminal: what is shown, what may be typed, and what it does."""

import io
import re

import numpy as np
import pytest

import alarife
from alarife.__main__ import main
from alarife.commands.columns import columns
from alarife.engine.errors import AlarifeError
from alarife.players import Turns
from alarife.players.changes import changed_lines, new_words
from alarife.players.choosing import chosen, in_columns
from alarife.players.ink import Ink
from alarife.players.person import PersonPlayer, folded, legend
from alarife.players.speech import as_you, to_you, told

ROUND = ("viva", "--players", "3", "--seed", "4", "-o", "match=single_round")


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def go(*words, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main([str(word) for word in words])
        done = capsys.readouterr()
        return code, done.out, done.err

    return go


# --- words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phrase", "said"), [
    ("plays yellow", "play yellow"), ("passes", "pass"), ("goes to courtyard 1", "go to courtyard 1"),
    ("does not follow", "do not follow"), ("carries it", "carry it"), ("chooses row 17", "choose row 17"),
    ("secretly picks the Cook", "secretly pick the Cook"), ("watches", "watch"), ("has felt it", "have felt it"),
    ("takes out column 4 and lets the floor down", "take out column 4 and let the floor down"),
    ("sells wigs and ships", "sell wigs and ships"), ("picks up its own pot", "pick up your own pot"), ("", ""),
])  # fmt: skip
def test_a_person_is_told_what_he_does_himself(phrase, said):
    assert to_you(phrase) == said


def test_who_does_what():
    assert told(1, "takes a card", 1) == "you take a card"
    assert told(0, "swaps with player_1", 1) == "player_0 swaps with you"
    assert told(0, "swaps with player_11", 1) == "player_0 swaps with player_11"
    assert told(0, "swaps with player_1", None) == "player_0 swaps with player_1"


def test_columns_of_a_text_keep_their_places():
    text = "> player_0  coins 1   player_1  coins 2\nround 1, player_0 chooses a card\nplayer_0 to play\nplayer_0"
    shown = as_you(text, 0)
    assert shown == "> you       coins 1   player_1  coins 2\nround 1, you choose a card\nyou to play\nyou     "


@pytest.mark.parametrize(("answer", "numbers"), [
    ("2", [2]), ("4", []), ("-1", []), ("", []), ("house 1", [0]), ("HOUSE  11", [1]), ("passes", [3]), ("pa", [3]),
    ("puts red", [0, 1, 2]), ("puts", [0, 1, 2]), ("house", [0, 1, 2]), ("ouse", []), ("99999999999999999999", []),
    ("²", []),
])  # fmt: skip
def test_a_choice_is_meant_by_number_or_by_name(answer, numbers):
    assert chosen(answer, ["puts red on house 1", "puts red on house 11", "puts red on house 2", "passes"]) == numbers


def test_many_choices_stand_side_by_side_and_none_is_lost():
    phrases = [f"places a card in cell {cell}" for cell in range(30)]
    lines = in_columns(phrases, 100)
    assert max(map(len, lines)) <= 100
    assert len(lines) == 10
    assert sorted(int(n) for n in re.findall(r"(\d+)  places", "\n".join(lines))) == list(range(30))
    assert len(in_columns(phrases, 20)) == 30
    assert in_columns(phrases[:2], 100) == [f"    {n}  {phrases[n]}" for n in range(2)]


def test_what_changed_between_two_texts():
    before, now = ["a", "b", "c"], ["a", "x", "b", "d"]
    assert changed_lines(before, now) == [1, 3]
    assert changed_lines(now, now) == []


def test_a_card_that_was_drawn_is_found_also_where_its_like_was_held():
    before = ["player_0 to play", "> player_0  2  YY RY", "  player_1  1  ??"]
    now = ["player_1 to play", "  player_0  3  YY RY RY", "> player_1  2  ?? GG"]
    assert new_words(before, now, "player_0") == ["RY"]
    assert new_words(now, now, "player_0") == []


class Screen(io.StringIO):
    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


@pytest.mark.parametrize(("is_terminal", "settings", "is_coloured"), [
    (True, {}, True), (False, {}, False), (True, {"NO_COLOR": "1"}, False), (True, {"NO_COLOR": ""}, True),
    (True, {"TERM": "dumb"}, False),
])  # fmt: skip
def test_colours_are_for_terminals_and_for_those_who_want_them(monkeypatch, is_terminal, settings, is_coloured):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in ({"TERM": "xterm"} | settings).items():
        monkeypatch.setenv(name, value)
    ink = Ink(Screen(is_terminal))
    assert ink("you", "bold") == ("\x1b[1myou\x1b[0m" if is_coloured else "you")
    assert ("\x1b" in ink.seat("player_1", 1)) is is_coloured


# --- at the table -------------------------------------------------------------------------------------


def test_a_person_plays_by_name_and_is_called_you(run):
    code, out, err = run("play", *ROUND, typed="plays yel\nhouse 2\nq\n")
    assert (code, err) == (0, "")
    assert "> you play yellow\n" in out
    assert "> you put yellow on house 2\n" in out
    assert re.search(r"^you decide: a type, ", out, re.MULTILINE)
    assert out.count("player_0") == 1 + out.count("player_0> ")


def test_a_name_that_fits_several_choices_is_asked_again(run):
    _, _, err = run("play", *ROUND, typed="plays\nq\n")
    assert err.startswith("'plays' fits 5 choices; type more of it, or the number:\n    0  plays yellow\n")


def test_a_name_that_no_choice_has_is_told(run):
    _, _, err = run("play", *ROUND, typed="dance\n\n99\nq\n")
    numbers = "Type a number from 0 to 5, or a choice by name. help lists what else there is.\n"
    assert err == f"No choice is called 'dance'. {numbers}{numbers}{numbers}"


def test_long_lines_are_folded_between_words_on_a_terminal_only(monkeypatch):
    line = "church  *sale +1 (2w)  decree +1w (3w)"
    for is_terminal, lines in ((True, ["church  *sale +1", "      (2w)  decree", "      +1w (3w)"]), (False, [line])):
        monkeypatch.setattr("sys.stdout", Screen(is_terminal))
        monkeypatch.setenv("COLUMNS", "20")
        assert folded([line]) == lines


def test_help_lists_every_word(run):
    _, out, _ = run("play", *ROUND, typed="help\n?\nq\n")
    for word in ("help", "table", "legend", "hint [PLAYER]", "undo", "save [FILE]", "record [FILE]", "quit"):
        assert len(re.findall(rf"^  {re.escape(word)} ", out, re.MULTILINE)) == 2, word
    assert not re.search(r"^  q ", out, re.MULTILINE)


def test_within_a_turn_only_what_changed_is_shown(run):
    """Putting the card down is asked next: the table has not changed. Then others play, and all of it is shown."""
    _, out, _ = run("play", *ROUND, typed="0\n0\ntable\nq\n")
    first, house, after, again = out.split("\nVIVA  ")[1:]
    assert "houses  " in first
    assert "houses  " not in house
    assert house.startswith("round 1, you choose a house for yellow\n")
    assert "houses  " in after
    assert after.split("you decide")[0] == again.split("you decide")[0]


def test_what_was_drawn_is_told(run):
    _, out, _ = run("play", *ROUND, typed="takes a card\nq\n")
    drawn = re.search(r"you take a card\n +new to you: ([A-Z]{2})\n", out)[1]
    hands = re.findall(r"^(?:[> ] )you +(?:\**) *\d+  (.*)$", out, re.MULTILINE)
    assert drawn in hands[-1].split()


def test_a_hint_is_a_legal_choice_of_the_player_that_was_asked(run):
    for words, name in ((("hint",), "trained"), (("hint mc:4",), "mc:4"), (("hint scripted",), "scripted")):
        _, out, _ = run("play", *ROUND, typed="\n".join([*words, "q"]) + "\n")
        number, phrase = re.search(rf"> {name} would choose (\d+)  (.*)$", out, re.MULTILINE).groups()
        assert re.search(rf"^ +{number}  {re.escape(phrase)}$", out, re.MULTILINE)
    assert "> scripted would choose" in run("play", *ROUND, "--hints", "scripted", typed="hint\nq\n")[1]
    for name in ("person", "nobody"):
        code, out, err = run("play", *ROUND, typed=f"hint {name}\n0\nq\n")
        assert code == 0
        assert "you play" in out  # the person is asked again
        assert {"person": "a hint comes from another", "nobody": "no player called 'nobody'"}[name] in err


def test_an_adviser_is_given_what_the_seat_may_know_and_nothing_else():
    """The same turns as any player: made anew on tables that differ in what is hidden, the hint is the same."""
    table = alarife.table("viva", 3, seed=4, match="single_round")
    asked = []

    class Adviser(PersonPlayer):
        def _hint(self, due, name):
            asked.append(due.turns)

    answers = iter(["hint", "0"])
    turns = Turns.of_table(table)
    Adviser(ask=lambda prompt: next(answers)).act(turns)
    assert type(asked[0]) is Turns
    assert asked[0]._sealed.tobytes() == turns._sealed.tobytes() != table.to_bytes()
    assert np.array_equal(asked[0].observation, table.observe(0)[None])


def test_a_choice_that_shows_nothing_new_is_taken_back(run):
    _, out, _ = run("play", *ROUND, typed="plays yellow\nundo\nq\n")
    assert "> taken back\n" in out
    first, _, again = out.split("\nVIVA  ")[1:]
    assert again.split("you decide")[0] == first.split("you decide")[0]


def test_a_take_back_that_would_teach_marks_the_game(run):
    typed = "takes a card\n" * 2 + "undo\nrecord x.json\nsave x.save\nq\n"
    code, out, err = run("play", *ROUND, "--record", "end.json", typed=typed)
    assert code == 0
    assert "From here on the game is marked, and has no replay." in out
    assert err.startswith("No replay is written: the game went on from a take-back that was not free")
    assert "No replay is written" in out.split("stopped\n")[1]
    code, out, _ = run("play", "--resume", "x.save", typed="q\n")
    assert code == 0


def test_nothing_is_taken_back_before_the_first_decision(run):
    _, _, err = run("play", *ROUND, typed="undo\nq\n")
    assert err == "player_0 has nothing to take back: no decision of that seat has been played\n"


def test_where_other_persons_sit_only_a_free_take_back_is_allowed(run):
    words = ("play", *ROUND, "--with", "person,person,scripted")
    _, out, err = run(*words, typed="plays yellow\nundo\nq\n")
    assert ("> taken back\n" in out, err) == (True, "")
    typed = "takes a card\n" * 6 + "undo\nq\n"
    _, out, err = run(*words, typed=typed)
    assert "would change those of the other persons here" in err
    assert "taken back" not in out


def test_a_game_is_saved_and_gone_on_with_where_it_stood(run):
    _, out, _ = run("play", *ROUND, "--seat", "1", typed="save\nsave game.save\nsave game.save\nq\n")
    assert "Go on with it: alarife play --resume game.save --with scripted,scripted,scripted --seat 1\n" in out
    last = out.split("\nVIVA  ")[1].split("you decide")[0]
    code, out, _ = run("play", "--resume", "game.save", "--with", "scripted", "--seat", "1", typed="q\n")
    assert code == 0
    assert out.split("\nVIVA  ")[1].split("you decide")[0] == last
    _, _, err = run("play", *ROUND, typed="save game.save\nq\n")
    assert err == "game.save is there already: choose another name\n"


@pytest.mark.parametrize(("words", "sentence"), [
    ([], "name a game, such as viva, or a saved one with --resume FILE"),
    (["patios", "--resume", "game.save"], "game.save is a game of pebbles, not of patios"),
    (["--resume", "game.save", "--players", "2"], "a game that was saved has its own players: leave --players away"),
    (["--resume", "over.save"], "the game in over.save is over"),
])  # fmt: skip
def test_what_cannot_be_gone_on_with_is_told(run, words, sentence):
    table = alarife.table("pebbles", 2, seed=1)
    alarife.save(table, "game.save")
    while not table.over:
        table.play(table.legal()[0])
    alarife.save(table, "over.save")
    assert run("play", *words) == (1, "", f"alarife: {sentence}\n")


def test_a_game_is_recorded_when_it_ends_and_when_one_leaves(run):
    for typed, is_over in (("0\n" * 400, True), ("0\n0\nq\n", False)):
        code, out, _ = run("play", *ROUND, "--record", "game.json", typed=typed)
        assert code == 0
        assert out.endswith("replay: game.json\n")
        replay = alarife.Replay.read("game.json")
        assert replay.over is is_over
        assert replay.names == ["person", "scripted", "scripted"]
        assert ("you: place " in out) is is_over


def test_the_only_choice_is_taken_with_enter(run, pebbles):
    table = alarife.table("viana", 2, seed=3)
    while len(table.legal()) > 1:
        table.play(table.legal()[0])
    answers = iter([""])
    assert PersonPlayer(ask=lambda prompt: next(answers)).act(Turns.of_table(table)) == table.legal()


@pytest.mark.parametrize("game", ["lisboa", "patios", "viana", "villa_paletti", "viva"])
def test_every_game_tells_how_its_text_is_read(game):
    assert len(legend(alarife.find_game(game)).splitlines()) >= 3


def test_a_game_without_a_page_says_so(pebbles):
    assert legend(pebbles) == "The page of Pebbles has no part on how its text is read."


# --- stepping -----------------------------------------------------------------------------------------


@pytest.fixture
def replay(tmp_path):
    table, random = alarife.table("viana", 2, seed=5), np.random.default_rng(5)
    for _ in range(12):
        table.play(int(random.choice(table.legal())))
    alarife.record(table).write(tmp_path / "game.json")
    return tmp_path / "game.json"


def stepped(out):
    """The numbers of the decisions that were shown; 0 is the deal."""
    return [int(number or 0) for number in re.findall(r"^(?: +(\d+)  player_\d .*|the deal)$", out, re.MULTILINE)]


def test_a_replay_is_stepped_forward_back_and_to_any_decision(run, replay):
    code, out, err = run("replay", "show", replay, "--step", typed="\n\nb\n7\n+3\n-2\nend\n0\nq\n")
    assert (code, err) == (0, "")
    assert stepped(out) == [0, 1, 2, 1, 7, 10, 8, 12, 0]
    assert out.count("Palace of Viana  ") == 9


def test_steps_end_at_the_ends_and_other_words_are_answered_with_help(run, replay):
    code, out, err = run("replay", "show", replay, "--step", typed="b\n99\n\ndance\n")
    assert code == 0
    assert stepped(out) == [0, 12]
    assert out.count("decisions go from 0 (the deal) to 12; this is ") == 2
    assert err.count("+10, -10: so many on or back") == 1


def test_steps_show_and_tell_what_the_seat_saw_and_heard(run, replay):
    _, out, _ = run("replay", "show", replay, "--step", "--seat", "0", typed="\n" * 20)
    assert "player_1 secretly picks a card\n" in out
    assert not re.search("player_1 secretly picks the ", out)
    hands = re.findall(r"player_1.* hand: (.*?)  personal", out)
    assert len(hands) == 13
    assert all(re.fullmatch(r"\d cards", hand) for hand in hands)


# --- tables -------------------------------------------------------------------------------------------

NAMES = "mc:100:cut=40:information=each", "runs/a-very-long-name/of-a-folder/best.safetensors", "[b]x[/b] :100:"


@pytest.mark.parametrize("width", [40, 60, 80, 140])
def test_a_table_fits_and_cuts_neither_names_nor_numbers(width):
    rows = [["player", "rating", "wins", "mean place", "mean score"]]
    rows += [[name, "25.0 [20.1, 29.9]", "62 % [55, 68]", "1.50 [1.40, 1.60]", "81.2 [79.9, 82.5]"] for name in NAMES]
    lines = columns(rows, 1, width)
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    for number in rows[1][1:]:
        assert text.count(number) == 3
    left = "".join(line[: line.find("  ")] if "  " in line else line for line in lines)
    for name in NAMES:
        assert re.sub(r"\s", "", name) in re.sub(r"\s", "", left)


def test_control_characters_move_nothing():
    assert columns([["a", "n"], ["x\x1b[2J", "1"]], 1, 80) == ["a         n", r"x\x1b[2J  1"]


def test_the_list_fits_eighty_columns_also_with_long_titles(run, monkeypatch):
    import dataclasses

    from alarife.commands import catalogue

    game = dataclasses.replace(alarife.find_game("pebbles"), title="Pebbles of the northern shore " * 3)
    monkeypatch.setattr(catalogue, "find_game", lambda name: game)
    _, out, _ = run("list")
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("Pebbles") == 3 * len(catalogue.game_names())


def test_words_of_the_table_are_told_where_they_fail():
    with pytest.raises(AlarifeError, match="player_0 has left the table"):
        PersonPlayer(ask=lambda prompt: "quit").act(Turns.of_table(alarife.table("pebbles", 2, seed=1)))
