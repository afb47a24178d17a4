"""Lisboa: the position as text and as a picture."""

from __future__ import annotations

from typing import Any

from alarife.engine.game import Display
from alarife.engine.svg import Picture

from . import words
from .components import (
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
    NOBLE_NAMES,
    NOBLES,
    NONE,
    NORTH,
    ROW_NAMES,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIP_NAMES,
    SHIPS,
    STREETS,
    Side,
)
from .rules.city import land_cost
from .rules.decrees import decree_value
from .rules.end import hired_by
from .rules.means import portfolio_influence, sets_of
from .rules.portfolio import load_of

PAPER, INK, FAINT, LAND, EMPTY, ROAD = "#f7f1e3", "#2a2622", "#857a6a", "#e7dcc3", "#f3ead6", "#d3c4a4"
HUMAN, LACERDA, NEUTRAL = "#1f5fa8", "#b3322b", "#6d6a63"
SIDES = HUMAN, LACERDA, NEUTRAL
GOOD_PAINT = "#d49a16", "#b2477f", "#3e7a4c", "#5a6b7d"
KIND_PAINT = "#8a5a2b", "#3e6a8a", "#7a3f7d", "#5c7a2f"
RUBBLE_PAINT = "#7d5a3c", "#d4512d", "#2f86a8"
STACK_PAINT = "#3668ad", "#3f8a4e"
SHIP_PAINT = "#3668ad", "#b3322b", "#7a3f7d", "#7d5a3c"

CELL, ROAD_WIDTH, ROW_HEIGHT, LEFT, TOP = 106, 40, 104, 136, 212


class LisboaDisplay(Display):
    """Everything that Lisboa shows a person; nothing on the table is hidden from H."""

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook."""
        return words.phrase(state, action)

    # --- text -------------------------------------------------------------------------------------

    def story(self, state: Any) -> list[str]:
        """Lacerda's last turn, step by step."""
        return words.story(state)

    def text(self, state: Any, seat: int | None = None) -> str:
        """The position in about forty short lines."""
        then = "; ".join(words.still_to_do(state))
        lines = [f"LISBOA  {words.headline(state)}", *([f"then  {then}"] if then and not state.over else []),
                 *self._text_of_sides(state), *self._text_of_city(state),
                 *self._text_of_court(state), *self._text_of_hand(state), "Lacerda"]  # fmt: skip
        return "\n".join([*lines, *(f"  {line}" for line in words.story(state))])

    def _text_of_sides(self, state: Any) -> list[str]:
        lines = []
        for side, name in enumerate(("H", "L")):
            cubes = "/".join(str(state.cubes[side, k]) for k in range(RUBBLE))
            offices = " ".join(str(state.office[side, n]) for n in range(NOBLES))
            favors = "".join(NOBLE_NAMES[n][0].upper() for n in range(NOBLES) if state.favor[side, n]) or "-"
            lines.append(f"{name}  wigs {state.wigs[side]:3d}  influence {state.influence[side]:2d}  houses "
                         f"{state.houses[side]}  officials {state.officials[side]}  offices {offices}  hired "
                         f"{hired_by(state, side)}  rubble {cubes}  decrees {state.decrees_held[side]}  "
                         f"favors {favors}")  # fmt: skip
        goods = "  ".join(f"{name} {state.goods[g]}" for g, name in enumerate(GOOD_NAMES))
        prices = "  ".join(f"{name} {state.price[g]}" for g, name in enumerate(GOOD_NAMES))
        lines.append(f"reis {state.reis}  {goods}  sets {sets_of(state)}  plaza {state.plaza}   prices  {prices}")
        return lines

    def _text_of_city(self, state: Any) -> list[str]:
        t = state.tables
        tops = "   ".join(f"{words.site_name(NORTH + k)} {self._short_building(state, NORTH + k)}"
                          for k in range(STREETS))  # fmt: skip
        streets = "  ".join(f"{GOOD_NAMES[t.street_good[k]]} {t.majority_first[state.scoring_tile[k]]}/"
                            f"{t.majority_second[state.scoring_tile[k]]}" for k in range(STREETS))  # fmt: skip
        lines = [f"city   {tops}   streets {streets}"]
        for r in range(ROWS):
            cells = " ".join(self._short_space(state, r * COLUMNS + c) for c in range(COLUMNS))
            cubes = "".join("EFT"[k] * state.row_cubes[r, k] for k in range(RUBBLE)) or "-"
            west, east = self._short_building(state, 3 - r), self._short_building(state, EAST + r)
            lines.append(f"  {ROW_NAMES[r]} {west:>8} | {cells} | {east:<8} rubble {cubes}")
        columns = " ".join(("".join("EFT"[k] * state.column_cubes[c, k] for k in range(RUBBLE)) or "-").center(5)
                           for c in range(COLUMNS))  # fmt: skip
        return [*lines, f"             {columns}   pile "
                + ("".join("EFT"[k] * state.pile[k] for k in range(RUBBLE)) or "-")]  # fmt: skip

    def _short_space(self, state: Any, space: int) -> str:
        if state.store_owner[space] == NONE:
            return f"({land_cost(state, space):2d}) "
        street = state.store_street[space]
        arrow = ">" if street == space % COLUMNS else "<"
        return f"{'HL'[state.store_owner[space]]}{arrow}{GOOD_NAMES[state.tables.street_good[street]][:2]} "

    def _short_building(self, state: Any, site: int) -> str:
        if state.site_tile[site] == NONE:
            return "".join("EFT"[k] * state.site_cubes[site, k] for k in range(RUBBLE))
        pays = "".join(f"{GOOD_NAMES[g][0]}{state.tables.tile_pays[state.site_tile[site], g]}" for g in range(GOODS)
                       if state.tables.tile_pays[state.site_tile[site], g])  # fmt: skip
        return f"{'HL-'[state.site_owner[site]]}:{pays}"

    def _text_of_court(self, state: Any) -> list[str]:
        t = state.tables
        decks = "   ".join(f"{words.card_name(state, state.deck_top[d])} (+{state.deck_size[d]})" for d in range(DECKS))
        tiles = [words.tile_name(state, tile) if tile != NONE else "-" for tile in state.church_slot]
        tiles[state.cardinal] = f"*{tiles[state.cardinal]}"
        ships = "  ".join(f"{SHIP_NAMES[i]} {('H', 'L', 'yard')[state.ship_place[i]]} "
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
            *(f"decrees of {'HL'[side]}  {'; '.join(words.decrees_of(state, side)) or '-'}" for side in range(2)),
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
        """Scores and city above, court, display, church and decrees, then H's things and Lacerda's turn."""
        lines = [line for step in words.story(state) for line in fold(step, 92)]
        own = self._lists(state)
        picture = Picture(1000, 1906 + 27 * len(own) + 27 * len(lines), PAPER)
        self._head(picture, state)
        self._city(picture, state)
        self._court(picture, state, 748)
        self._market(picture, state, 982)
        self._church(picture, state, 1124)
        self._decrees(picture, state, 1244)
        self._human(picture, state, 1428)
        for i, line in enumerate(own):
            picture.text(28, 1866 + 27 * i, line, 20, INK)
        self._lacerda(picture, state, 1866 + 27 * len(own), lines)
        return picture.finish()

    def _lists(self, state: Any) -> list[str]:
        """What is still to be done, and the decrees of both sides."""
        then = "; ".join(words.still_to_do(state)) if not state.over else ""
        told = [f"then: {then}"] if then else []
        for side, name in enumerate(("H", "Lacerda")):
            if taken := words.decrees_of(state, side):
                told.append(f"decrees of {name}: {'; '.join(taken)}")
        return [line for sentence in told for line in fold(sentence, 92)]

    def _head(self, picture: Picture, state: Any) -> None:
        picture.text(28, 46, "Lisboa", 34, INK, bold=True)
        picture.text(28, 82, words.headline(state), 23, INK)
        for side, (name, x, width) in enumerate((("H", 548, 172), ("Lacerda", 728, 256))):
            picture.box(x, 14, width, 46, SIDES[side], round=10)
            picture.text(x + 12, 45, name, 22, "#ffffff", bold=True)
            picture.text(x + width - 12, 47, f"{state.wigs[side]} wigs", 24, "#ffffff", bold=True, end=True)

    # city

    def _city(self, picture: Picture, state: Any) -> None:
        picture.box(16, 98, 968, 628, LAND, round=16)
        bottom = TOP + ROWS * ROW_HEIGHT
        for k in range(STREETS):
            x = LEFT + CELL + k * (CELL + ROAD_WIDTH)
            good = state.tables.street_good[k]
            picture.box(x + 2, TOP - 8, ROAD_WIDTH - 4, ROWS * ROW_HEIGHT + 8, ROAD, round=4)
            self._upright(picture, x + ROAD_WIDTH / 2 + 7, TOP + ROWS * ROW_HEIGHT / 2, self._street(state, k),
                          GOOD_PAINT[good])  # fmt: skip
            self._site(picture, state, NORTH + k, x + ROAD_WIDTH / 2 - 56, 108)
        for r in range(ROWS):
            y = TOP + r * ROW_HEIGHT
            self._site(picture, state, 3 - r, 20, y)
            self._site(picture, state, EAST + r, 868, y)
            for c in range(COLUMNS):
                self._space(picture, state, r * COLUMNS + c, LEFT + c * (CELL + ROAD_WIDTH), y)
            self._cubes(picture, state.row_cubes[r], LEFT + CELL * 5 + ROAD_WIDTH * 4 + 10, y + 12, down=True)
        for c in range(COLUMNS):
            self._cubes(picture, state.column_cubes[c], LEFT + c * (CELL + ROAD_WIDTH) + 22, bottom + 6)
        picture.text(28, bottom + 72, "rubble pile", 20, INK)
        self._cubes(picture, state.pile, 150, bottom + 55)
        for a in range(ARCHITECTS):
            self._next_building(picture, state, a, 315 + 340 * a, bottom + 60)

    def _street(self, state: Any, k: int) -> str:
        tile = state.scoring_tile[k]
        first, second = state.tables.majority_first[tile], state.tables.majority_second[tile]
        return f"{GOOD_NAMES[state.tables.street_good[k]]} · {first} / {second}"

    def _upright(self, picture: Picture, x: float, y: float, text: str, paint: str) -> None:
        picture.add(f'<text x="{x:.1f}" y="{y:.1f}" font-family="DejaVu Sans" font-size="21" fill="{paint}" '
                    f'font-weight="bold" text-anchor="middle" transform="rotate(-90 {x:.1f} {y:.1f})">'
                    f'{text}</text>')  # fmt: skip

    def _cubes(self, picture: Picture, counts: Any, x: float, y: float, *, down: bool = False) -> None:
        place = 0
        for k in range(RUBBLE):
            for _ in range(counts[k]):
                dx, dy = (0, 24 * place) if down else (24 * place, 0)
                picture.box(x + dx, y + dy, 20, 20, RUBBLE_PAINT[k], "#ffffff", round=3, thick=1)
                place += 1

    def _space(self, picture: Picture, state: Any, space: int, x: float, y: float) -> None:
        owner, t = state.store_owner[space], state.tables
        picture.box(x, y, CELL, ROW_HEIGHT - 12, EMPTY, "#c9b994", round=8, thick=1.5)
        if owner == NONE:
            picture.text(x + 8, y + 26, words.space_name(space), 19, FAINT)
            picture.text(x + CELL - 8, y + 28, str(land_cost(state, space)), 24, INK, bold=True, end=True)
            reward = words.effect_name(t.space_effect[space], t.space_n[space], t.space_good[space])
            picture.text(x + CELL / 2, y + 68, reward, 19 if len(reward) < 11 else 18, INK, middle=True)
            return
        street = state.store_street[space]
        right = street == space % COLUMNS
        mid, top, low = x + CELL / 2, y + 14, y + 78
        picture.polygon([(mid - 30, top + 26), (mid, top), (mid + 30, top + 26), (mid + 30, low), (mid - 30, low)],
                        SIDES[owner])  # fmt: skip
        edge = mid + 34 if right else mid - 34
        tip = edge + (16 if right else -16)
        picture.polygon([(edge, y + 34), (tip, y + 48), (edge, y + 62)], GOOD_PAINT[t.street_good[street]])
        picture.text(mid, low - 14, "H" if owner == Side.HUMAN else "L", 24, "#ffffff", bold=True, middle=True)

    def _site(self, picture: Picture, state: Any, site: int, x: float, y: float) -> None:
        tile, t = state.site_tile[site], state.tables
        if tile == NONE:
            picture.box(x, y, 112, 92, "none", FAINT, round=8, dashed=True)
            picture.text(x + 8, y + 26, words.site_name(site), 19, FAINT)
            self._cubes(picture, state.site_cubes[site], x + 54, y + 10)
            reward = words.effect_name(t.site_effect[site], t.site_n[site], t.site_good[site])
            picture.text(x + 56, y + 68, reward, 18, INK, middle=True)
            return
        paint = STACK_PAINT[t.tile_architect[tile // 2]]
        picture.box(x, y, 112, 92, paint, SIDES[state.site_owner[site]], round=8, thick=6)
        self._pays(picture, state, tile, x + 10, y + 14)

    def _pays(self, picture: Picture, state: Any, tile: int, x: float, y: float, columns: int = 2) -> None:
        shown = [g for g in range(GOODS) if state.tables.tile_pays[tile, g]]
        for i, g in enumerate(shown):
            left, top = x + 47 * (i % columns), y + 34 * (i // columns)
            picture.box(left, top, 44, 30, GOOD_PAINT[g], "#ffffff", round=6, thick=1)
            picture.text(left + 22, top + 23, f"{GOOD_NAMES[g][0]}{state.tables.tile_pays[tile, g]}", 21, "#ffffff",
                         bold=True, middle=True)  # fmt: skip

    def _next_building(self, picture: Picture, state: Any, a: int, x: float, y: float) -> None:
        picture.text(x, y + 12, f"next {'blue' if a == 0 else 'green'}", 20, STACK_PAINT[a], bold=True)
        if state.tile_top[a] == NONE:
            picture.text(x + 130, y + 12, "none left", 20, FAINT)
            return
        self._pays(picture, state, state.tile_top[a], x + 140, y - 10, columns=GOODS)

    # court, display, market

    def _court(self, picture: Picture, state: Any, y: float) -> None:
        for d in range(DECKS):
            x = 16 + 243 * d
            picture.box(x, y, 236, 222, LAND, round=12)
            picture.text(x + 12, y + 30, DECK_NAMES[d].capitalize(), 24, KIND_PAINT[d], bold=True)
            if state.helper == d:
                picture.text(x + 226, y + 29, "Helper", 20, LACERDA, bold=True, end=True)
            if d < NOBLES:
                self._office(picture, state, d, x, y)
            else:
                self._treasury(picture, state, x, y)
            card = state.deck_top[d]
            if card == NONE:
                picture.box(x + 10, y + 128, 216, 84, "none", FAINT, round=8, dashed=True)
                continue
            self._card(picture, state, card, x + 10, y + 128, 180, 84)
            picture.text(x + 226, y + 180, f"+{state.deck_size[d]}", 22, INK, end=True)

    def _office(self, picture: Picture, state: Any, noble: int, x: float, y: float) -> None:
        place = 0
        for side in range(2):
            for _ in range(state.office[side, noble]):
                picture.circle(x + 24 + 25 * place, y + 58, 11, SIDES[side], "#ffffff", 1)
                place += 1
        for _ in range(max(0, state.tables.office_seats - place)):
            picture.circle(x + 24 + 25 * place, y + 58, 11, "none", FAINT, 1)
            place += 1
        goods = " ".join(GOOD_NAMES[g] for g in range(GOODS) if state.tables.accepts[noble, g])
        picture.text(x + 12, y + 95, goods, 20, INK)
        picture.text(x + 12, y + 119, f"favors {state.favor_supply[noble]}", 19, FAINT)
        if state.courtier == noble:
            picture.text(x + 226, y + 119, "courtier", 20, LACERDA, bold=True, end=True)

    def _treasury(self, picture: Picture, state: Any, x: float, y: float) -> None:
        level = state.treasury
        picture.text(x + 12, y + 66, f"level {level} of 6", 21, INK)
        picture.text(x + 12, y + 98, f"{state.tables.treasury_influence[level]} influence, "
                     f"{state.tables.treasury_reis[level]} reis", 21, INK, bold=True)  # fmt: skip

    def _card(self, picture: Picture, state: Any, card: int, x: float, y: float, width: float, height: float) -> None:
        if card == NONE:
            picture.box(x, y, width, height, "none", FAINT, round=8, dashed=True)
            return
        ship = card >= FIRST_SHIP
        paint = SHIP_PAINT[card - FIRST_SHIP] if ship else KIND_PAINT[state.tables.card_kind[card]]
        picture.card(x, y, width, height, paint)
        gives, other = words.card_words(state, card)
        size = 20 if width > 150 else 19
        kind = "Ship" if ship else DECK_NAMES[state.tables.card_kind[card]].capitalize()
        if height > 80:
            picture.text(x + 10, y + 26, kind, size, "#ffffff", bold=True)
        picture.text(x + 10, y + height - 35, gives, size, "#ffffff")
        picture.text(x + 10, y + height - 12, other, size, "#ffffff")

    def _market(self, picture: Picture, state: Any, y: float) -> None:
        picture.text(28, y + 28, "price", 20, FAINT)
        for g in range(GOODS):
            x = 96 + 112 * g
            picture.box(x, y + 4, 104, 34, GOOD_PAINT[g], round=8)
            picture.text(x + 10, y + 28, GOOD_NAMES[g], 20, "#ffffff")
            picture.text(x + 94, y + 29, str(state.price[g]), 23, "#ffffff", bold=True, end=True)
        picture.text(28, y + 66, "supply", 20, FAINT)
        for g in range(GOODS):
            picture.text(190 + 112 * g, y + 66, str(state.supply[g]), 20, INK, end=True)
        picture.text(28, y + 112, "plans", 20, FAINT)
        for a in range(ARCHITECTS):
            self._plan(picture, state, state.plan_top[a], 96 + 232 * a, y + 82, 224)
        place = 0
        for ship in range(SHIPS):
            if state.ship_place[ship] != NONE:
                self._ship(picture, state, ship, 572 + 208 * (place % 2), y + 4 + 64 * (place // 2))
                place += 1

    def _plan(self, picture: Picture, state: Any, plan: int, x: float, y: float, width: float) -> None:
        if plan == NONE:
            picture.box(x, y, width, 42, "none", FAINT, round=8, dashed=True)
            return
        picture.card(x, y, width, 42, STACK_PAINT[state.tables.plan_architect[plan]])
        officials, effect = words.plan_words(state, plan)
        told = f"{officials} off." if effect == "nothing" else f"{officials} off.: {effect}"
        picture.text(x + 10, y + 28, told, min(20, (width - 20) / (0.56 * len(told))), "#ffffff")

    def _ship(self, picture: Picture, state: Any, ship: int, x: float, y: float) -> None:
        owner = state.ship_place[ship]
        picture.box(x, y, 200, 58, SHIP_PAINT[ship], round=8)
        where = ("H's", "Lacerda's", "shipyard")[owner] + (", at sea" if state.ship_at_sea[ship] else "")
        picture.text(x + 10, y + 23, where, 19, "#ffffff", bold=True)
        crate = 0
        for g in range(GOODS):
            for _ in range(state.ship_goods[ship, g]):
                picture.box(x + 10 + 24 * crate, y + 31, 20, 20, GOOD_PAINT[g], "#ffffff", round=2, thick=1)
                crate += 1
        for i in range(crate, state.tables.ship_size[ship]):
            picture.box(x + 10 + 24 * i, y + 31, 20, 20, "none", "#ffffff", round=2, thick=1)
        picture.text(x + 190, y + 49, f"+{state.tables.ship_mod[ship]}", 20, "#ffffff", end=True)

    # church, decrees

    def _tile(self, picture: Picture, state: Any, tile: int, x: float, y: float, width: float) -> None:
        if tile == NONE:
            picture.box(x, y, width, 86, "none", FAINT, round=8, dashed=True)
            return
        picture.box(x, y, width, 86, "#fffaf0", "#a08a52", round=8)
        power, about = words.tile_words(state, tile)
        picture.text(x + 8, y + 25, about or power, 18 if len(about or power) > 9 else 20, INK)
        picture.text(x + 8, y + 50, power if about else "", 20, INK)
        picture.text(x + width - 8, y + 76, f"{state.tables.clergy_wigs[tile]}w", 21, "#8a5a00", bold=True, end=True)

    def _church(self, picture: Picture, state: Any, y: float) -> None:
        t = state.tables
        picture.box(16, y, 968, 108, LAND, round=12)
        for i in range(CLERGY_SLOTS):
            x = 26 + 160 * i
            mark = "+" if i == t.church_icon_space else "$" if i == t.treasury_symbol_space else ""
            here = i == state.cardinal
            picture.circle(x + 16, y + 54, 16, "#b3322b" if here else PAPER, FAINT, 2)
            picture.text(x + 16, y + 62, mark or ("C" if here else ""), 22, "#ffffff" if here else INK, bold=True,
                         middle=True)  # fmt: skip
            self._tile(picture, state, state.church_slot[i], x + 36, y + 11, 120)

    def _decrees(self, picture: Picture, state: Any, y: float) -> None:
        for i in range(DECREE_DISPLAY):
            d = state.decree_display[i]
            x, top = 16 + 243 * (i % 4), y + 88 * (i // 4)
            if d == 0:
                picture.box(x, top, 236, 80, "none", FAINT, round=8, dashed=True)
                continue
            picture.box(x, top, 236, 80, "#fffaf0", "#c2a860", round=8)
            counts, pays = words.decree_words(state, d)
            picture.text(x + 10, top + 30, counts, 20 if len(counts) < 19 else 18, INK, bold=True)
            picture.text(x + 10, top + 62, pays, 19, INK)
            picture.text(x + 226, top + 62, f"now {decree_value(state, d)}", 19, HUMAN, end=True)

    # H and Lacerda

    def _human(self, picture: Picture, state: Any, y: float) -> None:
        picture.box(16, y, 968, 412, "#dfe8f1", HUMAN, round=14)
        for i in range(5):
            self._card(picture, state, state.hand[i], 28 + 190 * i, y + 14, 182, 84)
        facts = (
            f"{state.reis} reis · influence {state.influence[0]} · sets {sets_of(state)} · decrees "
            f"{state.decrees_held[0]} · houses {state.houses[0]} · top row {portfolio_influence(state)}"
        )
        picture.text(28, y + 130, facts, 22, INK, bold=True)
        for g in range(GOODS):
            picture.box(28 + 112 * g, y + 144, 104, 34, GOOD_PAINT[g], round=8)
            picture.text(38 + 112 * g, y + 168, GOOD_NAMES[g], 20, "#ffffff")
            picture.text(122 + 112 * g, y + 169, str(state.goods[g]), 23, "#ffffff", bold=True, end=True)
        for k in range(RUBBLE):
            picture.box(492 + 62 * k, y + 150, 24, 24, RUBBLE_PAINT[k], "#ffffff", round=3, thick=1)
            picture.text(521 + 62 * k, y + 170, str(state.cubes[0, k]), 22, INK)
        picture.text(690, y + 169, f"officials {state.officials[0]}, plaza {state.plaza}, hired {state.hired}", 20, INK)
        self._portfolio(picture, state, y + 186)
        for i in range(4):
            plan = state.plans[i] if i < state.plans_held else NONE
            self._plan(picture, state, plan, 600 + 188 * (i % 2), y + 190 + 50 * (i // 2), 182)
            tile = state.clergy[i] if i < state.clergy_held else NONE
            self._tile(picture, state, tile, 28 + 140 * i, y + 345 - 26, 132)
        held = [NOBLE_NAMES[n].capitalize() for n in range(NOBLES) if state.favor[0, n]]
        picture.text(600, y + 330, "royal favors", 20, FAINT)
        picture.text(600, y + 360, ", ".join(held) or "none", 21, INK)

    def _portfolio(self, picture: Picture, state: Any, y: float) -> None:
        open_slots = state.tables.top_open[sets_of(state)], state.tables.bottom_open[sets_of(state)]
        for row, cards in enumerate((state.top, state.bottom)):
            for i in range(ROW_SLOTS):
                if i < open_slots[row]:
                    self._card(picture, state, cards[i], 28 + 188 * i, y + 66 * row, 180, 60)
                else:
                    picture.box(28 + 188 * i, y + 66 * row, 180, 60, "#c6d2df", round=8)

    def _lacerda(self, picture: Picture, state: Any, y: float, lines: list[str]) -> None:
        held = "".join(NOBLE_NAMES[n][0].upper() for n in range(NOBLES) if state.favor[1, n]) or "none"
        cubes = sum(int(n) for n in state.cubes[1])
        facts = (
            f"Lacerda · influence {state.influence[1]} · houses {state.houses[1]} · officials {state.officials[1]} · "
            f"hired {hired_by(state, 1)} · decrees {state.decrees_held[1]} · rubble {cubes} · favors {held}"
        )
        picture.text(28, y + 14, facts, 19, LACERDA, bold=True)
        for i, line in enumerate(lines):
            picture.text(28, y + 44 + 27 * i, line, 20, INK)


def fold(text: str, width: int) -> list[str]:
    """A sentence in lines of at most so many characters, later ones set in."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("   ")
        lines[-1] += f" {word}" if lines[-1].strip() else word if not lines[-1] else f"  {word}"
    return lines
