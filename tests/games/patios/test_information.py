"""Patios: decision points, information and invariants (sections 19 to 22 of RULES.md)."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from alarife.engine.batch import Batch
from alarife.engine.table import Table
from alarife.games.patios import GAME
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import CELLS, INNER_CELLS, NONE, Phase, Place
from games.patios.positions import IMPROVEMENT, IMPROVEMENT_NAMES, KIND, NE, NW, SE, SW, E, N, S, Scene, W

VARIANTS = [
    {},
    {"monument_to_memory": True},
    {"dry_visibility": "recall"},
    {"monument_to_memory": True, "dry_visibility": "recall", "hidden_scores": False},
    {"may_has_31_days": True, "not_a_nitpicker_end": True, "carry_over": "up_only"},
    {"playground": True, "monument_to_memory": True},
]
SECRET = {"rng", "deck", "discard", "draft", "dealt", "held", "card", "row", "place", "keeper", "informed", "stock",
          "kept", "passed", "drawn", "public", "face_up"}  # fmt: skip


def seen(table, seat):
    return GAME.features.describe(table.observe(seat))


def assert_fork_hides(table, seat, key, pictures=False):
    """A fork for a seat: the same view and mask, the same public state, and no card lost."""
    fork = table.fork(seat, key)
    where = f"{Phase(table.state.phase).name}, seat {seat}"
    assert np.array_equal(table.observe(seat), fork.observe(seat)), where
    if seat == table.seat:
        assert np.array_equal(table.mask, fork.mask), where
    before, after = table.to_dict(), fork.to_dict()
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= SECRET, (where, changed - SECRET)
    assert [sorted(s["row"]) for s in (before, after)] == [sorted(before["row"])] * 2
    if table.state.phase != Phase.TURN or table.state.decisions:
        fork.check()
    if pictures:
        assert table.text(seat) == fork.text(seat), where
        assert table.svg(seat) == fork.svg(seat), where
    return fork


# --- 19. decision points ---------------------------------------------------------------------------------


@pytest.mark.rules("PAT-190")
def test_the_action_space_is_that_of_the_rules():
    starts = {"character": 0, "setup_up": 8, "place": 10, "kind": 34, "water_target": 49, "waterer": 73, "tool": 97,
              "sun_direction": 99, "sun_hit": 107, "swap_own": 131, "swap_player": 155, "swap_their": 159, "offer": 183,
              "apprentice": 185, "keep_improvement": 189, "play_improvement": 196, "guitar_move": 203,
              "flamenco_down": 208, "steal_from": 216, "tub_colour": 220, "break_trio": 223, "keep_up": 226,
              "keep_dry": 250, "awning_keep": 274, "done": 298}  # fmt: skip
    assert ACTIONS.size == 299
    assert {name: ACTIONS.span(name).start for name in ACTIONS.families} == starts


@pytest.mark.rules("PAT-190")
def test_seats_are_counted_from_the_one_that_decides():
    scene = Scene(4).lay(0, red=N).lay(1, green=N).lay(3, blue=N).deck("cane")
    s = scene.state
    s.turn_of = s.seat = 2
    scene.lay(2, red=E).ready().call("children").do("place", S).do("swap_own", E)
    assert scene.options("swap_player") == [0, 1, 2]
    scene.do("swap_player", 2).do("swap_their", N)
    assert (scene.at(2, E), scene.at(1, N)) == ("green", "red")


@pytest.mark.rules("PAT-192")
def test_equal_canes_on_the_ladder_are_one_choice():
    scene = Scene().lay(0, ladder=N).lay(0, cane=[N, N]).lay(0, dry=True, red=[S, SE, SW]).end_round()
    assert scene.options("waterer") == [N]
    scene.do("waterer", N)
    assert scene.phase == Phase.WATER_TARGET


# --- information ----------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-194", "PAT-108")
def test_everybody_sees_what_lies_open():
    scene = Scene(3).works(1).lay(1, red=N, cane=0, hose=S, b05=E).lay(1, dry=True, blue=W, tub=23).coins(1, 2, 0)
    scene.hold(1, "can", "ladder").sample("blue", "blue", "b02").ready()
    view = seen(scene.table, 0)
    assert view["works"][1] == 1
    assert view["coins"][1] == pytest.approx(0.4)
    assert view["unused"][1] == pytest.approx(2 / 7)
    assert view["known"].sum() == 0
    assert list(view["cells"][1, N]) == [0, 1, 0, 0, 1, 0]
    assert list(view["cells"][1, E]) == [0, 0, 0, 1, 1, 0]
    assert list(view["cells"][1, W]) == [0, 0, 0, 0, -1, 0]
    assert view["cells"][1, 0, 5] == pytest.approx(1 / 14)
    assert view["cells"][1, S, 5] == -1
    assert view["balconies"][1, 4] == 1
    assert view["laid"][1, IMPROVEMENT["hose"]] == view["laid"][1, IMPROVEMENT["tub"]] == 1
    assert view["sample"][KIND["blue"]] == pytest.approx(2 / 8)
    assert view["piles"][2] == pytest.approx(3 / 7)


@pytest.mark.rules("PAT-195")
def test_characters_turned_down_in_the_round_stay_known_and_the_first_ones_are_hidden():
    scene = Scene().deck("cane", *["red"] * 9)
    scene.row("blue", "sun", "red", "green", "water", "assistant", "children", "neighbour", "visitors",
              down=["water", "assistant", "children", "neighbour"])  # fmt: skip
    for a in (3, 4, 5, 7):
        scene.state.public[a] = 0
    scene.ready().call("sun").do("sun_direction", 0)
    view = seen(scene.table, 0)
    assert view["row"][6] == pytest.approx(1 - 8 / 9)  # the Sun at the end, face down
    assert view["face_up"][6] == 0
    assert view["row"][3] == pytest.approx(1 - 3 / 9)  # just turned up
    assert [k for k in range(9) if view["hidden"][k]] == [4, 5, 6]
    table = scene.fast()
    orders = Counter(tuple(int(a) for a in table.fork(0, key).state.row) for key in range(600))
    assert len(orders) == 6
    assert chisquare(list(orders.values())).pvalue > 1e-4
    assert all(row[:4] == (0, 1, 2, 3) and row[7:] == (8, 6) for row in orders)


@pytest.mark.rules("PAT-195")
def test_after_a_flamenco_dancer_all_are_known_for_the_round():
    scene = Scene().hold(0, "flamenco")
    scene.row("blue", "sun", "red", "green", "water", "assistant", "children", "neighbour", "visitors",
              down=["water", "assistant", "children", "neighbour"])  # fmt: skip
    for a in (3, 4, 5, 7):
        scene.state.public[a] = 0
    scene.ready().do("play_improvement", 2).call("sun").do("sun_direction", 0)
    for a in (3, 4, 5, 7):
        scene.do("flamenco_down", a)
    assert seen(scene.table, 1)["hidden"].sum() == 0


@pytest.mark.rules("PAT-196")
@pytest.mark.parametrize("recall", [False, True])
def test_dry_cards_that_were_seen_are_shown_to_all_under_recall_only(recall):
    scene = Scene(3, dry_visibility="recall" if recall else "owner").sample("blue", "blue", "blue", "red", "green")
    scene.call("blue").take("blue").do("place", N).take("blue").do("place", N).take("blue").do("place", E)
    for seat in (0, 2):
        assert bool(seen(scene.table, seat)["cells"][(1 - seat) % 3, N, 0]) == recall
    assert seen(scene.table, 1)["cells"][0, N, 0] == 1
    dried = Scene(3, dry_visibility="recall" if recall else "owner").lay(1, b03=N).sun("N")
    assert bool(seen(dried.table, 2)["cells"][2, N, 3]) == recall


@pytest.mark.rules("PAT-196")
@pytest.mark.parametrize("recall", [False, True])
def test_under_recall_one_remembers_what_one_gave_and_others_saw_nothing(recall):
    scene = Scene(3, dry_visibility="recall" if recall else "owner").deck("cane")
    scene.lay(0, dry=True, blue=N).lay(1, dry=True, red=E).call("children").do("place", NW)
    scene.do("swap_own", N).do("swap_player", 0).do("swap_their", E)
    assert bool(seen(scene.table, 0)["cells"][1, E, 0]) == recall
    assert bool(seen(scene.table, 1)["cells"][2, N, 1]) == recall
    assert not seen(scene.table, 2)["cells"][:, :, :4].any()
    kept = Scene(dry_visibility="recall" if recall else "owner").lay(0, blue=[N, NE]).end_round()
    kept.do("keep_up", N).do("keep_dry", NE)
    assert bool(seen(kept.table, 1)["cells"][1, NE, 0]) == recall


@pytest.mark.rules("PAT-197", "PAT-202")
def test_a_draft_is_seen_by_its_present_holder_and_what_is_placed_dry_stays_hidden():
    scene = Scene(3).sample(*["cane"] * 5).deck("blue", "red", "green", "b01", rest=False).call("assistant")
    assert seen(scene.table, 0)["draft"].sum() == pytest.approx(4 / 6)
    assert seen(scene.table, 1)["draft"].sum() == 0
    assert seen(scene.table, 1)["drafted"][0] == pytest.approx(4 / 6)
    scene.take("blue").do("place", N)
    assert seen(scene.table, 0)["draft"].sum() == 0
    scene.take("b01")
    assert seen(scene.table, 2)["held"][KIND["b01"]] == 1
    for other in (0, 1):
        assert seen(scene.table, other)["held"].sum() == 0
    scene.do("place", W)
    assert not seen(scene.table, 0)["cells"][2, W, :4].any()


@pytest.mark.rules("PAT-103", "PAT-197", "PAT-201")
def test_the_card_put_back_on_top_stays_known_to_who_put_it_there_until_it_is_drawn():
    scene = Scene(3).coins(1, 0, 0).stock("hose", "tub", "can").call("neighbour")
    assert [i for i in range(7) if seen(scene.table, 0)["drawn"][i]] == [3, 6]
    assert seen(scene.table, 1)["drawn"].sum() == 0
    scene.do("keep_improvement", 6).do("done")
    assert [i for i in range(7) if seen(scene.table, 0)["stock_top"][i]] == [3]
    assert seen(scene.table, 2)["stock_top"].sum() == 0
    s = scene.state
    s.face_up[7] = 1
    scene.ready().call("neighbour")
    while scene.phase == Phase.OFFER:
        scene.do("offer", 0)
    assert seen(scene.table, 0)["stock_top"].sum() == 0
    assert [i for i in range(7) if seen(scene.table, 1)["drawn"][i]] == [3, 5]


@pytest.mark.rules("PAT-197", "PAT-105")
def test_a_stolen_card_is_known_to_thief_and_victim_and_confuses_others():
    scene = Scene(3).hold(1, "awning", "hose").hold(0, "can").hold(2, "tub", "guitarist", "flamenco", "ladder")
    scene.state.informed[0] |= 1 << 2  # seat 2 gave it once
    scene.ready().call("neighbour").do("steal_from", 0)
    for i in (0, 3):
        assert scene.state.informed[i] & 4 == 0
    stolen = next(i for i in (0, 3) if scene.state.keeper[i] == 0)
    assert seen(scene.table, 1)["known"][2, stolen] == 1
    single = Scene(3).hold(1, "awning").hold(0, "can", "hose").hold(2, "tub", "guitarist", "flamenco", "ladder")
    single.state.informed[0] |= 1 << 2
    single.ready().call("neighbour").do("steal_from", 0)
    assert seen(single.table, 2)["known"][1, 0] == 1  # the only card can be followed


@pytest.mark.rules("PAT-105", "PAT-197", "PAT-201")
def test_after_a_theft_only_thief_and_victim_know_which_card_went_whatever_card_it_was():
    """Seat 2 once gave both of the victim's cards, the thief once gave one of them."""
    taken = set()
    for seed in range(24):
        scene = Scene(4, seed=seed).hold(1, "awning", "hose").hold(0, "can").hold(2, "tub", "guitarist")
        scene.hold(3, "flamenco", "ladder")
        for name in ("awning", "hose"):
            scene.state.informed[IMPROVEMENT[name]] |= 1 << 2
        scene.state.informed[IMPROVEMENT["hose"]] |= 1 << 0
        scene.ready().call("neighbour").do("steal_from", 0)
        stolen = next(name for name in ("awning", "hose") if scene.state.keeper[IMPROVEMENT[name]] == 0)
        left = "hose" if stolen == "awning" else "awning"
        taken.add(stolen)
        views = [seen(scene.table, p)["known"] for p in range(4)]
        # A view counts seats from its own: the thief's hand is row 0, 3, 2, 1, the victim's row 1, 0, 3, 2.
        thief, victim = (0, 3, 2, 1), (1, 0, 3, 2)
        for p in (0, 1):
            assert views[p][thief[p], IMPROVEMENT[stolen]] == 1
        assert views[1][victim[1], IMPROVEMENT[left]] == 1
        assert views[0][victim[0], IMPROVEMENT[left]] == (left == "hose")  # he gave it, and did not take it
        for p in (2, 3):
            assert not views[p][thief[p]].any()
            assert not views[p][victim[p]].any()
        assert views[2][0].sum() == views[3][0].sum() == 2  # their own cards
    assert taken == {"awning", "hose"}


@pytest.mark.rules("PAT-198", "PAT-201", "PAT-105")
def test_unseen_improvements_are_redrawn_evenly_over_deck_and_hands():
    scene = Scene(3).hold(1, "awning").hold(2, "hose", "can").hold(0, "tub").ready()
    hands = Counter()
    table = scene.fast()
    for key in range(1500):
        s = table.fork(0, key).state
        assert (s.place[6], s.keeper[6]) == (Place.HAND, 0)
        hands[next(i for i in range(7) if s.place[i] == Place.HAND and s.keeper[i] == 1)] += 1
    assert sorted(hands) == [0, 1, 2, 3, 4, 5]
    assert chisquare(list(hands.values())).pvalue > 1e-4


@pytest.mark.rules("PAT-198", "PAT-159")
def test_a_dancer_played_this_turn_is_in_the_deck_or_was_drawn_from_it_since():
    scene = Scene().hold(0, "flamenco").hold(1, "hose", "tub").coins(1, 1)
    scene.do("play_improvement", 2)
    places = Counter()
    table = scene.fast()
    for key in range(300):
        s = table.fork(1, key).state
        places[Place(s.place[2]).name] += 1
        assert s.keeper[2] != 0
    assert places == {"STOCK": 300}
    scene.call("neighbour").do("offer", 1)
    drawn = [int(i) for i in scene.state.drawn]
    scene.do("keep_improvement", drawn[0])
    assert 2 not in drawn  # everybody saw her go under four other cards
    table = scene.fast()
    for key in range(100):
        s = table.fork(1, key).state
        assert s.stock[s.stock_size - 1] == 2


@pytest.mark.rules("PAT-198", "PAT-159", "PAT-103")
def test_a_dancer_that_came_to_lie_high_enough_to_be_drawn_was_kept_or_put_back():
    """With one card over her she is drawn with it; without an apprentice the other seat cannot tell which was kept."""
    scene = Scene(3).hold(0, "flamenco", "can", "awning").hold(1, "hose").hold(2, "tub").coins(0, 0, 0)
    left = next(i for i in range(7) if scene.state.place[i] == Place.STOCK and i not in (2, 5, 0, 3, 6))
    for i in [int(j) for j in scene.state.stock[: scene.state.stock_size] if j != left]:
        scene.hold(2, IMPROVEMENT_NAMES[i])
    scene.ready().do("play_improvement", 2).call("neighbour").do("keep_improvement", left)
    assert [int(i) for i in scene.state.stock[: scene.state.stock_size]] == [2]
    tops = Counter()
    table = scene.fast()
    for key in range(1000):
        s = table.fork(1, key).state
        tops["kept" if s.place[2] == Place.HAND else "put back"] += 1
        assert s.place[2] == Place.STOCK or (s.kept, s.keeper[2]) == (2, 0)
    assert chisquare([tops["kept"], tops["put back"]]).pvalue > 1e-4


def unseen_scene(cards, deck, **options):
    """Dry cards of seat 1 in its first inner cells, and a deck: nothing else is unseen by seat 0."""
    scene = Scene(**options).deck(*deck, rest=False)
    s = scene.state
    for c, name in zip(INNER_CELLS, cards, strict=False):
        s.card[1, c] = KIND[name]
        s.filled[1] |= 1 << c
        s.flowers[1] |= 1 << c
        s.dry[1] |= 1 << c
    return scene


@pytest.mark.rules("PAT-198", "PAT-196", "PAT-060")
def test_unseen_flower_cards_are_redrawn_from_the_exact_posterior():
    """Two dry cards of seat 1 among few unseen cards: no cane lies dry, all else is equally likely."""
    scene = unseen_scene(["blue", "green"], ["blue", "red", "cane", "cane", "b02"])
    unseen = [KIND[name] for name in ("blue", "green", "blue", "red", "cane", "cane", "b02")]
    counts = Counter(tuple(p) for p in itertools.permutations(unseen, 2) if 3 not in p)
    found = Counter()
    table = scene.fast()
    for key in range(4000):
        s = table.fork(0, key).state
        found[int(s.card[1, NW]), int(s.card[1, N])] += 1
        assert s.deck[3] == 2
    assert set(found) == set(counts)
    total = sum(counts.values())
    assert chisquare([found[p] for p in counts], [4000 * n / total for n in counts.values()]).pvalue > 1e-4


@pytest.mark.rules("PAT-198", "PAT-162", "PAT-156")
def test_a_can_played_where_no_cell_is_free_proves_a_dry_balcony():
    scene = unseen_scene(["blue", "b01"], ["red", "red", "b02", "green", "cane"])
    s = scene.state
    for c in INNER_CELLS[2:]:
        s.card[1, c] = 0
        s.filled[1] |= 1 << c
        s.flowers[1] |= 1 << c
    s.seat, s.phase, s.playing = 1, Phase.CAN, IMPROVEMENT["can"]
    s.place[5] = Place.PLAYED
    scene.ready()
    unseen = [KIND[n] for n in ("blue", "b01", "red", "red", "b02", "green", "cane")]
    counts = Counter(p for p in itertools.permutations(unseen, 2) if 3 not in p and any(k > 3 for k in p))
    found = Counter()
    table = scene.fast()
    for key in range(4000):
        t = table.fork(0, key).state
        found[int(t.card[1, NW]), int(t.card[1, N])] += 1
    assert set(found) == set(counts)
    total = sum(counts.values())
    assert chisquare([found[p] for p in counts], [4000 * n / total for n in counts.values()]).pvalue > 1e-4


@pytest.mark.rules("PAT-198", "PAT-084")
def test_what_a_can_has_just_saved_is_a_balcony_and_what_it_left_is_none():
    scene = unseen_scene([], ["red", "b02", "green", "b03", "cane"])
    scene.works(1)
    s = scene.state
    for c, name in ((N, "b01"), (2, "blue")):
        s.card[1, c] = KIND[name]
        for field in (s.filled, s.flowers, s.dry):
            field[1] |= 1 << c
    scene.lay(1, can=S, cane=3).sun("N")
    assert scene.options("waterer") == [3, S]
    scene.do("waterer", S)
    assert scene.phase == Phase.DEFENCE
    kinds = Counter()
    table = scene.fast()
    for key in range(300):
        t = table.fork(0, key).state
        kinds[int(t.card[1, N]), int(t.card[1, 2])] += 1
    assert {a for a, _ in kinds} == {KIND["b01"], KIND["b02"], KIND["b03"]}
    assert {b for _, b in kinds} == {KIND["blue"], KIND["red"], KIND["green"]}


@pytest.mark.rules("PAT-022", "PAT-198")
@pytest.mark.parametrize(("players", "decisions"), [(2, 0), (2, 1), (2, 2), (3, 0), (3, 4)])
def test_the_first_deal_is_redrawn_as_often_as_its_cards_can_be_dealt(players, decisions):
    table = Table(GAME, players, seed=5)
    for _ in range(decisions):
        table.play(table.legal()[0])
    viewer = table.seat
    cards = [(c, copy) for c in range(3) for copy in range(players)]

    def pairs_of(state):
        pairs = []
        for p in range(players):
            pair = [int(k) for k in state.dealt[p] if k != NONE]
            pair += [int(state.card[p, c]) for c in range(CELLS) if state.card[p, c] != NONE]
            pair += [int(state.held)] if state.held != NONE and state.seat == p else []
            pairs.append(tuple(sorted(pair)))
        return tuple(pairs)

    truth = pairs_of(table.state)
    shown = {}
    for p in range(players):
        for c in range(CELLS):
            if table.state.card[p, c] != NONE and not table.state.dry[p] >> c & 1:
                shown[p] = int(table.state.card[p, c])
        if table.state.held != NONE and table.state.seat == p and table.state.held_open:
            shown[p] = int(table.state.held)
    weights = Counter()

    def deal(left, pairs):
        p = len(pairs)
        if p == players:
            weights[tuple(pairs)] += 1
            return
        for a, b in itertools.permutations(sorted(left), 2):
            pair = tuple(sorted((a[0], b[0])))
            if a[0] != b[0] and (p != viewer or pair == truth[p]) and (p not in shown or shown[p] in pair):
                deal(left - {a, b}, [*pairs, pair])

    deal(frozenset(cards), [])
    found = Counter(pairs_of(table.fork(viewer, key).state) for key in range(1500))
    assert set(found) <= set(weights)
    total = sum(weights.values())
    if len(weights) > 1:
        expected = [1500 * n / total for n in weights.values()]
        assert chisquare([found[p] for p in weights], expected).pvalue > 1e-4


# --- leaks: every phase, every option ------------------------------------------------------------------------


def rare_positions(options):
    """Phases that random games seldom reach."""
    scene = Scene(**options).works(1).lay(1, red=N, green=[1, 3], ladder=S, cane=S, hose=S, can=SE)
    scene.lay(1, dry=True, b01=W).sun("N")
    yield scene.as_a_row_lies()
    scene.do("sun_hit", 3)
    yield scene.as_a_row_lies()
    yield scene.do("waterer", S).as_a_row_lies()
    water = Scene(**options).lay(0, ladder=NW, cane=NW, hose=NW, can=N).lay(0, dry=True, red=S, b02=SE).end_round()
    yield water.do("waterer", NW).as_a_row_lies()
    yield water.do("tool", 1).as_a_row_lies()
    yield Scene(**options).works(0).pile(0, 1, 1, 0).end_round().as_a_row_lies()
    yield Scene(**options).lay(1, cane=N, red=NW, b01=NE).sun("N").as_a_row_lies()
    yield Scene(**options).lay(1, can=S).lay(1, dry=True, blue=N).sun("N").as_a_row_lies()
    yield Scene(**options).lay(1, can=S).lay(1, dry=True, b04=N).sun("N").as_a_row_lies()
    if not options.get("playground"):
        yield Scene(**options).hold(1, "awning", "hose", "tub", "can", "guitarist", "flamenco", "ladder").call(
            "neighbour").as_a_row_lies()  # fmt: skip


@pytest.mark.rules("PAT-184", "PAT-195", "PAT-196", "PAT-197", "PAT-199", "PAT-201")
@pytest.mark.parametrize("options", VARIANTS, ids=lambda o: "-".join(o) or "basic")
def test_no_view_mask_or_picture_tells_what_the_seat_cannot_know(options):
    phases = Counter()
    for players, seed in ((2, 1), (3, 2), (4, 3), (5, 4)):
        table = Table(GAME, players, options, seed=seed)
        random = np.random.default_rng(seed)
        while not table.over:
            phases[Phase(table.state.phase)] += 1
            for seat in range(players):
                assert_fork_hides(table, seat, int(random.integers(1 << 30)), pictures=random.random() < 0.03)
            legal = table.legal()
            table.play(int(random.choice(legal)))
        for seat in range(players):
            assert_fork_hides(table, seat, 1)
    assert len(phases) > 15


@pytest.mark.rules("PAT-184", "PAT-192", "PAT-197")
@pytest.mark.parametrize("options", VARIANTS[:5], ids=lambda o: "-".join(o) or "basic")
def test_nothing_leaks_in_rare_positions_either(options):
    phases = set()
    for table in rare_positions(options):
        phases.add(Phase(table.state.phase))
        for seat in range(2):
            for key in range(10):
                fork = assert_fork_hides(table, seat, key, pictures=key == 0)
                if seat == table.seat:
                    advice = {GAME.advise(t.state, moves_of(t)) for t in (table, fork)}
                    assert len(advice) == 1
    assert {Phase.SECOND_HIT, Phase.DEFENCE, Phase.DEFENCE_TOOL, Phase.WATER_TOOL, Phase.WATER_TARGET, Phase.FIRST_HIT,
            Phase.BREAK_TRIO, Phase.STEAL} <= phases  # fmt: skip


def moves_of(table):
    """The move list of a table, as the scripted player takes it."""

    class Moves:
        count = 0
        at = []

    moves = Moves()
    moves.at = table.legal()
    moves.count = len(moves.at)
    return moves


@pytest.mark.rules("PAT-184", "PAT-048")
def test_masks_of_a_forgetful_owner_do_not_depend_on_his_dry_cards():
    for thing in ("blue", "b01"):
        scene = Scene(monument_to_memory=True).lay(0, can=W, red=E).lay(0, dry=True, **{thing: N})
        scene.hold(0, "hose", "ladder").lay(1, dry=True, green=N).deck("cane")
        masks = [scene.table.mask.copy(), scene.call("children").table.mask.copy()]
        scene.do("place", S)
        masks.append(scene.table.mask.copy())
        if thing == "blue":
            first = masks
    assert all(np.array_equal(a, b) for a, b in zip(first, masks, strict=True))


# --- 20 to 22. a legal action always exists, the game ends, nothing is lost -----------------------------------


@pytest.mark.rules("PAT-210", "PAT-211", "PAT-212", "PAT-213", "PAT-220", "PAT-221", "PAT-222")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [*VARIANTS, {"max_turns_per_round": 3}], ids=lambda o: "-".join(o) or "basic")
def test_random_games_keep_the_invariants_and_end(players, options):
    batch = Batch(GAME, 48, players, seed=11, options=options)
    ended = np.zeros(48, bool)
    for _ in range(2500):
        batch.check()
        assert batch.action_mask.any(axis=1).all()
        batch.step(batch.sample())
        ended |= batch.finished
        if ended.all():
            break
    assert ended.all()
    assert batch.final_decisions.max() < GAME.longest


@pytest.mark.rules("PAT-210")
def test_four_or_five_characters_can_be_chosen_at_the_beginning_of_a_turn():
    for options, numbers in (({}, {4}), ({"playground": True}, {4})):
        table = Table(GAME, 2, options, seed=3)
        random = np.random.default_rng(3)
        counts = set()
        while not table.over:
            if table.state.phase == Phase.TURN and not table.state.flamenco:
                counts.add(sum(1 for a in table.legal() if a < 8))
            table.play(int(random.choice(table.legal())))
        assert counts == numbers


@pytest.mark.rules("PAT-213")
def test_a_round_that_never_ends_by_itself_ends_at_the_cap():
    scene = Scene()
    s = scene.state
    turns = 0
    while s.round == 0:
        # The Sun behind Visitors, again and again: nothing in front of them is ever used.
        scene.row("blue", "visitors", "red", "green", "water", "assistant", "children", "sun", "neighbour",
                  down=["water", "assistant", "children", "neighbour"])  # fmt: skip
        turns += 1
        scene.sun("N")
        while scene.phase != Phase.TURN:
            scene.table.play(scene.table.legal()[-1])
    assert turns == 60


@pytest.mark.rules("PAT-220")
def test_a_lost_card_is_noticed():
    scene = Scene().lay(0, blue=N)
    scene.state.deck[0] -= 1
    with pytest.raises(AssertionError, match="PAT-220"):
        scene.check()


@pytest.mark.rules("PAT-222")
def test_a_card_outside_without_works_is_noticed():
    scene = Scene().works(0).lay(0, blue=0)
    scene.state.works[0] = 0
    with pytest.raises(AssertionError, match="PAT-222"):
        scene.check()


@pytest.mark.slow
@pytest.mark.rules("PAT-213")
@pytest.mark.parametrize(("players", "share"), [(2, 0.95), (3, 0.85), (4, 0.75), (5, 0.65)])
def test_the_scripted_player_beats_random_play(players, share):
    games = 300
    batch = Batch(GAME, games, players, seed=5, restart=False)
    mine = np.arange(games) % players
    while not batch.finished.all():
        rows = np.flatnonzero(~batch.finished)
        actions = batch.sample().copy()
        scripted = rows[batch.seat[rows] == mine[rows]]
        if len(scripted):
            actions[scripted] = batch.script(scripted)[scripted]
        batch.step(actions, rows)
    won = batch.final_place[np.arange(games), mine] == 1
    assert won.mean() > share
