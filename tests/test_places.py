"""Places of pictures: where actions are clicked."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

import alarife
from alarife.engine.errors import ConformanceError
from alarife.engine.game import Display
from alarife.engine.svg import Picture, described, places_in
from alarife.engine.table import Table
from alarife.testing import check_game
from teaching_game import GAME
from teaching_game.components import ACTIONS, PILES
from teaching_game.display import PebblesDisplay

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


class Plain(PebblesDisplay):
    """Pebbles as somebody shows it who has not heard of places."""

    place = Display.place


def test_an_action_without_a_place_is_a_button():
    table = Table(replace(GAME, display=Plain()), seed=1)
    assert [table.places_of(action) for action in table.legal()] == [()] * len(table.legal())


class Placed(PebblesDisplay):
    """Pebbles with a place for each pile."""

    def svg(self, state, seat=None):
        picture = Picture(600, 300, "#ffffff")
        for pile in range(PILES):
            with picture.place(f"pile:{pile}"):
                picture.box(40 + 180 * pile, 20, 150, 200, "none", "#000000")
        return picture.finish()

    def place(self, state, action):
        family, values = ACTIONS.decode(action)
        return "" if family == "pass_turn" else f"pile:{values['pile']}"


class Unseen(Placed):
    def svg(self, state, seat=None):
        return super().svg(state, seat).replace('"pile:0"', '"pile:9"')


class Unclear(Placed):
    def phrase(self, state, action, seat=None):
        return "takes pebbles"


class Growing(Placed):
    def svg(self, state, seat=None):
        return super().svg(state, seat).replace('height="300"', f'height="{300 + state.decisions}"')


def test_the_kit_wants_places_that_can_be_seen_and_told_apart_and_pictures_of_one_size():
    check_game(replace(GAME, display=Placed()), [2], only=["pictures", "hidden_information"])
    for display, words in (
        (Unseen(), "is clicked at 'pile:0', which the picture of player_. does not show"),
        (Unclear(), "have one phrase, 'takes pebbles', and one place"),
        (Growing(), "a picture is 600 x 300, later 600 x 30.; keep one size"),
    ):
        with pytest.raises(ConformanceError, match=words):
            check_game(replace(GAME, display=display), [2], only=["pictures"])
