"""The end of a round: scoring, carrying cards over, buying (sections 14, 15 and 17)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import shuffle

from .actions import ACTIONS
from .components import (
    BROKEN_TRIO,
    CANE,
    CELLS,
    COINS_PER_PURCHASE,
    COLOURS,
    EXTRA_OVER_TRIO,
    FIRST_BALCONY,
    IMPROVEMENTS,
    INNER,
    KINDS,
    NEAREST_INNER,
    NONE,
    ROUNDS,
    ROUNDS_IN_MAY,
    TRIO,
    UNLIKE,
    UP_AND_DRY,
    WORKS_PENALTY,
    Improvement,
    Phase,
    Place,
    Todo,
)
from .rules_cards import (
    clear_cell,
    discard_flower,
    has_awning,
    has_room,
    is_balcony,
    lay_flower,
    leave_patio,
    lies_in,
    seat_of,
    take_flower,
    take_from_sample,
    to_discard,
)

AT = ACTIONS.start


# --- scoring (PAT-121 to PAT-126) -------------------------------------------------------------------------


@rule
def next_score(s):
    """In order each patio is scored; the owner of a beautiful Tub names its colour first."""
    if s.step == s.seats:
        end_scoring(s)
        return
    p = seat_of(s, s.step)
    s.step += 1
    s.turn = p
    if lies_in(s, Improvement.TUB, p):
        s.phase = Phase.TUB_COLOUR
    else:
        score_patio(s, p)


@rule
def name_tub(s, c):
    """The Tub counts as a pot of that colour, for trios and balconies (PAT-121)."""
    s.tub_colour = c
    score_patio(s, int(s.turn))


@rule
def pots_of(s, p, c):
    """The beautiful pots of a colour, a Tub that was named so included."""
    count = 0
    cells = s.flowers[p] & ~s.dry[p]
    for cell in range(CELLS):
        if cells >> cell & 1 and s.card[p, cell] == c:
            count += 1
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
    cells = s.flowers[p] & ~s.dry[p]
    for cell in range(CELLS):
        if cells >> cell & 1 and is_balcony(s.card[p, cell]):
            b = s.card[p, cell] - FIRST_BALCONY
            if is_met(s, b, blue, red, green):
                s.loose[p] += s.worth[b]
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
def break_trio(s, c):
    """A trio token becomes three points, of which two are paid."""
    p = int(s.turn)
    s.trio[p, c] -= 1
    s.loose[p] += BROKEN_TRIO - WORKS_PENALTY
    s.todo = Todo.NEXT_SCORE


@rule
def end_scoring(s):
    """The game ends after the last round, or with all three colours in one (PAT-170, PAT-181, PAT-182)."""
    s.round += 1
    s.step = 0
    rounds = ROUNDS_IN_MAY if s.options.may_has_31_days else ROUNDS
    s.over = s.round == rounds
    if s.options.not_a_nitpicker_end:
        for p in range(s.seats):
            if s.earned[p] == (1 << COLOURS) - 1:
                s.champion[p] = 1
                s.over = 1
    s.turn = s.actor
    s.todo = Todo.NOTHING if s.over else Todo.NEXT_CARRY


# --- carry-over (PAT-140 to PAT-146) ------------------------------------------------------------------------


@rule
def next_carry(s):
    """In order each owner chooses what he keeps; then what was given back is shuffled (PAT-146)."""
    s.chosen = 0
    s.kept_dry = 0
    s.colour = NONE
    if s.step == s.seats:
        shuffle_returned(s)
        s.step = 0
        s.todo = Todo.NEXT_BUYER
        return
    s.turn = seat_of(s, s.step)
    s.step += 1
    s.todo = Todo.CARRY_COLOUR


@rule
def pots_left(s, p, c):
    """How many pots of a colour remain after those of a trio are gone; a Tub of it is one of three (PAT-141)."""
    count = 0
    for cell in range(CELLS):
        if s.flowers[p] >> cell & 1 and s.card[p, cell] == c:
            count += 1
    if s.earned[p] >> c & 1 == 0:
        return count
    if lies_in(s, Improvement.TUB, p) and s.tub_colour == c:
        count += 1
    return count - TRIO


@rule
def carry_colour(s):
    """The next colour of which something may be kept; at last the Awning's card (PAT-142 to PAT-144)."""
    p = int(s.turn)
    while s.colour + 1 < COLOURS:
        s.colour += 1
        if pots_left(s, p, int(s.colour)) > 0:
            s.phase = Phase.KEEP_UP
            return
    s.colour = NONE
    if has_awning(s, p) and awning_cells(s, p) != 0:
        s.phase = Phase.AWNING_KEEP
    else:
        end_carry(s)


@rule
def offer_pots(s, moves, first_action):
    """The pots of the colour being decided that are not kept yet; or none."""
    p = int(s.turn)
    for c in range(CELLS):
        if s.flowers[p] >> c & 1 and s.card[p, c] == s.colour and s.chosen >> c & 1 == 0:
            offer(moves, first_action + c)
    offer(moves, AT.done)


@rule
def keep_up(s, c):
    """A pot kept beautiful; of two or more another may be kept dry (PAT-143)."""
    s.chosen |= 1 << c
    if s.options.carry_over == UP_AND_DRY and pots_left(s, int(s.turn), int(s.colour)) >= 2:
        s.phase = Phase.KEEP_DRY
    else:
        s.todo = Todo.CARRY_COLOUR


@rule
def keep_dry(s, c):
    """A pot kept, turned face down."""
    s.kept_dry |= 1 << c
    s.todo = Todo.CARRY_COLOUR


@rule
def awning_cells(s, p):
    """The flower cards that would be discarded, without the Tub (PAT-144)."""
    cells = s.flowers[p] & ~s.chosen & ~s.kept_dry
    if lies_in(s, Improvement.TUB, p):
        cells &= ~(1 << s.spot[Improvement.TUB])
    return cells


@rule
def keep_under_awning(s, c):
    """One more beautiful card."""
    s.chosen |= 1 << c
    end_carry(s)


@rule
def end_carry(s):
    """Everything else leaves the patio, and the Well returns to its side without works (PAT-140, PAT-145)."""
    p = int(s.turn)
    colours = kept_colours(s, p)
    for i in range(IMPROVEMENTS):
        if lies_in(s, i, p):
            if i == Improvement.LADDER:
                for _ in range(s.ladder_canes):
                    to_discard(s, CANE)
                s.ladder_canes = 0
            leave_patio(s, i)
    for c in range(CELLS):
        if s.canes[p] >> c & 1:
            clear_cell(s, p, c)
            to_discard(s, CANE)
        elif s.kept_dry >> c & 1:
            s.dry[p] |= 1 << c
            s.seen[p, c] = (1 << s.seats) - 1
            s.told[p, c] = UNLIKE | colours
        elif s.flowers[p] >> c & 1 and s.chosen >> c & 1 == 0:
            discard_flower(s, p, c)
    s.works[p] = 0
    move_inwards(s, p)
    s.todo = Todo.NEXT_CARRY


@rule
def kept_colours(s, p):
    """The colours, as bits, of the pots kept beautiful: one kept dry is of one of them (PAT-143)."""
    colours = 0
    for c in range(CELLS):
        if s.chosen >> c & 1 and s.card[p, c] < COLOURS:
            colours |= 1 << s.card[p, c]
    return colours


@rule
def move_inwards(s, p):
    """Cards in outer cells go to the nearest empty inner cell (PAT-145)."""
    for c in range(CELLS):
        if s.filled[p] >> c & 1 and INNER >> c & 1 == 0:
            k = 0
            while s.filled[p] >> NEAREST_INNER[c, k] & 1:
                k += 1
            to = int(NEAREST_INNER[c, k])
            known, told = int(s.seen[p, c]), int(s.told[p, c])
            lay_flower(s, p, to, s.card[p, c], s.dry[p] >> c & 1 == 0)
            clear_cell(s, p, c)
            s.seen[p, to] = known
            s.told[p, to] = told


@rule
def shuffle_returned(s):
    """All improvements given back since the round ended go under the deck in random order (PAT-146)."""
    start = int(s.stock_size)
    for i in range(IMPROVEMENTS):
        if s.place[i] == Place.RETURNED:
            s.place[i] = Place.STOCK
            s.stock[s.stock_size] = i
            s.stock_size += 1
    shuffle(s, s.stock[start:], s.stock_size - start)


# --- buying (PAT-147) -----------------------------------------------------------------------------------------


@rule
def next_buyer(s):
    """In order each may buy as long as he can pay and there is a pot or a balcony."""
    while s.step < s.seats:
        p = seat_of(s, s.step)
        if s.coins[p] >= COINS_PER_PURCHASE and has_room(s, p) and s.sampled > s.sample[CANE]:
            s.turn = p
            s.phase = Phase.BUY
            return
        s.step += 1
    s.step = 0
    s.todo = Todo.BEGIN_ROUND


@rule
def offer_purchases(s, moves):
    """Pots and balconies of the sample; or nothing."""
    for k in range(KINDS):
        if k != CANE and s.sample[k] > 0:
            offer(moves, AT.kind + k)
    offer(moves, AT.done)


@rule
def buy(s, k):
    """Two coins to the reserve, and the card beautiful into the patio."""
    p = int(s.turn)
    s.coins[p] -= COINS_PER_PURCHASE
    s.reserve += COINS_PER_PURCHASE
    take_from_sample(s, k)
    take_flower(s, p, k, 1, 1, Todo.NEXT_BUYER)
