"""Palace of Viana: the table of decisions, and how a turn goes on (sections 4 and 13). Open it first."""

from __future__ import annotations

from alarife.engine.decisions import Decision, Decisions
from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import COURTS, MARKET, MOST_TODOS, NONE, STREET, Card, Phase, Todo
from alarife.games.viana.state import HONK_AUTO

from .cards import draw_honker, draw_restriction, honk, is_banned, lay_card, offer_cards, offer_first_cards
from .end import score_end, trigger_end
from .gardeners import move_pawn, offer_destinations
from .girl import begin_walk, offer_walk, pick_up, put_down, step_with_girl
from .market import drive, offer_stands, restock, serve_pawns, take_pile_back
from .marquise import (
    ask_for_flips,
    choose_flip,
    move_marquis,
    move_marquise,
    offer_flips,
    offer_marquis,
    offer_marquise,
)
from .palace import finish, move_door, offer_doorways, offer_placements, plant_flower, set_fountain, set_pot
from .setup import clear_turn, offer_returns, pick_card, return_flower, set_up

AT = ACTIONS.start


@rule
def offer_entrances(s, moves):
    """Either way back from the market (VIA-086)."""
    offer(moves, AT.return_palace)
    offer(moves, AT.return_palace + 1)


@rule
def return_palace(s, entrance):
    """The pawn is in the street again, before an entrance (VIA-086)."""
    s.pawn[s.seat] = STREET + entrance
    s.phase = Phase.CARD


@rule
def offer_honk(s, moves):
    """Let the card stand, or honk (VIA-182)."""
    offer(moves, AT.honk)
    offer(moves, AT.honk + 1)


@rule
def offer_announcement(s, moves):
    """Keep silent, or announce (VIA-151)."""
    offer(moves, AT.announce)
    offer(moves, AT.announce + 1)


@rule
def announce(s, announces):
    """Thirteen courtyards, or nothing is said (VIA-151, VIA-152)."""
    if announces:
        trigger_end(s)
    s.todo = Todo.END_TURN


@rule
def play_card(s, k):
    """A banned card is caught by chance, or the opponents are asked (VIA-180 to VIA-182)."""
    lay_card(s, k)
    if not is_banned(s, s.turn_of, k):
        s.todo = Todo.CARRY_OUT
    elif s.options.honk == HONK_AUTO:
        honk(s, draw_honker(s))
    else:
        s.seat = (s.turn_of + 1) % s.seats
        s.phase = Phase.HONK


@rule
def answer_card(s, honks):
    """The first who honks sends the card back; if nobody does, it stays (VIA-182)."""
    if honks:
        honk(s, s.seat)
        s.phase = Phase.CARD
        return
    s.seat = (s.seat + 1) % s.seats
    if s.seat == s.turn_of:
        s.todo = Todo.CARRY_OUT


DECISIONS = Decisions(
    ACTIONS,
    Decision(Phase.RETURN_FLOWER, "the flower that goes back to the common reserve", offer_returns,
             rules="VIA-038", who="everybody, from the first player on", return_flower=return_flower),
    Decision(Phase.FIRST_CARD, "the secret card of the first round", offer_first_cards,
             rules="VIA-060, VIA-061", who="everybody, from the first player on", play_card=pick_card),
    Decision(Phase.ENTRANCE, "the entrance by which the pawn comes back from the market", offer_entrances,
             rules="VIA-086", return_palace=return_palace),
    Decision(Phase.CARD, "a character", offer_cards, rules="VIA-071, VIA-074 to 079", play_card=play_card),
    Decision(Phase.HONK, "to honk, or to let the card stand", offer_honk,
             rules="VIA-180 to 182", who="the others in turn, with honk=call", honk=answer_card),
    Decision(Phase.MOVE, "the courtyard that the pawn walks to", offer_destinations,
             rules="VIA-087 to 091", move_pawn=move_pawn),
    Decision(Phase.PLACE, "a decoration and its place, or the end of placing", offer_placements,
             rules="VIA-095 to 103, VIA-192", place_flower=plant_flower, place_pot=set_pot,
             place_fountain=set_fountain, done=finish),
    Decision(Phase.GIRL, "a step of the Girl, a flower to pick up or to put down, or the end of the walk", offer_walk,
             rules="VIA-122 to 130, VIA-191", girl_step=step_with_girl, girl_pick=pick_up, girl_drop=put_down,
             done=finish),
    Decision(Phase.MARQUISE, "the courtyard that the Marquise walks to", offer_marquise,
             rules="VIA-104 to 107", marquise_to=move_marquise),
    Decision(Phase.FLIP, "the hedge of which a flower becomes scored", offer_flips,
             rules="VIA-138 to 140", who="clockwise, whoever has flowers in several hedges there",
             flip_flower=choose_flip),
    Decision(Phase.MARQUIS, "the courtyard that the Marquis walks to", offer_marquis,
             rules="VIA-108", marquis_to=move_marquis),
    Decision(Phase.DOOR, "the doorway that is closed", offer_doorways, rules="VIA-109", door_to=move_door),
    Decision(Phase.STAND, "the stand that the pawn drives to", offer_stands, rules="VIA-112 to 114", stand=drive),
    Decision(Phase.ANNOUNCE, "to announce thirteen courtyards, or to keep silent", offer_announcement,
             rules="VIA-151, VIA-152", announce=announce),
)  # fmt: skip
legal, choose = DECISIONS.legal, DECISIONS.choose


@rule
def reset(s):
    """Everything in its place; the first decision is the flower that the first player returns."""
    set_up(s)
    s.turn_of = s.first
    s.seat = s.first
    s.phase = Phase.RETURN_FLOWER


@rule
def apply(s, action):
    """Play one legal action, then go on to the next decision."""
    choose(s, action)
    for _ in range(MOST_TODOS):
        if s.todo == Todo.NOTHING:
            return
        todo = s.todo
        s.todo = Todo.NOTHING
        if todo == Todo.BEGIN_TURN:
            begin_turn(s)
        elif todo == Todo.CARRY_OUT:
            carry_out(s)
        elif todo == Todo.FLIP:
            settle_flips(s)
        elif todo == Todo.ANNOUNCE:
            ask_for_announcement(s)
        else:
            end_turn(s)
    assert s.todo == Todo.NOTHING, "the rules go round in a circle"


@rule
def begin_turn(s):
    """A restriction card, then back from the market, then a card; in round 1 the picked card (VIA-062, VIA-071)."""
    clear_turn(s)
    p = s.turn_of
    s.seat = p
    if s.turns < s.seats:
        s.card = s.top[p]
        s.todo = Todo.CARRY_OUT
        return
    if s.seats == 2 and p == s.first:
        draw_restriction(s)
    s.phase = Phase.ENTRANCE if s.pawn[p] >= MARKET else Phase.CARD


@rule
def carry_out(s):
    """What the card in play asks for (section 7)."""
    s.under = NONE
    if s.card == Card.HOUSEKEEPER:
        s.phase = Phase.DOOR
    elif s.card == Card.MARQUISE:
        s.phase = Phase.MARQUISE
    elif s.card == Card.MARQUIS:
        s.phase = Phase.MARQUIS
    elif s.card == Card.GIRL:
        s.phase = Phase.GIRL
        begin_walk(s)
    elif s.card == Card.COACHMAN:
        s.phase = Phase.STAND
    elif s.card == Card.COOK:
        cook(s)
    else:
        s.phase = Phase.MOVE


@rule
def cook(s):
    """The pile returns, the market is restocked, pawns there are served (VIA-116 to VIA-121, VIA-148)."""
    take_pile_back(s, s.turn_of)
    if restock(s):
        trigger_end(s)
    serve_pawns(s)
    s.todo = Todo.ANNOUNCE


@rule
def settle_flips(s):
    """Flowers become scored until somebody has a choice (VIA-138, VIA-139)."""
    if ask_for_flips(s):
        s.phase = Phase.FLIP
    else:
        s.todo = Todo.ANNOUNCE


@rule
def ask_for_announcement(s):
    """Decorations in all courtyards may be announced (VIA-151, VIA-152)."""
    if s.courts[s.turn_of] == COURTS and s.final_turns == 0:
        s.phase = Phase.ANNOUNCE
    else:
        s.todo = Todo.END_TURN


@rule
def end_turn(s):
    """On to the next seat, or the end: by a trigger, or at the cap (VIA-070, VIA-153, VIA-156)."""
    s.turns += 1
    if s.final_turns > 0:
        s.final_turns -= 1
        s.over = 1 if s.final_turns == 0 else 0
    elif s.turns == s.options.max_rounds * s.seats:
        s.over = 1
        s.capped = 1
    if s.over:
        score_end(s)
    else:
        s.turn_of = (s.turn_of + 1) % s.seats
        s.todo = Todo.BEGIN_TURN
