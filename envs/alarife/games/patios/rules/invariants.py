"""Patios: what always holds (section 22)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.patios.components import (
    BALCONY_TOLD,
    CANE,
    CANE_COPIES,
    CELLS,
    CHARACTERS,
    COINS,
    FIRST_BALCONY,
    FLOWER_CARDS,
    IMPROVEMENTS,
    INNER,
    KINDS,
    LADDER,
    LOTS,
    NONE,
    PLAYERS,
    POT_COPIES,
    TUB,
    Character,
    Improvement,
    Phase,
    Place,
)

from .drafts import is_drafting
from .patio import is_balcony, sorts_told
from .phases import check_phase
from .row import table_number
from .stock import hose_on_ladder


@rule
def check(s):
    """Assert all invariants: section 22 of the rules."""
    is_unscored = s.ending and not s.over and s.phase < Phase.KEEP_UP
    assert s.capped <= s.round + is_unscored, "PAT-113: more rounds were stopped than ended"
    check_flower_cards(s)
    check_draft(s)
    check_improvements(s)
    check_row_of_characters(s)
    coins = int(s.reserve)
    for p in range(s.seats):
        coins += s.coins[p]
        check_patio(s, p)
        assert s.loose[p] >= 0, "PAT-125: a player has less than no points"
    assert coins == COINS, "PAT-220: the coins are not all there"
    if not s.over:
        check_phase(s)


@rule
def check_flower_cards(s):
    """PAT-220: every flower card is somewhere."""
    total = 0
    deck, discard, sample, draft = 0, 0, 0, 0
    for k in range(KINDS):
        count = s.deck[k] + s.discard[k] + s.sample[k] + s.draft[k] + (s.held == k)
        deck += s.deck[k]
        discard += s.discard[k]
        sample += s.sample[k]
        draft += s.draft[k]
        for p in range(s.seats):
            count += (s.dealt[p, 0] == k) + (s.dealt[p, 1] == k)
            for c in range(CELLS):
                count += s.card[p, c] == k
        if k == CANE:
            count += s.ladder_canes
        if k < CANE:
            assert count == POT_COPIES, "PAT-220: the pots of a colour are not all there"
        elif k == CANE:
            assert count == CANE_COPIES, "PAT-220: the canes are not all there"
        else:
            assert count == s.copies[k - FIRST_BALCONY], "PAT-220: the balconies are not all there"
        total += count
    assert total == FLOWER_CARDS, "PAT-220: the flower cards are not all there"
    assert deck == s.deck_size, "PAT-220: the deck is not as large as it says"
    assert discard == s.discard_size, "PAT-220: the discards are not as many as it says"
    assert sample == s.sampled, "PAT-220: the sample is not as large as it says"
    assert draft == s.drafted, "PAT-220: the draft is not as large as it says"


@rule
def check_improvements(s):
    """PAT-220: every improvement is in one place, and what lies in a patio lies where it says."""
    for p in range(s.seats):
        held = 0
        for i in range(IMPROVEMENTS):
            held += s.place[i] == Place.HAND and s.keeper[i] == p
        assert held == s.unused[p], "PAT-220: unused improvements are not as many as it says"
    for i in range(IMPROVEMENTS):
        if s.place[i] == Place.PATIO:
            assert 0 <= s.keeper[i] < s.seats and s.spot[i] != NONE, "PAT-220: an improvement lies in no patio"
            thing = s.card[s.keeper[i], s.spot[i]]
            on_ladder = i == Improvement.HOSE and hose_on_ladder(s)
            assert thing == (LADDER if on_ladder else KINDS + i), "PAT-220: an improvement does not lie where it says"
    for k in range(s.stock_size):
        assert s.place[s.stock[k]] == Place.STOCK, "PAT-220: a card of the improvement deck is elsewhere"
    assert s.ladder_canes == 0 or s.place[Improvement.LADDER] == Place.PATIO, "PAT-161: canes lie on no ladder"


@rule
def check_row_of_characters(s):
    """PAT-221: the row holds each character once, d of them face down before each turn."""
    if s.turns == 0:
        return
    seen, down = 0, 0
    for k in range(s.row_size):
        seen |= 1 << s.row[k]
        down += s.face_up[s.row[k]] == 0
        assert s.public[s.row[k]] or not s.face_up[s.row[k]], "PAT-195: a face-up character is unknown"
    everyone = (1 << CHARACTERS) - 1
    if s.options.playground:
        everyone &= ~(1 << Character.NEIGHBOUR)
    assert seen == everyone, "PAT-221: the row does not hold each character once"
    assert s.face_up[Character.VISITORS], "PAT-031: Visitors lie face down"
    if s.phase == Phase.TURN and not s.over:
        assert s.flamenco or down == table_number(s), "PAT-221: the wrong number of characters is face down"
        assert s.row[0] != Character.SUN, "PAT-221: the Sun is first"
        assert s.row[0] != Character.VISITORS, "PAT-221: Visitors are first"


@rule
def check_patio(s, p):
    """PAT-222, and the sets of cells agree with the cards."""
    assert s.works[p] or (s.filled[p] & ~INNER) == 0, "PAT-222: an outer cell is taken without works"
    assert (s.dry[p] & ~s.flowers[p]) == 0, "PAT-041: something other than a flower card lies face down"
    assert (s.glimpse[p] & ~s.dry[p]) == 0, "PAT-180: an owner glimpses a card that is not dry"
    for c in range(CELLS):
        thing = s.card[p, c]
        flower = thing == TUB or (0 <= thing < KINDS and thing != CANE)
        assert (s.filled[p] >> c & 1) == (thing != NONE), "PAT-008: a cell is taken by nothing"
        if s.told[p, c] != 0:
            assert s.dry[p] >> c & 1, "PAT-202: something is told of a card that does not lie dry"
            sort = BALCONY_TOLD if is_balcony(thing) else 1 << max(int(thing), 0)
            assert thing == TUB or sorts_told(s, p, c) & sort, "PAT-202: a dry card is not what all have seen it to be"
        assert (s.flowers[p] >> c & 1) == flower, "PAT-220: the set of flower cards is wrong"
        assert (s.canes[p] >> c & 1) == (thing == CANE), "PAT-220: the set of canes is wrong"


@rule
def check_draft(s):
    """Of each lot of the Assistant's cards a seat has taken one, and whose lot it is is known."""
    assert not is_drafting(s) or s.caller[0] == s.turn_of, "PAT-065: another seat called the Assistant"
    found = 0  # the numbers of cards that are followed, as bits
    for p in range(s.seats):
        for c in range(CELLS):
            if s.lot[p, c] > 0:
                number = int(s.lot[p, c]) - 1
                assert s.dry[p] >> c & 1, "PAT-066: a card of the Assistant is followed that is not dry"
                assert s.caller[number // PLAYERS] != NONE, "PAT-066: a card of the Assistant is followed of no lot"
                assert found >> number & 1 == 0, "PAT-066: a seat took two of the Assistant's cards"
                found |= 1 << number
    for lot in range(LOTS):
        assert s.caller[lot] < s.seats, "PAT-065: nobody at the table called the Assistant"
        for i in range(PLAYERS + 1):
            if s.gone[lot, i] != NONE:
                assert s.caller[lot] != NONE, "PAT-066: a card of the Assistant is gone of no lot"
                lies = i < PLAYERS and found >> (lot * PLAYERS + i) & 1
                assert not lies, "PAT-066: a seat took two of the Assistant's cards"
