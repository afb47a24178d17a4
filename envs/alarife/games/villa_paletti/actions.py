"""Villa Paletti: the families of actions (section 10 of RULES.md)."""

from __future__ import annotations

from alarife.engine.layout import Actions, Choice

from .components import COLOURS, COLUMNS, GRID, ROTATIONS

# "pass" and "object" with "_": action names are also Python names.
ACTIONS = Actions(
    column=Choice("choose a column", column=COLUMNS),
    propose=Choice("propose the next floor"),
    stop=Choice("pass, stop after the neutral column, or take no column as penalty"),
    pull=Choice("pull the column out"),
    lift=Choice("lift the floor above the column"),
    abort=Choice("leave the column in its place"),
    commit=Choice("take the column from under the lifted floor"),
    object_to=Choice("object"),
    agree=Choice("do not object"),
    rotation=Choice("turn the floor, in steps of 22.5 degrees", rotation=ROTATIONS),
    row=Choice("choose a row, from the front", row=GRID),
    cell=Choice("choose a cell of the row, from the left", cell=GRID),
    colour=Choice("choose a colour", colour=COLOURS),
)
