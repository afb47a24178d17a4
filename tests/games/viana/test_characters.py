"""Palace of Viana: characters and scoring (sections 7 and 8 of the ledger)."""

from __future__ import annotations

import pytest

from alarife.games.viana.components import COURTS, FOUNTAIN, MARKET, NONE, POT, Card, Phase
from alarife.games.viana.rules import market
from games.viana.positions import (
    PLAZA,
    B,
    C,
    P,
    adorn,
    choices,
    do,
    doorway,
    families,
    is_legal,
    lay_top,
    plant,
    play,
    put_door,
    put_figures,
    put_pawn,
    ready,
    scores,
    set_stand,
    stock,
)

# --- gardeners --------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-103")
def test_how_far_gardeners_go():
    for card, courts in ((0, [2, 4, 5]), (1, [1, 2, 4, 5, 6, 11]), (2, [1, 2, 4, 5, 6, 7, 10, 11, 12, 13])):
        t = put_pawn(ready(), 0, 3)
        play(t, card)
        assert choices(t, "move_pawn") == courts


# --- Marquise ---------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-104", "VIA-105", "VIA-106")
def test_the_marquise_goes_one_or_two_steps_and_the_cat_to_where_she_was():
    for court, points in ((2, 0), (3, 0), (4, 0), (7, -2), (13, -2)):  # 7 and 13 lie behind the Cat in 6
        t = put_figures(ready(), marquise=5, cat=6)
        play(t, Card.MARQUISE)
        assert choices(t, "marquise_to") == [2, 3, 4, 7, 13]
        do(t, "marquise_to", court=court)
        assert scores(t) == [points, 0, 0]
        assert (t.state.marquise + 1, t.state.cat + 1) == (court, 5)


@pytest.mark.rules("VIA-105")
@pytest.mark.parametrize("cat", [7, 13])
def test_with_a_second_way_the_cat_is_avoided(cat):
    t = put_figures(ready(), marquise=6, cat=cat)
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=8)  # by 7 or by 13
    assert scores(t) == [0, 0, 0]


@pytest.mark.rules("VIA-105", "VIA-086", "VIA-202")
def test_between_the_cat_and_the_closed_door_she_crosses_the_cat():
    t = put_door(put_figures(ready(), marquise=7, cat=6), 7, 8)
    play(t, Card.MARQUISE)
    assert choices(t, "marquise_to") == [5, 13]
    do(t, "marquise_to", court=13)
    assert scores(t) == [-2, 0, 0]


@pytest.mark.rules("VIA-107", "VIA-106")
def test_an_empty_courtyard_brings_nothing_and_the_cat_moves():
    t = put_figures(ready(), marquise=5, cat=13)
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=4)
    assert (scores(t), t.state.cat + 1, t.seat) == ([0, 0, 0], 5, 1)


# --- Marquis, Housekeeper, Poet ---------------------------------------------------------------------


@pytest.mark.rules("VIA-108", "VIA-141")
def test_the_marquis_walks_for_a_point_and_scores_nothing():
    t = put_figures(plant(ready(), 0, 5, 0, B), marquise=5, marquis=5)
    play(t, Card.MARQUIS)
    assert choices(t, "marquis_to") == [1, 2, 3, 4, 6, 7, 8, 11, 13]
    do(t, "marquis_to", court=4)
    assert scores(t) == [1, 0, 0]
    t.state.seat = t.state.turn_of = 1
    t.refresh()
    lay_top(t, 0, Card.GARDENER)
    play(t, Card.MARQUIS)
    do(t, "marquis_to", court=5)
    assert (scores(t), t.state.scored_flower.sum()) == ([1, 1, 0], 0)


@pytest.mark.rules("VIA-109", "VIA-110", "VIA-203", "VIA-214")
def test_the_housekeeper_moves_the_door_for_a_point():
    t = ready()
    play(t, Card.HOUSEKEEPER)
    assert choices(t, "door_to") == [d for d in range(16) if d != doorway(9, 13)]
    do(t, "door_to", doorway=doorway(1, 2))
    assert (t.state.door, scores(t)) == (doorway(1, 2), [1, 0, 0])
    t.check()
    put_pawn(t, 1, 13)
    play(t, Card.MASTER_GARDENER)
    assert choices(t, "move_pawn") == [6, 8, 9]  # the old doorway is open again


@pytest.mark.rules("VIA-111")
def test_the_poet_tells_of_pawns_marquise_and_marquis():
    t = put_figures(ready(5), marquise=4, marquis=4, cat=4)
    for p, court in ((0, 5), (1, 4), (2, 4), (3, 6)):
        put_pawn(t, p, court)
    t.state.pawn[4] = MARKET
    play(t, Card.POET)
    do(t, "move_pawn", court=4)
    assert scores(t) == [4, 0, 0, 0, 0]


@pytest.mark.rules("VIA-111")
def test_the_poet_alone_gets_nothing_not_for_the_cat_nor_for_the_street():
    t = put_figures(put_pawn(ready(5), 0, 2), cat=1)
    assert t.state.pawn[1] == PLAZA  # outside courtyard 1
    play(t, Card.POET)
    do(t, "move_pawn", court=1)
    assert (scores(t), t.seat) == ([0] * 5, 1)


# --- Coachman ---------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-112", "VIA-203")
def test_the_coachman_drives_to_a_stand_without_a_pawn():
    t = put_pawn(ready(), 0, 7)
    t.state.pawn[2] = MARKET + 1
    set_stand(t, 3, [0, 0, 0, 0, 0])
    set_stand(t, 4, [1, 1, 1, 1, 1])
    play(t, Card.COACHMAN)
    assert choices(t, "stand") == [0, 2, 3, 4, 5]  # stand 3 is empty, stand 4 full
    do(t, "stand", stand=2)
    assert (t.state.pawn[0], t.state.personal[0].sum()) == (MARKET + 2, 5)


@pytest.mark.rules("VIA-113", "VIA-211")
def test_tokens_with_an_equal_in_the_common_reserve_are_swapped():
    t = set_stand(stock(ready(), 0, [6, 2, 2, 0, 5]), 5, [3, 0, 1, 0, 1])
    play(t, Card.COACHMAN)
    do(t, "stand", stand=4)  # one B left in the common reserve, five P, no fountain
    s = t.state
    assert s.personal[0].tolist() == [7, 2, 3, 0, 5]
    assert s.common[0].tolist() == [0, 5, 4, 6, 0]
    assert s.stand[4].tolist() == [2, 0, 0, 0, 1]
    assert s.swapped.tolist() == [1, 0, 1, 0, 0]
    t.check()


@pytest.mark.rules("VIA-113")
@pytest.mark.parametrize(("reserve", "swapped"), [(0, 0), (1, 1), (2, 2), (3, 3), (5, 3)])
def test_of_three_equal_tokens_as_many_are_swapped_as_the_common_reserve_holds(reserve, swapped):
    t = set_stand(stock(ready(), 0, [7 - reserve, 0, 0, 0, 0]), 5, [3, 0, 0, 0, 0])
    play(t, Card.COACHMAN)
    do(t, "stand", stand=4)
    s = t.state
    assert (s.personal[0, B], s.common[0, B], s.stand[4, B]) == (7 - reserve + swapped, reserve - swapped, 3 - swapped)


@pytest.mark.rules("VIA-114", "VIA-115")
def test_the_pawn_stays_until_its_owner_s_next_turn():
    t = ready(2)
    play(t, Card.COACHMAN)
    do(t, "stand", stand=5)
    play(t, Card.MARQUIS)
    t.play(t.legal()[0])
    assert (t.seat, t.state.pawn[0], t.state.phase) == (0, MARKET + 5, Phase.ENTRANCE)
    assert choices(t, "return_palace") == [0, 1]
    do(t, "return_palace", entrance=0)
    assert (t.state.pawn[0], t.state.phase) == (PLAZA, Phase.CARD)


# --- Cook (the restock: test_viana_end.py) ----------------------------------------------------------


@pytest.mark.rules("VIA-120")
def test_the_cook_takes_the_pile_back_himself_included():
    t = ready(5)
    for card in (Card.GARDENER, Card.POET, Card.GIRL):
        lay_top(t, 0, card)
    play(t, Card.COOK)
    s = t.state
    assert (s.hand[0].tolist(), s.held[0], s.top[0]) == ([1] * 10, 10, NONE)
    assert t.seat == 1
    t.check()


@pytest.mark.rules("VIA-116", "VIA-117", "VIA-148")
def test_after_a_restock_the_pawns_on_the_market_swap_again(monkeypatch):
    t = ready(3, turn=1)
    for i in range(1, 7):
        set_stand(t, i, [0, 0, 0, 0, 0])
    t.state.pawn[0], t.state.pawn[2] = MARKET, MARKET + 3
    stock(t, 2, [7, 0, 0, 0, 0])
    monkeypatch.setattr(market, "below", lambda s, n: 5)  # a six: one token for each stand
    monkeypatch.setattr(market, "draw_kind", lambda s, bag, total: B)
    play(t, Card.COOK)
    s = t.state
    assert s.personal[0].tolist() == [2, 2, 2, 0, 0]  # one B more than the five flowers before
    assert [s.stand[i, B] for i in range(6)] == [0, 1, 1, 1, 1, 1]  # player 2 has no B left in the common reserve
    assert s.personal[1].sum() == 5  # the Cook's own player is in the palace


# --- Girl -------------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-122", "VIA-191")
def test_the_girl_walks_one_to_three_steps_and_may_end_where_she_began():
    t = put_pawn(ready(), 0, 3)
    play(t, Card.GIRL)
    assert choices(t, "girl_step") == [2, 4, 5]
    assert not is_legal(t, "done")  # at least one step
    do(t, "girl_step", court=4)
    assert is_legal(t, "done")
    do(t, "girl_step", court=3)  # again
    do(t, "girl_step", court=4)
    assert (t.seat, t.state.pawn[0] + 1) == (1, 4)  # no step is left
    t = put_pawn(ready(), 0, 3)
    play(t, Card.GIRL)
    for court in (4, 5, 3):
        do(t, "girl_step", court=court)
    assert (t.seat, t.state.pawn[0] + 1) == (1, 3)


@pytest.mark.rules("VIA-123", "VIA-124", "VIA-190")
def test_the_girl_carries_a_flower_of_anybody_to_another_courtyard():
    t = plant(plant(put_pawn(ready(turn=1), 1, 4), 0, 4, 0, B), 2, 4, 1, C)
    play(t, Card.GIRL)
    assert choices(t, "girl_pick") == [(1, 1), (2, 0)]  # player 2 is the next seat, player 0 the one after
    do(t, "girl_pick", owner=2, hedge=0)
    assert (t.state.flower[0, 3, 0], t.state.tokens[0, 3], t.state.courts[0]) == (0, 0, 0)
    t.check()
    assert families(t) == {"girl_step"}
    do(t, "girl_step", court=5)
    assert choices(t, "girl_drop") == [0, 1]
    do(t, "girl_drop", hedge=1)
    assert (t.state.flower[0, 4, 1], t.state.hedge_kind[4, 1], t.state.courts[0]) == (1, B, 1)
    t.check()


@pytest.mark.rules("VIA-124")
def test_the_flower_is_not_put_down_where_it_was_picked_up():
    t = plant(put_pawn(ready(), 0, 4), 0, 4, 0, B)
    play(t, Card.GIRL)
    do(t, "girl_pick", owner=0, hedge=0)
    do(t, "girl_step", court=5)
    do(t, "girl_step", court=4)
    assert families(t) == {"girl_step"}
    assert choices(t, "girl_step") == [3, 5]


@pytest.mark.rules("VIA-125")
def test_only_one_unscored_flower_a_turn():
    t = plant(plant(put_pawn(ready(), 0, 4), 0, 4, 0, B, scored=1, unscored=0), 0, 5, 0, C)
    adorn(adorn(t, 0, 4, POT), 0, 4, FOUNTAIN)
    play(t, Card.GIRL)
    assert choices(t, "girl_pick") == []  # scored, pot and fountain stay
    do(t, "girl_step", court=5)
    do(t, "girl_pick", owner=0, hedge=0)
    do(t, "girl_step", court=6)
    plant(t, 1, 6, 1, P)
    do(t, "girl_drop", hedge=0)
    assert families(t) == {"girl_step", "done"}  # no second flower


@pytest.mark.rules("VIA-126")
def test_the_marquis_s_flowers_are_left_alone():
    t = put_figures(plant(put_pawn(ready(), 0, 4), 0, 4, 0, B), marquis=4)
    play(t, Card.GIRL)
    assert families(t) == {"girl_step"}
    t = put_figures(plant(put_pawn(ready(), 0, 4), 0, 4, 0, B), marquis=5)
    play(t, Card.GIRL)
    do(t, "girl_pick", owner=0, hedge=0)
    do(t, "girl_step", court=5)
    assert families(t) == {"girl_step"}


def flower_without_neighbours(t):
    """A bougainvillea in 4; the hedges of 3 and 5, the only neighbours, grow other flowers."""
    for court, hedge, kind in ((3, 0, C), (3, 1, C), (5, 0, C), (5, 1, P)):
        plant(t, 1, court, hedge, kind)
    return plant(t, 0, 4, 0, B)


@pytest.mark.rules("VIA-127")
def test_a_flower_that_cannot_be_put_down_is_not_picked_up():
    t = flower_without_neighbours(put_pawn(ready(), 0, 3))
    play(t, Card.GIRL)
    do(t, "girl_step", court=5)
    do(t, "girl_step", court=4)
    assert families(t) == {"girl_step", "done"}  # one step left, no room next door


@pytest.mark.rules("VIA-127", "VIA-191")
def test_while_carrying_each_step_keeps_a_place_in_reach():
    t = flower_without_neighbours(put_pawn(ready(), 0, 4))
    play(t, Card.GIRL)
    do(t, "girl_pick", owner=0, hedge=0)
    do(t, "girl_step", court=3)
    assert families(t) == {"girl_step"}  # the walk cannot be ended
    assert choices(t, "girl_step") == [2, 5]  # from 5 on to 6; back in 4 there would be no way out
    do(t, "girl_step", court=5)
    assert choices(t, "girl_step") == [6]
    do(t, "girl_step", court=6)
    assert families(t) == {"girl_drop"}


@pytest.mark.rules("VIA-128", "VIA-192", "VIA-204")
def test_after_putting_the_flower_down_the_walk_may_go_on():
    t = plant(put_pawn(ready(), 0, 4), 0, 4, 0, B)
    play(t, Card.GIRL)
    do(t, "girl_pick", owner=0, hedge=0)
    do(t, "girl_step", court=5)
    do(t, "girl_drop", hedge=0)
    assert families(t) == {"girl_step", "done"}
    do(t, "girl_step", court=6)
    do(t, "girl_step", court=13)  # the fifth decision ends the walk
    assert t.seat == 1


@pytest.mark.rules("VIA-129")
def test_in_the_final_round_nobody_loses_the_thirteenth_courtyard():
    t = ready()
    for court in range(1, COURTS + 1):
        plant(t, 1, court, 0, (B, C)[court % 2])  # 7 C, 6 B
    plant(t, 0, 4, 1, P)
    put_pawn(t, 0, 4)
    play(t, Card.GIRL)
    assert choices(t, "girl_pick") == [(0, 1), (1, 0)]  # before the trigger it is allowed
    t.state.final_turns = 3
    t.refresh()
    assert choices(t, "girl_pick") == [(0, 1)]
    plant(t, 1, 4, 0, B)  # a second decoration there
    assert choices(t, "girl_pick") == [(0, 1), (1, 0)]


@pytest.mark.rules("VIA-129")
def test_the_mover_s_own_thirteenth_courtyard_is_protected_too():
    t = ready()
    for court in range(1, COURTS + 1):
        plant(t, 0, court, 0, (B, C, P)[court % 3])
    put_pawn(t, 0, 4)
    t.state.final_turns = 3
    play(t, Card.GIRL)
    assert choices(t, "girl_pick") == []


@pytest.mark.rules("VIA-130")
def test_from_the_street_she_walks_in_through_the_entrance():
    t = ready()
    play(t, Card.GIRL)
    assert families(t) == {"girl_step"}
    assert choices(t, "girl_step") == [1]
    do(t, "girl_step", court=1)
    assert choices(t, "girl_step") == [2, 12]


# --- 8. scoring -------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-135", "VIA-105")
def test_with_the_marquis_there_nothing_is_scored_but_the_cat_still_counts():
    t = plant(adorn(put_figures(ready(), marquise=5, marquis=13, cat=6), 0, 13, POT), 1, 13, 0, B)
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=13)
    assert scores(t) == [-2, 0, 0]
    assert (t.state.pot[0, 12], t.state.flower[1, 12, 0], t.state.cat + 1) == (1, 1, 5)


@pytest.mark.rules("VIA-136", "VIA-137", "VIA-138", "VIA-139", "VIA-215")
def test_the_worked_scoring_case():
    t = put_figures(ready(), marquise=5, cat=4)
    adorn(plant(plant(t, 0, 6, 0, B), 0, 6, 1, C), 0, 6, FOUNTAIN)
    adorn(t, 0, 6, POT, scored=True)
    adorn(plant(t, 1, 6, 0, B), 1, 6, POT)
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=6)
    assert scores(t) == [9, 5, 0]
    assert (t.seat, choices(t, "flip_flower")) == (0, [0, 1])
    do(t, "flip_flower", hedge=1)
    s = t.state
    assert s.scored_flower[:2, 5].tolist() == [[0, 1, 0, 0], [1, 0, 0, 0]]
    assert (s.pot[:, 5].sum(), s.fountain[:, 5].sum()) == (0, 0)
    assert (s.scored_pot[:2, 5].tolist(), s.scored_fountain[:2, 5].tolist()) == ([1, 1], [1, 0])
    t.check()
    put_figures(t, marquise=5, cat=4)
    lay_top(t, 0, Card.GARDENER)  # so that the Marquise is free again
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=6)
    assert scores(t) == [11, 5, 0]


@pytest.mark.rules("VIA-138", "VIA-139", "VIA-140")
def test_owners_choose_clockwise_from_the_active_player_one_flip_each():
    t = put_figures(ready(4, turn=2), marquise=5, cat=4)
    for p in (0, 1, 3):
        plant(plant(t, p, 13, 0, B), p, 13, 1, C)
    plant(t, 2, 13, 2, P, unscored=2)  # one hedge: no choice
    put_figures(t, marquise=6)
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=13)
    assert scores(t) == [4, 4, 4, 4]
    for seat, hedge in ((3, 0), (0, 1), (1, 0)):
        assert (t.seat, t.state.phase) == (seat, Phase.FLIP)
        do(t, "flip_flower", hedge=hedge)
    assert t.state.scored_flower[:4, 12].sum(1).tolist() == [1, 1, 1, 1]
    assert (t.seat, t.state.phase) == (3, Phase.CARD)


@pytest.mark.rules("VIA-137")
def test_scored_decorations_give_nothing():
    t = put_figures(ready(), marquise=5, cat=4)
    adorn(adorn(t, 0, 6, POT, scored=True), 0, 6, FOUNTAIN, scored=True)
    plant(t, 0, 6, 0, B, scored=1, unscored=0)
    play(t, Card.MARQUISE)
    do(t, "marquise_to", court=6)
    assert (scores(t), t.seat) == ([0, 0, 0], 1)
