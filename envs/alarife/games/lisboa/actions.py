"""Lisboa: the families of actions (section 23)."""

from __future__ import annotations

from alarife.engine.layout import Actions, Choice

from .components import (
    DECKS,
    DECREE_DISPLAY,
    GOODS,
    HAND_SIZE,
    MOST_CLERGY,
    MOST_PLANS,
    NOBLES,
    ROW_SLOTS,
    RUBBLE,
    SHIPS,
    SITES,
    SPACES,
    STATE_ACTIONS,
)

ACTIONS = Actions(
    main=Choice("play a card: to the portfolio, to the court, or for gold", slot=HAND_SIZE, mode=3),
    sell_or_trade=Choice("sell goods, or trade with nobles", trade=2),
    top_discard=Choice("clear a top slot of the portfolio", slot=ROW_SLOTS),
    bottom_discard=Choice("clear a bottom slot of the portfolio", slot=ROW_SLOTS),
    sell=Choice("sell a good onto a ship", good=GOODS, ship=SHIPS),
    trade=Choice("give a good for a state action", act=STATE_ACTIONS, good=GOODS),
    state=Choice("take a state action, visiting or following", act=STATE_ACTIONS),
    noble=Choice("take the noble action, visiting or following"),
    build=Choice("build a store that faces left or right", space=SPACES, right=2),
    cube=Choice("take a cube of the column or of the row", row=2, kind=RUBBLE),
    decree=Choice("take a decree", position=DECREE_DISPLAY),
    use_plan=Choice("use a plan", plan=MOST_PLANS),
    site=Choice("open the public building on a space", site=SITES),
    hire=Choice("hire an official from an office or the plaza", source=NOBLES + 1),
    take_plan=Choice("take the blue or the green plan", architect=2),
    office=Choice("put an official into an office", noble=NOBLES),
    ship_pay=Choice("give up a good for the ship", good=GOODS),
    cardinal=Choice("move the Cardinal and take the tile in front or behind", steps=3, behind=2),
    clergy=Choice("give up a clergy tile", tile=MOST_CLERGY),
    favor=Choice("take a royal favor", noble=NOBLES),
    good_any=Choice("gain a good", good=GOODS),
    price_up=Choice("raise a price", good=GOODS),
    pile_cube=Choice("take a cube of the pile", kind=RUBBLE),
    draw=Choice("draw from a display deck", deck=DECKS),
    hand_discard=Choice("discard a card of the hand", slot=HAND_SIZE),
    start_clergy=Choice("keep one of the two clergy tiles", tile=2),
    stop=Choice("stop, decline, or pass"),
)
AT = ACTIONS.start
