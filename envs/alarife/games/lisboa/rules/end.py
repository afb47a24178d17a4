"""When the game ends, final scoring and rank (sections 20 to 22)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import DECREES, HOUSES, NOBLES, RANKS, RUBBLE, STREETS, Side
from alarife.games.lisboa.rules.decrees import decree_value, majorities, ships_of, stores_on
from alarife.games.lisboa.rules.display_decks import empty_decks
from alarife.games.lisboa.rules.means import purse, sets_of

#: The conditions of a rank, by bit.
CRITERIA = "more wigs", "stores", "stores against Lacerda's", "majorities", "reis", "decrees", "ships"
AT_LEAST, MORE = 1, 2
SETS_PER_PERIOD = 2  # the second rubble set ends period 1, the fourth triggers the end (LIS-237, LIS-250)
EMPTY_DECKS_TO_END = 3

# --- when it ends ----------------------------------------------------------------------------------


@rule
def is_triggered(s):
    """Whether this period is at its end (LIS-237, LIS-250)."""
    return sets_of(s) >= SETS_PER_PERIOD * s.period or empty_decks(s) >= EMPTY_DECKS_TO_END


# --- final scoring --------------------------------------------------------------------------------


@rule
def final_wigs(s, side):
    """What the final scoring pays a side (LIS-255 to LIS-271)."""
    wigs = ships_of(s, side, True)
    for k in range(STREETS):
        tile = s.scoring_tile[k]
        own, other = stores_on(s, side, k), stores_on(s, 1 - side, k)
        wigs += share(own, other, s.tables.majority_first[tile], s.tables.majority_second[tile])
    own, other = hired_by(s, side), hired_by(s, 1 - side)
    wigs += share(own, other, s.tables.officials_first, s.tables.officials_second)
    for n in range(NOBLES):
        wigs += s.tables.wigs_per_favor * s.favor[side, n]
    return wigs + (lacerda_extra(s) if side == Side.LACERDA else human_extra(s))


@rule
def share(own, other, first, second):
    """First or second for the majority, half of both on a tie, nothing without any (LIS-257, LIS-258, LIS-263)."""
    if own == 0:
        return 0
    if own == other:
        return (first + second) // 2
    return int(first) if own > other else int(second)


@rule
def hired_by(s, side):
    """Hired officials; for Lacerda those shown on his plans (LIS-262, LIS-270)."""
    if side == Side.HUMAN:
        return int(s.hired)
    count = 0
    for i in range(s.lacerda_plans_held):
        count += s.tables.plan_officials[s.lacerda_plans[i]]
    return count


@rule
def human_extra(s):
    """Rubble sets, money, with up to six influence turned into it, and decrees (LIS-256, LIS-259 to LIS-261)."""
    wigs = s.tables.wigs_per_rubble_set * sets_of(s)
    wigs += purse(s, s.reis, s.influence[Side.HUMAN]) // s.tables.reis_per_wig
    for d in range(1, DECREES + 1):
        if s.decree_owner[d] == Side.HUMAN:
            wigs += decree_value(s, d)
    return wigs


@rule
def lacerda_extra(s):
    """Rubble cubes, and the same for each decree; nothing for influence (LIS-266, LIS-268, LIS-269)."""
    wigs = s.tables.lacerda_wigs_per_decree * s.decrees_held[Side.LACERDA]
    for k in range(RUBBLE):
        wigs += s.tables.lacerda_wigs_per_cube * s.cubes[Side.LACERDA, k]
    return wigs


@rule
def total_wigs(s, side):
    """Wigs held and the final scoring (LIS-272)."""
    return s.wigs[side] + (0 if s.over else final_wigs(s, side))


# --- rank -----------------------------------------------------------------------------------------


@rule
def criteria_met(s, rank, human, lacerda):
    """Which conditions of a rank hold, as bits in the order of CRITERIA (LIS-274 to LIS-277, LIS-280, LIS-281)."""
    stores, others = HOUSES - s.houses[Side.HUMAN], HOUSES - s.houses[Side.LACERDA]
    versus = s.tables.rank_versus[rank]
    met = 0
    if human > lacerda or (rank == 0 and human == lacerda):
        met |= 1
    if stores >= s.tables.rank_stores[rank]:
        met |= 2
    if versus == 0 or stores > others or (versus == AT_LEAST and stores == others):
        met |= 4
    if majorities(s) >= s.tables.rank_majorities[rank]:
        met |= 8
    if s.reis >= s.tables.rank_reis[rank]:
        met |= 16
    if s.decrees_held[Side.HUMAN] >= s.tables.rank_decrees[rank]:
        met |= 32
    if ships_of(s, Side.HUMAN, False) >= s.tables.rank_ships[rank]:
        met |= 64
    return met


@rule
def rank_of(s, human, lacerda):
    """The highest rank whose conditions all hold, once nothing makes a Jester (LIS-278)."""
    every = (1 << len(CRITERIA)) - 1
    if criteria_met(s, 0, human, lacerda) != every:
        return 0
    rank = 0
    for r in range(1, RANKS):
        if criteria_met(s, r, human, lacerda) == every:
            rank = r
    return rank


@rule
def finish(s):
    """The game is over."""
    human, lacerda = total_wigs(s, Side.HUMAN), total_wigs(s, Side.LACERDA)
    s.rank = rank_of(s, human, lacerda)
    for r in range(RANKS):
        s.met[r] = criteria_met(s, r, human, lacerda)
    s.wigs[Side.HUMAN] = human
    s.wigs[Side.LACERDA] = lacerda
    s.over = 1


@rule
def result(s, r):
    """Wigs of both sides and the place among the four ranks, as if the game ended now (LIS-272, LIS-279)."""
    human, lacerda = total_wigs(s, Side.HUMAN), total_wigs(s, Side.LACERDA)
    rank = s.rank if s.over else rank_of(s, human, lacerda)
    r.score[0] = human
    r.rival = lacerda
    r.places = RANKS
    r.place[0] = RANKS - rank
    r.won = 1 if rank > 0 else 0
