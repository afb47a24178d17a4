"""Pebbles: the position as text and as a picture, actions as phrases."""

from __future__ import annotations

from typing import Any

from alarife.engine.game import Display
from alarife.engine.svg import Picture

from .components import ACTIONS, PILES

PAPER, INK, STONE = "#f6efe2", "#2b2620", "#6f7f8a"


class PebblesDisplay(Display):
    """Everything that Pebbles shows a person."""

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in words, as the seat may hear it: pebbles are taken in the open."""
        family, values = ACTIONS.decode(action)
        if family == "pass_turn":
            return "passes"
        return f"takes {values['count'] + 1} from pile {values['pile'] + 1}"

    def place(self, state: Any, action: int) -> str:
        """Pebbles are taken by a click on their pile; passing is a button."""
        family, values = ACTIONS.decode(action)
        return f"pile:{values['pile']}" if family != "pass_turn" else ""

    def text(self, state: Any, seat: int | None = None) -> str:
        """The position in a few lines."""
        lines = ["piles " + "  ".join("o" * state.piles[pile] or "-" for pile in range(PILES))]
        for p in range(state.seats):
            mark = ">" if p == state.seat and not state.over else " "
            lucky = state.lucky[p] + 1 if seat in (None, p) or state.over else "?"
            taken = [int(n) for n in state.taken[p]]
            lines.append(f"{mark} player_{p}  took {taken}  lucky pile {lucky}{'  passed' if state.passed[p] else ''}")
        return "\n".join(lines)

    def svg(self, state: Any, seat: int | None = None) -> str:
        """Piles of pebbles above the players' lines."""
        picture = Picture(600, 260 + 40 * state.seats, PAPER)
        for pile in range(PILES):
            with picture.place(f"pile:{pile}"):
                picture.line(90 + 180 * pile, 220, 150 + 180 * pile, 220, INK)
                for i in range(state.piles[pile]):
                    picture.circle(120 + 180 * pile, 200 - 36 * i, 16, STONE)
        for i, line in enumerate(self.text(state, seat).splitlines()[1:]):
            picture.text(30, 250 + 40 * i, line, 20, INK)
        return picture.finish()
