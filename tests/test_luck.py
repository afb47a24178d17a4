"""Luck tied to the event: two lines of play of one deal meet the same cards."""

import dataclasses
import pickle
from itertools import pairwise

import numba
import numpy as np
import pytest

import alarife
from alarife.engine.batch import Batch
from alarife.engine.errors import FileError, OptionError
from alarife.engine.jit import KERNEL_SETTINGS
from alarife.engine.layout import Record, i8, u64, view_of
from alarife.engine.random import LUCK, begin_luck, below, draw_kind, happens, uniform
from alarife.engine.table import Table
from alarife.players.searching import ISMCTS
from alarife.players.turns import Turns
from alarife.testing import check_game

DIE, COIN, DIAL = 12, 1, 0


class Decks(Record):
    """Two decks and dice, with luck by event."""

    rng = u64
    luck = LUCK
    one = i8[4]
    two = i8[4]


def decks(key):
    s = view_of(Decks.zeros(1))
    s.rng = key
    s.one[:], s.two[:] = 20, 20
    return s


def take(s, deck):
    k = draw_kind(s, deck, int(deck.sum()))
    deck[k] -= 1
    return k


def test_the_cards_of_a_deck_do_not_depend_on_what_else_is_drawn():
    for key in range(50):
        alone, among = decks(key), decks(key)
        cards = [take(alone, alone.one) for _ in range(20)]
        others = []
        for card in cards:
            others += [take(among, among.two), below(among, DIE), happens(among, 0.5), uniform(among)]
            assert take(among, among.one) == card
        assert len(set(map(float, others))) > 4
    s = decks(1)
    assert [take(s, s.one) for _ in range(20)] != [take(s, s.two) for _ in range(20)]  # each deck has luck of its own


def chi_square(counts, expected):
    return float(sum((count - expected) ** 2 / expected for count in counts))


def test_luck_by_event_is_as_even_as_any():
    s = decks(5)
    rolls = [below(s, 6) for _ in range(6000)]
    assert chi_square(np.bincount(rolls, minlength=6), 1000) < 20.5  # 5 degrees of freedom, 0.1 %
    after = np.zeros((6, 6))
    for one, two in pairwise(rolls):
        after[one, two] += 1
    assert chi_square(after.ravel(), 5999 / 36) < 66.6  # 35 degrees of freedom, 0.1 %
    both = np.zeros((4, 6))
    for key in range(4800):  # the first draws of two events of one deal
        s = decks(key * 7919)
        both[take(s, s.one), below(s, 6)] += 1
    assert chi_square(both.ravel(), 200) < 49.7  # 23 degrees of freedom, 0.1 %


def test_a_new_key_begins_all_events_anew():
    s, fresh = decks(1), decks(9)
    for _ in range(3):
        below(s, 6)
    begin_luck(s, np.uint64(9))
    assert [below(s, 6) for _ in range(8)] == [below(fresh, 6) for _ in range(8)]


def test_compiled_luck_is_the_same():
    def draws(records, told):
        s = records[0]
        for i in range(0, told.size, 4):
            told[i] = draw_kind(s, s.one, 80)
            told[i + 1] = draw_kind(s, s.two, 80)
            told[i + 2] = below(s, 6)
            told[i + 3] = happens(s, 0.5)

    one, two = decks(4)._record, decks(4)._record
    compiled, plain = np.zeros(40, np.int64), np.zeros(40, np.int64)
    numba.njit(**KERNEL_SETTINGS)(draws)(np.array([one]), compiled)
    draws([view_of(np.array([two]))], plain)
    assert compiled.tolist() == plain.tolist()
    assert len(set(compiled.tolist())) > 3


def test_luck_by_order_is_the_game_itself(pebbles):
    assert pebbles.with_luck("order") is pebbles.with_luck(None) is pebbles
    lucky = pebbles.with_luck("event")
    assert lucky is pebbles.with_luck("event") is lucky.with_luck(None)
    assert lucky.with_luck("order") is pebbles
    assert pickle.loads(pickle.dumps(lucky)) is lucky
    assert (lucky.id, lucky.layout_digest) == (pebbles.id, pebbles.layout_digest)  # agents play on
    assert lucky.digest != pebbles.digest
    with pytest.raises(OptionError, match=r"no luck called 'events'\. Did you mean 'event'\?"):
        Table(pebbles, 2, luck="events")


@pytest.mark.parametrize("check", [
    "random_play", "compiled_equals_interpreted", "neighbours", "batch_equals_table", "copies", "replays",
    "hidden_information", "information",
])  # fmt: skip
def test_games_with_luck_by_event_keep_the_contract(pebbles, check):
    check_game(pebbles.with_luck("event"), [3], only=[check])


def test_everything_that_makes_games_knows_luck(pebbles, tmp_path):
    tables = [Table(pebbles, 2, seed=3, luck="event"), alarife.table("pebbles", 2, seed=3, luck="event"),
              alarife.make("pebbles", players=2, luck="event").unwrapped.table.reset(3)]  # fmt: skip
    assert len({table.to_bytes() for table in tables}) == 1
    batch = Batch(pebbles, 2, 2, seed=3, luck="event")
    assert alarife.make_batch("pebbles", 2, 2, seed=3, luck="event").state.tobytes() == batch.state.tobytes()
    assert Table(pebbles, 2, luck="event").start(batch.key_of(1)).to_bytes() == batch.state[1].tobytes()
    table = tables[0].play(0)
    alarife.save(table, tmp_path / "game.npz")
    alarife.record(table).write(tmp_path / "game.json")
    for twin in (pickle.loads(pickle.dumps(table)), alarife.load(tmp_path / "game.npz"), table.clone(),
                 list(alarife.Replay.read(tmp_path / "game.json").tables())[-1]):  # fmt: skip
        assert twin.game is pebbles.with_luck("event")
        assert twin.to_bytes() == table.to_bytes()
    assert "agree with the present rules" in alarife.verify(tmp_path / "game.json")
    text = (tmp_path / "game.json").read_text().replace('"luck": "event"', '"luck": "fate"')
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(FileError, match="no luck called 'fate'"):
        alarife.Replay.read(tmp_path / "other.json")


def test_one_search_plays_with_both_kinds_of_luck(pebbles):
    player = ISMCTS("20", seed=1)
    for luck in ("order", "event", "order"):
        table = Table(pebbles, 2, seed=3, luck=luck)
        assert table.mask[int(player.act(Turns.of_table(table))[0])]


def test_two_lines_of_play_draw_the_same_cards_from_one_pile(pebbles):
    # A game in which passing rolls a die, and taking draws a card: the cards are the same however often one passes.
    from alarife.engine.jit import rule
    from teaching_game import rules

    @rule
    def apply(s, action):
        if action == 9:
            below(s, DIE)
        else:
            s.taken[3, 0] = below(s, 5)
        rules.apply(s, action)

    game = dataclasses.replace(pebbles, apply=apply)
    same = {"order": 0, "event": 0}
    for luck in same:
        for seed in range(40):
            one, two = (Table(game, 2, seed=seed, luck=luck, interpreted=True) for _ in range(2))
            one.play(0).play(3)
            two.play(9).play(9).play(0).play(3)
            same[luck] += int(one.state.taken[3, 0] == two.state.taken[3, 0])
    assert same["event"] == 40
    assert same["order"] < 25


def test_an_evaluation_with_luck_by_event(tmp_path):
    pytest.importorskip("openskill")
    from alarife.evaluation.run import Evaluation

    run = Evaluation.make("pebbles", ["random", "scripted"], 2, 4, 7, luck="event")
    run.run(tmp_path / "one")
    assert run.about()["luck"] == "event"
    other = Evaluation.make("pebbles", ["random", "scripted"], 2, 4, 7)
    assert "luck" not in other.about()
    with pytest.raises(FileError, match="luck by event, not by order"):
        other.run(tmp_path / "one")
