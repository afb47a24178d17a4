"""What a person is offered can be found in the text of the table and in its picture, and can be read there."""

import io
import re
import sys

import numpy as np
import pytest
from PIL import Image, ImageFont

import alarife
from alarife.adapters.picture import FONTS, Screen, fitting_width
from alarife.engine.sheet import counted
from alarife.engine.svg import Picture, places_in
from alarife.games.lisboa.words import to_you

from .looks import contrast, faint, on_each_other, outside, size_of


def positions(name, players, seed, most, **options):
    """A game of random play: the table at each decision."""
    table, random = alarife.table(name, players, seed=seed, **options), np.random.default_rng(seed)
    while not table.over and table.state.decisions < most:
        yield table
        table.play(int(random.choice(table.legal())))


def offered(table, pattern):
    """What the phrases of the legal actions name."""
    found = (re.search(pattern, table.phrase(action)) for action in table.legal())
    return [match for match in found if match]


@pytest.mark.parametrize("players", [2, 3])
def test_the_cells_of_patios_carry_their_numbers(players):
    named = 0
    for table in positions("patios", players, 3, 250):
        text = table.text(table.seat)
        assert max(map(len, text.splitlines())) <= 120
        for cell in offered(table, r"cell (\d+)"):
            assert re.search(rf"(?<!\d){cell[1]}:", text), (cell[0], text)
            named += 1
    assert named > 300


def test_a_free_cell_of_patios_shows_its_number_in_the_picture():
    svg = alarife.table("patios", 2, seed=1).svg()
    shown = re.findall(r">(\d+)</text>", svg)
    assert shown.count("6") == shown.count("17") == 2  # the inner cells are 6 to 8, 11, 12, 15 to 17 (PAT-006)
    assert "13" not in shown


RESULTS = {
    "viva": ({"wins": (1, 3)}, {}, ["1 round won", "3 rounds won"]),
    "viva, one round": ({"held": (1, 0), "position": (0, 1)}, {"match": "single_round"},
                        ["1 card left", "out as number 1"]),
    "patios": ({"loose": (2, 0), "coins": (1, 2)}, {}, ["2.5 points", "1 point"]),
    "viana": ({"score": (1, 31)}, {}, ["1 point", "31 points"]),
    "lisboa": ({"wigs": (57, 60)}, {}, ["57 wigs to Lacerda's 60"]),
}  # fmt: skip


@pytest.mark.parametrize("case", RESULTS)
def test_a_result_is_told_in_the_words_of_the_board_game(case):
    """A coin of Patios is half a point (PAT-172), so its scores for agents are twice the points."""
    fields, options, told = RESULTS[case]
    table = alarife.table(case.partition(",")[0], len(told), seed=1, **options)
    for field, values in fields.items():
        getattr(table.state, field)[: len(values)] = values
    assert table.display.points(table.state) == told


@pytest.mark.parametrize(
    ("seat", "name", "first"), [(0, "you", "you keep one of"), (None, "player_0", "player_0 keeps one of")]
)
def test_lisboa_calls_the_one_who_looks_you(seat, name, first):
    """And nobody H, as the ledger does, in any step of a game."""
    assert first in alarife.table("lisboa", seed=2).text(seat)
    for table in positions("lisboa", 1, 2, 400):
        text, svg = table.text(seat), table.display.svg(table.state, seat)
        assert name in text
        assert f">{name}</text>" in svg
        assert not re.search(r"\bH\b", text + svg)
        for action in table.legal():  # no short forms, which only the dense text has
            assert not re.search(r"\bi\d|\dw\b|\bpb\b|\bcol\b", table.phrase(action, seat))


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("sells or trades", "sell or trade"),
        ("may follow Lacerda", "may follow Lacerda"),
        ("takes a cube", "take a cube"),
    ],
)
def test_lisboa_says_what_is_to_be_done_to_the_one_who_does_it(does, told):
    assert to_you(does) == told


def test_villa_paletti_tells_who_holds_the_seal():
    table = alarife.table("villa_paletti", 2, seed=1)
    table.state.owner = 1
    assert table.display.points(table.state) == ["0 points", "0 points, the Seal"]


def columns_listed(text):
    """Number, mark, level and millimetres of the columns, as the text lists them."""
    lines = [line for line in text.splitlines() if re.match(r"(blue|green|yellow|red) +\d+ ", line)]
    return {int(c): (mark, level, place) for line in lines for c, mark, level, place in
            re.findall(r"(\d+) (\(?[a-zA-Z]\)?) +(?:out|(\d) ([+-]\d+,[+-]\d+))", line)}  # fmt: skip


@pytest.mark.parametrize("setup", ["random", "played"])
def test_the_columns_rows_and_cells_of_villa_paletti_are_found(setup):
    """Phrases, text and picture tell places in the same millimetres."""
    named = {"column": 0, "row": 0, "cell": 0}
    for table in positions("villa_paletti", 2, 3, 120, setup=setup):
        text = table.text(table.seat)
        listed = columns_listed(text)
        assert len(listed) == 20
        for match in offered(table, r"column (\d+)"):
            assert int(match[1]) in listed
            named["column"] += 1
        cells = text.partition("mm for the")[2]
        grid = {int(line[:5]): line[6:] for line in cells.splitlines() if re.match(r" *[+-]\d+ ", line[:6])}
        for match in offered(table, r"chooses row ([+-]\d+)"):
            assert "+" in grid[int(match[1])]
            named["row"] += 1
        for match in offered(table, r" on [+-]\d+,([+-]\d+)"):
            assert "+" in grid[int(match[1])]
            named["cell"] += 1
    assert min(named.values()) > 10, named


def test_a_column_is_listed_where_the_plan_shows_it():
    """Set up by hand: column 0 (thin, blue) 40 mm to the right of the middle, one row of 20 mm behind it."""
    table = alarife.table("villa_paletti", 2, seed=1, setup="played")
    state = table.state
    state.level[0], state.x[0], state.y[0] = 0, 40.0, 20.0
    state.locked[0] = 1
    text = table.text()
    assert columns_listed(text)[0] == ("b", "0", "+40,+20")
    line = next(line for line in text.splitlines() if line.startswith("  +20 "))
    assert line[6 + 15 + 4] == "b"  # the middle is the sixteenth of 31 characters of 10 mm
    assert " 0 b   0 +40,+20x" in text
    assert "0 base plate, 1 column\n" in text
    svg = table.svg()
    assert svg.count('data-place="column:0"') == 3  # from two sides and from above
    assert ">x</text>" in svg


def test_the_stack_of_viva_is_named():
    assert ">stack</text>" in alarife.table("viva", seed=1).svg()


def test_a_large_hand_of_viva_shows_each_kind_once_with_its_number():
    """Fourteen kinds, twenty-five cards: two rows of cards, eleven with a number."""
    table = alarife.table("viva", 3, seed=1)
    state = table.state
    state.hand[0] = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    state.held[0] = 25
    svg = table.svg(0)
    shown = re.findall(r'data-place="kind:(\d+)"', svg)
    assert shown == [str(k) for k in range(14)]
    hand = svg.partition('data-place="kind:0"')[2].partition("player_1")[0]
    assert hand.count(">2</text>") == 11
    assert not outside(svg)
    assert not on_each_other(svg)


# --- looks ------------------------------------------------------------------------------------------

LARGEST = [("viva", 6), ("patios", 5), ("viana", 5), ("villa_paletti", 4), ("lisboa", 1)]


@pytest.mark.parametrize(("name", "players"), LARGEST)
def test_words_can_be_read_at_the_beginning_in_the_middle_and_at_the_end(name, players):
    table, random = alarife.table(name, players, seed=2), np.random.default_rng(2)
    looked = 0
    while True:
        if table.over or table.state.decisions in (0, 60):
            svg = table.svg(int(table.seat) if looked == 1 else None)
            assert faint(svg) == []
            assert outside(svg) == []
            if name != "villa_paletti":  # columns hide one another
                assert on_each_other(svg) == []
            looked += 1
        if table.over:
            break
        table.play(int(random.choice(table.legal())))
    assert looked == 3


MANY = re.compile(r"(?<![\d.,½/-])1 (points|cards|courtyards|wigs|columns|floors|rounds|games|tokens)\b")


@pytest.mark.parametrize(("name", "players"), LARGEST)
def test_one_thing_is_told_in_the_singular(name, players):
    for table in positions(name, players, 4, 160):
        if table.state.decisions % 20 == 0:
            assert not MANY.search(table.text()), table.text()
            assert not MANY.search(table.svg(None))


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 points"), (1, "1 point"), (2, "2 points"), (-1, "-1 points"), ("1", "1 point"),
                         ("1½", "1½ points"), ("?", "? points")]
)  # fmt: skip
def test_things_are_counted(number, told):
    assert counted(number, "point") == told
    assert not MANY.search(f"player_0  {told}")
    assert MANY.search("player_3  yellow   1 points")


def test_the_looks_are_measured():
    """Grey on white has 4.54 to 1 (WCAG's own example is #767676), a lighter grey less."""
    assert round(contrast((0x76,) * 3, (255,) * 3), 2) == 4.54
    assert contrast((0, 0, 0), (255, 255, 255)) == 21
    picture = Picture(200, 100, "#ffffff")
    picture.text(20, 40, "fine", 16, "#767676")
    picture.text(120, 40, "faint", 16, "#777777")
    picture.text(20, 80, "over", 16, "#000000")
    picture.text(30, 84, "under", 16, "#000000")
    picture.text(180, 80, "beyond", 16, "#000000")
    svg = picture.finish()
    assert [told[0] for told in faint(svg)] == ["faint"]
    assert outside(svg) == ["beyond"]
    assert on_each_other(svg) == [("under", "over")]


# --- places -----------------------------------------------------------------------------------------

BUTTONS = {
    "viva": {"end_play", "call_viva", "decline_viva", "catch", "let_pass"},
    "patios": {"offer", "done"},
    "viana": {"announce", "honk", "done"},
    "villa_paletti": {"stop", "object_to", "agree"},
    "lisboa": {"sell_or_trade", "stop"},
}


@pytest.mark.parametrize(("name", "players"), LARGEST)
def test_all_but_yes_and_no_is_clicked_in_the_picture(name, players):
    sizes, clicked = set(), set()
    for table in positions(name, players, 4, 160):
        svg = table.svg(table.seat)
        sizes.add(size_of(svg))
        shown = places_in(svg)
        for action in table.legal():
            family = table.game.actions.name(action).partition("(")[0]
            places = table.places_of(action)
            assert bool(places) != (family in BUTTONS[name]), table.game.actions.name(action)
            assert set(places) <= shown, table.game.actions.name(action)
            clicked.update(places)
    assert len(sizes) == 1
    assert len(clicked) > 20


@pytest.mark.parametrize(("name", "players"), LARGEST)
def test_you_are_marked_where_somebody_looks(name, players):
    table = alarife.table(name, players, seed=1)
    assert not re.search(r">you\b", table.svg())
    for seat in range(players):
        assert len(re.findall(r">you</text>", table.svg(seat))) == 1


# --- why 53? ----------------------------------------------------------------------------------------


def sheet(table):
    """The score sheet: a row of cells by its first word."""
    return {row[0]: row[1:] for row in table.display.sheet(table.state)}


@pytest.mark.rules("PAT-171", "PAT-172", "PAT-173")
def test_the_sheet_of_patios_adds_up():
    """Tokens 2 blue, 1 red, 1 green: a set of three (15) and a single one (3); 7 loose points; three coins."""
    table = alarife.table("patios", 2, seed=1)
    state = table.state
    state.over, state.trio[0], state.loose[0], state.coins[0] = 1, [2, 1, 1], 7, 3
    rows = sheet(table)
    assert [row[0] for row in rows.values()] == ["player_0", "2B  1R  1G", 18, 7, "1.5", "26.5"]
    assert "26.5" in table.text(1)
    assert ">26.5</text>" in table.svg(1)


@pytest.mark.rules("VIA-160", "VIA-161")
def test_the_sheet_of_viana_adds_up():
    """Of 53 points 6 came from three flowers left in the Garden, 6 from nine courtyards, 41 before."""
    table = alarife.table("viana", 2, seed=1)
    state = table.state
    state.over, state.score[0], state.courts[0] = 1, 53, 9
    state.flower[0, 12, 0] = 3
    assert [row[0] for row in sheet(table).values()] == [0, 41, 6, 6, 53]
    assert ">41</text>" in table.svg(1)


@pytest.mark.rules("PAL-131", "PAL-133")
def test_the_sheet_of_villa_paletti_adds_up():
    """On the green floor two thin columns (1 each) and the thick one (3) of seat 0's blue."""
    table = alarife.table("villa_paletti", 2, seed=1)
    state = table.state
    state.level[:] = -1
    state.floors, state.over, state.seat_of[:] = 2, 1, [0, 1, 1, 1]
    state.level[[0, 1, 4]] = 2
    rows = sheet(table)
    assert [row[0] for row in rows.values()] == ["player_0", 2, 0, 1, 5, "-"]
    assert [row[1] for row in rows.values()] == ["player_1", 0, 0, 0, 0, "-"]


@pytest.mark.rules("LIS-255", "LIS-272")
def test_the_sheet_of_lisboa_adds_up():
    table, random = alarife.table("lisboa", seed=3), np.random.default_rng(3)
    while not table.over:
        table.play(int(random.choice(table.legal())))
    rows = sheet(table)
    for side in range(2):
        parts = [row[side] for name, row in rows.items() if name not in ("wigs", "sum")]
        assert sum(parts) == rows["sum"][side] == table.state.wigs[side]
    assert sum(rows["during the game"]) > 0


@pytest.mark.rules("VIV-109")
def test_the_sheet_of_viva_begins_with_the_winner():
    table = alarife.table("viva", 3, seed=1)
    state = table.state
    state.over, state.champion, state.wins[:3], state.position_sum[:3] = 1, 2, [2, 1, 2], [11, 12, 7]
    assert table.display.sheet(state)[1:] == [["player_2", 2, 7], ["player_0", 2, 11], ["player_1", 1, 12]]
    assert table.svg(0).index("player_2") < table.svg(0).index(">rounds won<") + 4000


# --- the window -------------------------------------------------------------------------------------


def test_a_picture_fits_on_the_screen():
    svg = Picture(1984, 1168, "#ffffff").finish()
    assert fitting_width(svg, 992, 2000) == 992
    assert fitting_width(svg, 5000, 584) == 992


class Window:
    """What tkinter does, as far as a `Screen` asks."""

    class TclError(Exception):
        pass

    def __init__(self, *_, **given):
        self.given, self.gone = given, False

    Tk = Label = PhotoImage = property(lambda self: self._made)

    def _made(self, *args, **given):
        if "data" in given:
            self.shown = given["data"]
        return self

    def protocol(self, name, does):
        self.on_close = does

    def destroy(self):
        self.gone = True

    def winfo_screenwidth(self):
        return 800

    def winfo_screenheight(self):
        return 600

    def title(self, _):
        pass

    def pack(self):
        pass

    def configure(self, **_):
        pass

    def update(self):
        if self.gone:
            raise self.TclError("application has been destroyed")


def test_a_window_that_was_closed_stays_closed(monkeypatch, capsys):
    table = alarife.table("lisboa", seed=1)
    for from_outside in (False, True):
        window = Window()
        monkeypatch.setitem(sys.modules, "tkinter", window)
        monkeypatch.setenv("DISPLAY", ":0")
        screen = Screen("Lisboa")
        screen.show(table, 0)
        assert Image.open(io.BytesIO(window.shown)).size == (760, 448)  # 95 % of 800, as Lisboa is 1984 by 1168
        if from_outside:
            window.gone = True
        else:
            window.on_close()
            assert window.gone
        screen.show(table, 0)
        screen.show(table, 0)
        screen.close()
    assert capsys.readouterr().out == ""


def test_the_badges_of_lisboa_hold_three_digits():
    table = alarife.table("lisboa", seed=1)
    table.state.wigs[:] = 133, 199
    svg = table.svg()
    for name, wigs in (("player_0", "133 wigs"), ("Lacerda", "199 wigs")):
        left, right = (
            re.search(rf'<text x="([\d.]+)" [^>]*font-size="(\d+)"[^>]*>{word}</text>', svg) for word in (name, wigs)
        )
        bold = FONTS / "DejaVuSans-Bold.ttf"
        ends = float(left[1]) + ImageFont.truetype(bold, int(left[2])).getlength(name)
        begins = float(right[1]) - ImageFont.truetype(bold, int(right[2])).getlength(wigs)
        assert begins - ends > 8
