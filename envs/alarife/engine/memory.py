"""What a seat remembers beyond its view, and how sure forks are.

Forks are drawn with one of three grades of belief:

- ``view``: whatever agrees with what the seat sees now
- ``memory``: whatever agrees with all that it has seen so far
- ``play``: the same, as if the others had played as the scripted player does

What was seen follows from the state record. Where the position does not show it, the record has fields for it, which
the rules write when something is shown. So clones, saves and native searches carry it. A fork of the grade ``view`` may
hold another past; what players are handed agrees with all that their seat has seen, and forks of any grade are drawn
from that. A game that declares no memory has the grade ``view`` alone. Searches can be told ``play`` of any player, and
in any game: they find it out by playing, see `alarife.players.believing`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import AlarifeError
from .layout import Features
from .numbers import one_of

if TYPE_CHECKING:
    from .game import Game

Rule = Callable[..., Any]
BELIEFS = "view", "memory", "play"
VIEW, MEMORY, PLAY = range(3)
GIVEN = 3  # what searches call states that are left as they are, but for their future; no fork has it by name


@dataclass(frozen=True, eq=False)
class Memory:
    """What the seats of a game remember. Rules are functions made by `rule`.

    - ``features``, ``observe(s, seat, view)``: blocks that tell a seat what it knows beyond its view; environments show
      them with ``memory=True``, after the others. `view` is that part alone, and comes zeroed
    - ``recall(s, seat)``: as ``resample``, but in agreement with all that the seat has seen
    - ``agrees(s, seat)``: assert that the state contradicts nothing that the seat remembers
    - ``infer(s, seat)``: as ``recall``, as if the others had played as the scripted player does
    """

    features: Features
    observe: Rule
    recall: Rule
    agrees: Rule
    infer: Rule | None = None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The functions that kernels are built of."""
        return (self.observe, self.recall, self.agrees, *([self.infer] if self.infer else []))


def beliefs_of(game: Game) -> tuple[str, ...]:
    """The grades of belief that forks of a game can have."""
    if game.memory is None:
        return BELIEFS[:1]
    return BELIEFS[:2] if game.memory.infer is None else BELIEFS


def surest(game: Game) -> str:
    """The surest grade of a game that says nothing of how others play."""
    return beliefs_of(game)[:2][-1]


def belief_number(game: Game, name: str) -> int:
    """The number of a grade of belief, which the game has to offer."""
    number = BELIEFS.index(one_of(name, BELIEFS, "belief"))
    offered = beliefs_of(game)
    if name not in offered:
        raise AlarifeError(f"{game.id} offers forks of belief {' and '.join(offered)}, got {name!r}")
    return number
