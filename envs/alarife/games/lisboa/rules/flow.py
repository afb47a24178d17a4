"""From one decision to the next (section 23)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.lisboa.actions import AT, FIRST
from alarife.games.lisboa.components import DECISIONS, NONE, Deck, Step
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

MOST_CHOICES = 63  # of a decision
MOST_STEPS = 10_000  # between two decisions, far more than any turn of Lacerda takes

# --- the verbs ------------------------------------------------------------------------------------


@rule
def reset(s):
    """A new game, up to H's first decision."""
    set_up(s)
    proceed(s)


@rule
def legal(s, moves):
    """Offer each choice of the decision that is due, and STOP where it is allowed."""
    bits = choices(s)
    action = int(FIRST[s.phase])
    for _ in range(MOST_CHOICES):
        if bits == 0:
            break
        if bits & 1:
            offer(moves, action)
        bits >>= 1
        action += 1
    if may_stop(s):
        offer(moves, AT.stop)


@rule
def apply(s, action):
    """Carry out a decision and all that follows from it."""
    if action == AT.stop:
        stop(s)
    else:
        choose(s, action - FIRST[s.phase])
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
            if bits == 0:
                stop(s)
            elif bits & (bits - 1) == 0 and not may_stop(s):
                choose(s, number_of(bits))
            else:
                return
    raise AssertionError("the rules go round in a circle")


@rule
def number_of(bit):
    """The place of a single bit."""
    for number in range(MOST_CHOICES):
        if bit >> number & 1:
            return number
    raise AssertionError("LIS-291: there is no single choice")


# --- decisions ------------------------------------------------------------------------------------


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
    p = s.phase
    s.phase = NONE
    if p == Step.CHURCH:
        end_church(s)
    elif p == Step.CLERGY_FULL:
        discard_clergy(s, s.arg)


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
def play_card(s, choice):
    """A card of the hand: portfolio, court, or gold (LIS-052)."""
    card = leave_hand(s, choice // 3)
    if choice % 3 == 0:
        play_to_portfolio(s, card)
    elif choice % 3 == 1:
        play_to_court(s, card)
    else:
        discard_for_gold(s, card)


@rule
def choices(s):
    """The choices of the decision that is due, as bits from its first action on."""
    p = s.phase
    if p == Step.MAIN:
        return main_choices(s)
    if p < Step.BUILD:
        return choices_of_turn(s, p)
    if p < Step.FAVOR:
        return choices_of_action(s, p)
    return choices_of_rest(s, p)


@rule
def choices_of_turn(s, p):
    """Cards, goods, visits."""
    if p == Step.START_CLERGY:
        return 3
    if p == Step.SELL_OR_TRADE:
        return sell_or_trade_choices(s)
    if p == Step.TOP_DISCARD:
        return filled(s.top)
    if p == Step.BOTTOM_DISCARD:
        return filled(s.bottom)
    if p == Step.SELL:
        return sell_choices(s)
    if p == Step.TRADE:
        return trade_choices(s, s.arg)
    if p == Step.STATE:
        return state_choices(s, s.arg, s.influence[0])
    if p == Step.NOBLE:
        return noble_choices(s)
    return follow_choices(s)


@rule
def choices_of_action(s, p):
    """Inside state actions and noble actions."""
    if p == Step.BUILD:
        return build_choices(s)
    if p == Step.CUBE:
        return cube_choices(s)
    if p == Step.DECREE:
        return decree_choices(s)
    if p == Step.USE_PLAN:
        return use_plan_choices(s)
    if p == Step.SITE:
        return site_choices(s)
    if p == Step.HIRE:
        return hire_choices(s)
    if p == Step.TAKE_PLAN:
        return plan_choices(s)
    if p == Step.OFFICE:
        return office_choices(s)
    if p == Step.SHIP_PAY:
        return ship_pay_choices(s)
    if p == Step.CARDINAL:
        return cardinal_choices(s)
    return held_clergy(s)


@rule
def choices_of_rest(s, p):
    """Favors, effects, church, hand."""
    if p == Step.FAVOR:
        return favor_choices(s)
    if p == Step.GOOD_ANY:
        return good_choices(s)
    if p == Step.PRICE_UP:
        return price_choices(s)
    if p == Step.PILE_CUBE:
        return pile_choices(s)
    if p == Step.CHURCH:
        return held_clergy(s)
    if p == Step.DRAW:
        return draw_choices(s)
    return hand_choices(s)


@rule
def choose(s, i):
    """Carry out the i-th choice of the decision that is due."""
    p = s.phase
    s.phase = NONE
    if p == Step.MAIN:
        play_card(s, i)
    elif p < Step.BUILD:
        choose_in_turn(s, p, i)
    elif p < Step.FAVOR:
        choose_in_action(s, p, i)
    else:
        choose_in_rest(s, p, i)


@rule
def choose_in_turn(s, p, i):
    """Cards, goods, visits."""
    if p == Step.START_CLERGY:
        keep_clergy(s, i)
    elif p == Step.SELL_OR_TRADE:
        sell_or_trade(s, i)
    elif p == Step.TOP_DISCARD:
        clear_top(s, i)
    elif p == Step.BOTTOM_DISCARD:
        clear_bottom(s, i)
    elif p == Step.SELL:
        sell(s, i // 4, i % 4)
    elif p == Step.TRADE:
        trade(s, i // 4, i % 4)
    elif p == Step.STATE:
        push(s, Step.ACT, i, 0, 0)
    elif p == Step.NOBLE:
        push(s, Step.ACT, 6 + s.arg, 0, 0)
    else:
        follow(s, i)


@rule
def choose_in_action(s, p, i):
    """Inside state actions and noble actions."""
    if p == Step.BUILD:
        build(s, i // 2, i % 2)
    elif p == Step.CUBE:
        take_cube(s, 0, s.arg, i // 3, i % 3)
    elif p == Step.DECREE:
        choose_decree(s, i)
    elif p == Step.USE_PLAN:
        use_plan(s, i)
    elif p == Step.SITE:
        choose_site(s, i)
    elif p == Step.HIRE:
        hire(s, i)
    elif p == Step.TAKE_PLAN:
        take_plan(s, i)
    elif p == Step.OFFICE:
        choose_office(s, i)
    elif p == Step.SHIP_PAY:
        pay_for_ship(s, i)
    elif p == Step.CARDINAL:
        choose_cardinal(s, i)
    else:
        replace_clergy(s, i)


@rule
def choose_in_rest(s, p, i):
    """Favors, effects, church, hand."""
    if p == Step.FAVOR:
        take_favor(s, 0, i)
    elif p == Step.GOOD_ANY:
        choose_good(s, i)
    elif p == Step.PRICE_UP:
        choose_price(s, i)
    elif p == Step.PILE_CUBE:
        choose_pile_cube(s, i)
    elif p == Step.CHURCH:
        give_up_clergy(s, i)
    elif p == Step.DRAW:
        draw(s, i)
    else:
        discard_from_hand(s, i)


# --- what the rules do by themselves --------------------------------------------------------------


@rule
def next_step(s):
    """The step that was left behind last: a decision, or something to do."""
    s.depth -= 1
    step, a = s.waiting[s.depth, 0], s.waiting[s.depth, 1]
    b, c = s.waiting[s.depth, 2], s.waiting[s.depth, 3]
    if step < DECISIONS:
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
