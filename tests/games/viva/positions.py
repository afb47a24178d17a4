"""Positions of VIVA set up by hand, in letters: ``RP`` is the red-pink card, ``R RP`` two cards."""

from __future__ import annotations

from collections import Counter
from typing import Any

from alarife.engine.layout import View
from alarife.engine.table import Table
from alarife.games.viva import GAME
from alarife.games.viva.components import Phase

COPIES = {"standard": 6, "pocket": 4}
NONE = -1

#: The types in the order of their numbers: red, pink, yellow, green, blue, violet.
TYPES = [
    "R", "P", "Y", "G", "B", "V",
    "RP", "RY", "RG", "RB", "RV", "PY", "PG", "PB", "PV", "YG", "YB", "YV", "GB", "GV", "BV",
]  # fmt: skip

#: The numbers of the actions.
MOVES = {
    **{f"play {name}": number for number, name in enumerate(TYPES)},
    "house 0": 21, "house 1": 22, "house 2": 23,
    "general": 24, "personal": 25, "draw": 26, "end": 27, "call": 28, "decline": 29,
    **{f"block {name}": 30 + number for number, name in enumerate(TYPES)},
    "catch": 51, "let pass": 52,
}  # fmt: skip
WORDS = {number: move for move, number in MOVES.items()}


def kind(name: str) -> int:
    """The number of a type; that of no card for an empty name."""
    return TYPES.index(name) if name else NONE


def names(counts: Any) -> str:
    """Copies by type as letters, in the order of the types."""
    return " ".join(name for number, name in enumerate(TYPES) for _ in range(int(counts[number])))


def hand(table: Table, seat: int) -> str:
    """The cards of a seat in letters."""
    return names(table.state.hand[seat])


def tops(table: Table) -> list[str]:
    """The top card of each house in letters."""
    return [TYPES[k] if k != NONE else "" for k in table.state.top]


def legal(table: Table) -> set[str]:
    """The legal actions in words."""
    return {WORDS[action] for action in table.legal()}


def do(table: Table, *moves: str) -> Table:
    """Play actions given in words; the cards must add up after each."""
    for move in moves:
        table.play(MOVES[move])
        table.check()
    return table


def fresh(players: int = 3, seed: int = 1, interpreted: bool = True, **options: Any) -> Table:
    """A game at its start."""
    return Table(GAME, players, options, seed, interpreted=interpreted)


def position(
    *hands: str,
    houses: tuple[str, str, str] = ("", "", ""),
    general: str = "V",
    personal: tuple[int, str] | None = None,
    stack: str | None = None,
    discard: str | None = None,
    turn: int = 0,
    out: tuple[int, ...] = (),
    absent: tuple[int, ...] = (),
    seed: int = 1,
    interpreted: bool = True,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Table:
    """Seat `turn` is to play, with one hand for each seat, and houses from the bottom to the top.

    `personal` is the owner and the card. Seats in `out` have left the round in that order, seats in `absent` take no
    part in it. Cards not named are in the stack; where the stack is named, in the discard; where that is named too,
    on the seat of the last hand, which then holds very many cards. Other fields are set by their names.
    """
    table = Table(GAME, len(hands), options, seed, interpreted=interpreted)
    s = table.state
    edition = table.options.to_dict()["edition"]
    rest = Counter(dict.fromkeys(TYPES, COPIES[edition]))
    s.top[:], s.height[:], s.covered[:], s.position[:] = NONE, 0, 0, 0
    for seat, cards in enumerate(hands):
        _set_pile(s.hand[seat], cards, rest)
        s.active[seat] = seat not in out and seat not in absent
    for place, seat in enumerate(out):
        s.position[seat] = place + 1
    for number, cards in enumerate(houses):
        _set_house(s, number, cards, rest)
    s.general, s.personal = _one(general, rest), NONE
    s.owner = NONE
    if personal is not None:
        s.owner, s.personal = personal[0], _one(personal[1], rest)
    _set_pile(s.stack, stack or "", rest)
    _set_pile(s.discard, discard or "", rest)
    sink = s.stack if stack is None else s.discard if discard is None else s.hand[len(hands) - 1]
    _set_pile(sink, names(sink) + " " + " ".join(rest.elements()), Counter(rest) + Counter(names(sink).split()))
    for seat in range(len(hands)):
        s.held[seat] = sum(s.hand[seat])
    s.stack_size = sum(s.stack)
    s.seat = s.turn_of = turn
    s.phase, s.turns = Phase.TURN, 1
    for name, value in fields.items():
        if isinstance(value, tuple):
            getattr(s, name)[: len(value)] = value
        else:
            setattr(s, name, value)
    return table.refresh()


def _set_pile(pile: Any, cards: str, rest: Counter[str]) -> None:
    pile[:] = 0
    for name in cards.split():
        _one(name, rest)
        pile[kind(name)] += 1


def _set_house(s: View, number: int, cards: str, rest: Counter[str]) -> None:
    lying = cards.split()
    for name in lying:
        _one(name, rest)
    for name in lying[:-1]:
        s.covered[kind(name)] += 1
    s.top[number] = kind(lying[-1]) if lying else NONE
    s.height[number] = len(lying)


def _one(name: str, rest: Counter[str]) -> int:
    if name:
        assert rest[name] > 0, f"there is no further {name}"
        rest[name] -= 1
    return kind(name)
