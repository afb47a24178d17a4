"""Patios: patios are scored at the end of a round (PAT-121 to PAT-126)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.views import count_bits, lowest_bit
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    BROKEN_TRIO,
    COLOURS,
    EXTRA_OVER_TRIO,
    FIRST_BALCONY,
    TRIO,
    WORKS_PENALTY,
    Improvement,
    Phase,
    Todo,
)

from .end import end_scoring
from .patio import balconies_among, cells_of
from .seats import seat_of
from .stock import lies_in

AT = ACTIONS.start


@rule
def next_score(s):
    """In order each patio is scored; the owner of a beautiful Tub names its colour first."""
    if s.step == s.seats:
        end_scoring(s)
        return
    p = seat_of(s, s.step)
    s.step += 1
    s.seat = p
    if lies_in(s, Improvement.TUB, p):
        s.phase = Phase.TUB_COLOUR
    else:
        score_patio(s, p)


@rule
def offer_tub_colours(s, moves):
    """All three (PAT-121)."""
    for c in range(COLOURS):
        offer(moves, AT.tub_colour + c)


@rule
def name_tub(s, c):
    """The Tub counts as a pot of that colour, for trios and balconies (PAT-121)."""
    s.tub_colour = c
    score_patio(s, int(s.seat))


@rule
def pots_of(s, p, c):
    """The beautiful pots of a colour, a Tub that was named so included."""
    count = count_bits(s.flowers[p] & ~s.dry[p] & cells_of(s, p, c, c + 1))
    if s.tub_colour == c and lies_in(s, Improvement.TUB, p):
        count += 1
    return count


@rule
def is_met(s, b, blue, red, green):
    """Whether pots of these numbers meet balcony b; its clay group needs further pots (PAT-009, PAT-010)."""
    blue, red, green = blue - s.need[b, 0], red - s.need[b, 1], green - s.need[b, 2]
    return min(blue, red, green) >= 0 and max(blue, red, green) >= s.group[b]


@rule
def pot_points(count):
    """Loose points for the pots of a colour (PAT-122, PAT-123)."""
    return EXTRA_OVER_TRIO * (count - TRIO) if count >= TRIO else count


@rule
def score_patio(s, p):
    """Trio tokens, pots, balconies, then the cost of works."""
    blue, red, green = pots_of(s, p, 0), pots_of(s, p, 1), pots_of(s, p, 2)
    s.loose[p] += pot_points(blue) + pot_points(red) + pot_points(green)
    s.earned[p] = (blue >= TRIO) + 2 * (red >= TRIO) + 4 * (green >= TRIO)
    for c in range(COLOURS):
        s.trio[p, c] += s.earned[p] >> c & 1
    balconies = balconies_among(s, p, s.flowers[p] & ~s.dry[p])
    while balconies != 0:
        b = s.card[p, lowest_bit(balconies)] - FIRST_BALCONY
        if is_met(s, b, blue, red, green):
            s.loose[p] += s.worth[b]
        balconies &= balconies - 1
    s.todo = Todo.NEXT_SCORE
    if s.works[p]:
        pay_for_works(s, p)


@rule
def pay_for_works(s, p):
    """Two loose points; failing those a trio token is broken, of the owner's choice (PAT-125)."""
    kinds = 0
    for c in range(COLOURS):
        if s.trio[p, c] > 0:
            kinds += 1
    if s.loose[p] >= WORKS_PENALTY or kinds == 0:
        s.loose[p] = max(0, s.loose[p] - WORKS_PENALTY)
    elif kinds > 1:
        s.todo = Todo.NOTHING
        s.phase = Phase.BREAK_TRIO
    else:
        for c in range(COLOURS):
            if s.trio[p, c] > 0:
                break_trio(s, c)
                return


@rule
def offer_tokens(s, moves):
    """The colours of the own trio tokens (PAT-125)."""
    for c in range(COLOURS):
        if s.trio[s.seat, c] > 0:
            offer(moves, AT.break_trio + c)


@rule
def break_trio(s, c):
    """A trio token becomes three points, of which two are paid."""
    p = int(s.seat)
    s.trio[p, c] -= 1
    s.loose[p] += BROKEN_TRIO - WORKS_PENALTY
    s.todo = Todo.NEXT_SCORE
