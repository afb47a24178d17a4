"""Patios: scoring, the next round, improvements, the end of the game, variants (sections 14 to 18 of RULES.md)."""

import itertools

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.patios import GAME
from alarife.games.patios.advice import points_with_tub
from alarife.games.patios.components import BALCONY_CARDS, INNER_CELLS, Phase, Place, Window
from alarife.games.patios.rules.carrying import move_inwards
from alarife.games.patios.rules.end import trio_points
from games.patios.positions import KIND, NE, NW, SE, SW, E, N, S, Scene, W

OUTER = [c for c in range(24) if c not in INNER_CELLS]


# --- 14. scoring ------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-120", "PAT-061")
def test_at_the_end_of_a_round_all_water_then_dry_cards_go_even_under_an_awning():
    scene = Scene().lay(0, awning=S, cane=N).lay(0, dry=True, red=[NE, SE]).lay(1, dry=True, b01=N).end_round()
    assert (scene.seat, scene.phase) == (0, Phase.WATER)
    scene.do("waterer", N).do("water_target", NE)
    assert scene.state.loose[0] == 1
    assert scene.state.loose[1] == 0
    assert scene.patio(1) == {}
    assert (scene.patio(0), scene.options("keep_up")) == ({S: "awning", NE: "red"}, [NE])


@pytest.mark.rules("PAT-121")
def test_a_beautiful_tub_counts_as_one_pot_of_a_named_colour_for_trio_and_balcony():
    scene = Scene().lay(0, blue=[N, NE], red=E, b07=S, tub=W)
    # b07 asks for two blue and two red: with a red Tub it is met (4) and the pots bring 2 + 2.
    red = Scene().lay(0, blue=[N, NE], red=E, b07=S, tub=W).end_round()
    assert (red.phase, red.options("tub_colour")) == (Phase.TUB_COLOUR, [0, 1, 2])
    red.do("tub_colour", 1)
    assert (list(red.state.trio[0]), red.state.loose[0]) == ([0, 0, 0], 8)
    blue = scene.end_round().do("tub_colour", 0)
    assert (list(blue.state.trio[0]), blue.state.loose[0]) == ([1, 0, 0], 1)


@pytest.mark.rules("PAT-121", "PAT-122")
def test_the_tub_counts_for_its_owner_only_whatever_colour_he_named():
    scene = Scene(3).lay(0, tub=N, blue=S).lay(1, blue=[N, NE]).lay(2, blue=[N, NE]).end_round()
    scene.do("tub_colour", 0)
    assert list(scene.state.loose[:3]) == [2, 2, 2]
    assert not scene.state.trio.any()


@pytest.mark.rules("PAT-120", "PAT-121", "PAT-125")
def test_patios_are_scored_in_order_from_the_ender():
    scene = Scene(3).active(1).works(0, 2).lay(1, tub=N)
    for p in (0, 2):
        scene.lay(p, blue=[N, NE, E], red=[W, SW, S])
    scene.end_round()
    assert (scene.seat, scene.phase) == (1, Phase.TUB_COLOUR)
    scene.do("tub_colour", 2)
    assert (scene.seat, scene.phase, scene.options("break_trio")) == (2, Phase.BREAK_TRIO, [0, 1])
    assert list(scene.state.trio[0]) == [0, 0, 0]  # not yet scored
    scene.do("break_trio", 1)
    assert (scene.seat, scene.phase) == (0, Phase.BREAK_TRIO)


@pytest.mark.rules("PAT-122", "PAT-123")
@pytest.mark.parametrize(("pots", "token", "loose"), [(1, 0, 1), (2, 0, 2), (3, 1, 0), (4, 1, 2), (6, 1, 6), (7, 1, 8)])
def test_three_pots_make_one_trio_and_each_further_one_two_points(pots, token, loose):
    scene = Scene().lay(0, green=INNER_CELLS[:pots]).end_round()
    assert (list(scene.state.trio[0]), scene.state.loose[0]) == ([0, 0, token], loose)


@pytest.mark.rules("PAT-124", "PAT-010")
def test_met_balconies_give_their_worth_and_share_pots():
    scene = Scene().lay(0, blue=[N, NE], red=E, b04=S, b10=SW, b11=W, b01=SE).end_round()
    # b04 (2 blue, 1 red) is met; b10 wants green; b11 wants four of a colour; b01 wants three of one beside a blue.
    assert scene.state.loose[0] == 2 + 1 + 3


@pytest.mark.rules("PAT-223", "PAT-122", "PAT-123", "PAT-124", "PAT-125")
def test_the_scoring_example_of_the_rulebook():
    scene = Scene().works(0).lay(0, blue=[0, 1], red=[2, 3, 4, 5], green=[6, 7, 8], b04=9).end_round()
    assert list(scene.state.trio[0]) == [0, 1, 1]
    assert scene.state.loose[0] == 5


@pytest.mark.rules("PAT-125")
@pytest.mark.parametrize(("tokens", "loose", "after", "left"), [
    ((0, 0, 0), 3, (0, 0, 0), 1),
    ((0, 0, 0), 1, (0, 0, 0), 0),
    ((0, 0, 0), 0, (0, 0, 0), 0),
    ((0, 2, 0), 0, (0, 1, 0), 1),
    ((0, 2, 0), 1, (0, 1, 0), 2),
    ((0, 2, 0), 2, (0, 2, 0), 0),  # exactly two: no token is touched
    ((1, 1, 1), 2, (1, 1, 1), 0),
    ((1, 0, 0), 3, (1, 0, 0), 1),
])  # fmt: skip
def test_works_cost_two_points_from_loose_ones_or_a_broken_trio_token(tokens, loose, after, left):
    scene = Scene().works(0).pile(0, *tokens, loose=loose).end_round()
    assert (tuple(scene.state.trio[0]), scene.state.loose[0]) == (after, left)


@pytest.mark.rules("PAT-125")
def test_the_owner_chooses_the_colour_of_the_token_that_is_broken():
    scene = Scene().works(0).pile(0, 1, 0, 2, loose=1).end_round()
    assert (scene.seat, scene.phase, scene.options("break_trio")) == (0, Phase.BREAK_TRIO, [0, 2])
    scene.do("break_trio", 2)
    assert (list(scene.state.trio[0]), scene.state.loose[0]) == ([1, 0, 1], 2)
    fresh = Scene().works(0).lay(0, blue=[0, 1, 2]).end_round()  # the token earned just now is broken
    assert (list(fresh.state.trio[0]), fresh.state.loose[0]) == ([0, 0, 0], 1)


def final_points(pots, cards, tokens):
    """What a pile is worth after scoring, worked out by hand; every way of grouping the tokens is tried."""
    value = sum(2 * (n - 3) if n >= 3 else n for n in pots)
    for need, group in cards:
        value += sum(need) + group if any(
            all(n - asked >= (group if c == k else 0) for k, (n, asked) in enumerate(zip(pots, need, strict=True)))
            for c in range(3)
        ) else 0  # fmt: skip
    return value + grouped([t + (n >= 3) for t, n in zip(tokens, pots, strict=True)])


def grouped(tokens):
    """The best value of trio tokens over all ways to group them."""
    best = 0
    for taken in itertools.product((0, 1), repeat=3):
        if any(taken) and all(n >= t for n, t in zip(tokens, taken, strict=True)):
            rest = grouped([n - t for n, t in zip(tokens, taken, strict=True)])
            best = max(best, {1: 3, 2: 8, 3: 15}[sum(taken)] + rest)
    return best


@pytest.mark.rules("PAT-121")
def test_scores_and_the_best_colour_of_the_tub_are_those_of_brute_force():
    random = np.random.default_rng(8)
    for _ in range(40):
        pots = [int(n) for n in random.integers(0, 4, 3)]
        tokens = [int(n) for n in random.integers(0, 3, 3)]
        chosen = [int(b) for b in random.choice(11, 2, replace=False)]
        names = [name for name, n in zip(("blue", "red", "green"), pots, strict=True) for _ in range(n)]
        names += [f"b{b + 1:02d}" for b in chosen] + ["tub"]
        scores = []
        for c in range(3):
            scene = Scene().pile(0, *tokens).works(0)
            for cell, name in enumerate(names):
                scene.lay(0, **{name: cell})
            scene.state.works[0] = 0  # no cost of works here
            scene.state.trio[0] = tokens
            scene.end_round()
            advised = int(np.argmax([points_with_tub(scene.state, 0, k) for k in range(3)]))
            scene.do("tub_colour", c)
            scores.append((scene.table.scores()[0] - int(scene.state.coins[0])) // 2)
        by_hand = [final_points([n + (c == k) for k, n in enumerate(pots)], [BALCONY_CARDS[b] for b in chosen], tokens)
                   for c in range(3)]  # fmt: skip
        assert scores == by_hand
        assert by_hand[advised] == max(by_hand)


@pytest.mark.rules("PAT-126", "PAT-199")
def test_score_piles_are_secret_unless_the_option_opens_them():
    for hidden in (True, False):
        scene = Scene(hidden_scores=hidden).pile(0, 1, 0, 2, loose=9)
        scene.ready()
        mine, theirs = (GAME.features.describe(scene.table.observe(p)) for p in range(2))
        assert list(mine["trio"][0]) == [0.25, 0, 0.5]
        assert mine["loose"][0].sum() == pytest.approx(9 / 50)
        assert list(theirs["trio"][1]) == ([0, 0, 0] if hidden else [0.25, 0, 0.5])
        assert theirs["loose"][1].sum() == pytest.approx(0 if hidden else 9 / 50)


# --- 15. next round ---------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-140", "PAT-146", "PAT-164")
def test_balconies_canes_and_improvements_leave_the_patio_and_unused_ones_are_kept():
    scene = Scene().lay(0, b05=N, cane=NE, ladder=E, tub=S, awning=W).lay(0, cane=E).hold(0, "can").end_round()
    scene.do("tub_colour", 0)
    assert scene.phase == Phase.AWNING_KEEP
    scene.do("done")
    assert scene.patio(0) == {}
    assert scene.place_of("can") == Place.HAND
    assert sorted(scene.stock_names()[-3:]) == ["awning", "ladder", "tub"]
    assert scene.state.ladder_canes == 0
    assert scene.phase == Phase.TURN


@pytest.mark.rules("PAT-140", "PAT-143")
def test_patios_are_cleared_in_order_from_the_ender():
    scene = Scene(4).active(2)
    for p in range(4):
        scene.lay(p, blue=[N, NE], cane=S)
    scene.end_round()
    for done, p in enumerate((2, 3, 0, 1)):
        assert (scene.seat, scene.phase, scene.options("keep_up")) == (p, Phase.KEEP_UP, [N, NE])
        cleared = [q for q in range(4) if scene.at(q, S) is None]
        assert sorted(cleared) == sorted((2, 3, 0, 1)[:done])
        scene.do("keep_up", N).do("keep_dry", NE)
    assert [scene.patio(p) for p in range(4)] == [{N: "blue", NE: "(blue)"}] * 4
    assert (scene.seat, scene.phase) == (2, Phase.TURN)


@pytest.mark.rules("PAT-141", "PAT-142", "PAT-143")
def test_three_pots_of_a_trio_go_and_of_the_rest_one_up_and_one_dry_are_kept():
    scene = Scene().lay(0, blue=[NW, N, NE, W, E]).end_round()
    assert (scene.phase, scene.options("keep_up")) == (Phase.KEEP_UP, [NW, N, NE, W, E])
    assert scene.can_stop()
    scene.do("keep_up", NE)
    assert (scene.phase, scene.options("keep_dry")) == (Phase.KEEP_DRY, [NW, N, W, E])
    scene.do("keep_dry", W)
    assert scene.patio(0) == {NE: "blue", W: "(blue)"}
    assert scene.state.discard[0] + scene.state.deck[0] + scene.state.sample[0] == 15


@pytest.mark.rules("PAT-141", "PAT-143")
@pytest.mark.parametrize(("pots", "up", "dry"), [(1, True, False), (2, True, True), (3, False, False), (4, True, False),
                                                 (5, True, True), (7, True, True)])  # fmt: skip
def test_how_many_pots_of_a_colour_may_be_kept(pots, up, dry):
    scene = Scene().lay(0, red=INNER_CELLS[:pots]).end_round()
    assert (scene.phase == Phase.KEEP_UP) == up
    if up:
        scene.do("keep_up", INNER_CELLS[0])
        assert (scene.phase == Phase.KEEP_DRY) == dry


@pytest.mark.rules("PAT-141")
def test_a_tub_of_the_colour_is_one_of_the_three():
    # Three blue pots and a blue Tub: one pot is left; named red the Tub leaves no blue one.
    assert Scene().lay(0, blue=[N, NE, E], tub=S).end_round().do("tub_colour", 0).phase == Phase.KEEP_UP
    assert Scene().lay(0, blue=[N, NE, E], tub=S).end_round().do("tub_colour", 1).phase == Phase.TURN
    # Two blue pots make a trio with it: none is left.
    assert Scene().lay(0, blue=[N, NE], tub=S).end_round().do("tub_colour", 0).phase == Phase.TURN


@pytest.mark.rules("PAT-143")
def test_keeping_is_free_and_the_colours_come_in_order():
    scene = Scene().lay(0, blue=[N, NE], red=E, green=[S, SW]).end_round()
    assert scene.options("keep_up") == [N, NE]
    scene.do("done")  # nothing blue, and so no dry one either
    assert scene.options("keep_up") == [E]
    scene.do("keep_up", E)
    assert scene.options("keep_up") == [SW, S]
    scene.do("keep_up", S).do("done")
    assert scene.patio(0) == {E: "red", S: "green"}


@pytest.mark.rules("PAT-142")
def test_carry_over_up_only_keeps_no_dry_pot():
    scene = Scene(carry_over="up_only").lay(0, blue=[N, NE]).end_round().do("keep_up", N)
    assert scene.patio(0) == {N: "blue"}
    assert scene.phase == Phase.TURN


@pytest.mark.rules("PAT-144", "PAT-157")
def test_an_awning_saves_one_more_beautiful_card_but_not_the_tub():
    scene = Scene().lay(0, blue=[N, NE, E], b01=S, tub=W, awning=NW).end_round().do("tub_colour", 1)
    assert scene.options("awning_keep") == [N, NE, E, S]
    assert scene.can_stop()
    scene.do("awning_keep", S)
    assert scene.patio(0) == {S: "b01"}
    assert scene.place_of("awning") == Place.STOCK


@pytest.mark.rules("PAT-144")
def test_without_an_awning_of_ones_own_no_further_card_is_saved():
    scene = Scene().lay(0, blue=[N, NE, E], b01=S).lay(1, awning=N, b02=S).end_round()
    assert (scene.seat, scene.phase, scene.options("awning_keep")) == (1, Phase.AWNING_KEEP, [S])
    assert scene.patio(0) == {}


@pytest.mark.rules("PAT-144")
def test_an_awning_saves_nothing_that_is_kept_anyway():
    scene = Scene().lay(0, blue=[N, NE, E, W, S], awning=NW).end_round().do("keep_up", N).do("keep_dry", S)
    assert (scene.phase, scene.options("awning_keep")) == (Phase.AWNING_KEEP, [NE, W, E])
    scene.do("awning_keep", W)
    assert scene.patio(0) == {N: "blue", W: "blue", S: "(blue)"}


@pytest.mark.rules("PAT-145", "PAT-222")
def test_cards_in_outer_cells_move_to_the_nearest_empty_inner_cell():
    scene = Scene().works(0).lay(0, blue=[0, 23], red=[4, N], green=20).pile(0, loose=9).end_round()
    scene.do("keep_up", 0).do("keep_dry", 23)
    scene.do("keep_up", 4).do("keep_dry", N)
    scene.do("keep_up", 20)
    assert scene.state.works[0] == 0
    assert scene.patio(0) == {NW: "blue", NE: "red", N: "(red)", SW: "green", SE: "(blue)"}


@pytest.mark.rules("PAT-145")
def test_moving_inwards_agrees_with_brute_force():
    random = np.random.default_rng(5)
    rows = [(r, c) for r in range(5) for c in range(5) if (r, c) != (2, 2)]
    for _ in range(30):
        cells = sorted(int(c) for c in random.choice(24, 7, replace=False))
        scene = Scene().works(0).lay(0, blue=cells)
        expected = {c for c in cells if c in INNER_CELLS}
        for c in (c for c in cells if c in OUTER):
            free = [i for i in INNER_CELLS if i not in expected]
            best = min(free, key=lambda i, c=c: (abs(rows[i][0] - rows[c][0]) + abs(rows[i][1] - rows[c][1]), i))
            expected.add(best)
        move_inwards(scene.state, 0)
        assert set(scene.patio(0)) == expected


@pytest.mark.rules("PAT-146")
def test_improvements_given_back_at_the_end_of_a_round_are_shuffled_under_the_deck():
    orders = set()
    for seed in range(30):
        scene = Scene(seed=seed).lay(0, hose=N, awning=S, can=W).lay(1, dry=True, tub=E)
        before = scene.stock_names()
        scene.end_round()
        while scene.state.turns > 1 or scene.phase != Phase.TURN:
            scene.table.play(scene.table.legal()[-1])
        names = scene.stock_names()
        assert names[: len(before)] == before
        assert sorted(names[len(before) :]) == ["awning", "can", "hose", "tub"]
        orders.add(tuple(names))
    assert len(orders) > 8


@pytest.mark.rules("PAT-147", "PAT-108")
def test_two_coins_buy_a_pot_or_balcony_of_the_sample_in_order_and_as_often_as_one_can_pay():
    scene = Scene(3).coins(4, 1, 0).sample("blue", "red", "cane", "b03", "b05").end_round()
    for name in ("blue", "red", "cane", "b03", "b05"):
        assert scene.count(name) == (1 if name != "blue" or scene.count("blue") else 0)
    assert scene.phase == Phase.BUY
    assert scene.options("kind") == [0, 1, KIND["b03"], KIND["b05"]]
    scene.take("b03").do("place", N)
    assert list(scene.state.coins[:3]) == [2, 1, 0]
    assert scene.state.reserve == 2
    assert scene.state.sampled == 4  # not refilled in between
    scene.take("red").do("place", E)
    assert scene.patio(0) == {N: "b03", E: "red"}
    assert scene.phase == Phase.TURN
    assert scene.state.sampled == 5
    declined = Scene(3).coins(2, 2, 1).sample("blue", "red", "red", "red", "red").end_round().do("done")
    assert (declined.seat, declined.phase) == (1, Phase.BUY)


@pytest.mark.rules("PAT-147", "PAT-040")
def test_every_buyer_gets_his_card_beautiful_in_order_from_the_ender():
    scene = Scene(3).active(1).coins(2, 0, 2).sample("blue", "red", "green", "b03", "b05").end_round()
    assert (scene.seat, scene.phase) == (2, Phase.BUY)
    scene.take("b05").do("place", N)
    assert (scene.seat, scene.phase) == (0, Phase.BUY)
    assert scene.options("kind") == [0, 1, 2, KIND["b03"]]
    scene.take("green").do("place", E)
    assert [scene.patio(p) for p in range(3)] == [{E: "green"}, {}, {N: "b05"}]
    assert (scene.seat, scene.phase, scene.state.reserve) == (1, Phase.TURN, 5)


@pytest.mark.rules("PAT-149", "PAT-147")
def test_what_was_bought_is_replaced_before_the_first_turn_of_the_round():
    scene = Scene(4).coins(2, 2, 0, 0).sample(*["blue"] * 7).end_round()
    scene.take("blue").do("place", N)
    assert (scene.seat, scene.state.sampled) == (1, 6)
    scene.take("blue").do("place", N)
    assert (scene.phase, scene.state.sampled, scene.state.turns) == (Phase.TURN, 7, 1)


@pytest.mark.rules("PAT-147", "PAT-043")
def test_a_bought_card_for_a_full_patio_starts_works_for_the_new_round():
    scene = Scene().coins(2, 0).sample("blue", "blue", "blue", "blue").end_round()
    scene.lay(0, red=INNER_CELLS).take("blue")
    assert scene.state.works[0] == 1
    scene.do("place", 0)
    assert (scene.phase, scene.state.works[0]) == (Phase.TURN, 1)


@pytest.mark.rules("PAT-148", "PAT-149")
def test_a_new_row_is_laid_out_and_the_sample_refilled():
    scene = Scene(4).sample("blue").end_round()
    s = scene.state
    assert [int(s.face_up[s.row[k]]) for k in range(9)] == [1] * 4 + [0] * 4 + [1]
    assert scene.names_of_row()[-1] == "visitors"
    assert s.sampled == 7
    assert scene.seat == 0
    scene.table.check()


# --- 16. improvements ---------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-155")
def test_unused_improvements_are_known_to_owner_and_giver():
    scene = Scene(3).coins(0, 1, 0).stock("hose", "tub").call("neighbour").do("offer", 1).do("keep_improvement", 3)
    views = [GAME.features.describe(scene.table.observe(p))["known"] for p in range(3)]
    assert views[0][0, 3] == 1
    assert views[0][1, 6] == 1
    assert views[1][0, 6] == 1
    assert views[1].sum() == 1
    assert views[2].sum() == 0


@pytest.mark.rules("PAT-156")
def test_an_improvement_without_a_place_cannot_be_played():
    full = {"red": [NW, N, NE], "blue": [W, E, SW, S]}
    scene = Scene().lay(0, **full, cane=SE).hold(0, "awning", "hose", "ladder", "can")
    assert scene.options("play_improvement") == [4]  # the ladder may share the cell of the cane
    scene.do("play_improvement", 4)
    assert scene.options("place") == [SE]
    scene.do("place", SE)
    assert scene.options("play_improvement") == [3]  # now the hose may lie on the ladder
    dry = Scene().lay(0, **full).lay(0, dry=True, b03=SE).hold(0, "can")
    assert dry.options("play_improvement") == [5]
    pot = Scene().lay(0, **full).lay(0, dry=True, green=SE).hold(0, "can")
    assert pot.options("play_improvement") == []


@pytest.mark.rules("PAT-158")
def test_the_guitarist_moves_visitors_up_to_two_places_and_brings_a_coin():
    names = ["red", "green", "visitors", "blue", "water", "sun", "assistant", "children", "neighbour"]
    expected = {
        1: ["red", "visitors", "green", "blue", "water", "sun", "assistant", "children", "neighbour"],
        2: names,
        3: ["red", "green", "blue", "visitors", "water", "sun", "assistant", "children", "neighbour"],
        4: ["red", "green", "blue", "water", "visitors", "sun", "assistant", "children", "neighbour"],
    }
    for move, row in expected.items():
        scene = Scene().hold(0, "guitarist").row(*names).coins(1, 2).do("play_improvement", 1)
        assert scene.options("guitar_move") == [0, 1, 2, 3, 4]
        scene.do("guitar_move", move)
        assert scene.names_of_row() == row
        assert (scene.state.coins[0], scene.state.reserve) == (2, 1)
        assert scene.phase == Phase.TURN
    last = Scene().hold(0, "guitarist").coins(2, 3).do("play_improvement", 1)
    assert last.options("guitar_move") == [0, 1, 2]  # Visitors are last
    assert last.state.coins[0] == 2  # the reserve is empty


@pytest.mark.rules("PAT-158")
def test_two_forward_from_the_third_place_ends_the_round():
    scene = Scene().hold(0, "guitarist").coins(1, 1)
    scene.row("red", "green", "visitors", "blue", "water", "sun", "assistant", "children", "neighbour")
    scene.do("play_improvement", 1).do("guitar_move", 0)
    assert scene.state.round == 1


@pytest.mark.rules("PAT-159", "PAT-183")
def test_the_dancer_turns_all_characters_up_and_d_down_again_and_the_chosen_one_stays():
    scene = Scene().hold(0, "flamenco").coins(1, 1).deck("cane", "red", "red", "red", "red")
    scene.row("red", "green", "blue", "water", "children", "sun", "assistant", "neighbour", "visitors",
              down=["children", "sun", "assistant", "neighbour"])  # fmt: skip
    scene.do("play_improvement", 2)
    assert scene.state.coins[0] == 2
    assert scene.stock_names()[-1] == "flamenco"
    assert scene.options("character") == list(range(8))
    scene.call("sun").do("sun_direction", 0)
    assert (scene.phase, scene.options("flamenco_down")) == (Phase.FLAMENCO_DOWN, list(range(8)))
    assert len(scene.table.legal()) == 8  # Visitors are none of them
    before = scene.names_of_row()
    for a in (6, 0, 1, 2):
        scene.do("flamenco_down", a)
    assert scene.names_of_row() == before
    assert scene.face_down() == ["red", "green", "blue", "sun"]
    assert (scene.seat, scene.phase, scene.state.sampled) == (1, Phase.TURN, 4)
    scene.table.check()


@pytest.mark.rules("PAT-160", "PAT-161")
def test_hose_and_ladder_may_share_a_cell_in_either_order():
    first = Scene().lay(0, hose=N).hold(0, "ladder").second_window().do("play_improvement", 4)
    assert first.options("place") == INNER_CELLS
    first.do("place", N)
    assert first.at(0, N) == "ladder"
    assert first.state.spot[3] == N
    second = Scene().lay(0, ladder=N).hold(0, "hose").second_window().do("play_improvement", 3)
    assert second.options("place") == INNER_CELLS
    second.do("place", N)
    assert second.at(0, N) == "ladder"
    theirs = Scene().lay(1, ladder=N).hold(0, "hose").lay(0, red=N).second_window().do("play_improvement", 3)
    assert N not in theirs.options("place")
    for scene in (first, second):
        scene.state.phase, scene.state.window, scene.state.character = Phase.WINDOW, Window.SECOND, 5
        scene.check()


@pytest.mark.rules("PAT-162")
def test_the_watering_can_waters_one_dry_balcony_at_once_or_is_placed():
    scene = Scene().lay(0, dry=True, b01=N, b02=S, red=E).hold(0, "can").second_window().do("play_improvement", 5)
    assert scene.options("water_target") == [N, S]
    assert scene.options("place") == [NW, NE, W, SW, SE]
    scene.do("water_target", S)
    assert scene.patio(0) == {N: "(b01)", S: "b02", E: "(red)"}
    assert scene.stock_names()[-1] == "can"
    placed = Scene().hold(0, "can").second_window().do("play_improvement", 5).do("place", W)
    assert placed.patio(0) == {W: "can"}


@pytest.mark.rules("PAT-163", "PAT-043")
def test_the_tub_is_placed_like_a_pot_and_may_start_works():
    scene = Scene().lay(0, red=INNER_CELLS).hold(0, "tub").second_window().do("play_improvement", 6)
    assert scene.state.works[0] == 1
    scene.do("place", 3)
    assert scene.at(0, 3) == "tub"


@pytest.mark.rules("PAT-164")
def test_an_improvement_that_leaves_during_the_round_goes_alone_under_the_deck():
    scene = Scene().lay(1, red=N, hose=NE).sun("N").do("waterer", NE)
    assert scene.stock_names()[-1] == "hose"
    assert len(scene.stock_names()) == 7


# --- 17. end of the game ----------------------------------------------------------------------------------


@pytest.mark.rules("PAT-170", "PAT-181")
@pytest.mark.parametrize(("options", "rounds"), [({}, 3), ({"may_has_31_days": True}, 4)])
def test_the_game_ends_after_three_rounds_or_four_in_may(options, rounds):
    scene = Scene(**options)
    scene.state.round = rounds - 2
    scene.end_round()
    assert not scene.table.over
    scene.state.turn_of = 0
    scene.end_round()
    assert scene.table.over
    assert scene.state.round == rounds


@pytest.mark.rules("PAT-171", "PAT-224")
def test_trio_tokens_are_grouped_in_the_best_way():
    assert [trio_points(2, 1, 1), trio_points(2, 2, 1), trio_points(3, 0, 0)] == [18, 23, 9]
    for tokens in itertools.product(range(4), repeat=3):
        assert trio_points(*tokens) == grouped(tokens)


@pytest.mark.rules("PAT-172", "PAT-173")
def test_final_scores_count_half_points():
    scene = Scene().pile(0, 1, 1, 1, loose=4).coins(3, 1).hold(0, "tub", "hose")
    assert scene.table.scores() == [2 * (15 + 4) + 3, 1]


@pytest.mark.rules("PAT-174")
def test_most_points_win_and_ties_share_the_win():
    scene = Scene(3).coins(1, 1, 1).pile(0, loose=4).pile(1, loose=4).pile(2, loose=3)
    assert scene.table.places() == [1, 1, 3]


@pytest.mark.rules("PAT-174", "PAT-172")
def test_neither_coins_nor_points_break_a_tie():
    scene = Scene(3).coins(0, 4, 1).pile(0, loose=5).pile(1, loose=3).pile(2, loose=4)
    assert scene.table.scores() == [10, 10, 9]
    assert scene.table.places() == [1, 1, 3]


# --- 18. variants -------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-074", "PAT-180")
def test_in_monument_to_memory_an_owner_does_not_see_his_dry_cards():
    scene = Scene(monument_to_memory=True).lay(0, dry=True, blue=N)
    view = GAME.features.describe(scene.table.observe(0))["cells"]
    assert list(view[0, N]) == [0, 0, 0, 0, -1, 0]
    assert [("7:(B)" in scene.table.text(seat), "7:(?)" in scene.table.text(seat)) for seat in (0, 1)] == [
        (False, True)
    ] * 2
    swapped = Scene(monument_to_memory=True).deck("cane").lay(0, dry=True, blue=N).lay(1, dry=True, red=E)
    swapped.call("children").do("place", NW).do("swap_own", N).do("swap_player", 0).do("swap_their", E)
    mine, theirs = (GAME.features.describe(swapped.table.observe(p))["cells"] for p in range(2))
    assert mine[0, N, 1] == 1  # received in a swap: seen once
    assert theirs[0, E, 0] == 1
    swapped.sun("SW")  # player 1 has decided something: the moment is over
    theirs = GAME.features.describe(swapped.table.observe(1))["cells"]
    assert not theirs[0, E, :4].any()


@pytest.mark.rules("PAT-184", "PAT-180")
def test_in_monument_to_memory_a_watering_can_may_be_tried_in_vain():
    full = {"red": [NW, N, NE], "blue": [W, E, SW, S]}
    scene = Scene(monument_to_memory=True).lay(0, **full).lay(0, dry=True, green=SE).hold(0, "can").second_window()
    assert scene.options("play_improvement") == [5]
    scene.do("play_improvement", 5)
    assert scene.stock_names()[-1] == "can"
    assert scene.at(0, SE) == "(green)"
    tub = Scene(monument_to_memory=True).lay(0, **full).lay(0, dry=True, tub=SE).hold(0, "can").second_window()
    assert tub.options("play_improvement") == []
    looking = Scene(monument_to_memory=True).lay(0, dry=True, green=SE, b03=N).hold(0, "can").second_window()
    looking.do("play_improvement", 5)
    view = GAME.features.describe(looking.table.observe(0))["cells"]
    assert (view[0, SE, 2], view[0, N, 3]) == (1, 1)  # while he plays it he sees all his dry cards
    assert looking.options("water_target") == [N]


@pytest.mark.rules("PAT-133", "PAT-184")
def test_in_monument_to_memory_the_can_is_offered_for_any_dry_card_in_watering_and_defence():
    scene = Scene(monument_to_memory=True).lay(0, can=S).lay(0, dry=True, green=N).end_round()
    assert scene.options("waterer") == [S]
    scene.do("waterer", S)
    assert scene.state.round == 1
    for thing, asked in (("green", [S]), ("b03", [S])):
        hit = Scene(monument_to_memory=True).lay(1, can=S).lay(1, dry=True, **{thing: N}).sun("N")
        assert hit.options("waterer") == asked
        hit.do("waterer", S)
        assert hit.patio(1) == ({} if thing == "green" else {N: "(b03)"})
        assert hit.stock_names()[-1] == "can"


@pytest.mark.rules("PAT-182", "PAT-185")
def test_in_not_a_nitpicker_end_three_trio_tokens_of_one_round_win_at_once():
    trios = {"blue": [0, 1, 2], "red": [3, 4, 5], "green": [6, 7]}
    scene = Scene(3, not_a_nitpicker_end=True).works(0, 1).lay(0, **trios, tub=8)
    scene.lay(1, blue=[0, 1, 2], red=[3, 4, 5], green=[6, 7, 8]).pile(2, 4, 4, 4, loose=100).end_round()
    scene.do("tub_colour", 2)
    while not scene.table.over:
        scene.table.play(scene.table.legal()[0])  # which token is broken for the works
    assert scene.table.places() == [1, 1, 3]
    assert list(scene.state.champion[:3]) == [1, 1, 0]
    off = Scene(3).lay(0, **trios, tub=8).works(0).pile(0, loose=5).end_round().do("tub_colour", 2)
    assert not off.table.over


@pytest.mark.rules("PAT-182", "PAT-174")
def test_in_not_a_nitpicker_end_all_who_win_at_once_share_the_win_whatever_their_points():
    trios = {"blue": [NW, N, NE], "red": [0, 1, 2], "green": [20, 21, 22]}
    scene = Scene(4, not_a_nitpicker_end=True).works(0, 2).pile(0, loose=2).pile(2, loose=40)
    scene.lay(0, **trios).lay(2, **trios).pile(1, loose=90).pile(3, loose=60).end_round()
    assert scene.table.over
    # 15 points each for the tokens; 2 are paid for works; half a point for the coin.
    assert scene.table.scores() == [2 * 15 + 1, 2 * 90 + 1, 2 * 53 + 1, 2 * 60 + 1]
    assert scene.table.places() == [1, 3, 1, 4]
    assert "player_0 and player_2 have won" in scene.table.text()


@pytest.mark.rules("PAT-182")
def test_in_not_a_nitpicker_end_tokens_of_different_rounds_do_not_win_at_once():
    scene = Scene(not_a_nitpicker_end=True).pile(0, 1, 1, 0).lay(0, green=[N, NE, E]).end_round()
    assert list(scene.state.trio[0]) == [1, 1, 1]
    assert (scene.table.over, scene.state.round) == (False, 1)


@pytest.mark.rules("PAT-183")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_playground_has_neither_neighbour_nor_improvements(players):
    for seed in range(10):
        table = Table(GAME, players, {"playground": True}, seed=seed, interpreted=True)
        while table.state.turns == 0:
            table.play(table.legal()[0])
        s = table.state
        row = [int(a) for a in s.row[: s.row_size]]
        assert (len(row), row[7], 7 in row) == (8, 8, False)
        assert [int(s.face_up[a]) for a in row] == [1, 1, 1, 1, 0, 0, 0, 1]
        assert (s.stock_size, list(s.coins[:players])) == (0, [1] * players)
        table.check()
