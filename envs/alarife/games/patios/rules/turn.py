"""Patios: the table of decisions, and how a turn goes on (sections 4 and 19). Open it first."""

from __future__ import annotations

from alarife.engine.decisions import Decision, Decisions
from alarife.engine.jit import rule
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import MOST_TODOS, NONE, SELECTABLE, Character, Phase, Todo, Window

from .buying import buy, buy_no_more, next_buyer, offer_purchases
from .cards import refill_sample
from .carrying import (
    carry_colour,
    end_carry,
    keep_dry,
    keep_no_more,
    keep_under_awning,
    keep_up,
    next_carry,
    offer_pots_dry,
    offer_pots_up,
    offer_saved,
)
from .cells import offer_each, present
from .children import (
    call_children,
    choose_swap_card,
    choose_swap_player,
    offer_swap,
    offer_swap_partners,
    offer_swap_players,
    offer_swap_sources,
    swap,
    swap_nothing,
)
from .gardeners import (
    call_assistant,
    call_gardener,
    call_water_carrier,
    next_cane,
    next_draft,
    next_taker,
    offer_draft,
    offer_suitable,
    take_drafted,
    take_shown,
)
from .hand import offer_cane, offer_free_cells, place_cane, place_flower, use_cane
from .improvements import (
    offer_can,
    offer_guitar,
    offer_improvement_cells,
    offer_improvements,
    offer_to_turn_down,
    offer_window,
    place_improvement,
    play_guitar,
    play_improvement,
    turn_down_character,
    water_with_can,
)
from .neighbour import (
    answer,
    call_neighbour,
    choose_apprentice,
    end_apprentice_window,
    keep,
    next_offer,
    offer_answers,
    offer_apprentices,
    offer_drawn,
    offer_victims,
    steal,
)
from .row import send_behind, turn_up_next
from .scoring import break_trio, name_tub, next_score, offer_tokens, offer_tub_colours
from .setup import begin_round, choose_up, next_setup, offer_sides, set_up, setup_dry
from .sun import (
    burn,
    choose_direction,
    choose_first_hit,
    choose_second_hit,
    defend,
    defend_with_ladder_tool,
    discard_dry,
    next_sun,
    offer_defence,
    offer_directions,
    offer_first_hits,
    offer_second_hits,
    second_hit,
    spend_waterer,
    strike,
)
from .watering import (
    end_tool,
    next_watering,
    offer_targets,
    offer_tools,
    offer_waterers,
    stop_watering,
    use_ladder_tool,
    use_waterer,
    water_again,
    water_target,
)

AT = ACTIONS.start
ROUND = "everybody, from the active player on"
OWNER_HIT = "the owner of the patio"
PLAYER_OF_IT = "whoever plays it"
WATERING = "who is watering"


@rule
def offer_turn(s, moves):
    """A face-up character, Visitors excepted, or an improvement first (PAT-030, PAT-031, PAT-035)."""
    offer_each(moves, AT.character, present(s.face_up) & (1 << SELECTABLE) - 1)
    if s.unused[s.seat] > 0:
        offer_improvements(s, moves)


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
def end_window(s):
    """No further improvement is played after the action (PAT-035)."""
    s.todo = Todo.END_ACTION


DECISIONS = Decisions(
    ACTIONS,
    Decision(Phase.SETUP, "which of the two pots dealt is beautiful", offer_sides,
             rules="PAT-023", who=ROUND, setup_up=choose_up),
    Decision(Phase.TURN, "a character, or an improvement first", offer_turn,
             rules="PAT-030, PAT-031, PAT-035", character=choose_character, play_improvement=play_improvement),
    Decision(Phase.TAKE, "the flower card taken from the sample", offer_suitable,
             rules="PAT-050 to 053", who=ROUND, kind=take_shown),
    Decision(Phase.PLACE, "the cell for the flower card in hand", offer_free_cells,
             rules="PAT-040 to 043", who="whoever has received it", place=place_flower),
    Decision(Phase.CANE, "the cell for the cane in hand, or the card that it waters at once", offer_cane,
             rules="PAT-057 to 060", who="whoever has received it", place=place_cane, water_target=use_cane),
    Decision(Phase.DRAFT, "the card kept of those that the Assistant gardener drew", offer_draft,
             rules="PAT-065 to 068", who="the active player, then the others against the order of play",
             kind=take_drafted),
    Decision(Phase.SWAP, "the own card that is given in the Children's swap, or no swap", offer_swap_sources,
             rules="PAT-071, PAT-072", swap_own=choose_swap_card, done=swap_nothing),
    Decision(Phase.SWAP_PLAYER, "the player to swap with", offer_swap_players,
             rules="PAT-071, PAT-072", swap_player=choose_swap_player),
    Decision(Phase.SWAP_THEIRS, "the card that is received", offer_swap_partners,
             rules="PAT-072 to 074", swap_their=swap),
    Decision(Phase.DIRECTION, "the direction from which the Sun shines", offer_directions,
             rules="PAT-080", sun_direction=choose_direction),
    Decision(Phase.FIRST_HIT, "the card that the Sun hits, where there are several", offer_first_hits,
             rules="PAT-081", who=OWNER_HIT, sun_hit=choose_first_hit),
    Decision(Phase.SECOND_HIT, "the card that the Sun hits under works, where there are several", offer_second_hits,
             rules="PAT-082", who=OWNER_HIT, sun_hit=choose_second_hit),
    Decision(Phase.DEFENCE, "what protects the cards hit, or no more", offer_defence,
             rules="PAT-084, PAT-085, PAT-184", who=OWNER_HIT, waterer=spend_waterer, done=strike),
    Decision(Phase.DEFENCE_TOOL, "the cane or the hose of the ladder, for the defence", offer_tools,
             rules="PAT-084, PAT-192", who=OWNER_HIT, tool=defend_with_ladder_tool),
    Decision(Phase.OFFER, "to offer a coin to the Neighbour's player, or not", offer_answers,
             rules="PAT-101", who="the others with a coin, in order", offer=answer),
    Decision(Phase.APPRENTICE, "the apprentice, of several who offered", offer_apprentices,
             rules="PAT-101, PAT-102", apprentice=choose_apprentice),
    Decision(Phase.STEAL, "the player who loses an improvement", offer_victims, rules="PAT-105", steal_from=steal),
    Decision(Phase.KEEP, "the improvement kept, of the two drawn", offer_drawn, rules="PAT-103", keep_improvement=keep),
    Decision(Phase.APPRENTICE_WINDOW, "to play the improvement just received, or not", offer_window,
             rules="PAT-106, PAT-107", who="the apprentice", play_improvement=play_improvement,
             done=end_apprentice_window),
    Decision(Phase.IMPROVEMENT_PLACE, "the cell for the improvement being played", offer_improvement_cells,
             rules="PAT-156, PAT-160 to 163", who=PLAYER_OF_IT, place=place_improvement),
    Decision(Phase.CAN, "the cell for the Watering can, or the balcony that it waters at once", offer_can,
             rules="PAT-162, PAT-184", who=PLAYER_OF_IT, place=place_improvement, water_target=water_with_can),
    Decision(Phase.GUITAR, "how Visitors move", offer_guitar, rules="PAT-158", guitar_move=play_guitar),
    Decision(Phase.WINDOW, "an improvement after the action, or none", offer_window,
             rules="PAT-035, PAT-036", play_improvement=play_improvement, done=end_window),
    Decision(Phase.FLAMENCO_DOWN, "a character that is turned face down again", offer_to_turn_down,
             rules="PAT-159", flamenco_down=turn_down_character),
    Decision(Phase.WATER, "what waters, or no more water", offer_waterers,
             rules="PAT-130, PAT-133, PAT-135", who=ROUND, waterer=use_waterer, done=stop_watering),
    Decision(Phase.WATER_TOOL, "the cane or the hose of the ladder, for watering", offer_tools,
             rules="PAT-133, PAT-192", who=WATERING, tool=use_ladder_tool),
    Decision(Phase.WATER_TARGET, "the next card of the cane or the hose, or no more", offer_targets,
             rules="PAT-131, PAT-132, PAT-134", who=WATERING, water_target=water_target, done=end_tool),
    Decision(Phase.TUB_COLOUR, "the colour for which the Tub counts", offer_tub_colours,
             rules="PAT-121", who="the owner of a beautiful Tub", tub_colour=name_tub),
    Decision(Phase.BREAK_TRIO, "the trio token that is broken for the works", offer_tokens,
             rules="PAT-125", who="who cannot pay otherwise", break_trio=break_trio),
    Decision(Phase.KEEP_UP, "the pot of a colour that is kept beautiful, or none", offer_pots_up,
             rules="PAT-142", who=ROUND, keep_up=keep_up, done=keep_no_more),
    Decision(Phase.KEEP_DRY, "a further pot of the colour that is kept dry, or none", offer_pots_dry,
             rules="PAT-143", who=ROUND, keep_dry=keep_dry, done=keep_no_more),
    Decision(Phase.AWNING_KEEP, "the card that the Awning saves, or none", offer_saved,
             rules="PAT-144", who="the owner of the Awning", awning_keep=keep_under_awning, done=end_carry),
    Decision(Phase.BUY, "a card of the sample that is bought, or nothing more", offer_purchases,
             rules="PAT-147", who=ROUND, kind=buy, done=buy_no_more),
)  # fmt: skip
legal, choose = DECISIONS.legal, DECISIONS.choose


@rule
def reset(s):
    """A new game, up to the first decision."""
    set_up(s)
    proceed(s)


@rule
def apply(s, action):
    """Play one legal action, then everything up to the next decision."""
    s.glimpse[s.seat] = 0
    choose(s, action)
    proceed(s)


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


@rule
def begin_turn(s):
    """The active player chooses a character, or plays an improvement first (PAT-030)."""
    s.turns += 1
    s.seat = s.turn_of
    s.character = NONE
    s.flamenco = 0
    s.to_turn_down = 0
    s.apprentice = NONE
    s.kept = NONE
    s.passed = NONE
    s.window = Window.FIRST
    s.phase = Phase.TURN


@rule
def after_action(s):
    """The second window: whoever holds an improvement may play it now (PAT-035, PAT-106)."""
    s.seat = s.turn_of
    s.window = Window.SECOND
    if s.unused[s.turn_of] > 0:
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
def check_row(s):
    """Step 5: the Sun's effect, the end of the round, or the next turn (PAT-030, PAT-110, PAT-113)."""
    s.seat = s.turn_of
    if s.row[0] == Character.SUN:
        s.step = 0
        s.todo = Todo.NEXT_WATERING
    elif s.row[0] == Character.VISITORS or s.turns >= s.options.max_turns_per_round:
        if s.row[0] != Character.VISITORS:
            s.capped += 1
        s.todo = Todo.END_ROUND
    else:
        s.turn_of = (s.turn_of + 1) % s.seats
        s.todo = Todo.BEGIN_TURN


@rule
def after_watering(s):
    """At the Sun effect the dry cards burn and the Sun goes; at the end of a round they go and points follow."""
    s.seat = s.turn_of
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
