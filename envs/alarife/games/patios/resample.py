"""Patios: redraw what a seat cannot know (PAT-195 to PAT-202).

The posterior is that of the view. It remembers which characters were seen in this round, which improvements the seat
gave, lost or put on top, with `dry_visibility = recall` every dry card it has seen, and of each dry card what all can
tell by where it came from (``told``): dealt beside another colour, kept from the last round beside pots of its colour
and unlike the other one, taken with a gardener, saved or passed over by a watering can. It does not remember discards
(PAT-201) or earlier drafts. All else is even: every unseen flower card is equally likely to lie in each hidden place
where it may lie. No cane lies dry; a can being played where no cell is free proves a dry balcony; and the pots of the
first deal are few of each colour, as many as there are players.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below, draw_kind, happens, uniform
from alarife.engine.views import lowest_bit

from .components import (
    BALCONY_TOLD,
    CANE,
    CELLS,
    COLOURS,
    FIRST_BALCONY,
    IMPROVEMENTS,
    KINDS,
    NONE,
    POT_COPIES,
    UNLIKE,
    Improvement,
    Phase,
    Place,
)
from .rules.cards import balconies_in
from .rules.patio import balconies_among, free_cells, sees_dry, sorts_told

DANCER = int(Improvement.FLAMENCO)
TRIES = 200  # to draw the dry cards; one in three is accepted or so
PAIRS = 3  # of different colours: blue and red, blue and green, red and green


@rule
def resample(s, seat):
    """Characters, improvements and flower cards that the seat has not seen, in that order."""
    redraw_row(s)
    redraw_improvements(s, seat)
    if s.round == 0 and s.turns == 0:
        redraw_deal(s, seat, False)
    else:
        redraw_flowers(s, seat)


# --- characters (PAT-195) -----------------------------------------------------------------------------------


@rule
def redraw_row(s):
    """The characters that nobody has seen since the row was laid, in random order over their places."""
    earlier = 0
    for k in range(s.row_size):
        if not s.public[s.row[k]]:
            j = nth_hidden(s, below(s, earlier + 1))
            kept = s.row[k]
            s.row[k] = s.row[j]
            s.row[j] = kept
            earlier += 1


@rule
def nth_hidden(s, n):
    """The position of the n-th unseen character from the front, counted from 0."""
    k = 0
    while n > 0 or s.public[s.row[k]]:
        if not s.public[s.row[k]]:
            n -= 1
        k += 1
    return k


# --- improvements (PAT-155, PAT-197, PAT-201) ---------------------------------------------------------------


@rule
def is_hidden(s, i, seat):
    """Whether the seat cannot tell where an improvement is."""
    where = s.place[i]
    return (where == Place.STOCK or where == Place.HAND or where == Place.DRAWN) and s.informed[i] >> seat & 1 == 0


@rule
def hidden_improvements(s, seat):
    """The improvements, as bits, whose place the seat cannot tell."""
    hidden = 0
    for i in range(IMPROVEMENTS):
        hidden |= int(is_hidden(s, i, seat)) << i
    return hidden


@rule
def redraw_improvements(s, seat):
    """The improvements that the seat has not seen, in random order over deck and hands."""
    hidden = hidden_improvements(s, seat)  # they exchange places with one another only, and so stay the same ones
    if s.flamenco and hidden >> DANCER & 1:
        redraw_dancer(s, seat)
        hidden &= ~(1 << DANCER)
    earlier = 0
    for i in range(IMPROVEMENTS):
        if hidden >> i & 1:
            j = nth_bit(hidden, below(s, earlier + 1))
            if j != i:
                change_places(s, i, j)
            earlier += 1


@rule
def nth_bit(bits, n):
    """The position of the n-th set bit from below, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return lowest_bit(bits)


@rule
def redraw_dancer(s, seat):
    """She was played this turn and put under the deck before everybody's eyes: she lies there, or was drawn since."""
    if s.place[DANCER] == Place.STOCK and not is_put_back(s, DANCER):
        return
    places = 0
    for i in range(IMPROVEMENTS):
        places += is_hidden(s, i, seat) and was_drawn(s, i)
    left = below(s, places)
    for i in range(IMPROVEMENTS):
        if is_hidden(s, i, seat) and was_drawn(s, i):
            if left == 0:
                change_places(s, DANCER, i)
                return
            left -= 1


@rule
def was_drawn(s, i):
    """Whether an improvement was drawn from the deck this turn."""
    return s.place[i] == Place.DRAWN or i == s.kept or i == s.passed or is_put_back(s, i)


@rule
def is_put_back(s, i):
    """Whether an improvement was drawn and put back on top this turn, as there was no apprentice."""
    return s.kept != NONE and s.apprentice == NONE and s.stock_size > 0 and s.stock[0] == i


@rule
def change_places(s, i, j):
    """Two improvements exchange places; who knows a place goes on knowing it."""
    place, keeper, informed = s.place[i], s.keeper[i], s.informed[i]
    s.place[i] = s.place[j]
    s.keeper[i] = s.keeper[j]
    s.informed[i] = s.informed[j]
    s.place[j] = place
    s.keeper[j] = keeper
    s.informed[j] = informed
    for k in range(s.stock_size):
        s.stock[k] = exchanged(s.stock[k], i, j)
    for k in range(2):
        s.drawn[k] = exchanged(s.drawn[k], i, j)
    s.passed = exchanged(s.passed, i, j)
    s.kept = exchanged(s.kept, i, j)


@rule
def exchanged(one, i, j):
    """The number i for j, j for i, and any other for itself."""
    if one == i:
        return int(j)
    if one == j:
        return int(i)
    return int(one)


# --- flower cards (PAT-196, PAT-198) ------------------------------------------------------------------------


@rule
def redraw_flowers(s, seat):
    """All unseen flower cards into the deck, and out again: dry ones first, as more is known of them."""
    hidden_in_hand = s.held != NONE and not s.held_open and seat != s.seat
    hidden_draft = seat != s.seat
    gather(s, hidden_in_hand, hidden_draft)
    redraw_dry(s, seat, False)
    if hidden_in_hand:
        s.held = draw_unlike_cane(s)
    if hidden_draft:
        for _ in range(s.drafted):
            s.draft[draw_any(s)] += 1
    for _ in range(s.discard_size):
        s.discard[draw_any(s)] += 1


@rule
def redraw_dry(s, seat, recalls):
    """The unseen dry cards, until they are what the position proves; what is drawn too often is refused in part."""
    for _ in range(TRIES):
        gather_dry(s, seat, recalls)
        likely = deal_told(s)
        if likely >= 1.0 or happens(s, likely):
            deal_untold(s)
            if not lacks_balcony(s):
                return
    deal_untold(s)
    settle(s, seat, recalls)


@rule
def knows_dry(s, seat, p, c, recalls):
    """Whether a seat knows the dry card of a cell: it may see it, or recalls that it has seen it."""
    return sees_dry(s, seat, p, c) or (recalls and s.seen[p, c] >> seat & 1 == 1)


@rule
def gather(s, hidden_in_hand, hidden_draft):
    """Discards, and what others hold, go into the deck."""
    for k in range(KINDS):
        s.deck[k] += s.discard[k]
        s.deck_size += s.discard[k]
        s.discard[k] = 0
        if hidden_draft:
            s.deck[k] += s.draft[k]
            s.deck_size += s.draft[k]
            s.draft[k] = 0
    if hidden_in_hand:
        s.deck[s.held] += 1
        s.deck_size += 1


@rule
def gather_dry(s, seat, recalls):
    """Unseen dry cards go into the deck; their cells are left empty."""
    for p in range(s.seats):
        cells = int(s.dry[p])
        while cells:
            c = lowest_bit(cells)
            cells &= cells - 1
            if s.card[p, c] != NONE and not knows_dry(s, seat, p, c, recalls):
                s.deck[s.card[p, c]] += 1
                s.deck_size += 1
                s.card[p, c] = NONE


@rule
def deal_told(s):
    """The cards of which all can tell something, one after another among the unseen ones that each may be.

    Each is drawn by its share of those. So an outcome comes up the more often the fewer cards were left to choose
    from; the returned share of it has to be accepted: what was left, against the most that could be left.
    """
    likely = 1.0
    first = s.deck[0] + s.deck[1] * 256 + s.deck[2] * 65536  # unseen pots of each colour, eight bits each
    first_balconies = balconies = balconies_in(s.deck)
    dealt = dealt_colours(s) if s.round == 0 else 0  # likewise
    shown = dealt
    before = 0  # cards drawn so far for each set of sorts, four bits each
    for p in range(s.seats):
        cells = int(s.dry[p])
        if cells == 0:
            continue
        used = colours_unlike(s, p)
        most = 0
        while cells:
            c = lowest_bit(cells)
            cells &= cells - 1
            if s.told[p, c] == 0 or s.card[p, c] != NONE:
                continue
            sorts = sorts_told(s, p, c)
            unlike = s.told[p, c] & UNLIKE != 0
            left, bound, least, largest = 0.0, 0.0, 1e9, 0.0
            for k in range(COLOURS):
                if sorts >> k & 1:
                    now, then = float(s.deck[k]), float(first >> 8 * k & 255)
                    if unlike and s.round == 0:
                        now *= share_of_deal(s, dealt >> 8 * k & 255)
                        then *= share_of_deal(s, shown >> 8 * k & 255)
                    if not unlike or used >> k & 1 == 0:
                        left += now
                    bound += then
                    least = min(least, then)
                    largest = max(largest, then)
            if sorts & BALCONY_TOLD:
                left += balconies
                bound += first_balconies
            if unlike:
                bound = bound if most == 0 else (bound - least if most == 1 else largest)
                most += 1
            else:
                earlier = before >> 4 * sorts & 15
                bound -= earlier
                before += (earlier < 15) << 4 * sorts
            if left <= 0.0:
                return 0.0
            likely *= left / bound
            k = colour_told(s, sorts, used if unlike else 0, left, dealt if unlike and s.round == 0 else NONE)
            if k == NONE:
                s.card[p, c] = draw_between(s, FIRST_BALCONY, KINDS, balconies)
                balconies -= 1
                continue
            s.card[p, c] = k
            s.deck[k] -= 1
            s.deck_size -= 1
            if unlike:
                used |= 1 << k
                dealt += 1 << 8 * k
    return likely


@rule
def colour_told(s, sorts, used, left, dealt):
    """A colour of some sorts but none that is used, or NONE for a balcony; the weights of all sum to `left`."""
    at = uniform(s) * left
    last = NONE
    for k in range(COLOURS):
        if sorts >> k & 1 and used >> k & 1 == 0 and s.deck[k] > 0:
            weight = float(s.deck[k])
            if dealt != NONE:
                weight *= share_of_deal(s, dealt >> 8 * k & 255)
            if weight > 0.0:
                last = k
                if at < weight:
                    break
                at -= weight
                if sorts & BALCONY_TOLD:
                    last = NONE
    return last


@rule
def share_of_deal(s, count):
    """Of the pots of a colour, how likely a further one is among those dealt at setup, so many of which are known."""
    return float(s.seats - count) / (POT_COPIES - count) if count < s.seats else 0.0


@rule
def dealt_colours(s):
    """The pots that were dealt at setup, as far as the position tells: eight bits for each colour."""
    dealt = 0
    for p in range(s.seats):
        cells = int(s.dry[p])
        while cells:
            c = lowest_bit(cells)
            cells &= cells - 1
            if s.told[p, c] & UNLIKE:
                for k in range(COLOURS):
                    if s.told[p, c] >> k & 1 == 0 or s.card[p, c] == k:
                        dealt += 1 << 8 * k
    return dealt


@rule
def colours_unlike(s, p):
    """The colours, as bits, of the known dry cards of a patio that are unlike one another."""
    colours = 0
    cells = int(s.dry[p])
    for c in range(CELLS):
        if cells >> c & 1 and s.told[p, c] & UNLIKE and s.card[p, c] != NONE:
            colours |= 1 << s.card[p, c]
    return colours


@rule
def deal_untold(s):
    """The dry cards of which nobody but their owner can tell anything."""
    for p in range(s.seats):
        cells = int(s.dry[p])
        while cells:
            c = lowest_bit(cells)
            cells &= cells - 1
            if s.card[p, c] == NONE:
                s.card[p, c] = draw_unlike_cane(s)


@rule
def lacks_balcony(s):
    """Whether a watering can is being played where no cell is free, and no balcony lies dry: that cannot be."""
    p = int(s.seat)
    return s.phase == Phase.CAN and free_cells(s, p) == 0 and balconies_among(s, p, s.dry[p]) == 0


@rule
def settle(s, seat, recalls):
    """After too many tries: a balcony for the can being played, wherever one may lie."""
    p = int(s.seat)
    if lacks_balcony(s) and balconies_in(s.deck) > 0:
        for c in range(CELLS):
            if s.dry[p] >> c & 1 and not knows_dry(s, seat, p, c, recalls) and sorts_told(s, p, c) & BALCONY_TOLD:
                s.deck[s.card[p, c]] += 1
                s.deck_size += 1
                s.card[p, c] = draw_balcony(s)
                return


@rule
def draw_any(s):
    """Any unseen card."""
    k = int(draw_kind(s, s.deck, s.deck_size))
    s.deck[k] -= 1
    s.deck_size -= 1
    return k


@rule
def draw_unlike_cane(s):
    """An unseen pot or balcony."""
    return draw_between(s, 0, KINDS, s.deck_size - s.deck[CANE])


@rule
def draw_balcony(s):
    """An unseen balcony."""
    return draw_between(s, FIRST_BALCONY, KINDS, balconies_in(s.deck))


@rule
def draw_between(s, start, end, total):
    """An unseen card other than a cane among some kinds, of which there are so many."""
    left = below(s, total)
    for k in range(start, end):
        if k != CANE:
            if left < s.deck[k]:
                s.deck[k] -= 1
                s.deck_size -= 1
                return k
            left -= s.deck[k]
    return NONE


# --- the first deal (PAT-022) --------------------------------------------------------------------------------


@rule
def redraw_deal(s, seat, recalls):
    """The pairs dealt to all seats, each combination as often as its cards can be dealt so."""
    combinations = 1
    for _ in range(s.seats):
        combinations *= PAIRS
    total = 0.0
    for code in range(combinations):
        total += ways(s, seat, code, recalls)
    left = uniform(s) * total
    chosen = 0
    for code in range(combinations):
        weight = ways(s, seat, code, recalls)
        if weight > 0.0 and left >= 0.0:
            chosen = code
            left -= weight
    for p in range(s.seats):
        change_pair(s, p, chosen % PAIRS)
        chosen //= PAIRS


@rule
def ways(s, seat, code, recalls):
    """In how many ways the cards of a combination of pairs can be dealt, 0 if the seat knows better."""
    weight = 1.0
    blue, red, green = s.seats, s.seats, s.seats
    for p in range(s.seats):
        pair = code % PAIRS
        code //= PAIRS
        if not is_possible(s, seat, p, pair, recalls):
            return 0.0
        if pair < 2:
            weight *= blue
            blue -= 1
        if pair != 1:
            weight *= red
            red -= 1
        if pair > 0:
            weight *= green
            green -= 1
    return weight


@rule
def pair_of(a, b):
    """The number of a pair of colours."""
    return a + b - 1


@rule
def beautiful_colour(s, p):
    """The colour that a seat has shown at setup, or NONE."""
    if s.held != NONE and s.seat == p and s.held_up:
        return int(s.held)
    for c in range(CELLS):
        if s.flowers[p] >> c & 1 and s.dry[p] >> c & 1 == 0:
            return int(s.card[p, c])
    return NONE


@rule
def dry_cell(s, p):
    """The cell of the dry card at setup, or NONE."""
    for c in range(CELLS):
        if s.dry[p] >> c & 1:
            return c
    return NONE


@rule
def other_colour(s, p):
    """The colour of the second card of a seat that has shown one."""
    if s.held != NONE and s.seat == p and not s.held_up:
        return int(s.held)
    if s.dealt[p, 0] != NONE:
        return int(s.dealt[p, 0])
    return int(s.card[p, dry_cell(s, p)])


@rule
def is_possible(s, seat, p, pair, recalls):
    """Whether a seat may think that seat p was dealt a pair."""
    shown = beautiful_colour(s, p)
    if shown == NONE:
        return p != seat or pair == pair_of(s.dealt[p, 0], s.dealt[p, 1])
    c = dry_cell(s, p)
    if (c != NONE and knows_dry(s, seat, p, c, recalls)) or (c == NONE and p == seat):
        return pair == pair_of(shown, other_colour(s, p))
    return pair != PAIRS - 1 - shown


@rule
def change_pair(s, p, pair):
    """Seat p was dealt that pair instead."""
    shown = beautiful_colour(s, p)
    if shown == NONE:
        s.deck[s.dealt[p, 0]] += 1
        s.deck[s.dealt[p, 1]] += 1
        s.dealt[p, 0] = 1 if pair == PAIRS - 1 else 0
        s.dealt[p, 1] = 1 if pair == 0 else 2
        s.deck[s.dealt[p, 0]] -= 1
        s.deck[s.dealt[p, 1]] -= 1
        return
    other = pair + 1 - shown
    s.deck[other_colour(s, p)] += 1
    s.deck[other] -= 1
    if s.held != NONE and s.seat == p and not s.held_up:
        s.held = other
    elif s.dealt[p, 0] != NONE:
        s.dealt[p, 0] = other
    else:
        s.card[p, dry_cell(s, p)] = other
