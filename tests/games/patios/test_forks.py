"""Patios: forks could be true (PAT-194 to PAT-202): what lies hidden, given what everybody saw of it."""

import itertools
from collections import Counter
from math import comb, perm

import numpy as np
import pytest
from scipy.stats import chisquare

from alarife.engine.batch import Batch
from alarife.engine.errors import ConformanceError
from alarife.engine.table import Table
from alarife.games.patios import GAME
from alarife.games.patios.components import (
    ANYTHING_TOLD,
    BALCONY_TOLD,
    CELLS,
    COLOURS,
    FIRST_BALCONY,
    NONE,
    POTS_TOLD,
    UNLIKE,
    Phase,
)
from alarife.testing.worlds import compare, sample_worlds, view_forks
from games.patios.positions import KIND, NE, NW, SE, E, N, S, Scene, W

FORKS = 3000
BALCONY = "balcony"


def sort_of(kind):
    return BALCONY if kind >= FIRST_BALCONY else int(kind)


def assert_drawn_by(table, seat, cells, weights, forks=FORKS):
    """Forks for a seat hold cards of these sorts in the cells, as often as the weights say."""
    found = Counter()
    for key in range(forks):
        card = table.fork(seat, key).state.card
        found[tuple(sort_of(card[p, c]) for p, c in cells)] += 1
    weights = {sorts: weight for sorts, weight in weights.items() if weight > 0}
    assert set(found) <= set(weights)
    if len(weights) > 1:
        total = sum(weights.values())
        expected = [forks * weight / total for weight in weights.values()]
        assert chisquare([found[sorts] for sorts in weights], expected).pvalue > 1e-4


def unseen_by(scene, seat):
    """How many cards of each sort seat 0 or 1 has not seen: deck, discards, and the dry ones of others."""
    s = scene.state
    unseen = Counter()
    for k in range(15):
        unseen[sort_of(k)] += int(s.deck[k] + s.discard[k])
    for p in range(s.seats):
        for c in range(CELLS):
            if p != seat and s.dry[p] >> c & 1:
                unseen[sort_of(s.card[p, c])] += 1
    return unseen


# --- the first deal ------------------------------------------------------------------------------------------


def after_setup(players, seed):
    """The first character choice, each card put where it may lie."""
    table = Table(GAME, players, seed=seed)
    random = np.random.default_rng(seed)
    while table.state.phase != Phase.TURN:
        table.play(int(random.choice(table.legal())))
    return table


@pytest.mark.rules("PAT-022", "PAT-023", "PAT-024", "PAT-198", "PAT-202")
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (3, 3), (4, 4), (5, 5)])
def test_at_the_first_choice_a_dry_card_is_a_pot_of_another_colour_as_often_as_it_was_dealt(players, seed):
    """Every deal of n pots of each colour, one shown, one dry, then the sample from what is left: counted."""
    table = after_setup(players, seed)
    s, viewer = table.state, table.seat
    patios = {}
    for p in range(players):
        cells = [c for c in range(CELLS) if s.card[p, c] != NONE]
        dry = next(c for c in cells if s.dry[p] >> c & 1)
        patios[p] = dry, int(s.card[p, next(c for c in cells if c != dry)])
    weights = {}
    for others in itertools.product(range(COLOURS), repeat=players - 1):
        hidden = dict(zip([p for p in range(players) if p != viewer], others, strict=True))
        hidden[viewer] = int(s.card[viewer, patios[viewer][0]])
        if all(hidden[p] != patios[p][1] for p in range(players)):
            dealt = Counter([*hidden.values(), *(shown for _, shown in patios.values())])
            ways = 1
            for c in range(COLOURS):
                ways *= perm(players, dealt[c]) * comb(17 - dealt[c], int(s.sample[c]))
            weights[tuple(hidden[p] for p in range(players) if p != viewer)] = ways
    cells = [(p, patios[p][0]) for p in range(players) if p != viewer]
    assert_drawn_by(table, viewer, cells, weights)


@pytest.mark.rules("PAT-022", "PAT-202")
def test_what_was_dealt_stays_known_to_be_a_pot_of_another_colour_in_later_turns():
    table = after_setup(3, 8)
    random = np.random.default_rng(8)
    kinds = Counter()
    dealt = {(p, c) for p in range(3) for c in range(CELLS) if table.state.dry[p] >> c & 1}
    shown = {p: next(int(table.state.card[p, c]) for c in range(CELLS) if table.state.flowers[p] >> c & 1
                     and not table.state.dry[p] >> c & 1) for p in range(3)}  # fmt: skip
    for _ in range(25):
        table.play(int(random.choice([a for a in table.legal() if table.game.actions.decode(a)[0] != "swap_own"])))
        dealt = {(p, c) for p, c in dealt if table.state.dry[p] >> c & 1}
        for p, c in dealt:
            if p != table.seat:
                kind = int(table.fork(table.seat, 1).state.card[p, c])
                assert kind in {0, 1, 2} - {shown[p]}
                kinds[kind] += 1
    assert len(kinds) > 1


# --- kept from the last round ------------------------------------------------------------------------------------


def kept_two():
    """Seat 1 keeps blue and red, each also dry, and green only beautiful; nothing can be bought."""
    scene = Scene(2).coins(0, 0).sample(*["cane"] * 4)
    scene.lay(1, blue=[N, NE], red=[S, SE], green=[E]).end_round()
    while scene.phase != Phase.KEEP_UP or scene.seat != 1:
        scene.do("done")
    scene.do("keep_up", N).do("keep_dry", NE).do("keep_up", S).do("keep_dry", SE)
    return scene


@pytest.mark.rules("PAT-142", "PAT-143", "PAT-202")
def test_at_the_first_choice_of_a_round_a_dry_card_is_unlike_the_other_and_its_colour_lies_there():
    scene = kept_two().do("keep_up", E)
    assert scene.phase == Phase.TURN
    assert scene.state.round == 1
    unseen = unseen_by(scene, 0)
    weights = {(a, b): unseen[a] * unseen[b] for a, b in itertools.permutations(range(COLOURS), 2)}
    assert_drawn_by(scene.fast(), 0, [(1, NE), (1, SE)], weights)


@pytest.mark.rules("PAT-142", "PAT-143", "PAT-147", "PAT-202")
def test_a_colour_that_was_not_kept_is_not_kept_dry_whatever_is_bought_later():
    scene = kept_two()
    scene.sample("green", "green", "cane", "cane").coins(0, 3).do("done")
    assert scene.phase == Phase.BUY
    weights = {(0, 1): 1, (1, 0): 1}
    assert_drawn_by(scene.fast(), 0, [(1, NE), (1, SE)], weights, 600)
    scene.take("green").do("place", W).do("done") if scene.state.coins[1] >= 4 else scene.take("green").do("place", W)
    assert scene.phase == Phase.TURN
    assert_drawn_by(scene.fast(), 0, [(1, NE), (1, SE)], weights, 600)


@pytest.mark.rules("PAT-145", "PAT-202")
def test_a_kept_card_that_moves_inwards_is_still_known_as_kept():
    scene = Scene(2).coins(0, 0).sample(*["cane"] * 4).works(1).lay(1, blue=[0, N], red=[S, 23]).end_round()
    while scene.phase != Phase.KEEP_UP or scene.seat != 1:
        scene.do("done")
    scene.do("keep_up", N).do("keep_dry", 0).do("keep_up", S).do("keep_dry", 23)
    assert [int(scene.state.told[1, c]) for c in (NW, SE)] == [UNLIKE | 3, UNLIKE | 3]
    assert_drawn_by(scene.fast(), 0, [(1, NW), (1, SE)], {(0, 1): 1, (1, 0): 1}, 600)


# --- taken, saved, watered, swapped ---------------------------------------------------------------------------


@pytest.mark.rules("PAT-051", "PAT-202")
def test_what_was_taken_with_a_gardener_is_of_his_colour_or_a_balcony():
    scene = Scene(2).sample("blue", "blue", "red", "b04").call("blue").take("blue").do("place", N)
    scene.take("b04").do("place", W)
    unseen = unseen_by(scene, 0)
    assert_drawn_by(scene.fast(), 0, [(1, W)], {(0,): unseen[0], (BALCONY,): unseen[BALCONY]})


@pytest.mark.rules("PAT-051", "PAT-202", "PAT-198")
def test_several_told_cards_are_drawn_together_by_the_exact_posterior():
    """Two taken with the blue gardener, two with the red one, few cards unseen: all orders of drawing counted."""
    scene = Scene(2).deck("blue", "blue", "red", "b03", "cane", "green", rest=False)
    s = scene.state
    laid = {N: ("blue", 0), E: ("b01", 0), S: ("red", 1), W: ("b02", 1)}
    for c, (name, colour) in laid.items():
        s.card[1, c] = KIND[name]
        for field in (s.filled, s.flowers, s.dry):
            field[1] |= 1 << c
        s.told[1, c] = 1 << colour | BALCONY_TOLD
    scene.ready()
    unseen = [KIND[n] for n in ("blue", "blue", "red", "b03", "cane", "green", "blue", "b01", "red", "b02")]
    weights = Counter()
    for cards in itertools.permutations(unseen, 4):
        sorts = tuple(sort_of(k) for k in cards)
        if 3 not in cards and all(sort in (BALCONY, c) for sort, (_, c) in zip(sorts, laid.values(), strict=True)):
            weights[sorts] += 1
    assert_drawn_by(scene.fast(), 0, [(1, c) for c in laid], weights, 6000)


@pytest.mark.rules("PAT-133", "PAT-202")
def test_what_a_watering_can_poured_out_left_dry_is_no_balcony():
    scene = Scene(2).lay(1, can=S, cane=NW).lay(1, dry=True, blue=W, b05=E)
    scene.end_round()
    while scene.seat != 1:
        scene.do("done")
    scene.do("waterer", S)
    assert scene.phase == Phase.WATER
    assert int(scene.state.told[1, W]) == POTS_TOLD


@pytest.mark.rules("PAT-084", "PAT-202")
def test_what_a_watering_can_saved_stays_known_as_a_balcony():
    scene = Scene(2).works(1).lay(1, dry=True, b01=N, blue=2).lay(1, can=S).sun("N")
    scene.do("waterer", S)
    assert scene.phase == Phase.TURN
    assert int(scene.state.told[1, N]) == BALCONY_TOLD
    table = scene.fast()
    assert {sort_of(table.fork(0, key).state.card[1, N]) for key in range(100)} == {BALCONY}


@pytest.mark.rules("PAT-074", "PAT-202")
def test_what_is_told_of_a_card_goes_with_it_in_a_swap():
    scene = Scene(3).deck("cane").lay(0, dry=True, blue=N).lay(1, dry=True, red=E)
    scene.state.told[0, N], scene.state.told[1, E] = UNLIKE | 5, 2 | BALCONY_TOLD
    scene.ready().call("children").do("place", NW).do("swap_own", N).do("swap_player", 0).do("swap_their", E)
    assert (int(scene.state.told[0, N]), int(scene.state.told[1, E])) == (2 | BALCONY_TOLD, 5)
    table = scene.fast()
    kinds = {(sort_of(f.card[0, N]), sort_of(f.card[1, E])) for f in (table.fork(2, k).state for k in range(300))}
    assert kinds == {(a, b) for a in (1, BALCONY) for b in (0, 2)}


@pytest.mark.rules("PAT-058", "PAT-083", "PAT-202")
def test_a_card_turned_up_and_dried_again_is_told_of_no_more():
    scene = Scene(2).lay(1, dry=True, blue=N)
    scene.state.told[1, N] = UNLIKE | 5
    scene.sample("cane", "cane").call("water").do("place", E).do("water_target", N)
    assert int(scene.state.told[1, N]) == 0


# --- a draft and the card in hand ---------------------------------------------------------------------------------


@pytest.mark.rules("PAT-197")
def test_while_a_drafted_card_is_placed_its_holder_knows_what_he_passes_on_and_others_do_not():
    scene = Scene(3).sample(*["cane"] * 5).deck("blue", "red", "green", "b01", rest=False).call("assistant")
    scene.take("blue")
    assert scene.phase == Phase.PLACE
    rest = GAME.features.describe(scene.table.observe(0))["rest"]
    assert {k for k in range(15) if rest[k]} == {KIND["red"], KIND["green"], KIND["b01"]}
    assert GAME.features.describe(scene.table.observe(1))["rest"].sum() == 0
    assert "draft R G #1" in scene.table.text(0)
    assert "draft ? ? ?" in scene.table.text(1)
    for key in range(20):
        assert np.array_equal(scene.table.fork(0, key).state.draft, scene.state.draft)


# --- the view: which card lies where ------------------------------------------------------------------------------


@pytest.mark.rules("PAT-194", "PAT-196", "PAT-163")
def test_the_view_tells_where_each_balcony_and_improvement_lies():
    scene = Scene(2).works(1).lay(0, dry=True, b05=N, b10=S).lay(1, ladder=N, hose=N, awning=W).lay(1, dry=True, tub=23)
    scene.lay(1, b11=E).lay(1, dry=True, b02=SE)
    mine, theirs = (GAME.features.describe(scene.table.observe(seat)) for seat in (0, 1))
    assert {c: round(float(n) * 11) for c, n in enumerate(mine["balcony"][0]) if n} == {N: 5, S: 10}
    assert {c: round(float(n) * 11) for c, n in enumerate(mine["balcony"][1]) if n} == {E: 11}
    assert list(mine["asked"][N] * 4) == [0, 2, 1, 0]
    assert list(mine["asked"][S] * 4) == [1, 1, 1, 0]
    assert list(theirs["asked"][E] * 4) == [0, 0, 0, 4]
    assert theirs["balcony"][1].sum() == 0
    where = {(int(i), int(c)) for i, c in np.argwhere(mine["spots"])}
    assert where == {(4, N), (3, N), (0, W), (6, 23)}


@pytest.mark.rules("PAT-199")
def test_at_the_end_of_the_game_everybody_sees_all_scores():
    table = Table(GAME, 2, seed=4)
    random = np.random.default_rng(4)
    while not table.over:
        table.play(int(random.choice(table.legal())))
    for seat in (0, 1):
        shown = GAME.features.describe(table.observe(seat))
        assert list(np.round(shown["loose"][:2].sum(-1) * 50)) == [table.state.loose[seat], table.state.loose[1 - seat]]


# --- never against the truth, nor against what all saw -------------------------------------------------------------


@pytest.mark.rules("PAT-198", "PAT-202", "PAT-220")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [
    {}, {"monument_to_memory": True}, {"dry_visibility": "recall"}, {"carry_over": "up_only", "playground": True},
], ids=["basic", "memory", "recall", "playground"])  # fmt: skip
def test_forks_keep_to_what_all_saw_in_random_games(players, options):
    """The invariants, with what is told of dry cards, hold in truth and in forks; unlike cards are unlike."""
    batch = Batch(GAME, 64, players, seed=players, options=options)
    scratch = Batch(GAME, 64, players, seed=0, options=options, restart=False)
    rows = np.arange(64)
    told = 0
    for number in range(300):
        batch.step(batch.sample())
        if number % 10:
            continue
        for seat in range(players):
            scratch.load(batch.fork(rows, np.full(64, seat), rows.astype(np.uint64) + 64 * number))
            for states in (scratch.state, batch.state):
                told += assert_unlike(states, players)
            scratch.check()
    assert told > 1000


@pytest.mark.rules("PAT-198", "PAT-202")
def test_forks_that_deal_dry_cards_evenly_are_told_from_the_truth():
    """As Patios once drew them: any unseen pot or balcony may lie anywhere."""
    compare(GAME, 3, sample_worlds(GAME, 3, games=900, marks=20))
    with pytest.raises(
        ConformanceError, match=r"patios_v1, 3 players, belief view: .*forks show .* the truth in 0 of "
    ):
        compare(GAME, 3, sample_worlds(GAME, 3, games=300, marks=20, forks=dealt_evenly))


def dealt_evenly(batch, rows, keys):
    """Forks whose unseen dry cards change places with any cards of the deck but canes."""
    forks = view_forks(batch, rows, keys)
    random = np.random.default_rng(keys)
    plain = [k for k in range(15) if k != 3]
    for row, seat in enumerate(batch.seat[rows]):
        card, deck = forks["card"][row], forks["deck"][row]
        for p, c in np.argwhere((forks["dry"][row][:, None] >> np.arange(CELLS) & 1 == 1) & (card < 15)):
            if p != seat and deck[plain].sum() > 0:
                drawn = random.choice(plain, p=deck[plain] / deck[plain].sum())
                deck[card[p, c]] += 1
                deck[drawn] -= 1
                card[p, c] = drawn
    return forks


def assert_unlike(states, players):
    """Dry cards marked so are pots, each of another colour than the others of its patio; returns how many."""
    marked = states["told"] & UNLIKE != 0
    assert (states["card"][marked] < COLOURS).all()
    assert (states["told"] & ANYTHING_TOLD)[marked].all()
    for c in range(COLOURS):
        assert (((states["card"] == c) & marked).sum(2) <= 1).all()
    return int(marked.sum())
