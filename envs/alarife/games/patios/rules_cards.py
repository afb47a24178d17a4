"""Decks, patios and improvements as things that are moved about. Ids in brackets are those of RULES.md."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import draw_kind

from .components import (
    ALL,
    ANYTHING_TOLD,
    BALCONY_TOLD,
    CANE,
    CELLS,
    COLOURS,
    FACE_DOWN,
    FIRST_BALCONY,
    INNER,
    KINDS,
    LADDER,
    NEXT_TO,
    NONE,
    PLAYERS,
    PLAYGROUND_FACE_DOWN,
    POTS_TOLD,
    RECALL,
    SAMPLE_SIZE,
    TUB,
    UNLIKE,
    Improvement,
    Phase,
    Place,
    Todo,
)

# --- sets of cells ------------------------------------------------------------------------------------


@rule
def count_of(cells):
    """How many cells a set holds."""
    count = 0
    for c in range(CELLS):
        count += cells >> c & 1
    return count


@rule
def first_of(cells):
    """The lowest cell of a set that is not empty."""
    for c in range(CELLS):
        if cells >> c & 1:
            return c
    raise AssertionError("a card is taken from a set that is empty")


@rule
def offer_cells(moves, first_action, cells):
    """An action for each cell of a set."""
    for c in range(CELLS):
        if cells >> c & 1:
            offer(moves, first_action + c)


@rule
def around(cells):
    """The cells next to any of a set."""
    near = 0
    for c in range(CELLS):
        if cells >> c & 1:
            near |= int(NEXT_TO[c])
    return near


@rule
def everybody(s):
    """All seats as bits."""
    return (1 << s.seats) - 1


@rule
def seat_of(s, step):
    """The seat that comes that many places after the active player in play order (PAT-021)."""
    return int((s.actor + step) % s.seats)


@rule
def table_number(s):
    """d: how many characters lie face down (PAT-027, PAT-183)."""
    return PLAYGROUND_FACE_DOWN if s.options.playground else int(FACE_DOWN[s.seats])


# --- the flower deck (PAT-033, PAT-034) -----------------------------------------------------------------


@rule
def draw_card(s):
    """The top card of the flower deck, made anew from the discards if need be, or NONE."""
    if s.deck_size == 0:
        for k in range(KINDS):
            s.deck[k] = s.discard[k]
            s.discard[k] = 0
        s.deck_size = s.discard_size
        s.discard_size = 0
        forget_discards(s)
        if s.deck_size == 0:
            return NONE
    k = int(draw_kind(s, s.deck, s.deck_size))
    s.deck[k] -= 1
    s.deck_size -= 1
    return k


@rule
def to_discard(s, k):
    """A flower card goes to the discards, before everybody's eyes."""
    discard_unseen(s, k)
    s.thrown[k] += 1


@rule
def discard_unseen(s, k):
    """A flower card goes to the discards face down."""
    s.discard[k] += 1
    s.discard_size += 1


@rule
def discard_before(s, k, seats):
    """A flower card goes to the discards; some seats, as bits, know it."""
    if seats == everybody(s):
        to_discard(s, k)
        return
    discard_unseen(s, k)
    for p in range(s.seats):
        s.spent[p, k] += seats >> p & 1


@rule
def forget_discards(s):
    """The discards are shuffled: whatever was known of them lies in the deck."""
    for k in range(KINDS):
        s.thrown[k] = 0
        for p in range(s.seats):
            s.spent[p, k] = 0
    forget_draft(s)


@rule
def forget_draft(s):
    """Of the Assistant's last cards nothing is remembered any more."""
    s.caller = NONE
    for p in range(s.seats):
        for c in range(CELLS):
            s.lot[p, c] = 0
    for i in range(PLAYERS + 1):
        s.gone[i] = NONE
        s.gone_seen[i] = 0


@rule
def refill_sample(s):
    """Draw up to the size of the sample, as far as there are cards."""
    for _ in range(s.sampled, SAMPLE_SIZE[s.seats]):
        k = draw_card(s)
        if k == NONE:
            return
        s.sample[k] += 1
        s.sampled += 1


@rule
def renew_sample(s):
    """Discard the sample and deal a new one."""
    for k in range(KINDS):
        s.discard[k] += s.sample[k]
        s.thrown[k] += s.sample[k]
        s.sample[k] = 0
    s.discard_size += s.sampled
    s.sampled = 0
    refill_sample(s)


@rule
def take_from_sample(s, k):
    """A card leaves the sample."""
    s.sample[k] -= 1
    s.sampled -= 1


@rule
def balconies_in(cards):
    """How many balconies a pile of cards holds."""
    count = 0
    for k in range(FIRST_BALCONY, KINDS):
        count += cards[k]
    return count


# --- a patio (section 5) --------------------------------------------------------------------------------


@rule
def free_cells(s, p):
    """The cells that may take a card: the inner ones, all under works (PAT-042)."""
    open_cells = ALL if s.works[p] else INNER
    return open_cells & ~s.filled[p]


@rule
def has_room(s, p):
    """Whether a flower card can be placed, with works if need be (PAT-043, PAT-047)."""
    return s.filled[p] != ALL


@rule
def make_room(s, p):
    """Turn the Well over if every cell that may take a card is taken (PAT-043)."""
    if free_cells(s, p) == 0:
        s.works[p] = 1


@rule
def lay_flower(s, p, c, thing, is_up):
    """A pot, a balcony or the Tub comes to lie in a cell."""
    s.card[p, c] = thing
    s.filled[p] |= 1 << c
    s.flowers[p] |= 1 << c
    if not is_up:
        s.dry[p] |= 1 << c


@rule
def clear_cell(s, p, c):
    """Whatever lay in a cell is gone."""
    kept = ~(1 << c)
    s.card[p, c] = NONE
    s.filled[p] &= kept
    s.flowers[p] &= kept
    s.dry[p] &= kept
    s.canes[p] &= kept
    s.glimpse[p] &= kept
    s.seen[p, c] = 0
    s.told[p, c] = 0
    s.lot[p, c] = 0


@rule
def lay_cane(s, p, c):
    """A cane comes to lie in an empty cell or on the ladder (PAT-059, PAT-161)."""
    if s.card[p, c] == LADDER:
        s.ladder_canes += 1
        return
    s.card[p, c] = CANE
    s.filled[p] |= 1 << c
    s.canes[p] |= 1 << c


@rule
def discard_flower(s, p, c):
    """A flower card leaves the patio; the Tub goes under the improvement deck (PAT-083)."""
    thing = int(s.card[p, c])
    if thing == TUB:
        leave_patio(s, Improvement.TUB)
        return
    if s.dry[p] >> c & 1 == 0:
        seats = everybody(s)
    else:
        seats = int(s.seen[p, c])
        if s.lot[p, c] > 0:
            s.gone[s.lot[p, c] - 1] = thing
            s.gone_seen[s.lot[p, c] - 1] = seats
    clear_cell(s, p, c)
    discard_before(s, thing, seats)


@rule
def turn_up(s, p, c):
    """A dry card becomes beautiful."""
    s.dry[p] &= ~(1 << c)
    s.glimpse[p] &= ~(1 << c)
    s.told[p, c] = 0
    s.lot[p, c] = 0


@rule
def turn_down(s, p, c):
    """A beautiful card becomes dry, before everybody's eyes."""
    s.dry[p] |= 1 << c
    s.seen[p, c] = everybody(s)


@rule
def dry_cards(s, p):
    """The dry cells without the Tub, whose back shows what it is (PAT-163)."""
    cells = s.dry[p]
    if lies_in(s, Improvement.TUB, p):
        cells &= ~(1 << s.spot[Improvement.TUB])
    return cells


@rule
def is_balcony(thing):
    """Whether a thing is a balcony."""
    return FIRST_BALCONY <= thing < KINDS


@rule
def balconies_among(s, p, cells):
    """The cells of a set that hold a balcony."""
    found = 0
    for c in range(CELLS):
        if cells >> c & 1 and is_balcony(s.card[p, c]):
            found |= 1 << c
    return found


@rule
def beautiful_pots(s, p):
    """The cells with a beautiful pot; the Tub is none."""
    cells = s.flowers[p] & ~s.dry[p]
    found = 0
    for c in range(CELLS):
        if cells >> c & 1 and s.card[p, c] < COLOURS:
            found |= 1 << c
    return found


@rule
def sees_dry(s, viewer, p, c):
    """Whether a seat may know the dry card of a cell (PAT-048, PAT-163, PAT-180, PAT-196)."""
    if s.card[p, c] == TUB:
        return True
    if viewer == p and (not s.options.monument_to_memory or s.glimpse[p] >> c & 1):
        return True
    return s.options.dry_visibility == RECALL and s.seen[p, c] >> viewer & 1 == 1


@rule
def sorts_told(s, p, c):
    """The sorts, as bits, that a dry card may be for all that everybody saw."""
    sorts = s.told[p, c] & ANYTHING_TOLD
    return sorts if sorts != 0 else ANYTHING_TOLD


@rule
def tell(s, p, c, sorts):
    """Everybody has seen that a dry card is of one of these sorts."""
    s.told[p, c] = (s.told[p, c] & UNLIKE) | (sorts_told(s, p, c) & sorts)


@rule
def tell_no_balconies(s, p):
    """Everybody has seen that no balcony lies dry in a patio."""
    cells = dry_cards(s, p)
    for c in range(CELLS):
        if cells >> c & 1:
            tell(s, p, c, POTS_TOLD)


@rule
def look_at_dry_cards(s, p):
    """An owner who may not look any more sees all his dry cards once (PAT-184)."""
    if s.options.monument_to_memory:
        s.glimpse[p] = s.dry[p]
        for c in range(CELLS):
            if s.dry[p] >> c & 1:
                s.seen[p, c] |= 1 << p


# --- the card in hand -----------------------------------------------------------------------------------


@rule
def take_flower(s, p, k, is_up, is_open, after):
    """Seat p has a pot or balcony to place, with works if need be; without room it is discarded (PAT-043, PAT-047)."""
    if not has_room(s, p):
        discard_before(s, k, everybody(s) if is_open else 1 << p)
        if not is_open:
            s.gone[s.step - 1] = k
            s.gone_seen[s.step - 1] = 1 << p
        s.todo = after
        return
    make_room(s, p)
    hold(s, p, k, is_up, is_open, after)
    s.phase = Phase.PLACE


@rule
def take_cane(s, p, after):
    """Seat p has a cane to use or to place; where neither is possible it is discarded (PAT-057, PAT-060)."""
    if not can_take_cane(s, p):
        to_discard(s, CANE)
        s.todo = after
        return
    hold(s, p, CANE, 1, 1, after)
    s.phase = Phase.CANE


@rule
def take_card(s, p, k, is_open, after):
    """Seat p has a card to place: beautiful in his own turn, dry in another's (PAT-040)."""
    if k == CANE:
        take_cane(s, p, after)
    else:
        take_flower(s, p, k, p == s.actor, is_open, after)


@rule
def hold(s, p, k, is_up, is_open, after):
    """The card in hand, and what follows."""
    s.turn = p
    s.held = k
    s.held_up = is_up
    s.held_open = is_open
    s.after = after


@rule
def cane_cells(s, p):
    """Where a cane may be placed: an empty cell without starting works, or the own ladder (PAT-059)."""
    cells = free_cells(s, p)
    if lies_in(s, Improvement.LADDER, p):
        cells |= 1 << s.spot[Improvement.LADDER]
    return cells


@rule
def can_take_cane(s, p):
    """Whether a cane could be used or placed (PAT-060)."""
    return s.dry[p] != 0 or cane_cells(s, p) != 0


@rule
def place_flower(s, c):
    """The flower card in hand comes to lie in a cell (PAT-042)."""
    p = int(s.turn)
    if not s.held_up:
        s.seen[p, c] = everybody(s) if s.held_open else 1 << p
        s.told[p, c] = told_of_held(s, p)
        s.lot[p, c] = s.step if s.after == Todo.NEXT_DRAFT else 0
    lay_flower(s, p, c, s.held, s.held_up)
    s.held = NONE
    s.todo = s.after


@rule
def told_of_held(s, p):
    """What all can tell of the card that is placed dry: dealt beside another colour, or taken with a gardener."""
    if s.row_size == 0:
        return UNLIKE | (POTS_TOLD & ~(1 << s.card[p, first_of(s.flowers[p])]))
    return 1 << s.character | BALCONY_TOLD if s.held_open else 0


@rule
def place_cane(s, c):
    """The cane in hand is placed."""
    lay_cane(s, int(s.turn), c)
    s.held = NONE
    s.todo = s.after


@rule
def use_cane(s, c):
    """The cane in hand waters a card at once and is discarded (PAT-058)."""
    turn_up(s, int(s.turn), c)
    to_discard(s, CANE)
    s.held = NONE
    s.todo = s.after


# --- improvements (section 16) --------------------------------------------------------------------------


@rule
def lies_in(s, i, p):
    """Whether an improvement lies in a patio."""
    return s.place[i] == Place.PATIO and s.keeper[i] == p


@rule
def has_awning(s, p):
    """Whether the patio is protected from the Sun (PAT-157)."""
    return lies_in(s, Improvement.AWNING, p)


@rule
def hose_on_ladder(s):
    """Whether the hose shares the cell of the ladder."""
    ladder = Improvement.LADDER
    if s.place[ladder] != Place.PATIO or not lies_in(s, Improvement.HOSE, s.keeper[ladder]):
        return False
    return s.spot[Improvement.HOSE] == s.spot[ladder]


@rule
def give_improvement(s, i, p, informed):
    """An improvement joins the unused ones of a seat; some seats know it (PAT-155)."""
    s.place[i] = Place.HAND
    s.keeper[i] = p
    s.informed[i] = informed
    s.unused[p] += 1


@rule
def lay_improvement(s, i, p, c):
    """A played improvement comes to lie in a patio; hose and ladder may share a cell (PAT-160, PAT-161)."""
    s.place[i] = Place.PATIO
    s.keeper[i] = p
    s.spot[i] = c
    if i == Improvement.LADDER and s.card[p, c] == CANE:
        s.ladder_canes += 1
        s.canes[p] &= ~(1 << c)
    if i != Improvement.HOSE or s.card[p, c] != LADDER:
        s.card[p, c] = KINDS + i
    s.filled[p] |= 1 << c


@rule
def put_under(s, i):
    """An improvement goes under its deck; at the end of a round it waits for the others (PAT-146, PAT-164)."""
    s.keeper[i] = NONE
    s.spot[i] = NONE
    s.informed[i] = 0
    if s.ending:
        s.place[i] = Place.RETURNED
        return
    s.place[i] = Place.STOCK
    s.stock[s.stock_size] = i
    s.stock_size += 1


@rule
def leave_patio(s, i):
    """An improvement leaves the patio where it lies; what shared the ladder's cell stays."""
    pick_up(s, i)
    put_under(s, i)


@rule
def pick_up(s, i):
    """An improvement is taken out of its cell, and used."""
    if i != Improvement.HOSE or not hose_on_ladder(s):
        clear_cell(s, int(s.keeper[i]), int(s.spot[i]))
    s.place[i] = Place.PLAYED


@rule
def take_top(s):
    """The top card of the improvement deck, which is no longer known to who put it there (PAT-197, PAT-201)."""
    i = int(s.stock[0])
    s.stock_size -= 1
    for j in range(s.stock_size):
        s.stock[j] = s.stock[j + 1]
    s.stock[s.stock_size] = 0  # what lay there is told to nobody
    s.informed[i] = 0
    return i


@rule
def put_on_top(s, i, informed):
    """An improvement goes back on top of the improvement deck."""
    for j in range(s.stock_size, 0, -1):
        s.stock[j] = s.stock[j - 1]
    s.stock[0] = i
    s.stock_size += 1
    s.place[i] = Place.STOCK
    s.keeper[i] = NONE
    s.informed[i] = informed


@rule
def earn_coin(s, p):
    """A coin from the reserve, unless it is empty (PAT-158, PAT-159)."""
    if s.reserve > 0:
        s.reserve -= 1
        s.coins[p] += 1
