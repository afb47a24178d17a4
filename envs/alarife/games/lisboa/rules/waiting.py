"""What has to hold when a decision is due: how far the game is, and the steps that wait (section 23)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    ARCHITECTS,
    CLERGY,
    DECKS,
    DISPLAYED,
    FIRST_SHIP,
    GOODS,
    HAND_SIZE,
    MOST_HELD,
    MOST_IN_ROUND,
    NOBLES,
    NONE,
    OWN_STEPS,
    PLANS,
    SITES,
    SPACES,
    STATE_ACTIONS,
    STREETS,
    Side,
    Step,
)
from alarife.games.lisboa.rules.buildings import officials_at_hand, officials_to_hire
from alarife.games.lisboa.rules.city import land_cost, street_of
from alarife.games.lisboa.rules.means import purse
from alarife.games.lisboa.rules.state_actions import top_ship

# --- how far the game is ---------------------------------------------------------------------------


@rule
def check_progress(s):
    """Rounds, money and wigs so far (sections 19 and 25)."""
    left = DISPLAYED if s.period == 1 else 0
    for d in range(DECKS):
        left += s.deck_size[d] + (s.deck_top[d] != NONE)
    drawing = s.phase == Step.DRAW or waits(s, Step.DRAW)
    ending = 4 - s.final_turns if s.final_turns > 0 else 0
    assert s.round + left - drawing <= 2 * DISPLAYED + ending, (
        "LIS-051: more rounds than the cards in the display allow"
    )
    assert s.final_turns == 0 or s.period == 2, "LIS-250: the end is triggered in the first period"
    most = MOST_IN_ROUND * (s.round + 1) + MOST_HELD
    assert s.reis <= most, "LIS-129: more reis than the rounds gave"
    assert s.wigs[0] <= most and s.wigs[1] <= most, "LIS-019: more wigs than the rounds gave"
    assert s.rank == NONE, "LIS-273: a rank before the end"
    tiles = 0
    for k in range(STREETS):
        tiles |= 1 << s.scoring_tile[k]
    assert tiles == (1 << STREETS) - 1, "LIS-027: a scoring tile is there twice"


@rule
def waits(s, step):
    """Whether a step waits."""
    for i in range(s.depth):
        if s.waiting[i, 0] == step:
            return True
    return False


# --- the steps that wait -----------------------------------------------------------------------------


@rule
def check_decision(s):
    """The decision due and all that waits for it can be carried out."""
    assert 0 <= s.phase < OWN_STEPS, "LIS-286: no decision is due"
    check_numbers(s, s.phase, s.arg, s.more, s.extra)
    base = check_turn(s)
    for i in range(base, s.depth):
        step, a, b, c = s.waiting[i, 0], s.waiting[i, 1], s.waiting[i, 2], s.waiting[i, 3]
        check_numbers(s, step, a, b, c)
        check_waiting(s, i, step, a, b, c)
    check_due(s)
    for a in range(ARCHITECTS):
        revealed = s.tile_top[a] != NONE or s.tile_stack_size[a] == 0
        assert revealed != waits_for(s, Step.REVEAL_TILE, a) or s.tile_stack_size[a] == 0, (
            "LIS-166: no building is turned up"
        )
        assert s.plan_top[a] != NONE or s.plan_stack_size[a] == 0, "LIS-023: no plan is turned up"


@rule
def waits_for(s, step, a):
    """Whether a step with this number waits."""
    for i in range(s.depth):
        if s.waiting[i, 0] == step and s.waiting[i, 1] == a:
            return True
    return False


@rule
def stands(s, i, step):
    """Whether the i-th of the steps that wait is this one."""
    return i < s.depth and s.waiting[i, 0] == step


@rule
def check_turn(s):
    """The steps that every turn ends with; returns how many they are (section 3)."""
    phase = s.phase
    if phase == Step.START_CLERGY:
        assert s.depth == 1 and stands(s, 0, Step.BEGIN_TURN) and s.waiting[0, 1] == Side.HUMAN, (
            "LIS-033: something else than the first turn follows"
        )
        assert s.round == 0, "LIS-033: clergy tiles are chosen in the game"
        return 1
    assert s.round > 0, "LIS-051: no turn has begun"
    if stands(s, 0, Step.BEGIN_TURN):
        assert s.waiting[0, 1] == 1 - s.turn_of, "LIS-238: the same side's turn follows"
        assert stands(s, 1, Step.NEW_PERIOD) and s.period == 1, "LIS-239: no period ends"
        if phase == Step.HAND_DISCARD:
            assert s.depth == 2, "LIS-243: something waits while the hand is discarded"
            return 2
        assert stands(s, 2, Step.HAND_DISCARD), "LIS-243: nothing waits for the hand"
        return 3
    assert phase != Step.HAND_DISCARD, "LIS-243: the hand is discarded in a turn"
    assert stands(s, 0, Step.END_TURN) and stands(s, 1, Step.REFILL_CHURCH), "LIS-058: the turn has no end"
    at = 2
    if s.turn_of == Side.HUMAN:
        if phase == Step.DRAW:
            assert s.depth == at, "LIS-056: something waits while cards are drawn"
            return at
        assert stands(s, at, Step.DRAW), "LIS-056: no cards are drawn at the end of the turn"
        at += 1
    assert phase != Step.DRAW, "LIS-056: Lacerda draws cards"
    if phase == Step.CHURCH:
        assert stands(s, at, Step.LACERDA_CHURCH) and s.depth == at + 1, "LIS-177: Lacerda gains nothing in church"
        return at + 1
    assert stands(s, at, Step.CHURCH_SCORING), "LIS-055: the church is forgotten"
    at += 1
    if s.turn_of == Side.LACERDA:
        assert stands(s, at, Step.LACERDA_ENDS), "LIS-232: Lacerda's turn has no end"
        at += 1
    assert phase != Step.MAIN or (s.depth == at and s.turn_of == Side.HUMAN), "LIS-052: a card is played too late"
    assert phase != Step.FOLLOW or (s.depth == at and s.turn_of == Side.LACERDA), "LIS-231: nobody can be followed"
    return at


@rule
def check_numbers(s, step, a, b, c):
    """The numbers that go with a step are some that its rule can use."""
    if step == Step.START_CLERGY:
        assert min(a, b) >= 0 and max(a, b) < CLERGY and a != b, "LIS-033: there are no two clergy tiles to choose from"
    elif step == Step.TRADE:
        assert NONE <= a < STATE_ACTIONS, "LIS-082: no such action was traded for"
    elif (step == Step.STATE or step == Step.NOBLE or step == Step.FOLLOW or step == Step.LACERDA_FOLLOWS):  # fmt: skip
        assert 0 <= a < NOBLES, "LIS-083: no such noble is visited"
    elif step == Step.CUBE or step == Step.PAY_LAND or step == Step.PLACE_STORE:
        assert 0 <= a < SPACES, "LIS-145: there is no such space"
    elif step == Step.DECREE:
        assert a >= 1 and 0 <= b <= 2, "LIS-113: no decree is to be taken"
    elif step == Step.SITE:
        assert 0 <= a < PLANS, "LIS-160: there is no such plan"
    elif step == Step.HIRE:
        assert a >= 1 and 0 <= b < PLANS and 0 <= c < SITES, "LIS-161: nobody is to be hired"
    elif step == Step.OFFICE:
        assert a >= 1 and 0 <= b <= 15, "LIS-098: no official is to be placed"
    elif step == Step.SHIP_PAY:
        assert a >= 1 and 0 <= b < 1 << GOODS, "LIS-104: nothing is to be paid for a ship"
    elif step == Step.CLERGY_FULL:
        assert 0 <= a < CLERGY, "LIS-172: there is no fifth clergy tile"
    elif step == Step.GOOD_ANY or step == Step.PRICE_UP:
        assert a >= 1, "LIS-136: nothing is to be chosen"
    elif step == Step.CHURCH:
        assert 0 <= a <= 1, "LIS-176: tiles given up are miscounted"
    elif step == Step.HAND_DISCARD:
        assert 0 <= a < 1 << NOBLES, "LIS-244: nobles who have paid are miscounted"
    elif step == Step.REVEAL_TILE:
        assert 0 <= a < ARCHITECTS, "LIS-166: there is no such architect"
    elif step == Step.EFFECT:
        known = False
        for plan in range(PLANS):
            same = s.tables.plan_effect[plan] == a and s.tables.plan_n[plan] == b and s.tables.plan_good[plan] == c
            known = known or same
        assert known, "LIS-166: an effect waits that no plan has"


@rule
def check_waiting(s, i, step, a, b, c):
    """Steps that may wait inside a turn, and what must wait beside them."""
    if step == Step.PLACE_TOP:
        is_card = a < FIRST_SHIP and s.tables.card_kind[a] < NOBLES
        assert a >= 0 and (is_card or a >= FIRST_SHIP), "LIS-061: a treasury card is to lie in the top row"
        assert a < FIRST_SHIP or stands(s, i - 1, Step.TAKE_SHIP), "LIS-104: a ship comes without its welcome"
        on_top = s.phase == Step.SHIP_PAY or s.phase == Step.TOP_DISCARD
        assert a < FIRST_SHIP or (i == s.depth - 1 and on_top), "LIS-104: a ship waits for something else"
    elif step == Step.PLACE_BOTTOM:
        assert 0 <= a < FIRST_SHIP and s.tables.card_kind[a] == NOBLES, "LIS-061: a noble card is to lie below"
        assert i == s.depth - 1 and s.phase == Step.BOTTOM_DISCARD, "LIS-066: a card waits for something else"
    elif step == Step.PLACE_STORE:
        assert 0 <= b <= 1 and street_of(a, b) != NONE, "LIS-005: the new store faces no street"
        assert s.store_owner[a] == NONE and s.houses[Side.HUMAN] > 0, "LIS-145: the space is taken, or no house is left"
        if not stands(s, i + 1, Step.CUBE):
            assert s.phase == Step.CUBE and s.arg == a and i == s.depth - 1, "LIS-150: a store comes without a cube"
    elif step == Step.CUBE:
        assert stands(s, i - 1, Step.PLACE_STORE) and s.waiting[i - 1, 1] == a, "LIS-148: no store comes after a cube"
        assert stands(s, i + 1, Step.PAY_LAND), "LIS-148: land is not paid for"
    elif step == Step.PAY_LAND:
        assert stands(s, i - 1, Step.CUBE) and s.waiting[i - 1, 1] == a, "LIS-148: land is paid for nothing"
        assert purse(s, s.reis, s.influence[Side.HUMAN]) >= land_cost(s, a), "LIS-149: the land cannot be paid for"
    elif step == Step.REVEAL_TILE:
        assert s.tile_top[a] == NONE, "LIS-166: a building is turned up already"
    elif step == Step.EFFECT:
        assert stands(s, i - 1, Step.REVEAL_TILE), "LIS-166: an effect waits for nothing"
    elif step == Step.TAKE_SHIP:
        assert stands(s, i + 1, Step.PLACE_TOP) and s.waiting[i + 1, 1] >= FIRST_SHIP, "LIS-104: no ship comes"
    elif step == Step.LACERDA_FOLLOWS:
        assert s.turn_of == Side.HUMAN, "LIS-116: Lacerda follows himself"
    else:
        # Whatever cannot be chosen when its time comes is lost (LIS-286), so these may wait anywhere.
        is_free = (step == Step.SELL_OR_TRADE or step == Step.TRADE or step == Step.SELL or step == Step.STATE
                   or step == Step.NOBLE or step == Step.DECREE or step == Step.SLIDE_DECREES or step == Step.TAKE_PLAN
                   or step == Step.OFFICE or step == Step.FAVOR or step == Step.GOOD_ANY or step == Step.PRICE_UP
                   or step == Step.PILE_CUBE)  # fmt: skip
        assert is_free, "LIS-286: a step waits that nothing waits for"


@rule
def check_due(s):
    """What the decision due itself needs."""
    phase, last = s.phase, s.depth - 1
    if phase == Step.SHIP_PAY:
        ship = top_ship(s)
        assert stands(s, last, Step.PLACE_TOP) and ship != NONE and s.waiting[last, 1] == FIRST_SHIP + ship, (
            "LIS-104: another ship is paid for than the top one"
        )
        kinds = 0
        for g in range(GOODS):
            kinds += s.goods[g] > 0 and not s.more >> g & 1
        assert kinds >= s.arg, "LIS-104: the ship cannot be paid for"
    elif phase == Step.TOP_DISCARD:
        assert stands(s, last, Step.PLACE_TOP), "LIS-066: nothing waits for a slot"
    elif phase == Step.BOTTOM_DISCARD:
        assert stands(s, last, Step.PLACE_BOTTOM), "LIS-066: nothing waits for a slot"
    elif phase == Step.CUBE:
        assert stands(s, last, Step.PLACE_STORE) and s.waiting[last, 1] == s.arg, "LIS-148: no store comes after a cube"
    elif phase == Step.SITE:
        check_plan(s, s.arg, officials_to_hire(s, s.arg))
    elif phase == Step.HIRE:
        check_plan(s, s.more, s.arg)
        assert s.site_tile[s.extra] == NONE, "LIS-162: the space is taken"
    elif phase == Step.CLERGY_FULL:
        assert s.clergy_held == s.tables.clergy_held, "LIS-172: there is room for the clergy tile"
    elif phase == Step.CHURCH:
        assert not s.church_due, "LIS-178: the church is scored and still due"
    elif phase == Step.DRAW:
        assert s.hand_size < HAND_SIZE, "LIS-056: the hand is full"


@rule
def check_plan(s, plan, officials):
    """A plan in use: it has left the hand, its architect has a building, its officials can be hired."""
    assert s.plan_gone[plan], "LIS-166: the plan is not in use"
    assert s.tile_top[s.tables.plan_architect[plan]] != NONE, "LIS-167: there is no building for the plan"
    assert officials_at_hand(s) >= officials, "LIS-161: the officials cannot be hired"
