"""Games at the edges of the contract: one decision, choices made at once, six seats, a huge score."""

from __future__ import annotations

from alarife.engine.game import Display, Game, GameState
from alarife.engine.jit import rule
from alarife.engine.layout import Actions, Block, Choice, Features, i8, i32
from alarife.engine.moves import offer
from alarife.engine.options import GameOptions, settings_of
from alarife.engine.random import below
from alarife.engine.result import place_by_key
from alarife.engine.svg import Picture

SEATS = 6
HUGE = 2**31 - 1


class PlainDisplay(Display):
    """Who has chosen; what, once all have."""

    def phrase(self, state, action, seat=None):
        return "chooses" if seat not in (None, state.seat) else f"chooses {action}"

    def text(self, state, seat=None):
        shown = [state.chosen[p] if state.over or seat in (None, p) else min(1, state.chosen[p]) for p in range(SEATS)]
        return f"{state.seats} seats, seat {state.seat} to decide, chosen {shown}, points {list(state.points)}"

    def svg(self, state, seat=None):
        picture = Picture(900, 60, "#ffffff")
        picture.text(10, 40, self.text(state, seat), 12, "#000000")
        return picture.finish()


class State(GameState):
    """Everything that changes."""

    options = settings_of(GameOptions)
    chosen = i8[SEATS].between(0, 4)  # 1 + the action, 0 before
    points = i32[SEATS].between(-(2**31), 2**31 - 1)


ROCK_PAPER_SCISSORS = Actions(show=Choice("show a hand: rock, paper or scissors", hand=3))
SEEN = Features(
    mine=Block(3, "what I have chosen"),
    chosen=Block(SEATS, "seats that have chosen"),
    shown=Block((SEATS, 3), "what each seat has chosen, once all have"),
    seats=Block(SEATS, "seats at the table"),
    seat=Block(SEATS, "the seat to decide"),
    over=Block(1, "1 at the end"),
)
AT = SEEN.start


@rule
def reset(s):
    pass


@rule
def legal(s, moves):
    """Everything is always legal."""
    offer(moves, 0)
    offer(moves, 1)
    offer(moves, 2)


@rule
def apply(s, action):
    """Seats choose one after the other, in secret; then all is shown."""
    s.chosen[s.seat] = 1 + action
    if s.seat < s.seats - 1:
        s.seat += 1
        return
    s.over = 1
    for p in range(s.seats):
        for q in range(s.seats):
            s.points[p] += (s.chosen[p] - s.chosen[q] + 3) % 3 == 1
            s.points[p] -= (s.chosen[q] - s.chosen[p] + 3) % 3 == 1


@rule
def observe(s, seat, view):
    view[AT.over] = s.over
    if s.chosen[seat] > 0:
        view[AT.mine + s.chosen[seat] - 1] = 1
    for i in range(s.seats):
        q = (seat + i) % s.seats
        view[AT.seats + i] = 1
        view[AT.seat + i] = s.seat == q
        view[AT.chosen + i] = s.chosen[q] > 0
        if s.over:
            view[AT.shown + 3 * i + s.chosen[q] - 1] = 1


@rule
def resample(s, seat):
    if not s.over:
        for p in range(s.seats):
            if p != seat and s.chosen[p] > 0:
                s.chosen[p] = 1 + below(s, 3)


@rule
def result(s, r):
    for p in range(s.seats):
        r.score[p] = s.points[p]
        r.key[p] = s.points[p]
    place_by_key(r, s.seats)


@rule
def check(s):
    for p in range(SEATS):
        assert 0 <= s.chosen[p] <= 3, "there are three hands"
        assert (s.chosen[p] > 0) == (p < s.seats and (p < s.seat or s.over > 0)), "seats choose in their order"
        assert s.over or s.points[p] == 0, "points come at the end"


@rule
def advise(s, moves):
    return 0


def _game(name, seats, longest, **rules):
    parts = {
        "state": State, "actions": ROCK_PAPER_SCISSORS, "features": SEEN, "reset": reset, "legal": legal,
        "apply": apply, "observe": observe, "resample": resample, "result": result, "check": check, "advise": advise,
        "display": PlainDisplay(),
    }  # fmt: skip
    return Game(name=name, version=0, title=name, seats=seats, longest=longest, **(parts | rules))


#: Choices made at once, for two to six.
AT_ONCE = _game("at_once", range(2, 7), 6)


@rule
def nothing_hidden(s, seat):
    pass


@rule
def end_at_once(s, action):
    """The only decision of the game."""
    s.chosen[0] = 1 + action
    s.over = 1


@rule
def result_alone(s, r):
    r.score[0] = s.chosen[0]
    r.place[0] = 1 if s.chosen[0] == 3 else 2
    r.places = 2
    r.won = s.chosen[0] == 3
    r.rival = 2


#: One seat, one decision, nothing hidden.
ONE_DECISION = _game(
    "one_decision", [1], 1, apply=end_at_once, resample=nothing_hidden, result=result_alone, open_information=True
)


@rule
def apply_hugely(s, action):
    """Six seats in a row; the last one's choice brings as many points as a score can hold, or costs as many."""
    s.chosen[s.seat] = 1 + action
    if s.seat < s.seats - 1:
        s.seat += 1
        return
    s.over = 1
    s.points[0] = HUGE if action == 0 else -HUGE if action == 1 else 0


#: For six only, with the largest scores there are.
HUGE_SCORES = _game("huge_scores", [6], 6, apply=apply_hugely)
