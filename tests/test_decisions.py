"""Decisions as data: the rules that follow from the table, and tables that do not fit."""

import enum
import re
from types import SimpleNamespace

import pytest

from alarife.engine.decisions import Decision, Decisions, always, best_by, by_family, by_phase, offered_families
from alarife.engine.errors import AlarifeError, ConformanceError, OptionError
from alarife.engine.jit import rule
from alarife.engine.layout import Actions, Choice
from alarife.engine.moves import offer
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.engine.table import Table
from alarife.testing import check_game
from rules_report import rules_of
from teaching_game import GAME as PEBBLES
from toy_games import KUHN


class Phase(enum.IntEnum):
    BID = 0
    PLAY = 1
    LAST = 2


ACTIONS = Actions(
    bid=Choice("bid", tricks=3), card=Choice("play a card", suit=2, rank=4), knock=Choice("knock"),
    move=Choice("move", a=2, b=3, c=2),
)  # fmt: skip
AT = ACTIONS.start
at_card = ACTIONS.encoder("card")


class State:
    """What the rules below write into."""

    phase, told = 0, ()


@rule
def offer_bids(s, moves):
    for tricks in range(3):
        offer(moves, AT.bid + tricks)


@rule
def offer_cards(s, moves):
    offer(moves, at_card(1, 3))
    offer_knock(s, moves)


@rule
def offer_knock(s, moves):
    offer(moves, AT.knock)


@rule
def offer_last(s, moves):
    offer(moves, AT.move + 11)
    offer(moves, AT.knock)


def bid(s, tricks):
    s.told = "bid", tricks


def card(s, suit, rank):
    s.told = "card", suit, rank


def knock(s):
    s.told = ("knock",)


def knock_last(s):
    s.told = ("knock last",)


def move(s, a, b, c):
    s.told = "move", a, b, c


def rows(**changed):
    made = {
        "bids": Decision(Phase.BID, "how many tricks", offer_bids, bid=bid),
        "cards": Decision(Phase.PLAY, "a card, or knock", offer_cards, card=card, knock=knock),
        "last": Decision(Phase.LAST, "a move, or knock", offer_last, move=move, knock=knock_last),
    } | changed
    return [row for row in made.values() if row is not None]


def refusal(*table, actions=ACTIONS):
    with pytest.raises(AlarifeError) as told:
        Decisions(actions, *table)
    assert str(told.value).count("\n") == 0
    return str(told.value)


def played(decisions, phase, action):
    state = State()
    state.phase = int(phase)
    decisions.choose(state, action)
    return state.told


@pytest.mark.parametrize("order", [1, -1])
def test_each_action_reaches_its_rule_with_its_parameters(order):
    decisions = Decisions(ACTIONS, *rows()[::order])
    assert [played(decisions, Phase.BID, ACTIONS.encode("bid", tricks=n)) for n in range(3)] == [
        ("bid", n) for n in range(3)
    ]
    for suit in range(2):
        for rank in range(4):
            assert played(decisions, Phase.PLAY, ACTIONS.encode("card", suit=suit, rank=rank)) == ("card", suit, rank)
    for a, b, c in [(0, 0, 1), (0, 2, 0), (1, 0, 0), (1, 2, 1)]:
        assert played(decisions, Phase.LAST, ACTIONS.encode("move", a=a, b=b, c=c)) == ("move", a, b, c)
    assert played(decisions, Phase.PLAY, AT.knock) == ("knock",)
    assert played(decisions, Phase.LAST, AT.knock) == ("knock last",)


def test_each_phase_offers_its_own():
    decisions, state = Decisions(ACTIONS, *rows()), State()
    wanted = {Phase.BID: [0, 1, 2], Phase.PLAY: [3 + 7, 11], Phase.LAST: [12 + 11, 11]}
    for phase, actions in wanted.items():
        state.phase = int(phase)
        moves = _Moves()
        decisions.legal(state, moves)
        assert list(moves.at) == actions
        assert decisions.words(state) == {0: "how many tricks", 1: "a card, or knock", 2: "a move, or knock"}[phase]


class _Moves:
    """A list of moves that grows."""

    def __init__(self):
        self.at, self.count = _Growing(), 0


class _Growing(list):
    def __setitem__(self, i, value):
        assert i == len(self)
        self.append(value)


def test_what_an_offer_names_is_found_through_the_rules_that_it_calls():
    assert offered_families(offer_cards, ACTIONS) == {"card", "knock"}
    assert offered_families(offer_bids, ACTIONS) == {"bid"}
    assert offered_families(offer_cards, Actions(card=Choice("of another game"))) == set()


@pytest.mark.parametrize(("table", "words"), [
    ([], "a game needs a decision"),
    (rows(last=None), "nothing is decided in LAST"),
    (rows(more=Decision(Phase.PLAY, "a card", offer_cards, card=card, knock=knock)), "PLAY stands twice"),
    (rows(bids=Decision(Phase.BID, "tricks", offer_bids, bit=bid)), "no actions called bit. Did you mean 'bid'?"),
    (rows(bids=Decision(Phase.BID, "tricks", offer_bids)), "BID: nothing may be chosen"),
    (rows(bids=Decision(Phase.BID, "", offer_bids, bid=bid)), "BID: say in words what is decided"),
    (rows(bids=Decision(Phase.BID, "tricks", offer_bids, bid=bid, knock=knock)), "BID: knock is never offered there"),
    (rows(cards=Decision(Phase.PLAY, "a card", offer_cards, card=card)),
     "PLAY: knock may be offered, and nothing says what it does"),
    (rows(last=Decision(Phase.LAST, "to knock", offer_knock, knock=knock)), "no decision carries out move"),
    (rows(bids=Decision(None, "tricks", offer_bids, bid=bid)), "only a game with one decision leaves its phase out"),
])  # fmt: skip
def test_tables_that_do_not_fit_are_refused_in_a_sentence(table, words):
    assert words in refusal(*table)


def test_a_family_of_four_parameters_is_refused():
    wide = Actions(bid=Choice("bid", a=2, b=2, c=2, d=2))
    assert "takes up to three" in refusal(Decision(None, "a bid", offer_bids, bid=bid), actions=wide)


def test_a_game_without_decisions_gives_its_own_rules():
    assert KUHN.decisions is None
    with pytest.raises(OptionError, match="declares its decisions, or the rules legal and apply"):
        _made_of(KUHN, legal=None)


def _made_of(game, **changes):
    from dataclasses import fields

    given = {field.name: getattr(game, field.name) for field in fields(game)}
    return type(game)(**given | changes)


def test_worth_by_family_has_every_family():
    worth = by_family(ACTIONS, bid=lambda s, n: n, card=lambda s, suit, rank: 10 * suit + rank, knock=always(7),
                      move=lambda s, a, b, c: a + b + c)  # fmt: skip
    assert [worth(None, action) for action in (0, 2, 3, 10, 11, 12, 23)] == [0, 2, 0, 13, 7, 0, 4]
    with pytest.raises(AlarifeError, match="no rule for the actions card, move"):
        by_family(ACTIONS, bid=always(1), knock=always(1))
    with pytest.raises(AlarifeError, match="no actions called cart"):
        by_family(ACTIONS, cart=always(1))


def test_the_best_action_is_the_first_among_equals():
    moves = _Moves()
    for action in (4, 2, 9, 5):
        offer(moves, action)
    assert best_by(lambda s, action: action // 2)(None, moves) == 9
    assert best_by(lambda s, action: -action)(None, moves) == 2
    assert best_by(always(1))(None, moves) == 4


def test_the_script_follows_the_rule_of_the_phase_in_any_order_and_plays_a_lone_action_unasked():
    def asked_for_nothing(s, moves):
        raise AssertionError("there was no choice")

    advise = by_phase({Phase.LAST: lambda s, moves: 7, Phase.BID: lambda s, moves: 5, Phase.PLAY: asked_for_nothing})
    moves = _Moves()
    offer(moves, 3)
    assert [advise(SimpleNamespace(phase=phase), moves) for phase in Phase] == [3, 3, 3]
    offer(moves, 4)
    assert [advise(SimpleNamespace(phase=phase), moves) for phase in (Phase.BID, Phase.LAST)] == [5, 7]
    with pytest.raises(AlarifeError, match="no advice for the phases BID, LAST"):
        by_phase({Phase.PLAY: asked_for_nothing})


@pytest.mark.parametrize("name", [name for name in game_names() if is_installed(name)])
def test_decisions_name_rules_that_there_are(name):
    game = find_game(name)
    known = rules_of(game.folder / "RULES.md")
    for row in game.decisions.rows if game.decisions else ():
        named = re.findall(r"[A-Z]{3}-[0-9]{3}", row.rules)
        assert named and not set(named) - set(known), f"{name}, {row.name}: {row.rules}"


@pytest.mark.parametrize("name", [*game_names()])
def test_every_game_tells_its_decisions(name):
    game = find_game(name)
    if game.decisions is None:
        pytest.skip("a stranger's game may give plain rules")
    assert {family for row in game.decisions.rows for family in row.choices} == set(game.actions.families)
    table = Table(game, seed=1)
    assert game.decided(table.state) == [f"player_{table.seat} decides: {game.decisions.words(table.state)}"]


def test_the_kit_finds_an_offer_that_the_table_does_not_know(monkeypatch):
    """As where an offer goes by a number that the check of names cannot see."""
    (row,) = PEBBLES.decisions.rows
    game = _made_of(PEBBLES)
    monkeypatch.setattr(row, "choices", {"take": row.choices["take"]})
    with pytest.raises(ConformanceError, match="pass_turn is offered in the decision, where nothing says what it does"):
        check_game(game, players=[2], only=["random_play"])
