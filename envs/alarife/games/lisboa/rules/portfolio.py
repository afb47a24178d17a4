"""Playing a card to the portfolio, for gold, and selling goods (sections 3 to 5)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    FIRST_SHIP,
    GOODS,
    HAND_SIZE,
    NONE,
    ROW_SLOTS,
    SHIPS,
    Deck,
    Power,
    Side,
    Step,
)
from alarife.games.lisboa.rules.means import (
    both_powers,
    card_power,
    clergy_power,
    gain_goods,
    gain_wigs,
    lower_treasury,
    sets_of,
    treasury_reis,
)
from alarife.games.lisboa.rules.pending import push

GOLD = 0

# --- hand and portfolio ---------------------------------------------------------------------------


@rule
def leave_hand(s, slot):
    """A card leaves the hand, the later ones close up (LIS-285); returns it."""
    card = s.hand[slot]
    for i in range(slot, HAND_SIZE - 1):
        s.hand[i] = s.hand[i + 1]
    s.hand[HAND_SIZE - 1] = NONE
    s.hand_size -= 1
    return card


@rule
def discard_for_gold(s, card):
    """Take a gold token, and one more for each tile that says so (LIS-059, LIS-060)."""
    s.card_gone[card] = 1
    gain_goods(s, GOLD, 1 + clergy_power(s, Power.DISCARD_EXTRA_GOLD, NONE))


@rule
def play_to_portfolio(s, card):
    """The reward or subsidy, then the card into its row, then sell or trade (LIS-063 to LIS-067)."""
    push(s, Step.SELL_OR_TRADE, 0, 0, 0)
    if s.tables.card_kind[card] == Deck.TREASURY:
        s.reis += treasury_reis(s) + card_power(s, Power.SUBSIDY_BONUS)
        lower_treasury(s)
        push(s, Step.PLACE_BOTTOM, card, 0, 0)
    else:
        push(s, Step.PLACE_TOP, card, 0, 0)
        push(s, Step.EFFECT, s.tables.card_effect[card], s.tables.card_n[card], s.tables.card_good[card])


@rule
def place_top(s, card):
    """Into the first free slot of the top row; without one a slot must be cleared (LIS-066)."""
    for i in range(s.tables.top_open[sets_of(s)]):
        if s.top[i] == NONE:
            s.top[i] = card
            return
    push(s, Step.PLACE_TOP, card, 0, 0)
    push(s, Step.TOP_DISCARD, 0, 0, 0)


@rule
def place_bottom(s, card):
    """Into the first free slot of the bottom row; without one a slot must be cleared."""
    for i in range(s.tables.bottom_open[sets_of(s)]):
        if s.bottom[i] == NONE:
            s.bottom[i] = card
            return
    push(s, Step.PLACE_BOTTOM, card, 0, 0)
    push(s, Step.BOTTOM_DISCARD, 0, 0, 0)


@rule
def filled(row):
    """The slots of a row that hold something."""
    bits = 0
    for i in range(ROW_SLOTS):
        if row[i] != NONE:
            bits |= 1 << i
    return bits


@rule
def clear_top(s, slot):
    """Discard a noble card, or a ship with its goods, without wigs (LIS-066)."""
    card = s.top[slot]
    s.top[slot] = NONE
    if card >= FIRST_SHIP:
        unload(s, card - FIRST_SHIP)
        s.ship_place[card - FIRST_SHIP] = NONE
    else:
        s.card_gone[card] = 1


@rule
def clear_bottom(s, slot):
    """Discard a treasury card."""
    s.card_gone[s.bottom[slot]] = 1
    s.bottom[slot] = NONE


# --- ships and selling ----------------------------------------------------------------------------


@rule
def unload(s, ship):
    """The goods on a ship return to the supply."""
    for g in range(GOODS):
        s.supply[g] += s.ship_goods[ship, g]
        s.ship_goods[ship, g] = 0
    s.ship_at_sea[ship] = 0


@rule
def dock_ships(s, side):
    """The ships of a side that are at sea come back empty (LIS-051, LIS-186)."""
    for ship in range(SHIPS):
        if s.ship_place[ship] == side and s.ship_at_sea[ship]:
            unload(s, ship)


@rule
def load_of(s, ship):
    """Goods on a ship."""
    return s.ship_goods[ship, 0] + s.ship_goods[ship, 1] + s.ship_goods[ship, 2] + s.ship_goods[ship, 3]


@rule
def can_load(s, ship):
    """Whether a ship of either side is docked with a free crate (LIS-070, LIS-074)."""
    if s.ship_place[ship] != Side.HUMAN and s.ship_place[ship] != Side.LACERDA:
        return False
    return s.ship_at_sea[ship] == 0 and load_of(s, ship) < s.tables.ship_size[ship]


@rule
def sell_choices(s):
    """Goods held, onto ships that can be loaded: 4 * good + ship."""
    bits = 0
    for ship in range(SHIPS):
        if can_load(s, ship):
            for g in range(GOODS):
                if s.goods[g] > 0:
                    bits |= 1 << (4 * g + ship)
    return bits


@rule
def sale_price(s, good, ship):
    """Price, modifier of the ship, bonuses of H (LIS-071)."""
    return s.price[good] + s.tables.ship_mod[ship] + both_powers(s, Power.SALE_BONUS)


@rule
def sell(s, good, ship):
    """A good onto a ship; a full one sails, its owner gains a wig per crate (LIS-070 to LIS-076)."""
    s.reis += sale_price(s, good, ship)
    s.goods[good] -= 1
    s.ship_goods[ship, good] += 1
    if load_of(s, ship) == s.tables.ship_size[ship]:
        s.ship_at_sea[ship] = 1
        gain_wigs(s, s.ship_place[ship], s.tables.ship_size[ship])
    push(s, Step.SELL, 0, 0, 0)
