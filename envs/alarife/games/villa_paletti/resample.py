"""Villa Paletti: redraw what nobody knows, the imperfections.

They follow the posterior given what is public about the building as it stands: that it stands and has survived its
last jolt, the last reading taken of each column, and what lifts and pulls have proved. What was learnt about earlier
buildings is not remembered, as the view does not show it either.

Fresh imperfections are drawn and kept with the probability that the public facts would have come out as they did
(rejection sampling: an accepted draw follows the posterior exactly and owes nothing to the truth). Where the facts are
so unusual that none of many draws is kept, single imperfections of the present ones are redrawn again and again by
Metropolis's rule, which leaves the posterior as it is.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.random import below, uniform
from alarife.engine.stack_array import stack_array as scratch

from .components import CENTRE_SD, COLUMNS, FLOORS, MASS_SD, MOST_CONTACTS, NONE, Cover, Proof, Reading
from .rules.statics import (
    CONTACTS,
    FEET,
    balance,
    copy_edges,
    room_for_contacts,
    room_for_edges,
    room_for_feet,
    room_for_sizes,
    spare_hulls,
    write_building,
    write_edges,
)
from .rules.tremor import draw_imperfections, fall_chance, normal, reading_chance

MOST_TRIES = 400
SWEEPS = 8
CENTRES = 2 * FLOORS
HIDDEN = CENTRES + COLUMNS
room_for_truth = scratch(np.float64, HIDDEN)
room_for_spares = scratch(np.float64, COLUMNS, 2, 3, MOST_CONTACTS + 1)


@rule
def resample(s, seat):
    """Redraw the imperfections; the building, and all that is public, stay as they are."""
    if not s.options.imperfection or s.over:
        return
    if s.floors == 0:
        draw_imperfections(s)
        return
    truth = room_for_truth()
    keep_imperfections(s, truth)
    edges = room_for_edges()
    write_building(s, edges, 1)
    spares = room_for_spares()
    write_felt(s, spares)
    for _ in range(MOST_TRIES):
        draw_imperfections(s)
        if uniform(s) < evidence(s, edges, spares):
            return
    put_imperfections(s, truth)
    before = evidence(s, edges, spares)
    for _ in range(SWEEPS * HIDDEN):
        before = redraw_one(s, before, edges, spares)


@rule
def write_felt(s, spares):
    """The edges of the hulls without each column that has been felt and carries a floor, one column after another."""
    contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
    n = 0
    for c in range(COLUMNS):
        if is_spared(s, c):
            spare_hulls(s, c, contacts, feet, counts)
            write_edges(s, s.level[c], contacts, counts[CONTACTS], spares, n, CONTACTS)
            write_edges(s, s.level[c], feet, counts[FEET], spares, n, FEET)
            n += 1


@rule
def is_spared(s, c):
    """Whether something is known of the building without a column that carries a floor."""
    return s.felt[c] != Reading.NOT_FELT and s.cover[c] != Cover.FREE


@rule
def redraw_one(s, before, edges, spares):
    """A fresh value for one imperfection, kept as often as the facts allow; returns how likely they are now."""
    i = below(s, HIDDEN)
    old = s.centre[i // 2, i % 2] if i < CENTRES else s.excess[i - CENTRES]
    put_imperfection(s, i, CENTRE_SD * normal(s) if i < CENTRES else MASS_SD * normal(s))
    after = evidence(s, edges, spares)
    if uniform(s) * before < after:
        return after
    put_imperfection(s, i, old)
    return before


@rule
def put_imperfection(s, i, number):
    """Set one imperfection: first the floors' centres, then the columns' weights."""
    if i < CENTRES:
        s.centre[i // 2, i % 2] = number
    else:
        s.excess[i - CENTRES] = number


@rule
def keep_imperfections(s, kept):
    """Remember the imperfections."""
    for i in range(HIDDEN):
        kept[i] = s.centre[i // 2, i % 2] if i < CENTRES else s.excess[i - CENTRES]


@rule
def put_imperfections(s, kept):
    """Put remembered imperfections back."""
    for i in range(HIDDEN):
        put_imperfection(s, i, kept[i])


# --- how likely the public facts are ----------------------------------------------------------------


@rule
def evidence(s, edges, spares):
    """How likely all public facts about the present building are with these imperfections."""
    margin, index = balance(s, edges, NONE, True, 1, False)
    if margin < 0.0:
        return 0.0
    chance = 1.0 - fall_chance(index, s.shaken)
    spared = 0
    for c in range(COLUMNS):
        if s.felt[c] != Reading.NOT_FELT and chance > 0.0:
            if s.cover[c] != Cover.FREE:
                copy_edges(spares, spared, edges, FLOORS)
                spared += 1
            chance *= evidence_of(s, c, edges)
    return chance


@rule
def evidence_of(s, c, edges):
    """How likely what is known about the building without one column is; its hulls are the last entry of the edges."""
    margin, index = balance(s, edges, c, True, 1, False)
    chance = reading_chance(s, s.felt[c], index)
    if s.proof[c] != Proof.NOTHING and (margin >= 0.0) != (s.proof[c] == Proof.STANDS):
        return 0.0
    if c == s.chosen and s.pulled > 0.0:
        chance *= 1.0 - fall_chance(index, s.pulled)
    if c == s.chosen and s.held > 0.0:
        above = balance(s, edges, NONE, True, s.level[c] + 2, False)
        chance *= 1.0 - fall_chance(above[1], s.held)
    return chance
