"""Going back in a game, without learning by it."""

import numpy as np
import pytest

import alarife
from alarife.engine.errors import AlarifeError
from alarife.engine.takeback import FREE, MARKED, Course


def phrase_of(table, words):
    """The legal action whose phrase begins with these words."""
    return next(action for action in table.legal() if table.phrase(action).startswith(words))


def viva(seed=4):
    return Course(alarife.table("viva", 3, seed=seed, match="single_round"))


@pytest.mark.rules("VIV-040")
def test_a_card_that_was_played_and_shows_nothing_new_is_taken_back_freely():
    course = viva()
    before = course.table.to_bytes()
    course.play(phrase_of(course.table, "plays"))
    assert course.table.to_bytes() != before
    assert course.take_back(0)
    assert course.table.to_bytes() == before
    assert (course.table.history, course.is_marked) == ([], False)
    assert alarife.record(course.table).decisions == []


def test_a_drawn_card_is_taken_back_at_the_price_of_another_future():
    """Over 20 games the card that is drawn again differs often: the true one stays secret."""
    differs = 0
    for seed in range(20):
        course = viva(seed)
        course.play(phrase_of(course.table, "takes a card"))
        seen = course.table.observe(0)
        assert not course.is_free(0)
        assert not course.take_back(0, seed)
        assert course.is_marked
        course.play(phrase_of(course.table, "takes a card"))
        differs += not np.array_equal(course.table.observe(0), seen)
    assert differs > 10
    with pytest.raises(AlarifeError, match="has no replay"):
        alarife.record(course.table)


def test_the_seat_sees_the_same_position_after_a_take_back():
    course = viva()
    seen, legal = course.table.observe(0), course.table.legal()
    course.play(phrase_of(course.table, "takes a card"))
    course.take_back(0, 1)
    assert np.array_equal(course.table.observe(0), seen)
    assert (course.table.seat, course.table.legal()) == (0, legal)


def test_what_another_seat_has_answered_is_not_taken_back_freely():
    course = Course(alarife.table("viana", 2, seed=3))
    seat = course.table.seat
    course.play(course.table.legal()[0])
    assert course.is_free(seat)
    assert course.table.seat != seat
    course.play(course.table.legal()[0])
    assert not course.is_free(seat)


@pytest.mark.rules("VIA-060")
def test_secret_cards_that_came_to_light_make_a_take_back_count_though_no_chance_was_drawn():
    """Viana's first cards are turned up when the last seat has picked: it learns what the others have."""
    course = Course(alarife.table("viana", 2, seed=3))
    while not course.table.phrase(course.table.legal()[0]).startswith("secretly picks"):
        course.play(course.table.legal()[0])
    first, before = course.table.seat, course.table.clone()
    course.play(course.table.legal()[0])
    assert course.is_free(first)
    last = course.table.seat
    course.play(course.table.legal()[0])
    assert course.table.states["rng"] == before.states["rng"]
    assert not course.is_free(last)


def test_behind_a_fork_nothing_is_free_and_all_the_way_back_can_be_gone():
    course = viva()
    course.play(phrase_of(course.table, "plays"))
    house = phrase_of(course.table, "puts")
    course.play(house)
    assert course.is_marked is False
    while course.table.seat != 0:
        course.play(course.table.legal()[-1])
    course.play(phrase_of(course.table, "takes a card"))
    assert [course.take_back(0), course.take_back(0), course.take_back(0)] == [False, False, False]
    assert course.last_of(0) is None
    with pytest.raises(AlarifeError, match="player_0 has nothing to take back"):
        course.take_back(0)


def test_where_all_is_open_only_chance_counts():
    """Lisboa for one: a tile that is kept shows nothing new, a die or a pile that is drawn from does."""
    course, random, found = Course(alarife.table("lisboa", seed=3)), np.random.default_rng(3), set()
    assert course.table.game.open_information
    while not course.table.over and course.table.state.decisions < 60:
        before = int(course.table.states["rng"][0])
        course.play(int(random.choice(course.table.legal())))
        is_drawn = before != int(course.table.states["rng"][0])
        assert course.is_free(0) is not is_drawn
        found.add(is_drawn)
    assert found == {True, False}


def test_a_position_that_was_set_up_is_marked_from_the_start():
    assert Course(alarife.table("pebbles", 2, seed=1).refresh()).is_marked


def test_whether_a_take_back_is_free_is_asked_anew_for_another_choice():
    """A card is put into a house and taken back; then a card is drawn in its place."""
    course = viva()
    course.play(phrase_of(course.table, "plays"))
    assert course.is_free(0)
    assert course.take_back(0)
    course.play(phrase_of(course.table, "takes a card"))
    assert not course.is_free(0)


def test_what_a_take_back_costs():
    course = viva()
    assert course.price(0, [0]) == ""
    course.play(phrase_of(course.table, "plays"))
    assert [course.price(0, persons) for persons in ([0], [0, 1])] == [FREE, FREE]
    course.take_back(0)
    course.play(phrase_of(course.table, "takes a card"))
    assert [course.price(0, persons) for persons in ([0], [0, 1])] == [MARKED, ""]
