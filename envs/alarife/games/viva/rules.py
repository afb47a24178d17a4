"""VIVA: the rules, in the order of the rulebook. Ids in brackets are those of RULES.md."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import draw_kind, happens
from alarife.engine.result import place_by_key

from .actions import ACTIONS
from .components import (
    ALL_KINDS,
    COLOURS_OF,
    COPIES,
    HAND_SIZE,
    HOUSES,
    KINDS,
    NONE,
    PENALTY_AFTER,
    PENALTY_BEFORE,
    PENALTY_CAUGHT,
    PLAYERS,
    SHARING,
    Phase,
    Spot,
    Todo,
)
from .memory import forget_hands, holds_no_more, lay_open, lose, rule_out, show, show_newest, take_in

AT = ACTIONS.start
SINGLE_ROUND = 1  # index in Options.match
MOST_TODOS = 8  # between two decisions: a turn ends, the round with it, another is dealt and begins


# --- setup (sections 2 and 10) ----------------------------------------------------------------------


@rule
def reset(s):
    """A new match: nobody has lost a round yet, seat 0 starts (VIV-017, VIV-018)."""
    s.champion = NONE
    s.owner = NONE
    for p in range(s.seats):
        s.active[p] = 1
    deal(s, 0)
    proceed(s)


@rule
def deal(s, starter):
    """Set up a round for the active seats: hands, general card, then the loser's personal card (VIV-010 to VIV-016)."""
    s.starter = starter
    s.turns = 0
    for k in range(KINDS):
        s.stack[k] = COPIES[s.options.edition]
        s.discard[k] = 0
        s.covered[k] = 0
        for p in range(PLAYERS):
            s.hand[p, k] = 0
    s.stack_size = KINDS * COPIES[s.options.edition]
    for h in range(HOUSES):
        s.top[h] = NONE
        s.height[h] = 0
    for p in range(PLAYERS):
        s.held[p] = 0
        s.position[p] = 0
    forget_hands(s)
    for p in range(s.seats):
        if s.active[p]:
            draw_cards(s, p, HAND_SIZE)
    s.general = take_from_stack(s)
    s.personal = NONE
    if s.owner != NONE:
        s.personal = take_from_stack(s)
    s.todo = Todo.FIRST_TURN


# --- stack and discard (section 9) ------------------------------------------------------------------


@rule
def refill_stack(s):
    """The discard becomes the stack; failing that, the covered cards of the houses (VIV-091, VIV-092)."""
    if s.seats == 2:
        lay_open(s)
    for k in range(KINDS):
        s.stack[k] = s.discard[k]
        s.stack_size += s.discard[k]
        s.discard[k] = 0
    if s.stack_size > 0:
        return
    for k in range(KINDS):
        s.stack[k] = s.covered[k]
        s.stack_size += s.covered[k]
        s.covered[k] = 0
    for h in range(HOUSES):
        s.height[h] = min(1, s.height[h])


@rule
def card_can_be_had(s):
    """Whether the stack, refilled if need be, holds a card (VIV-093)."""
    if s.stack_size == 0:
        refill_stack(s)
    return s.stack_size > 0


@rule
def take_from_stack(s):
    """The top card of the stack, or NONE."""
    if not card_can_be_had(s):
        return NONE
    k = draw_kind(s, s.stack, s.stack_size)
    s.stack[k] -= 1
    s.stack_size -= 1
    return k


@rule
def draw_card(s, p):
    """Seat p takes a card; returns its kind, or NONE."""
    k = take_from_stack(s)
    if k != NONE:
        s.hand[p, k] += 1
        s.held[p] += 1
        take_in(s, p)
    return k


@rule
def draw_cards(s, p, count):
    """Seat p takes cards, as far as there are any (VIV-093)."""
    for _ in range(count):
        draw_card(s, p)


@rule
def give_up(s, p, k):
    """A card leaves the hand of seat p."""
    s.hand[p, k] -= 1
    s.held[p] -= 1
    lose(s, p, k)


@rule
def to_discard(s, k):
    """A card, if there is one, goes out of play (VIV-090)."""
    if k != NONE:
        s.discard[k] += 1


@rule
def clear_table(s):
    """Houses and general blocking card go to the discard (VIV-064, VIV-080)."""
    for h in range(HOUSES):
        to_discard(s, s.top[h])
        s.top[h] = NONE
        s.height[h] = 0
        s.placed[h] = 0
    for k in range(KINDS):
        s.discard[k] += s.covered[k]
        s.covered[k] = 0
    to_discard(s, s.general)
    s.general = NONE


# --- seats ------------------------------------------------------------------------------------------


@rule
def seat_after(s, p):
    """The nearest active seat clockwise (VIV-020, VIV-029)."""
    for i in range(1, s.seats + 1):
        q = (p + i) % s.seats
        if s.active[q]:
            return q
    raise AssertionError("VIV-142: nobody is active")


@rule
def seat_before(s, p):
    """The nearest active seat counter-clockwise."""
    for i in range(1, s.seats + 1):
        q = (p - i + s.seats) % s.seats
        if s.active[q]:
            return q
    raise AssertionError("VIV-142: nobody is active")


@rule
def highest(values):
    """The largest number of an array by seat."""
    most = 0
    for p in range(PLAYERS):
        most = max(most, values[p])
    return most


@rule
def still_in(s):
    """How many seats are active."""
    count = 0
    for p in range(s.seats):
        count += s.active[p]
    return count


# --- blocked colours and matching (section 4) -------------------------------------------------------


@rule
def colours_of(k):
    """The colours of a kind as bits; none for NONE."""
    if k == NONE:
        return 0
    return int(COLOURS_OF[k])


@rule
def blocked_colours(s, p):
    """Colours that seat p may not play into houses (VIV-032, VIV-034)."""
    colours = colours_of(s.general)
    if s.owner == p:
        colours |= colours_of(s.personal)
    return colours


@rule
def accepts(s, h, k):
    """Whether house h is empty or shares a colour with the kind (VIV-030, VIV-031)."""
    return s.top[h] == NONE or (colours_of(s.top[h]) & colours_of(k)) != 0


@rule
def is_blocked(s, p, k):
    """Whether any colour of the kind is blocked for seat p (VIV-033)."""
    return (colours_of(k) & blocked_colours(s, p)) != 0


@rule
def is_playable(s, p, k):
    """Whether seat p may play the kind into some house now, keeping a card (VIV-056, VIV-131)."""
    if s.held[p] < 2:
        return False
    if s.options.bluff:
        return True
    if is_blocked(s, p, k):
        return False
    for h in range(HOUSES):
        if accepts(s, h, k):
            return True
    return False


@rule
def can_shed(s, p, block):
    """Whether the last card of seat p may go on this blocking card (VIV-075, VIV-076)."""
    if block == NONE or s.held[p] != 1:
        return False
    return s.options.bluff or (colours_of(block) & colours_of(only_card(s, p))) != 0


@rule
def only_card(s, p):
    """The first kind in the hand of seat p."""
    for k in range(KINDS):
        if s.hand[p, k] > 0:
            return k
    return NONE


# --- legal actions (section 12) ---------------------------------------------------------------------


@rule
def legal(s, moves):
    """Offer each action the seat to decide may take."""
    p = s.turn
    if s.phase == Phase.TURN:
        offer_turn(s, moves, p)
    elif s.phase == Phase.HOUSE:
        offer_houses(s, moves)
    elif s.phase == Phase.MORE:
        offer_houses(s, moves)
        offer(moves, AT.end_play)
    elif s.phase == Phase.DRAWN:
        offer(moves, AT.play_type + s.drawn)
        offer(moves, AT.end_play)
    elif s.phase == Phase.VIVA:
        offer(moves, AT.call_viva)
        offer(moves, AT.decline_viva)
    elif s.phase == Phase.BLOCK:
        for k in range(KINDS):
            if s.hand[p, k] > 0:
                offer(moves, AT.choose_block + k)
    else:
        offer(moves, AT.catch)
        offer(moves, AT.let_pass)


@rule
def offer_turn(s, moves, p):
    """D1: a type that can be played, the last card on a blocking card, or draw (VIV-040 to VIV-046)."""
    for k in range(KINDS):
        if s.hand[p, k] > 0 and is_playable(s, p, k):
            offer(moves, AT.play_type + k)
    if can_shed(s, p, s.general):
        offer(moves, AT.general_block)
    if s.owner == p and can_shed(s, p, s.personal):
        offer(moves, AT.personal_block)
    offer(moves, AT.draw)


@rule
def offer_houses(s, moves):
    """D2 and D3: the houses where a copy may go now."""
    for h in range(HOUSES):
        if may_place(s, h):
            offer(moves, AT.house + h)


@rule
def may_place(s, h):
    """Whether the next copy may go on house h: all copies in one house, or all in different ones (VIV-054)."""
    copies = 0
    used = 0
    for i in range(HOUSES):
        copies += s.placed[i]
        used += s.placed[i] > 0
    if s.placed[h] > 0:
        return used == 1
    if copies > used:
        return False
    return s.options.bluff or accepts(s, h, s.kind)


# --- a turn (section 5) -----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Play one legal action."""
    take(s, action)
    proceed(s)


@rule
def proceed(s):
    """Go on to the next decision."""
    for _ in range(MOST_TODOS):
        if s.todo == Todo.NOTHING:
            return
        todo = s.todo
        s.todo = Todo.NOTHING
        if todo == Todo.FIRST_TURN:
            begin_turn(s, s.starter, False)
        elif todo == Todo.NEXT_TURN:
            begin_turn(s, seat_after(s, s.actor), False)
        elif todo == Todo.INHERIT:
            begin_turn(s, seat_after(s, s.actor), True)
        else:
            end_round(s)
    assert s.todo == Todo.NOTHING, "the rules go round in a circle"


@rule
def take(s, action):
    """Carry out the decision."""
    if action < AT.house:
        start_play(s, action - AT.play_type)
    elif action < AT.general_block:
        place(s, action - AT.house)
    elif action < AT.personal_block:
        shed(s, Spot.GENERAL)
    elif action < AT.draw:
        shed(s, Spot.PERSONAL)
    elif action < AT.end_play:
        take_card(s)
    elif action < AT.call_viva:
        if s.phase == Phase.MORE:
            end_play(s)
        else:
            next_turn(s)
    elif action < AT.decline_viva:
        call_viva(s)
    elif action < AT.choose_block:
        next_turn(s)
    elif action < AT.catch:
        set_block(s, action - AT.choose_block)
    elif action < AT.let_pass:
        take_back(s)
    else:
        ask_next_witness(s)


@rule
def begin_turn(s, p, inherits):
    """Seat p is to play; without a general blocking card p may have to put one down first (VIV-083, VIV-094)."""
    if s.turns >= s.options.max_turns_per_round:
        stop_round(s)
        return
    s.turns += 1
    s.actor = p
    s.turn = p
    s.phase = Phase.TURN
    s.kind = NONE
    s.drawn = NONE
    s.illegal = 0
    s.calling = 0
    s.spot = Spot.HOUSES
    for h in range(HOUSES):
        s.placed[h] = 0
        s.under[h] = NONE
    if s.general == NONE and (inherits or s.held[p] > 1):
        ask_for_block(s)


@rule
def next_turn(s):
    """Clockwise over the active seats."""
    s.todo = Todo.NEXT_TURN


@rule
def take_card(s):
    """Take one card; it may be played at once if that is possible (VIV-041 to VIV-045, VIV-133)."""
    p = s.turn
    passed_over = kinds_to_play(s, p)
    rule_out(s.likely, p, passed_over)
    k = draw_card(s, p)
    if k != NONE and is_playable(s, p, k):
        s.drawn = k
        s.phase = Phase.DRAWN
    else:
        if s.held[p] > 2:
            rule_out(s.likely, p, passed_over)
        next_turn(s)


@rule
def kinds_to_play(s, p):
    """The kinds, as bits, that seat p could get rid of now, whatever else is in hand."""
    if s.held[p] == 1:
        own = colours_of(s.personal) if s.owner == p else 0
        return SHARING[colours_of(s.general) | own]
    kinds = 0
    for h in range(HOUSES):
        kinds |= ALL_KINDS if s.top[h] == NONE else SHARING[colours_of(s.top[h])]
    return kinds & ~SHARING[blocked_colours(s, p)]


# --- playing cards (section 6) ----------------------------------------------------------------------


@rule
def start_play(s, k):
    """Choose the type; a single possible house is taken without asking (VIV-132)."""
    if s.phase == Phase.DRAWN:
        show_newest(s, s.turn, k)
    else:
        show(s, s.turn, k)
    s.kind = k
    s.phase = Phase.HOUSE
    house = NONE
    for h in range(HOUSES):
        if may_place(s, h):
            if house != NONE:
                return
            house = h
    place(s, house)


@rule
def place(s, h):
    """Put a copy on a house, and ask for more if more is possible (VIV-051 to VIV-055, VIV-130)."""
    p = s.actor
    if s.placed[h] == 0:
        s.under[h] = s.top[h]
        if not accepts(s, h, s.kind) or is_blocked(s, p, s.kind):
            s.illegal = 1
    if s.top[h] != NONE:
        s.covered[s.top[h]] += 1
    s.top[h] = s.kind
    s.height[h] += 1
    s.placed[h] += 1
    give_up(s, p, s.kind)
    if s.held[p] > 1 and another_may_go(s):
        if s.hand[p, s.kind] > 0:
            show(s, p, s.kind)
            s.phase = Phase.MORE
            return
        holds_no_more(s, p, 1 << s.kind)
    end_play(s)


@rule
def another_may_go(s):
    """Whether some house takes a further copy."""
    for h in range(HOUSES):
        if may_place(s, h):
            return True
    return False


@rule
def end_play(s):
    """The play is complete: it may be caught, it may make a VIVA (VIV-061, VIV-123)."""
    if s.illegal:
        call_witnesses(s)
    else:
        settle_play(s)


@rule
def settle_play(s):
    """The play stands."""
    if s.spot != Spot.HOUSES:
        go_out(s)
    elif houses_share_colour(s):
        s.turn = s.actor
        s.phase = Phase.VIVA
    else:
        next_turn(s)


# --- VIVA (section 7) -------------------------------------------------------------------------------


@rule
def houses_share_colour(s):
    """Whether one colour is on the tops of all three houses (VIV-060)."""
    shared = ~0
    for h in range(HOUSES):
        shared &= colours_of(s.top[h])
    return shared != 0


@rule
def call_viva(s):
    """Clear the table, hand out penalties, replace the personal card, then choose a blocking card (VIV-064 to 070)."""
    p = s.actor
    clear_table(s)
    clear_personal(s)
    draw_cards(s, seat_before(s, p), PENALTY_BEFORE)
    if still_in(s) > 2:
        draw_cards(s, seat_after(s, p), PENALTY_AFTER)
    replace_personal(s, p)
    s.calling = 1
    ask_for_block(s)


@rule
def clear_personal(s):
    """The personal blocking card, if there is one, goes to the discard (VIV-067, VIV-082)."""
    to_discard(s, s.personal)
    s.personal = NONE


@rule
def replace_personal(s, caller):
    """The owner gets a new personal card, unless the owner called: then there is none (VIV-068, VIV-069, VIV-093)."""
    if s.owner == caller:
        s.owner = NONE
    elif s.owner != NONE:
        s.personal = take_from_stack(s)


@rule
def ask_for_block(s):
    """The actor owes a general blocking card; where there is no choice it is put down at once (VIV-071, VIV-132)."""
    p = s.actor
    s.phase = Phase.BLOCK
    if s.held[p] == 1 and not card_can_be_had(s):
        after_block(s)
        return
    k = only_card(s, p)
    if s.hand[p, k] == s.held[p]:
        holds_no_more(s, p, ALL_KINDS & ~(1 << k))
        set_block(s, k)


@rule
def set_block(s, k):
    """Put down the general blocking card; a hand that is empty now takes a card (VIV-071, VIV-072, VIV-084)."""
    p = s.actor
    give_up(s, p, k)
    s.general = k
    if s.held[p] == 0:
        draw_card(s, p)
    after_block(s)


@rule
def after_block(s):
    """After a call the next seat plays, otherwise the turn begins now (VIV-073, VIV-083)."""
    if s.calling:
        next_turn(s)
    else:
        s.phase = Phase.TURN


# --- the last card (section 8) ----------------------------------------------------------------------


@rule
def shed(s, spot):
    """Put the last card on a blocking card."""
    p = s.actor
    s.kind = only_card(s, p)
    show(s, p, s.kind)
    s.spot = spot
    block = s.general if spot == Spot.GENERAL else s.personal
    if (colours_of(block) & colours_of(s.kind)) == 0:
        s.illegal = 1
    end_play(s)


@rule
def go_out(s):
    """The actor's last card is gone: clear the table without penalties (VIV-079 to VIV-082)."""
    p = s.actor
    give_up(s, p, s.kind)
    to_discard(s, s.kind)
    clear_table(s)
    leave_round(s, p)
    if still_in(s) > 1:
        s.todo = Todo.INHERIT
    else:
        leave_round(s, seat_after(s, p))
        s.todo = Todo.END_ROUND


@rule
def leave_round(s, p):
    """Seat p takes the next position of the round; its personal card goes (VIV-082, VIV-103)."""
    s.position[p] = highest(s.position) + 1
    s.active[p] = 0
    if s.owner == p:
        clear_personal(s)
        s.owner = NONE


# --- catching illegal plays, variant (section 11) ---------------------------------------------------


@rule
def call_witnesses(s):
    """Each other active seat notices by chance, clockwise (VIV-118)."""
    s.noticed = 0
    for i in range(1, s.seats):
        q = (s.actor + i) % s.seats
        if s.active[q] and happens(s, s.options.bluff_notice_probability):
            s.noticed |= 1 << q
    s.turn = s.actor
    ask_next_witness(s)


@rule
def ask_next_witness(s):
    """The next seat clockwise that noticed decides; without one the play stands (VIV-119)."""
    for i in range(1, s.seats):
        q = (s.turn + i) % s.seats
        if q == s.actor:
            break
        if s.noticed >> q & 1:
            s.noticed &= ~(1 << q)
            s.turn = q
            s.phase = Phase.CATCH
            return
    settle_play(s)


@rule
def take_back(s):
    """Caught: all copies of the play return to the hand, three cards more, and the turn ends (VIV-116, VIV-123)."""
    p = s.actor
    for h in range(HOUSES):
        copies = s.placed[h]
        if copies > 0:
            s.hand[p, s.kind] += copies
            s.held[p] += copies
            s.known[p, s.kind] += copies
            s.covered[s.kind] -= copies - 1
            s.height[h] -= copies
            s.top[h] = s.under[h]
            if s.top[h] != NONE:
                s.covered[s.top[h]] -= 1
    s.noticed = 0
    draw_cards(s, p, PENALTY_CAUGHT)
    next_turn(s)


# --- end of round and match (section 10) ------------------------------------------------------------


@rule
def stop_round(s):
    """Too many turns: those still active are ranked by fewer cards, then seat order from the starter (VIV-096)."""
    s.capped += 1
    for _ in range(still_in(s)):
        best = NONE
        for i in range(s.seats):
            p = (s.starter + i) % s.seats
            if s.active[p] and (best == NONE or s.held[p] < s.held[best]):
                best = p
        leave_round(s, best)
    s.todo = Todo.END_ROUND


@rule
def seat_at(s, position):
    """The seat that took a position of the round."""
    for p in range(s.seats):
        if s.position[p] == position:
            return p
    return NONE


@rule
def end_round(s):
    """First out gets a winner's card and starts the next round, the last one has lost (VIV-100 to VIV-104)."""
    winner = seat_at(s, 1)
    if s.tie_break:
        end_match(s, winner)
        return
    loser = seat_at(s, highest(s.position))
    s.wins[winner] += 1
    for p in range(s.seats):
        s.position_sum[p] += s.position[p]
    s.round += 1
    if s.options.match == SINGLE_ROUND:
        end_match(s, winner)
    elif s.round < s.options.rounds:
        for p in range(s.seats):
            s.active[p] = 1
        s.owner = loser
        deal(s, winner)
    else:
        decide_match(s, winner, loser)


@rule
def decide_match(s, winner, loser):
    """Most winner's cards win; those who share the maximum play a tie-break round (VIV-105 to VIV-108)."""
    most = highest(s.wins)
    for p in range(s.seats):
        s.active[p] = s.wins[p] == most
    if still_in(s) == 1:
        end_match(s, seat_after(s, winner))
        return
    s.tie_break = 1
    s.owner = loser if s.active[loser] else NONE
    deal(s, winner if s.active[winner] else seat_after(s, winner))


@rule
def end_match(s, champion):
    """The match is over: no decision is due, and none gives anything away."""
    s.champion = champion
    s.over = 1
    s.turn = champion
    s.phase = Phase.TURN


# --- result and invariants --------------------------------------------------------------------------


@rule
def result(s, r):
    """A match: winner's cards, the champion first, then position sums. A round: its order (VIV-109, VIV-110)."""
    r.capped = s.capped
    for p in range(s.seats):
        if s.options.match == SINGLE_ROUND:
            r.score[p] = s.seats - s.position[p] if s.position[p] > 0 else 0
            r.key[p] = 1000 - s.position[p] if s.position[p] > 0 else -s.held[p]
        else:
            r.score[p] = s.wins[p]
            r.key[p] = 1000 * s.wins[p] - s.position_sum[p] + (100000 if s.champion == p else 0)
    place_by_key(r, s.seats)


@rule
def check(s):
    """Section 13."""
    check_seats(s)
    copies = COPIES[s.options.edition]
    stacked = 0
    for k in range(KINDS):
        stacked += s.stack[k]
        count = s.stack[k] + s.discard[k] + s.covered[k] + (s.general == k) + (s.personal == k)
        for h in range(HOUSES):
            count += s.top[h] == k
        for p in range(s.seats):
            count += s.hand[p, k]
        assert count == copies, "VIV-140: the cards of a type are not all there"
    assert stacked == s.stack_size, "VIV-140: the stack is not as large as it says"
    assert s.personal == NONE or s.owner != NONE, "VIV-146: a personal card lies in front of nobody"
    assert s.owner == NONE or s.active[s.owner] or s.over, "VIV-143: a player who is out has a personal card"
    handed_out = 0
    for p in range(s.seats):
        handed_out += s.wins[p]
        held = 0
        for k in range(KINDS):
            held += s.hand[p, k]
        assert held == s.held[p], "VIV-140: a hand is not as large as it says"
        assert s.over or not s.active[p] or held > 0, "VIV-142: an active player has no card"
    assert handed_out == s.round, "VIV-144: winner's cards and rounds differ"
    check_houses(s)
    if s.over:
        assert s.champion == s.turn, "VIV-108: the match is over, and nobody has won it"
        return
    check_match(s)
    check_round(s)
    check_turn(s)
    check_phase(s)


@rule
def check_houses(s):
    """Heights, and matching tops (VIV-141)."""
    below = 0
    for k in range(KINDS):
        below += s.covered[k]
    for h in range(HOUSES):
        assert (s.top[h] == NONE) == (s.height[h] == 0), "VIV-140: an empty house has a top card"
        below -= max(0, s.height[h] - 1)
        if s.placed[h] > 0 and not s.options.bluff:
            under = colours_of(s.under[h])
            assert under == 0 or (under & colours_of(s.top[h])) != 0, "VIV-141: a card lies where it does not match"
    assert below == 0, "VIV-140: covered cards and heights differ"


@rule
def check_seats(s):
    """Whoever is named sits at the table (VIV-147)."""
    assert 0 <= s.actor < s.seats, "VIV-147: it is the turn of nobody at the table"
    assert 0 <= s.starter < s.seats, "VIV-147: nobody at the table started"
    assert NONE <= s.owner < s.seats, "VIV-147: a personal card lies in front of nobody at the table"
    assert NONE <= s.champion < s.seats, "VIV-147: nobody at the table has won"
    assert 0 <= s.turns <= s.options.max_turns_per_round, "VIV-147: turns are miscounted"
    assert s.capped <= s.round + s.tie_break, "VIV-095: more rounds were stopped than ended"
    assert s.todo == Todo.NOTHING, "a decision is due while the rules still have something to do"
    for p in range(s.seats, PLAYERS):
        nothing = s.active[p] == 0 and s.wins[p] == 0 and s.position[p] == 0 and s.held[p] == 0
        assert nothing, "VIV-147: a seat that is not at the table plays"


@rule
def check_match(s):
    """Rounds and winner's cards of a match that goes on (VIV-100 to VIV-107)."""
    assert s.champion == NONE, "VIV-108: somebody has won a match that goes on"
    rounds = 1 if s.options.match == SINGLE_ROUND else s.options.rounds
    if s.tie_break:
        assert s.options.match != SINGLE_ROUND, "VIV-106: a single round has no tie-break"
        assert s.round == rounds, "VIV-106: a tie-break comes too soon"
    else:
        assert s.round < rounds, "VIV-105: the match goes on after its last round"
    for p in range(s.seats):
        assert s.position_sum[p] <= s.round * s.seats, "VIV-103: positions and rounds differ"
        takes_part = s.active[p] or s.position[p] > 0
        assert takes_part or s.tie_break, "VIV-103: a seat takes no part in the round"


@rule
def check_round(s):
    """Who is in and who is out (VIV-103, VIV-142)."""
    assert still_in(s) > 1, "VIV-104: the round goes on with fewer than two"
    out = 0
    for p in range(s.seats):
        assert not s.active[p] or s.position[p] == 0, "VIV-103: a seat that is in has a position"
        out += s.position[p] > 0
    for position in range(1, out + 1):
        assert seat_at(s, position) != NONE, "VIV-103: a position of the round is missing"


@rule
def check_turn(s):
    """Whose turn it is, and what the turn has left behind (sections 5 and 11)."""
    assert s.active[s.actor], "VIV-142: it is the turn of a seat that is out"
    assert s.turns > 0, "VIV-147: turns are miscounted"
    assert (s.turn == s.actor) == (s.phase != Phase.CATCH), "VIV-119: another seat is to decide"
    in_play = s.phase == Phase.MORE or s.phase == Phase.VIVA or s.phase == Phase.CATCH
    assert not s.illegal or (s.options.bluff and (in_play or s.calling)), "VIV-115: an illegal play without a bluff"
    assert not s.calling or s.phase == Phase.BLOCK, "VIV-070: a call of VIVA without a new blocking card"
    assert s.spot == Spot.HOUSES or s.phase == Phase.CATCH, "VIV-079: the last card is out, but the turn goes on"
    assert s.noticed == 0 or s.phase == Phase.CATCH, "VIV-118: a play was noticed that nobody may catch"
    copies = 0
    for h in range(HOUSES):
        copies += s.placed[h]
    if s.spot != Spot.HOUSES or not in_play:
        assert copies == 0, "VIV-053: copies were put down, but none is being played"
    else:
        check_play(s, copies)


@rule
def check_play(s, copies):
    """The copies of the play lie on top of the houses, all in one or each in another (VIV-052 to VIV-054)."""
    assert s.kind != NONE and copies > 0, "VIV-050: no type is being played"
    used = 0
    below = copies  # copies of the type that must lie below the tops, or be a top
    for h in range(HOUSES):
        if s.placed[h] > 0:
            used += 1
            below -= 1
            assert s.top[h] == s.kind, "VIV-052: another type than the one being played lies on top"
            more = s.height[h] - s.placed[h]
            assert more == 0 if s.under[h] == NONE else more > 0, "VIV-052: the house was not as high as it says"
    for h in range(HOUSES):
        if s.placed[h] > 0 and s.under[h] != NONE:
            needed = below if s.under[h] == s.kind else 0
            for other in range(HOUSES):
                needed += s.placed[other] > 0 and s.under[other] == s.under[h]
            assert s.covered[s.under[h]] >= needed, "VIV-140: a card is missing below the tops"
    assert s.covered[s.kind] >= below, "VIV-140: a card is missing below the tops"
    assert used == 1 or used == copies, "VIV-054: copies lie neither in one house nor in different ones"


@rule
def check_phase(s):
    """What has to hold when a decision is due (section 12)."""
    p = s.actor
    if s.phase == Phase.TURN:
        assert s.drawn == NONE, "VIV-041: a card was taken, but the turn has not begun"
    elif s.phase == Phase.HOUSE:
        assert s.kind != NONE and s.hand[p, s.kind] > 0, "VIV-050: the type being played is not in hand"
        assert is_playable(s, p, s.kind), "VIV-056: the type being played cannot be played"
    elif s.phase == Phase.MORE:
        assert s.hand[p, s.kind] > 0 and s.held[p] > 1, "VIV-056: no other copy is in hand"
    elif s.phase == Phase.DRAWN:
        assert s.drawn != NONE and s.hand[p, s.drawn] > 0, "VIV-042: the card just taken is not in hand"
        assert is_playable(s, p, s.drawn), "VIV-043: the card just taken cannot be played"
    elif s.phase == Phase.VIVA:
        assert houses_share_colour(s), "VIV-060: the houses share no colour"
    elif s.phase == Phase.BLOCK:
        assert s.general == NONE, "VIV-071: a blocking card lies there already"
        assert s.hand[p, only_card(s, p)] < s.held[p], "VIV-132: there is no choice of a blocking card"
    else:
        check_catch(s)


@rule
def check_catch(s):
    """Who may catch, and what (section 11)."""
    assert s.illegal, "VIV-118: a legal play is to be caught"
    assert s.active[s.turn], "VIV-118: a seat that is out may catch"
    for q in range(PLAYERS):
        if s.noticed >> q & 1:
            assert q < s.seats and s.active[q] and q != s.actor, "VIV-118: a play was noticed by nobody in the round"
    assert s.noticed >> s.turn & 1 == 0, "VIV-119: a seat is asked twice"
    if s.spot != Spot.HOUSES:
        assert s.held[s.actor] == 1 and s.kind == only_card(s, s.actor), "VIV-074: the card put down is not the last"
        block = s.general if s.spot == Spot.GENERAL else s.personal
        assert block != NONE, "VIV-075: the last card lies on no blocking card"
        assert s.spot == Spot.GENERAL or s.owner == s.actor, "VIV-076: the personal card is another player's"
