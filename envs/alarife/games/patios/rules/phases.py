"""Patios: what holds when a decision is due: who decides, and what the turn has left on the table (section 19)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.views import count_bits
from alarife.games.patios.components import (
    CANE,
    CELLS,
    CHARACTERS,
    COINS_PER_PURCHASE,
    COLOURS,
    HOSE,
    HOSE_TARGETS,
    IMPROVEMENTS,
    KINDS,
    MOST_LOOSE_IN_ROUND,
    NONE,
    ROUNDS,
    ROUNDS_IN_MAY,
    Character,
    Improvement,
    Phase,
    Place,
    Todo,
    Window,
)

from .children import swap_sources
from .patio import is_balcony
from .row import table_number
from .seats import seat_of
from .stock import has_awning, hose_on_ladder, lies_in


@rule
def check_phase(s):
    """Everything that the decision due takes for granted."""
    check_round(s)
    check_who(s)
    check_hand(s)
    check_deal(s)
    check_character(s)
    check_places(s)
    check_playing(s)
    check_offers(s)
    check_swap(s)
    check_sun(s)
    check_watering(s)
    check_carry(s)


@rule
def in_setup(s):
    """Whether the dealt pots are being laid out (PAT-023)."""
    if s.phase == Phase.PLACE:
        return s.after == Todo.SETUP_DRY or s.after == Todo.NEXT_SETUP
    return s.phase == Phase.SETUP


@rule
def is_watering(s):
    """Whether patios are watered, at the Sun effect or at the end of a round."""
    return s.phase == Phase.WATER or s.phase == Phase.WATER_TOOL or s.phase == Phase.WATER_TARGET


@rule
def is_sunny(s):
    """Whether the Sun's hits are being dealt with."""
    return Phase.FIRST_HIT <= s.phase <= Phase.DEFENCE_TOOL


@rule
def is_playing(s):
    """Whether the details of an improvement are being decided."""
    return s.phase == Phase.IMPROVEMENT_PLACE or s.phase == Phase.CAN or s.phase == Phase.GUITAR


@rule
def is_between_rounds(s):
    """Whether the decision belongs to the end of a round, watering apart."""
    return s.phase >= Phase.TUB_COLOUR or (s.phase == Phase.PLACE and s.after == Todo.NEXT_BUYER)


@rule
def check_round(s):
    """Rounds, turns, points so far (PAT-110, PAT-125, PAT-170)."""
    assert s.todo == Todo.NOTHING, "a decision is due while the rules still have something to do"
    assert s.round < (ROUNDS_IN_MAY if s.options.may_has_31_days else ROUNDS), "PAT-170: the game goes on after its end"
    assert in_setup(s) == (s.turns == 0), "PAT-026: the setup and turns do not go together"
    assert s.round == 0 or not in_setup(s), "PAT-023: the game is being set up after a round"
    assert is_watering(s) or s.ending == is_between_rounds(s), "PAT-120: the round ends while turns are taken"
    is_scoring = s.phase == Phase.TUB_COLOUR or s.phase == Phase.BREAK_TRIO
    for p in range(s.seats):
        after = (p - s.turn_of + s.seats) % s.seats
        is_scored = is_scoring and (after < s.step - 1 or (after == s.step - 1 and s.phase == Phase.BREAK_TRIO))
        scored = s.round + is_scored
        for c in range(COLOURS):
            assert s.trio[p, c] <= scored, "PAT-122: more trio tokens than rounds"
        assert s.loose[p] <= scored * MOST_LOOSE_IN_ROUND, "PAT-123: more points than the rounds gave"
        assert not s.champion[p], "PAT-182: somebody has won, but the game goes on"


@rule
def check_who(s):
    """The seat to decide, where the rules go round the table (PAT-021)."""
    phase, after = s.phase, s.after
    assert s.turn_of < s.seats, "PAT-021: it is the turn of nobody at the table"
    places = phase == Phase.PLACE or phase == Phase.CANE
    if phase == Phase.DRAFT or (places and after == Todo.NEXT_DRAFT):
        assert s.step > 0 and s.seat == seat_of(s, s.seats - s.step + 1), "PAT-066: the draft is with another seat"
    elif phase == Phase.BUY or (places and after == Todo.NEXT_BUYER):
        assert s.step < s.seats and s.seat == seat_of(s, s.step), "PAT-147: another seat buys"
    elif goes_round(s):
        least = 2 if is_sunny(s) or phase == Phase.OFFER else 1
        assert s.step >= least and s.seat == seat_of(s, s.step - 1), "PAT-021: another seat is to decide"
    elif phase == Phase.APPRENTICE_WINDOW or (is_playing(s) and s.window == Window.APPRENTICE):
        assert s.apprentice != NONE and s.seat == s.apprentice, "PAT-106: the apprentice is another seat"
    else:
        assert s.seat == s.turn_of, "PAT-030: another seat than the active one is to decide"


@rule
def goes_round(s):
    """Whether the seats decide one after another in the order of play."""
    phase, after = s.phase, s.after
    if phase == Phase.PLACE or phase == Phase.CANE:
        return after != Todo.OFFER_SWAP
    return (phase == Phase.SETUP or phase == Phase.TAKE or phase == Phase.OFFER or is_sunny(s) or is_watering(s)
            or (Phase.TUB_COLOUR <= phase <= Phase.AWNING_KEEP))  # fmt: skip


@rule
def check_hand(s):
    """The card in hand, and what follows once it is placed (PAT-040, PAT-057)."""
    phase, after = s.phase, s.after
    if phase == Phase.PLACE:
        assert s.held != NONE and s.held != CANE, "PAT-042: there is no flower card to place"
        follows = (after == Todo.SETUP_DRY or after == Todo.NEXT_SETUP or after == Todo.NEXT_TAKER
                   or after == Todo.NEXT_DRAFT or after == Todo.OFFER_SWAP or after == Todo.NEXT_BUYER)  # fmt: skip
        assert follows, "PAT-042: nothing follows the placing of a flower card"
    elif phase == Phase.CANE:
        assert s.held == CANE, "PAT-057: there is no cane to place"
        follows = after == Todo.NEXT_CANE or after == Todo.NEXT_DRAFT or after == Todo.OFFER_SWAP
        assert follows, "PAT-057: nothing follows the placing of a cane"
    else:
        assert s.held == NONE, "PAT-042: a card is in hand that nobody places"
    if s.held != NONE:
        check_side(s)
    drafts = phase == Phase.DRAFT or ((phase == Phase.PLACE or phase == Phase.CANE) and after == Todo.NEXT_DRAFT)
    assert drafts or s.drafted == 0, "PAT-067: cards of the Assistant are left over"
    assert phase != Phase.BUY or s.coins[s.seat] >= COINS_PER_PURCHASE, "PAT-147: the buyer cannot pay"


@rule
def check_side(s):
    """Which side of the card in hand will be up, and whether all have seen it (PAT-023, PAT-040, PAT-057, PAT-065)."""
    is_dealt_dry = s.after == Todo.NEXT_SETUP
    is_of_another = s.held != CANE and s.after != Todo.SETUP_DRY and s.seat != s.turn_of
    is_up = not is_dealt_dry and (s.after == Todo.NEXT_BUYER or not is_of_another)
    is_open = not is_dealt_dry and (s.after != Todo.NEXT_DRAFT or not is_of_another)
    assert s.held_up == is_up, "PAT-040: the card in hand will lie on the wrong side"
    assert s.held_open == is_open, "PAT-040: the card in hand is open that was hidden, or hidden that was open"


@rule
def check_deal(s):
    """Who has laid out the dealt pots (PAT-022, PAT-023)."""
    for p in range(s.seats):
        left = 0
        if in_setup(s):
            after = (p - s.turn_of + s.seats) % s.seats
            left = 2 if after >= s.step else 0
            if after == s.step - 1:
                left = 2 if s.phase == Phase.SETUP else 1 if s.after == Todo.SETUP_DRY else 0
        assert (s.dealt[p, 0] != NONE) == (left > 0), "PAT-023: a dealt pot is missing, or left over"
        assert (s.dealt[p, 1] != NONE) == (left > 1), "PAT-023: a dealt pot is missing, or left over"
        assert left < 2 or s.dealt[p, 0] < s.dealt[p, 1], "PAT-022: somebody was dealt two pots of a colour"
        if in_setup(s):
            due = 2 - left - (p == s.seat and s.held != NONE)
            assert count_bits(s.filled[p]) == due, "PAT-023: dealt pots are not where they belong"


@rule
def check_character(s):
    """The character chosen this turn, and the row (PAT-030 to PAT-032, PAT-159, PAT-221)."""
    assert s.flamenco or s.to_turn_down == 0, "PAT-159: characters are turned down without a Flamenco Dancer"
    if in_setup(s):
        return
    down = 0
    for k in range(s.row_size):
        down += s.face_up[s.row[k]] == 0
    assert s.row_size == CHARACTERS - s.options.playground, "PAT-221: the row is too long or too short"
    assert down + s.to_turn_down == table_number(s), "PAT-221: the wrong number of characters is face down"
    assert not s.options.playground or not s.face_up[Character.NEIGHBOUR], "PAT-183: the Neighbour is in the playground"
    if s.ending:
        return
    if is_watering(s):
        assert s.row[0] == Character.SUN, "PAT-090: patios are watered, but the Sun is not first"
        return
    if s.phase != Phase.FLAMENCO_DOWN:
        assert not s.flamenco or down == 0, "PAT-159: a character lies face down in a Flamenco Dancer's turn"
    assert s.row[0] != Character.SUN, "PAT-221: the Sun is first"
    assert s.row[0] != Character.VISITORS, "PAT-221: Visitors are first"
    is_first = s.phase == Phase.TURN or (is_playing(s) and s.window == Window.FIRST)
    assert (s.character == NONE) == is_first, "PAT-030: a character is chosen before its time, or not at all"
    assert s.character != Character.VISITORS, "PAT-031: Visitors are chosen"
    if s.phase == Phase.FLAMENCO_DOWN:
        assert s.flamenco and s.to_turn_down > 0, "PAT-159: no character is to be turned down"
    elif s.character != NONE:
        assert s.face_up[s.character], "PAT-031: a character is chosen that lies face down"
        assert suits_phase(s), "PAT-030: another character's action is being carried out"


@rule
def suits_phase(s):
    """Whether the decision due belongs to the action of the character chosen."""
    phase, character = s.phase, s.character
    if phase == Phase.PLACE or phase == Phase.CANE:
        if s.after == Todo.NEXT_TAKER:
            return character <= Character.GREEN_GARDENER
        if s.after == Todo.NEXT_CANE:
            return character == Character.WATER_CARRIER
        if s.after == Todo.NEXT_DRAFT:
            return character == Character.ASSISTANT
        return character == Character.CHILDREN
    if phase == Phase.TAKE:
        return character <= Character.GREEN_GARDENER
    if phase == Phase.DRAFT:
        return character == Character.ASSISTANT
    if Phase.SWAP <= phase <= Phase.SWAP_THEIRS:
        return character == Character.CHILDREN
    if phase == Phase.DIRECTION or is_sunny(s):
        return character == Character.SUN
    if Phase.OFFER <= phase <= Phase.APPRENTICE_WINDOW:
        return character == Character.NEIGHBOUR
    return True


@rule
def check_places(s):
    """Where improvements are, and who has them (PAT-146, PAT-155, PAT-220)."""
    drawn = 0
    stocked = 0
    for i in range(IMPROVEMENTS):
        place = s.place[i]
        is_owned = place == Place.HAND or place == Place.PATIO
        assert not is_owned or 0 <= s.keeper[i] < s.seats, "PAT-220: an improvement belongs to nobody at the table"
        assert (s.spot[i] != NONE) == (place == Place.PATIO) or place == Place.PLAYED, (
            "PAT-220: an improvement lies in a cell, but in no patio"
        )
        assert place != Place.RETURNED or s.ending, "PAT-146: an improvement waits for the end of a round"
        assert place != Place.RETURNED or s.phase < Phase.BUY, "PAT-146: an improvement was not shuffled in"
        assert place != Place.PLAYED or is_in_use(s, i), "PAT-220: an improvement is played by nobody"
        assert place != Place.DRAWN or s.drawn[0] == i or s.drawn[1] == i, "PAT-103: an improvement drawn is lost"
        drawn += place == Place.DRAWN
        stocked += place == Place.STOCK
    assert drawn == (2 if s.phase == Phase.KEEP else 0), "PAT-103: two improvements are drawn, and one is kept"
    for k in range(2):
        assert (s.drawn[k] != NONE) == (s.phase == Phase.KEEP), "PAT-103: two improvements are drawn, and one is kept"
    laid_out = not s.options.playground and not in_setup(s)
    assert s.stock_size == (stocked if laid_out else 0), "PAT-220: the stock differs"
    assert laid_out or stocked == IMPROVEMENTS, "PAT-183: an improvement is about where there is none"
    for k in range(s.stock_size):
        for j in range(k):
            assert s.stock[j] != s.stock[k], "PAT-220: an improvement is twice in the deck"
    for p in range(s.seats):
        for c in range(CELLS):
            if s.card[p, c] >= KINDS:
                i = s.card[p, c] - KINDS
                assert lies_in(s, i, p) and s.spot[i] == c, "PAT-220: an improvement lies where it does not belong"


@rule
def is_in_use(s, i):
    """Whether an improvement has just been played, and the rules still need it."""
    if i == Improvement.HOSE and s.phase == Phase.WATER_TARGET:
        return s.tool == HOSE
    if i == Improvement.CAN and (s.phase == Phase.DEFENCE or s.phase == Phase.DEFENCE_TOOL):
        return True
    return i == s.playing


@rule
def check_playing(s):
    """The improvement being played, and when (PAT-035, PAT-106, PAT-156)."""
    i = s.playing
    assert (i != NONE) == is_playing(s), "PAT-156: no improvement is being played, or one too many"
    if i != NONE:
        assert s.place[i] == Place.PLAYED, "PAT-156: the improvement being played is elsewhere"
        assert (i == Improvement.CAN) == (s.phase == Phase.CAN), "PAT-162: another improvement is being played"
        assert (i == Improvement.GUITARIST) == (s.phase == Phase.GUITAR), "PAT-158: another improvement is being played"
        assert i != Improvement.FLAMENCO, "PAT-159: a Flamenco Dancer asks nothing"
        assert i != Improvement.GUITARIST or s.window != Window.APPRENTICE, "PAT-107: an apprentice plays no Guitarist"
    assert s.phase != Phase.TURN or s.window == Window.FIRST, "PAT-035: the turn begins with another window"
    assert s.phase != Phase.WINDOW or s.window == Window.SECOND, "PAT-035: the action is over, but not its window"
    assert s.apprentice < s.seats and s.apprentice != s.turn_of, "PAT-101: nobody at the table is the apprentice"
    if s.phase == Phase.APPRENTICE_WINDOW:
        assert s.window == Window.APPRENTICE and s.passed != NONE, "PAT-106: the apprentice has received nothing"
        assert s.place[s.passed] == Place.HAND and s.keeper[s.passed] == s.seat, (
            "PAT-106: the apprentice does not have what was given"
        )


@rule
def check_offers(s):
    """Coins offered to the Neighbour's player (PAT-100 to PAT-102, PAT-105)."""
    asks = s.phase == Phase.OFFER or s.phase == Phase.APPRENTICE
    assert asks or s.offers == 0, "PAT-101: coins are offered to nobody"
    assert not asks or s.stock_size >= 2, "PAT-100: there are no two improvements to draw"
    for p in range(s.seats):
        if s.offers >> p & 1 or (s.phase == Phase.OFFER and p == s.seat):
            assert p != s.turn_of and s.coins[p] > 0, "PAT-101: a coin is offered that is not there"
    assert s.offers >> s.seats == 0, "PAT-101: a coin is offered by nobody at the table"
    if s.phase == Phase.OFFER:
        assert s.offers >> s.seat & 1 == 0, "PAT-101: a seat is asked twice"
    elif s.phase == Phase.APPRENTICE:
        assert count_bits(s.offers) > 1, "PAT-101: there is no choice of an apprentice"
    elif s.phase == Phase.STEAL:
        assert s.stock_size == 0, "PAT-105: an improvement is stolen, but the deck is not empty"


@rule
def check_swap(s):
    """The cards that the Children's player swaps (PAT-071, PAT-072)."""
    chosen = s.phase == Phase.SWAP_PLAYER or s.phase == Phase.SWAP_THEIRS
    assert (s.swap_own != NONE) == chosen, "PAT-071: a card is chosen for a swap, or none is"
    assert (s.swap_player != NONE) == (s.phase == Phase.SWAP_THEIRS), "PAT-071: a player is chosen for a swap, or none"
    if chosen:
        assert swap_sources(s) >> s.swap_own & 1, "PAT-072: the card chosen cannot be swapped"
        assert s.swap_player < s.seats and s.swap_player != s.turn_of, "PAT-071: a swap with nobody at the table"


@rule
def check_sun(s):
    """Direction, hits and defence (PAT-080 to PAT-086)."""
    assert (s.direction != NONE) == is_sunny(s), "PAT-080: the Sun shines from nowhere, or without need"
    p = int(s.seat)
    for k in range(2):
        c = int(s.hit[k])
        may_be_hit = s.phase > Phase.FIRST_HIT + k and is_sunny(s)
        assert c == NONE or may_be_hit, "PAT-081: a card is hit before its time"
        if c == NONE:
            assert s.guard[k] == 0 and s.canned >> k & 1 == 0, "PAT-084: a card is defended that was not hit"
        else:
            assert s.flowers[p] >> c & 1, "PAT-081: the Sun hits no flower card"
            assert s.guard[k] == 0 or s.phase >= Phase.DEFENCE, "PAT-084: a card is defended before its time"
            used = s.place[Improvement.CAN] == Place.PLAYED
            assert used or (s.guard[k] < 2 and s.canned == 0), "PAT-084: there is no watering can that defends"
            assert s.guard[k] < 2 or is_balcony(s.card[p, c]), "PAT-084: a watering can saves no balcony"
            assert s.canned >> k & 1 == 0 or not is_balcony(s.card[p, c]), "PAT-084: a watering can spares a balcony"
    assert s.hit[0] == NONE or s.hit[0] != s.hit[1], "PAT-082: a card is hit twice"
    assert not is_sunny(s) or not has_awning(s, p), "PAT-086: the Sun hits under an Awning"
    if s.phase == Phase.DEFENCE_TOOL:
        check_ladder(s)


@rule
def check_ladder(s):
    """There is a choice between a cane and the hose of the own ladder (PAT-161)."""
    has_both = lies_in(s, Improvement.LADDER, s.seat) and s.ladder_canes > 0 and hose_on_ladder(s)
    assert has_both, "PAT-161: the ladder does not hold both tools"


@rule
def check_watering(s):
    """The tool in use (PAT-130 to PAT-134)."""
    if s.phase == Phase.WATER_TOOL:
        check_ladder(s)
    if s.phase != Phase.WATER_TARGET:
        assert s.tool == NONE and s.tool_cell == NONE, "PAT-130: a tool is in use, but nobody waters"
        assert s.left == 0 and not s.on_ladder and not s.moistened, "PAT-130: a tool is in use, but nobody waters"
        return
    p = int(s.seat)
    assert s.tool == CANE or s.tool == HOSE, "PAT-130: no tool is in use"
    assert s.tool != HOSE or s.place[Improvement.HOSE] == Place.PLAYED, "PAT-132: the hose is elsewhere"
    assert s.tool_cell != NONE and s.left > 0, "PAT-130: the tool has done its work"
    assert s.left <= (HOSE_TARGETS if s.tool == HOSE else HOSE_TARGETS - 1), "PAT-131: the tool waters too many cards"
    assert s.chosen & ~s.flowers[p] == 0, "PAT-131: something other than a flower card was watered"
    if s.on_ladder:
        assert lies_in(s, Improvement.LADDER, p) and s.spot[Improvement.LADDER] == s.tool_cell, (
            "PAT-134: the tool is on no ladder"
        )


@rule
def check_carry(s):
    """What is kept (PAT-141 to PAT-144), and how points are paid (PAT-121, PAT-125)."""
    p = int(s.seat)
    keeps = s.phase == Phase.KEEP_UP or s.phase == Phase.KEEP_DRY
    assert (s.colour != NONE) == keeps, "PAT-142: a colour is being decided, or none is"
    if keeps or s.phase == Phase.AWNING_KEEP:
        pots = 0
        for c in range(CELLS):
            if s.flowers[p] >> c & 1 and s.card[p, c] < COLOURS:
                pots |= 1 << c
        assert (s.chosen | s.kept_dry) & ~pots == 0, "PAT-142: something other than a pot is kept"
        assert s.chosen & s.kept_dry == 0, "PAT-143: a pot is kept twice"
        decided = int(s.colour) if keeps else COLOURS
        is_beside = s.phase == Phase.KEEP_DRY
        check_kept(s, p, s.kept_dry, decided)
        last_kept = check_kept(s, p, s.chosen, decided + is_beside)
        assert not is_beside or last_kept == decided, "PAT-143: a pot is kept dry beside none kept beautiful"
    else:
        assert s.chosen == 0 or s.phase == Phase.WATER_TARGET, "PAT-142: pots are kept before the end of the round"
        assert s.kept_dry == 0, "PAT-143: pots are kept before the end of the round"
    if s.phase == Phase.TUB_COLOUR:
        assert lies_in(s, Improvement.TUB, p), "PAT-121: there is no Tub to name"
    elif s.phase == Phase.BREAK_TRIO:
        assert s.works[p], "PAT-125: a trio is broken without works"


@rule
def check_kept(s, p, cells, decided):
    """At most one pot of each colour is kept that way, of those already decided; returns the last of them."""
    colours = 0
    last = NONE
    for c in range(CELLS):
        if cells >> c & 1:
            colour = s.card[p, c]
            assert colours >> colour & 1 == 0, "PAT-142: two pots of a colour are kept"
            assert colour < decided, "PAT-142: a pot is kept before its colour is decided"
            colours |= 1 << colour
            last = max(last, int(colour))
    return last
