"""Chance as a tree, and made to come out."""

import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import alarife
from alarife.engine.errors import ChanceError, FileError, IllegalAction
from alarife.engine.jit import rule
from alarife.engine.random import below, draw_kind, happens, uniform
from alarife.engine.table import Table
from alarife.games.viana.components import FOUNTAIN, STAND_SIZE, Card
from games.viana import positions as viana
from toy_games import KUHN


def test_the_deal_of_kuhn():
    table = Table(KUHN, 2, seed=1)
    outcomes = table.chance()
    assert [o.probability for o in outcomes] == [Fraction(1, 6)] * 6
    cards = {tuple(int(c) for c in table.clone().deal(o).state.card) for o in outcomes}
    assert cards == {(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)}


def test_an_action_without_luck_has_one_outcome():
    table = Table(KUHN, 2, seed=1)
    assert [(o.probability, o.draws) for o in table.chance(1)] == [(1, ())]
    assert table.clone().play(1, chance=table.chance(1)[0]).to_bytes() == table.play(1).to_bytes()


def test_the_deal_of_the_teaching_game(pebbles):
    for players in (2, 3):
        outcomes = Table(pebbles, players, seed=1).chance()
        assert [o.probability for o in outcomes] == [Fraction(1, 3**players)] * 3**players


@pytest.mark.rules("VIV-005", "VIV-140")
def test_a_card_of_viva_is_as_likely_as_its_share_of_the_stack():
    table = alarife.table("viva", 2, seed=5)
    s = table.state
    shown = Counter(int(k) for k in [s.general, s.personal, *s.top] if k >= 0)
    left = {kind: 6 - int(s.hand[:, kind].sum()) - shown[kind] for kind in range(21)}  # six copies of each type
    total = 126 - 5 - 5 - sum(shown.values())  # two hands of five
    assert sum(left.values()) == total
    before = s.hand[table.seat].copy()
    drawn = {}
    for outcome in table.chance("draw()"):
        after = table.clone().play("draw()", chance=outcome).state.hand[table.seat]
        drawn[int(np.argmax(after - before))] = outcome.probability
    assert drawn == {kind: Fraction(count, total) for kind, count in left.items() if count}
    assert sum(drawn.values()) == 1


@pytest.mark.rules("VIA-033", "VIA-145")
def test_a_token_of_viana_is_as_likely_as_its_share_of_the_bag():
    # Three players: 20, 20, 20, 17, 13 tokens. All places of the market but one are filled by hand, so that the die
    # does not matter: one token is drawn.
    table = viana.ready()
    s = table.state
    counts = [20, 20, 20, 17, 13]
    s.stand[:] = 0
    s.stand_size[:] = 0
    for i in range(6):
        for place in range(STAND_SIZE[i] - (i == 2)):
            kind = place % 4
            s.stand[i, kind] += 1
            s.stand_size[i] += 1
            counts[kind] -= 1
    for kind in range(5):
        s.bag[kind] = counts[kind]
    s.bag_size = sum(counts)
    table.refresh().check()
    action = table.game.actions.encode("play_card", card=Card.COOK)
    drawn = {}
    for outcome in table.chance(action):
        after = table.clone().play(action, chance=outcome).state
        drawn[int(np.argmax(after.stand[2] - s.stand[2]))] = outcome.probability
    # Every stand holds one of the first four kinds, and the four that are full and have five places a second
    # bougainvillea: 10, 6, 6, 6 of 28. The other 62 of the 90 are in the bag.
    assert counts == [20 - 10, 20 - 6, 20 - 6, 17 - 6, 13]
    assert drawn == {kind: Fraction(count, 62) for kind, count in enumerate(counts)}
    assert drawn[FOUNTAIN] == Fraction(13, 62)


def test_a_deal_of_many_cards_is_too_large():
    with pytest.raises(ChanceError, match="the outcomes of the deal are too many to enumerate, more than 200"):
        alarife.table("viva", 2, seed=5).chance(most=200)


@pytest.mark.parametrize(("draw", "expected"), [
    (lambda s: below(s, 3), {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3)}),
    (lambda s: happens(s, 0.25), {0: Fraction(3, 4), 1: Fraction(1, 4)}),
    (lambda s: happens(s, 1.0), {1: Fraction(1)}),
    (lambda s: draw_kind(s, s.taken[0], 3), {0: Fraction(1, 3), 2: Fraction(2, 3)}),
    (lambda s: min(below(s, 2), below(s, 2)), {0: Fraction(3, 4), 1: Fraction(1, 4)}),
    (lambda s: 2 if below(s, 2) else below(s, 2), {0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)}),
])  # fmt: skip
def test_probabilities_are_those_that_the_rules_name(pebbles, draw, expected):
    assert {int(s.passed[0]): p for s, p in chance_of(pebbles, draw)} == expected


def chance_of(pebbles, draw):
    """The states after a pass whose rule draws and writes down what came out."""
    import dataclasses

    @rule
    def apply(s, action):
        s.taken[0, 0], s.taken[0, 2] = 1, 2
        s.passed[0] = draw(s)

    table = Table(dataclasses.replace(pebbles, apply=apply), 2, seed=1, interpreted=True)
    return [(table.clone().play(9, chance=o).state, o.probability) for o in table.chance(9)]


def test_a_continuum_and_endless_draws_are_told(pebbles):
    with pytest.raises(ChanceError, match=r"pass_turn.* cannot be enumerated: a number is drawn from a continuum"):
        chance_of(pebbles, lambda s: int(uniform(s) < 0.5))

    def until_a_three(s):
        while below(s, 4) != 3:
            pass
        return 1

    with pytest.raises(ChanceError, match=r"pass_turn.* too many to enumerate: each takes over 1000 draws"):
        chance_of(pebbles, until_a_three)


@pytest.mark.parametrize(("chance", "sentence"), [
    ([0, 0], r"draw 1 of draw\(\), draw_kind of 115, can be .*, got 40"),
    ([["below", 115, 0]], r"draw 1 of draw\(\) is draw_kind of 115, got \['below', 115, 0\]"),
    ([], r"draw\(\) draws more than the 0 outcomes given: the next is draw_kind of 115"),
    ([0, 0], r"draw\(\) makes 1 draws, got outcomes for 2"),
    (["x"], "comes out as a number, got 'x'"),
    (3, "chance is an outcome of `chance\\(\\)`, a list of what is drawn or a generator, got 3"),
])  # fmt: skip
def test_what_cannot_come_out_is_refused_and_nothing_happens(chance, sentence):
    table = alarife.table("viva", 2, seed=5)
    if "got 40" in sentence:
        chance = [40]
    before = table.to_bytes(), list(table.history), table.rewards.copy().tolist()
    with pytest.raises(ChanceError, match=sentence):
        table.play("draw()", chance=chance)
    assert (table.to_bytes(), list(table.history), table.rewards.tolist()) == before


def test_an_illegal_action_has_no_chance(pebbles):
    with pytest.raises(IllegalAction, match="Legal now"):
        Table(pebbles, 2, seed=1).chance(40)


def test_forced_chance_pays_shows_and_goes_on_like_any_other():
    plain = Table(KUHN, 2, seed=3, reward="score")
    forced = Table(KUHN, 2, seed=8, reward="score").deal(
        [int(plain.state.card[0]), (plain.state.card[1] - plain.state.card[0] - 1) % 3]
    )
    for action in (1, 1):
        plain.play(action)
        forced.play(action, chance=[])
        assert np.array_equal(plain.views, forced.views)
        assert np.array_equal(plain.masks, forced.masks)
        assert np.array_equal(plain.rewards, forced.rewards)
    assert plain.scores() == forced.scores()
    # A forced draw takes as many words of the stream as a free one: what follows does not depend on it.
    one, two = (alarife.table("viva", 2, seed=5).play("draw()", chance=[kind]) for kind in (0, 1))
    assert one.state.rng == two.state.rng == alarife.table("viva", 2, seed=5).play("draw()").state.rng


def forced_game():
    table = alarife.table("viva", 2, seed=5)
    table.play("draw()", chance=[4])
    for _ in range(8):
        table.play(table.legal()[-1])
    return table


def test_replays_hold_forced_chance(tmp_path):
    table = forced_game()
    alarife.record(table).write(tmp_path / "game.json")
    assert "agree with the present rules" in alarife.verify(tmp_path / "game.json")
    replay = alarife.Replay.read(tmp_path / "game.json")
    assert replay.forced == [1]
    assert list(replay.tables())[-1].to_bytes() == table.to_bytes()
    deal = Table(KUHN, 2, seed=1).deal([2, 1]).play(0)
    copy = pickle.loads(pickle.dumps(alarife.table("viva", 2, seed=5).play("draw()", chance=[4])))
    assert copy.past.forced == {1: (("draw_kind", 115, 4),)}
    assert deal.past.forced == {0: (("below", 3, 2), ("below", 2, 1))}
    text = (tmp_path / "game.json").read_text().replace('["draw_kind", 115, 4]', '["draw_kind", 115, 99]')
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(FileError, match=r"decision 1, draw\(\) of player_\d: draw 1 of draw\(\)"):
        alarife.verify(tmp_path / "other.json")


def test_information_and_saves_know_forced_chance(tmp_path):
    table = forced_game()
    alarife.save(table, tmp_path / "game.npz")
    for twin in (alarife.load(tmp_path / "game.npz"), pickle.loads(pickle.dumps(table))):
        assert twin.information(0) == table.information(0)
        assert twin.information_key(1) == table.information_key(1)
        alarife.record(twin)
    assert table.reset(5).past.forced == {}
