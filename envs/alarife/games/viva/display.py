"""VIVA: the position as text and as a picture, actions as phrases."""

from __future__ import annotations

from typing import Any

from alarife.engine.game import Display
from alarife.engine.svg import Picture

from .actions import ACTIONS
from .components import COLOUR_NAMES, COLOURS_OF, HOUSES, KIND_NAMES, KINDS, NONE, Phase

PAINT = "#c8372d", "#e787ab", "#f0b91f", "#4a9a52", "#2f6fb3", "#7d4f9e"
LETTERS = "RPYGBV"
PAPER, INK, FAINT, TABLE, BACK = "#f6efe2", "#2b2620", "#8c8173", "#e6d9c0", "#46596b"
WRITING = {"P": INK, "Y": INK}  # on light colours; white on the others


def colours(kind: int) -> list[int]:
    """The colours of a kind, by number."""
    return [c for c in range(len(COLOUR_NAMES)) if int(COLOURS_OF[kind]) >> c & 1]


def short(kind: int) -> str:
    """A kind in two letters."""
    if kind == NONE:
        return "--"
    letters = "".join(LETTERS[c] for c in colours(kind))
    return letters if len(letters) == 2 else letters * 2


def cards_of(state: Any, seat: int) -> list[int]:
    """The kinds in a hand, one entry for each card."""
    return [k for k in range(KINDS) for _ in range(state.hand[seat, k])]


class VivaDisplay(Display):
    """Everything that VIVA shows a person."""

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook. Whatever is played lies open, and a card taken is never named."""
        family, values = ACTIONS.decode(action)
        kind = KIND_NAMES[values["kind"]] if "kind" in values else ""
        played = KIND_NAMES[state.kind] if state.kind != NONE else ""
        return {
            "play_type": f"plays {kind}",
            "house": f"puts {played} on house {values.get('house', 0) + 1}",
            "general_block": "goes out on the blocking card",
            "personal_block": "goes out on the own blocking card",
            "draw": "takes a card",
            "end_play": "keeps the card" if state.phase == Phase.DRAWN else "plays no further copy",
            "call_viva": "calls VIVA",
            "decline_viva": "lets the VIVA pass",
            "choose_block": f"makes {kind} the blocking card",
            "catch": "catches the illegal play",
            "let_pass": "lets it pass",
        }[family]

    def text(self, state: Any, seat: int | None = None) -> str:
        """The position in a few lines."""
        houses = "   ".join(f"{short(state.top[h])} x{state.height[h]}" for h in range(HOUSES))
        personal = f"   player_{state.owner}'s own block {short(state.personal)}" if state.owner != NONE else ""
        lines = [
            f"VIVA  {self._headline(state)}",
            f"houses  {houses}   block {short(state.general)}{personal}",
            f"stack {state.stack_size}   discard {sum(int(n) for n in state.discard)}   turn {state.turns}",
        ]
        for p in range(state.seats):
            mark = ">" if p == state.seat and not state.over else " "
            hand = (
                " ".join(short(k) for k in cards_of(state, p))
                if seat in (None, p)
                else " ".join(["??"] * state.held[p])
            )
            out = f"  out, place {state.position[p]}" if state.position[p] else ""
            lines.append(f"{mark} player_{p}  {'*' * state.wins[p]:<5} {state.held[p]:2d}  {hand}{out}")
        return "\n".join(lines)

    def _headline(self, state: Any) -> str:
        if state.over:
            return f"player_{state.champion} has won"
        what = {
            Phase.TURN: "to play", Phase.HOUSE: f"chooses a house for {short(state.kind)}",
            Phase.MORE: f"may play another {short(state.kind)}", Phase.DRAWN: "has taken a card that can be played",
            Phase.VIVA: "may call VIVA", Phase.BLOCK: "chooses the blocking card",
            Phase.CATCH: f"noticed an illegal play of player_{state.turn_of}",
        }[Phase(state.phase)]  # fmt: skip
        tie = "tie-break" if state.tie_break else f"round {state.round + 1}"
        return f"{tie}, player_{state.seat} {what}"

    def svg(self, state: Any, seat: int | None = None) -> str:
        """Table and hands; hands of other seats lie face down."""
        rows = int(state.seats)
        picture = Picture(1000, 390 + 120 * rows, PAPER)
        picture.text(40, 56, "VIVA", 34, INK, bold=True)
        picture.text(150, 54, self._headline(state), 24, INK)
        self._table(picture, state)
        for p in range(rows):
            self._hand(picture, state, p, 370 + 120 * p, seat in (None, p))
        return picture.finish()

    def _table(self, picture: Picture, state: Any) -> None:
        picture.box(30, 84, 940, 250, TABLE, round=18)
        for h in range(HOUSES):
            x = 60 + 165 * h
            picture.roof(x, 108, 130, 34, FAINT)
            self._card(picture, x + 18, 146, 94, 132, state.top[h])
            count = f"{state.height[h]} card{'' if state.height[h] == 1 else 's'}" if state.height[h] else "empty"
            picture.text(x + 65, 314, count, 20, INK, middle=True)
        self._named(picture, 590, "block", state.general)
        if state.owner != NONE:
            self._named(picture, 700, f"player_{state.owner}'s", state.personal)
        picture.text(877, 130, "stack", 20, INK, middle=True)
        picture.card(830, 146, 94, 132, BACK, round=10)
        picture.text(877, 222, str(state.stack_size), 34, "#ffffff", middle=True, bold=True)
        picture.text(877, 314, f"discard {sum(int(n) for n in state.discard)}", 20, INK, middle=True)

    def _named(self, picture: Picture, x: float, name: str, kind: int) -> None:
        self._card(picture, x, 146, 94, 132, kind)
        picture.text(x + 47, 130, name, 20, INK, middle=True)

    def _card(self, picture: Picture, x: float, y: float, width: float, height: float, kind: int) -> None:
        if kind == NONE:
            picture.box(x, y, width, height, "none", FAINT, round=10, dashed=True)
            return
        paints = [PAINT[c] for c in colours(kind)]
        picture.card(x, y, width, height, paints[0], round=10)
        if len(paints) == 2:
            picture.half_card(x, y, width, height, paints[1], round=10)
        middle, line, size = x + width / 2, y + height / 2 + 8, min(26, width * 0.4)
        first, second = tuple(short(kind))  # each on its own half
        picture.text(middle, line, first, size, WRITING.get(first, "#ffffff"), bold=True, end=True)
        picture.text(middle, line, second, size, WRITING.get(second, "#ffffff"), bold=True)

    def _hand(self, picture: Picture, state: Any, p: int, y: float, is_open: bool) -> None:
        due = p == state.seat and not state.over
        if due:
            picture.box(30, y - 8, 940, 108, "#fffaf0", "#c8872d", round=14)
        picture.text(48, y + 36, f"player_{p}", 24, INK, bold=due)
        picture.text(48, y + 70, f"won {state.wins[p]}", 20, FAINT)
        if state.position[p]:
            picture.text(220, y + 52, f"out, place {state.position[p]}", 24, FAINT)
            return
        kinds = cards_of(state, p)
        step = min(64.0, 640.0 / max(1, len(kinds)))
        for i, kind in enumerate(kinds):
            if is_open:
                self._card(picture, 220 + step * i, y + 4, 58, 82, kind)
            else:
                picture.card(220 + step * i, y + 4, 58, 82, BACK, round=8)
        picture.text(955, y + 54, str(state.held[p]), 26, INK, end=True)
