"""Palace of Viana: rules against slow second implementations, and long random games with every invariant checked."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alarife.engine.batch import Batch
from alarife.games.viana import GAME
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import COURTS, FOUNTAIN, NONE, STAND_SIZE, STREET, Card, Phase
from alarife.games.viana.rules import market
from alarife.games.viana.rules.marquise import crosses_cat
from alarife.games.viana.rules.palace import close_doorway, within
from games.viana.positions import plant, play, ready, table

# --- movement ---------------------------------------------------------------------------------------


def neighbours(s, c):
    """Courtyards behind the open doorways of c."""
    pairs = [pair for d, pair in enumerate(s.side[: s.doorways].tolist()) if d != s.door]
    return [other for pair in pairs for other in pair if c in pair and other != c]


def distances(s, start):
    """Steps from a courtyard to all others, by breadth-first search through the open doorways."""
    steps, edge = {start: 0}, [start]
    while edge:
        edge = sorted({other for c in edge for other in neighbours(s, c)} - set(steps))
        steps |= dict.fromkeys(edge, max(steps.values()) + 1)
    return steps


@pytest.mark.rules("VIA-085", "VIA-087", "VIA-089", "VIA-201", "VIA-110")
def test_reach_equals_breadth_first_search_with_any_door():
    t = table()
    s = t.state
    for door in range(16):
        close_doorway(s, door)
        for c in range(COURTS):
            steps = distances(s, c)
            assert len(steps) == COURTS  # no door cuts the palace in two
            assert max(steps.values()) <= 8
            for k in (1, 2, 3):
                assert within(s, c, k) == sum(1 << other for other, d in steps.items() if 1 <= d <= k)
        for i in (0, 1):
            steps = distances(s, s.entrance[i])
            for k in (1, 2, 3):
                assert within(s, STREET + i, k) == sum(1 << other for other, d in steps.items() if d + 1 <= k)


@pytest.mark.rules("VIA-104", "VIA-105", "VIA-202")
def test_the_marquise_s_ways_equal_all_paths_with_any_door_and_cat():
    t = ready()
    s = t.state
    for door, her in product(range(16), range(COURTS)):
        close_doorway(s, door)
        compare_ways(t, her)


def compare_ways(t, her):
    """Where the Marquise may go, and at what cost, with the Cat in any courtyard near her or on the roof."""
    s = t.state
    for cat in {NONE, *(c for c in range(COURTS) if within(s, her, 2) >> c & 1)}:
        s.marquise, s.cat = her, cat
        ways = [(mid, end) for mid in neighbours(s, her) for end in neighbours(s, mid) if end != her]
        ends = {*neighbours(s, her), *(end for _, end in ways)} - {cat}
        assert ends  # she always has a move
        for end in ends:
            free = end in neighbours(s, her) or any(mid != cat for mid, last in ways if last == end)
            assert crosses_cat(s, end) == (not free)
        if (s.door + her) % 7 == 0:
            s.phase = Phase.MARQUISE
            assert set(t.refresh().legal()) == {ACTIONS.encode("marquise_to", court=c) for c in ends}


# --- restocking -------------------------------------------------------------------------------------


def restocked(stands, bag, number):
    """VIA-145 on lists: the stands and the bag afterwards, fountains removed, whether the end is triggered."""
    stands, bag, removed, pointer = [list(stand) for stand in stands], list(bag), 0, 0
    for _ in range(number):
        if sum(map(len, stands)) == 29:
            return stands, bag, removed, False
        if not bag:
            return stands, bag, removed, True
        token = bag.pop(0)
        for i in [*range(pointer, 6), *range(pointer)]:
            if len(stands[i]) < STAND_SIZE[i] and not (token == FOUNTAIN and FOUNTAIN in stands[i]):
                stands[i].append(token)
                pointer = (i + 1) % 6
                break
        else:
            assert token == FOUNTAIN
            removed += 1
    return stands, bag, removed, False


@st.composite
def fillings(draw):
    """Any filling of the stands with at most one fountain each, a bag in some order, a roll of the die."""
    stands = []
    for size in STAND_SIZE.tolist():
        stand = draw(st.lists(st.integers(0, 3), max_size=size))
        if len(stand) < size and draw(st.booleans()):
            stand.append(FOUNTAIN)
        stands.append(stand)
    bag = draw(st.lists(st.integers(0, 4), max_size=14))
    return stands, bag, draw(st.integers(1, 12))


@pytest.mark.rules("VIA-145", "VIA-146", "VIA-147", "VIA-009")
@given(fillings())
@settings(max_examples=150, deadline=None)
def test_restocking_equals_the_rule_on_lists(filling):
    stands, bag, number = filling
    t = table()
    s = t.state
    for i in range(6):
        for kind in range(5):
            s.stand[i, kind] = stands[i].count(kind)
        s.stand_size[i] = len(stands[i])
    for kind in range(5):
        s.bag[kind] = bag.count(kind)
    s.bag_size = len(bag)
    left = list(bag)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(market, "below", lambda s, n: number - 1)
        patch.setattr(market, "draw_kind", lambda s, counts, total: left.pop(0))
        triggered = market.restock(s)
    expected, rest, removed, ends = restocked(stands, bag, number)
    assert [[s.stand[i, k] for k in range(5)] for i in range(6)] == [[x.count(k) for k in range(5)] for x in expected]
    assert s.stand_size.tolist() == [len(stand) for stand in expected]
    assert (s.bag_size, s.unplaced, bool(triggered)) == (len(rest), removed, ends)


# --- the Girl ---------------------------------------------------------------------------------------


class Walk:
    """The Girl's walk as the rulebook tells it: a walk is right if some way to finish it follows."""

    def __init__(self, s):
        self.seats, self.me, self.marquis = s.seats, s.seat, s.marquis
        self.doors = {c: neighbours(s, c) for c in range(COURTS)}
        self.place, self.left, self.walked = s.pawn[s.seat], 3, False
        self.entrance = s.entrance.tolist()
        self.size = s.spots.tolist()
        self.hedges = {
            (c, h): [(q, side) for q in range(s.seats) for side, owned in ((0, s.flower), (1, s.scored_flower))
                     for _ in range(owned[q, c, h])]
            for c in range(COURTS) for h in range(4)
        }  # fmt: skip
        self.kinds = {(c, h): s.hedge_kind[c, h] for c in range(COURTS) for h in range(4)}
        self.final = s.final_turns > 0
        self.tokens = s.tokens[: s.seats].tolist()
        self.carried = None
        self.used = False

    def copy(self):
        twin = object.__new__(Walk)
        twin.__dict__.update(self.__dict__)
        twin.hedges = {at: list(tokens) for at, tokens in self.hedges.items()}
        twin.kinds = dict(self.kinds)
        return twin

    def moves(self):
        """Everything possible from here, whether or not the walk can be finished afterwards."""
        if self.left:
            ways = self.doors[self.place] if self.place < COURTS else [self.entrance[self.place - STREET]]
            yield from (("step", c) for c in ways)
        if self.place < COURTS and self.place != self.marquis:
            if self.carried is None and not self.used:
                for h in range(4):
                    for q in sorted({q for q, scored in self.hedges[self.place, h] if not scored}):
                        last = all(self.tokens[q]) and self.tokens[q][self.place] == 1
                        if not (self.final and last):
                            yield "pick", q, h
            elif self.carried is not None and self.place != self.carried[2]:
                for h in range(4):
                    room = len(self.hedges[self.place, h]) < self.size[self.place][h]
                    if room and (not self.hedges[self.place, h] or self.kinds[self.place, h] == self.carried[1]):
                        yield "drop", h
        if self.walked and self.carried is None:
            yield ("done",)

    def after(self, move):
        twin = self.copy()
        if move[0] == "step":
            twin.place, twin.left, twin.walked = move[1], self.left - 1, True
        elif move[0] == "pick":
            twin.hedges[self.place, move[2]].remove((move[1], 0))
            twin.carried, twin.used = (move[1], self.kinds[self.place, move[2]], self.place), True
        else:
            twin.hedges[self.place, move[1]].append((self.carried[0], 0))
            twin.kinds[self.place, move[1]] = self.carried[1]
            twin.carried = None
        return twin

    def can_be_finished(self, move):
        return move == ("done",) or any(self.after(move).can_be_finished(m) for m in self.after(move).moves())

    def legal(self):
        return {move for move in self.moves() if self.can_be_finished(move)}

    def action(self, move):
        if move[0] == "step":
            return ACTIONS.encode("girl_step", court=move[1])
        if move[0] == "pick":
            return ACTIONS.encode("girl_pick", owner=(move[1] - self.me) % self.seats, hedge=move[2])
        return ACTIONS.encode("girl_drop", hedge=move[1]) if move[0] == "drop" else ACTIONS.encode("done")


def compare_walks(t, walk):
    """Masks against the slow walk, over all ways to go on; returns how many positions were compared."""
    legal = walk.legal()
    if walk.left == 0 and walk.carried is None:  # the walk has ended by itself
        assert t.state.seat != walk.me
        return 1
    assert {walk.action(move) for move in legal} == set(t.legal())
    compared = 1
    for move in sorted(legal):
        if move != ("done",):
            compared += compare_walks(t.clone().play(walk.action(move)), walk.after(move))
    return compared


@pytest.mark.rules("VIA-122", "VIA-123", "VIA-124", "VIA-125", "VIA-126", "VIA-127", "VIA-128", "VIA-129", "VIA-130")
@pytest.mark.parametrize("seed", range(12))
def test_the_girl_s_masks_equal_all_walks_by_brute_force(seed):
    random = np.random.default_rng(seed)
    t = ready(3)
    s = t.state
    close_doorway(s, int(random.integers(16)))
    s.marquis = int(random.integers(COURTS))
    s.cat = NONE
    pawn = int(random.integers(COURTS + 2))
    s.pawn[0] = pawn
    near = [c for c in range(COURTS) if pawn < COURTS and (c == pawn or within(s, pawn, 2) >> c & 1)]
    for _ in range(30):  # a crowded surrounding, where room is scarce
        c = int(random.choice(near)) if near and random.random() < 0.8 else int(random.integers(COURTS))
        h, p, kind = int(random.integers(4)), int(random.integers(3)), int(random.integers(3))
        if s.free[c, h] and s.hedge_kind[c, h] in (NONE, kind) and s.common[p, kind]:
            scored = int(random.random() < 0.3)
            plant(t, p, c + 1, h, kind, scored=scored, unscored=1 - scored)
    if seed % 3 == 0:  # player 1 has thirteen courtyards in the final round
        for c in range(COURTS):
            if not s.tokens[1, c]:
                s.scored_pot[1, c] += 1
                s.tokens[1, c] += 1
                s.courts[1] += 1
        s.final_turns = 3
    t.refresh()
    play(t, Card.GIRL)
    assert compare_walks(t, Walk(t.state)) > 5


# --- long games -------------------------------------------------------------------------------------


LINE_UPS = [
    (players, {"honk": honk, "startup": startup, "poet": poet, "buried_cards_visible": buried})
    for players, honk, startup, poet, buried in product(
        (2, 3, 4, 5), ("mask", "auto", "call"), ("1", "1_main", "2"), ("auto", "on"), (False, True)
    )
]


@pytest.mark.rules("VIA-210", "VIA-211", "VIA-212", "VIA-213", "VIA-214", "VIA-200", "VIA-201", "VIA-205", "VIA-018")
@pytest.mark.parametrize("part", range(8))
def test_every_line_up_keeps_the_invariants_in_random_games(part):
    low, high = GAME.features.bounds(GAME.features.dtype)
    for number, (players, options) in enumerate(LINE_UPS[part::8]):
        batch = Batch(GAME, 12, players, seed=1000 * part + number, options=options)
        ended = np.zeros(12, bool)
        rows = np.arange(12)
        while not ended.all():
            batch.step(batch.sample())
            batch.check()
            ended |= batch.finished
            views = batch.view(rows, rows % players)
            assert ((views >= low) & (views <= high)).all()
        assert batch.final_decisions.max() <= GAME.longest


@pytest.mark.rules("VIA-204", "VIA-205")
def test_turns_and_games_are_bounded():
    batch = Batch(GAME, 64, 5, seed=4, options={"max_rounds": 8, "honk": "call"})
    turns = np.array(batch.state["turns"])
    since = np.zeros(64, int)
    for _ in range(700):
        batch.step(batch.sample())
        since = np.where(batch.state["turns"] == turns, since + 1, 0)
        turns = np.array(batch.state["turns"])
        assert since.max() <= 14 + 10  # the setup's ten decisions count into the first turn
        assert turns.max() <= 8 * 5 + 5
    assert (batch.final_decisions[batch.final_decisions > 0] <= 10 + 14 * 45).all()
