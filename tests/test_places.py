"""Places of pictures: where actions are clicked."""

from xml.etree import ElementTree

import pytest

import alarife
from alarife.engine.svg import Picture, described, places_in
from alarife.engine.table import Table
from teaching_game import GAME

SVG = "{http://www.w3.org/2000/svg}"


def test_shapes_drawn_inside_a_place_belong_to_it():
    picture = Picture(100, 50, "#ffffff")
    with picture.place("card:3"):
        picture.box(0, 0, 10, 10, "none")
        with picture.place("card:3.corner"):
            picture.circle(5, 5, 1, "#000000")
    picture.line(0, 0, 9, 9, "#000000")
    outer, *rest = ElementTree.fromstring(picture.finish()).findall(f"{SVG}g")
    assert not rest
    assert outer.get("data-place") == "card:3"
    assert [shape.tag for shape in outer] == [f"{SVG}rect", f"{SVG}g"]
    assert places_in(picture.finish()) == {"card:3", "card:3.corner"}


def test_a_place_that_is_no_name_is_refused_in_a_sentence():
    for name in ("", "two words", 'a"b', "x" * 41):
        with (
            pytest.raises(alarife.AlarifeError, match="a place has 1 to 40 letters"),
            Picture(9, 9, "#fff").place(name),
        ):
            pass


def test_a_picture_that_cannot_be_seen_is_told():
    table = Table(GAME, seed=1)
    root = ElementTree.fromstring(table.svg(0))
    assert root.findtext(f"{SVG}title") == GAME.title
    assert root.findtext(f"{SVG}desc") == table.text(0)
    hostile = described("<svg><g/></svg>", "<b>", "</desc>\n\x1b")
    assert hostile == "<svg>\n<title>&lt;b&gt;</title>\n<desc>&lt;/desc&gt;\n\\x1b</desc><g/></svg>"


def test_an_action_without_a_place_is_a_button():
    table = Table(GAME, seed=1)
    assert [table.places_of(action) for action in table.legal()] == [()] * len(table.legal())
