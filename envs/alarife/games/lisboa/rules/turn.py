"""The table of decisions, and how the game goes from one to the next (section 23). Open it first."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from alarife.engine.decisions import Decision, Decisions, Rule, by_number
from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.views import lowest_bit
from alarife.games.lisboa.actions import ACTIONS, AT
from alarife.games.lisboa.components import (
    MOST_STEPS,
    NONE,
    OWN_STEPS,
    STATE_ACTIONS,
    Act,
    Deck,
    Side,
    Step,
)
from alarife.games.lisboa.rules.buildings import (
    choose_office,
    choose_site,
    hire,
    hire_choices,
    office_choices,
    plan_choices,
    reveal_tile,
    site_choices,
    take_plan,
    use_plan,
    use_plan_choices,
)
from alarife.games.lisboa.rules.church import (
    cardinal_choices,
    choose_cardinal,
    discard_clergy,
    end_church,
    give_up_clergy,
    held_clergy,
    refill_church,
    replace_clergy,
    score_church,
    score_church_for_lacerda,
)
from alarife.games.lisboa.rules.city import (
    build,
    build_choices,
    cube_choices,
    pay_land,
    place_store,
    street_of,
    take_cube,
)
from alarife.games.lisboa.rules.decrees import choose_decree, decree_choices, slide_decrees
from alarife.games.lisboa.rules.display_decks import draw, draw_choices
from alarife.games.lisboa.rules.following import follow, follow_choices
from alarife.games.lisboa.rules.lacerda import end_turn as end_lacerdas_turn
from alarife.games.lisboa.rules.lacerda import follow as lacerda_follows
from alarife.games.lisboa.rules.means import (
    choose_good,
    choose_pile_cube,
    choose_price,
    do_effect,
    favor_choices,
    good_choices,
    pile_choices,
    price_choices,
    take_favor,
)
from alarife.games.lisboa.rules.pending import push
from alarife.games.lisboa.rules.periods import begin_turn, discard_from_hand, end_turn, hand_choices, new_period
from alarife.games.lisboa.rules.portfolio import (
    clear_bottom,
    clear_top,
    discard_for_gold,
    filled,
    leave_hand,
    place_bottom,
    place_top,
    play_to_portfolio,
    sell,
    sell_choices,
)
from alarife.games.lisboa.rules.setup import keep_clergy, set_up
from alarife.games.lisboa.rules.sponsor import can_play_to_court, play_to_court
from alarife.games.lisboa.rules.state_actions import pay_for_ship, perform, ship_pay_choices, welcome_ship
from alarife.games.lisboa.rules.trade import sell_or_trade, sell_or_trade_choices, trade, trade_choices
from alarife.games.lisboa.rules.visit import can_visit, noble_choices, state_choices

# --- what may be chosen, and what it does ---------------------------------------------------------


@rule
def offer_choices(s, moves):
    """Offer each choice of the decision that is due, and to stop where that is allowed."""
    bits = choices(s)
    first = int(FIRST[s.phase])
    while bits != 0:
        offer(moves, first + lowest_bit(bits))
        bits &= bits - 1
    if may_stop(s):
        offer(moves, AT.stop)


cast(Any, offer_choices).families = None  # it offers by number: which families they are, the table below says


@rule
def main_choices(s):
    """Each card to the portfolio, to the court if it may, or for gold: 3 * slot + mode (LIS-287)."""
    bits = 0
    visits, known = 0, 0
    for i in range(s.hand_size):
        kind = s.tables.card_kind[s.hand[i]]
        bits |= 5 << (3 * i)
        if kind == Deck.TREASURY:
            open_to = can_play_to_court(s, s.hand[i])
        else:
            if not known >> kind & 1:
                known |= 1 << kind
                if can_visit(s, kind):
                    visits |= 1 << kind
            open_to = (visits >> kind & 1) == 1
        if open_to:
            bits |= 2 << (3 * i)
    return bits


@rule
def play_card(s, slot, mode):
    """A card of the hand: portfolio, court, or gold (LIS-052)."""
    card = leave_hand(s, slot)
    if mode == 0:
        play_to_portfolio(s, card)
    elif mode == 1:
        play_to_court(s, card)
    else:
        discard_for_gold(s, card)


@rule
def take_state_action(s, act):
    """One of the noble's two (LIS-087)."""
    push(s, Step.ACT, act, 0, 0)


@rule
def take_noble_action(s):
    """Take the action of the noble himself (LIS-087)."""
    push(s, Step.ACT, Act.BUILD_STORE + s.arg, 0, 0)


@rule
def follow_to_noble(s):
    """The noble action instead of a state action (LIS-119)."""
    follow(s, STATE_ACTIONS)


@rule
def take_cube_of_line(s, row, kind):
    """A cube of the store's column or row."""
    take_cube(s, 0, s.arg, row, kind)


@rule
def take_favor_oneself(s, noble):
    """The human side takes this noble's favor."""
    take_favor(s, Side.HUMAN, noble)


@rule
def may_stop(s):
    """Whether H may decline, or stop here."""
    p = s.phase
    if p == Step.TRADE:
        return s.arg != NONE
    if p == Step.OFFICE:
        return s.more != 0
    if p == Step.DECREE:
        return s.more == 2
    return (p == Step.SELL or p == Step.STATE or p == Step.NOBLE or p == Step.FOLLOW or p == Step.CLERGY_FULL
            or p == Step.CHURCH or p == Step.HAND_DISCARD)  # fmt: skip


@rule
def stop(s):
    """H declines, stops, or has no choice."""
    if s.phase == Step.CHURCH:
        end_church(s)
    elif s.phase == Step.CLERGY_FULL:
        discard_clergy(s, s.arg)


# --- the table of decisions (section 23) ----------------------------------------------------------


@rule
def both_tiles(s):
    """The two that were drawn (LIS-050)."""
    return 3


@rule
def top_cards(s):
    """Slots with a card or ship (LIS-066)."""
    return filled(s.top)


@rule
def bottom_cards(s):
    """Slots with a card (LIS-066)."""
    return filled(s.bottom)


@rule
def trades(s):
    """What can be had for a good; a second trade differs from the first (LIS-079)."""
    return trade_choices(s, s.arg)


@rule
def state_actions(s):
    """Those of the noble visited that are doable (LIS-087)."""
    return state_choices(s, s.arg, s.influence[0])


CHOICES: dict[Step, Rule] = {}  # of each decision, as bits from the first action of its first family on


def asked(step, words, choices, /, rules, **does):
    """A row of the table: `choices(s)` says as bits what may be chosen."""
    CHOICES[step] = rule(lambda s, _: choices(s))
    return Decision(step, words, offer_choices, who="the player", rules=rules, **does)


DECISIONS = Decisions(
    ACTIONS,
    asked(Step.START_CLERGY, "the clergy tile to keep", both_tiles, "LIS-050", start_clergy=keep_clergy),
    asked(Step.MAIN, "a card: to the portfolio, to the court, or for gold", main_choices, "LIS-052, LIS-287",
          main=play_card),
    asked(Step.SELL_OR_TRADE, "to sell goods, or to trade", sell_or_trade_choices, "LIS-053, LIS-081",
          sell_or_trade=sell_or_trade),
    asked(Step.TOP_DISCARD, "the top slot to clear", top_cards, "LIS-066", top_discard=clear_top),
    asked(Step.BOTTOM_DISCARD, "the bottom slot to clear", bottom_cards, "LIS-066", bottom_discard=clear_bottom),
    asked(Step.SELL, "a good and the ship for it, or no more", sell_choices, "LIS-070 to 076", sell=sell, stop=stop),
    asked(Step.TRADE, "a state action and the good for it, or no more", trades, "LIS-077 to 082", trade=trade,
          stop=stop),
    asked(Step.STATE, "a state action of the noble, or none", state_actions, "LIS-087, LIS-088",
          state=take_state_action, stop=stop),
    asked(Step.NOBLE, "the noble action, or none", noble_choices, "LIS-087 to 089", noble=take_noble_action, stop=stop),
    asked(Step.FOLLOW, "to follow Lacerda with a state action or the noble action, or not", follow_choices,
          "LIS-119 to 124", state=follow, noble=follow_to_noble, stop=stop),
    asked(Step.BUILD, "the space of a store, and where it faces", build_choices, "LIS-284", build=build),
    asked(Step.CUBE, "a cube of the store's column or row", cube_choices, "LIS-302", cube=take_cube_of_line),
    asked(Step.DECREE, "a decree", decree_choices, "LIS-301", decree=choose_decree, stop=stop),
    asked(Step.USE_PLAN, "the plan to use", use_plan_choices, "LIS-293", use_plan=use_plan),
    asked(Step.SITE, "the space of a public building", site_choices, "LIS-293", site=choose_site),
    asked(Step.HIRE, "where an official is hired from", hire_choices, "LIS-293", hire=hire),
    asked(Step.TAKE_PLAN, "the stack of a plan", plan_choices, "LIS-097", take_plan=take_plan),
    asked(Step.OFFICE, "the office of an official, or no second one", office_choices, "LIS-098, LIS-099",
          office=choose_office, stop=stop),
    asked(Step.SHIP_PAY, "a good given up for a ship", ship_pay_choices, "LIS-293", ship_pay=pay_for_ship),
    asked(Step.CARDINAL, "how far the Cardinal walks, and which tile is taken", cardinal_choices, "LIS-109, LIS-110",
          cardinal=choose_cardinal),
    asked(Step.CLERGY_FULL, "the clergy tile to do without", held_clergy, "LIS-172", clergy=replace_clergy, stop=stop),
    asked(Step.FAVOR, "a royal favor", favor_choices, "LIS-095", favor=take_favor_oneself),
    asked(Step.GOOD_ANY, "a good to gain", good_choices, "LIS-291", good_any=choose_good),
    asked(Step.PRICE_UP, "the price that rises", price_choices, "LIS-291", price_up=choose_price),
    asked(Step.PILE_CUBE, "a cube of the pile", pile_choices, "LIS-291", pile_cube=choose_pile_cube),
    asked(Step.CHURCH, "a clergy tile to give up, or no more", held_clergy, "LIS-055", clergy=give_up_clergy,
          stop=stop),
    asked(Step.DRAW, "the display deck to draw from", draw_choices, "LIS-056", draw=draw),
    asked(Step.HAND_DISCARD, "a card of the hand to discard, or no more", hand_choices, "LIS-243, LIS-244",
          hand_discard=discard_from_hand, stop=stop),
    phases=[step for step in Step if step < OWN_STEPS],
)  # fmt: skip
legal, choose = DECISIONS.legal, DECISIONS.choose
choices_of = by_number(list(CHOICES), list(CHOICES.values()))

#: First action of each decision. Following runs from the state actions into the noble action.
FIRST = np.array([ACTIONS.span(next(iter(row.choices))).start for row in DECISIONS.rows], np.int16)


@rule
def choices(s):
    """The choices of the decision that is due, as bits from its first action on."""
    return choices_of(s.phase, s, 0)


# --- from one decision to the next ----------------------------------------------------------------


@rule
def reset(s):
    """A new game, up to H's first decision."""
    set_up(s)
    proceed(s)


@rule
def apply(s, action):
    """Carry out a decision and all that follows from it."""
    choose(s, action)
    s.phase = NONE
    proceed(s)


@rule
def proceed(s):
    """Up to the next decision. What cannot be chosen is lost, a single choice is made at once (LIS-286, LIS-291)."""
    for _ in range(MOST_STEPS):
        if s.over:
            return
        if s.phase == NONE:
            next_step(s)
        elif s.phase == Step.MAIN:
            return
        else:
            bits = choices(s)
            if bits != 0 and (bits & (bits - 1) != 0 or may_stop(s)):
                return
            if bits == 0:
                stop(s)
            else:
                choose(s, FIRST[s.phase] + lowest_bit(bits))
            s.phase = NONE
    raise AssertionError("the rules go round in a circle")


# --- what the rules do by themselves --------------------------------------------------------------


@rule
def next_step(s):
    """The step that was left behind last: a decision, or something to do."""
    s.depth -= 1
    step, a = s.waiting[s.depth, 0], s.waiting[s.depth, 1]
    b, c = s.waiting[s.depth, 2], s.waiting[s.depth, 3]
    if step < OWN_STEPS:
        s.phase = step
        s.arg = a
        s.more = b
        s.extra = c
    elif step < Step.REVEAL_TILE:
        do_step_of_action(s, step, a, b, c)
    else:
        do_step_of_turn(s, step, a)


@rule
def do_step_of_action(s, step, a, b, c):
    """Inside a turn of H."""
    if step == Step.BEGIN_TURN:
        begin_turn(s, a)
    elif step == Step.EFFECT:
        do_effect(s, a, b, c)
    elif step == Step.PLACE_TOP:
        place_top(s, a)
    elif step == Step.PLACE_BOTTOM:
        place_bottom(s, a)
    elif step == Step.ACT:
        perform(s, a)
    elif step == Step.PAY_LAND:
        pay_land(s, a)
    elif step == Step.PLACE_STORE:
        place_store(s, 0, a, street_of(a, b))
    elif step == Step.SLIDE_DECREES:
        slide_decrees(s)
    else:
        welcome_ship(s)


@rule
def do_step_of_turn(s, step, a):
    """Between decisions, in either turn."""
    if step == Step.REVEAL_TILE:
        reveal_tile(s, a)
    elif step == Step.LACERDA_FOLLOWS:
        lacerda_follows(s, a)
    elif step == Step.LACERDA_ENDS:
        end_lacerdas_turn(s)
    elif step == Step.CHURCH_SCORING:
        score_church(s)
    elif step == Step.LACERDA_CHURCH:
        score_church_for_lacerda(s)
    elif step == Step.REFILL_CHURCH:
        refill_church(s)
    elif step == Step.END_TURN:
        end_turn(s)
    else:
        new_period(s)
