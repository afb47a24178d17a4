"""VIVA: what a seat sees, what stays hidden, and how hidden cards are redrawn (VIV-135 to VIV-137)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.table import Table
from alarife.games.viva import GAME
from alarife.games.viva.components import Phase, Spot
from games.viva.positions import NONE, TYPES, do, hand, kind, names, position

BLUFF = {"bluff": True, "bluff_notice_probability": 0.25}


def seen(table, seat):
    """What a seat sees, by block, rounded as the expected numbers are."""
    blocks = GAME.features.describe(table.observe(seat))
    return {name: np.round(values.astype(np.float64), 6).tolist() for name, values in blocks.items()}


def sixths(cards, copies=6):
    """Copies by type as they are shown."""
    counts = Counter(cards.split())
    shown = [0.0] * 21
    for name, count in counts.items():
        shown[kind(name)] = round(count / copies, 6)
    return shown


def colours(name):
    """The colours of a card as they are shown."""
    return [float(letter in name) for letter in "RPYGBV"]


def tens(*numbers):
    """Numbers of cards as they are shown."""
    return [round(n / 10, 6) for n in (*numbers, *(0,) * (6 - len(numbers)))]


# --- what is seen -----------------------------------------------------------------------------------


def middle_of_a_play(interpreted=True):
    """Seat 1 of four has put two copies of RB on houses 0 and 1; seat 2 is out; seat 3 owns a personal card."""
    return position("R R GB", "RB G", "", "V V V V", houses=("P R RB", "B RB", "Y"), general="G", personal=(3, "PV"),
                    discard="", stack=None, turn=1, out=(2,), interpreted=interpreted, phase=Phase.MORE,
                    kind=kind("RB"), placed=(1, 1, 0), under=(kind("R"), kind("B"), NONE), turns=30,
                    wins=(1, 0, 2, 0), round=3, position_sum=(4, 7, 5, 9))  # fmt: skip


@pytest.mark.rules("VIV-135", "VIV-036")
@pytest.mark.parametrize("interpreted", [True, False], ids=["interpreted", "compiled"])
def test_the_table_is_seen_alike_by_every_seat(interpreted):
    table = middle_of_a_play(interpreted)
    for seat in range(4):
        view = seen(table, seat)
        assert view["house"] == [colours("RB"), colours("RB"), colours("Y")]
        assert view["height"] == tens(3, 2, 1)[:3]
        assert view["covered"] == sixths("P R B")
        assert view["discard"] == sixths("")
        assert view["general"] == colours("G")
        assert view["personal"] == colours("PV")
        assert view["kind"] == colours("RB")
        assert view["placed"] == [round(1 / 6, 6)] * 2 + [0]
        assert view["phase"] == [0, 0, 1, 0, 0, 0, 0]
        assert view["spot"] == [0, 0]
        assert view["stack"] == [round((126 - 9 - 8) / 126, 6)]
        assert view["turns"] == [[0.05, 0]]  # 5 hundredths
        assert view["round"] == [round(3 / 5, 6)]
        assert view["tie_break"] == [0]
        assert view["options"] == [0, 0, 0, 0.5]
        assert view["drawn"] == [0] * 21


@pytest.mark.rules("VIV-135")
def test_seats_are_counted_from_the_observer():
    view = seen(middle_of_a_play(), 1)
    assert view["seats"] == [1, 1, 1, 1, 0, 0]
    assert view["held"] == tens(2, 0, 4, 3)
    assert view["active"] == [1, 0, 1, 1, 0, 0]
    assert view["position"] == [0, round(1 / 6, 6), 0, 0, 0, 0]
    assert view["owner"] == [0, 0, 1, 0, 0, 0]
    assert view["turn_of"] == view["seat"] == [1, 0, 0, 0, 0, 0]
    assert view["wins"] == [round(n / 12, 6) for n in (0, 2, 0, 1, 0, 0)]
    assert view["position_sum"] == tens(7, 5, 9, 4)
    assert seen(middle_of_a_play(), 3)["owner"] == [1, 0, 0, 0, 0, 0]
    assert seen(middle_of_a_play(), 0)["seat"] == [0, 1, 0, 0, 0, 0]


@pytest.mark.rules("VIV-135", "VIV-136")
def test_a_seat_sees_its_own_hand():
    table = middle_of_a_play()
    for seat, cards in enumerate(["R R GB", "RB G", "", "V V V V"]):
        assert seen(table, seat)["hand"] == sixths(cards)


@pytest.mark.rules("VIV-034", "VIV-135")
def test_a_seat_sees_the_colours_blocked_for_itself():
    table = middle_of_a_play()
    assert seen(table, 1)["blocked"] == colours("G")
    assert seen(table, 3)["blocked"] == colours("GPV")


@pytest.mark.rules("VIV-136", "VIV-135")
def test_a_card_just_taken_is_seen_by_its_taker_only():
    table = do(position("R B", "G G", stack="Y"), "draw")
    assert table.state.phase == Phase.DRAWN
    assert seen(table, 0)["drawn"] == [float(name == "Y") for name in TYPES]
    assert seen(table, 1)["drawn"] == [0] * 21
    assert seen(table, 1)["held"] == tens(2, 3)


@pytest.mark.rules("VIV-136")
def test_numbers_of_penalty_cards_are_public_their_types_are_not():
    """Seat 2 takes two cards; seat 1 sees how many, whatever they are."""
    tables = [
        position("RB G Y", "B", "B", "", houses=("R", "RP", ""), stack=pair + " P P P", discard="", out=(3,), seed=seed)
        for seed, pair in enumerate(["Y Y", "V V", "YB GV"])
    ]
    for table in tables:
        do(table, "play RB", "house 2", "call")
    assert len({hand(table, 2) for table in tables}) > 1
    assert all(seen(table, 1)["held"][1] == tens(3)[0] for table in tables)


@pytest.mark.rules("VIV-136", "VIV-012")
def test_hidden_cards_may_be_swapped_without_a_seat_seeing_it():
    table = position("R B", "G G YB", "P P", houses=("R V", "", ""), turn=0)
    before = table.observe(0)
    s = table.state
    s.hand[1, kind("G")] -= 1
    s.hand[1, kind("P")] += 1
    s.hand[2, kind("P")] -= 1
    s.hand[2, kind("V")] += 1
    s.stack[kind("V")] -= 1
    s.stack[kind("G")] += 1
    table.refresh()
    table.check()
    assert np.array_equal(table.observe(0), before)
    assert not np.array_equal(table.observe(1), position("R B", "G G YB", "P P").observe(1))


@pytest.mark.rules("VIV-135", "VIV-120")
def test_a_last_card_put_on_a_blocking_card_is_seen_by_the_witnesses():
    table = position("R", "G G", general="B", personal=(0, "Y"), options={**BLUFF, "bluff_notice_probability": 1})
    view = seen(do(table, "personal"), 1)
    assert (view["kind"], view["spot"]) == (colours("R"), [0, 1])
    assert view["phase"] == [0, 0, 0, 0, 0, 0, 1]
    assert (view["turn_of"][:2], view["seat"][:2]) == ([0, 1], [1, 0])
    assert view["options"] == [0, 0, 1, 1]


# --- redrawing what is hidden -----------------------------------------------------------------------


def redrawn(table, seat, count=20000):
    """States in which the hidden part was redrawn for a seat; table and kernels are compiled."""
    keys = np.random.default_rng(11).integers(0, 2**63, count).astype(np.uint64)
    return table.fork_states(seat, keys)


def hidden(state, seats):
    """The hands of the seats, as one outcome."""
    return tuple(names(state["hand"][seat]) for seat in seats)


def deals(unseen, sizes, allowed=lambda hands: True, shown=lambda hands: ()):
    """How often each outcome occurs if all orders of the unseen cards are equally likely: exact counting.

    Cards are dealt from the front, `sizes[i]` to the i-th hidden hand; orders that are not `allowed` are left out.
    """
    counts = Counter()
    order = {name: number for number, name in enumerate(TYPES)}
    for cards in permutations(unseen.split()):
        hands, at = [], 0
        for size in sizes:
            hands.append(cards[at : at + size])
            at += size
        if allowed(hands):
            counts[tuple(" ".join(sorted(h, key=order.get)) for h in hands) + tuple(shown(hands))] += 1
    return counts


def assert_follows(outcomes, expected):
    """A chi-square test at about 1 in 2000 (the quantile by Wilson and Hilferty)."""
    observed = Counter(outcomes)
    assert set(observed) <= set(expected)
    share = len(outcomes) / sum(expected.values())
    chi = sum((observed[case] - share * weight) ** 2 / (share * weight) for case, weight in expected.items())
    assert min(expected.values()) * share > 5
    if (freedom := len(expected) - 1) > 0:
        spread = 2 / (9 * freedom)
        assert chi < freedom * (1 - spread + 3.3 * spread**0.5) ** 3


def small(*hands, stack="R B", **fields):
    """A position with few unseen cards: seat 0 looks on, the rest is in the discard."""
    return position(*hands, stack=stack, interpreted=False, **fields)


@pytest.mark.rules("VIV-136", "VIV-137")
def test_in_a_turn_every_deal_of_the_unseen_cards_is_equally_likely():
    table = small("V", "R R B", "G", turn=1)
    outcomes = [hidden(s, (1, 2)) for s in redrawn(table, 0)]
    assert_follows(outcomes, deals("R R B G R B", (3, 1)))


@pytest.mark.rules("VIV-136", "VIV-137")
def test_the_seat_to_play_knows_nothing_more_about_the_others():
    table = small("R R B", "G R", turn=0, stack="B B")
    assert_follows([hidden(s, (1,)) for s in redrawn(table, 0)], deals("G R B B", (2,)))


@pytest.mark.rules("VIV-137")
def test_a_seat_that_seeks_a_house_has_that_card_in_hand():
    """The card to be placed is as good as face up, the rest of the hand may be anything."""
    table = small("V", "R R B", "G", turn=1, phase=Phase.HOUSE, kind=kind("R"))
    outcomes = [hidden(s, (1, 2)) for s in redrawn(table, 0)]
    assert_follows(outcomes, deals("R R B G R B", (3, 1), lambda hands: hands[0][0] == "R"))


@pytest.mark.rules("VIV-137")
@pytest.mark.parametrize("cards", ["R R B", "R R R", "R B B G"])
def test_a_seat_asked_for_another_copy_holds_one(cards):
    table = small("V", cards, "G", turn=1, phase=Phase.MORE, kind=kind("R"), houses=("R", "", ""), placed=(1,))
    outcomes = [hidden(s, (1, 2)) for s in redrawn(table, 0)]
    expected = deals(cards + " G R B", (len(cards.split()), 1), lambda hands: "R" in hands[0])
    assert_follows(outcomes, expected)


@pytest.mark.rules("VIV-137", "VIV-133")
@pytest.mark.parametrize("personal", [None, (1, "B")], ids=["general", "personal"])
def test_a_seat_thinking_about_a_taken_card_took_one_that_it_can_play(personal):
    table = small("V", "R GB B", "G", turn=1, phase=Phase.DRAWN, drawn=kind("R"), houses=("R", "R", "B"),
                  general="G", personal=personal, stack="RB R Y")  # fmt: skip
    playable = {"R", "B", "RB"} if personal is None else {"R"}  # G is blocked, Y matches no house
    outcomes = [(*hidden(s, (1, 2)), names(np.eye(21)[s["drawn"]])) for s in redrawn(table, 0)]
    taken_first = deals("R GB B G RB R Y", (3, 1), lambda hands: hands[0][0] in playable, lambda hands: (hands[0][0],))
    assert_follows(outcomes, taken_first)


@pytest.mark.rules("VIV-137", "VIV-124")
def test_with_bluff_a_taken_card_may_be_any():
    table = small("V", "R B", turn=1, phase=Phase.DRAWN, drawn=kind("R"), houses=("Y", "Y", "Y"), general="R",
                  options=BLUFF)  # fmt: skip
    outcomes = [(*hidden(s, (1,)), names(np.eye(21)[s["drawn"]])) for s in redrawn(table, 0)]
    assert_follows(outcomes, deals("R B R B", (2,), shown=lambda hands: (hands[0][0],)))


@pytest.mark.rules("VIV-137", "VIV-132")
def test_a_seat_choosing_a_blocking_card_holds_two_types():
    table = small("V", "R B", "G", turn=1, phase=Phase.BLOCK, general="", calling=1, stack="R R B")
    outcomes = [hidden(s, (1, 2)) for s in redrawn(table, 0)]
    assert_follows(outcomes, deals("R B G R R B", (2, 1), lambda hands: len(set(hands[0])) == 2))


@pytest.mark.rules("VIV-137", "VIV-120")
def test_a_last_card_on_a_blocking_card_is_face_up():
    table = small("V", "R", "G B", seat=0, turn_of=1, phase=Phase.CATCH, kind=kind("R"), spot=Spot.GENERAL, general="B",
                  illegal=1, options=BLUFF)  # fmt: skip
    outcomes = [hidden(s, (1, 2)) for s in redrawn(table, 0)]
    assert_follows(outcomes, deals("R G B R B", (1, 2), lambda hands: hands[0] == ("R",)))


@pytest.mark.rules("VIV-137", "VIV-118")
@pytest.mark.parametrize("own", [0, 1])
def test_a_seat_does_not_know_who_else_noticed_an_illegal_play(own):
    """Seat 2 is asked; seat 3 noticed with probability 1/4, and seat 0 knows of itself."""
    table = small("V", "R B", "G", "Y", seat=2, turn_of=1, phase=Phase.CATCH, kind=kind("R"), illegal=1,
                  noticed=own | 8, houses=("G R", "", ""), placed=(1,), under=(kind("G"),), options=BLUFF)  # fmt: skip
    noticed = [int(s["noticed"]) for s in redrawn(table, 0)]
    assert_follows(noticed, {own: 3, own | 8: 1})
    assert_follows([int(s["noticed"]) for s in redrawn(table, 2)], {0: 9, 1: 3, 8: 3, 9: 1})


PRIVATE = ("hand", "stack", "drawn", "noticed", "rng")
OPTIONS = [{}, {"edition": "pocket", "rounds": 2}, {"match": "single_round"}, {"bluff": True}]


@pytest.mark.rules("VIV-136", "VIV-137")
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "pocket", "single", "bluff"])
def test_a_fork_shows_its_seat_the_same_view_mask_and_public_fields(options):
    batch = Batch(GAME, 48, [2, 3, 4, 5, 6, 3], seed=5, options=options, restart=False)
    forks = Batch(GAME, 48, [2, 3, 4, 5, 6, 3], seed=6, options=options, restart=False)
    rows, numbers = np.arange(48), np.random.default_rng(2)
    phases = set()
    for _ in range(250):
        seats = numbers.integers(0, batch.players)
        keys = numbers.integers(0, 2**63, 48).astype(np.uint64)
        forks.load(batch.fork(rows, seats, keys))
        forks.check()
        assert np.array_equal(forks.view(rows, seats), batch.view(rows, seats))
        own = seats == batch.seat
        assert np.array_equal(forks.action_mask[own], batch.action_mask[own])
        assert (forks.state["stack"] >= 0).all()
        for name in set(batch.state.dtype.names) - set(PRIVATE):
            assert np.array_equal(forks.state[name], batch.state[name]), name
        for row in rows:
            assert np.array_equal(forks.state["hand"][row, seats[row]], batch.state["hand"][row, seats[row]])
        phases |= set(batch.state["phase"].tolist())
        play_on(batch, numbers)
    assert phases >= set(Phase) - {Phase.CATCH}
    assert (Phase.CATCH in phases) is options.get("bluff", False)


def play_on(batch, numbers):
    """One step, half random and half scripted, in the games that go on."""
    rows = np.flatnonzero(batch.over == 0)
    scripted = rows[numbers.random(len(rows)) < 0.5]
    actions = batch.sample().copy()
    actions[scripted] = batch.script(scripted)[scripted]
    batch.step(actions, rows)


@pytest.mark.rules("VIV-137", "VIV-120")
def test_hidden_cards_can_be_redrawn_at_the_end_of_a_game():
    table = position("R", "G G", general="B", options={**BLUFF, "match": "single_round", "bluff_notice_probability": 1})
    do(table, "general", "let pass")
    assert table.over
    fork = table.fork(1, seed=3)
    fork.check()
    assert list(fork.state.held[:2]) == [0, 2]


@pytest.mark.rules("VIV-137", "VIV-095")
def test_hidden_cards_can_be_redrawn_after_a_stopped_round():
    table = position("R B", "G", houses=("RP R R R R R", "G", "G"), turns=600, options={"match": "single_round"})
    do(table, "play R")
    assert table.over
    fork = table.fork(1, seed=3)
    fork.check()
    assert min(fork.state.stack) >= 0


# --- two ways to run the rules ----------------------------------------------------------------------


@pytest.mark.rules("VIV-137")
@pytest.mark.parametrize("options", [*OPTIONS, {"bluff": True, "bluff_notice_probability": 1.0, "edition": "pocket"}])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_compiled_and_interpreted_games_agree(players, options):
    tables = [Table(GAME, players, options, seed=9, interpreted=way) for way in (True, False)]
    slow, fast = tables
    numbers = np.random.default_rng(players)
    for _ in range(60):
        action = int(numbers.choice(slow.legal()))
        for table in tables:
            table.play(action)
        assert slow.to_bytes() == fast.to_bytes()
        assert np.array_equal(slow.mask, fast.mask)
        for seat in range(players):
            assert np.array_equal(slow.observe(seat), fast.observe(seat))
        if slow.over:
            assert slow.places() == fast.places()
            break
        seat = int(numbers.integers(players))
        assert slow.fork(seat, 4).to_bytes() == fast.fork(seat, 4).to_bytes()
