"""Patios: the families of actions; their order is fixed (PAT-190)."""

from __future__ import annotations

from alarife.engine.layout import Actions, Choice

from .components import CELLS, COLOURS, DIRECTIONS, IMPROVEMENTS, KINDS, RELATIVE, SELECTABLE

ACTIONS = Actions(
    character=Choice("choose a character and do its action", character=SELECTABLE),
    setup_up=Choice("put this dealt card face up, the other face down", card=2),
    place=Choice("put the card in hand into a cell", cell=CELLS),
    kind=Choice("take a flower card from sample or draft", kind=KINDS),
    water_target=Choice("water the card of a cell (hose: or link over it)", cell=CELLS),
    waterer=Choice("use the cane, hose, watering can or ladder stack of a cell", cell=CELLS),
    tool=Choice("of a ladder stack, use a cane (0) or the hose (1)", tool=2),
    sun_direction=Choice("name where the Sun comes from, N to NW clockwise", direction=DIRECTIONS),
    sun_hit=Choice("let the Sun hit the card of a cell", cell=CELLS),
    swap_own=Choice("give the card of a cell in the Children's swap", cell=CELLS),
    swap_player=Choice("swap with that seat, counted from the next one", seat=RELATIVE),
    swap_their=Choice("take the card of that cell of the other patio", cell=CELLS),
    offer=Choice("0: no coin; 1: offer a coin to become apprentice", coin=2),
    apprentice=Choice("take that seat as apprentice, counted from the next one", seat=RELATIVE),
    keep_improvement=Choice("keep this one of the two improvements drawn", improvement=IMPROVEMENTS),
    play_improvement=Choice("play an improvement", improvement=IMPROVEMENTS),
    guitar_move=Choice("move Visitors: two or one forward, stay, one or two back", move=5),
    flamenco_down=Choice("turn a character face down", character=SELECTABLE),
    steal_from=Choice("take an unused improvement of that seat, counted from the next one", seat=RELATIVE),
    tub_colour=Choice("name the colour of the Tub", colour=COLOURS),
    break_trio=Choice("change a trio token of that colour into 3 points", colour=COLOURS),
    keep_up=Choice("keep the pot of a cell, beautiful", cell=CELLS),
    keep_dry=Choice("keep the pot of a cell, turned dry", cell=CELLS),
    awning_keep=Choice("keep the card of a cell thanks to the Awning", cell=CELLS),
    done=Choice("stop, or decline"),
)
