"""Positions of Lisboa set up by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alarife.engine.table import Table
from alarife.games.lisboa import GAME
from alarife.games.lisboa.components import NONE, SHIPS, Step

H, L = 0, 1
GOLD, CLOTH, BOOKS, TOOLS = range(4)
BUILDER, MINISTER, KING, TREASURY = range(4)
EARTHQUAKE, FIRE, TSUNAMI = range(3)
BLUE, GREEN = 0, 1

# Cards by what they are: noble cards without a choice in their effect, treasury cards by event.
BUILDER_4_REIS, MINISTER_4_REIS, KING_2_WIGS, KING_LOSES_2_REIS = 0, 6, 12, 14
EVENT_STORE, EVENT_DECREES, EVENT_BUILDING, EVENT_PRODUCE, EVENT_SHIP, EVENT_CARDINAL = 15, 16, 17, 18, 19, 20
EVENT_FAVOR_AND_PLAN = 40


def fresh(seed: int = 1, **options: Any) -> Table:
    """A game at its start, run by Python."""
    return Table(GAME, options=options, seed=seed, interpreted=True)


def begun(seed: int = 1, **options: Any) -> Table:
    """A game at H's first turn, he holds no clergy tile and no favor, Lacerda no favor; no wigs, 8 influence each."""
    table = fresh(seed, **options)
    table.play("start_clergy(tile=0)")
    s = table.state
    drop_clergy(s)
    for n in range(3):
        s.favor[H, n] = s.favor[L, n] = 0
        s.favor_supply[n] = 2
    return table.refresh()


def drop_clergy(s: Any) -> None:
    """H's clergy tiles go to the discard."""
    for i in range(s.clergy_held):
        s.clergy_discard[s.clergy_discard_size] = s.clergy[i]
        s.clergy_discard_size += 1
        s.clergy[i] = NONE
    s.clergy_held = 0


def give_clergy(s: Any, *tiles: int) -> None:
    """H holds these tiles, wherever they were."""
    for i, tile in enumerate(tiles):
        s.clergy[i] = tile
    s.clergy_held = len(tiles)


def give_hand(s: Any, *cards: int) -> None:
    """The first cards of H's hand."""
    for i, card in enumerate(cards):
        s.hand[i] = card


def give_favor(s: Any, side: int, noble: int) -> None:
    """A side holds a noble's favor."""
    s.favor[side, noble] = 1
    s.favor_supply[noble] -= 1


def clear_rubble(s: Any) -> None:
    """No cube lies anywhere; what lay there is out of the game."""
    for area in (s.row_cubes, s.column_cubes, s.site_cubes):
        for place in area:
            for k in range(3):
                s.cubes_gone[k] += place[k]
                place[k] = 0


def put_cubes(s: Any, place: Any, *cubes: int) -> None:
    """Rubble of these kinds onto a place."""
    for k in cubes:
        place[k] += 1
        s.cubes_gone[k] -= 1


def own_cubes(s: Any, side: int, *counts: int) -> None:
    """A side's rubble by kind."""
    for k, n in enumerate(counts):
        s.cubes_gone[k] += s.cubes[side, k] - n
        s.cubes[side, k] = n


def no_buildings(s: Any) -> None:
    """The first building goes out of sight."""
    for i in range(12):
        s.site_tile[i] = s.site_owner[i] = NONE


def put_store(s: Any, side: int, space: int, street: int) -> None:
    """A store that scores nothing now."""
    s.store_owner[space], s.store_street[space] = side, street
    s.houses[side] -= 1


def put_building(s: Any, site: int, pays: Sequence[int], owner: int = L, tile: int = 0) -> None:
    """A building that shows these wigs, put there as side A of a tile (0-15)."""
    s.site_tile[site], s.site_owner[site] = 2 * tile, owner
    for g in range(4):
        s.tables.tile_pays[2 * tile, g] = pays[g]


def show_building(s: Any, architect: int, pays: Sequence[int] | None, tile: int | None = None) -> None:
    """What the top building of a stack pays, on side A of its last tile or another; None for an empty stack."""
    if pays is None:
        s.tile_top[architect] = NONE
        s.tile_stack_size[architect] = 0
        return
    number = 8 * architect + 7 if tile is None else tile
    s.tile_top[architect] = 2 * number
    for g in range(4):
        s.tables.tile_pays[2 * number, g] = pays[g]


def give_ship(s: Any, side: int, ship: int, *goods: int) -> None:
    """A ship of a side, loaded; H's lies in the first free top slot."""
    s.ship_place[ship] = side
    for g in goods:
        s.ship_goods[ship, g] += 1
    if side == H:
        s.top[next(i for i in range(3) if s.top[i] == NONE)] = 82 + ship


def take_ships_away(s: Any) -> None:
    """No ship is in the game."""
    for ship in range(SHIPS):
        s.ship_place[ship] = NONE


def set_goods(s: Any, *counts: int) -> None:
    """H's goods: gold, cloth, books, tools."""
    for g, n in enumerate(counts):
        s.supply[g] += s.goods[g] - n
        s.goods[g] = n


def legal(table: Table) -> set[str]:
    """The legal actions by name."""
    return {GAME.actions.name(action) for action in table.legal()}


def do(table: Table, *moves: str) -> Table:
    """Play actions by name."""
    for move in moves:
        table.play(move)
    return table


def phase(table: Table) -> Step:
    """The decision that is due."""
    return Step(table.state.phase)


def decide(table: Table, step: Step, arg: int = 0, more: int = 0, extra: int = 0) -> Table:
    """Put a decision before H, in the middle of his turn: one card of his hand is played already."""
    s = table.state
    if s.phase == Step.MAIN:
        s.hand_size -= 1
        s.card_gone[s.hand[s.hand_size]] = 1
        s.hand[s.hand_size] = NONE
    s.phase, s.arg, s.more, s.extra = int(step), arg, more, extra
    return table.refresh()


def finish_turn(table: Table) -> Table:
    """Stop and take first choices until H's next turn, or the end."""
    while not table.over:
        names = legal(table)
        table.play("stop()" if "stop()" in names else sorted(names)[0])
        if phase(table) == Step.MAIN:
            break
    return table
