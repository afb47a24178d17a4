"""Palace of Viana: the position as text and as a picture, actions as phrases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from functools import cached_property
from typing import Any

from alarife.engine.game import Display
from alarife.engine.palette import FAINT, INK, PAPER, RIM, TABLE
from alarife.engine.sheet import columns, counted
from alarife.engine.svg import Picture

from .actions import ACTIONS
from .components import (
    CARD_NAMES,
    CARDS,
    COURT_POINTS,
    COURTS,
    FLOWERS,
    FOUNTAIN,
    GARDEN,
    GARDEN_POINTS,
    KIND_NAMES,
    KINDS,
    MARKET,
    NONE,
    POINTS,
    POT,
    STAND_SIZE,
    STANDS,
    STREET,
    Phase,
)
from .rules.marquise import unscored_flowers
from .tables import Board, own_board

SEAT_PAINT = "#c8372d", "#2f6fb3", "#e3a516", "#33793c", "#6b4796"
ON_PAWN = "#ffffff", "#ffffff", "#2b2620", "#ffffff", "#ffffff"
KIND_PAINT = "#d6408f", "#5b7be0", "#f4cf3a", "#b5622f", "#35b5c9"
BACK, CARD = "#46596b", "#fffdf6"
WALL, COURT, LAWN, HEDGE, DOOR = "#6f5844", "#fbf6ea", "#e3edcf", "#a9c79a", "#8e1f1f"
SECRET, NUMBER = "#3a4a59", "#8a7650"
KIND_LETTERS = "BCP=o"
SHORT = "MG", "Ga", "Ap", "Ho", "Me", "Ms", "Gi", "Ch", "Ck", "Po"  # cards in hand
DEEDS = (
    "1 step/places 3", "2 steps/places 2", "3 steps/places 1", "moves the door/1 point", "2 steps/scores there",
    "3 steps/1 point", "3 steps/moves a flower", "drives to/the market", "takes the pile/fills the stands",
    "2 steps/meets guests",
)  # fmt: skip
TRACK = 80  # spaces of the score track (VIA-010)
TRACK_SIDE = 20
SIZE = 1000.0  # of the board in the picture
WIDTH, HEIGHT = 1600.0, 1114.0
TOP, LEFT, ACROSS = 64.0, 1018.0, 566.0  # of the board; of the market, the seats and the hand beside it
SEATS_TOP, SEAT_HIGH = 258.0, 115.6


def court_name(board: Board, c: int) -> str:
    """A courtyard by number and name."""
    return f"{c + 1} ({board['courtyards'][c]['name']})"


def hand_of(state: Any, p: int, seat: int | None) -> list[int] | None:
    """The cards that the seat may see in the hand of p, or None; a secret first card looks as if it were in it."""
    cards = [k for k in range(CARDS) if state.hand[p, k]]
    if seat in (None, p):
        return cards
    if state.options.buried_cards_visible:
        return sorted([*cards, *([state.picked[p]] if state.picked[p] != NONE else [])])
    return None


def pile_of(state: Any, p: int) -> int:
    """How many cards lie on the pile of p."""
    return CARDS - 1 + int(state.poet) - int(state.held[p])


class VianaDisplay(Display):
    """Everything that Palace of Viana shows a person. The board is that of the box unless `of` gives another."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = own_board() if board is None else board

    @cached_property
    def _number_spots(self) -> list[tuple[float, float]]:
        """Where the numbers of the courtyards stand."""
        passages = [row["pos"] for row in (*self.board["doorways"], *self.board["entrances"])]
        return [_number_spot(court, passages) for court in self.board["courtyards"]]

    def of(self, options: Any) -> VianaDisplay:
        """The display for games on the options' board."""
        return VianaDisplay(options.board)

    # --- phrases ------------------------------------------------------------------------------------

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook; a first card is picked in secret (VIA-060, VIA-194)."""
        family, values = ACTIONS.decode(action)
        board = self.board
        if "court" in values:
            where = court_name(board, values["court"])
            what = {
                "move_pawn": "goes to courtyard",
                "girl_step": "walks into courtyard",
                "marquise_to": "moves the Marquise to courtyard",
                "marquis_to": "moves the Marquis to courtyard",
            }
            return f"{what[family]} {where}"  # fmt: skip
        if family == "play_card":
            if state.phase != Phase.FIRST_CARD:
                return f"plays the {CARD_NAMES[values['card']]}"
            is_told = seat in (None, state.seat)
            return f"secretly picks {'the ' + CARD_NAMES[values['card']] if is_told else 'a card'}"
        if family == "girl_pick":
            owner = (state.seat + values["owner"]) % state.seats
            kind = state.hedge_kind[state.pawn[state.seat], values["hedge"]]
            whose = "its own" if owner == state.seat else f"player_{owner}'s"
            return f"picks up {whose} {KIND_NAMES[kind]} from hedge {values['hedge'] + 1}"
        if family == "door_to":
            one, other = board["doorways"][values["doorway"]]["courts"]
            return f"moves the door between courtyards {one} and {other}"
        return self._plain_phrase(state, board, family, values)

    def _plain_phrase(self, state: Any, board: Board, family: str, values: dict[str, int]) -> str:
        hedge = values.get("hedge", 0) + 1
        flower = KIND_NAMES[values.get("flower", 0)]
        return {
            "return_flower": f"returns a {flower}",
            "return_palace": f"returns from the market to {board['entrances'][values.get('entrance', 0)]['name']}",
            "girl_drop": f"puts the flower down in hedge {hedge}",
            "place_flower": f"places a {flower} in hedge {hedge}",
            "place_pot": "places a flowerpot",
            "place_fountain": "places a fountain",
            "flip_flower": f"turns a flower in hedge {hedge} to scored",
            "stand": f"drives to stand {values.get('stand', 0) + 1} of the market",
            "announce": "announces thirteen courtyards" if values.get("answer") else "keeps silent",
            "honk": "honks" if values.get("answer") else "lets the card stand",
            "done": "stops walking" if state.phase == Phase.GIRL else "places nothing more",
        }[family]

    def place(self, state: Any, action: int) -> str | tuple[str, ...]:
        """Courtyards, hedges, doorways, entrances and stands on the board; own cards and flowers beside it."""
        family, values = ACTIONS.decode(action)
        c = int(state.pawn[state.seat])
        if family == "flip_flower":
            c = int(state.marquise)
        if "hedge" in values:
            return f"hedge:{c}:{values['hedge']}"
        if family == "return_flower":
            return f"flower:{values['flower']}"
        if family in ("place_pot", "place_fountain"):
            return f"{family[6:]}s:{c}"
        name, value = next(iter(values.items()), ("", 0))
        return f"{name}:{value}" if name in ("card", "court", "entrance", "doorway", "stand") else ""

    def _headline(self, state: Any) -> str:
        if state.over:
            most = max(state.score[p] for p in range(state.seats))
            winners = [f"player_{p}" for p in range(state.seats) if state.score[p] == most]
            return f"{' and '.join(winners)} won with {most}"
        card = CARD_NAMES[state.card] if state.card != NONE else ""
        what = {
            Phase.RETURN_FLOWER: "returns a flower", Phase.FIRST_CARD: "picks a first card",
            Phase.ENTRANCE: "comes back from the market", Phase.CARD: "plays a card",
            Phase.HONK: f"may honk at player_{state.turn_of}'s {card}", Phase.MOVE: f"moves with the {card}",
            Phase.PLACE: f"may place {state.left} more", Phase.GIRL: f"walks with the Girl, {self._steps(state)}",
            Phase.MARQUISE: "moves the Marquise", Phase.FLIP: "turns a flower to scored",
            Phase.MARQUIS: "moves the Marquis", Phase.DOOR: "moves the door", Phase.STAND: "drives to the market",
            Phase.ANNOUNCE: "may announce thirteen courtyards",
        }[Phase(state.phase)]  # fmt: skip
        last = f"final round, {state.final_turns} turns left" if state.final_turns else f"round {self._round(state)}"
        return f"{last}: player_{state.seat} {what}"

    def _steps(self, state: Any) -> str:
        carried = f", carries a {KIND_NAMES[state.carried_kind]}" if state.carried_owner != NONE else ""
        return f"{state.left} steps left{carried}"

    def _round(self, state: Any) -> int:
        return int(state.turns) // int(state.seats) + 1

    # --- text ---------------------------------------------------------------------------------------

    def text(self, state: Any, seat: int | None = None) -> str:
        """The position in some thirty lines. A flower is its owner's number, with ' once it is scored."""
        board = self.board
        one, other = board["doorways"][state.door]["courts"]
        lines = [
            f"Palace of Viana  {self._headline(state)}",
            f"the door closes {one}-{other}; an owner's number with ' is a scored decoration, . is a free spot",
        ]
        lines += [self._court_line(state, board, c) for c in range(COURTS)]
        stands = "   ".join(
            f"{i + 1}: {self._letters(state.stand[i]) or '-'}{self._visitors(state, i)}" for i in range(STANDS)
        )
        lines.append(f"market  {stands}   bag {state.bag_size}: {self._counts(state.bag)}")
        if state.seats == 2:
            shown = CARD_NAMES[state.restriction] if state.restriction != NONE else "none"
            lines.append(f"restriction card: {shown}, {state.restriction_deck_size} in the deck")
        if state.carried_owner != NONE:
            lines.append(f"the Girl carries player_{state.carried_owner}'s {KIND_NAMES[state.carried_kind]}")
        lines += [self._seat_line(state, board, p, seat) for p in range(state.seats)]
        return "\n".join(lines + (columns(self.sheet(state)) if state.over else []))

    def points(self, state: Any) -> list[str]:
        """Points, as on the track."""
        return [f"{state.score[p]} point{'s' * (state.score[p] != 1)}" for p in range(state.seats)]

    def sheet(self, state: Any) -> list[list[object]]:
        """What each seat's points are made of (VIA-160, VIA-161)."""
        seats = range(state.seats)
        flowers = [GARDEN_POINTS * int(unscored_flowers(state, p, GARDEN)) for p in seats]
        courts = [int(COURT_POINTS[state.courts[p]]) for p in seats]
        return [
            ["points of player", *seats],
            ["during the game", *(int(state.score[p]) - flowers[p] - courts[p] for p in seats)],
            ["flowers left in the Garden", *flowers],
            ["courtyards decorated", *courts],
            ["sum", *(int(state.score[p]) for p in seats)],
        ]

    def _court_line(self, state: Any, board: Board, c: int) -> str:
        hedges = []
        for h, hedge in enumerate(board["courtyards"][c]["hedges"]):
            kind = state.hedge_kind[c, h]
            letter = KIND_LETTERS[kind] if kind != NONE else "-"
            hedges.append(letter + _spots(self._flowers(state, c, h), len(hedge["spots"])))
        hedges.append("=" + _spots(self._pots(state, c), state.pot_spots[c]))
        hedges.append("o" + _spots(self._fountains(state, c), state.fountain_spots[c]))
        guests = [name for name, at in (("Marquise", state.marquise), ("Marquis", state.marquis), ("Cat", state.cat))
                  if at == c]  # fmt: skip
        guests += [f"player_{p}" for p in range(state.seats) if state.pawn[p] == c]
        return f"{c + 1:2d} {board['courtyards'][c]['name']:<26} {' '.join(hedges):<46} {', '.join(guests)}".rstrip()

    def _letters(self, counts: Any) -> str:
        return "".join(KIND_LETTERS[k] * int(counts[k]) for k in range(KINDS))

    def _counts(self, counts: Any) -> str:
        return " ".join(f"{int(counts[k])}{KIND_LETTERS[k]}" for k in range(KINDS))

    def _visitors(self, state: Any, i: int) -> str:
        return "".join(f" (player_{p})" for p in range(state.seats) if state.pawn[p] == MARKET + i)

    def _seat_line(self, state: Any, board: Board, p: int, seat: int | None) -> str:
        mark = ">" if p == state.seat and not state.over else " "
        cards = hand_of(state, p, seat)
        hand = " ".join(SHORT[k] for k in cards) if cards is not None else f"{state.held[p]} cards"
        top = f"{CARD_NAMES[state.top[p]]} (pile {pile_of(state, p)})" if state.top[p] != NONE else "none"
        if state.picked[p] != NONE:
            top = f"{CARD_NAMES[state.picked[p]]} (secret)" if seat in (None, p) else "a secret card"
        street = f" in {board['entrances'][state.pawn[p] - STREET]['name']}" if STREET <= state.pawn[p] < MARKET else ""
        return (
            f"{mark} player_{p}{street}  score {state.score[p]}, {counted(state.courts[p], 'courtyard')}  top: {top}"
            f"  hand: {hand}"
            f"  personal {self._counts(state.personal[p])}  common {self._counts(state.common[p])}"
        )

    # --- decorations, seat by seat ------------------------------------------------------------------

    def _flowers(self, state: Any, c: int, h: int) -> list[tuple[int, bool]]:
        return self._owned(state, state.flower[:, c, h], state.scored_flower[:, c, h])

    def _pots(self, state: Any, c: int) -> list[tuple[int, bool]]:
        return self._owned(state, state.pot[:, c], state.scored_pot[:, c])

    def _fountains(self, state: Any, c: int) -> list[tuple[int, bool]]:
        return self._owned(state, state.fountain[:, c], state.scored_fountain[:, c])

    def _owned(self, state: Any, unscored: Any, scored: Any) -> list[tuple[int, bool]]:
        """Owner and side of each token, as they fill the spots (VIA-021)."""
        return [(p, side) for p in range(state.seats) for side in (True, False)
                for _ in range(scored[p] if side else unscored[p])]  # fmt: skip

    # --- the picture --------------------------------------------------------------------------------

    def svg(self, state: Any, seat: int | None = None) -> str:
        """The palace, the market and the seats; hands of other seats lie face down."""
        board = self.board
        width, height = board["canvas"]
        picture = Picture(WIDTH, HEIGHT, PAPER)
        picture.text(24, 46, "Palace of Viana", 32, INK, bold=True)
        picture.text(330, 45, self._headline(state), 26, INK)
        picture.add(f'<g transform="translate(0 {TOP:g}) scale({SIZE / max(width, height):.4f})">')
        self._track(picture, state, width, height)
        self._palace(picture, state, board)
        picture.add("</g>")
        self._market(picture, state)
        for p in range(state.seats):
            self._seat(picture, state, p, SEATS_TOP + SEAT_HIGH * p, SEAT_HIGH, seat)
        below = SEATS_TOP + SEAT_HIGH * int(state.seats)
        if state.over:
            picture.sheet(LEFT, below + 4, ACROSS, 226, self.sheet(state), INK, CARD, RIM, size=20)
        else:
            self._cards(picture, state, seat, below)
        self._legend(picture)
        return picture.finish()

    def _track(self, picture: Picture, state: Any, width: float, height: float) -> None:
        spots = list(_track_spots(width, height))
        for i, (x, y) in enumerate(spots):
            five = (i + 1) % 5 == 0
            picture.box(x - 21, y - 21, 42, 42, "#eadbb9" if five else "#f1e7d0", "#d9c7a0", round=5, thick=1.5)
            if five:
                picture.text(x, y + 8, str(i + 1), 21, FAINT, middle=True, bold=True)
        places: dict[tuple[float, float], list[int]] = {}
        for p in range(state.seats):
            score = int(state.score[p])
            at = spots[(score - 1) % TRACK] if score != 0 else (spots[0][0] + 44, spots[0][1] + 44)
            places.setdefault(at, []).append(p)
        for (x, y), seats in places.items():
            for i, p in enumerate(seats):
                angle = i - (len(seats) - 1) / 2
                picture.circle(x + 9 * angle, y - 5 * angle, 14, SEAT_PAINT[p], "#ffffff", 3)

    def _palace(self, picture: Picture, state: Any, board: Board) -> None:
        for c, court in enumerate(board["courtyards"]):
            x0, y0, x1, y1 = court["rect"]
            with picture.place(f"court:{c}"):
                picture.box(x0, y0, x1 - x0, y1 - y0, LAWN if court["id"] == COURTS else COURT, WALL, thick=9)
        for d, doorway in enumerate(board["doorways"]):
            with picture.place(f"doorway:{d}"):
                x, y = doorway["pos"]
                picture.circle(x, y, 30, "none")
                self._gap(picture, doorway["pos"], doorway["wall"] == "v", COURT, 13, 20)
                if d == state.door:
                    self._gap(picture, doorway["pos"], doorway["wall"] == "v", DOOR, 17, 22)
        for i, entrance in enumerate(board["entrances"]):
            self._entrance(picture, state, entrance, i)
        for c, court in enumerate(board["courtyards"]):
            with picture.place(f"court:{c}"):
                picture.text(*self._number_spots[c], str(court["id"]), 38, NUMBER, middle=True, bold=True)
                self._court(picture, state, court, c)
                self._people(picture, state, c, *court["anchor"])

    def _entrance(self, picture: Picture, state: Any, entrance: Board, i: int) -> None:
        """The gap in the wall, and the pawns in the street before it."""
        x, y = entrance["outside"]
        dx, dy = x - entrance["pos"][0], y - entrance["pos"][1]
        with picture.place(f"entrance:{i}"):
            picture.circle(x, y, 40, "none")
            self._gap(picture, entrance["pos"], abs(dx) >= abs(dy), PAPER, 13, 24)
            pawns = [p for p in range(state.seats) if state.pawn[p] == STREET + i]
            for j, p in enumerate(pawns):
                self._pawn(picture, x, y + 40 * (j - (len(pawns) - 1) / 2), p)

    def _gap(self, picture: Picture, at: list[float], upright: bool, paint: str, thick: float, half: float) -> None:
        x, y = at
        wide, high = (thick, 2 * half) if upright else (2 * half, thick)
        picture.box(x - wide / 2, y - high / 2, wide, high, paint, round=2)

    def _court(self, picture: Picture, state: Any, court: Board, c: int) -> None:
        for h, hedge in enumerate(court["hedges"]):
            spots = hedge["spots"]
            kind = state.hedge_kind[c, h]
            path = " ".join(f"{x:g},{y:g}" for x, y in [*spots, *spots[-1:]])
            with picture.place(f"hedge:{c}:{h}"):
                for paint, thick in (KIND_PAINT[kind] if kind != NONE else "#7fa56f", 34), (HEDGE, 29):
                    picture.add(f'<polyline points="{path}" fill="none" stroke="{paint}" stroke-width="{thick}" '
                                'stroke-linecap="round" stroke-linejoin="round"/>')  # fmt: skip
                self._tokens(picture, spots, self._flowers(state, c, h), kind, HEDGE)
        with picture.place(f"pots:{c}"):
            self._tokens(picture, court["flowerpots"], self._pots(state, c), POT, "#ecd9c4")
        with picture.place(f"fountains:{c}"):
            self._tokens(picture, court["fountains"], self._fountains(state, c), FOUNTAIN, "#cfeaf0")

    def _tokens(self, picture: Picture, spots: Any, tokens: list[tuple[int, bool]], kind: int, free: str) -> None:
        for i, (x, y) in enumerate(spots):
            if i < len(tokens):
                _token(picture, x, y, kind, *tokens[i])
            elif kind == POT:
                picture.box(x - 11, y - 11, 22, 22, free, KIND_PAINT[POT], round=4, thick=1.5)
            elif kind == FOUNTAIN and free != HEDGE:
                picture.circle(x, y, 12, free, KIND_PAINT[FOUNTAIN], 1.5)
            else:
                picture.circle(x, y, 11, "#c3dab4", "#8fb37f", 1.5)

    def _people(self, picture: Picture, state: Any, c: int, x: float, y: float) -> None:
        guests: list[Any] = [
            name for name, at in (("Q", state.marquise), ("K", state.marquis), ("C", state.cat)) if at == c
        ]
        guests += [p for p in range(state.seats) if state.pawn[p] == c]
        rows = [guests] if len(guests) <= 4 else [guests[:3], guests[3:]]
        for j, row in enumerate(rows):
            for i, who in enumerate(row):
                at = x + 35 * (i - (len(row) - 1) / 2), y + 40 * (j - (len(rows) - 1) / 2)
                if isinstance(who, str):
                    _figure(picture, *at, who)
                else:
                    self._pawn(picture, *at, who)

    def _pawn(self, picture: Picture, x: float, y: float, p: int) -> None:
        outline = (f"M{x - 13:.1f} {y + 19:.1f} L{x - 4:.1f} {y - 4:.1f} A10 10 0 1 1 {x + 4:.1f} {y - 4:.1f} "
                   f"L{x + 13:.1f} {y + 19:.1f}Z")  # fmt: skip
        picture.add(f'<path d="{outline}" fill="{SEAT_PAINT[p]}" stroke="{INK}" stroke-width="2.5" '
                    'stroke-linejoin="round"/>')  # fmt: skip
        picture.text(x, y + 15, str(p), 16, ON_PAWN[p], middle=True, bold=True)

    def _market(self, picture: Picture, state: Any) -> None:
        picture.box(LEFT, TOP, ACROSS, 188, TABLE, round=14)
        picture.text(LEFT + 12, TOP + 28, "market", 20, INK)
        if state.seats == 2 and state.restriction != NONE:
            picture.text(
                LEFT + 460, TOP + 28, f"banned: {CARD_NAMES[state.restriction]}", 19, DOOR, bold=True, end=True
            )
        for i in range(STANDS):
            x, y = LEFT + 10 + 77 * i, TOP + 40
            with picture.place(f"stand:{i}"):
                picture.box(x, y, 71, 140, "#fffaf0", "#c8b083", round=8)
                kinds = [k for k in range(KINDS) for _ in range(state.stand[i, k])]
                for j in range(STAND_SIZE[i]):
                    at = x + 19 + 33 * (j % 2), y + 22 + 35 * (j // 2)
                    if j < len(kinds):
                        _market_token(picture, *at, kinds[j])
                    else:
                        picture.circle(*at, 14, "#efe6d3", "#d9c7a0", 1.5)
                picture.text(x + 10, y + 131, str(i + 1), 18, FAINT, bold=True)
                for p in range(state.seats):
                    if state.pawn[p] == MARKET + i:
                        self._pawn(picture, x + 52, y + 113, p)
        picture.text(LEFT + 478, TOP + 28, f"bag {state.bag_size}", 20, INK, bold=True)
        for k in range(KINDS):
            at = LEFT + 492, TOP + 50 + 29 * k
            _market_token(picture, *at, k, 12)
            picture.text(at[0] + 20, at[1] + 7, str(int(state.bag[k])), 19, INK)

    def _seat(self, picture: Picture, state: Any, p: int, top: float, high: float, seat: int | None) -> None:
        due = p == state.seat and not state.over
        fill, line = ("#fffaf0", RIM) if due else (PAPER, "none")
        picture.box(LEFT, top + 2, ACROSS, high - 4, fill, line, round=12, thick=3)
        self._pawn(picture, LEFT + 26, top + 23, p)
        picture.text(LEFT + 48, top + 31, f"player_{p}", 22, INK, bold=due)
        if p == seat:
            picture.badge(LEFT + 164, top + 30, "you", INK, size=16)
        if p == state.first:
            picture.text(LEFT + 218, top + 30, "first", 18, FAINT)
        picture.text(LEFT + 418, top + 31, counted(state.courts[p], "courtyard"), 18, FAINT, end=True)
        picture.text(LEFT + ACROSS - 12, top + 31, counted(state.score[p], "point"), 22, INK, bold=True, end=True)
        self._top_card(picture, state, p, LEFT + 12, top + 44, seat)
        self._hand(picture, state, p, LEFT + 278, top + 46, seat)
        for x, name, counts in (12, "personal", state.personal[p]), (296, "common", state.common[p]):
            picture.text(LEFT + x, top + 106, name, 16, FAINT)
            for k in range(KINDS):
                at = LEFT + x + 86 + 39 * k, top + 100
                is_place = name == "personal" and p == (state.seat if seat is None else seat) and k < FLOWERS
                with picture.place(f"flower:{k}") if is_place else nullcontext():
                    _owned_token(picture, *at, k, p, dull=counts[k] == 0)
                    picture.text(at[0] + 13, at[1] + 7, str(int(counts[k])), 18, INK if counts[k] else FAINT)

    def _top_card(self, picture: Picture, state: Any, p: int, x: float, y: float, seat: int | None) -> None:
        """The card that lies on the pile: face down while it is secret."""
        if state.picked[p] != NONE:
            told = f"{CARD_NAMES[state.picked[p]]}, secret" if seat in (None, p) else "a secret card"
            picture.box(x, y, 256, 38, SECRET, "#ffffff", round=8, thick=2)
            picture.text(x + 12, y + 26, told, 18, "#ffffff", bold=True)
        elif state.top[p] == NONE:
            picture.box(x, y, 256, 38, "none", FAINT, round=8, dashed=True)
            picture.text(x + 12, y + 26, "no card played", 17, FAINT)
        else:
            picture.box(x, y, 256, 38, CARD, SEAT_PAINT[p], round=8, thick=3)
            name = CARD_NAMES[state.top[p]]
            picture.text(x + 12, y + 26, name, 18 if len(name) < 16 else 14, INK, bold=True)
            picture.text(x + 246, y + 26, f"pile {pile_of(state, p)}", 16, FAINT, end=True)

    def _hand(self, picture: Picture, state: Any, p: int, x: float, y: float, seat: int | None) -> None:
        """The cards in hand, small: backs, or the short names that the hand below explains."""
        cards = hand_of(state, p, seat)
        for i in range(len(cards) if cards is not None else state.held[p]):
            if cards is None:
                picture.card(x + 28 * i, y, 24, 34, BACK, round=5)
            else:
                picture.box(x + 28 * i, y, 26, 34, CARD, SEAT_PAINT[p], round=5, thick=2)
                picture.text(x + 28 * i + 13, y + 23, SHORT[cards[i]], 14, INK, middle=True, bold=True)

    def _cards(self, picture: Picture, state: Any, seat: int | None, top: float) -> None:
        """The hand of who looks, in words; a card that is not in it keeps its place, pale."""
        p = int(state.seat) if seat is None else seat
        picture.text(LEFT, top + 22, "your hand" if p == seat else f"the hand of player_{p}", 20, INK, bold=True)
        across, rows = (5, 2) if state.seats > 3 else (4, 3)
        wide, tall = (ACROSS + 6) / across, min(150.0, (HEIGHT - 46 - top - 32) / rows)
        for k in range(CARDS - 1 + int(state.poet)):
            x, y = LEFT + wide * (k % across), top + 32 + tall * (k // across)
            held = bool(state.hand[p, k])
            with picture.place(f"card:{k}") if held else nullcontext():
                fill, line = (CARD, SEAT_PAINT[p]) if held else ("none", FAINT)
                picture.box(x, y, wide - 6, tall - 6, fill, line, round=8, thick=3 if held else 1.5, dashed=not held)
                self._card_words(picture, x, y, wide - 6, tall - 6, k, held)

    def _card_words(self, picture: Picture, x: float, y: float, wide: float, tall: float, k: int, held: bool) -> None:
        """A card's name, what it does, and the letters that stand for it."""
        size, paint = wide / 108, INK if held else FAINT
        for i, word in enumerate(CARD_NAMES[k].split()):
            letters = size * min(17.0, 132.0 / len(word))
            picture.text(x + 8, y + size * (20 + 18 * i), word, letters, paint, bold=held)
        picture.text(x + wide - 7, y + tall - 4, SHORT[k], 12 * size, FAINT, end=True)
        for i, deed in enumerate(DEEDS[k].split("/")):
            picture.text(x + 8, y + tall - size * (36 - 16 * i), deed, size * min(13.0, 158.0 / len(deed)), paint)

    def _legend(self, picture: Picture) -> None:
        """What tokens and figures are."""
        y = HEIGHT - 24
        x = 34.0
        for k in range(KINDS):
            words = f"{KIND_NAMES[k]}, {POINTS[k]}"
            _market_token(picture, x, y, k)
            picture.text(x + 22, y + 6, words, 17, INK)
            x += 22 + 10 * len(words) + 18
        for who, name in (("Q", "Marquise"), ("K", "Marquis"), ("C", "Cat")):
            _figure(picture, x, y, who)
            picture.text(x + 24, y + 6, name, 17, INK)
            x += 24 + 10 * len(name) + 24
        _token(picture, x, y, POT, 0, False)
        picture.text(x + 20, y + 6, "not scored", 17, INK)
        _token(picture, x + 132, y, POT, 0, True)
        picture.text(x + 152, y + 6, "scored", 17, INK)
        self._gap(picture, [x + 240, y], False, DOOR, 17, 22)
        picture.text(x + 268, y + 6, "the closed door", 17, INK)


def _spots(tokens: list[tuple[int, bool]], places: int) -> str:
    """Owners of the tokens in a row of spots, marked once scored, and dots for free spots."""
    shown = "".join(f"{p}'" if scored else str(p) for p, scored in tokens)
    return f"[{shown}{'.' * (places - len(tokens))}]"


# --- small shapes -----------------------------------------------------------------------------------


def _track_spots(width: float, height: float) -> Iterator[tuple[float, float]]:
    """The middle of each space, clockwise from the top left corner."""
    across, down = (width - 50) / TRACK_SIDE, (height - 50) / TRACK_SIDE
    for i in range(TRACK):
        side, j = divmod(i, TRACK_SIDE)
        yield [(25 + across * j, 25.0), (width - 25, 25 + down * j), (width - 25 - across * j, height - 25),
               (25.0, height - 25 - down * j)][side]  # fmt: skip


def _number_spot(court: Board, passages: list[list[float]]) -> tuple[float, float]:
    """Where the number of a courtyard is least in the way of tokens, pawns and passages."""
    x0, y0, x1, y1 = court["rect"]
    x, y = court["anchor"]
    taken = [*court["flowerpots"], *court["fountains"], *(spot for hedge in court["hedges"] for spot in hedge["spots"])]
    taken += [*passages, [x, y - 10], [x, y + 10], [x - 35, y], [x + 35, y]]
    grid = [(x0 + (x1 - x0) * i / 12, y0 + (y1 - y0) * j / 12) for i in range(13) for j in range(13)]
    inside = [at for at in grid if x0 + 36 <= at[0] <= x1 - 36 and y0 + 32 <= at[1] <= y1 - 32] or [(x, y)]
    best = max(inside, key=lambda at: min((at[0] - tx) ** 2 + (at[1] - ty) ** 2 for tx, ty in taken))
    return best[0], best[1] + 14


def _token(picture: Picture, x: float, y: float, kind: int, p: int, scored: bool) -> None:
    """A decoration: the owner's colour, a white ring while unscored, the kind inside (VIA-004)."""
    picture.circle(x, y, 13.5, SEAT_PAINT[p], "#ffffff" if not scored else INK, 3.5 if not scored else 1)
    _mark(picture, x, y, kind, "#ffffff" if not scored else SEAT_PAINT[p], scored)


def _mark(picture: Picture, x: float, y: float, kind: int, rim: str, scored: bool) -> None:
    paint = KIND_PAINT[kind]
    if scored:
        picture.line(x - 6, y - 6, x + 6, y + 6, "#ffffff", 3)
        picture.line(x - 6, y + 6, x + 6, y - 6, "#ffffff", 3)
    elif kind == POT:
        picture.polygon([(x - 7, y - 6), (x + 7, y - 6), (x + 4, y + 7), (x - 4, y + 7)], paint, rim, 1.5)
    elif kind == FOUNTAIN:
        picture.polygon([(x, y - 8), (x + 7, y + 3), (x, y + 8), (x - 7, y + 3)], paint, rim, 1.5)
    else:
        picture.circle(x, y, 6.5, paint, rim, 1.5)


def _market_token(picture: Picture, x: float, y: float, kind: int, radius: float = 15) -> None:
    """A neutral token: white, the kind inside."""
    picture.circle(x, y, radius, "#ffffff", FAINT, 1.5)
    _mark(picture, x, y, kind, INK, False)


def _owned_token(picture: Picture, x: float, y: float, kind: int, p: int, dull: bool) -> None:
    if dull:
        picture.circle(x, y, 11, "none", "#cbbfa8", 1.5)
    else:
        picture.circle(x, y, 12, SEAT_PAINT[p], "#ffffff", 2)
        _mark(picture, x, y, kind, "#ffffff", False)


def _figure(picture: Picture, x: float, y: float, who: str) -> None:
    """Marquise and Marquis as crowned chessmen, the Cat as a cat."""
    if who == "C":
        outline = (-14, -16), (-2, -9), (2, -9), (14, -16), (13, 6), (0, 15), (-13, 6)
        picture.polygon([(x + dx, y + dy) for dx, dy in outline], "#2f2a26", "#ffffff", 2)
        picture.circle(x - 5.5, y - 1, 2.6, "#f4cf3a")
        picture.circle(x + 5.5, y - 1, 2.6, "#f4cf3a")
        return
    fill = "#b0126d" if who == "Q" else "#123f7a"
    picture.box(x - 17, y - 17, 34, 34, fill, "#ffffff", round=9, thick=2.5)
    points = (
        [(-10, 9), (-13, -7), (-6, -1), (0, -11), (6, -1), (13, -7), (10, 9)]
        if who == "Q"
        else [(-10, 9), (-10, -3), (-3, -3), (-3, -11), (3, -11), (3, -3), (10, -3), (10, 9)]
    )
    picture.polygon([(x + dx, y + dy) for dx, dy in points], "#ffffff")
