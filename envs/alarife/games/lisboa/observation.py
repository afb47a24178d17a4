"""Lisboa: what H may know, which is everything but the order of what is to come (LIS-288, LIS-289)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import mark, write_bits, write_grid, write_row

from .components import (
    ARCHITECTS,
    CARD_POWERS,
    CLERGY,
    CLERGY_SLOTS,
    COLUMNS,
    DECKS,
    DECREE_DISPLAY,
    DECREES,
    FAVORS,
    FIRST_BROWN,
    FIRST_PURPLE,
    FIRST_RED,
    FIRST_SHIP,
    GOODS,
    HAND_SIZE,
    HOUSES,
    LEVELS,
    MOST_CLERGY,
    MOST_PLANS,
    MOST_ROUNDS,
    MOST_SETS,
    NOBLES,
    NONE,
    OFFICIALS,
    OWN_STEPS,
    PILE,
    PILE_CUBES,
    PLANS,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIPS,
    SITES,
    SPACES,
    STATE_ACTIONS,
    STEPS_WAITING,
    STREETS,
    TILES,
    Act,
    Deed,
    Effect,
    Power,
    Side,
    Step,
)
from .rules.city import land_prices, room_for_prices, room_for_wigs, wigs_of_stores
from .rules.decrees import count_all, room_for_amounts, wigs_for
from .rules.end import hired_by
from .rules.means import portfolio_influence, sets_of, treasury_influence, treasury_reis
from .rules.portfolio import load_of

ACTS, EFFECTS, POWERS = len(Act), len(Effect), len(Power)
MANY = 10.0  # the highest number shown, where a game could go beyond what is usual
BYTE = 127  # the highest whole number of a view

# One card: kind, influence, effect, good, power, event. One plan: architect, officials, effect, good.
# One clergy tile: power, what it is about, wigs.
CARD = DECKS + 1 + EFFECTS + GOODS + CARD_POWERS + ACTS
PLAN = ARCHITECTS + 1 + EFFECTS + GOODS
TILE = POWERS + GOODS + 1
SHIP = 7
DEEDS = len(Deed)
TOLD = 1 + DECKS + STATE_ACTIONS + DEEDS + 2 + GOODS + 1
NOBLE_TOLD = NOBLES + DEEDS + 7 + RUBBLE

THIRD, QUARTER, FIFTH, TENTH = 1 / 3, 1 / 4, 1 / 5, 1 / 10
OF_EFFECT = (*[QUARTER] * EFFECTS, *[1] * GOODS)
OF_CARD = (*[1] * DECKS, THIRD, *OF_EFFECT, *[THIRD] * CARD_POWERS, *[1] * ACTS)
OF_PLAN = (*[1] * ARCHITECTS, THIRD, *OF_EFFECT)
OF_TILE = (*[1 / 2] * POWERS, *[1] * GOODS, FIFTH)
OF_TOP = (*[1] * DECKS, THIRD)
OF_SHIP = (1, 1, 1, 1, QUARTER, QUARTER, 1 / 2)
OF_BUILDING = (1, 1, 1, *[QUARTER] * GOODS)
OF_STORY = (*[1] * (1 + DECKS + STATE_ACTIONS + DEEDS), 1 / 40, 1 / 40, *[FIFTH] * GOODS, TENTH)
OF_COURT = (*[1] * (NOBLES + DEEDS), *[TENTH] * 7, *[1] * RUBBLE)
MOST_EFFECT = int(MANY / QUARTER)
MOST_PAY, MOST_TENTHS = int(MANY / FIFTH), int(MANY / TENTH)
MOST_LAND = 6 * 20  # reis; what is dearer looks like that
TWENTY, FIFTY = 20, 50

FEATURES = Features(
    hand=Block((HAND_SIZE, CARD), "my cards: kind 4, influence, effect 16, good 4, power 4, event 10",
               high=MANY, scale=OF_CARD),
    display=Block((DECKS, CARD), "the open card of each deck, likewise", high=MANY, scale=OF_CARD),
    deck=Block(DECKS, "cards in each deck, the open one included, in fifths", scale=FIFTH),
    below=Flags(2 * DECKS * PILE, "red and brown cards that lie below the open ones"),
    top=Block((ROW_SLOTS, DECKS + 1), "top row: kind of noble or ship, influence", high=MANY, scale=OF_TOP),
    bottom=Block((ROW_SLOTS, CARD_POWERS), "bottom row: powers", high=MANY, scale=THIRD),
    slots=Block(2, "open slots of the top and the bottom row, in thirds", scale=THIRD),
    plan=Block((MOST_PLANS, PLAN), "my plans: architect 2, officials, effect 16, good 4", high=MANY, scale=OF_PLAN),
    plan_top=Block((ARCHITECTS, PLAN), "the plans on top of the stacks, likewise", high=MANY, scale=OF_PLAN),
    plan_stack=Flags(PLANS, "plans that lie below those"),
    clergy=Block((MOST_CLERGY, TILE), "my clergy tiles: power 16, about what 4, wigs", high=MANY, scale=OF_TILE),
    church=Block((CLERGY_SLOTS, TILE), "the tiles of the church track, likewise", high=MANY, scale=OF_TILE),
    bag=Flags(CLERGY, "clergy tiles in the bag"),
    offered=Block((2, TILE), "tiles to choose between: the first two, or the fifth", high=MANY, scale=OF_TILE),
    reis=Block((1, 2), "my reis, 200 at most: twenties, and what is left, in twentieths",
               high=(MANY, 1 - 1 / TWENTY), scale=(1, 1 / TWENTY)),
    influence=Block(2, "influence of both sides, in tens", high=2, scale=TENTH),
    wigs=Block((2, 2), "wigs of both sides, 500 at most: fifties, and what is left, in fiftieths",
               high=(MANY, 1 - 1 / FIFTY), scale=(1, 1 / FIFTY)),
    goods=Block(GOODS, "my goods, in fives", high=MANY, scale=FIFTH),
    officials=Block(2, "officials in the supplies, in eighths", scale=1 / OFFICIALS),
    office=Block((2, NOBLES), "officials in the offices, in eighths", scale=1 / OFFICIALS),
    plaza=Block(1, "my officials on the plaza, in eighths", scale=1 / OFFICIALS),
    hired=Block(2, "officials hired, Lacerda's on plans, in eighths", high=MANY, scale=1 / OFFICIALS),
    houses=Block(2, "houses left, in eighths", scale=1 / HOUSES),
    cubes=Block((2, RUBBLE), "rubble of both sides, in sevenths", high=MANY, scale=1 / 7),
    sets=Block(1, "my rubble sets, in fifths", scale=1 / MOST_SETS),
    favor=Flags((2, NOBLES), "royal favors of both sides"),
    favor_supply=Block(NOBLES, "royal favors in the offices, in halves", scale=1 / FAVORS),
    portfolio_influence=Block(1, "influence of my top row, in tens", high=MANY, scale=TENTH),
    decrees_held=Block(2, "decrees of both sides, in eighths", high=MANY, scale=1 / 8),
    courtier=Flags(NOBLES, "where Lacerda's courtier stands"),
    helper=Flags(DECKS, "where his Helper stands"),
    supply=Block(GOODS, "goods in the supply, in twentieths", high=2, scale=1 / 20),
    price=Block(GOODS, "prices, in sixths", high=MANY, scale=1 / 6),
    treasury=Flags(LEVELS, "level of the treasury"),
    value=Block(2, "influence and reis of that level, in sixths", high=MANY, scale=1 / 6),
    ship=Block((SHIPS, SHIP), "ships: mine, Lacerda's, in the shipyard; at sea, load, size, price",
               high=MANY, scale=OF_SHIP),
    store=Flags((SPACES, 2 + STREETS), "stores: mine, Lacerda's, street"),
    land=Block(SPACES, "what each free space costs, in twenties, 120 at most", high=6, scale=1 / TWENTY),
    pays=Block((SPACES, 2), "what a store facing left or right would score, in fives", high=MANY, scale=FIFTH),
    row_cubes=Block((ROWS, RUBBLE), "rubble of each row, in thirds", scale=THIRD),
    column_cubes=Block((COLUMNS, RUBBLE), "rubble of each column, in thirds", scale=THIRD),
    site_cubes=Block((SITES, RUBBLE), "rubble of each construction space, in halves", scale=1 / 2),
    pile=Block(RUBBLE, "rubble in the pile, in sixths", scale=1 / PILE_CUBES),
    building=Block((SITES, 3 + GOODS), "buildings: mine, Lacerda's, nobody's; wigs by good",
                   high=MANY, scale=OF_BUILDING),
    building_top=Block((ARCHITECTS, GOODS), "wigs of the buildings on top of the stacks", high=MANY, scale=QUARTER),
    building_stack=Flags(TILES, "buildings that lie below those"),
    street=Block((STREETS, 2), "wigs for the majority and for second, in tens", high=MANY, scale=TENTH),
    cardinal=Flags(CLERGY_SLOTS, "where the Cardinal stands"),
    church_due=Flags(1, "church scoring takes place at the end of this turn"),
    decree_shown=Block(DECREES, "decrees in the display: position from the left, in eighths", scale=1 / DECREE_DISPLAY),
    decree_owner=Block(DECREES, "decrees taken: 1 by me, -1 by Lacerda", low=-1, scale=1),
    decree_worth=Block((DECREE_DISPLAY, 2), "decrees of the display: what they pay me now and at most",
                       high=MANY, scale=FIFTH),
    phase=Flags(int(OWN_STEPS), "what is being decided"),
    noble=Flags(NOBLES, "whose visit or noble action it is about"),
    space=Flags(SPACES, "the space of the store being built"),
    left=Block(1, "how many more of the same, in fours", high=MANY, scale=QUARTER),
    used=Flags(GOODS, "offices entered, goods given up, or the architect, of this action"),
    traded=Flags(STATE_ACTIONS, "the state action traded for before"),
    mine=Flags(1, "it is my turn, not Lacerda's"),
    period=Flags(1, "second period"),
    round=Block(1, "rounds, as a share of 39", scale=1 / MOST_ROUNDS),
    final_turns=Block(1, "turns left once the end is triggered, in thirds", scale=THIRD),
    waiting=Block(len(Step), "steps to come once this is decided, in quarters", high=STEPS_WAITING / 4, scale=QUARTER),
    store_space=Flags(SPACES, "the space on which I am building a store"),
    store_right=Flags(1, "1 if that store faces right"),
    site=Flags(SITES, "the construction space for which I hire officials"),
    plan_used=Block(PLAN, "the plan that I am using, like my plans", high=MANY, scale=OF_PLAN),
    reward=Block(EFFECTS + GOODS, "the reward to come after this one: effect 16, good 4", high=MANY, scale=OF_EFFECT),
    card_placed=Block(CARD, "the card to be placed into my portfolio, like my cards", high=MANY, scale=OF_CARD),
    ship_placed=Flags(SHIPS, "the ship to be placed into my portfolio"),
    visited=Flags(NOBLES, "the noble whom I visit, whom Lacerda may follow"),
    traded_before=Flags(STATE_ACTIONS, "the state action traded for, while it is carried out"),
    revealed=Flags(ARCHITECTS, "the stack of buildings whose next one is turned up"),
    by_action=Flags(1, "1 if decrees are taken by the noble action"),
    gave_up=Flags(1, "1 once a tile was given up in this church scoring"),
    nobles_paid=Flags(NOBLES, "nobles of whom a discarded card has paid, when the period changes"),
    ship_good=Block((SHIPS, GOODS), "goods on ships, in quarters", high=MANY, scale=QUARTER),
    told=Block(TOLD, "Lacerda's last turn: has been; Helper 4; state action 6, how it ended 4, first and second "
                     "number in fortieths, goods 4 in fives, wigs in tens",
               high=tuple(min(MANY, BYTE * scale) for scale in OF_STORY), scale=OF_STORY),
    told_noble=Block((2, NOBLE_TOLD), "what he did at court in that turn, and following me: noble 3, how it ended 4, "
                     "influence, wigs paid, what, where, ties, wigs, wigs for me, in tens; cube 3",
                     high=MANY, scale=OF_COURT),
    told_card=Block(1, "the number of the card that he discarded, counted from 1, in hundredths", scale=1 / 100),
)  # fmt: skip
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of H."""
    show_cards(s, view)
    show_tiles(s, view)
    show_means(s, view)
    show_market(s, view)
    show_city(s, view)
    show_sites(s, view)
    show_decrees(s, view)
    show_decision(s, view)
    show_waiting(s, view)
    show_loads(s, view)
    show_story(s, view)


@rule
def show_effect(s, effect, n, good, view, at):
    """An effect: its number at its place, then its good."""
    if effect != Effect.NOTHING:
        view[at + effect] = min(MOST_EFFECT, n)
    if good != NONE:
        view[at + EFFECTS + good] = 1


@rule
def show_card(s, card, view, at):
    """A political card, nothing for NONE."""
    if card == NONE:
        return
    t = s.tables
    view[at + t.card_kind[card]] = 1
    view[at + DECKS] = t.card_influence[card]
    show_effect(s, t.card_effect[card], t.card_n[card], t.card_good[card], view, at + DECKS + 1)
    if t.card_power[card] != NONE:
        view[at + DECKS + 1 + EFFECTS + GOODS + t.card_power[card]] = t.card_n[card]
        view[at + DECKS + 1 + EFFECTS + GOODS + CARD_POWERS + t.card_event[card]] = 1


@rule
def show_cards(s, view):
    """Hand, display, portfolio."""
    for i in range(s.hand_size):
        show_card(s, s.hand[i], view, AT.hand + i * CARD)
    for d in range(DECKS):
        show_card(s, s.deck_top[d], view, AT.display + d * CARD)
        view[AT.deck + d] = s.deck_size[d] + (s.deck_top[d] != NONE)
        for i in range(s.deck_size[d]):
            card = s.deck[d, i]
            view[AT.below + (card - FIRST_RED if card < FIRST_PURPLE else card - FIRST_BROWN + DECKS * PILE)] = 1
    for i in range(ROW_SLOTS):
        at, card = AT.top + i * (DECKS + 1), s.top[i]
        if card >= FIRST_SHIP:
            view[at + NOBLES] = 1
            view[at + DECKS] = s.tables.ship_influence[card - FIRST_SHIP]
        elif card != NONE:
            view[at + s.tables.card_kind[card]] = 1
            view[at + DECKS] = s.tables.card_influence[card]
        card = s.bottom[i]
        if card != NONE:
            view[AT.bottom + i * CARD_POWERS + s.tables.card_power[card]] = s.tables.card_n[card]
    view[AT.slots] = s.tables.top_open[sets_of(s)]
    view[AT.slots + 1] = s.tables.bottom_open[sets_of(s)]


@rule
def show_plan(s, plan, view, at):
    """A plan, nothing for NONE."""
    if plan == NONE:
        return
    t = s.tables
    view[at + t.plan_architect[plan]] = 1
    view[at + ARCHITECTS] = t.plan_officials[plan]
    show_effect(s, t.plan_effect[plan], t.plan_n[plan], t.plan_good[plan], view, at + ARCHITECTS + 1)


@rule
def show_tile(s, tile, view, at):
    """A clergy tile, nothing for NONE."""
    if tile == NONE:
        return
    t = s.tables
    view[at + t.clergy_power[tile]] = t.clergy_n[tile]
    if t.clergy_what[tile] != NONE:
        view[at + POWERS + t.clergy_what[tile]] = 1
    view[at + POWERS + GOODS] = t.clergy_wigs[tile]


@rule
def show_tiles(s, view):
    """Plans and clergy tiles."""
    for i in range(s.plans_held):
        show_plan(s, s.plans[i], view, AT.plan + i * PLAN)
    for a in range(ARCHITECTS):
        show_plan(s, s.plan_top[a], view, AT.plan_top + a * PLAN)
        for i in range(s.plan_stack_size[a]):
            view[AT.plan_stack + s.plan_stack[a, i]] = 1
    for i in range(s.clergy_held):
        show_tile(s, s.clergy[i], view, AT.clergy + i * TILE)
    for i in range(CLERGY_SLOTS):
        show_tile(s, s.church_slot[i], view, AT.church + i * TILE)
    for i in range(s.clergy_bag_size):
        view[AT.bag + s.clergy_bag[i]] = 1
    view[AT.cardinal + s.cardinal] = 1
    view[AT.church_due] = s.church_due


@rule
def show_means(s, view):
    """What both sides have."""
    reis = min(int(MANY) * TWENTY, int(s.reis))
    view[AT.reis] = reis // TWENTY
    view[AT.reis + 1] = reis % TWENTY
    for side in range(2):
        wigs = min(int(MANY) * FIFTY, int(s.wigs[side]))
        view[AT.wigs + 2 * side] = wigs // FIFTY
        view[AT.wigs + 2 * side + 1] = wigs % FIFTY
        view[AT.hired + side] = min(int(MANY) * OFFICIALS, hired_by(s, side))
    write_row(view, AT.influence, s.influence)
    write_row(view, AT.officials, s.officials)
    write_row(view, AT.houses, s.houses)
    write_row(view, AT.decrees_held, s.decrees_held)
    write_grid(view, AT.office, s.office)
    write_grid(view, AT.favor, s.favor)
    write_grid(view, AT.cubes, s.cubes)
    write_row(view, AT.goods, s.goods)
    view[AT.plaza] = s.plaza
    view[AT.sets] = sets_of(s)
    view[AT.portfolio_influence] = portfolio_influence(s)


@rule
def show_market(s, view):
    """Nobles, prices, treasury, ships, Lacerda's figures."""
    view[AT.courtier + s.courtier] = 1
    view[AT.helper + s.helper] = 1
    write_row(view, AT.favor_supply, s.favor_supply)
    write_row(view, AT.supply, s.supply)
    write_row(view, AT.price, s.price)
    view[AT.treasury + s.treasury - 1] = 1
    view[AT.value] = treasury_influence(s)
    view[AT.value + 1] = treasury_reis(s)
    for ship in range(SHIPS):
        if s.ship_place[ship] != NONE:
            at = AT.ship + ship * SHIP
            view[at + s.ship_place[ship]] = 1
            view[at + 3] = s.ship_at_sea[ship]
            view[at + 4] = load_of(s, ship)
            view[at + 5] = s.tables.ship_size[ship]
            view[at + 6] = s.tables.ship_mod[ship]


@rule
def show_city(s, view):
    """Stores, rubble, streets."""
    show_land(s, view)
    show_pays(s, view)
    write_grid(view, AT.row_cubes, s.row_cubes)
    write_grid(view, AT.column_cubes, s.column_cubes)
    write_row(view, AT.pile, s.pile)
    for k in range(STREETS):
        view[AT.street + 2 * k] = s.tables.majority_first[s.scoring_tile[k]]
        view[AT.street + 2 * k + 1] = s.tables.majority_second[s.scoring_tile[k]]


@rule
def show_land(s, view):
    """Whose each space is, or what it costs."""
    prices = room_for_prices()
    land_prices(s, prices)
    for i in range(SPACES):
        owner, at = s.store_owner[i], AT.store + i * (2 + STREETS)
        view[AT.land + i] = min(MOST_LAND, prices[i]) * (owner == NONE)
        mark(view, at, owner)
        mark(view, at + 2, s.store_street[i])


@rule
def show_pays(s, view):
    """What new stores would score: on each street, those on both of its sides alike."""
    wigs = room_for_wigs()
    wigs_of_stores(s, wigs)
    for r in range(ROWS):
        for k in range(STREETS):
            left = r * COLUMNS + k
            most = min(MOST_PAY, wigs[r, k])
            view[AT.pays + 2 * left + 1] = most * (s.store_owner[left] == NONE)
            view[AT.pays + 2 * left + 2] = most * (s.store_owner[left + 1] == NONE)


@rule
def show_sites(s, view):
    """Public buildings."""
    write_grid(view, AT.site_cubes, s.site_cubes)
    for i in range(SITES):
        if s.site_tile[i] != NONE:
            at = AT.building + i * (3 + GOODS)
            view[at + s.site_owner[i]] = 1
            write_row(view, at + 3, s.tables.tile_pays[s.site_tile[i]])
    for a in range(ARCHITECTS):
        for i in range(s.tile_stack_size[a]):
            view[AT.building_stack + s.tile_stack[a, i]] = 1
        if s.tile_top[a] != NONE:
            write_row(view, AT.building_top + a * GOODS, s.tables.tile_pays[s.tile_top[a]])


@rule
def show_decrees(s, view):
    """The display, and who holds what."""
    amounts = room_for_amounts()
    count_all(s, amounts)
    for i in range(DECREE_DISPLAY):
        d = s.decree_display[i]
        if d > 0:
            view[AT.decree_shown + d - 1] = i + 1
            view[AT.decree_worth + 2 * i] = wigs_for(s, d, amounts[s.tables.decree_metric[d]])
            view[AT.decree_worth + 2 * i + 1] = s.tables.decree_cap[d]
    for d in range(1, DECREES + 1):  # 1 for H, who is 0, -1 for Lacerda, who is 1, 0 for NONE, which is -1
        owner = int(s.decree_owner[d])
        view[AT.decree_owner + d - 1] = (owner >= 0) * (1 - 2 * owner)


@rule
def show_decision(s, view):
    """What is being decided, and what goes with it."""
    p = s.phase
    view[AT.mine] = s.turn_of == Side.HUMAN
    view[AT.period] = s.period - 1
    view[AT.round] = s.round
    view[AT.final_turns] = s.final_turns
    if p == NONE:
        return
    view[AT.phase + p] = 1
    if p == Step.STATE or p == Step.NOBLE or p == Step.FOLLOW:
        view[AT.noble + s.arg] = 1
    elif p == Step.CUBE:
        view[AT.space + s.arg] = 1
    elif p == Step.TRADE:
        if s.arg != NONE:
            view[AT.traded + s.arg] = 1
    elif p == Step.OFFICE or p == Step.SHIP_PAY:
        view[AT.left] = s.arg
        for i in range(GOODS):
            if p == Step.SHIP_PAY or i < NOBLES:
                view[AT.used + i] = s.more >> i & 1
    elif p == Step.DECREE or p == Step.HIRE or p == Step.GOOD_ANY or p == Step.PRICE_UP:
        view[AT.left] = s.arg
    elif p == Step.START_CLERGY or p == Step.CLERGY_FULL:
        show_tile(s, s.arg, view, AT.offered)
        if p == Step.START_CLERGY:
            show_tile(s, s.more, view, AT.offered + TILE)
    elif p == Step.SITE:
        show_plan_colour(s, s.arg, view)


@rule
def show_plan_colour(s, plan, view):
    """Choosing a space, the building to be opened is that of the plan's architect."""
    view[AT.used + s.tables.plan_architect[plan]] = 1


@rule
def show_waiting(s, view):
    """What is to be done once this is decided, and what is being carried out."""
    p = s.phase
    if p == Step.SITE:
        show_plan(s, s.arg, view, AT.plan_used)
    elif p == Step.HIRE:
        show_plan(s, s.more, view, AT.plan_used)
        view[AT.site + s.extra] = 1
    elif p == Step.DECREE:
        view[AT.by_action] = s.more > 0
    elif p == Step.CHURCH:
        view[AT.gave_up] = s.arg
    elif p == Step.HAND_DISCARD:
        write_bits(view, AT.nobles_paid, s.arg, NOBLES)
    for i in range(s.depth):
        step, a = s.waiting[i, 0], s.waiting[i, 1]
        view[AT.waiting + step] += 1
        if step == Step.EFFECT:  # one at most: that of a plan, while the space's is decided
            show_effect(s, a, s.waiting[i, 2], s.waiting[i, 3], view, AT.reward)
        elif step == Step.PLACE_STORE:
            view[AT.store_space + a] = 1
            view[AT.store_right] = s.waiting[i, 2]
        elif step == Step.LACERDA_FOLLOWS:
            view[AT.visited + a] = 1
        elif step == Step.TRADE and a != NONE:
            view[AT.traded_before + a] = 1
        elif step == Step.REVEAL_TILE:
            view[AT.revealed + a] = 1
        elif step == Step.PLACE_TOP and a >= FIRST_SHIP:
            view[AT.ship_placed + a - FIRST_SHIP] = 1
        elif step == Step.PLACE_TOP or step == Step.PLACE_BOTTOM:
            show_card(s, a, view, AT.card_placed)


@rule
def show_loads(s, view):
    """The goods on ships."""
    for ship in range(SHIPS):
        if s.ship_place[ship] != NONE:
            write_row(view, AT.ship_good + ship * GOODS, s.ship_goods[ship])


@rule
def show_story(s, view):
    """Lacerda's last turn, and how he followed H in the one before."""
    log = s.log
    show_court(log.follow, view, AT.told_noble + NOBLE_TOLD)
    if log.round == 0:
        return
    show_court(log.visit, view, AT.told_noble)
    view[AT.told_card] = log.card + 1
    at = AT.told
    view[at] = 1
    view[at + 1 + log.helper] = 1
    view[at + 1 + DECKS + log.act] = 1
    at += 1 + DECKS + STATE_ACTIONS
    view[at + log.deed] = 1
    view[at + DEEDS] = min(BYTE, int(log.first) + 1)
    view[at + DEEDS + 1] = min(BYTE, int(log.second) + 1)
    write_row(view, at + DEEDS + 2, log.goods)
    view[at + DEEDS + 2 + GOODS] = log.wigs


@rule
def show_court(log, view, at):
    """What Lacerda did with a noble."""
    if log.deed == Deed.NOT_YET:
        return
    view[at + log.noble] = 1
    view[at + NOBLES + log.deed] = 1
    if log.deed != Deed.DONE:
        return
    at += NOBLES + DEEDS
    view[at] = log.influence
    view[at + 1] = log.wigs_paid
    view[at + 2] = log.what
    view[at + 3] = log.where
    view[at + 4] = log.ties
    view[at + 5] = min(MOST_TENTHS, int(log.wigs))
    view[at + 6] = min(MOST_TENTHS, int(log.given))
    if log.cube != NONE:
        view[at + 7 + log.cube] = 1
