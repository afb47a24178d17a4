"""Palace of Viana: what a seat may know, what it does not know, and the scripted player (VIA-193 to VIA-197)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.table import Table
from alarife.games.viana import GAME
from alarife.games.viana.components import CARDS, FOUNTAIN, MARKET, NONE, POT, Card, Phase
from games.viana.positions import (
    PLAZA,
    B,
    C,
    adorn,
    do,
    doorway,
    lay_top,
    plant,
    play,
    put_figures,
    put_pawn,
    ready,
    stock,
    table,
)


def forks(t, seat, count):
    """Many redrawn copies of a position."""
    batch = Batch(GAME, 1, t.players, options=t.options)
    batch.load(t.states)
    rows = np.zeros(count, np.int64)
    return batch.fork(
        rows, np.full(count, seat), np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    )


def assert_distribution(seen, chances):
    """Chi-square: the counts come from these chances (a false alarm in about one of ten thousand cases)."""
    assert set(seen) <= set(chances)
    total = sum(seen.values())
    chi = sum((seen[key] - total * chance) ** 2 / (total * chance) for key, chance in chances.items())
    freedom = len(chances) - 1
    assert chi < freedom + 4 * np.sqrt(2 * freedom) + 6


# --- what a seat sees -------------------------------------------------------------------------------


def shown(t, seat):
    """The view of a seat by blocks."""
    return GAME.features.describe(t.observe(seat))


@pytest.mark.rules("VIA-040", "VIA-193")
def test_a_view_shows_the_table_from_the_seat():
    t = put_figures(put_pawn(ready(3), 1, 4), marquise=2, marquis=3, cat=1)
    plant(plant(t, 1, 4, 0, C, scored=1, unscored=1), 2, 5, 1, B)
    adorn(adorn(t, 1, 4, POT), 1, 4, FOUNTAIN, scored=True)
    lay_top(lay_top(t, 0, Card.GIRL), 2, Card.MARQUIS)
    t.state.pawn[2] = MARKET + 5
    t.state.score[1], t.state.score[2] = 40, -160
    view = shown(t.refresh(), 1)
    places = [np.flatnonzero(view["pawn"][i]).tolist() for i in range(5)]
    assert places == [[3], [MARKET + 5], [PLAZA], [], []]
    assert [int(view[name].argmax()) for name in ("marquise", "marquis", "cat", "door")] == [1, 2, 0, doorway(9, 13)]
    assert view["flower"][0, 3, 0] == pytest.approx(1 / 7)
    assert view["flower"][1, 4, 1] == pytest.approx(1 / 7)
    assert view["flower"].sum() == pytest.approx(2 / 7)
    assert view["pot"][0, 3] == pytest.approx(1 / 6)
    assert view["fountain"].sum() == 0
    assert view["scored"][0, 3] == pytest.approx(0.2)  # a flower and a fountain
    assert view["hedge_kind"][3, 0].tolist() == [0, 1, 0]
    assert view["free"][3, 0] == pytest.approx(1 / 8)
    assert (view["pot_free"][3], view["fountain_free"][3]) == (0, 0)
    assert view["courts"][:3].tolist() == pytest.approx([1 / 13, 1 / 13, 0])
    assert view["score"].sum(-1).tolist() == [0.5, -1, 0, 0, 0]  # -160 is held at -1
    assert np.flatnonzero(view["top"][1]).tolist() == [Card.MARQUIS]
    assert np.flatnonzero(view["top"][2]).tolist() == [Card.GIRL]
    assert np.flatnonzero(view["banned"]).tolist() == [Card.MARQUIS, Card.GIRL]
    assert view["held"].tolist() == pytest.approx([0.9, 0.8, 0.8, 0, 0])
    assert view["seats"].tolist() == [1, 1, 1, 0, 0]
    assert view["seat"].tolist() == [0, 0, 1, 0, 0]
    assert view["personal"][0].tolist() == pytest.approx([1 / 7, 2 / 7, 2 / 7, 0, 0])
    assert view["common"][1].tolist() == pytest.approx([5 / 7, 5 / 7, 5 / 7, 1, 1])
    assert view["phase"].argmax() == Phase.CARD


@pytest.mark.rules("VIA-194", "VIA-060")
def test_hands_and_first_cards_are_private():
    t = table(3, buried_cards_visible=True)
    while t.state.phase == Phase.RETURN_FLOWER:
        do(t, "return_flower", flower=B)
    before = [t.observe(seat) for seat in range(3)]
    twin = t.clone()
    play(t, Card.GIRL)
    play(twin, Card.COOK)
    for seat in (1, 2):
        assert np.array_equal(t.observe(seat), twin.observe(seat))
    assert np.flatnonzero(shown(t, 0)["picked"]).tolist() == [Card.GIRL]
    assert len(before) == 3
    t = lay_top(ready(3), 0, Card.GIRL)
    assert shown(t, 1)["other_hand"].sum() == 0


@pytest.mark.rules("VIA-196")
def test_buried_cards_are_left_out_or_remembered():
    open_, closed = (
        lay_top(lay_top(ready(2, buried_cards_visible=visible), 1, Card.GIRL), 1, Card.MARQUIS)
        for visible in (True, False)
    )
    hand = shown(open_, 0)["other_hand"][0]
    assert np.flatnonzero(hand == 0).tolist() == [Card.MARQUIS, Card.GIRL, Card.POET]
    assert shown(open_, 0)["restriction_deck"].tolist() == [1] * 8 + [0.5, 0]
    assert shown(closed, 0)["other_hand"].sum() == 0
    assert shown(closed, 0)["restriction_deck"].sum() == 0


@pytest.mark.rules("VIA-195")
def test_the_bag_has_no_order_in_the_state():
    t = ready(3)
    redrawn = forks(t, 0, 50)
    assert {tuple(bag) for bag in redrawn["bag"].tolist()} == {tuple(t.state.bag.tolist())}  # counts, which are public
    assert len(set(redrawn["rng"].tolist())) == 50  # what is drawn comes from the stream


@pytest.mark.rules("VIA-197")
def test_one_seed_one_game():
    games = [Table(GAME, 3, seed=seed, interpreted=True) for seed in (5, 5, 6)]
    for t in games:
        random = np.random.default_rng(0)
        for _ in range(80):
            t.play(int(random.choice(t.legal())))
    assert games[0].to_bytes() == games[1].to_bytes() != games[2].to_bytes()


# --- what it does not know --------------------------------------------------------------------------


@pytest.mark.parametrize("poet", ["off", "on"])
def test_every_card_may_have_been_picked_first(poet):
    t = table(3, poet=poet)
    while t.state.phase == Phase.RETURN_FLOWER:
        do(t, "return_flower", flower=B)
    play(t, Card.GIRL)
    play(t, Card.COOK)
    redrawn = forks(t, 1, 6000)
    assert set(redrawn["picked"][:, 1].tolist()) == {Card.COOK}  # its own
    cards = CARDS if poet == "on" else CARDS - 1
    assert_distribution(Counter(redrawn["picked"][:, 0].tolist()), dict.fromkeys(range(cards), 1 / cards))
    for row in redrawn[:200]:
        assert row["hand"][0].sum() == row["held"][0] == cards - 1
        assert row["hand"][0, row["picked"][0]] == 0


def buried_sets(redrawn, seat, top):
    """How often each set of cards lies under the visible one."""
    rows = redrawn["hand"][:, seat]
    return Counter(tuple(k for k in range(CARDS - 1) if not row[k] and k != top) for row in rows)


def test_each_set_of_buried_cards_is_as_likely():
    t = ready(3, turn=2)
    for card in (Card.GIRL, Card.GARDENER, Card.MARQUISE):
        lay_top(t, 1, card)
    redrawn = forks(t, 0, 8000)
    assert set(redrawn["held"][:, 1].tolist()) == {6}
    candidates = [k for k in range(9) if k not in (Card.MARQUISE, Card.COOK)]
    pairs = list(combinations(candidates, 2))
    assert len(pairs) == 21
    assert_distribution(buried_sets(redrawn, 1, Card.MARQUISE), dict.fromkeys(pairs, 1 / 21))
    own = lay_top(lay_top(t, 0, Card.GIRL), 0, Card.MARQUIS)
    assert len({row["hand"][0].tobytes() for row in forks(own, 0, 50)}) == 1


def test_a_card_that_was_honked_back_is_in_the_hand():
    t = ready(2, turn=1, honk="call")
    for card in (Card.GARDENER, Card.MARQUIS, Card.MARQUISE):
        lay_top(t, 1, card)
    lay_top(t, 0, Card.GIRL)
    play(t, Card.GIRL)
    redrawn = forks(t, 0, 500)
    assert set(redrawn["under"].tolist()) == {Card.MARQUISE}  # it lay there a moment ago
    assert redrawn["hand"][:, 1, Card.MARQUISE].max() == 0
    do(t, "honk", answer=1)
    redrawn = forks(t, 0, 6000)
    candidates = [k for k in range(9) if k not in (Card.MARQUISE, Card.COOK, Card.GIRL)]
    chances = dict.fromkeys(combinations(candidates, 2), 1 / 15)
    assert_distribution(buried_sets(redrawn, 1, Card.MARQUISE), chances)


def test_the_restriction_deck_is_redrawn_from_all_that_may_lie_there():
    t = ready(2)
    s = t.state
    for card in (Card.MARQUIS, Card.MARQUIS, Card.GIRL):
        s.restriction_deck[card] -= 1
        s.restriction_deck_size -= 1
        s.restriction_pile[card] += 1
    s.restriction = Card.GIRL
    redrawn = forks(t.refresh(), 1, 10_000)
    assert set(redrawn["restriction"].tolist()) == {Card.GIRL}
    assert (redrawn["restriction_deck"].sum(1) == 14).all()
    copies = dict.fromkeys(range(8), 2) | {Card.GIRL: 1}  # of fifteen cards; the Cook is never in the pile
    cards = [k for k, count in copies.items() for _ in range(count)]
    chances = Counter()
    for pair in combinations(cards, 2):
        chances[tuple(sorted(pair))] += 1 / 105
    seen = Counter()
    for pile in redrawn["restriction_pile"]:
        under = pile.copy()
        under[Card.GIRL] -= 1
        seen[tuple(k for k in range(CARDS) for _ in range(under[k]))] += 1
    assert_distribution(seen, chances)


def test_with_buried_cards_visible_only_first_cards_are_redrawn():
    t = ready(2, buried_cards_visible=True)
    for card in (Card.GARDENER, Card.MARQUIS, Card.MARQUISE):
        lay_top(t, 1, card)
    redrawn = forks(t, 0, 50)
    redrawn["rng"] = t.state.rng
    assert {row.tobytes() for row in redrawn} == {t.to_bytes()}


def test_a_fork_looks_the_same_to_its_seat_in_every_phase():
    random = np.random.default_rng(3)
    phases = set()
    for number in range(18):
        players = 2 + number % 4
        options = {"honk": ("mask", "auto", "call")[number % 3], "poet": ("auto", "on")[number // 3 % 2],
                   "startup": ("1", "2")[number // 2 % 2], "buried_cards_visible": number % 5 == 0}  # fmt: skip
        t = Table(GAME, players, options, seed=number)
        while not t.over:
            phases.add(Phase(t.state.phase))
            if random.random() < 0.06:
                for seat in range(players):
                    fork = t.fork(seat, int(random.integers(2**40)))
                    fork.check()
                    assert np.array_equal(fork.observe(seat), t.observe(seat))
                    assert fork.text(seat) == t.text(seat)
                    assert seat != t.seat or np.array_equal(fork.mask, t.mask)
            legal = t.legal()
            t.play(int(legal[-1] if random.random() < 0.3 else random.choice(legal)))
    assert phases >= set(Phase) - {Phase.ANNOUNCE}


# --- the scripted player ----------------------------------------------------------------------------


def wins_against_random(players, games, seed):
    """The share of games that one scripted seat wins, ties divided."""
    batch = Batch(GAME, games, players, seed, restart=False)
    seat = np.arange(games) % players
    rows = np.arange(games)
    while len(rows):
        actions = batch.sample().copy()
        mine = rows[batch.seat[rows] == seat[rows]]
        if len(mine):
            actions[mine] = batch.script(mine)[mine]
        batch.step(actions, rows)
        rows = rows[batch.over[rows] == 0]
    first = batch.final_place[:, :players] == 1
    return float((first[np.arange(games), seat] / first.sum(1)).mean())


@pytest.mark.parametrize(("players", "least"), [(2, 0.97), (3, 0.95), (4, 0.95), (5, 0.95)])
def test_the_scripted_player_beats_random_players(players, least):
    assert wins_against_random(players, 300, seed=11) >= least


def advice(t):
    """The scripted player's action."""
    return GAME.actions.name(GAME.advise(t.state, t.moves.view(type(t.state.bag))[0]))


def test_the_scripted_player_shows_the_marquise_what_it_has():
    t = put_figures(ready(3), marquise=5, cat=4)
    adorn(adorn(plant(t, 0, 6, 0, B), 0, 6, POT), 0, 6, FOUNTAIN)
    plant(t, 1, 3, 0, B)
    assert advice(t) == f"play_card(card={Card.MARQUISE.value})"
    play(t, Card.MARQUISE)
    assert advice(t) == "marquise_to(court=5)"


def test_the_scripted_player_never_asks_for_a_honk():
    t = lay_top(put_figures(ready(3, honk="call"), marquise=5, cat=4), 1, Card.MARQUISE)
    adorn(t, 0, 6, FOUNTAIN)
    assert advice(t) != f"play_card(card={Card.MARQUISE.value})"


def test_the_scripted_player_honks_and_announces_when_ahead():
    t = lay_top(lay_top(ready(3, honk="call"), 1, Card.GIRL), 0, Card.GARDENER)
    play(t, Card.GIRL)
    assert advice(t) == "honk(answer=1)"
    t = stock(ready(2), 0, [0, 0, 0, 0, 0])
    for court in range(1, 14):
        plant(t, 0, court, 0, B if court <= 7 else C)
    play(t, Card.MARQUIS)
    t.play(t.legal()[0])
    assert advice(t) == "announce(answer=1)"
    t.state.score[1] = 90
    assert advice(t) == "announce(answer=0)"
    assert t.state.cat != NONE
