"""Lisboa: change of period, end, final scoring, rank, decisions, tables and options, view (sections 19 to 27)."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import OptionError
from alarife.games.lisboa import GAME
from alarife.games.lisboa.components import NONE, RANK_NAMES, Step
from alarife.games.lisboa.rules import end, periods, turn
from alarife.games.lisboa.tables import SHIPPED, shipped
from alarife.games.lisboa.words import summary
from games.lisboa.positions import (
    BUILDER_4_REIS,
    EVENT_STORE,
    GOLD,
    KING_2_WIGS,
    KING_LOSES_2_REIS,
    H,
    L,
    begun,
    decide,
    do,
    fresh,
    give_hand,
    give_ship,
    own_cubes,
    phase,
    put_store,
)

rules = pytest.mark.rules


def empty_decks(s, *decks):
    """These display decks have run out."""
    for d in decks:
        for card in [s.deck_top[d], *(s.deck[d, i] for i in range(s.deck_size[d]))]:
            if card != NONE:
                s.card_gone[card] = 1
        s.deck_top[d], s.deck_size[d] = NONE, 0


def end_turn(s):
    """The checks at the end of a turn, without the next turn."""
    s.depth, s.phase = 0, NONE
    periods.end_turn(s)


def second_period(turn_of=H):
    s = begun().state
    s.period, s.turn_of = 2, turn_of
    return s


# --- 19. change of period ---------------------------------------------------------------------------


@rules("LIS-237", "LIS-238")
@pytest.mark.parametrize("turn_of", [H, L])
@pytest.mark.parametrize(
    ("cubes", "decks", "changes"),
    [((1, 5, 5), (), False), ((2, 2, 2), (), True), ((0, 0, 0), (0, 2), False), ((0, 0, 0), (0, 1, 3), True)],
)
def test_period_1_ends_with_the_second_set_or_three_empty_decks(turn_of, cubes, decks, changes):
    s = begun().state
    s.turn_of = turn_of
    own_cubes(s, H, *cubes)
    empty_decks(s, *decks)
    end_turn(s)
    assert (s.depth > 1) == changes
    assert (s.waiting[0, 0], s.waiting[0, 1]) == (Step.BEGIN_TURN, 1 - turn_of)


@rules("LIS-239", "LIS-240", "LIS-241", "LIS-242")
def test_the_display_goes_rubble_scores_and_new_ships_come():
    s = begun().state
    own_cubes(s, H, 3, 2, 2)
    own_cubes(s, L, 4, 1, 2)
    give_ship(s, L, 0)
    end_turn(s)
    assert list(s.deck_top) == [NONE] * 4
    assert list(s.wigs) == [2 * 3, 7]
    assert list(s.ship_place) == [L, NONE, 2, 2]


def change(table):
    """The change of period, up to H's discards."""
    s = table.state
    own_cubes(s, H, 2, 2, 2)
    end_turn(s)
    turn.proceed(s)
    return table.refresh()


@rules("LIS-243", "LIS-244", "LIS-283")
def test_the_first_discarded_card_of_each_noble_pays_its_reward():
    table = begun()
    s = table.state
    give_hand(s, BUILDER_4_REIS, 3, KING_LOSES_2_REIS, KING_2_WIGS, EVENT_STORE)
    change(table)
    assert phase(table) == Step.HAND_DISCARD
    wigs = s.wigs[H]
    do(table, "hand_discard(slot=0)")
    assert s.reis == 14
    do(table, "hand_discard(slot=0)")  # the other Builder, 2 reis
    assert s.reis == 14
    do(table, "hand_discard(slot=0)")  # a penalty
    assert s.reis == 14
    do(table, "hand_discard(slot=0)")  # still the first King with a reward
    assert s.wigs[H] == wigs + 2
    do(table, "hand_discard(slot=0)")
    assert s.reis == 14
    assert phase(table) != Step.HAND_DISCARD


@rules("LIS-245", "LIS-246", "LIS-249", "LIS-298")
def test_h_draws_purple_cards_and_the_brown_deck_is_laid_out():
    table = begun()
    s = table.state
    kept = s.hand[4]
    change(table)
    do(table, *["hand_discard(slot=0)"])
    while phase(table) != Step.HAND_DISCARD:
        table.play(table.legal()[0])
    while s.hand_size > 1:
        table.play("hand_discard(slot=0)" if phase(table) == Step.HAND_DISCARD else table.legal()[0])
    while phase(table) != Step.HAND_DISCARD:
        table.play(table.legal()[0])
    do(table, "stop()")
    assert s.period == 2
    assert s.hand_size == 5
    assert s.hand[0] == kept
    assert all(41 <= s.hand[i] < 62 for i in range(1, 5))
    assert all(s.card_gone[i] for i in range(41, 62) if i not in list(s.hand))
    for d in range(4):
        cards = [s.deck_top[d], *(s.deck[d, i] for i in range(s.deck_size[d]))]
        assert all(62 <= card < 82 and s.tables.card_kind[card] == d for card in cards if card != NONE)
    assert (s.log.round, s.round, s.turn_of) == (1, 2, H)  # Lacerda's turn came next, in period 2


@rules("LIS-247", "LIS-248")
def test_everything_else_stays_as_it_is():
    table = begun()
    s = table.state
    s.treasury, s.cardinal, s.helper, s.courtier = 5, 4, 2, 1
    s.price[GOLD] = 3
    own_cubes(s, H, 2, 2, 2)
    end_turn(s)
    periods.new_period(s)
    assert (s.treasury, s.cardinal, s.helper, s.courtier, s.price[GOLD]) == (5, 4, 2, 1, 3)
    assert NONE not in list(s.church_slot)
    assert 0 not in list(s.decree_display)


# --- 20. end ----------------------------------------------------------------------------------------


@rules("LIS-250", "LIS-251", "LIS-252", "LIS-253")
@pytest.mark.parametrize(("turn_of", "turns"), [(H, 3), (L, 2)])
@pytest.mark.parametrize("cause", ["sets", "decks"])
def test_the_round_is_finished_and_one_more_is_played(turn_of, turns, cause):
    s = second_period(turn_of)
    own_cubes(s, H, 3, 3, 3)
    end_turn(s)
    assert s.final_turns == 0
    if cause == "sets":
        own_cubes(s, H, 4, 4, 4)
    else:
        empty_decks(s, 0, 1, 2)
    end_turn(s)
    assert s.final_turns == turns
    played = 0
    while not s.over:
        s.turn_of = 1 - s.turn_of
        end_turn(s)
        played += 1
    assert played == turns
    assert s.turn_of == L


@rules("LIS-254")
def test_the_end_of_period_2_pays_nothing_but_the_final_scoring():
    s = second_period(L)
    s.final_turns = 1
    expected = [int(s.wigs[side]) + end.final_wigs(s, side) for side in range(2)]
    end_turn(s)
    assert s.over
    assert list(s.wigs) == expected


# --- 21. final scoring ------------------------------------------------------------------------------


def bare():
    """Nothing to score for either side."""
    s = second_period()
    own_cubes(s, H, 0, 0, 0)
    own_cubes(s, L, 0, 0, 0)
    s.reis = s.influence[H] = s.influence[L] = s.lacerda_plans_held = 0
    assert (end.final_wigs(s, H), end.final_wigs(s, L)) == (0, 0)
    return s


@rules("LIS-255", "LIS-265")
def test_ships_score_their_size():
    s = bare()
    give_ship(s, H, 2)
    give_ship(s, H, 0)
    give_ship(s, L, 3)
    s.ship_at_sea[2] = 1
    assert (end.final_wigs(s, H), end.final_wigs(s, L)) == (4, 4)


@rules("LIS-256", "LIS-266")
def test_rubble_scores_by_sets_for_h_and_by_cubes_for_lacerda():
    s = bare()
    own_cubes(s, H, 2, 3, 4)
    own_cubes(s, L, 2, 3, 4)
    assert (end.final_wigs(s, H), end.final_wigs(s, L)) == (6, 9)


@rules("LIS-257", "LIS-258", "LIS-267")
def test_worked_example_7_majorities_of_stores():
    assert end.share(3, 3, 9, 6) == 7
    assert end.share(2, 0, 9, 6) == 9
    assert end.share(0, 2, 9, 6) == 0
    assert end.share(1, 2, 9, 6) == 6
    s = bare()
    for k in range(4):
        s.scoring_tile[k] = (0, 3, 1, 2)[k]  # 9/6, 3/2, 9/6, 6/3
    for owner, space, street in ((H, 0, 0), (H, 1, 0), (L, 5, 0), (L, 2, 1), (H, 3, 2), (L, 8, 2), (H, 4, 3)):
        put_store(s, owner, space, street)
    assert end.final_wigs(s, H) == 9 + 0 + 7 + 6
    assert end.final_wigs(s, L) == 6 + 3 + 7 + 0


@rules("LIS-259", "LIS-260", "LIS-268")
def test_money_and_up_to_six_influence_score_for_h_only():
    for reis, influence, wigs in ((4, 0, 0), (5, 0, 1), (4, 1, 1), (14, 10, 4), (0, 4, 0)):
        s = bare()
        s.reis, s.influence[H], s.influence[L] = reis, influence, 10
        assert (end.final_wigs(s, H), end.final_wigs(s, L)) == (wigs, 0)


@rules("LIS-261", "LIS-269")
def test_decrees_pay_h_as_printed_and_lacerda_three_each():
    s = bare()
    s.reis = 15
    for decree, side in ((58, H), (57, L), (3, L)):  # 3 wigs from 15 reis
        s.decree_owner[decree] = side
        s.decrees_held[side] += 1
    assert end.final_wigs(s, H) == 3 + 3
    assert end.final_wigs(s, L) == 6


@rules("LIS-262", "LIS-263", "LIS-270")
def test_officials_hired_against_those_on_lacerda_s_plans():
    for hired, plans, wigs in ((3, (6, 10), (10, 10)), (4, (6, 10), (15, 5)), (0, (6,), (0, 15)), (2, (), (15, 0)),
                               (1, (0, 12), (5, 15))):  # fmt: skip
        s = bare()
        s.hired = hired
        for i, plan in enumerate(plans):
            s.lacerda_plans[i] = plan
        s.lacerda_plans_held = len(plans)
        assert (end.final_wigs(s, H), end.final_wigs(s, L)) == wigs


@rules("LIS-264", "LIS-271")
def test_royal_favors_score_two():
    s = bare()
    s.favor[H, 0] = s.favor[H, 2] = s.favor[L, 1] = 1
    assert (end.final_wigs(s, H), end.final_wigs(s, L)) == (4, 2)


@rules("LIS-272", "LIS-279")
def test_the_result_is_wigs_held_and_scored_and_the_rank():
    table = begun()
    s = table.state
    s.wigs[H], s.wigs[L] = 30, 20
    result = table.result()
    assert result.score[0] == 30 + end.final_wigs(s, H)
    assert result.rival == 20 + end.final_wigs(s, L)
    assert (result.places, result.place[0], result.won) == (4, 4, 0)


# --- 22. rank ---------------------------------------------------------------------------------------


def standing(stores=8, others=0, majorities=3, reis=20, decrees=8, ships=2, human=100, lacerda=99):
    """The rank with so much of everything; `others` are Lacerda's stores, on the streets that H has not."""
    s = second_period()
    s.houses[H], s.houses[L] = 8 - stores, 8 - others
    for k in range(majorities):
        s.store_owner[k], s.store_street[k] = H, k
    s.reis, s.decrees_held[H] = reis, decrees
    for ship in range(4):
        s.ship_place[ship] = H if ship < ships else NONE
    return end.rank_of(s, human, lacerda)


@rules("LIS-273", "LIS-277", "LIS-278")
def test_marquis_right_hand_needs_everything():
    assert RANK_NAMES == ("Jester", "Court Servant", "King's Favorite", "Marquis' Right Hand")
    assert standing() == 3
    assert standing(majorities=2) == standing(reis=19) == standing(decrees=7) == standing(ships=1) == 2
    assert standing(stores=5, others=5) == 2
    assert standing(stores=4) == 3


@rules("LIS-276", "LIS-278")
def test_kings_favorite():
    least = {"stores": 5, "others": 5, "majorities": 2, "reis": 10, "decrees": 7, "ships": 1}
    assert standing(**least) == 2
    for what in ("majorities", "reis", "decrees", "ships"):
        assert standing(**{**least, what: least[what] - 1}) == 1
    assert standing(**{**least, "others": 6}) == 1


@rules("LIS-275", "LIS-278")
def test_court_servant():
    least = {"stores": 4, "others": 8, "majorities": 1, "reis": 5, "decrees": 6, "ships": 0}
    assert standing(**least) == 1
    assert standing(**{**least, "decrees": 5}) == 0


@rules("LIS-274", "LIS-278")
def test_jester():
    assert standing(human=98) == standing(human=99) == 0
    for what, value in (("stores", 3), ("majorities", 0), ("reis", 4), ("decrees", 3)):
        assert standing(**{what: value}) == 0


@rules("LIS-278")
def test_whatever_makes_a_jester_makes_one_even_with_a_higher_row_fulfilled():
    s = second_period()
    tables = s.tables
    for asked in (tables.rank_stores, tables.rank_majorities, tables.rank_reis, tables.rank_decrees, tables.rank_ships):
        asked[3] = 0
    tables.rank_versus[3] = 0
    every = end.criteria_met(s, 3, 100, 0)
    assert every == end.criteria_met(s, 3, 1, 0) == 0b1111111  # the highest rank asks for more wigs only
    assert end.rank_of(s, 100, 0) == 0
    s.houses[H], s.store_owner[0], s.store_street[0], s.decrees_held[H], s.reis = 4, H, 0, 4, 5
    assert end.rank_of(s, 100, 0) == 3


@rules("LIS-280")
def test_only_streets_with_more_stores_than_lacerda_are_majorities():
    s = second_period()
    s.hired = 8
    for owner, space, street in ((H, 0, 0), (L, 1, 0), (H, 2, 1), (H, 3, 2), (H, 8, 2), (L, 13, 2), (L, 4, 3)):
        put_store(s, owner, space, street)
    assert end.criteria_met(s, 2, 1, 0) & 8
    assert not end.criteria_met(s, 3, 1, 0) & 8


@rules("LIS-281")
def test_influence_is_no_money_for_the_rank():
    assert standing(reis=4) == 0  # with 8 influence at hand


@rules("LIS-279")
def test_at_the_end_the_summary_tells_wigs_rank_and_conditions():
    table = fresh(4)
    assert summary(table.state) == {}
    while not table.over:
        table.play(table.legal()[0])
    told, result = summary(table.state), table.result()
    assert (told["wigs"], told["lacerda_wigs"]) == (result.score[0], result.rival)
    assert told["rank"] == 4 - result.place[0]
    assert told["rank_name"] == RANK_NAMES[told["rank"]]
    assert set(told["met"]) == set(RANK_NAMES)
    assert json.dumps(told)


# --- 23. decision points ----------------------------------------------------------------------------


@rules("LIS-284")
def test_the_action_space_has_the_blocks_of_the_rules():
    blocks = {
        "main": (0, 15), "sell_or_trade": (15, 2), "top_discard": (17, 3), "bottom_discard": (20, 3), "sell": (23, 16),
        "trade": (39, 24), "state": (63, 6), "noble": (69, 1), "build": (70, 40), "cube": (110, 6), "decree": (116, 8),
        "use_plan": (124, 4), "site": (128, 12), "hire": (140, 4), "take_plan": (144, 2), "office": (146, 3),
        "ship_pay": (149, 4), "cardinal": (153, 6), "clergy": (159, 4), "favor": (163, 3), "good_any": (166, 4),
        "price_up": (170, 4), "pile_cube": (174, 3), "draw": (177, 4), "hand_discard": (181, 5),
        "start_clergy": (186, 2), "stop": (188, 1),
    }  # fmt: skip
    assert GAME.actions.size == 189
    for name, (first, count) in blocks.items():
        assert GAME.actions.span(name) == slice(first, first + count)
    assert GAME.actions.encode("main", slot=3, mode=2) == 11
    assert GAME.actions.encode("build", space=7, right=1) == 70 + 15
    assert GAME.actions.encode("cardinal", steps=1, behind=1) == 153 + 3
    assert GAME.actions.encode("cube", row=1, kind=2) == 110 + 5


@rules("LIS-285")
def test_the_hand_closes_up_and_portfolio_slots_stay():
    table = begun()
    s = table.state
    hand = list(s.hand)
    do(table, "main(slot=1, mode=2)")
    assert list(s.hand) == [hand[0], hand[2], hand[3], hand[4], NONE]


@rules("LIS-286")
def test_a_single_choice_is_made_at_once_but_never_a_card():
    table = begun()
    decide(table, Step.DRAW)
    empty_decks(table.state, 0, 1, 2)
    turn.proceed(table.state)
    assert phase(table.refresh()) != Step.DRAW
    assert len(table.legal()) > 1


@rules("LIS-288", "LIS-289", "LIS-290")
def test_the_future_is_open_and_nothing_else():
    table = begun()
    do(table, "main(slot=0, mode=2)")
    tops = set()
    for seed in range(30):
        fork = table.fork(0, seed)
        assert np.array_equal(fork.observe(), table.observe())
        assert fork.legal() == table.legal()
        fork.play("draw(deck=2)")
        tops.add(fork.state.deck_top[2])
    s = table.state
    assert tops == {s.deck[2, i] for i in range(4)}


def test_random_games_keep_every_invariant():
    for options in ({}, {"setup": "fixed", "setup_number": 3}, {"lacerda_influence": 0}):
        batch = Batch(GAME, 64, seed=9, options=options)
        for _ in range(400):
            batch.step(batch.sample())
            batch.check()


def test_no_game_is_longer_than_its_bound():
    batch = Batch(GAME, 128, seed=2)
    for _ in range(500):
        batch.step(batch.script())
        ended = batch.finished.astype(bool)
        assert (batch.final_state["round"][ended] <= 39).all()
        assert (batch.final_decisions[ended] <= GAME.longest).all()


# --- tables and options -----------------------------------------------------------------------------


def with_row(table, number, **values):
    """The shipped tables with some columns of a row changed."""
    content = tomllib.loads(SHIPPED.read_text())
    row = content[table]["rows"][number]
    for key, value in values.items():
        if value is None:
            row.pop(key)
        else:
            row[key] = value
    return {table: content[table]}


def test_own_tables_replace_those_of_the_same_name_only(tmp_path):
    own = with_row("store_spaces", 0, effect="wigs", n=7)
    path = tmp_path / "own.json"
    path.write_text(json.dumps(own))
    for given in (own, path, str(path)):
        t = fresh(tables=given).state.tables
        assert (t.space_effect[0], t.space_n[0]) == (3, 7)
        assert t.treasury_reis[3] == 4
    assert fresh(tables=str(SHIPPED)).to_bytes()[:40] == fresh().to_bytes()[:40]


def test_difficulty_is_data():
    rows = [{**row, "decrees": 0, "majorities": 0, "reis": 0, "stores": 0, "ships": 0, "stores_vs": "none"}
            for row in shipped()["ranks"]["rows"]]  # fmt: skip
    table = fresh(tables={"ranks": {"rows": rows}})
    assert end.rank_of(table.state, 2, 1) == 3
    assert fresh(lacerda_influence=3, lacerda_wigs=4).state.influence[L] == 3
    assert fresh(lacerda_influence=3, lacerda_wigs=4).state.wigs[L] == 4


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"citys": {}}, "no table called 'citys'"),
        ({"limits": {"clergy_held": 4}}, "table limits: takes influence_max"),
        (with_row("decrees", 3, metric="stores_of_gold"), "table decrees: row 3, metric is one of"),
        (with_row("decrees", 3, wigs=99), "row 3, wigs goes from 0 to 50, got 99"),
        (with_row("political_cards", 30, kind="king"), "the red deck takes 5 cards of each kind"),
        (with_row("political_cards", 0, deck="red"), "21 blue, 20 red, 21 purple and 20 brown"),
        (with_row("political_cards", 15, event="dance"), "row 15, event is one of"),
        (with_row("store_spaces", 2, effect="lose_reis"), "lose_reis is a penalty"),
        (with_row("construction_spaces", 2, line="row D"), "is on side W and serves row B"),
        (with_row("plans", 7, architect="green"), "takes 7 regular plans of each architect"),
        (with_row("clergy", 2, what="king"), "rubble_discount takes what = earthquake"),
        (with_row("clergy", 2, id=3), "row 2 must have id = 2"),
        (with_row("rubble", 0, count=20), "the counts must add up to 63"),
        (with_row("treasury", 0, reis=None), "row 0 lacks reis"),
        (with_row("clergy", 2, power=None), "row 2 lacks power"),
        (with_row("plans", 7, colour="red"), "row 7 has no column 'colour'"),
        ({"plans": {"rows": []}}, "table plans: takes 20 rows, got 0"),
        ("no/such/file.toml", "cannot read the tables"),
        (17, "takes a file or a dictionary"),
    ],
)
def test_tables_that_do_not_fit_are_refused_in_a_sentence(tables, sentence):
    with pytest.raises(OptionError, match=sentence):
        GAME.make_options({"tables": tables})


def test_a_fixed_set_up_is_always_the_same_and_its_future_is_not():
    games = [fresh(seed, setup="fixed", setup_number=5) for seed in (1, 2)]
    one, other = (game.observe() for game in games)
    assert np.array_equal(one, other)
    third = fresh(1, setup="fixed", setup_number=6)
    assert not np.array_equal(third.observe(), one)
    assert games[0].state.rng != games[1].state.rng


def test_the_text_and_the_picture_show_every_part_of_the_table():
    table = begun()
    text, picture = table.text(), table.svg()
    for words in ("treasury level 3", "courtier", "Helper", "church", "decrees", "portfolio", "Lacerda"):
        assert words in text
    for words in ("Treasury", "courtier", "rubble pile", "royal favors", "Lacerda"):
        assert words in picture
    assert all(table.phrase(action) for action in range(189) if action in table.legal())


def test_the_scripted_player_beats_chance_by_far():
    batch = Batch(GAME, 128, seed=4)
    scores, done = np.zeros(128), np.zeros(128, bool)
    while not done.all():
        batch.step(batch.script())
        new = batch.finished.astype(bool) & ~done
        scores[new] = batch.final_score[new, 0]
        done |= new
    assert scores.mean() > 90  # random play: about 15
