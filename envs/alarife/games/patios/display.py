"""Patios: the position as text and as a picture, actions as phrases."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import zip_longest
from typing import Any

from alarife.engine.game import Display
from alarife.engine.palette import CARD, FAINT, INK, PAPER, RIM, TABLE
from alarife.engine.sheet import columns, counted
from alarife.engine.svg import Picture

from .actions import ACTIONS
from .components import (
    CANE,
    CELLS,
    CHARACTER_NAMES,
    COLOUR_NAMES,
    COLOURS,
    DIRECTION_NAMES,
    FIRST_BALCONY,
    IMPROVEMENT_NAMES,
    IMPROVEMENTS,
    INNER_CELLS,
    KIND_NAMES,
    KINDS,
    LADDER,
    NONE,
    POSITIONS,
    SIDE,
    TUB,
    WELL,
    Character,
    Phase,
    Place,
)
from .rules.end import half_points, standing, trio_points
from .rules.hand import can_take_cane
from .rules.patio import has_room, sees_dry
from .rules.seats import seat_of
from .rules.stock import hose_on_ladder

GROUND, STONE = "#efe4cd", "#d8c7a6"
PAINT = "#2f6fb3", "#c8372d", "#33793c"
CLAY, BACK, WATER, TOOL, SUN, WORKS = "#b9673a", "#5f5142", "#5aa9c9", "#7d4f9e", "#eba524", "#d98a2b"
ON_BACK = "#e9dfcd"
GUARDIANS = "#2f6fb3", "#c8372d", "#33793c", "#2a7391", "#66731f", "#a04f85", "#eba524", "#7d4f9e", "#4a4238"
SHORT_CHARACTERS = ("Blue", "Red", "Green", "Water", "Assistant", "Children", "Sun", "Neighbour", "Visitors")
SHORT_IMPROVEMENTS = "Awn", "Gui", "Fla", "Hose", "Lad", "Can", "Tub"
LETTERS = "BRG"
#: Actions whose cell lies in the patio of the seat to decide.
ON_OWN_CELL = "place", "water_target", "waterer", "sun_hit", "swap_own", "keep_up", "keep_dry", "awning_keep"
OF_A_SEAT = "swap_player", "apprentice", "steal_from"
AROUND = (0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7)  # N, NE and so on


def demand(state: Any, b: int) -> str:
    """What a balcony asks: ``2 blue, 1 red`` or ``1 blue, 3 of one colour``."""
    named = [f"{state.need[b, c]} {COLOUR_NAMES[c]}" for c in range(COLOURS) if state.need[b, c]]
    return ", ".join(named + ([f"{state.group[b]} of one colour"] if state.group[b] else []))


def kind_words(state: Any, k: int) -> str:
    """A kind in words; a balcony with what it asks."""
    if k < FIRST_BALCONY:
        return KIND_NAMES[k]
    return f"balcony {KIND_NAMES[k]} ({demand(state, k - FIRST_BALCONY)})"


def thing_words(state: Any, thing: int) -> str:
    """What can lie in a cell, in words."""
    return kind_words(state, thing) if thing < KINDS else IMPROVEMENT_NAMES[thing - KINDS]


def is_shown(state: Any, seat: int | None, p: int, c: int) -> bool:
    """Whether the viewer may see the card of a cell."""
    return seat is None or not state.dry[p] >> c & 1 or bool(sees_dry(state, seat, p, c))


def shows_held(state: Any, seat: int | None) -> bool:
    """Whether the viewer may see the card in hand."""
    return bool(state.held != NONE and (seat in (None, state.seat) or state.held_open))


def is_laid_open(state: Any, k: int) -> bool:
    """Whether everybody sees a drafted kind: not if it is laid down dry, nor if there is no room for it."""
    p = state.seat
    return bool(can_take_cane(state, p) if k == CANE else p == state.turn_of and has_room(state, p))


def unused_of(state: Any, seat: int | None, p: int) -> list[str]:
    """The unused improvements of a seat: names that the viewer knows, then a mark for each of the others."""
    names = [IMPROVEMENT_NAMES[i] for i in improvements_of(state, seat, p)]
    return names + ["?"] * (int(state.unused[p]) - len(names))


def score_of(state: Any, seat: int | None, p: int) -> str | None:
    """A score in points, or None where it is secret."""
    if seat not in (None, p) and state.options.hidden_scores and not state.over:
        return None
    points, half = divmod(int(half_points(state, p)), 2)
    return f"{points}.5" if half else str(points)


def place_in_row(state: Any, a: int) -> int:
    """Where a character lies in the row, the front being 0."""
    return [int(state.row[k]) for k in range(state.row_size)].index(a)


def improvements_of(state: Any, seat: int | None, p: int) -> list[int]:
    """The unused improvements of a seat that the viewer knows."""
    return [
        i
        for i in range(IMPROVEMENTS)
        if state.place[i] == Place.HAND and state.keeper[i] == p and (seat is None or state.informed[i] >> seat & 1)
    ]


def shown_span(state: Any, p: int) -> tuple[int, int]:
    """The rows, and the columns, of a patio to be shown: without works only the inner cells count."""
    return (0, SIDE) if state.works[p] else (1, SIDE - 1)


class PatiosDisplay(Display):
    """Everything that Patios shows a person."""

    # --- phrases --------------------------------------------------------------------------------------------

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook, without the cards that the seat may not see (PAT-202)."""
        family, values = ACTIONS.decode(action)
        value = next(iter(values.values()), 0)
        p = int(state.seat)
        other = f"player_{seat_of(state, value + 1)}"
        improvement = IMPROVEMENT_NAMES[value] if value < IMPROVEMENTS else ""
        colour = COLOUR_NAMES[value] if value < COLOURS else ""
        is_told = seat in (None, p)
        cell = f"cell {value}"
        lying = thing_words(state, state.card[p, value]) if value < CELLS and state.card[p, value] != NONE else "card"
        return {
            "character": lambda: f"calls the {CHARACTER_NAMES[value]}",
            "setup_up": lambda: f"turns up the {KIND_NAMES[state.dealt[p, value]]}",
            "place": lambda: f"places {self._in_hand(state, seat)} in {cell}",
            "kind": lambda: self._take(state, value, is_told),
            "water_target": lambda: f"waters {cell}" if state.dry[p] >> value & 1 else f"passes over {cell}",
            "waterer": lambda: f"uses the {lying} of {cell}",
            "tool": lambda: "uses the hose of the ladder" if value else "uses a cane of the ladder",
            "sun_direction": lambda: f"lets the Sun shine from {DIRECTION_NAMES[value]}",
            "sun_hit": lambda: f"lets the Sun hit {cell}",
            "swap_own": lambda: f"gives the card of {cell}",
            "swap_player": lambda: f"swaps with {other}",
            "swap_their": lambda: f"takes {self._taken(state, value, seat)}",
            "offer": lambda: "offers a coin" if value else "offers no coin",
            "apprentice": lambda: f"takes {other} as apprentice",
            "keep_improvement": lambda: f"keeps {f'the {improvement}' if is_told else 'one of two improvements'}",
            "play_improvement": lambda: f"plays the {improvement}",
            "guitar_move": lambda: ("moves Visitors two forward", "moves Visitors one forward", "leaves Visitors",
                                    "moves Visitors one back", "moves Visitors two back")[value],
            "flamenco_down": lambda: f"turns down the {CHARACTER_NAMES[value]}",
            "steal_from": lambda: f"takes an improvement of {other}",
            "tub_colour": lambda: f"names the Tub {colour}",
            "break_trio": lambda: f"breaks a {f'{colour} ' if score_of(state, seat, p) is not None else ''}trio token",
            "keep_up": lambda: f"keeps the pot of {cell} beautiful",
            "keep_dry": lambda: f"keeps the pot of {cell} dry",
            "awning_keep": lambda: f"saves {lying} of {cell} under the Awning",
            "done": lambda: self._stop(state),
        }[family]()  # fmt: skip

    def _in_hand(self, state: Any, seat: int | None) -> str:
        if state.playing != NONE:
            return f"the {IMPROVEMENT_NAMES[state.playing]}"
        if state.held == NONE:
            return "the card"
        return f"the {kind_words(state, state.held)}" if shows_held(state, seat) else "a card face down"

    def _take(self, state: Any, k: int, is_told: bool) -> str:
        """A kind that is taken; from a draft others see only what will lie open (PAT-066, PAT-197, PAT-202)."""
        if state.phase == Phase.DRAFT and not is_told and not is_laid_open(state, k):
            return "takes a card"
        return f"{'buys' if state.phase == Phase.BUY else 'takes'} the {kind_words(state, k)}"

    def _taken(self, state: Any, theirs: int, seat: int | None) -> str:
        """The card that is taken in a swap; of a dry one others hear no more than that it is dry (PAT-202).

        Its owner sees on the table which one is gone, unless a round that ends at once clears them all away.
        """
        is_open = not state.dry[int(state.swap_player)] >> theirs & 1
        return f"the card of cell {theirs}" if is_open or seat in (None, state.seat) else "a dry card"

    def _stop(self, state: Any) -> str:
        return {
            Phase.SWAP: "swaps nothing", Phase.DEFENCE: "defends no further", Phase.WATER: "waters no further",
            Phase.WATER_TARGET: "waters no further", Phase.BUY: "buys nothing more", Phase.KEEP_UP: "keeps no such pot",
            Phase.KEEP_DRY: "keeps no dry pot", Phase.AWNING_KEEP: "saves nothing",
        }.get(Phase(state.phase), "plays no improvement")  # fmt: skip

    # --- places ---------------------------------------------------------------------------------------------

    def place(self, state: Any, action: int) -> str | tuple[str, ...]:
        """Cells by seat and number, characters by their position in the row, cards where they lie."""
        family, values = ACTIONS.decode(action)
        value = next(iter(values.values()), 0)
        p = int(state.seat)
        if family in ON_OWN_CELL:
            return f"cell:{p}:{value}"
        if family in OF_A_SEAT:
            return f"seat:{seat_of(state, value + 1)}"
        if family in ("character", "flamenco_down"):
            return f"row:{place_in_row(state, value)}"
        return {
            "setup_up": lambda: f"dealt:{value}",
            "kind": lambda: f"{'draft' if state.phase == Phase.DRAFT else 'sample'}:{value}",
            "tool": lambda: f"cell:{p}:{state.spot[LADDER - KINDS]}",
            "sun_direction": lambda: f"sun:{value}",
            "swap_their": lambda: f"cell:{state.swap_player}:{value}",
            "keep_improvement": lambda: f"drawn:{value}",
            "play_improvement": lambda: f"improvement:{value}",
            "guitar_move": lambda: f"row:{place_in_row(state, Character.VISITORS) + value - 2}",
            "tub_colour": lambda: f"cell:{p}:{state.spot[TUB - KINDS]}",
            "break_trio": lambda: f"trio:{value}",
        }.get(family, lambda: "")()

    # --- text -----------------------------------------------------------------------------------------------

    def text(self, state: Any, seat: int | None = None) -> str:
        """The position in lines: head, row, cards, then the patios side by side, each cell with its number."""
        lines = [f"Patios  {self._headline(state, seat)}"]
        if state.row_size:
            lines.append("row     " + " ".join(self._row_word(state, seat, k) for k in range(state.row_size)))
        sample = " ".join(f"{self._short(state, k)}{f'x{n}' if n > 1 else ''}" for k, n in enumerate(state.sample) if n)
        lines.append(f"sample  {sample or '-'}")
        lines.append(f"deck {state.deck_size}   discards {state.discard_size}   improvements {state.stock_size}   "
                     f"coins left {state.reserve}")  # fmt: skip
        lines += self._notes(state, seat)
        across = 2 if any(state.works[: state.seats]) else 3
        for first in range(0, state.seats, across):
            blocks = [self._patio_lines(state, seat, p) for p in range(first, min(first + across, state.seats))]
            widths = [max(30, *map(len, block)) for block in blocks]
            lines.append("")
            for parts in zip_longest(*blocks, fillvalue=""):
                lines.append("   ".join(f"{part:<{width}}" for part, width in zip(parts, widths, strict=True)).rstrip())
        return "\n".join(lines + (["", *columns(self.sheet(state))] if state.over else []))

    def points(self, state: Any) -> list[str]:
        """Points; a coin is half of one."""
        told = [score_of(state, None, p) for p in range(state.seats)]
        return [f"{points} point{'s' * (points != '1')}" for points in told]

    def sheet(self, state: Any) -> list[list[object]]:
        """What each seat's points are made of (PAT-171 to PAT-173)."""
        seats = range(state.seats)
        held = ["  ".join(f"{state.trio[p, c]}{LETTERS[c]}" for c in range(COLOURS)) for p in seats]
        trios = [trio_points(*(int(state.trio[p, c]) for c in range(COLOURS))) for p in seats]
        rows: list[list[object]] = [
            ["points", *(f"player_{p}" for p in seats)],
            ["trio tokens: blue, red, green", *held],
            ["worth, sets of colours first", *trios],
            ["loose points", *(int(state.loose[p]) for p in seats)],
            ["coins, half a point each", *(f"{state.coins[p] / 2:g}" for p in seats)],
        ]
        if any(state.champion):
            rows.append(["three colours in one round", *("won" if state.champion[p] else "-" for p in seats)])
        return [*rows, ["sum", *(score_of(state, None, p) for p in seats)]]

    def _row_word(self, state: Any, seat: int | None, k: int) -> str:
        a = int(state.row[k])
        name = SHORT_CHARACTERS[a]
        if state.face_up[a]:
            return name
        return f"({name})" if state.public[a] or seat is None else "(?)"

    def _notes(self, state: Any, seat: int | None) -> list[str]:
        """What lies beside the patios just now."""
        notes = []
        if state.held != NONE:
            notes.append(f"in hand {self._short(state, state.held) if shows_held(state, seat) else '?'}")
        if state.drafted:
            shown = seat in (None, state.seat)
            cards = [self._short(state, k) for k in range(KINDS) for _ in range(state.draft[k])]
            notes.append("draft " + " ".join(cards if shown else ["?"] * state.drafted))
        for p in range(state.seats):
            if state.dealt[p, 0] != NONE:
                hand = [int(k) for k in state.dealt[p] if k != NONE]
                shown = seat in (None, p)
                notes.append(f"player_{p} holds " + " ".join(LETTERS[k] if shown else "?" for k in hand))
        if state.phase == Phase.KEEP:
            shown = seat is None or seat == state.turn_of
            notes.append("drawn " + ", ".join(IMPROVEMENT_NAMES[i] if shown else "?" for i in sorted(state.drawn)))
        if state.direction != NONE:
            hits = [f"cell {c}{' (safe)' if state.guard[k] else ''}" for k, c in enumerate(state.hit) if c != NONE]
            notes.append(f"Sun from {DIRECTION_NAMES[state.direction]}: {', '.join(hits) or 'no hit yet'}")
        return notes

    def _patio_lines(self, state: Any, seat: int | None, p: int) -> list[str]:
        mark = ">" if p == state.seat and not state.over else " "
        score = score_of(state, seat, p)
        trios = "".join(LETTERS[c] * int(state.trio[p, c]) for c in range(COLOURS))
        pile = "pile ?" if score is None else f"trios {trios or '-'} loose {state.loose[p]} = {score}"
        unused = unused_of(state, seat, p)
        lines = [f"{mark} player_{p}  coins {state.coins[p]}{'  works' if state.works[p] else ''}", f"  {pile}",
                 "  holds " + (", ".join(unused) if unused else "-")]  # fmt: skip
        first, last = shown_span(state, p)
        for row in range(first, last):
            places = [(row, column) for column in range(first, last)]
            words = ["   WELL" if at == WELL else self._cell_word(state, seat, p, POSITIONS.index(at)) for at in places]
            lines.append(" " + " ".join(f"{word:<8}" for word in words).rstrip())
        return lines

    def _short(self, state: Any, k: int) -> str:
        if k < COLOURS:
            return LETTERS[k]
        return "~" if k == CANE else f"#{k - FIRST_BALCONY + 1}"

    def _cell_word(self, state: Any, seat: int | None, p: int, c: int) -> str:
        """The number of a cell and what lies there: ``12:R``; a point where nothing does."""
        return f"{c:>2}:{self._card_word(state, seat, p, c)}"

    def _card_word(self, state: Any, seat: int | None, p: int, c: int) -> str:
        thing = int(state.card[p, c])
        if thing == NONE:
            return "."
        if thing == LADDER:
            return (
                "Lad" + (str(state.ladder_canes) if state.ladder_canes else "") + ("h" if hose_on_ladder(state) else "")
            )
        if not is_shown(state, seat, p, c):
            return "(?)"
        word = self._short(state, thing) if thing < KINDS else SHORT_IMPROVEMENTS[thing - KINDS]
        return f"({word})" if state.dry[p] >> c & 1 else word

    def _headline(self, state: Any, seat: int | None) -> str:
        if state.over:
            standings = [standing(state, p) for p in range(state.seats)]
            winners = [f"player_{p}" for p in range(state.seats) if standings[p] == max(standings)]
            return f"{' and '.join(winners)} {'has' if len(winners) == 1 else 'have'} won"
        held = f" the {kind_words(state, state.held)}" if shows_held(state, seat) else " a card"
        what = {
            Phase.SETUP: "chooses the beautiful card", Phase.TURN: "chooses a character",
            Phase.TAKE: "takes from the sample", Phase.PLACE: f"places{held}",
            Phase.CANE: "places a cane or waters", Phase.DRAFT: "takes one of the Assistant's cards",
            Phase.SWAP: "may swap a card", Phase.SWAP_PLAYER: "chooses whom to swap with",
            Phase.SWAP_THEIRS: "chooses the card to get", Phase.DIRECTION: "directs the Sun",
            Phase.FIRST_HIT: "chooses what the Sun hits", Phase.SECOND_HIT: "chooses what the Sun hits outside",
            Phase.DEFENCE: "may defend against the Sun", Phase.DEFENCE_TOOL: "chooses cane or hose",
            Phase.OFFER: "may offer a coin", Phase.APPRENTICE: "chooses the apprentice",
            Phase.STEAL: "chooses whom to take from", Phase.KEEP: "keeps one of two improvements",
            Phase.APPRENTICE_WINDOW: "may play the new improvement", Phase.IMPROVEMENT_PLACE: "places an improvement",
            Phase.CAN: "plays the Watering can", Phase.GUITAR: "moves Visitors",
            Phase.WINDOW: "may play improvements", Phase.FLAMENCO_DOWN: "turns characters down",
            Phase.WATER: "may water", Phase.WATER_TOOL: "chooses cane or hose", Phase.WATER_TARGET: "waters cards",
            Phase.TUB_COLOUR: "names the Tub's colour", Phase.BREAK_TRIO: "breaks a trio token",
            Phase.KEEP_UP: "keeps a pot", Phase.KEEP_DRY: "keeps a pot dry", Phase.AWNING_KEEP: "saves a card",
            Phase.BUY: "may buy a card",
        }[Phase(state.phase)]  # fmt: skip
        return f"round {state.round + 1}, player_{state.seat} {what}"

    # --- picture --------------------------------------------------------------------------------------------

    def svg(self, state: Any, seat: int | None = None) -> str:
        """Row, sample and patios; cards that the viewer has not seen lie face down."""
        across = 2 if state.seats in (2, 4) else 3
        size = 82 if across == 2 else 56
        rows = -(-int(state.seats) // across)
        block = 5 * size + 124
        top = 366
        picture = Picture(1000, top + rows * block + 10, PAPER)
        picture.text(30, 52, "Patios", 36, INK, bold=True)
        headline = self._headline(state, seat)
        picture.text(170, 50, headline, min(27, 1330 / len(headline)), INK)
        if state.over:
            picture.sheet(30, 76, 940, 274, self.sheet(state), INK, CARD, RIM, size=22)
        else:
            self._draw_row(picture, state, seat)
            self._draw_cards(picture, state, seat)
        for p in range(state.seats):
            x = 30 + (p % across) * (940 / across + 4)
            self._draw_patio(picture, state, seat, p, x, top + (p // across) * block, 940 / across - 10, size)
        return picture.finish()

    def _draw_row(self, picture: Picture, state: Any, seat: int | None) -> None:
        for k in range(state.row_size):
            a, x = int(state.row[k]), 30 + k * 105.5
            with picture.place(f"row:{k}"):
                if not state.face_up[a]:
                    picture.box(x, 76, 98, 100, BACK, "#ffffff", round=10, thick=3)
                    known = state.public[a] or seat is None
                    words, size = (SHORT_CHARACTERS[a], self._name_size(a)) if known else ("?", 40)
                    picture.text(x + 49, 132, words, size, ON_BACK, middle=True)
                    continue
                picture.box(x, 76, 98, 100, GUARDIANS[a], "#ffffff", round=10, thick=3)
                if state.character == a and not state.ending:
                    picture.box(x - 3, 73, 104, 106, "none", INK, round=12, thick=4)
                self._draw_character(picture, a, x + 49, 112)
                paint = INK if a == Character.SUN else "#ffffff"
                picture.text(x + 49, 166, SHORT_CHARACTERS[a], self._name_size(a), paint, middle=True, bold=True)

    def _name_size(self, a: int) -> float:
        return 20 if len(SHORT_CHARACTERS[a]) < 8 else 15.5

    def _draw_character(self, picture: Picture, a: int, x: float, y: float) -> None:
        if a == Character.SUN:
            picture.circle(x, y, 22, "#ffffff")
            picture.circle(x, y, 15, SUN)
        elif a == Character.WATER_CARRIER:
            picture.line(x - 22, y + 14, x + 18, y - 18, "#ffffff", 6)
            picture.circle(x + 20, y - 18, 8, "#ffffff")
        elif a == Character.VISITORS:
            for dx in (-20, 0, 20):
                picture.circle(x + dx, y - 8, 9, "#ffffff")
                picture.box(x + dx - 9, y + 4, 18, 20, "#ffffff", round=6)
        elif a == Character.CHILDREN:
            for dx in (-12, 12):
                picture.circle(x + dx, y - 4, 8, "#ffffff")
                picture.box(x + dx - 8, y + 6, 16, 16, "#ffffff", round=5)
        else:
            picture.circle(x, y - 10, 11, "#ffffff")
            picture.box(x - 14, y + 4, 28, 22, "#ffffff", round=8)

    def _draw_cards(self, picture: Picture, state: Any, seat: int | None) -> None:
        """The sample on the left, on the right what is being decided on, the piles below."""
        picture.box(30, 192, 940, 158, TABLE, round=16)
        picture.text(46, 222, "sample", 22, INK)
        cards = [k for k in range(KINDS) for _ in range(state.sample[k])]
        for i, k in enumerate(cards):
            with picture.place(f"sample:{k}"):
                self._draw_thing(picture, state, k, 46 + 74 * i, 234, 68, False)
        piles = (f"deck {state.deck_size}", f"discards {state.discard_size}", f"improvements {state.stock_size}",
                 f"coins left {state.reserve}")  # fmt: skip
        picture.text(46, 336, "   ·   ".join(piles), 20, INK)
        shown = seat in (None, state.seat)
        draft = [k for k in range(KINDS) for _ in range(state.draft[k])] if shown else [NONE] * int(state.drafted)
        if state.held != NONE:
            held = state.held if shows_held(state, seat) else NONE
            self._draw_loose(picture, state, "hand, draft" if draft else "in hand", [held, *draft], "")
        elif draft:
            self._draw_loose(picture, state, "draft", draft, "draft" if shown else "")
        elif state.phase == Phase.SETUP:
            hand = [int(k) if shown else NONE for k in state.dealt[state.seat]]
            self._draw_loose(picture, state, "dealt: which is beautiful?", hand, "dealt")
        elif state.phase == Phase.KEEP:
            told = seat in (None, state.turn_of)
            drawn = [KINDS + int(i) if told else NONE for i in sorted(state.drawn)]
            self._draw_loose(picture, state, "drawn: one is kept", drawn, "drawn" if told else "")
        elif state.phase == Phase.DIRECTION or state.direction != NONE:
            self._draw_compass(picture, state)

    def _draw_loose(self, picture: Picture, state: Any, words: str, things: list[int], place: str) -> None:
        """Cards beside the sample; where they can be clicked, by what they are, those dealt by position."""
        picture.text(680, 222, words, 22, INK)
        step = min(74.0, 278.0 / len(things))
        for i, thing in enumerate(things):
            name = {"dealt": f"dealt:{i}", "draft": f"draft:{thing}", "drawn": f"drawn:{thing - KINDS}"}.get(place)
            with picture.place(name) if name else nullcontext():
                self._draw_thing(picture, state, thing, 680 + step * i, 234, step - 6, False)

    def _draw_compass(self, picture: Picture, state: Any) -> None:
        """Where the Sun comes from."""
        picture.text(680, 222, "the Sun", 22, INK)
        picture.text(680, 250, "comes from", 22, INK)
        for d, (right, down) in enumerate(AROUND):
            x, y = 888 + 60 * right, 271 + 60 * down
            with picture.place(f"sun:{d}"):
                picture.circle(x, y, 17, SUN if d == state.direction else CARD, INK, 2)
                picture.text(x, y + 6, DIRECTION_NAMES[d], 15, INK, middle=True, bold=True)

    def _draw_patio(self, picture: Picture, state: Any, seat: int | None, p: int, x: float, y: float, width: float,
                    size: float) -> None:  # fmt: skip
        due = p == state.seat and not state.over
        paper, line = ("#fffaf0", RIM) if due else (GROUND, "none")
        picture.box(x - 6, y - 4, width + 12, 5 * size + 114, paper, line, round=14, thick=4)
        score = score_of(state, seat, p)
        with picture.place(f"seat:{p}"):
            picture.box(x, y + 2, width, 36, "none")
            picture.text(x + 4, y + 29, f"player_{p}", 21, INK, bold=True)
            if p == seat:
                picture.badge(x + 124, y + 28, "you", INK, size=16)
            points = counted("?" if score is None else score, "point")
            picture.text(x + width - 4, y + 29, points, 20, INK, end=True)
        own = p == (state.seat if seat is None else seat)
        self._draw_pile(picture, state, score is not None, own, p, x, y + 54, width)
        first, last = shown_span(state, p)
        side = 5 * size / (last - first)
        left = x + (width - 5 * size) / 2
        for row in range(first, last):
            for column in range(first, last):
                cx, cy = left + (column - first) * side, y + 68 + (row - first) * side
                if (row, column) == WELL:
                    self._draw_well(picture, bool(state.works[p]), cx, cy, side)
                    continue
                c = POSITIONS.index((row, column))
                with picture.place(f"cell:{p}:{c}"):
                    self._draw_cell(picture, state, seat, p, c, cx, cy, side)
        self._draw_improvements(picture, state, seat, p, x, y + 5 * size + 96, width)

    def _draw_improvements(self, picture: Picture, state: Any, seat: int | None, p: int, x: float, y: float,
                           width: float) -> None:  # fmt: skip
        """Unused improvements in words, in short words where they are many; of those unknown, how many."""
        own = p == (state.seat if seat is None else seat)
        known = improvements_of(state, seat, p)
        names = [IMPROVEMENT_NAMES[i] for i in known]
        size = min(18.0, (width - 12.0 * len(names)) / max(1.0, 0.68 * len("".join(names))))
        if size < 13:
            names = [SHORT_IMPROVEMENTS[i] for i in known]
            size = min(16.0, (width - 12.0 * len(names)) / max(1.0, 0.68 * len("".join(names))))
        at = x
        for i, name in zip(known, names, strict=True):
            wide = 0.68 * size * len(name) + 8
            with picture.place(f"improvement:{i}") if own else nullcontext():
                picture.box(at, y - 18, wide, 25, TOOL, "#ffffff", round=6, thick=1)
                picture.text(at + wide / 2, y, name, size, "#ffffff", middle=True, bold=True)
            at += wide + 4
        hidden = int(state.unused[p]) - len(known)
        if hidden:
            picture.text(at + 4, y, f"{hidden} improvement{'s' * (hidden > 1)} face down", 17, TOOL)

    def _draw_pile(self, picture: Picture, state: Any, shown: bool, own: bool, p: int, x: float, y: float,
                   width: float) -> None:  # fmt: skip
        """Coins, and trio tokens as far as they may be seen."""
        for i in range(state.coins[p]):
            picture.circle(x + 18 + 24 * i, y, 10, SUN, "#9a6a10", 2)
        if shown:
            tokens = [c for c in range(COLOURS) for _ in range(state.trio[p, c])]
            for i, c in enumerate(tokens):
                with picture.place(f"trio:{c}") if own else nullcontext():
                    picture.box(x + width - 26 - 26 * i, y - 11, 22, 22, PAINT[c], "#ffffff", round=4)
                    picture.text(x + width - 15 - 26 * i, y + 5, LETTERS[c], 14, "#ffffff", middle=True, bold=True)

    def _draw_well(self, picture: Picture, works: bool, x: float, y: float, size: float) -> None:
        picture.box(x + 2, y + 2, size - 4, size - 4, WORKS if works else STONE, round=8)
        picture.circle(x + size / 2, y + size / 2, size * 0.27, "#ffffff")
        picture.circle(x + size / 2, y + size / 2, size * 0.19, "#4a4238" if works else WATER)

    def _draw_cell(self, picture: Picture, state: Any, seat: int | None, p: int, c: int, x: float, y: float,
                   size: float) -> None:  # fmt: skip
        thing = int(state.card[p, c])
        inner = c in INNER_CELLS
        if thing == NONE:
            picture.box(x + 3, y + 3, size - 6, size - 6, "none", FAINT if inner else STONE, round=7, dashed=True)
            picture.text(x + size / 2, y + size / 2 + 7, str(c), 19, FAINT, middle=True)
        elif not state.dry[p] >> c & 1:
            self._draw_thing(picture, state, thing, x + 2, y + 2, size - 4, False)
        else:
            self._draw_thing(
                picture, state, thing if is_shown(state, seat, p, c) else NONE, x + 2, y + 2, size - 4, True
            )
        if thing != NONE:
            hidden = not is_shown(state, seat, p, c)
            tool = not state.dry[p] >> c & 1 and thing >= KINDS and thing != TUB
            inset = 5 if state.dry[p] >> c & 1 and not hidden else 0
            picture.text(x + 6 + inset, y + 12 + inset, str(c), 9, "#ffffff" if hidden or tool else INK)
        if p == state.seat and state.direction != NONE and c in (int(state.hit[0]), int(state.hit[1])):
            picture.box(x, y, size, size, "none", SUN, round=9, thick=6)
        if p == state.seat and (state.chosen >> c & 1 or c == state.swap_own):
            picture.box(x, y, size, size, "none", INK, round=9, thick=4)
        if p == state.seat and state.kept_dry >> c & 1:
            picture.box(x, y, size, size, "none", CLAY, round=9, thick=4)

    def _draw_thing(self, picture: Picture, state: Any, thing: int, x: float, y: float, size: float,
                    dry: bool) -> None:  # fmt: skip
        """A card: a flower in its colour, a balcony with its demand, a tool; dry ones on a brown back."""
        cx, cy = x + size / 2, y + size / 2
        if thing == NONE or dry:
            picture.box(x, y, size, size, BACK, "#ffffff", round=8, thick=2)
            if thing == NONE:
                picture.text(cx, cy + size * 0.2, "?", size * 0.55, ON_BACK, middle=True, bold=True)
                return
            picture.box(x + 6, y + 6, size - 12, size - 12, CARD, round=6, dashed=True, line=CLAY)
        elif thing == CANE:
            picture.box(x, y, size, size, WATER, "#ffffff", round=8, thick=2)
        elif thing >= KINDS and thing != TUB:
            picture.box(x, y, size, size, TOOL, "#ffffff", round=8, thick=2)
        else:
            picture.box(x, y, size, size, CARD, STONE, round=8, thick=2)
        inside = size * (0.76 if dry else 1.0)
        if thing < COLOURS:
            self._draw_pot(picture, thing, cx, cy, inside)
        elif thing == CANE:
            picture.line(cx - size * 0.28, cy + size * 0.3, cx + size * 0.2, cy - size * 0.28, "#ffffff", size * 0.09)
            picture.circle(cx + size * 0.22, cy - size * 0.28, size * 0.1, "#ffffff")
        elif thing < KINDS:
            self._draw_balcony(picture, state, thing - FIRST_BALCONY, cx, cy, inside)
        elif thing == TUB:
            wide, foot = inside * 0.36, inside * 0.26
            picture.polygon([(cx - wide, cy), (cx + wide, cy), (cx + foot, cy + wide), (cx - foot, cy + wide)], CLAY)
            for c in range(COLOURS):
                picture.circle(cx + (c - 1) * inside * 0.22, cy - inside * 0.16, inside * 0.13, PAINT[c])
        else:
            words = IMPROVEMENT_NAMES[thing - KINDS].split()
            letters = min(size * 0.25, size * 0.88 / (0.72 * max(map(len, words))))
            for i, word in enumerate(words):
                low = cy + letters * (0.36 + 1.15 * (i - (len(words) - 1) / 2))
                picture.text(cx, low, word, letters, "#ffffff", middle=True, bold=True)
            if thing == LADDER:
                self._draw_ladder_stack(picture, state, cx, y + size, size)

    def _draw_ladder_stack(self, picture: Picture, state: Any, x: float, y: float, size: float) -> None:
        canes = f"{state.ladder_canes} cane{'s' * (state.ladder_canes > 1)}" if state.ladder_canes else ""
        words = ", ".join(filter(None, [canes, "hose" if hose_on_ladder(state) else ""]))
        if words:
            picture.text(x, y - size * 0.1, words, size * min(0.2, 1.4 / len(words)), "#ffffff", middle=True)

    def _draw_pot(self, picture: Picture, c: int, x: float, y: float, size: float) -> None:
        """A pot with a flower, its letter for those who do not tell colours apart."""
        picture.polygon([(x - size * 0.22, y + size * 0.12), (x + size * 0.22, y + size * 0.12),
                         (x + size * 0.15, y + size * 0.42), (x - size * 0.15, y + size * 0.42)], CLAY)  # fmt: skip
        picture.circle(x, y - size * 0.12, size * 0.31, PAINT[c])
        picture.text(x, y - size * 0.01, LETTERS[c], size * 0.34, "#ffffff", middle=True, bold=True)

    def _draw_balcony(self, picture: Picture, state: Any, b: int, x: float, y: float, size: float) -> None:
        """The demand as dots, clay for the group of any colour, and the worth."""
        dots = [PAINT[c] for c in range(COLOURS) for _ in range(state.need[b, c])] + [CLAY] * int(state.group[b])
        picture.box(x - size * 0.4, y + size * 0.08, size * 0.8, size * 0.3, "#4a4238", round=3)
        picture.text(x, y + size * 0.33, str(state.worth[b]), size * 0.28, "#ffffff", middle=True, bold=True)
        across = min(4, len(dots))
        lines = -(-len(dots) // across)
        step = size * 0.8 / max(across, 2)
        radius = min(step * 0.42, size * 0.38 / lines / 2)
        for i, paint in enumerate(dots):
            row, column = divmod(i, across)
            in_row = min(across, len(dots) - row * across)
            picture.circle(
                x + (column - (in_row - 1) / 2) * step, y - size * 0.32 + radius + row * 2 * radius, radius, paint
            )
