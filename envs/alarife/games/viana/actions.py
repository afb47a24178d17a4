"""Palace of Viana: the families of actions (VIA-190). Courtyards, doorways, hedges and stands are numbered from 0."""

from __future__ import annotations

from alarife.engine.layout import Actions, Choice

from .components import CARDS, COURTS, DOORWAYS, ENTRANCES, FLOWERS, HEDGES, PLAYERS, STANDS

ACTIONS = Actions(
    play_card=Choice("play a character; in the first round, pick it secretly", card=CARDS),
    return_flower=Choice("give a flower back to the common reserve", flower=FLOWERS),
    return_palace=Choice("go back from the market to an entrance", entrance=ENTRANCES),
    move_pawn=Choice("move the pawn to a courtyard", court=COURTS),
    girl_step=Choice("walk with the Girl into a courtyard", court=COURTS),
    girl_pick=Choice("pick up a flower of the i-th seat after one's own", owner=PLAYERS, hedge=HEDGES),
    girl_drop=Choice("put the carried flower down", hedge=HEDGES),
    marquise_to=Choice("move the Marquise", court=COURTS),
    marquis_to=Choice("move the Marquis", court=COURTS),
    door_to=Choice("move the door", doorway=DOORWAYS),
    place_flower=Choice("place a flower where the pawn is", flower=FLOWERS, hedge=HEDGES),
    place_pot=Choice("place a flowerpot where the pawn is"),
    place_fountain=Choice("place a fountain where the pawn is"),
    flip_flower=Choice("turn a flower of a hedge in the Marquise's courtyard to scored", hedge=HEDGES),
    stand=Choice("drive to a stand of the market", stand=STANDS),
    announce=Choice("keep silent (0) or announce thirteen courtyards (1)", answer=2),
    honk=Choice("let a card stand (0) or honk (1)", answer=2),
    done=Choice("stop placing, or stop walking"),
)
