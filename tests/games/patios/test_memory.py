"""Patios: what seats remember, and forks that agree with it (PAT-066, PAT-126, PAT-196, PAT-197, PAT-201, PAT-202)."""

import itertools
from collections import Counter

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.patios import GAME
from alarife.games.patios.components import CANE, CELLS, COLOURS, KINDS, LOTS, NONE, UNLIKE, Improvement, Phase
from alarife.games.patios.memory import known_discards, recall
from alarife.games.patios.rules.cards import draw_card, refill_sample
from alarife.games.patios.rules.children import swap
from alarife.games.patios.rules.patio import turn_up
from alarife.games.patios.rules.sun import discard_dry
from games.patios.positions import KIND, NE, NW, SE, SW, E, N, S, Scene, W

BLUE, RED, GREEN = KIND["blue"], KIND["red"], KIND["green"]


def drafted(players=2):
    """Seat 0 has called the Assistant and taken green; the others take dry cards, and one is left."""
    kinds = ["blue", "red", "green", "b01"][: players + 1]
    scene = Scene(players).sample(*["cane"] * (4 if players == 2 else 5)).deck(*kinds)
    scene.call("assistant").take("green").do("place", N)
    for name, cell in (("red", E), ("blue", W))[: players - 1]:
        scene.take(name).do("place", cell)
    return scene


def seen(scene, seat):
    """What the seat remembers, by block."""
    table = Table(GAME.with_memory, scene.table.players, scene.table.options, seed=1, interpreted=True)
    table.from_bytes(scene.table.to_bytes())
    game = table.game
    view = table.observe(seat)
    return {name: view[game.features.span(name)].reshape(block.shape)
            for name, block in game.memory.features.blocks.items()}  # fmt: skip


def forks(scene, seat, belief="memory", count=120):
    """States that the seat may think of."""
    return [scene.table.fork(seat, key, belief).state for key in range(count)]


# --- the Assistant's cards --------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-066", "PAT-197")
def test_whoever_passed_cards_on_knows_which_they_are_but_not_who_took_which():
    scene = drafted()
    found = Counter((int(s.card[1, E]), int(s.gone[0, 2])) for s in forks(scene, 0, count=200))
    assert set(found) == {(RED, BLUE), (BLUE, RED)}
    assert 60 < found[RED, BLUE] < 140  # each with one half: this fails once in 10^8
    assert len({int(s.card[1, E]) for s in forks(scene, 0, "view")}) > 2
    told = seen(scene, 0)
    assert np.flatnonzero(told["passed"][0]).tolist() == [BLUE, RED]
    assert np.flatnonzero(told["passed_to"]).tolist() == [CELLS + E]


@pytest.mark.rules("PAT-067")
def test_the_last_taker_knows_what_was_discarded():
    scene = drafted()
    assert known_discards(scene.state, 1)[BLUE] == 1
    assert all(s.gone[0, 2] == BLUE and s.card[1, E] == RED for s in forks(scene, 1, count=30))
    assert np.flatnonzero(seen(scene, 1)["passed"][0]).tolist() == [BLUE]


@pytest.mark.rules("PAT-066")
def test_each_seat_knows_the_cards_that_it_passed_on_itself():
    """Three seats: 0 takes green, then 2 takes red and passes blue and b01 on, then 1 takes blue."""
    scene = drafted(3)
    sets = [{BLUE, RED, KIND["b01"]}, {KIND["b01"]}, {BLUE, KIND["b01"]}]
    for seat, kinds in enumerate(sets):
        assert set(np.flatnonzero(seen(scene, seat)["passed"][0]).tolist()) == kinds
    for s in forks(scene, 2, count=40):
        assert {int(s.card[1, W]), int(s.gone[0, 3])} == {BLUE, KIND["b01"]}
        assert s.card[2, E] == RED
    ways = {(int(s.card[2, E]), int(s.card[1, W])) for s in forks(scene, 0, count=200)}
    assert ways == {(a, b) for a in sets[0] for b in sets[0] if a != b}
    assert {int(s.card[2, E]) for s in forks(scene, 1)} - sets[0]  # he never saw what seat 2 took


@pytest.mark.rules("PAT-066")
def test_cards_that_still_go_round_are_known_to_those_who_passed_them_on():
    scene = Scene(3).sample(*["cane"] * 5).deck("blue", "red", "cane", "b01")
    scene.call("assistant").take("b01").do("place", N)
    for s in forks(scene, 0, count=30):  # seat 2 chooses among them
        assert [int(s.draft[k]) for k in (BLUE, RED, CANE)] == [1, 1, 1]
    scene.take("red")  # and holds red, to be placed dry
    held = {int(s.held) for s in forks(scene, 0)}
    assert held == {BLUE, RED}  # a cane would have been shown
    assert len({int(s.held) for s in forks(scene, 1)}) > 3


@pytest.mark.rules("PAT-066", "PAT-202")
def test_a_card_that_comes_to_light_tells_what_the_other_is():
    scene = drafted()
    turn_up(scene.state, 1, E)
    scene.ready()
    assert np.flatnonzero(seen(scene, 0)["passed"][0]).tolist() == [BLUE]
    assert all(s.gone[0, 2] == BLUE for s in forks(scene, 0, count=30))


@pytest.mark.rules("PAT-091")
def test_a_drafted_card_that_burns_lies_in_the_discards_with_the_one_that_was_left():
    scene = drafted()
    discard_dry(scene.state, 1)
    scene.ready()
    s = scene.state
    assert known_discards(s, 0)[[BLUE, RED]].tolist() == [1, 1]
    assert s.gone_seen[0].tolist() == [0, 0b10, 0, 0, 0, 0]
    for fork in forks(scene, 0, count=30):
        assert {int(fork.gone[0, 1]), int(fork.gone[0, 2])} == {BLUE, RED}
    recall(s, 0)
    assert np.all(known_discards(s, 1) <= s.discard)


# --- several of his lots ------------------------------------------------------------------------------------------


def drafted_twice():
    """After `drafted` seat 0 has called him again and taken green; seat 1 has taken b01, and b02 is left."""
    return again(drafted(), ["green", "b01", "b02"], S)


def again(scene, kinds, cell):
    """Seat 0 calls the Assistant and takes the first card, seat 1 lays the second one dry, and the third is left."""
    scene.state.face_up[:] = 1
    scene.deck(*kinds).active(0).call("assistant").take(kinds[0])
    scene.do("place", scene.options("place")[0])
    return scene.take(kinds[1]).do("place", cell)


@pytest.mark.rules("PAT-066", "PAT-067", "PAT-197")
def test_the_cards_of_an_earlier_draft_are_still_known_to_those_who_passed_them_on():
    scene = drafted_twice()
    found = Counter((int(s.card[1, E]), int(s.gone[1, 2]), int(s.card[1, S]), int(s.gone[0, 2]))
                    for s in forks(scene, 0, count=240))  # fmt: skip
    one, two = KIND["b01"], KIND["b02"]
    ways = itertools.product(((RED, BLUE), (BLUE, RED)), ((one, two), (two, one)))
    assert set(found) == {(*earlier, *last) for earlier, last in ways}
    assert min(found.values()) > 25  # each with one quarter: this fails once in 10^7
    told = seen(scene, 0)
    assert [np.flatnonzero(lot).tolist() for lot in told["passed"]] == [[one, two], [BLUE, RED], *[[]] * (LOTS - 2)]
    assert told["passed_to"][1, [S, E]].tolist() == pytest.approx([1, (LOTS - 1) / LOTS])
    assert all(s.gone[1, 2] == BLUE and s.gone[0, 2] == two for s in forks(scene, 1, count=30))


@pytest.mark.rules("PAT-066")
def test_whoever_took_later_knows_fewer_cards_of_each_lot():
    """Three seats: of the first lot seat 2 passed blue and b01 on; of the second, called by seat 1, only b02."""
    scene = drafted(3)
    scene.state.face_up[:] = 1
    scene.deck("green", "red", "green", "b02").active(1).call("assistant").take("red").do("place", SE)
    scene.take("green").do("place", NE).take("green").do("place", SW)  # seat 0, then seat 2
    for s in forks(scene, 2, count=40):
        assert {int(s.card[1, W]), int(s.gone[1, 3])} == {BLUE, KIND["b01"]}
        assert s.gone[0, 3] == KIND["b02"]
    ways = {(int(s.card[2, SW]), int(s.gone[0, 3])) for s in forks(scene, 0)}
    assert ways == {(GREEN, KIND["b02"]), (KIND["b02"], GREEN)}
    earlier = {(int(s.card[2, E]), int(s.card[1, W]), int(s.gone[1, 3])) for s in forks(scene, 0, count=240)}
    assert earlier == set(itertools.permutations((RED, BLUE, KIND["b01"])))


@pytest.mark.rules("PAT-074")
def test_dry_cards_of_two_lots_that_change_places_are_followed():
    scene = drafted_twice()
    s = scene.state
    scene.lay(0, dry=True, green=SE)
    s.turn_of, s.swap_own, s.swap_player = 1, E, 0  # seat 0 sees the card of E
    swap(s, SE)
    s.todo = 0
    scene.ready()
    assert all(fork.card[0, SE] == RED and fork.gone[1, 2] == BLUE for fork in forks(scene, 0, count=30))
    assert {(int(fork.card[1, S]), int(fork.gone[0, 2])) for fork in forks(scene, 0)} == {
        (KIND["b01"], KIND["b02"]), (KIND["b02"], KIND["b01"])
    }  # fmt: skip


@pytest.mark.rules("PAT-091", "PAT-201")
def test_a_lot_of_which_no_card_lies_in_a_patio_makes_room_and_its_discards_stay_known():
    scene = drafted()
    discard_dry(scene.state, 1)
    again(scene.ready(), ["green", "b01", "b02"], S)
    s = scene.state
    assert np.flatnonzero(s.caller != NONE).tolist() == [0]
    assert s.spent[:2, [BLUE, RED]].tolist() == [[1, 1], [1, 1]]
    assert all(np.all(fork.discard[[BLUE, RED]] >= 1) for fork in forks(scene, 0, count=30))


@pytest.mark.rules("PAT-066")
def test_where_there_is_no_room_for_a_lot_the_oldest_is_forgotten_whole():
    scene = again(drafted().works(1), ["green", "b01", "b02"], S)
    for cell in range(LOTS - 2):
        again(scene, ["red", "green", "blue"], cell)
    assert {int(s.card[1, E]) for s in forks(scene, 0)} == {RED, BLUE}
    again(scene, ["red", "green", "blue"], LOTS - 2)
    assert {int(s.card[1, E]) for s in forks(scene, 0)} - {RED, BLUE}
    assert {int(s.card[1, S]) for s in forks(scene, 0)} == {KIND["b01"], KIND["b02"]}


# --- his cards after the discards were shuffled -------------------------------------------------------------------


def shuffled(*kinds):
    """Seat 1 has laid the second of three cards of the Assistant dry, and the third has been shuffled into the deck."""
    scene = again(Scene().sample(*["cane"] * 4), kinds, E)
    s = scene.state
    for k in range(KINDS):
        s.discard[k] += s.deck[k]
        s.deck[k] = 0
    s.discard_size += s.deck_size
    s.deck_size = 0
    s.discard[CANE] += 1  # the card that is drawn goes back
    s.discard_size += 1
    s.sample[CANE] -= 1
    s.sampled -= 1
    refill_sample(s)
    return scene.ready()


@pytest.mark.rules("PAT-033", "PAT-066", "PAT-201")
def test_what_is_left_of_a_draft_may_have_been_shuffled_into_the_deck():
    scene = shuffled("green", "red", "blue")
    assert scene.state.discard_size == 0
    found = Counter(int(s.card[1, E]) for s in forks(scene, 0, count=200))
    assert set(found) == {RED, BLUE}
    told = seen(scene, 0)
    assert np.flatnonzero(told["passed"][0]).tolist() == [BLUE, RED]
    assert told["passed_shuffled"][0] == pytest.approx(1 / 6)
    for s in forks(scene, 0, count=20):
        assert s.card[1, E] + s.gone[0, 2] == RED + BLUE


@pytest.mark.rules("PAT-033", "PAT-066")
def test_a_card_that_came_out_of_the_deck_again_does_not_lie_in_the_patio():
    scene = shuffled("green", "b01", "b02")
    assert {int(s.card[1, E]) for s in forks(scene, 0)} == {KIND["b01"], KIND["b02"]}
    scene.lay(0, b02=SE)
    assert {int(s.card[1, E]) for s in forks(scene, 0)} == {KIND["b01"]}


@pytest.mark.rules("PAT-033", "PAT-066")
def test_a_kind_that_has_come_out_of_the_deck_often_lies_in_the_patio_more_rarely():
    """Of the reds 8 of 17 lie open, of b01 none: as 9/17 to 1, so red in 9 of 26 forks."""
    scene = shuffled("green", "red", "b01").works(0)
    scene.lay(0, red=[0, 1, 2, 3, 4, 5, 9, 10])
    found = Counter(int(s.card[1, E]) for s in forks(scene, 0, count=520))
    assert set(found) == {RED, KIND["b01"]}
    assert 130 < found[RED] < 230  # 180 expected, standard deviation 11: this fails once in 10^5


@pytest.mark.rules("PAT-066", "PAT-067")
def test_a_cane_that_was_left_is_in_the_deck_and_no_dry_card():
    scene = shuffled("green", "red", "cane")
    assert {int(s.card[1, E]) for s in forks(scene, 0, count=30)} == {RED}


@pytest.mark.rules("PAT-156", "PAT-162")
def test_a_can_that_is_played_where_no_cell_is_free_shows_that_a_balcony_was_taken():
    scene = again(Scene().sample(*["cane"] * 4), ["green", "b01", "red"], E)
    scene.lay(1, cane=[N, NE, SE, S, SW, W, NW]).hold(1, "can").active(1)
    scene.do("play_improvement", int(Improvement.CAN))
    assert scene.phase == Phase.CAN
    assert {int(s.card[1, E]) for s in forks(scene, 0)} == {KIND["b01"]}


# --- discards ---------------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-052", "PAT-201")
def test_a_sample_that_is_renewed_is_remembered_in_the_discards():
    scene = Scene().sample("cane", "cane", "cane", "red")
    scene.deck(*["green"] * 8, *["b02"], rest=False)
    scene.call("blue")
    assert scene.state.thrown.tolist() == [0, 1, 0, 3] + [0] * (KINDS - 4)
    for seat in (0, 1):
        assert seen(scene, seat)["remembered_discards"][CANE] == pytest.approx(3 / 17)
        assert all(s.discard[CANE] == 3 for s in forks(scene, seat, count=20))


@pytest.mark.rules("PAT-083", "PAT-196")
def test_a_dry_card_that_burns_is_known_to_its_owner_alone():
    scene = Scene().lay(1, dry=True, red=SE)
    discard_dry(scene.state, 1)
    assert scene.state.spent[:, RED].tolist() == [0, 1, 0, 0, 0]
    assert not np.any(scene.state.thrown)


@pytest.mark.rules("PAT-022", "PAT-083", "PAT-202")
def test_a_dealt_card_that_burns_lies_in_the_discards_as_a_pot_of_another_colour():
    scene = Scene().lay(1, dry=True, red=SE)
    s = scene.state
    s.told[1, SE] = UNLIKE | 1 << RED | 1 << GREEN  # dealt beside a blue one
    discard_dry(s, 1)
    scene.ready()
    found = Counter(tuple(np.flatnonzero(fork.discard)) for fork in forks(scene, 0))
    assert set(found) == {(RED,), (GREEN,)}
    assert all(fork.discard[RED] == 1 for fork in forks(scene, 1, count=20))


@pytest.mark.rules("PAT-060", "PAT-067")
def test_an_unseen_discard_is_no_cane():
    scene = Scene().lay(1, dry=True, red=SE)
    discard_dry(scene.state, 1)
    scene.ready()
    assert all(fork.discard[CANE] == 0 for fork in forks(scene, 0, count=200))  # one card of five would be


@pytest.mark.rules("PAT-033")
def test_discards_that_are_shuffled_are_forgotten():
    scene = drafted()
    assert scene.state.deck_size == 0
    draw_card(scene.state)
    s = scene.state
    assert not np.any(s.thrown) and not np.any(s.spent)
    assert not np.any(known_discards(s, 0)) and not np.any(known_discards(s, 1))


# --- dry cards and score piles ------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-074", "PAT-196")
def test_a_dry_card_that_was_given_away_is_remembered():
    scene = Scene().lay(0, dry=True, blue=N).lay(1, dry=True, red=E)
    s = scene.state
    s.swap_own, s.swap_player = N, 1
    swap(s, E)
    s.todo = 0
    scene.ready()
    told = seen(scene, 0)["remembered_dry"]
    assert told[1, E].tolist() == [1, 0, 0, 0]  # blue lies there now
    assert all(fork.card[1, E] == BLUE for fork in forks(scene, 0, count=30))
    assert len({int(fork.card[1, E]) for fork in forks(scene, 0, "view")}) > 2


@pytest.mark.rules("PAT-180")
def test_in_the_memory_variant_a_memory_holds_the_own_dry_cards():
    scene = Scene(monument_to_memory=True).lay(0, dry=True, b03=SW)
    assert seen(scene, 0)["remembered_dry"][0, SW].tolist() == [0, 0, 0, 1]
    assert seen(scene, 0)["remembered_balcony"][0, SW] == pytest.approx(3 / 11)
    assert not seen(scene, 1)["remembered_dry"].any()
    assert all(fork.card[0, SW] == KIND["b03"] for fork in forks(scene, 0, count=30))


@pytest.mark.rules("PAT-126", "PAT-199")
def test_score_piles_are_remembered_as_every_scoring_was_seen():
    scene = Scene(3)
    scene.state.trio[2], scene.state.loose[2] = [2, 0, 1], 25
    scene.ready()
    told = seen(scene, 1)
    assert told["remembered_trio"][0].tolist() == [0.5, 0, 0.25]  # seat 2 comes after seat 1
    assert told["remembered_loose"].sum(-1).tolist() == pytest.approx([0.5, 0, 0, 0])
    assert not scene.table.observe(1)[GAME.features.span("trio")].any()
    for belief in ("view", "memory"):
        assert all(fork.trio[2].tolist() == [2, 0, 1] and fork.loose[2] == 25 for fork in forks(scene, 1, belief, 5))


def test_a_past_that_contradicts_the_cards_is_passed_over():
    """As in positions that were set up by hand."""
    scene = Scene()
    scene.state.thrown[:COLOURS] = 17
    with pytest.raises(AssertionError, match="the discards lack a card that was seen to go there"):
        scene.table.check_memory(0)
    forks = [scene.table.fork(0, 1, belief) for belief in ("view", "memory")]
    assert forks[0].to_bytes() == forks[1].to_bytes()
