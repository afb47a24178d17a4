"""Patios: the course of a turn, and who decides what. The chapters of the rulebook are in the files rules_*."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.result import place_by_key

from .actions import ACTIONS
from .components import (
    BALCONY_TOLD,
    CANE,
    CANE_COPIES,
    CELLS,
    CHARACTERS,
    COINS,
    COLOURS,
    DIRECTIONS,
    FIRST_BALCONY,
    FLOWER_CARDS,
    IMPROVEMENTS,
    INNER,
    KINDS,
    LADDER,
    NONE,
    POT_COPIES,
    SELECTABLE,
    SET_OF_THREE,
    SET_OF_TWO,
    SINGLE_TRIO,
    TUB,
    Character,
    Improvement,
    Phase,
    Place,
    Todo,
    Window,
)
from .memory_draft import check_draft
from .rules_cards import (
    cane_cells,
    free_cells,
    hose_on_ladder,
    is_balcony,
    offer_cells,
    place_cane,
    place_flower,
    refill_sample,
    seat_of,
    sorts_told,
    table_number,
    use_cane,
)
from .rules_characters import (
    answer,
    call_assistant,
    call_children,
    call_gardener,
    call_neighbour,
    call_water_carrier,
    choose_swap_card,
    choose_swap_player,
    keep,
    next_cane,
    next_draft,
    next_offer,
    next_taker,
    offer_draft,
    offer_drawn,
    offer_suitable,
    offer_swap,
    offer_swap_players,
    offer_victims,
    steal,
    swap,
    swap_partners,
    swap_sources,
    take_apprentice,
    take_drafted,
    take_shown,
)
from .rules_improvements import (
    can_targets,
    improvement_cells,
    offer_guitar,
    offer_improvements,
    offer_to_turn_down,
    place_improvement,
    play_guitar,
    play_improvement,
    turn_down_character,
    water_with_can,
)
from .rules_phases import check_phase
from .rules_rounds import (
    awning_cells,
    break_trio,
    buy,
    carry_colour,
    end_carry,
    keep_dry,
    keep_under_awning,
    keep_up,
    name_tub,
    next_buyer,
    next_carry,
    next_score,
    offer_pots,
    offer_purchases,
)
from .rules_setup import begin_round, choose_up, move_in_row, next_setup, position_of, set_up, setup_dry
from .rules_sun import (
    burn,
    choose_direction,
    choose_hit,
    defend,
    defend_with_ladder_tool,
    discard_dry,
    next_sun,
    offer_defence,
    offer_hits,
    second_hit,
    spend_waterer,
    strike,
)
from .rules_watering import (
    end_tool,
    next_watering,
    offer_targets,
    offer_waterers,
    use_ladder_tool,
    use_waterer,
    water_again,
    water_target,
)

AT = ACTIONS.start
ABOVE_ALL_SCORES = 100000
MOST_TODOS = 200  # between two decisions: the end of a round asks each of five seats about five things and more


@rule
def reset(s):
    """A new game, up to the first decision."""
    set_up(s)
    proceed(s)


# --- legal actions (section 19) ---------------------------------------------------------------------------


@rule
def legal(s, moves):
    """Offer each action the seat to decide may take."""
    phase = s.phase
    if phase == Phase.TURN:
        offer_turn(s, moves)
    elif phase == Phase.PLACE:
        offer_cells(moves, AT.place, free_cells(s, int(s.turn)))
    elif phase == Phase.TAKE:
        offer_suitable(s, moves)
    elif phase == Phase.DRAFT:
        offer_draft(s, moves)
    elif phase == Phase.CANE:
        offer_cells(moves, AT.place, cane_cells(s, int(s.turn)))
        offer_cells(moves, AT.water_target, int(s.dry[s.turn]))
    elif phase == Phase.SETUP:
        offer(moves, AT.setup_up)
        offer(moves, AT.setup_up + 1)
    elif phase == Phase.SWAP:
        offer_cells(moves, AT.swap_own, swap_sources(s))
        offer(moves, AT.done)
    elif phase == Phase.SWAP_PLAYER:
        offer_swap_players(s, moves)
    elif phase == Phase.SWAP_THEIRS:
        offer_cells(moves, AT.swap_their, swap_partners(s, int(s.swap_player)))
    elif phase == Phase.DIRECTION:
        for d in range(DIRECTIONS):
            offer(moves, AT.sun_direction + d)
    elif phase == Phase.FIRST_HIT or phase == Phase.SECOND_HIT:
        offer_hits(s, moves)
    elif phase == Phase.DEFENCE:
        offer_defence(s, moves)
    elif phase == Phase.DEFENCE_TOOL or phase == Phase.WATER_TOOL:
        offer(moves, AT.tool)
        offer(moves, AT.tool + 1)
    elif phase == Phase.WATER:
        offer_waterers(s, moves)
    elif phase == Phase.WATER_TARGET:
        offer_targets(s, moves)
    else:
        offer_rest(s, moves, phase)


@rule
def offer_rest(s, moves, phase):
    """Neighbour, improvements, the end of a round."""
    if phase == Phase.OFFER:
        offer(moves, AT.offer)
        offer(moves, AT.offer + 1)
    elif phase == Phase.APPRENTICE:
        for i in range(1, s.seats):
            if s.offers >> seat_of(s, i) & 1:
                offer(moves, AT.apprentice + i - 1)
    elif phase == Phase.STEAL:
        offer_victims(s, moves)
    elif phase == Phase.KEEP:
        offer_drawn(s, moves)
    elif phase == Phase.APPRENTICE_WINDOW or phase == Phase.WINDOW:
        offer_improvements(s, moves)
        offer(moves, AT.done)
    elif phase == Phase.IMPROVEMENT_PLACE:
        offer_cells(moves, AT.place, improvement_cells(s, int(s.turn), int(s.playing)))
    elif phase == Phase.CAN:
        offer_cells(moves, AT.place, free_cells(s, int(s.turn)))
        offer_cells(moves, AT.water_target, can_targets(s, int(s.turn)))
    elif phase == Phase.GUITAR:
        offer_guitar(s, moves)
    elif phase == Phase.FLAMENCO_DOWN:
        offer_to_turn_down(s, moves)
    elif phase == Phase.TUB_COLOUR:
        for c in range(COLOURS):
            offer(moves, AT.tub_colour + c)
    elif phase == Phase.BREAK_TRIO:
        for c in range(COLOURS):
            if s.trio[s.turn, c] > 0:
                offer(moves, AT.break_trio + c)
    elif phase == Phase.KEEP_UP:
        offer_pots(s, moves, AT.keep_up)
    elif phase == Phase.KEEP_DRY:
        offer_pots(s, moves, AT.keep_dry)
    elif phase == Phase.AWNING_KEEP:
        offer_cells(moves, AT.awning_keep, awning_cells(s, int(s.turn)))
        offer(moves, AT.done)
    else:
        offer_purchases(s, moves)


@rule
def offer_turn(s, moves):
    """A face-up character, Visitors excepted, or an improvement first (PAT-030, PAT-031, PAT-035)."""
    for a in range(SELECTABLE):
        if s.face_up[a]:
            offer(moves, AT.character + a)
    if s.unused[s.turn] > 0:
        offer_improvements(s, moves)


# --- decisions ----------------------------------------------------------------------------------------------


@rule
def apply(s, action):
    """Play one legal action, then everything up to the next decision."""
    s.glimpse[s.turn] = 0
    take(s, action)
    proceed(s)


@rule
def take(s, action):
    """Carry out the decision."""
    if action < AT.setup_up:
        choose_character(s, action - AT.character)
    elif action < AT.place:
        choose_up(s, action - AT.setup_up)
    elif action < AT.kind:
        place(s, action - AT.place)
    elif action < AT.water_target:
        take_kind(s, action - AT.kind)
    elif action < AT.waterer:
        water(s, action - AT.water_target)
    elif action < AT.tool:
        if s.phase == Phase.WATER:
            use_waterer(s, action - AT.waterer)
        else:
            spend_waterer(s, action - AT.waterer)
    elif action < AT.sun_direction:
        if s.phase == Phase.WATER_TOOL:
            use_ladder_tool(s, action - AT.tool)
        else:
            defend_with_ladder_tool(s, action - AT.tool)
    elif action < AT.sun_hit:
        choose_direction(s, action - AT.sun_direction)
    elif action < AT.swap_own:
        choose_hit(s, action - AT.sun_hit)
    elif action < AT.swap_player:
        choose_swap_card(s, action - AT.swap_own)
    elif action < AT.swap_their:
        choose_swap_player(s, action - AT.swap_player)
    elif action < AT.offer:
        swap(s, action - AT.swap_their)
    elif action == AT.done:
        decline(s)
    else:
        take_rest(s, action)


@rule
def take_rest(s, action):
    """Neighbour, improvements, the end of a round."""
    if action < AT.apprentice:
        answer(s, action - AT.offer)
    elif action < AT.keep_improvement:
        take_apprentice(s, seat_of(s, action - AT.apprentice + 1))
    elif action < AT.play_improvement:
        keep(s, action - AT.keep_improvement)
    elif action < AT.guitar_move:
        play_improvement(s, action - AT.play_improvement)
    elif action < AT.flamenco_down:
        play_guitar(s, action - AT.guitar_move)
    elif action < AT.steal_from:
        turn_down_character(s, action - AT.flamenco_down)
    elif action < AT.tub_colour:
        steal(s, action - AT.steal_from)
    elif action < AT.break_trio:
        name_tub(s, action - AT.tub_colour)
    elif action < AT.keep_up:
        break_trio(s, action - AT.break_trio)
    elif action < AT.keep_dry:
        keep_up(s, action - AT.keep_up)
    elif action < AT.awning_keep:
        keep_dry(s, action - AT.keep_dry)
    else:
        keep_under_awning(s, action - AT.awning_keep)


@rule
def place(s, c):
    """A cell for the card in hand or for the improvement being played."""
    if s.playing != NONE:
        place_improvement(s, c)
    elif s.phase == Phase.CANE:
        place_cane(s, c)
    else:
        place_flower(s, c)


@rule
def take_kind(s, k):
    """A kind from the sample, from the Assistant's cards, or bought."""
    if s.phase == Phase.TAKE:
        take_shown(s, k)
    elif s.phase == Phase.DRAFT:
        take_drafted(s, k)
    else:
        buy(s, k)


@rule
def water(s, c):
    """A card to water: by the cane in hand, the watering can, or the tool in use."""
    if s.phase == Phase.CANE:
        use_cane(s, c)
    elif s.phase == Phase.CAN:
        water_with_can(s, c)
    else:
        water_target(s, c)


@rule
def decline(s):
    """Stop or decline the optional part that is being decided."""
    if s.phase == Phase.SWAP:
        s.todo = Todo.AFTER_ACTION
    elif s.phase == Phase.DEFENCE:
        strike(s)
    elif s.phase == Phase.WATER:
        s.todo = Todo.NEXT_WATERING
    elif s.phase == Phase.WATER_TARGET:
        end_tool(s)
    elif s.phase == Phase.APPRENTICE_WINDOW:
        s.todo = Todo.AFTER_ACTION
    elif s.phase == Phase.WINDOW:
        s.todo = Todo.END_ACTION
    elif s.phase == Phase.BUY:
        s.step += 1
        s.todo = Todo.NEXT_BUYER
    elif s.phase == Phase.AWNING_KEEP:
        end_carry(s)
    else:
        s.todo = Todo.CARRY_COLOUR


@rule
def proceed(s):
    """Go on to the next decision."""
    for _ in range(MOST_TODOS):
        if s.todo == Todo.NOTHING:
            return
        todo = s.todo
        s.todo = Todo.NOTHING
        if todo == Todo.NEXT_TAKER:
            next_taker(s)
        elif todo == Todo.AFTER_ACTION:
            after_action(s)
        elif todo == Todo.END_ACTION:
            end_action(s)
        elif todo == Todo.CHECK_ROW:
            check_row(s)
        elif todo == Todo.BEGIN_TURN:
            begin_turn(s)
        elif todo == Todo.NEXT_CANE:
            next_cane(s)
        elif todo == Todo.NEXT_DRAFT:
            next_draft(s)
        elif todo == Todo.OFFER_SWAP:
            offer_swap(s)
        elif todo == Todo.NEXT_SUN:
            next_sun(s)
        elif todo == Todo.SECOND_HIT:
            second_hit(s)
        elif todo == Todo.DEFEND:
            defend(s)
        elif todo == Todo.NEXT_OFFER:
            next_offer(s)
        elif todo == Todo.NEXT_WATERING:
            next_watering(s)
        elif todo == Todo.WATER_AGAIN:
            water_again(s)
        elif todo == Todo.AFTER_WATERING:
            after_watering(s)
        else:
            proceed_between_rounds(s, todo)
    assert s.todo == Todo.NOTHING, "the rules go round in a circle"


@rule
def proceed_between_rounds(s, todo):
    """Setup, and the end of a round."""
    if todo == Todo.NEXT_SETUP:
        next_setup(s)
    elif todo == Todo.SETUP_DRY:
        setup_dry(s)
    elif todo == Todo.BEGIN_ROUND:
        begin_round(s)
    elif todo == Todo.END_ROUND:
        end_round(s)
    elif todo == Todo.NEXT_SCORE:
        next_score(s)
    elif todo == Todo.NEXT_CARRY:
        next_carry(s)
    elif todo == Todo.CARRY_COLOUR:
        carry_colour(s)
    else:
        next_buyer(s)


# --- a turn (section 4) ---------------------------------------------------------------------------------------


@rule
def begin_turn(s):
    """The active player chooses a character, or plays an improvement first (PAT-030)."""
    s.turns += 1
    s.turn = s.actor
    s.character = NONE
    s.flamenco = 0
    s.to_turn_down = 0
    s.apprentice = NONE
    s.kept = NONE
    s.passed = NONE
    s.window = Window.FIRST
    s.phase = Phase.TURN


@rule
def choose_character(s, a):
    """The action of a character; Visitors have none (PAT-110)."""
    s.character = a
    if a <= Character.GREEN_GARDENER:
        call_gardener(s)
    elif a == Character.WATER_CARRIER:
        call_water_carrier(s)
    elif a == Character.ASSISTANT:
        call_assistant(s)
    elif a == Character.CHILDREN:
        call_children(s)
    elif a == Character.SUN:
        s.phase = Phase.DIRECTION
    else:
        call_neighbour(s)


@rule
def after_action(s):
    """The second window: whoever holds an improvement may play it now (PAT-035, PAT-106)."""
    s.turn = s.actor
    s.window = Window.SECOND
    if s.unused[s.actor] > 0:
        s.phase = Phase.WINDOW
    else:
        s.todo = Todo.END_ACTION


@rule
def end_action(s):
    """Steps 2 to 4; after a Flamenco Dancer characters are turned down instead (PAT-030, PAT-159)."""
    if s.flamenco:
        s.phase = Phase.FLAMENCO_DOWN
        return
    send_behind(s, int(s.character))
    refill_sample(s)
    turn_up_next(s)
    s.todo = Todo.CHECK_ROW


@rule
def send_behind(s, a):
    """A character goes face down behind all the others; everybody saw it (PAT-032, PAT-195)."""
    move_in_row(s, position_of(s, a), s.row_size - 1)
    s.face_up[a] = 0
    s.public[a] = 1


@rule
def turn_up_next(s):
    """The face-down character nearest the front is turned up."""
    for k in range(s.row_size):
        a = int(s.row[k])
        if not s.face_up[a]:
            s.face_up[a] = 1
            s.public[a] = 1
            return


@rule
def check_row(s):
    """Step 5: the Sun's effect, the end of the round, or the next turn (PAT-030, PAT-110, PAT-113)."""
    s.turn = s.actor
    if s.row[0] == Character.SUN:
        s.step = 0
        s.todo = Todo.NEXT_WATERING
    elif s.row[0] == Character.VISITORS or s.turns >= s.options.max_turns_per_round:
        if s.row[0] != Character.VISITORS:
            s.capped += 1
        s.todo = Todo.END_ROUND
    else:
        s.actor = (s.actor + 1) % s.seats
        s.todo = Todo.BEGIN_TURN


@rule
def after_watering(s):
    """At the Sun effect the dry cards burn and the Sun goes; at the end of a round they go and points follow."""
    s.turn = s.actor
    if s.ending:
        for p in range(s.seats):
            discard_dry(s, p)
        s.step = 0
        s.todo = Todo.NEXT_SCORE
    else:
        burn(s)
        send_behind(s, Character.SUN)
        turn_up_next(s)
        s.todo = Todo.CHECK_ROW


@rule
def end_round(s):
    """Visitors have come: watering first (PAT-110 to PAT-113, PAT-120)."""
    s.ending = 1
    s.step = 0
    s.todo = Todo.NEXT_WATERING


# --- result and invariants (sections 17 and 22) -----------------------------------------------------------------


@rule
def trio_points(a, b, c):
    """The best value of trio tokens: sets of three colours, then of two, then single ones (PAT-171)."""
    low, high = min(a, b, c), max(a, b, c)
    middle = a + b + c - low - high
    return SET_OF_THREE * low + SET_OF_TWO * (middle - low) + SINGLE_TRIO * (high - middle)


@rule
def half_points(s, p):
    """Trio tokens, loose points and half a point for each coin, doubled (PAT-171 to PAT-173)."""
    points = trio_points(int(s.trio[p, 0]), int(s.trio[p, 1]), int(s.trio[p, 2])) + s.loose[p]
    return 2 * points + s.coins[p]


@rule
def result(s, r):
    """Scores in half points; most points win. All who won before the end share the win (PAT-174, PAT-182)."""
    for p in range(s.seats):
        r.score[p] = half_points(s, p)
        r.key[p] = r.score[p]
        if s.champion[p]:
            r.key[p] = ABOVE_ALL_SCORES
    r.capped = s.capped
    place_by_key(r, s.seats)


@rule
def check(s):
    """Section 22."""
    assert s.capped <= s.round + s.ending, "PAT-113: more rounds were stopped than ended"
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
