"""Lisboa: the position as text and as a picture."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Any

from alarife.engine.game import Display
from alarife.engine.sheet import columns, counted
from alarife.engine.svg import FONT, Picture

from . import words
from .actions import ACTIONS
from .components import (
    ACT_NAMES,
    ARCHITECTS,
    CLERGY_SLOTS,
    COLUMNS,
    DECK_NAMES,
    DECKS,
    DECREE_DISPLAY,
    EAST,
    FIRST_SHIP,
    GOOD_NAMES,
    GOODS,
    HAND_SIZE,
    MOST_CLERGY,
    MOST_PLANS,
    NOBLE_NAMES,
    NOBLES,
    NONE,
    NORTH,
    RANK_NAMES,
    ROW_NAMES,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIP_NAMES,
    SHIPS,
    STREETS,
    Act,
    Side,
    Step,
)
from .rules.church import slot_behind
from .rules.city import land_cost
from .rules.decrees import decree_value, ships_of, stores_on
from .rules.end import CRITERIA, final_wigs, hired_by, share
from .rules.means import portfolio_influence, purse, sets_of
from .rules.portfolio import load_of

PAPER, INK, FAINT, LAND, EMPTY, ROAD = "#f7f1e3", "#2a2622", "#5b5347", "#e7dcc3", "#f3ead6", "#d3c4a4"
HUMAN, LACERDA, NEUTRAL = "#1f5fa8", "#b3322b", "#6d6a63"
SIDES = HUMAN, LACERDA, NEUTRAL
GOOD_PAINT = "#dba52a", "#a83f76", "#387246", "#536475"
ON_GOOD = INK, "#ffffff", "#ffffff", "#ffffff"
KIND_PAINT = "#8a5a2b", "#3e6a8a", "#7a3f7d", "#5c7a2f"
RUBBLE_PAINT = "#7d5a3c", "#d4512d", "#2f86a8"
STACK_PAINT = "#2c5896", "#296539"
SHIP_PAINT = "#2c5896", "#b3322b", "#7a3f7d", "#7d5a3c"

CELL, ROAD_WIDTH, ROW_HEIGHT, LEFT, TOP = 106, 40, 104, 136, 212
WIDTH, HEIGHT = 1984, 1168
SIDE = 984  # from the left half to the right one
#: Actions with one number, and the places that they are clicked at.
PLACES = {
    "main": "hand", "hand_discard": "hand", "top_discard": "top", "bottom_discard": "bottom", "state": "act",
    "build": "space", "decree": "decree", "use_plan": "plan", "site": "site", "take_plan": "next_plan",
    "office": "office", "ship_pay": "good", "clergy": "clergy", "favor": "favor", "good_any": "good",
    "price_up": "price", "draw": "deck", "start_clergy": "start",
}  # fmt: skip


def in_words(text: str) -> str:
    """Short words of cards at length: ``i2`` is influence 2, ``4w`` 4 wigs."""
    text = re.sub(r"\bi(\d+)\b", r"influence \1", text)
    text = re.sub(r"(\d+)w\b", lambda match: f"{match[1]} wig{'s' * (match[1] != '1')}", text)
    return re.sub(r"\bpb\b", "buildings", re.sub(r"\bcol\b", "column", text))


class LisboaDisplay(Display):
    """Everything that Lisboa shows a person; nothing on the table is hidden from H."""

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook."""
        return in_words(words.phrase(state, action))

    def place(self, state: Any, action: int) -> str | tuple[str, ...]:
        """Cards, tiles and spaces by where they lie; to sell or trade, first the good, then the ship or the deed."""
        family, v = ACTIONS.decode(action)
        if family in PLACES:
            return f"{PLACES[family]}:{next(iter(v.values()))}"
        if family in ("sell", "trade"):
            return f"good:{v['good']}", f"ship:{v['ship']}" if family == "sell" else f"act:{v['act']}"
        if family == "noble":
            return f"noble:{state.arg}"
        if family == "cube":
            line = f"row:{state.arg // COLUMNS}" if v["row"] else f"column:{state.arg % COLUMNS}"
            return f"rubble:{line}:{v['kind']}"
        if family == "pile_cube":
            return f"rubble:pile:{v['kind']}"
        if family == "hire":
            return f"office:{v['source']}" if v["source"] < NOBLES else "plaza"
        if family == "cardinal":
            slot = (state.cardinal + v["steps"] + 1) % CLERGY_SLOTS
            return f"church:{slot_behind(slot) if v['behind'] else slot}"
        return ""

    # --- text -------------------------------------------------------------------------------------

    def story(self, state: Any) -> list[str]:
        """Lacerda's last turn, step by step."""
        return words.story(state)

    def text(self, state: Any, seat: int | None = None) -> str:
        """The position in about forty short lines."""
        then = "; ".join(words.still_to_do(state))
        you = words.human(seat)
        lines = [f"LISBOA  {words.headline(state, seat)}", *([f"then  {then}"] if then and not state.over else []),
                 *self._text_of_sides(state, you), *self._text_of_city(state, you),
                 *self._text_of_court(state, you), *self._text_of_hand(state), "Lacerda"]  # fmt: skip
        lines += [f"  {line}" for line in words.story(state, seat)]
        if state.over:
            lines += ["", *columns(self.sheet(state, you)), *(f"  {line}" for line in self._ranks(state))]
        return "\n".join(lines)

    def points(self, state: Any) -> list[str]:
        """Wigs, and the rank at the end."""
        rank = f", {RANK_NAMES[state.rank]}" if state.over else ""
        return [f"{counted(state.wigs[Side.HUMAN], 'wig')} to Lacerda's {state.wigs[Side.LACERDA]}{rank}"]

    def sheet(self, state: Any, you: str = "player_0") -> list[list[object]]:
        """What the wigs of both sides are made of (LIS-255 to LIS-271)."""
        t, both = state.tables, (Side.HUMAN, Side.LACERDA)
        streets = [sum(self._street_wigs(state, side, k) for k in range(STREETS)) for side in both]
        hired = [int(share(hired_by(state, side), hired_by(state, 1 - side), t.officials_first, t.officials_second))
                 for side in both]  # fmt: skip
        favors = [int(t.wigs_per_favor) * sum(int(n) for n in state.favor[side]) for side in both]
        mine = sum(int(decree_value(state, d)) for d in range(1, len(state.decree_owner))
                   if state.decree_owner[d] == Side.HUMAN)  # fmt: skip
        cubes = int(t.lacerda_wigs_per_cube) * sum(int(n) for n in state.cubes[1])
        return [
            ["wigs", you, "Lacerda"],
            ["during the game", *(int(state.wigs[side]) - int(final_wigs(state, side)) for side in both)],
            ["ships", *(int(ships_of(state, side, True)) for side in both)],
            ["stores in the streets", *streets],
            ["officials hired", *hired],
            ["royal favors", *favors],
            ["rubble", int(t.wigs_per_rubble_set) * int(sets_of(state)), cubes],
            ["reis and influence", int(purse(state, state.reis, state.influence[0])) // int(t.reis_per_wig), 0],
            ["decrees", mine, int(t.lacerda_wigs_per_decree) * int(state.decrees_held[1])],
            ["sum", int(state.wigs[0]), int(state.wigs[1])],
        ]

    def _street_wigs(self, state: Any, side: int, k: int) -> int:
        tile, t = state.scoring_tile[k], state.tables
        first, second = t.majority_first[tile], t.majority_second[tile]
        return int(share(stores_on(state, side, k), stores_on(state, 1 - side, k), first, second))

    def _ranks(self, state: Any) -> list[str]:
        """What each rank would still have asked for."""
        lines = []
        for r, name in enumerate(RANK_NAMES):
            missing = [words for k, words in enumerate(CRITERIA) if not state.met[r] >> k & 1]
            lines.append(f"{name}: {'all conditions met' if not missing else 'not met: ' + ', '.join(missing)}")
        return lines

    def _text_of_sides(self, state: Any, you: str) -> list[str]:
        lines = []
        for side, name in enumerate((you, "Lacerda")):
            cubes = "/".join(str(state.cubes[side, k]) for k in range(RUBBLE))
            offices = " ".join(str(state.office[side, n]) for n in range(NOBLES))
            favors = "".join(NOBLE_NAMES[n][0].upper() for n in range(NOBLES) if state.favor[side, n]) or "-"
            lines.append(f"{name:8} wigs {state.wigs[side]:3d}  influence {state.influence[side]:2d}  houses "
                         f"{state.houses[side]}  officials {state.officials[side]}  offices {offices}  hired "
                         f"{hired_by(state, side)}  rubble {cubes}  decrees {state.decrees_held[side]}  "
                         f"favors {favors}")  # fmt: skip
        goods = "  ".join(f"{name} {state.goods[g]}" for g, name in enumerate(GOOD_NAMES))
        prices = "  ".join(f"{name} {state.price[g]}" for g, name in enumerate(GOOD_NAMES))
        lines.append(f"reis {state.reis}  {goods}  sets {sets_of(state)}  plaza {state.plaza}   prices  {prices}")
        return lines

    def _text_of_city(self, state: Any, you: str) -> list[str]:
        t, who = state.tables, f"{you[0].upper()}L-"
        tops = "   ".join(f"{words.site_name(NORTH + k)} {self._short_building(state, NORTH + k, who)}"
                          for k in range(STREETS))  # fmt: skip
        streets = "  ".join(f"{GOOD_NAMES[t.street_good[k]]} {t.majority_first[state.scoring_tile[k]]}/"
                            f"{t.majority_second[state.scoring_tile[k]]}" for k in range(STREETS))  # fmt: skip
        lines = [f"city   {tops}   streets {streets}"]
        for r in range(ROWS):
            cells = " ".join(self._short_space(state, r * COLUMNS + c, who) for c in range(COLUMNS))
            cubes = "".join("EFT"[k] * state.row_cubes[r, k] for k in range(RUBBLE)) or "-"
            west, east = (self._short_building(state, site, who) for site in (3 - r, EAST + r))
            lines.append(f"  {ROW_NAMES[r]} {west:>8} | {cells} | {east:<8} rubble {cubes}")
        columns = " ".join(("".join("EFT"[k] * state.column_cubes[c, k] for k in range(RUBBLE)) or "-").center(5)
                           for c in range(COLUMNS))  # fmt: skip
        return [*lines, f"             {columns}   pile "
                + ("".join("EFT"[k] * state.pile[k] for k in range(RUBBLE)) or "-")]  # fmt: skip

    def _short_space(self, state: Any, space: int, who: str) -> str:
        if state.store_owner[space] == NONE:
            return f"({land_cost(state, space):2d}) "
        street = state.store_street[space]
        arrow = ">" if street == space % COLUMNS else "<"
        return f"{who[state.store_owner[space]]}{arrow}{GOOD_NAMES[state.tables.street_good[street]][:2]} "

    def _short_building(self, state: Any, site: int, who: str) -> str:
        if state.site_tile[site] == NONE:
            return "".join("EFT"[k] * state.site_cubes[site, k] for k in range(RUBBLE))
        pays = "".join(f"{GOOD_NAMES[g][0]}{state.tables.tile_pays[state.site_tile[site], g]}" for g in range(GOODS)
                       if state.tables.tile_pays[state.site_tile[site], g])  # fmt: skip
        return f"{who[state.site_owner[site]]}:{pays}"

    def _text_of_court(self, state: Any, you: str) -> list[str]:
        t = state.tables
        decks = "   ".join(f"{words.card_name(state, state.deck_top[d])} (+{state.deck_size[d]})" for d in range(DECKS))
        tiles = [words.tile_name(state, tile) if tile != NONE else "-" for tile in state.church_slot]
        tiles[state.cardinal] = f"*{tiles[state.cardinal]}"
        ships = "  ".join(f"{SHIP_NAMES[i]} {(you, 'Lacerda', 'yard')[state.ship_place[i]]} "
                          f"{load_of(state, i)}/{t.ship_size[i]}{' at sea' if state.ship_at_sea[i] else ''}"
                          for i in range(SHIPS) if state.ship_place[i] != NONE)  # fmt: skip
        return [
            f"treasury level {state.treasury}: {t.treasury_influence[state.treasury]} influence, "
            f"{t.treasury_reis[state.treasury]} reis   ships {ships or '-'}",
            f"courtier {NOBLE_NAMES[state.courtier]}   Helper {DECK_NAMES[state.helper]}   decks  {decks}",
            f"church  {'  '.join(tiles)}",
            "plans  " + ", ".join(words.plan_name(state, state.plan_top[a]) for a in range(ARCHITECTS))
            + "   buildings  " + ", ".join(words.building_name(state, state.tile_top[a]) for a in range(ARCHITECTS)),
            "decrees  " + "; ".join(words.decree_name(state, d) for d in state.decree_display if d),
            *(f"{words.decrees_title(name)}  {'; '.join(words.decrees_of(state, side)) or '-'}"
              for side, name in enumerate((you, "Lacerda"))),
        ]  # fmt: skip

    def _text_of_hand(self, state: Any) -> list[str]:
        lines = [f"hand  {' | '.join(words.card_name(state, state.hand[i]) for i in range(state.hand_size))}"]
        top = " | ".join(words.card_name(state, card) for card in state.top)
        bottom = " | ".join(words.card_name(state, card) for card in state.bottom)
        lines.append(f"portfolio  {top}  //  {bottom}")
        plans = ", ".join(words.plan_name(state, state.plans[i]) for i in range(state.plans_held)) or "-"
        clergy = ", ".join(words.tile_name(state, state.clergy[i]) for i in range(state.clergy_held)) or "-"
        return [*lines, f"plans  {plans}   clergy  {clergy}"]

    # --- picture ----------------------------------------------------------------------------------

    def svg(self, state: Any, seat: int | None = None) -> str:
        """The city and H's things on the left; court, display, church, decrees and Lacerda's turn on the right."""
        picture = Picture(WIDTH, HEIGHT, PAPER)
        self._head(picture, state, seat)
        self._city(picture, state, "P" if seat is None else "you")
        self._human(picture, state, 738)
        picture.add(f'<g transform="translate({SIDE} 0)">')
        if state.over:
            self._end(picture, state, 98, seat)
        else:
            self._court(picture, state, 98)
            self._market(picture, state, 366)
        self._church(picture, state, 512)
        self._decrees(picture, state, 630)
        self._told(picture, state, 812, seat)
        picture.add("</g>")
        return picture.finish()

    def _head(self, picture: Picture, state: Any, seat: int | None) -> None:
        picture.text(28, 50, "Lisboa", 36, INK, bold=True)
        for side, (name, x, width) in enumerate(((words.human(seat), 190, 256), ("Lacerda", 456, 256))):
            picture.box(x, 16, width, 46, SIDES[side], round=10)
            picture.text(x + 12, 47, name, 22, "#ffffff", bold=True)
            picture.text(x + width - 12, 47, counted(state.wigs[side], "wig"), 22, "#ffffff", bold=True, end=True)
        picture.text(SIDE + 16, 48, words.headline(state, seat), 26, INK, bold=True)
        then = "; ".join(words.still_to_do(state)) if not state.over else ""
        if then:
            picture.text(SIDE + 16, 82, f"then: {then}", min(19, 1640 / len(then)), INK)

    # city

    def _city(self, picture: Picture, state: Any, you: str) -> None:
        picture.box(16, 98, 968, 628, LAND, round=16)
        bottom = TOP + ROWS * ROW_HEIGHT
        for k in range(STREETS):
            x = LEFT + CELL + k * (CELL + ROAD_WIDTH)
            picture.box(x + 2, TOP - 8, ROAD_WIDTH - 4, ROWS * ROW_HEIGHT + 8, ROAD, round=4)
            paint = GOOD_PAINT[state.tables.street_good[k]]
            picture.box(x + 12, bottom - 26, 16, 16, paint, "#ffffff", round=3, thick=1)
            self._upright(picture, x + ROAD_WIDTH / 2 + 7, TOP + ROWS * ROW_HEIGHT / 2 - 10, self._street(state, k))
            self._site(picture, state, NORTH + k, x + ROAD_WIDTH / 2 - 56, 108)
        for r in range(ROWS):
            y = TOP + r * ROW_HEIGHT
            self._site(picture, state, 3 - r, 20, y)
            self._site(picture, state, EAST + r, 868, y)
            for c in range(COLUMNS):
                self._space(picture, state, r * COLUMNS + c, LEFT + c * (CELL + ROAD_WIDTH), y, you)
            at = LEFT + CELL * 5 + ROAD_WIDTH * 4 + 10
            self._cubes(picture, state.row_cubes[r], at, y + 12, f"row:{r}", down=True)
        for c in range(COLUMNS):
            self._cubes(picture, state.column_cubes[c], LEFT + c * (CELL + ROAD_WIDTH) + 22, bottom + 6, f"column:{c}")
        picture.text(28, bottom + 72, "rubble pile", 20, INK)
        self._cubes(picture, state.pile, 150, bottom + 55, "pile")
        for a in range(ARCHITECTS):
            self._next_building(picture, state, a, 306 + 340 * a, bottom + 60)

    def _street(self, state: Any, k: int) -> str:
        tile = state.scoring_tile[k]
        first, second = state.tables.majority_first[tile], state.tables.majority_second[tile]
        return f"{GOOD_NAMES[state.tables.street_good[k]]}: most stores {first}, second {second} wigs"

    def _upright(self, picture: Picture, x: float, y: float, text: str) -> None:
        picture.add(f'<text x="{x:.1f}" y="{y:.1f}" font-family="{FONT}" font-size="19" fill="{INK}" '
                    f'text-anchor="middle" transform="rotate(-90 {x:.1f} {y:.1f})">{text}</text>')  # fmt: skip

    def _cubes(self, picture: Picture, counts: Any, x: float, y: float, line: str = "", *, down: bool = False) -> None:
        i = 0
        for k in range(RUBBLE):
            for _ in range(counts[k]):
                dx, dy = (0, 24 * i) if down else (24 * i, 0)
                with picture.place(f"rubble:{line}:{k}") if line else nullcontext():
                    picture.box(x + dx, y + dy, 20, 20, RUBBLE_PAINT[k], "#ffffff", round=3, thick=1)
                i += 1

    def _space(self, picture: Picture, state: Any, space: int, x: float, y: float, you: str) -> None:
        owner, t = state.store_owner[space], state.tables
        with picture.place(f"space:{space}"):
            picture.box(x, y, CELL, ROW_HEIGHT - 12, EMPTY, "#c9b994", round=8, thick=1.5)
            if owner == NONE:
                picture.text(x + 8, y + 26, words.space_name(space), 19, FAINT)
                picture.text(x + CELL - 8, y + 28, f"{land_cost(state, space)} reis", 15.5, INK, bold=True, end=True)
                reward = words.effect_name(t.space_effect[space], t.space_n[space], t.space_good[space])
                picture.text(x + CELL / 2, y + 68, reward, 19 if len(reward) < 11 else 17, INK, middle=True)
                return
            street = state.store_street[space]
            right = street == space % COLUMNS
            mid, top, low = x + CELL / 2, y + 14, y + 78
            picture.polygon([(mid - 30, top + 26), (mid, top), (mid + 30, top + 26), (mid + 30, low), (mid - 30, low)],
                            SIDES[owner])  # fmt: skip
            name = you if owner == Side.HUMAN else "L"
            edge = mid + 34 if right else mid - 34
            tip = edge + (16 if right else -16)
            picture.polygon([(edge, y + 34), (tip, y + 48), (edge, y + 62)], GOOD_PAINT[t.street_good[street]])
            picture.text(mid, low - 14, name, 24 if len(name) == 1 else 19, "#ffffff", bold=True, middle=True)

    def _site(self, picture: Picture, state: Any, site: int, x: float, y: float) -> None:
        tile, t = state.site_tile[site], state.tables
        with picture.place(f"site:{site}"):
            if tile != NONE:
                paint = STACK_PAINT[t.tile_architect[tile // 2]]
                picture.box(x, y, 112, 92, paint, SIDES[state.site_owner[site]], round=8, thick=6)
                self._pays(picture, state, tile, x + 12, y + 7, 0, 20, 88)
                return
            picture.box(x, y, 112, 92, "none", FAINT, round=8, dashed=True)
            picture.text(x + 8, y + 26, words.site_name(site), 19, FAINT)
            self._cubes(picture, state.site_cubes[site], x + 54, y + 10)
            reward = words.effect_name(t.site_effect[site], t.site_n[site], t.site_good[site])
            picture.text(x + 56, y + 68, reward, 17, INK, middle=True)

    def _pays(self, picture: Picture, state: Any, tile: int, x: float, y: float, dx: float, dy: float,
              wide: float) -> None:  # fmt: skip
        """Goods that a public building pays wigs for."""
        shown = [g for g in range(GOODS) if state.tables.tile_pays[tile, g]]
        for i, g in enumerate(shown):
            left, top = x + dx * i, y + dy * i
            picture.box(left, top, wide, 19, GOOD_PAINT[g], "#ffffff", round=5, thick=1)
            picture.text(left + wide / 2, top + 14.5, f"{GOOD_NAMES[g]} {state.tables.tile_pays[tile, g]}", 13.5,
                         ON_GOOD[g], middle=True)  # fmt: skip

    def _next_building(self, picture: Picture, state: Any, a: int, x: float, y: float) -> None:
        picture.text(x, y + 12, f"next {'blue' if a == 0 else 'green'}", 18, STACK_PAINT[a], bold=True)
        if state.tile_top[a] == NONE:
            picture.text(x + 120, y + 12, "none left", 18, FAINT)
            return
        self._pays(picture, state, state.tile_top[a], x + 114, y - 3, 56, 0, 54)

    # court, display, market

    def _court(self, picture: Picture, state: Any, y: float) -> None:
        for d in range(DECKS):
            x = 16 + 243 * d
            picture.box(x, y, 236, 258, LAND, round=12)
            picture.text(x + 12, y + 30, DECK_NAMES[d].capitalize(), 24, KIND_PAINT[d], bold=True)
            if state.helper == d:
                picture.text(x + 226, y + 29, "Helper", 20, LACERDA, bold=True, end=True)
            if d < NOBLES:
                self._office(picture, state, d, x, y)
            else:
                self._treasury(picture, state, x, y)
            with picture.place(f"deck:{d}"):
                card = state.deck_top[d]
                self._card(picture, state, card, x + 10, y + 164, 180, 84)
                if card != NONE:
                    picture.text(x + 226, y + 214, f"+{state.deck_size[d]}", 22, INK, end=True)

    def _office(self, picture: Picture, state: Any, noble: int, x: float, y: float) -> None:
        with picture.place(f"office:{noble}"):
            picture.box(x + 8, y + 42, 146, 32, "none")
            taken = [side for side in range(2) for _ in range(state.office[side, noble])]
            for i in range(max(len(taken), int(state.tables.office_seats))):
                paint, line = (SIDES[taken[i]], "#ffffff") if i < len(taken) else ("none", FAINT)
                picture.circle(x + 24 + 25 * i, y + 58, 11, paint, line, 1)
        with picture.place(f"favor:{noble}"):
            picture.box(x + 156, y + 42, 74, 32, "none")
            picture.text(x + 226, y + 64, f"favors {state.favor_supply[noble]}", 16, FAINT, end=True)
        goods = ", ".join(GOOD_NAMES[g] for g in range(GOODS) if state.tables.accepts[noble, g])
        picture.text(x + 12, y + 95, f"takes {goods}", 17, INK)
        if state.courtier == noble:
            picture.text(x + 226, y + 117, "courtier", 18, LACERDA, bold=True, end=True)
        self._deeds(picture, noble, x + 10, y + 126)

    def _deeds(self, picture: Picture, noble: int, x: float, y: float) -> None:
        """The two state actions and the noble action, which has the noble's colour."""
        acts = [2 * noble, 2 * noble + 1, Act.BUILD_STORE + noble]
        names = [f"act:{act}" for act in acts[:2]] + [f"noble:{noble}"]
        told = [ACT_NAMES[act] for act in acts[:2]] + [words.event_name(acts[2])]
        unit = 208.0 / sum(len(word) + 2 for word in told)
        for name, word in zip(names, told, strict=True):
            wide = unit * (len(word) + 2)
            with picture.place(name):
                state_action = name.startswith("act")
                picture.box(x, y, wide, 28, "#fffaf0" if state_action else KIND_PAINT[noble], FAINT, round=6, thick=1)
                picture.text(x + wide / 2, y + 19, word, 13.5, INK if state_action else "#ffffff", middle=True)
            x += wide + 4

    def _treasury(self, picture: Picture, state: Any, x: float, y: float) -> None:
        level = state.treasury
        picture.text(x + 12, y + 66, f"level {level} of 6", 20, INK)
        picture.text(x + 12, y + 98, f"{state.tables.treasury_influence[level]} influence, "
                     f"{state.tables.treasury_reis[level]} reis", 20, INK, bold=True)  # fmt: skip

    def _card(self, picture: Picture, state: Any, card: int, x: float, y: float, width: float, height: float) -> None:
        if card == NONE:
            picture.box(x, y, width, height, "none", FAINT, round=8, dashed=True)
            return
        ship = card >= FIRST_SHIP
        paint = SHIP_PAINT[card - FIRST_SHIP] if ship else KIND_PAINT[state.tables.card_kind[card]]
        picture.card(x, y, width, height, paint)
        gives, other = (in_words(part) for part in words.card_words(state, card))
        treasury = not ship and state.tables.card_kind[card] == DECKS - 1
        kind = "Ship" if ship else DECK_NAMES[state.tables.card_kind[card]].capitalize()
        if height > 80:
            picture.text(x + 10, y + 25, kind, 18, "#ffffff", bold=True)
        picture.text(x + 10, y + height - 34, gives, 18, "#ffffff")
        told, size = (f"event: {other}", 16) if treasury else (other, 18)
        picture.text(x + 10, y + height - 12, told, size, "#ffffff")

    def _market(self, picture: Picture, state: Any, y: float) -> None:
        picture.text(28, y + 28, "price", 20, FAINT)
        for g in range(GOODS):
            x = 96 + 112 * g
            with picture.place(f"price:{g}"):
                picture.box(x, y + 4, 104, 34, GOOD_PAINT[g], round=8)
                picture.text(x + 10, y + 28, GOOD_NAMES[g], 19, ON_GOOD[g])
                picture.text(x + 94, y + 29, str(state.price[g]), 23, ON_GOOD[g], bold=True, end=True)
        picture.text(28, y + 66, "supply", 20, FAINT)
        for g in range(GOODS):
            picture.text(190 + 112 * g, y + 66, str(state.supply[g]), 20, INK, end=True)
        picture.text(28, y + 112, "plans", 20, FAINT)
        for a in range(ARCHITECTS):
            with picture.place(f"next_plan:{a}"):
                self._plan(picture, state, state.plan_top[a], 96 + 232 * a, y + 82, 224)
        i = 0
        for ship in range(SHIPS):
            if state.ship_place[ship] != NONE:
                with picture.place(f"ship:{ship}"):
                    self._ship(picture, state, ship, 572 + 208 * (i % 2), y + 4 + 64 * (i // 2))
                i += 1

    def _plan(self, picture: Picture, state: Any, plan: int, x: float, y: float, width: float) -> None:
        if plan == NONE:
            picture.box(x, y, width, 42, "none", FAINT, round=8, dashed=True)
            return
        picture.card(x, y, width, 42, STACK_PAINT[state.tables.plan_architect[plan]])
        officials, effect = words.plan_words(state, plan)
        told = f"{officials} official{'s' * (officials > 1)}" + ("" if effect == "nothing" else f": {effect}")
        picture.text(x + 10, y + 28, told, min(18, (width - 20) / (0.6 * len(told))), "#ffffff")

    def _ship(self, picture: Picture, state: Any, ship: int, x: float, y: float) -> None:
        owner = state.ship_place[ship]
        picture.box(x, y, 200, 58, SHIP_PAINT[ship], round=8)
        where = ("own", "Lacerda's", "shipyard")[owner] + (", at sea" if state.ship_at_sea[ship] else "")
        picture.text(x + 10, y + 23, where, 18, "#ffffff", bold=True)
        crate = 0
        for g in range(GOODS):
            for _ in range(state.ship_goods[ship, g]):
                picture.box(x + 10 + 24 * crate, y + 31, 20, 20, GOOD_PAINT[g], "#ffffff", round=2, thick=1)
                crate += 1
        for i in range(crate, state.tables.ship_size[ship]):
            picture.box(x + 10 + 24 * i, y + 31, 20, 20, "none", "#ffffff", round=2, thick=1)
        picture.text(x + 190, y + 49, f"sale +{state.tables.ship_mod[ship]}", 17, "#ffffff", end=True)

    # church, decrees

    def _tile(self, picture: Picture, state: Any, tile: int, x: float, y: float, width: float) -> None:
        if tile == NONE:
            picture.box(x, y, width, 86, "none", FAINT, round=8, dashed=True)
            return
        picture.box(x, y, width, 86, "#fffaf0", "#a08a52", round=8)
        power, about = words.tile_words(state, tile)
        lines = [in_words(part) for part in (about, power) if part]
        for i, line in enumerate(lines):
            picture.text(x + 8, y + 24 + 24 * i, line, 18 if len(line) < 11 else 15, INK)
        wigs = state.tables.clergy_wigs[tile]
        picture.text(x + width - 8, y + 76, counted(wigs, "wig"), 17, "#7a4f00", bold=True, end=True)

    def _church(self, picture: Picture, state: Any, y: float) -> None:
        t = state.tables
        picture.box(16, y, 968, 108, LAND, round=12)
        for i in range(CLERGY_SLOTS):
            x = 26 + 160 * i
            mark = "+" if i == t.church_icon_space else "$" if i == t.treasury_symbol_space else ""
            here = i == state.cardinal
            with picture.place(f"church:{i}"):
                picture.circle(x + 16, y + 54, 16, LACERDA if here else PAPER, FAINT, 2)
                picture.text(x + 16, y + 62, mark or ("C" if here else ""), 22, "#ffffff" if here else INK, bold=True,
                             middle=True)  # fmt: skip
                self._tile(picture, state, state.church_slot[i], x + 36, y + 11, 120)

    def _decrees(self, picture: Picture, state: Any, y: float) -> None:
        for i in range(DECREE_DISPLAY):
            d = state.decree_display[i]
            x, top = 16 + 243 * (i % 4), y + 86 * (i // 4)
            with picture.place(f"decree:{i}"):
                if d == 0:
                    picture.box(x, top, 236, 78, "none", FAINT, round=8, dashed=True)
                    continue
                picture.box(x, top, 236, 78, "#fffaf0", "#c2a860", round=8)
                counts, pays = (in_words(part) for part in words.decree_words(state, d))
                picture.text(x + 10, top + 30, counts, 19 if len(counts) < 19 else 16, INK, bold=True)
                picture.text(x + 10, top + 60, pays, 16, INK)
                picture.text(x + 228, top + 60, f"now {decree_value(state, d)}", 16, HUMAN, end=True)

    # H and Lacerda

    def _human(self, picture: Picture, state: Any, y: float) -> None:
        picture.box(16, y, 968, 418, "#dfe8f1", HUMAN, round=14)
        for i in range(HAND_SIZE):
            with picture.place(f"hand:{i}"):
                self._card(picture, state, state.hand[i], 28 + 190 * i, y + 14, 182, 84)
        facts = (
            f"{state.reis} reis · influence {state.influence[0]} · sets {sets_of(state)} · decrees "
            f"{state.decrees_held[0]} · houses {state.houses[0]} · top row {portfolio_influence(state)}"
        )
        picture.text(28, y + 130, facts, 21, INK, bold=True)
        for g in range(GOODS):
            with picture.place(f"good:{g}"):
                picture.box(28 + 112 * g, y + 144, 104, 34, GOOD_PAINT[g], round=8)
                picture.text(38 + 112 * g, y + 168, GOOD_NAMES[g], 19, ON_GOOD[g])
                picture.text(122 + 112 * g, y + 169, str(state.goods[g]), 23, ON_GOOD[g], bold=True, end=True)
        for k in range(RUBBLE):
            picture.box(492 + 62 * k, y + 150, 24, 24, RUBBLE_PAINT[k], "#ffffff", round=3, thick=1)
            picture.text(521 + 62 * k, y + 170, str(state.cubes[0, k]), 22, INK)
        picture.text(690, y + 169, f"officials {state.officials[0]}, hired {state.hired}", 19, INK)
        with picture.place("plaza"):
            picture.box(880, y + 146, 92, 32, "none")
            picture.text(968, y + 169, f"plaza {state.plaza}", 19, INK, end=True)
        self._portfolio(picture, state, y + 186)
        for i in range(MOST_PLANS):
            with picture.place(f"plan:{i}"):
                plan = state.plans[i] if i < state.plans_held else NONE
                self._plan(picture, state, plan, 600 + 188 * (i % 2), y + 190 + 50 * (i // 2), 182)
        asked = [int(state.arg), int(state.more)] if state.phase == Step.START_CLERGY and not state.over else []
        for i in range(MOST_CLERGY):
            tile = state.clergy[i] if i < state.clergy_held else NONE
            if i < len(asked):
                tile = asked[i]
            with picture.place(f"start:{i}" if i < len(asked) else f"clergy:{i}"):
                self._tile(picture, state, tile, 28 + 140 * i, y + 322, 132)
        held = [NOBLE_NAMES[n].capitalize() for n in range(NOBLES) if state.favor[0, n]]
        picture.text(600, y + 330, "royal favors", 20, FAINT)
        picture.text(600, y + 360, ", ".join(held) or "none", 21, INK)

    def _portfolio(self, picture: Picture, state: Any, y: float) -> None:
        open_slots = state.tables.top_open[sets_of(state)], state.tables.bottom_open[sets_of(state)]
        for name, cards, free, low in (
            ("top", state.top, open_slots[0], 0),
            ("bottom", state.bottom, open_slots[1], 66),
        ):
            for i in range(ROW_SLOTS):
                with picture.place(f"{name}:{i}"):
                    if i < free:
                        self._card(picture, state, cards[i], 28 + 188 * i, y + low, 180, 60)
                    else:
                        picture.box(28 + 188 * i, y + low, 180, 60, "#c6d2df", round=8)

    def _told(self, picture: Picture, state: Any, y: float, seat: int | None) -> None:
        """The decrees of both sides, Lacerda's things, and his last turn, in letters that leave room for all."""
        decrees = [
            f"{words.decrees_title(name)}: {'; '.join(words.decrees_of(state, side)) or 'none'}"
            for side, name in enumerate((words.human(seat), "Lacerda"))
        ]
        held = ", ".join(NOBLE_NAMES[n].capitalize() for n in range(NOBLES) if state.favor[1, n]) or "none"
        facts = (
            f"Lacerda: influence {state.influence[1]}, houses {state.houses[1]}, officials {state.officials[1]}, hired "
            f"{hired_by(state, 1)}, decrees {state.decrees_held[1]}, rubble {sum(int(n) for n in state.cubes[1])}, "
            f"favors {held}"
        )
        told = [in_words(sentence) for sentence in (*decrees, facts, *words.story(state, seat))]
        for size in (19.0, 17.0, 15.0, 13.5):
            lines = [(i, line) for i, sentence in enumerate(told) for line in fold(sentence, int(1600 / size))]
            if 1.4 * size * len(lines) < HEIGHT - 14 - y:
                break
        high = min(1.5 * size, (HEIGHT - 14 - y) / len(lines))
        for row, (i, line) in enumerate(lines):
            paint = LACERDA if i == len(decrees) else INK
            picture.text(24, y + 4 + high * (row + 0.7), line, size, paint)

    def _end(self, picture: Picture, state: Any, y: float, seat: int | None) -> None:
        """What the wigs are made of, and what each rank asked for."""
        picture.sheet(16, y, 560, 402, self.sheet(state, words.human(seat)), INK, "#fffaf0", "#c2a860", size=20)
        picture.box(588, y, 396, 402, "#fffaf0", "#c2a860", round=12)
        lines = [line for told in self._ranks(state) for line in (*fold(told, 36), "")]
        for i, line in enumerate(lines):
            picture.text(604, y + 32 + min(26.0, 380 / len(lines)) * i, line, 17, INK)


def fold(text: str, width: int) -> list[str]:
    """A sentence in lines of at most so many characters, later ones set in."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("   ")
        lines[-1] += f" {word}" if lines[-1].strip() else word if not lines[-1] else f"  {word}"
    return lines
