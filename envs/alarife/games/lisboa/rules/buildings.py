"""Plans, officials and public buildings (sections 9 and 15)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below
from alarife.games.lisboa.components import (
    COLUMNS,
    EAST,
    MOST_PLANS,
    NOBLES,
    NONE,
    NORTH,
    ROWS,
    RUBBLE,
    SITES,
    Power,
    Side,
    Step,
)
from alarife.games.lisboa.rules.city import west_site
from alarife.games.lisboa.rules.means import clergy_power, gain_wigs
from alarife.games.lisboa.rules.pending import push, take_any

# --- plans ----------------------------------------------------------------------------------------


@rule
def reveal_plan(s, architect):
    """Turn up the next plan of a stack (LIS-023)."""
    s.plan_top[architect] = NONE
    if s.plan_stack_size[architect] > 0:
        s.plan_top[architect] = take_any(s, s.plan_stack[architect], s.plan_stack_size[architect])
        s.plan_stack_size[architect] -= 1


@rule
def plan_choices(s):
    """Stacks with a plan, while H may hold another one (LIS-097, LIS-138)."""
    bits = 0
    if s.plans_held < s.tables.plans_held:
        for a in range(2):
            if s.plan_top[a] != NONE:
                bits |= 1 << a
    return bits


@rule
def take_plan(s, architect):
    """H takes the top plan of a stack."""
    s.plans[s.plans_held] = s.plan_top[architect]
    s.plans_held += 1
    reveal_plan(s, architect)


# --- officials ------------------------------------------------------------------------------------


@rule
def is_full(s, noble):
    """Whether all seats of an office are taken (LIS-099)."""
    return s.office[0, noble] + s.office[1, noble] >= s.tables.office_seats


@rule
def can_enter(s, noble):
    """Whether H may put an official into an office (LIS-100 to LIS-102)."""
    return not is_full(s, noble) or s.office[Side.HUMAN, noble] >= s.office[Side.LACERDA, noble]


@rule
def office_choices(s):
    """Offices that H may enter and has not entered by this action."""
    bits = 0
    if s.officials[Side.HUMAN] > 0:
        for n in range(NOBLES):
            if can_enter(s, n) and not s.more >> n & 1:
                bits |= 1 << n
    return bits


@rule
def can_place_official(s):
    """Whether any official may be placed."""
    return s.officials[Side.HUMAN] > 0 and (can_enter(s, 0) or can_enter(s, 1) or can_enter(s, 2))


@rule
def send_to_plaza(s, noble):
    """In a full office H moves one official to the plaza if he has the most there (LIS-100 to LIS-103)."""
    if is_full(s, noble) and s.office[Side.HUMAN, noble] >= s.office[Side.LACERDA, noble]:
        s.office[Side.HUMAN, noble] -= 1
        s.plaza += 1


@rule
def enter_office(s, side, noble):
    """An official of a side enters an office (LIS-196)."""
    send_to_plaza(s, noble)
    s.officials[side] -= 1
    s.office[side, noble] += 1


@rule
def choose_office(s, noble):
    """H places an official; the next one goes elsewhere (LIS-098, LIS-099, LIS-139)."""
    enter_office(s, Side.HUMAN, noble)
    if s.arg > 1:
        push(s, Step.OFFICE, s.arg - 1, s.more | 1 << noble, 0)


@rule
def officials_to_hire(s, plan):
    """How many officials a plan takes (LIS-161)."""
    return max(1, s.tables.plan_officials[plan] - clergy_power(s, Power.OFFICIAL_DISCOUNT, NONE))


@rule
def officials_at_hand(s):
    """Officials in offices and on the plaza."""
    return s.office[0, 0] + s.office[0, 1] + s.office[0, 2] + s.plaza


# --- public buildings -----------------------------------------------------------------------------


@rule
def reveal_tile(s, architect):
    """Turn up the next building of a stack, with a random side up (LIS-022)."""
    s.tile_top[architect] = NONE
    if s.tile_stack_size[architect] > 0:
        tile = take_any(s, s.tile_stack[architect], s.tile_stack_size[architect])
        s.tile_stack_size[architect] -= 1
        s.tile_top[architect] = 2 * tile + below(s, 2)


@rule
def use_plan_choices(s):
    """Plans whose architect has a building and whose officials H can hire (LIS-160, LIS-161, LIS-167)."""
    bits = 0
    if site_choices(s) == 0:
        return bits
    for i in range(s.plans_held):
        plan = s.plans[i]
        if s.tile_top[s.tables.plan_architect[plan]] != NONE and officials_at_hand(s) >= officials_to_hire(s, plan):
            bits |= 1 << i
    return bits


@rule
def use_plan(s, i):
    """The plan leaves H's hand, the later ones close up (LIS-166, LIS-285)."""
    plan = s.plans[i]
    for j in range(i, MOST_PLANS - 1):
        s.plans[j] = s.plans[j + 1]
    s.plans[MOST_PLANS - 1] = NONE
    s.plans_held -= 1
    s.plan_gone[plan] = 1
    push(s, Step.SITE, plan, 0, 0)


@rule
def site_choices(s):
    """Empty construction spaces."""
    bits = 0
    for i in range(SITES):
        if s.site_tile[i] == NONE:
            bits |= 1 << i
    return bits


@rule
def choose_site(s, site):
    """The space is chosen before the officials (LIS-162)."""
    push(s, Step.HIRE, officials_to_hire(s, s.arg), s.arg, site)


@rule
def hire_choices(s):
    """Offices and the plaza with an official of H."""
    bits = 0
    for n in range(NOBLES):
        if s.office[Side.HUMAN, n] > 0:
            bits |= 1 << n
    if s.plaza > 0:
        bits |= 1 << NOBLES
    return bits


@rule
def hire(s, source):
    """An official moves to the building for good; after the last one it opens (LIS-161, LIS-163)."""
    if source < NOBLES:
        s.office[Side.HUMAN, source] -= 1
    else:
        s.plaza -= 1
    s.hired += 1
    s.site_hired[s.extra] += 1
    if s.arg > 1:
        push(s, Step.HIRE, s.arg - 1, s.more, s.extra)
    else:
        open_building(s, s.more, s.extra)


@rule
def open_building(s, plan, site):
    """H opens: tile, cubes, stores, rewards of space and plan, then the next tile (LIS-164 to LIS-166)."""
    architect = s.tables.plan_architect[plan]
    put_tile(s, Side.HUMAN, architect, site)
    take_site_cubes(s, Side.HUMAN, site)
    score_building(s, site)
    gain_wigs(s, Side.HUMAN, clergy_power(s, Power.OPEN_WIGS, NONE))
    push(s, Step.REVEAL_TILE, architect, 0, 0)
    push(s, Step.EFFECT, s.tables.plan_effect[plan], s.tables.plan_n[plan], s.tables.plan_good[plan])
    push(s, Step.EFFECT, s.tables.site_effect[site], s.tables.site_n[site], s.tables.site_good[site])


@rule
def put_tile(s, owner, architect, site):
    """The top building of a stack goes onto a construction space."""
    s.site_tile[site] = s.tile_top[architect]
    s.site_owner[site] = owner
    s.tile_top[architect] = NONE


@rule
def take_site_cubes(s, side, site):
    """The cubes of a construction space go to the one who opens it (LIS-164)."""
    for k in range(RUBBLE):
        s.cubes[side, k] += s.site_cubes[site, k]
        s.site_cubes[site, k] = 0


@rule
def score_building(s, site):
    """Every matching store in the line pays its owner (LIS-165, LIS-228)."""
    for side in range(2):
        gain_wigs(s, side, line_wigs(s, side, s.site_tile[site], site))


@rule
def line_wigs(s, side, tile, site):
    """What a building would pay a side on a construction space (LIS-007, LIS-165)."""
    wigs = 0
    if NORTH <= site < EAST:
        street = site - NORTH
        good = s.tables.street_good[street]
        for r in range(ROWS):
            for c in range(street, street + 2):
                space = r * COLUMNS + c
                if s.store_owner[space] == side and s.store_street[space] == street:
                    wigs += s.tables.tile_pays[tile, good]
        return wigs
    row = site - EAST if site >= EAST else west_site(site)
    for c in range(COLUMNS):
        space = row * COLUMNS + c
        if s.store_owner[space] == side:
            wigs += s.tables.tile_pays[tile, s.tables.street_good[s.store_street[space]]]
    return wigs
