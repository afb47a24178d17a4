"""Lisboa: the families of actions, and which of them each decision asks for (section 23)."""

from __future__ import annotations

import numpy as np

from alarife.engine.layout import Actions, Choice

from .components import (
    DECISIONS,
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
    Step,
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

_FAMILY_OF = {
    Step.START_CLERGY: "start_clergy", Step.MAIN: "main", Step.SELL_OR_TRADE: "sell_or_trade",
    Step.TOP_DISCARD: "top_discard", Step.BOTTOM_DISCARD: "bottom_discard", Step.SELL: "sell", Step.TRADE: "trade",
    Step.STATE: "state", Step.NOBLE: "noble", Step.FOLLOW: "state", Step.BUILD: "build", Step.CUBE: "cube",
    Step.DECREE: "decree", Step.USE_PLAN: "use_plan", Step.SITE: "site", Step.HIRE: "hire",
    Step.TAKE_PLAN: "take_plan", Step.OFFICE: "office", Step.SHIP_PAY: "ship_pay", Step.CARDINAL: "cardinal",
    Step.CLERGY_FULL: "clergy", Step.FAVOR: "favor", Step.GOOD_ANY: "good_any", Step.PRICE_UP: "price_up",
    Step.PILE_CUBE: "pile_cube", Step.CHURCH: "clergy", Step.DRAW: "draw", Step.HAND_DISCARD: "hand_discard",
}  # fmt: skip

#: First action of each decision. Following runs from the state actions into the noble action.
FIRST = np.array([getattr(AT, _FAMILY_OF[Step(i)]) for i in range(int(DECISIONS))], np.int16)
