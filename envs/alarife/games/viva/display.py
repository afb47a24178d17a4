"""VIVA: the position as text and as a picture, actions as phrases."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from alarife.engine.game import Display
from alarife.engine.palette import FAINT, INK, PAPER, RIM, TABLE
from alarife.engine.sheet import columns, counted
from alarife.engine.svg import Picture

from .actions import ACTIONS
from .components import COLOUR_NAMES, COLOURS_OF, HOUSES, KIND_NAMES, KINDS, NONE, SINGLE_ROUND, Phase

PAINT = "#c8372d", "#e787ab", "#f0b91f", "#33793c", "#2f6fb3", "#7d4f9e"
LETTERS = "RPYGBV"
BACK, DUE = "#46596b", "#fffaf0"
ROOF = "#6f6558"
WRITING = {"P": INK, "Y": INK}  # on light colours; white on the others
SPREAD = 10  # cards that lie side by side in a hand; of more, equal ones lie on one another
ACROSS = 11  # of those, in one of two rows


def colours(kind: int) -> list[int]:
    """The colours of a kind, by number."""
    return [c for c in range(len(COLOUR_NAMES)) if int(COLOURS_OF[kind]) >> c & 1]


def short(kind: int) -> str:
    """A kind in two letters."""
    if kind == NONE:
        return "--"
    letters = "".join(LETTERS[c] for c in colours(kind))
    return letters if len(letters) == 2 else letters * 2


def name_of(kind: int) -> str:
    """A kind in words, or nothing."""
    return KIND_NAMES[kind] if kind != NONE else ""


def cards_of(state: Any, seat: int) -> list[int]:
    """The kinds in a hand, one entry for each card."""
    return [k for k in range(KINDS) for _ in range(state.hand[seat, k])]


class VivaDisplay(Display):
    """Everything that VIVA shows a person."""

    def place(self, state: Any, action: int) -> str | tuple[str, ...]:
        """Cards of the hand by their kind, houses, blocking cards and the stack."""
        family, values = ACTIONS.decode(action)
        if "kind" in values:
            return f"kind:{values['kind']}"
        if family == "house":
            return f"house:{values['house']}"
        return {"general_block": "block", "personal_block": "own_block", "draw": "stack"}.get(family, "")

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook. Whatever is played lies open, and a card taken is never named."""
        family, values = ACTIONS.decode(action)
        kind, played = name_of(values.get("kind", NONE)), name_of(state.kind)
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
        if state.over:
            lines += columns(self.sheet(state))
        return "\n".join(lines)

    def sheet(self, state: Any) -> list[list[object]]:
        """What decided the game, a row for each seat, the winner's first."""
        single = state.options.match == SINGLE_ROUND
        order = sorted(range(state.seats), key=lambda p: (p != state.champion, p))
        if single:
            told = [[f"player_{p}", state.position[p] or "-", state.held[p]] for p in order]
            return [["the round", "out as number", "cards left"], *told]
        told = [[f"player_{p}", state.wins[p], state.position_sum[p]] for p in order]
        return [["the match", "rounds won", "places, added up"], *told]

    def points(self, state: Any) -> list[str]:
        """The rounds that were won; of a single round who went out when, and the cards that are left."""
        if state.options.match == SINGLE_ROUND:
            left = [f"{state.held[p]} card{'s' * (state.held[p] != 1)} left" for p in range(state.seats)]
            return [f"out as number {n}" if (n := state.position[p]) else left[p] for p in range(state.seats)]
        return [f"{state.wins[p]} round{'s' * (state.wins[p] != 1)} won" for p in range(state.seats)]

    def _headline(self, state: Any) -> str:
        if state.over:
            return f"player_{state.champion} has won"
        what = {
            Phase.TURN: "to play", Phase.HOUSE: f"chooses a house for {name_of(state.kind)}",
            Phase.MORE: f"may play another {name_of(state.kind)}", Phase.DRAWN: "has taken a card that can be played",
            Phase.VIVA: "may call VIVA", Phase.BLOCK: "chooses the blocking card",
            Phase.CATCH: f"noticed an illegal play of player_{state.turn_of}",
        }[Phase(state.phase)]  # fmt: skip
        tie = "tie-break" if state.tie_break else f"round {state.round + 1}"
        return f"{tie}, player_{state.seat} {what}"

    def svg(self, state: Any, seat: int | None = None) -> str:
        """Table and hands; hands of other seats lie face down."""
        rows = int(state.seats)
        picture = Picture(1000, 354 + 120 * rows, PAPER)
        picture.text(40, 56, "VIVA", 34, INK, bold=True)
        picture.text(150, 54, self._headline(state), 24, INK)
        if state.over:
            picture.sheet(30, 84, 940, 250, self.sheet(state), INK, DUE, RIM, size=22, bold=(0, 1))
        else:
            self._table(picture, state)
        for p in range(rows):
            self._hand(picture, state, p, 352 + 120 * p, seat)
        return picture.finish()

    def _table(self, picture: Picture, state: Any) -> None:
        picture.box(30, 84, 940, 250, TABLE, round=18)
        for h in range(HOUSES):
            x = 60 + 165 * h
            with picture.place(f"house:{h}"):
                picture.roof(x, 100, 130, 42, ROOF)
                picture.text(x + 65, 136, str(h + 1), 20, "#ffffff", middle=True, bold=True)
                self._card(picture, x + 18, 146, 94, 132, state.top[h])
            count = counted(state.height[h], "card") if state.height[h] else "empty"
            picture.text(x + 65, 314, count, 20, INK, middle=True)
        self._named(picture, 572, "block", "block", state.general)
        if state.owner != NONE:
            self._named(picture, 702, "own_block", f"player_{state.owner}'s", state.personal)
        picture.text(877, 130, "stack", 20, INK, middle=True)
        with picture.place("stack"):
            picture.card(830, 146, 94, 132, BACK, round=10)
            picture.text(877, 222, str(state.stack_size), 34, "#ffffff", middle=True, bold=True)
        picture.text(877, 314, f"discard {sum(int(n) for n in state.discard)}", 20, INK, middle=True)

    def _named(self, picture: Picture, x: float, place: str, name: str, kind: int) -> None:
        with picture.place(place):
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
        size = min(28, width * 0.44, height * 0.42)
        first, second = tuple(short(kind))  # each on its own half
        picture.text(x + width * 0.3, y + height * 0.24 + size * 0.36, first, size, WRITING.get(first, "#ffffff"),
                     bold=True, middle=True)  # fmt: skip
        picture.text(x + width * 0.7, y + height * 0.76 + size * 0.36, second, size, WRITING.get(second, "#ffffff"),
                     bold=True, middle=True)  # fmt: skip

    def _hand(self, picture: Picture, state: Any, p: int, y: float, seat: int | None) -> None:
        due = p == state.seat and not state.over
        if due:
            picture.box(30, y - 8, 940, 108, DUE, RIM, round=14)
        picture.text(48, y + 36, f"player_{p}", 24, INK, bold=due)
        picture.text(48, y + 72, f"won {state.wins[p]}", 20, FAINT)
        if p == seat:
            picture.badge(126, y + 72, "you", INK)
        if state.position[p]:
            picture.text(220, y + 54, f"out, place {state.position[p]}", 24, FAINT)
            return
        picture.text(955, y + 54, str(state.held[p]), 26, INK, end=True)
        if seat not in (None, p):
            self._backs(picture, int(state.held[p]), y)
            return
        is_place = p == (state.seat if seat is None else seat)
        for x, top, width, height, kind, count in _laid_out(cards_of(state, p)):
            with picture.place(f"kind:{kind}") if is_place else nullcontext():
                self._card(picture, 220 + x, y + 4 + top, width, height, kind)
                if count > 1:
                    picture.circle(220 + x + width - 4, y + 8 + top, 13, DUE, INK, 2)
                    picture.text(220 + x + width - 4, y + 14 + top, str(count), 16, INK, middle=True, bold=True)

    def _backs(self, picture: Picture, held: int, y: float) -> None:
        step = min(64.0, 610.0 / max(1, held))
        for i in range(held):
            picture.card(220 + step * i, y + 4, 58, 82, BACK, round=8)


def _laid_out(kinds: list[int]) -> list[tuple[float, float, float, float, int, int]]:
    """Where the cards of an open hand lie: x, y, width, height, kind, how many of it."""
    if len(kinds) <= SPREAD:
        return [(66.0 * i, 0.0, 58.0, 82.0, kind, 1) for i, kind in enumerate(kinds)]
    piles = [(kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)]
    if len(piles) <= SPREAD:
        return [(66.0 * i, 0.0, 58.0, 82.0, *pile) for i, pile in enumerate(piles)]
    return [(62.0 * (i % ACROSS), 46.0 * (i // ACROSS), 56.0, 42.0, *pile) for i, pile in enumerate(piles)]
