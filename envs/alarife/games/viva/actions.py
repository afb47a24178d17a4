"""VIVA: the families of actions (section 12 of the ledger)."""

from __future__ import annotations

from alarife.engine.layout import Actions, Choice

from .components import HOUSES, KINDS

ACTIONS = Actions(
    play_type=Choice("choose the type to play", kind=KINDS),
    house=Choice("put a copy on a house", house=HOUSES),
    general_block=Choice("put the last card on the general blocking card"),
    personal_block=Choice("put the last card on one's own blocking card"),
    draw=Choice("take a card"),
    end_play=Choice("play no further copy, or keep the card just taken"),
    call_viva=Choice("call VIVA"),
    decline_viva=Choice("let the VIVA pass"),
    choose_block=Choice("make a card the general blocking card", kind=KINDS),
    catch=Choice("catch an illegal play"),
    let_pass=Choice("let an illegal play pass"),
)
