"""The conformance kit finds what is wrong, and says it."""

import dataclasses
import re

import numpy as np
import pytest

from alarife.engine.errors import ConformanceError
from alarife.engine.game import Display
from alarife.engine.information import Trail
from alarife.engine.jit import rule
from alarife.engine.layout import Features, Flags
from alarife.engine.memory import Memory
from alarife.engine.moves import offer
from alarife.engine.random import below
from alarife.engine.result import place_by_key
from alarife.engine.table import Table
from alarife.testing import check_game
from alarife.testing.knowledge import Position
from teaching_game import observation, rules
from teaching_game.display import PebblesDisplay
from teaching_game.resample import resample
from toy_games import AT_ONCE, HUGE_SCORES, KUHN, ONE_DECISION, SAFE_OR_GUESS


@rule
def offers_twice(s, moves):
    rules.legal(s, moves)
    if moves.count < 5:
        offer(moves, moves.at[0])


@rule
def offers_nothing_once(s, moves):
    if s.decisions != 3:
        rules.legal(s, moves)


@rule
def view_shows_all_luck(s, seat, view):
    observation.observe(s, seat, view)
    view[observation.AT.passing] = s.lucky[(seat + 1) % s.seats] == 1


@rule
def view_forgets_who_passed(s, seat, view):
    observation.observe(s, seat, view)
    view[observation.AT.passed : observation.AT.seat] = 0


@rule
def view_forgets_all_but_empty_piles(s, seat, view):
    observation.observe(s, seat, view)
    for pile in range(3):
        view[observation.AT.piles + pile] = s.piles[pile] == 0
    view[observation.AT.taken : observation.AT.passed] = 0
    view[observation.AT.left] = 0


@rule
def view_forgets_the_end(s, seat, view):
    observation.observe(s, seat, view)
    view[observation.AT.revealed :] = 0


@rule
def view_out_of_bounds(s, seat, view):
    observation.observe(s, seat, view)
    view[0] = s.decisions


@rule
def resample_touches_public_parts(s, seat):
    resample(s, seat)
    s.passed[seat] = 1 - s.passed[seat]


@rule
def resample_does_nothing(s, seat):
    pass


@rule
def resample_breaks_points(s, seat):
    if not s.over:
        for p in range(s.seats):
            if p != seat:
                s.lucky[p] = below(s, 3)


@rule
def loses_a_pebble(s, action):
    rules.apply(s, action)
    if s.decisions == 4 and s.piles[0] > 0:
        s.piles[0] -= 1


@rule
def advises_by_others_luck(s, moves):
    return moves.at[s.lucky[(s.seat + 1) % s.seats] % moves.count]


@rule
def wipes_out_points_only(s, seat):
    for p in range(s.seats):
        if p != seat:
            s.points[p] = 0


@rule
def wipes_out_others_luck(s, seat):
    for p in range(s.seats):
        if p != seat:
            s.lucky[p] = 0
            s.points[p] = 0


@rule
def wipes_out_all_luck(s, seat):
    wipes_out_others_luck(s, seat)
    s.lucky[seat] = 0


@rule
def advises_nonsense(s, moves):
    return 9


@rule
def places_upside_down(s, r):
    rules.result(s, r)
    for p in range(s.seats):
        r.place[p] = 1 + p
    r.place[0] = 3


@rule
def deals_different_piles(s):
    """Neighbours never draw the same lucky pile."""
    rules.reset(s)
    for p in range(1, s.seats):
        s.lucky[p] = (s.lucky[p - 1] + 1 + below(s, 2)) % 3


@rule
def deals_the_first_pile_never(s):
    """The first pile is nobody's lucky one."""
    rules.reset(s)
    for p in range(s.seats):
        s.lucky[p] = 1 + below(s, 2)


class SilentDisplay(PebblesDisplay):
    def text(self, state, seat=None):
        return "pebbles"


class OpenDisplay(PebblesDisplay):
    def svg(self, state, seat=None):
        return super().svg(state, None)


class BrokenDisplay(PebblesDisplay):
    def svg(self, state, seat=None):
        return "<svg>"


@pytest.mark.parametrize(("change", "sentence"), [
    ({"legal": offers_twice}, "an action is offered twice"),
    ({"legal": offers_nothing_once}, "a seat to decide has no legal action"),
    ({"observe": view_shows_all_luck}, "its view depends on what it cannot know: passing[0] is"),
    ({"observe": view_out_of_bounds}, "outside its bounds 0 to 5"),
    ({"resample": resample_touches_public_parts}, "its view depends on what it cannot know: passed[0] is"),
    ({"resample": resample_does_nothing}, "resample never changes anything, though something is hidden"),
    ({"resample": resample_breaks_points}, "PEB-005: points and pebbles differ"),
    ({"open_information": True}, "declared open, but resample changes something"),
    ({"apply": loses_a_pebble}, "PEB-001: a pebble is lost"),
    ({"advise": advises_by_others_luck}, "the scripted player's choice depends on what it cannot know"),
    ({"blindfold": wipes_out_points_only}, "blindfold leaves what it cannot know"),
    ({"blindfold": wipes_out_all_luck}, "blindfolded, the scripted player chooses otherwise"),
    ({"advise": advises_nonsense}, "the scripted player plays an illegal action"),
    ({"result": places_upside_down}, "are no places with ties shared"),
    ({"display": OpenDisplay()}, "its picture shows what it cannot know"),
    ({"display": BrokenDisplay()}, "the picture is not well-formed"),
    ({"longest": 3}, "longer than `longest`, 3 decisions"),
])  # fmt: skip
def test_a_broken_game_is_found_out(pebbles, change, sentence):
    broken = dataclasses.replace(pebbles, **change)
    skip = {"compiled_equals_interpreted", "other_processes", "neighbours"}
    from alarife.testing import CHECKS

    names = [check.__name__ for check in CHECKS if check.__name__ not in skip]
    with pytest.raises((ConformanceError, AssertionError)) as caught:
        check_game(broken, [3], only=names)
    assert sentence in str(caught.value)


def test_a_sound_blindfold_passes(pebbles):
    sound = dataclasses.replace(pebbles, blindfold=wipes_out_others_luck)
    for seed in range(3):
        check_game(sound, [2, 3], seed=seed, only=["hidden_information", "scripted_play"])


@pytest.mark.parametrize("seed", range(4))
def test_what_a_view_forgets_is_found_by_numbers_changed_by_hand(pebbles, seed):
    with pytest.raises(ConformanceError, match=r"sees the same after passed\[\d\] from \d to \d, but its text tells"):
        check_game(dataclasses.replace(pebbles, observe=view_forgets_who_passed), [3], seed=seed,
                   only=["changed_by_hand"])  # fmt: skip


def test_rules_that_differ_when_compiled_are_found_out(pebbles):
    @rule
    def wraps(s, seat, view):
        observation.observe(s, seat, view)
        view[observation.AT.left] = (s.decisions / 3 == s.decisions // 3) and _compiled(s)

    @rule
    def _compiled(s):
        return 1 // s.over == 0  # Python raises where the compiled division by 0 gives 0

    with pytest.raises(ConformanceError, match=r"differ at step 1; run by Python, they raise .*division"):
        check_game(dataclasses.replace(pebbles, observe=wraps), [2], only=["compiled_equals_interpreted"])


NARROW = np.array([1, 100], np.int8)


@rule
def advises_by_what_wraps_around(s, moves):
    return moves.at[0 if NARROW[0] << 8 else moves.count - 1]  # 256 compiled, 0 as a NumPy number of 8 bits


@rule
def advises_by_what_python_refuses(s, moves):
    return moves.at[min(moves.count - 1, (1000 + NARROW[1]) % 2)]


@pytest.mark.parametrize(("advise", "sentence"), [
    (advises_by_what_wraps_around, "compiled and interpreted rules differ at step 1$"),
    (advises_by_what_python_refuses, "differ at step 1; run by Python, they raise OverflowError: Python integer 1000"),
])  # fmt: skip
def test_advice_that_differs_when_compiled_is_found_out(pebbles, advise, sentence):
    with pytest.raises(ConformanceError, match=sentence):
        check_game(dataclasses.replace(pebbles, advise=advise), [2], only=["compiled_equals_interpreted"])


def test_a_sound_game_passes_and_is_told_about(pebbles):
    told = []
    check_game(pebbles, [2], only=["declarations", "pictures"], tell=told.append)
    assert told == [
        "pebbles_v0, 2 players: Names of actions read back, bounds are sound, options survive.",
        "pebbles_v0, 2 players: Every position has a text, a sound picture of one size, and a phrase and a place for "
        "each action.",
    ]


@pytest.mark.parametrize(("change", "sentence"), [
    ({"observe": view_forgets_who_passed}, "passed'"),
    ({"observe": view_forgets_the_end}, "lucky pile"),
    ({"observe": view_forgets_all_but_empty_piles, "display": SilentDisplay()}, "leads apart: piles["),
])  # fmt: skip
def test_a_view_that_forgets_what_is_shown_is_found_out(pebbles, change, sentence):
    with pytest.raises(ConformanceError) as caught:
        check_game(dataclasses.replace(pebbles, **change), [3], only=["complete_views"])
    told = str(caught.value)
    assert "sees the same in two positions:" in told
    assert sentence in told


def test_a_position_that_the_kit_names_is_found_again(pebbles):
    with pytest.raises(ConformanceError) as caught:
        check_game(dataclasses.replace(pebbles, observe=view_forgets_who_passed), [3], only=["complete_views"])
    seat = int(str(caught.value).split("seat ")[1].split()[0])
    tables = []
    for line in str(caught.value).splitlines()[1:3]:
        table = Table(pebbles, 3, seed=0)
        table.set_up(position_of(line).state(pebbles, 3, pebbles.make_options()))
        tables.append(table)
    a, b = tables
    hidden = pebbles.features.span("passed")
    assert a.text(seat) != b.text(seat)
    assert np.array_equal(np.delete(a.observe(seat), hidden), np.delete(b.observe(seat), hidden))


def position_of(line):
    """The position that a sentence of the kit tells of."""
    found = re.fullmatch(
        r"\s*game (\d+) of seed (\d+) after (\d+) random decisions(?:, forked for seat (\d+) with key (\d+))?"
        r"(?:, then actions ([\d, ]+))?", line
    )  # fmt: skip
    row, seed, decisions, seat, key, then = found.groups()
    fork = None if seat is None else (int(seat), int(key))
    actions = tuple(int(a) for a in then.split(",")) if then else ()
    return Position(int(seed), int(row), int(decisions), fork, actions)


@pytest.mark.parametrize(("change", "sentence"), [
    ({"reset": deals_the_first_pile_never}, "lucky with a hidden 0 in"),
    ({"reset": deals_different_piles}, "forks show lucky"),
])  # fmt: skip
def test_forks_that_show_what_the_truth_never_does_are_found_out(pebbles, change, sentence):
    with pytest.raises(ConformanceError) as caught:
        check_game(dataclasses.replace(pebbles, **change), [3], only=["true_forks"])
    told = str(caught.value)
    assert sentence in told
    assert ", the truth in 0 of " in told


@rule
def resample_never_draws_the_last_pile(s, seat):
    if s.over:
        return
    for p in range(s.seats):
        if p != seat:
            s.lucky[p] = below(s, 2)
            s.points[p] = rules.pebbles(s, p) + s.taken[p, s.lucky[p]]


@rule
def resample_draws_the_first_pile_most(s, seat):
    resample(s, seat)
    if s.over:
        return
    for p in range(s.seats):
        if p != seat and below(s, 2) == 0:
            s.lucky[p] = 0
            s.points[p] = rules.pebbles(s, p) + s.taken[p, 0]


@rule
def remembers_nothing(s, seat, view):
    view[0] = 1


@rule
def agrees_with_all(s, seat):
    assert s.seats > 0


def memory_with(recall):
    return Memory(Features(always=Flags(1, "always 1")), remembers_nothing, recall, agrees_with_all)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("change", "belief"), [
    ({"resample": resample_never_draws_the_last_pile}, "view"),
    ({"memory": memory_with(resample_never_draws_the_last_pile)}, "memory"),
], ids=["view", "memory"])  # fmt: skip
def test_forks_that_never_show_what_the_truth_does_are_found_out(pebbles, change, belief, seed):
    with pytest.raises(ConformanceError) as caught:
        check_game(dataclasses.replace(pebbles, **change), [3], seed=seed, only=["true_forks"])
    assert f"belief {belief}: the truth shows " in str(caught.value)
    assert ", forks in 0 of " in str(caught.value)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("change", "belief"), [
    ({"resample": resample_draws_the_first_pile_most}, "view"),
    ({"memory": memory_with(resample_draws_the_first_pile_most)}, "memory"),
], ids=["view", "memory"])  # fmt: skip
def test_forks_that_deal_with_other_odds_are_found_out(pebbles, change, belief, seed):
    check_game(pebbles, [3], seed=seed, only=["fair_deals"])
    with pytest.raises(ConformanceError, match=f"belief {belief}: .*forks are dealt with other odds"):
        check_game(dataclasses.replace(pebbles, **change), [3], seed=seed, only=["fair_deals"])


@rule
def counts_luck_at_once(s, r):
    """Points that follow from secret piles, before the end."""
    for p in range(s.seats):
        r.score[p] = s.points[p]
        r.key[p] = r.score[p]
    place_by_key(r, s.seats)


@pytest.mark.parametrize("players", [2, 3])
def test_rewards_that_tell_a_secret_are_found_out(pebbles, players):
    """The own score is known; that of another shows in the margin whether his pile is the lucky one."""
    check_game(pebbles, [players], only=["rewards_seen"])
    with pytest.raises(ConformanceError, match="the margin reward tells what it cannot know"):
        check_game(dataclasses.replace(pebbles, result=counts_luck_at_once), [players], only=["rewards_seen"])


def test_a_solo_game_shows_all_and_forks_truly():
    class Plain(Display):
        def text(self, state, seat=None):
            return ""

        def phrase(self, state, action, seat=None):
            return str(action)

    check_game(dataclasses.replace(SAFE_OR_GUESS, display=Plain()), only=["complete_views", "true_forks"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_teaching_game_keeps_the_contract(pebbles, players):
    check_game(pebbles, [players])
    check_game(pebbles, [players], {"passing": False}, only=["random_play", "hidden_information"])


class TellingDisplay(PebblesDisplay):
    """Tells everybody at the table whether another's lucky pile is the first."""

    def phrase(self, state, action, seat=None):
        others = [int(state.lucky[p]) for p in range(state.seats) if p != seat]
        return f"{super().phrase(state, action, seat)} {others[0] == 0}"


class RecallingDisplay(PebblesDisplay):
    """Its story names the lucky pile of the last seat."""

    def story(self, state):
        return [f"the last seat's pile is {state.lucky[state.seats - 1]}"]


@pytest.mark.parametrize(("display", "sentence"), [
    (TellingDisplay(), "in the true game and"),
    (RecallingDisplay(), "is another one in a fork"),
])  # fmt: skip
def test_a_transcript_that_tells_the_truth_from_a_fork_is_found_out(pebbles, display, sentence):
    check_game(pebbles, [3], only=["transcripts"])
    with pytest.raises(ConformanceError, match=sentence):
        check_game(dataclasses.replace(pebbles, display=display), [3], only=["transcripts"])


@pytest.mark.parametrize(("told", "sentence"), [
    (lambda self, place: b"", "two choices of one's own give the same information|but its information cannot"),
    (lambda self, place: place.state.lucky.tobytes(), "it cannot tell two games apart, but its information does"),
])  # fmt: skip
def test_information_that_tells_too_little_or_too_much_is_found_out(pebbles, monkeypatch, told, sentence):
    after = Trail.after

    def wrong(self, by, action, place):
        trail = after(self, by, action, place)
        if not (content := told(self, place)):
            return dataclasses.replace(trail, digest=self.digest[:-1] + bytes([len(trail.events)]))
        return dataclasses.replace(trail, digest=trail.digest[:8] + content[:8])

    monkeypatch.setattr(Trail, "after", wrong)
    with pytest.raises(ConformanceError, match=sentence):
        check_game(pebbles, [3], only=["information"])


@pytest.mark.parametrize("game", [KUHN, ONE_DECISION, AT_ONCE, HUGE_SCORES], ids=lambda game: game.name)
def test_games_at_the_edges_of_the_contract_pass(game):
    check_game(game, sorted({min(game.seats), max(game.seats)}))
