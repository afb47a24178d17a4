"""Patios: Sun, Neighbour, Visitors and watering (sections 10 to 14 of RULES.md)."""

import itertools

import numpy as np
import pytest

from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import CELLS, INNER_CELLS, NEXT_TO, Phase, Place
from games.patios.positions import NE, NW, SE, SW, E, N, S, Scene, W, before_the_sun, sun_comes

DOWN = ["green", "assistant", "children", "neighbour"]


# --- 10. Sun, action ------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-080", "PAT-083")
def test_all_other_patios_are_hit_in_order_and_the_own_one_is_spared():
    scene = Scene(3).lay(0, blue=NE).lay(1, red=NE).lay(2, dry=True, green=NE).sun("NE")
    assert scene.patio(0) == {NE: "blue"}
    assert scene.patio(1) == {NE: "(red)"}
    assert scene.patio(2) == {}
    assert scene.state.discard[2] == 1


@pytest.mark.rules("PAT-080")
def test_the_patios_are_hit_in_order_from_the_active_seat():
    scene = Scene(4).active(2)
    for p in range(4):
        scene.lay(p, red=[NW, NE])
    scene.sun("N")
    for p in (3, 0, 1):
        assert (scene.seat, scene.phase, scene.options("sun_hit")) == (p, Phase.FIRST_HIT, [NW, NE])
        scene.do("sun_hit", NE)
    assert [scene.patio(p)[NE] for p in range(4)] == ["(red)", "(red)", "red", "(red)"]
    assert (scene.seat, scene.phase) == (3, Phase.TURN)


@pytest.mark.rules("PAT-080")
def test_eight_directions_can_be_named():
    assert Scene().call("sun").options("sun_direction") == list(range(8))


@pytest.mark.rules("PAT-081")
def test_without_a_flower_card_there_the_owner_chooses_an_inner_neighbour():
    scene = Scene().lay(1, cane=N, red=NW, b01=NE, green=S).sun("N")
    assert (scene.seat, scene.phase) == (1, Phase.FIRST_HIT)
    assert scene.options("sun_hit") == [NW, NE]
    scene.do("sun_hit", NE)
    # The cane in the named cell lies next to the card that is hit.
    assert scene.phase == Phase.DEFENCE
    scene.do("done")
    assert scene.patio(1) == {N: "cane", NW: "red", NE: "(b01)", S: "green"}
    alone = Scene().lay(1, red=NW, green=S).sun("N")
    assert alone.patio(1) == {NW: "(red)", S: "green"}


@pytest.mark.rules("PAT-081")
def test_a_flower_card_in_the_named_cell_is_hit_without_a_question():
    scene = Scene().lay(1, red=N, blue=[NW, NE]).sun("N")
    assert (scene.seat, scene.phase) == (1, Phase.TURN)
    assert scene.patio(1) == {N: "(red)", NW: "blue", NE: "blue"}


@pytest.mark.rules("PAT-082")
def test_under_works_an_outer_card_that_touches_the_named_cell_is_hit_too():
    scene = Scene().works(1).lay(1, red=N, green=1, blue=3, b01=20).sun("N")
    assert scene.phase == Phase.SECOND_HIT
    assert scene.options("sun_hit") == [1, 3]
    scene.do("sun_hit", 3)
    assert scene.patio(1) == {N: "(red)", 1: "green", 3: "(blue)", 20: "b01"}
    further = Scene().works(1).lay(1, green=0, blue=20).sun("N")
    assert further.patio(1) == {0: "(green)", 20: "blue"}  # the first hit found nothing
    none = Scene().lay(1, red=S).sun("N")
    assert none.patio(1) == {S: "red"}


@pytest.mark.rules("PAT-083", "PAT-163")
def test_a_dry_tub_that_is_hit_goes_under_the_improvement_deck():
    scene = Scene().lay(1, tub=E).sun("E")
    assert scene.patio(1) == {E: "(tub)"}
    again = Scene().lay(1, dry=True, tub=E).sun("E")
    assert again.patio(1) == {}
    assert again.stock_names()[-1] == "tub"


@pytest.mark.rules("PAT-084", "PAT-085", "PAT-193")
def test_a_cane_protects_the_hit_cards_next_to_it_and_is_discarded():
    scene = Scene().works(1).lay(1, red=N, cane=[NE, 3, S]).lay(1, dry=True, green=2).sun("N")
    assert scene.options("waterer") == [3, NE]  # next to a hit: cell 3 beside cell 2, the north-east cell beside N
    assert scene.can_stop()
    canes = int(scene.state.discard[3])
    scene.do("waterer", NE)
    assert scene.options("waterer") == [3]
    scene.do("waterer", 3)
    assert scene.patio(1) == {N: "red", 2: "(green)", S: "cane"}
    assert scene.state.discard[3] == canes + 2


@pytest.mark.rules("PAT-084")
def test_one_cane_may_save_both_hit_cards():
    scene = Scene().works(1).lay(1, red=NE, cane=9, green=4).sun("NE")
    assert scene.options("waterer") == [9]
    scene.do("waterer", 9)
    assert scene.patio(1) == {NE: "red", 4: "green"}


@pytest.mark.rules("PAT-084", "PAT-085")
def test_a_hose_protects_without_links_and_goes_under_the_deck():
    linked = Scene().lay(1, red=[N, NE], hose=E).sun("N")
    assert linked.patio(1) == {N: "(red)", NE: "red", E: "hose"}  # not next to the hit card: not asked
    scene = Scene().lay(1, red=N, hose=NE).sun("N")
    scene.do("waterer", NE)
    assert scene.patio(1) == {N: "red"}
    assert scene.stock_names()[-1] == "hose"


@pytest.mark.rules("PAT-084", "PAT-192")
def test_what_lies_on_the_ladder_protects_everything_and_asks_which_tool():
    scene = Scene().works(1).lay(1, red=N, green=2, ladder=S, cane=S, hose=S).sun("N")
    assert scene.options("waterer") == [S]
    scene.do("waterer", S)
    assert scene.phase == Phase.DEFENCE_TOOL
    scene.do("tool", 1)
    assert scene.patio(1) == {N: "red", 2: "green", S: "ladder"}
    assert (scene.state.ladder_canes, scene.place_of("hose")) == (1, Place.STOCK)


@pytest.mark.rules("PAT-084", "PAT-161")
def test_beside_the_ladder_a_cane_protects_its_neighbours_only():
    scene = Scene().works(1).lay(1, red=N, green=2, ladder=S, cane=NE).sun("N")
    assert scene.options("waterer") == [NE]
    scene.do("waterer", NE)
    assert scene.patio(1) == {N: "red", 2: "(green)", S: "ladder"}
    far = Scene().lay(1, red=N, ladder=S, cane=SE, hose=W).sun("N")
    assert far.patio(1) == {N: "(red)", S: "ladder", SE: "cane", W: "hose"}  # nothing is asked


@pytest.mark.rules("PAT-084", "PAT-085")
def test_the_watering_can_protects_hit_balconies_wherever_they_lie():
    scene = Scene().works(1).lay(1, b01=N, can=21).lay(1, dry=True, b02=2).sun("N")
    assert scene.options("waterer") == [21]
    scene.do("waterer", 21)
    assert scene.patio(1) == {N: "b01", 2: "(b02)"}
    assert scene.stock_names()[-1] == "can"
    pot = Scene().lay(1, can=S, red=N).sun("N")
    assert pot.patio(1) == {N: "(red)", S: "can"}  # of no use for a beautiful pot


@pytest.mark.rules("PAT-084", "PAT-192")
def test_a_can_beside_a_dry_hit_is_asked_about_and_helps_a_balcony_only():
    scene = Scene().lay(1, can=S).lay(1, dry=True, blue=N).sun("N")
    assert (scene.seat, scene.phase, scene.options("waterer")) == (1, Phase.DEFENCE, [])
    scene.do("done")
    assert scene.patio(1) == {S: "can"}


@pytest.mark.rules("PAT-086", "PAT-157")
def test_a_patio_under_an_awning_is_not_hit():
    scene = Scene(3).lay(1, awning=S, red=N, cane=NE).lay(2, red=N).sun("N")
    assert scene.patio(1) == {S: "awning", N: "red", NE: "cane"}
    assert scene.patio(2) == {N: "(red)"}


@pytest.mark.rules("PAT-087")
def test_no_hit_no_effect():
    scene = Scene(3).lay(1, red=S, cane=N).lay(2).sun("N")
    assert scene.patio(1) == {S: "red", N: "cane"}
    assert scene.phase == Phase.TURN


# --- 11. Sun, effect --------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-090", "PAT-091", "PAT-094")
def test_at_the_suns_effect_all_may_water_and_then_dry_cards_are_lost():
    scene = before_the_sun().lay(0, cane=N, hose=S).lay(0, dry=True, red=NE, blue=SE, tub=W).lay(1, dry=True, green=N)
    sun_comes(scene)
    assert (scene.seat, scene.phase) == (0, Phase.WATER)
    assert scene.options("waterer") == [N, S]
    scene.do("waterer", N).do("water_target", NE)
    assert scene.patio(0)[NE] == "red"
    scene.do("done")
    assert scene.patio(0) == {S: "hose", NE: "red"}
    assert scene.patio(1) == {}
    assert scene.stock_names()[-1] == "tub"
    assert scene.seat == 1


@pytest.mark.rules("PAT-090")
def test_at_the_suns_effect_patios_are_watered_in_order_from_the_active_seat():
    scene = before_the_sun(4).active(2)
    for p in range(4):
        scene.lay(p, cane=N).lay(p, dry=True, red=NE, blue=NW)
    sun_comes(scene)
    for p in (2, 3, 0, 1):
        assert (scene.seat, scene.phase) == (p, Phase.WATER)
        scene.do("waterer", N).do("water_target", NE).do("done")
    assert [scene.patio(p) for p in range(4)] == [{NE: "red"}] * 4
    assert (scene.seat, scene.phase) == (3, Phase.TURN)


@pytest.mark.rules("PAT-094", "PAT-093")
def test_the_suns_effect_costs_nobody_a_turn():
    scene = sun_comes(before_the_sun(3).active(1))
    assert (scene.seat, scene.phase) == (2, Phase.TURN)


@pytest.mark.rules("PAT-091", "PAT-092", "PAT-157")
def test_dry_cards_under_an_awning_stay_and_may_be_watered():
    scene = before_the_sun().lay(0, awning=S, cane=N).lay(0, dry=True, red=[NE, SE])
    sun_comes(scene).do("waterer", N).do("water_target", NE)
    assert scene.patio(0) == {S: "awning", NE: "red", SE: "(red)"}


@pytest.mark.rules("PAT-093", "PAT-210")
def test_then_the_sun_goes_to_the_end_and_the_next_card_is_turned_up():
    scene = sun_comes(before_the_sun())
    assert scene.names_of_row() == ["blue", "red", "water", "visitors", "green", "assistant", "children", "neighbour",
                                    "sun"]  # fmt: skip
    assert scene.face_down() == ["children", "neighbour", "sun"]
    assert scene.seat == 1
    ended = Scene().row("neighbour", "sun", "visitors", "red", "water", "blue", "green", "assistant", "children",
                        down=["green", "assistant", "children"])  # fmt: skip
    sun_comes(ended)
    assert ended.state.round == 1


# --- 12. Neighbour ------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-100", "PAT-101", "PAT-102", "PAT-108")
def test_coins_are_offered_in_order_and_the_active_player_chooses_among_several():
    scene = Scene(4).coins(1, 1, 0, 1).call("neighbour")
    assert (scene.seat, scene.phase, scene.options("offer")) == (1, Phase.OFFER, [0, 1])
    scene.do("offer", 1)
    assert scene.seat == 3
    scene.do("offer", 1)
    assert (scene.seat, scene.options("apprentice")) == (0, [0, 2])
    scene.do("apprentice", 2)
    assert list(scene.state.coins[:4]) == [2, 1, 0, 0]
    assert scene.phase == Phase.KEEP


@pytest.mark.rules("PAT-100", "PAT-101")
def test_a_single_offer_is_accepted_and_without_coins_nobody_is_asked():
    scene = Scene(3).coins(1, 1, 1).call("neighbour").do("offer", 0).do("offer", 1)
    assert scene.phase == Phase.KEEP
    assert list(scene.state.coins[:3]) == [2, 1, 0]
    assert Scene(3).coins(3, 0, 0).call("neighbour").phase == Phase.KEEP


@pytest.mark.rules("PAT-100", "PAT-101", "PAT-103")
def test_with_exactly_two_improvements_left_coins_are_offered_and_both_are_drawn():
    scene = Scene(3).coins(1, 1, 1).hold(1, "awning", "guitarist", "flamenco").hold(2, "can", "ladder")
    scene.call("neighbour")
    assert (scene.seat, scene.phase) == (1, Phase.OFFER)
    scene.do("offer", 0)
    assert (scene.seat, scene.phase) == (2, Phase.OFFER)
    scene.do("offer", 1)
    assert (scene.seat, scene.options("keep_improvement")) == (0, [3, 6])
    scene.do("keep_improvement", 6)
    assert (scene.state.keeper[6], scene.state.keeper[3], scene.state.stock_size) == (0, 2, 0)
    assert list(scene.state.coins[:3]) == [2, 1, 0]


@pytest.mark.rules("PAT-100")
def test_coins_are_offered_in_order_from_the_active_seat():
    scene = Scene(4).active(2).coins(1, 1, 1, 1).call("neighbour")
    for p in (3, 0, 1):
        assert (scene.seat, scene.phase) == (p, Phase.OFFER)
        scene.do("offer", int(p != 0))
    assert (scene.seat, scene.options("apprentice")) == (2, [0, 2])  # seats 3 and 1


@pytest.mark.rules("PAT-103")
def test_of_two_drawn_cards_one_is_kept_and_the_other_given_to_the_apprentice_or_put_back_on_top():
    scene = Scene().coins(1, 1).stock("hose", "tub", "can").call("neighbour").do("offer", 1)
    assert scene.options("keep_improvement") == [3, 6]
    scene.do("keep_improvement", 6)
    assert (scene.place_of("tub"), scene.place_of("hose")) == (Place.HAND, Place.HAND)
    assert (scene.state.keeper[6], scene.state.keeper[3]) == (0, 1)
    alone = Scene().coins(1, 0).stock("hose", "tub", "can").call("neighbour").do("keep_improvement", 6)
    assert alone.stock_names()[:2] == ["hose", "can"]


@pytest.mark.rules("PAT-104")
def test_a_single_card_left_is_taken_without_apprentice():
    scene = Scene().coins(1, 1).hold(1, "awning", "guitarist", "flamenco", "hose", "ladder", "can").call("neighbour")
    assert scene.phase == Phase.WINDOW
    assert scene.state.keeper[6] == 0
    assert scene.state.stock_size == 0


@pytest.mark.rules("PAT-105")
def test_with_an_empty_deck_a_random_unused_card_of_another_player_is_taken():
    taken = set()
    for seed in range(12):
        scene = Scene(3, seed=seed).hold(1, "awning", "hose").hold(2, "tub").hold(0, "can")
        scene.lay(0, guitarist=N).lay(0, flamenco=S, ladder=E)
        scene.call("neighbour")
        assert (scene.phase, scene.options("steal_from")) == (Phase.STEAL, [0, 1])
        scene.do("steal_from", 0)
        assert (scene.state.unused[0], scene.state.unused[1]) == (2, 1)
        taken |= {i for i in (0, 3) if scene.state.keeper[i] == 0}
    assert taken == {0, 3}
    lost = Scene().hold(0, "awning", "hose", "tub", "can", "guitarist", "flamenco", "ladder").call("neighbour")
    assert lost.phase == Phase.WINDOW  # nobody else has one: lost


@pytest.mark.rules("PAT-106", "PAT-107", "PAT-193")
def test_the_apprentice_may_play_the_new_card_before_the_active_player_his():
    scene = Scene().coins(1, 1).hold(1, "awning").stock("hose", "tub").call("neighbour").do("offer", 1)
    scene.do("keep_improvement", 3)
    assert (scene.seat, scene.phase) == (1, Phase.APPRENTICE_WINDOW)
    assert scene.options("play_improvement") == [6]
    assert scene.can_stop()
    scene.do("play_improvement", 6).do("place", N)
    assert scene.patio(1) == {N: "(tub)"}
    assert (scene.seat, scene.phase) == (0, Phase.WINDOW)
    assert scene.options("play_improvement") == [3]
    dancer = Scene().coins(1, 1).stock("hose", "flamenco").call("neighbour").do("offer", 1).do("keep_improvement", 3)
    assert (dancer.seat, dancer.options("play_improvement")) == (1, [])
    guitar = Scene().coins(1, 1).stock("hose", "guitarist").call("neighbour").do("offer", 1).do("keep_improvement", 3)
    assert (guitar.seat, guitar.options("play_improvement")) == (1, [])
    guitar.do("done")
    assert guitar.seat == 0


# --- 13. Visitors -------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-110", "PAT-112", "PAT-149")
def test_the_round_ends_when_visitors_are_first_and_its_ender_begins_the_next():
    scene = Scene(3).end_round()
    assert scene.state.round == 1
    assert (scene.seat, scene.phase, scene.state.turns) == (0, Phase.TURN, 1)


@pytest.mark.rules("PAT-110", "PAT-111", "PAT-158")
def test_a_guitarist_ends_the_round_at_once_and_only_the_sample_is_refilled():
    scene = Scene().hold(0, "guitarist").sample("blue").coins(1, 1)
    scene.row("red", "visitors", "blue", "green", "water", "sun", "assistant", "children", "neighbour", down=DOWN)
    scene.do("play_improvement", 1)
    assert scene.options("guitar_move") == [1, 2, 3, 4]
    scene.do("guitar_move", 1)
    assert scene.state.round == 1
    assert scene.phase == Phase.BUY  # the coin just earned makes two
    assert scene.state.sampled == 4
    assert scene.stock_names()[-1] == "guitarist"


@pytest.mark.rules("PAT-113", "PAT-213")
def test_after_the_most_turns_the_round_ends_as_if_visitors_had_come():
    scene = Scene(2, max_turns_per_round=7)
    scene.state.turns = 6
    scene.call("children").do("place", N) if scene.call("sun").phase == Phase.TURN else scene.do("sun_direction", 0)
    assert scene.state.round == 0
    assert scene.state.turns == 7
    scene.sun("N")
    assert scene.state.round == 1


# --- watering (PAT-130 to PAT-135) --------------------------------------------------------------------------


def groups(start, flowers, dry, most):
    """Brute force: every connected set of up to `most` cards beside the hose that holds a dry one."""
    found = set()

    def extend(order):
        if any(c in dry for c in order):
            found.add(frozenset(order))
        if len(order) < most:
            for c in flowers - set(order):
                if any(int(NEXT_TO[b]) >> c & 1 for b in (start, *order)):
                    extend((*order, c))

    extend(())
    return found


def watered_sets(scene, cell):
    """Every set of dry cards that can be turned up with one waterer, by playing all its choices."""
    results = set()

    def go(table, watered):
        if table.state.phase != Phase.WATER_TARGET:
            results.add(watered)
            return
        for action in table.legal():
            family, values = ACTIONS.decode(action)
            if family == "done":
                results.add(watered)
            else:
                dry = table.state.dry[0] >> values["cell"] & 1
                twin = table.clone()
                twin.play(action)
                go(twin, watered | {values["cell"]} if dry else watered)

    table = scene.table.clone()
    table.play(f"waterer(cell={cell})")
    go(table, frozenset())
    return results


def random_patio(random, works):
    """Some beautiful and some dry cards round a free cell."""
    cells = list(range(CELLS)) if works else list(INNER_CELLS)
    start = int(random.choice(cells))
    flowers = {c for c in cells if c != start and random.random() < 0.55}
    return start, flowers, {c for c in flowers if random.random() < 0.5}


def watering(tool, start, flowers, dry, works):
    scene = Scene()
    if works:
        scene.works(0)
    scene.lay(0, **{tool: start})
    names = itertools.cycle(["blue", "red", "green"])
    for c in sorted(flowers):
        scene.lay(0, dry=c in dry, **{next(names): c})
    return scene.end_round()


@pytest.mark.rules("PAT-130", "PAT-131", "PAT-135")
def test_a_cane_waters_up_to_two_adjacent_dry_cards_as_brute_force_finds():
    random = np.random.default_rng(3)
    for trial in range(25):
        start, flowers, dry = random_patio(random, trial % 2)
        scene = watering("cane", start, flowers, dry, trial % 2)
        near = {c for c in dry if int(NEXT_TO[start]) >> c & 1}
        if not near:
            assert scene.phase != Phase.WATER
            continue
        assert scene.options("waterer") == [start]
        assert scene.can_stop()
        expected = {frozenset(sub) for size in (1, 2) for sub in itertools.combinations(near, size)}
        assert watered_sets(scene, start) == expected


@pytest.mark.rules("PAT-132", "PAT-062")
def test_a_hose_waters_a_connected_group_of_up_to_three_as_brute_force_finds():
    random = np.random.default_rng(4)
    reached = 0
    for trial in range(25):
        start, flowers, dry = random_patio(random, trial % 2)
        scene = watering("hose", start, flowers, dry, trial % 2)
        expected = {group & dry for group in groups(start, flowers, dry, 3)}
        if not expected:
            assert scene.phase != Phase.WATER
            continue
        reached += 1
        assert scene.options("waterer") == [start]
        assert watered_sets(scene, start) == expected
    assert reached > 10


@pytest.mark.rules("PAT-132")
def test_a_link_counts_and_is_offered_only_where_a_dry_card_can_still_follow():
    scene = Scene().lay(0, hose=NW, blue=[N, NE]).lay(0, dry=True, red=E).end_round().do("waterer", NW)
    assert scene.options("water_target") == [N]
    assert not scene.can_stop()
    scene.do("water_target", N)
    assert scene.options("water_target") == [NE]
    scene.do("water_target", NE)
    assert scene.options("water_target") == [E]
    too_far = Scene().lay(0, hose=NW, blue=[N, NE, E]).lay(0, dry=True, red=SE).end_round()
    assert too_far.phase != Phase.WATER
    last = Scene().lay(0, hose=NW, blue=[W]).lay(0, dry=True, red=[N, NE]).end_round().do("waterer", NW)
    last.do("water_target", N).do("water_target", NE)
    assert last.phase != Phase.WATER_TARGET  # W would be a link to nothing


@pytest.mark.rules("PAT-131", "PAT-132", "PAT-134", "PAT-161", "PAT-192")
def test_on_the_ladder_a_cane_waters_any_two_and_the_hose_any_three():
    scene = Scene().works(0).lay(0, ladder=NW, cane=NW, hose=NW).lay(0, dry=True, red=[S, 23, 4], blue=[20, 18, 9])
    scene.end_round().do("waterer", NW).do("tool", 0)
    assert set(scene.options("water_target")) == {4, 9, 18, 20, S, 23}
    scene.do("water_target", 23).do("water_target", 4)
    assert scene.phase == Phase.WATER
    scene.do("waterer", NW)  # only the hose is left: no question
    for c in (9, 18, 20):
        scene.do("water_target", c)
    assert scene.place_of("hose") == Place.RETURNED
    assert scene.place_of("ladder") == Place.PATIO  # until its owner's cards are cleared


@pytest.mark.rules("PAT-131", "PAT-132", "PAT-161")
def test_beside_the_ladder_cane_and_hose_water_as_ever():
    scene = Scene().works(0).lay(0, ladder=S, cane=N, hose=21).lay(0, dry=True, red=[NE, 4], blue=[20, 0]).end_round()
    assert scene.options("waterer") == [N, 21]
    scene.do("waterer", N)
    assert scene.options("water_target") == [NE]
    scene.do("water_target", NE).do("waterer", 21)
    assert scene.options("water_target") == [20]


@pytest.mark.rules("PAT-133", "PAT-134")
def test_the_watering_can_turns_up_every_dry_balcony():
    scene = Scene().lay(0, can=N).lay(0, dry=True, b01=S, b02=SW, red=E).end_round()
    assert scene.options("waterer") == [N]
    scene.do("waterer", N)
    s = scene.state
    assert s.round == 1  # the red pot was lost, the balconies were scored and left
    assert s.loose[0] == 0
    useless = Scene().lay(0, can=N).lay(0, dry=True, red=E).end_round()
    assert (useless.phase, useless.options("waterer"), useless.can_stop()) == (Phase.WATER, [], True)


@pytest.mark.rules("PAT-130", "PAT-135")
def test_waterers_are_used_one_after_another_until_the_player_stops():
    scene = Scene().lay(0, cane=[N, S]).lay(0, dry=True, red=NE, blue=SE).end_round()
    scene.do("waterer", N).do("water_target", NE)
    assert scene.options("waterer") == [S]
    scene.do("done")
    assert scene.state.loose[0] == 1
