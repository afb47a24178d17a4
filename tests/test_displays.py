"""What a person is offered can be found in the text of the table."""

import re

import numpy as np
import pytest
from PIL import ImageFont

import alarife
from alarife.adapters.picture import FONTS


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


def columns_listed(text):
    """Number, mark and whereabouts of the columns, as the text lists them."""
    lines = [line for line in text.splitlines() if re.match(r"(blue|green|yellow|red) +\d+ ", line)]
    return {int(c): (mark, level, place) for line in lines for c, mark, level, place in
            re.findall(r"(\d+) (\(?[a-zA-Z]\)?) +(?:out|(\d) ([a-o]\d+))", line)}  # fmt: skip


@pytest.mark.parametrize("setup", ["random", "played"])
def test_the_columns_rows_and_cells_of_villa_paletti_are_found(setup):
    named = {"column": 0, "row": 0, "cell": 0}
    for table in positions("villa_paletti", 2, 3, 120, setup=setup):
        text = table.text(table.seat)
        lines = text.splitlines()
        listed = columns_listed(text)
        assert len(listed) == 20
        for match in offered(table, r"column (\d+)"):
            assert int(match[1]) in listed
            named["column"] += 1
        grid = {int(line[:4]): line[5:] for line in lines if re.match(r" +\d+ ", line[:5] + " ") and line[:5].strip()}
        for match in offered(table, r"chooses row (\d+)"):
            assert "+" in grid[int(match[1])]
            named["row"] += 1
        for match in offered(table, r"cell (\d+) of row (\d+)"):
            at = 3 * int(match[1]) - 2  # two characters for a cell, one between
            assert grid[int(match[2])][at] == "+"
            named["cell"] += 1
    assert min(named.values()) > 10, named


def test_a_column_is_listed_where_the_plan_shows_it():
    """Set up by hand: column 0 (thin, blue) 40 mm to the right of the middle, one row of 20 mm behind it."""
    table = alarife.table("villa_paletti", 2, seed=1, setup="played")
    state = table.state
    state.level[0], state.x[0], state.y[0] = 0, 40.0, 20.0
    state.locked[0] = 1
    text = table.text()
    assert columns_listed(text)[0] == ("b", "0", "i20")  # the middle is h16
    line = next(line for line in text.splitlines() if line.startswith("i "))
    assert line[2 + 19] == "b"
    assert " 0 b   0 i20x" in text
    assert "0 base plate, 1 column\n" in text


def test_the_stack_of_viva_is_named():
    assert ">stack</text>" in alarife.table("viva", seed=1).svg()


def test_the_badges_of_lisboa_hold_three_digits():
    table = alarife.table("lisboa", seed=1)
    table.state.wigs[:] = 133, 199
    svg = table.svg()
    for name, wigs in (("H", "133 wigs"), ("Lacerda", "199 wigs")):
        left, right = (
            re.search(rf'<text x="([\d.]+)" [^>]*font-size="(\d+)"[^>]*>{word}</text>', svg) for word in (name, wigs)
        )
        bold = FONTS / "DejaVuSans-Bold.ttf"
        ends = float(left[1]) + ImageFont.truetype(bold, int(left[2])).getlength(name)
        begins = float(right[1]) - ImageFont.truetype(bold, int(right[2])).getlength(wigs)
        assert begins - ends > 8
