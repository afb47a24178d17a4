"""The board, checked.

The rules take what they need of a board from the state (`write_board`); pictures and phrases take names and
coordinates from the options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from alarife.engine.errors import OptionError
from alarife.engine.numbers import short
from alarife.engine.reading import read_table

from .components import COURTS, DOORWAYS, ENTRANCES, HEDGE_SPOTS, HEDGES, NONE, PLACES

Board = dict[str, Any]

_OWN = Path(__file__).with_name("board.toml")
_PARTS = "canvas", "door_start", "doorways", "entrances", "courtyards"


def load_board(given: Any) -> Board | None:
    """A board out of a dictionary, checked; None stands for the board of the box."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise OptionError(f"option board takes a path or a dictionary, got {short(given)}")
    return _checked(given)


@lru_cache
def own_board() -> Board:
    """The board of the box."""
    return _checked(read_table(_OWN, "board"))


def write_board(view: Any, board: Board | None) -> None:
    """Write into a blank state what the rules need of a board."""
    board = own_board() if board is None else board
    view.doorways = len(board["doorways"])
    for i in range(DOORWAYS):
        view.side[i] = NONE
    for i, doorway in enumerate(board["doorways"]):
        view.side[i] = [court - 1 for court in doorway["courts"]]
        if set(doorway["courts"]) == set(board["door_start"]):
            view.door_start = i
    for i, entrance in enumerate(board["entrances"]):
        view.entrance[i] = entrance["court"] - 1
    for c, court in enumerate(board["courtyards"]):
        for h, hedge in enumerate(court["hedges"]):
            view.spots[c, h] = len(hedge["spots"])
        view.pot_spots[c] = len(court["flowerpots"])
        view.fountain_spots[c] = len(court["fountains"])


# --- checking ---------------------------------------------------------------------------------------


def _checked(given: Any) -> Board:
    """The board with nothing but what is used, every part checked."""
    if not isinstance(given, Mapping):
        raise OptionError(f"board: a board is a table of names and values, got {type(given).__name__}")
    _require(given, _PARTS, "the board")
    board = {
        "name": _text(given.get("name", "a board"), "name"),
        "canvas": _size(given["canvas"], "canvas"),
        "door_start": _pair_of_courts(given["door_start"], "door_start"),
        "doorways": [_doorway(row, i) for i, row in _rows(given, "doorways")],
        "entrances": [_entrance(row, i) for i, row in _rows(given, "entrances")],
        "courtyards": [_court(row, i) for i, row in _rows(given, "courtyards")],
    }
    _check_doorways(board)
    _check_neighbours(board, given)
    _check_drawing(board)
    return board


def _require(row: Mapping[str, Any], names: Iterable[str], where: str) -> None:
    if missing := [name for name in names if name not in row]:
        raise OptionError(f"board: {where} has no {', '.join(map(repr, missing))}")


def _get(row: Mapping[str, Any], name: str, where: str) -> Any:
    _require(row, [name], where)
    return row[name]


def _rows(given: Mapping[str, Any], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    rows = given[name]
    least, most = {"doorways": (COURTS, DOORWAYS), "entrances": (ENTRANCES, ENTRANCES), "courtyards": (COURTS, COURTS)}[
        name
    ]
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise OptionError(f"board: {name} is a list of tables, got {short(rows)}")
    if not least <= len(rows) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        raise OptionError(f"board: there must be {count} {name}, got {len(rows)}")
    return enumerate(rows)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise OptionError(f"board: {what} is a word, got {short(value)}")
    return value


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise OptionError(f"board: {what} is a whole number from {low} to {high}, got {short(value)}")
    return value


def _numbers(value: Any, what: str, count: int) -> list[float]:
    fits = isinstance(value, (list, tuple)) and len(value) == count
    if not fits or not all(isinstance(x, (int, float)) and not isinstance(x, bool) and x == x for x in value):
        raise OptionError(f"board: {what} is {count} numbers, got {short(value)}")
    return list(value)


def _size(value: Any, what: str) -> list[float]:
    size = _numbers(value, what, 2)
    if not all(100 <= x <= 10_000 for x in size):
        raise OptionError(f"board: {what} is a width and a height from 100 to 10000, got {short(value)}")
    return size


def _pair_of_courts(value: Any, what: str) -> list[int]:
    if not isinstance(value, (list, tuple)) or len(value) != 2 or value[0] == value[1]:
        raise OptionError(f"board: {what} is two different courtyards, got {short(value)}")
    return [_whole(court, what, 1, COURTS) for court in value]


def _points(value: Any, what: str, most: int, least: int = 0) -> list[list[float]]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        count = f"too many: {len(value)}" if isinstance(value, list) and len(value) > most else f"got {short(value)}"
        raise OptionError(f"board: {what} has {least} to {most} spots, {count}")
    return [_numbers(point, f"a spot of {what}", 2) for point in value]


def _in_order(row: Mapping[str, Any], name: str, expected: int, what: str) -> None:
    if row.get(name, expected) != expected:
        raise OptionError(f"board: {what} are listed in the order of their numbers; expected {name} {expected}, "
                          f"got {short(row[name])}")  # fmt: skip


def _doorway(row: Mapping[str, Any], i: int) -> Board:
    where = f"doorway {i}"
    _in_order(row, "id", i, "doorways")
    wall = _get(row, "wall", where)
    if wall not in ("v", "h"):
        raise OptionError(f"board: the wall of {where} is 'v' or 'h', got {short(wall)}")
    return {
        "id": i,
        "courts": _pair_of_courts(_get(row, "courts", where), f"courts of {where}"),
        "pos": _numbers(_get(row, "pos", where), f"pos of {where}", 2),
        "wall": wall,
    }


def _entrance(row: Mapping[str, Any], i: int) -> Board:
    where = f"entrance {i}"
    _in_order(row, "id", i, "entrances")
    return {
        "id": i,
        "name": _text(row.get("name", ("the plaza", "the rear street")[i]), f"name of {where}"),
        "court": _whole(_get(row, "court", where), f"court of {where}", 1, COURTS),
        "pos": _numbers(_get(row, "pos", where), f"pos of {where}", 2),
        "outside": _numbers(_get(row, "outside", where), f"outside of {where}", 2),
    }


def _court(row: Mapping[str, Any], i: int) -> Board:
    where = f"courtyard {i + 1}"
    _in_order(row, "id", i + 1, "courtyards")
    hedges = _get(row, "hedges", where)
    if not isinstance(hedges, list) or not all(isinstance(hedge, Mapping) for hedge in hedges):
        raise OptionError(f"board: hedges of {where} is a list of tables, got {short(hedges)}")
    if not 1 <= len(hedges) <= HEDGES:
        raise OptionError(f"board: {where} must have 1 to {HEDGES} hedges, got {len(hedges)}")
    for slot, hedge in enumerate(hedges):
        _in_order(hedge, "slot", slot, f"hedges of {where}")
    court: Board = {
        "id": i + 1,
        "name": _text(row.get("name", where), f"name of {where}"),
        "rect": _numbers(_get(row, "rect", where), f"rect of {where}", 4),
        "anchor": _numbers(_get(row, "anchor", where), f"anchor of {where}", 2),
        "flowerpots": _points(_get(row, "flowerpots", where), f"flowerpots of {where}", PLACES),
        "fountains": _points(_get(row, "fountains", where), f"fountains of {where}", PLACES),
        "hedges": [
            {"slot": slot, "spots": _points(_get(hedge, "spots", f"hedge {slot} of {where}"),
                                            f"hedge {slot} of {where}", HEDGE_SPOTS, 1)}
            for slot, hedge in enumerate(hedges)
        ],
    }  # fmt: skip
    counts = {"flower_spots": sum(len(hedge["spots"]) for hedge in court["hedges"]),
              "flowerpot_spots": len(court["flowerpots"]), "fountain_spots": len(court["fountains"])}  # fmt: skip
    for name, count in counts.items():
        if row.get(name, count) != count:
            raise OptionError(f"board: {where} says {name} = {short(row[name])}, but lists {count}")
    return court


# --- what must hold ---------------------------------------------------------------------------------


def _check_doorways(board: Board) -> None:
    """One doorway for a pair, and one piece whichever is closed: then everybody can always move (VIA-201, VIA-202)."""
    pairs = [frozenset(doorway["courts"]) for doorway in board["doorways"]]
    for i, pair in enumerate(pairs):
        if pair in pairs[:i]:
            raise OptionError(f"board: courtyards {_and(pair)} are joined by two doorways")
    if frozenset(board["door_start"]) not in pairs:
        raise OptionError(f"board: door_start is {_and(board['door_start'])}, which no doorway joins")
    if cut_off := set(range(1, COURTS + 1)) - _reached(pairs):
        raise OptionError(f"board: the palace is disconnected: no way from courtyard 1 to {_and(cut_off)}")
    for pair in pairs:
        if cut_off := set(range(1, COURTS + 1)) - _reached([other for other in pairs if other != pair]):
            raise OptionError(f"board: the door between {_and(pair)} would cut off courtyard {_and(cut_off)}; every "
                              "courtyard needs a second way")  # fmt: skip


def _reached(pairs: list[frozenset[int]]) -> set[int]:
    reached, grown = set[int](), {1}
    while grown != reached:
        reached = grown
        grown = reached.union(*(pair for pair in pairs if pair & reached))
    return reached


def _and(numbers: Any) -> str:
    return " and ".join(str(number) for number in sorted(numbers))


def _check_neighbours(board: Board, given: Mapping[str, Any]) -> None:
    """The lists of neighbours, where there are any, say the same as the doorways."""
    lists = {i + 1: row["neighbours"] for i, row in enumerate(given["courtyards"]) if "neighbours" in row}
    for court, neighbours in lists.items():
        if not isinstance(neighbours, list) or not all(isinstance(other, int) for other in neighbours):
            raise OptionError(
                f"board: neighbours of courtyard {court} is a list of courtyards, got {short(neighbours)}"
            )
    for court, neighbours in lists.items():
        for other in neighbours:
            if other in lists and court not in lists[other]:
                raise OptionError(
                    f"board: neighbours are asymmetric: {court} lists {other}, but {other} does not list {court}"
                )
    for court, neighbours in lists.items():
        joined = {other for doorway in board["doorways"] for other in doorway["courts"]
                  if court in doorway["courts"] and other != court}  # fmt: skip
        if set(neighbours) != joined:
            raise OptionError(f"board: courtyard {court} lists the neighbours {_and(neighbours)}, but doorways join it "
                              f"with {_and(joined)}")  # fmt: skip


def _check_drawing(board: Board) -> None:
    """Everything lies on the canvas, what belongs to a courtyard inside it, and no two spots in one place."""
    width, height = board["canvas"]
    canvas = [0, 0, width, height]
    for court in board["courtyards"]:
        where, rect = f"courtyard {court['id']}", court["rect"]
        if not (_inside(rect[:2], canvas) and _inside(rect[2:], canvas) and rect[0] < rect[2] and rect[1] < rect[3]):
            raise OptionError(f"board: bad coordinates: rect of {where} is left, top, right, bottom on the canvas, got "
                              f"{rect}")  # fmt: skip
        spots = [
            *court["flowerpots"],
            *court["fountains"],
            *(spot for hedge in court["hedges"] for spot in hedge["spots"]),
        ]
        for spot in [*spots, court["anchor"]]:
            if not _inside(spot, rect):
                raise OptionError(f"board: bad coordinates: {spot} of {where} lies outside its rect {rect}")
        for i, spot in enumerate(spots):
            if spot in spots[:i]:
                raise OptionError(f"board: bad coordinates: {where} has two spots at {spot}")
    for what in ("doorways", "entrances"):
        for row in board[what]:
            for name in ("pos", "outside"):
                if name in row and not _inside(row[name], canvas):
                    raise OptionError(f"board: bad coordinates: {name} of {what[:-1]} {row['id']} lies outside the "
                                      f"canvas, got {row[name]}")  # fmt: skip


def _inside(point: list[float], rect: list[float]) -> bool:
    return rect[0] <= point[0] <= rect[2] and rect[1] <= point[1] <= rect[3]
