"""Patios: ladder, watering can, canes and hose together, against a slow model written from the rules alone.

The model knows no bit sets and no reach: it keeps a patio as names by cell, works out neighbours from rows and columns,
and tries all continuations. It walks beside the game through every choice; at each one the actions offered and all that
lies in the patio must agree. Where one action is left the game may have played it (PAT-192).
"""

import itertools
from typing import NamedTuple

import numpy as np
import pytest

from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import Phase, Place
from games.patios.positions import DIRECTION, IMPROVEMENT, KIND, N, S, Scene, before_the_sun, sun_comes

# --- the patio (PAT-006, PAT-007) --------------------------------------------------------------------------

WHERE = [(row, column) for row in range(5) for column in range(5) if (row, column) != (2, 2)]
INSIDE = [c for c, (row, column) in enumerate(WHERE) if 1 <= row <= 3 and 1 <= column <= 3]
NAMED = {"N": (1, 2), "NE": (1, 3), "E": (2, 3), "SE": (3, 3), "S": (3, 2), "SW": (3, 1), "W": (2, 1), "NW": (1, 1)}
NAMES = {kind: name for name, kind in KIND.items()} | {15 + i: name for name, i in IMPROVEMENT.items()}


def beside(c, d):
    return abs(WHERE[c][0] - WHERE[d][0]) + abs(WHERE[c][1] - WHERE[d][1]) == 1


def touches(c, d):
    return c != d and abs(WHERE[c][0] - WHERE[d][0]) <= 1 and abs(WHERE[c][1] - WHERE[d][1]) <= 1


class Patio(NamedTuple):
    """A patio, what its owner decides, and what has gone under the improvement deck."""

    flowers: frozenset = frozenset()  # (cell, name)
    dry: frozenset = frozenset()  # cells
    canes: frozenset = frozenset()  # cells, those on the ladder excepted
    on_ladder: int = 0  # canes on the ladder
    ladder: int | None = None
    hose: int | None = None
    can: int | None = None
    awning: int | None = None
    works: bool = False
    forgetful: bool = False  # PAT-184
    deciding: str = "water"
    use: tuple = ()  # the tool in use: name, cell, on the ladder, targets left, chosen, whether one was dry
    hits: frozenset = frozenset()  # cells exposed to the Sun
    sun: str = ""
    under: tuple = ()

    def lying(self):
        """What can be seen to lie in the patio."""
        return (self.flowers, self.dry, self.canes, self.on_ladder, self.ladder, self.hose, self.can, self.awning)

    def balconies(self, cells):
        return {c for c, name in self.flowers if c in cells and name.startswith("b") and name != "blue"}

    def not_the_tub(self, cells):
        return {c for c, name in self.flowers if c in cells and name != "tub"}

    def ladder_holds(self):
        """The tools that have the ladder's power: 0 a cane, 1 the hose (PAT-161)."""
        if self.ladder is None:
            return []
        return [0] * (self.on_ladder > 0) + [1] * (self.hose == self.ladder)


def without(patio, tool, c):
    """A cane or the hose is spent; a cane is discarded, a hose goes under (PAT-085, PAT-134)."""
    if tool == "hose":
        return patio._replace(hose=None, under=(*patio.under, "hose"))
    if c == patio.ladder:
        return patio._replace(on_ladder=patio.on_ladder - 1)
    return patio._replace(canes=patio.canes - {c})


def without_can(patio):
    return patio._replace(can=None, under=(*patio.under, "can"))


def lose(patio, cells):
    """Flower cards are discarded, the Tub goes under the improvement deck (PAT-083, PAT-091)."""
    under = ("tub",) * any(name == "tub" and c in cells for c, name in patio.flowers)
    left = frozenset((c, name) for c, name in patio.flowers if c not in cells)
    return patio._replace(flowers=left, dry=patio.dry - cells, under=patio.under + under)


# --- watering (PAT-130 to PAT-135) -------------------------------------------------------------------------


def leads_to_dry(patio, group, left):
    """Whether a dry card can still join a group of cells with so many targets left: all continuations are tried."""
    if left == 0:
        return False
    for c, _ in patio.flowers:
        if c not in group and any(beside(c, d) for d in group):
            if c in patio.dry or leads_to_dry(patio, group | {c}, left - 1):
                return True
    return False


def watering_choices(patio):
    """The waterers that can reach a dry flower card, or stop."""
    choices = {("done", 0)}
    choices |= {("waterer", c) for c in patio.canes if any(beside(c, d) for d in patio.dry)}
    if patio.hose not in (None, patio.ladder) and leads_to_dry(patio, frozenset({patio.hose}), 3):
        choices.add(("waterer", patio.hose))
    if patio.ladder_holds() and patio.dry:
        choices.add(("waterer", patio.ladder))
    if patio.can is not None:
        useful = patio.not_the_tub(patio.dry) if patio.forgetful else patio.balconies(patio.dry)
        if useful:
            choices.add(("waterer", patio.can))
    return choices


def target_choices(patio):
    """The next target of the tool in use; stopping once a dry card was chosen."""
    tool, cell, on_ladder, left, chosen, wet = patio.use
    choices = {("done", 0)} if wet else set()
    for c, _ in patio.flowers:
        if on_ladder:
            good = c in patio.dry
        elif tool == "cane":
            good = c in patio.dry and beside(c, cell)
        else:
            group = chosen | {cell}
            good = c not in group and any(beside(c, d) for d in group)
            good = good and (c in patio.dry or leads_to_dry(patio, group | {c}, left - 1))
        if good:
            choices.add(("water_target", c))
    return choices


def take_up(patio, tool, c):
    """A tool is in use: a cane for two cards, the hose for three."""
    use = (tool, c, c == patio.ladder, 2 if tool == "cane" else 3, frozenset(), False)
    return without(patio, tool, c)._replace(deciding="target", use=use)


def choose_target(patio, c):
    tool, cell, on_ladder, left, chosen, wet = patio.use
    use = (tool, cell, on_ladder, left - 1, chosen | {c}, wet or c in patio.dry)
    patio = patio._replace(dry=patio.dry - {c}, use=use)
    return patio._replace(deciding="water", use=()) if left == 1 else patio


# --- the Sun's action (PAT-080 to PAT-087) -----------------------------------------------------------------


def hit_choices(patio):
    """The flower cards that the Sun may hit first, or second; none is no choice."""
    flowers = {c for c, _ in patio.flowers}
    named = WHERE.index(NAMED[patio.sun])
    if patio.deciding == "first":
        cells = {named} & flowers or {c for c in INSIDE if beside(c, named)} & flowers
    else:
        outside = set(range(24)) - set(INSIDE)
        near = {c for c in outside if touches(c, named)}
        cells = near & flowers or {c for c in outside if any(beside(c, d) for d in near)} & flowers
    return {("sun_hit", c) for c in cells}


def defence_choices(patio):
    """Waterers that protect a hit card, or no more; there are no links."""
    choices = {("done", 0)}
    tools = patio.canes | ({patio.hose} - {None, patio.ladder})
    choices |= {("waterer", c) for c in tools if any(beside(c, d) for d in patio.hits)}
    if patio.ladder_holds() and patio.hits:
        choices.add(("waterer", patio.ladder))
    if patio.can is not None:
        useful = patio.balconies(patio.hits)
        if patio.forgetful:
            useful |= patio.not_the_tub(patio.hits & patio.dry)
        if useful:
            choices.add(("waterer", patio.can))
    return choices


def protect(patio, tool, c):
    saved = patio.hits if c == patio.ladder else {d for d in patio.hits if beside(c, d)}
    return without(patio, tool, c)._replace(deciding="defence", hits=patio.hits - saved)


def after_hit(patio, hit):
    """The second hit under works, then the defence."""
    patio = patio._replace(hits=patio.hits | hit)
    if patio.deciding == "first" and patio.works:
        patio = patio._replace(deciding="second")
        return patio if hit_choices(patio) else patio._replace(deciding="defence")
    return patio._replace(deciding="defence")


def strike(patio):
    """Beautiful cards dry, dry ones are lost."""
    lost = patio.hits & patio.dry
    return lose(patio._replace(dry=patio.dry | patio.hits, hits=frozenset(), deciding="over"), lost)


# --- every decision ----------------------------------------------------------------------------------------


def choices(patio):
    """All that the owner may do."""
    if patio.deciding == "water":
        return watering_choices(patio)
    if patio.deciding == "target":
        return target_choices(patio)
    if patio.deciding in ("first", "second"):
        return hit_choices(patio)
    if patio.deciding == "defence":
        return defence_choices(patio)
    return {("tool", 0), ("tool", 1)}


def with_waterer(patio, c, spend):
    """The can works at once; a ladder that holds both tools asks for one of them."""
    if c == patio.can:
        if patio.deciding == "water":
            return without_can(patio)._replace(dry=patio.dry - patio.balconies(patio.dry))
        return without_can(patio)._replace(hits=patio.hits - patio.balconies(patio.hits))
    if c == patio.ladder:
        held = patio.ladder_holds()
        if len(held) == 2:
            return patio._replace(deciding=f"{patio.deciding} tool")
        return spend(patio, "hose" if held == [1] else "cane", c)
    return spend(patio, "hose" if c == patio.hose else "cane", c)


def played(patio, choice, during_round=True):
    """The patio after a choice."""
    family, value = choice
    if family == "sun_hit":
        return after_hit(patio, {value})
    spend = protect if patio.deciding.startswith("defence") else take_up
    if family == "tool":
        return spend(patio, "hose" if value else "cane", patio.ladder)
    if family == "waterer":
        return with_waterer(patio, value, spend)
    if family == "water_target":
        return choose_target(patio, value)
    if patio.deciding == "target":
        return patio._replace(deciding="water", use=())
    if patio.deciding == "defence":
        return strike(patio)
    patio = patio._replace(deciding="over")
    return lose(patio, patio.dry) if during_round and patio.awning is None else patio


# --- beside the game ----------------------------------------------------------------------------------------

DECIDING = {Phase.WATER: "water", Phase.WATER_TOOL: "water tool", Phase.WATER_TARGET: "target",
            Phase.FIRST_HIT: "first", Phase.SECOND_HIT: "second", Phase.DEFENCE: "defence",
            Phase.DEFENCE_TOOL: "defence tool"}  # fmt: skip


def deciding(table, p):
    return DECIDING.get(Phase(table.state.phase), "over") if table.seat == p else "over"


def lying(table, p):
    """What the game says lies in a patio."""
    s = table.state
    things = {c: NAMES[int(s.card[p, c])] for c in range(24) if s.card[p, c] >= 0}
    flowers = frozenset((c, name) for c, name in things.items() if name == "tub" or KIND.get(name, 3) != 3)
    spots = {}
    for name in ("ladder", "hose", "can", "awning"):
        i = IMPROVEMENT[name]
        here = s.place[i] == Place.PATIO and s.keeper[i] == p
        spots[name] = int(s.spot[i]) if here else None
    canes = frozenset(c for c, name in things.items() if name == "cane")
    dry = frozenset(c for c in range(24) if s.dry[p] >> c & 1)
    on_ladder = int(s.ladder_canes) if spots["ladder"] is not None else 0
    return (flowers, dry, canes, on_ladder, *(spots[name] for name in ("ladder", "hose", "can", "awning")))


def offered(table):
    found = set()
    for action in table.legal():
        family, values = ACTIONS.decode(action)
        found.add((family, next(iter(values.values()), 0)))
    return found


def stock(table):
    return [NAMES[15 + int(i)] for i in table.state.stock[: table.state.stock_size]]


def returned(table):
    return {name for name, i in IMPROVEMENT.items() if table.state.place[i] == Place.RETURNED}


def walk(table, patio, p, before, *, during_round=True):
    """Go through every choice of game and model; the ends of the model, reached in both."""
    ends, known = set(), set()
    waiting = [(table, patio)]
    while waiting:
        table, patio = waiting.pop()
        while patio.deciding != deciding(table, p):
            only = choices(patio) if patio.deciding != "over" else set()
            assert len(only) == 1, f"the game does not ask for one of {sorted(only)} in {patio}"
            patio = played(patio, *only, during_round)
        if patio.deciding == "over":
            ends.add(patio)
            if during_round:
                assert lying(table, p) == patio.lying()
                assert stock(table) == [*before, *patio.under]
            continue
        assert lying(table, p) == patio.lying()
        if patio.deciding == "water":
            assert during_round or returned(table) == set(patio.under)
            assert not during_round or stock(table) == [*before, *patio.under]
        if patio in known:
            continue
        known.add(patio)
        assert offered(table) == choices(patio), patio
        for family, value in choices(patio):
            twin = table.clone()
            twin.play(ACTIONS.span(family).start + value)
            waiting.append((twin, played(patio, (family, value), during_round)))
    return ends


# --- random patios --------------------------------------------------------------------------------------------


def some_flowers(random, cells, density, most):
    """Pots, balconies and now and then the Tub, up to so many of them dry."""
    names = ["b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "tub"]
    random.shuffle(names)
    flowers = {}
    for c in cells:
        if random.random() < density:
            pot = ("blue", "red", "green")[random.integers(3)]
            flowers[int(c)] = names.pop() if names and random.random() < 0.4 else pot
    dry = [c for c in flowers if random.random() < 0.6]
    random.shuffle(dry)
    return flowers, frozenset(dry[:most])


def random_patio(random, *, most=5, canes=2, **fixed):
    """A patio with a ladder, a hose, a can, and canes, each of them more or less often."""
    works = bool(random.random() < 0.5)
    cells = [int(c) for c in random.permutation(24 if works else INSIDE)]
    spots = {name: cells.pop() for name in ("ladder", "hose", "can") if random.random() < 0.7}
    if "ladder" in spots and "hose" in spots and random.random() < 0.5:
        cells.append(spots["hose"])
        spots["hose"] = spots["ladder"]
    loose = frozenset(cells.pop() for _ in range(random.integers(canes + 1)))
    on_ladder = int(random.integers(3)) if "ladder" in spots else 0
    flowers, dry = some_flowers(random, cells, (0.5, 0.8)[random.integers(2)], most)
    flowers = frozenset(flowers.items())
    return Patio(flowers, dry, loose, on_ladder, works=works, **spots, **fixed)


def with_tub_at(patio, cell):
    """The flower card of a cell, if there is one, is the Tub; another Tub is a pot."""
    flowers = {c: "red" if name == "tub" else name for c, name in patio.flowers}
    if cell in flowers:
        flowers[cell] = "tub"
    return patio._replace(flowers=frozenset(flowers.items()))


def lay(scene, p, patio):
    """The same patio in the game."""
    if patio.works:
        scene.works(p)
    for name in ("ladder", "hose", "can", "awning"):
        if getattr(patio, name) is not None:
            scene.lay(p, **{name: getattr(patio, name)})
    scene.lay(p, cane=[*patio.canes, *[patio.ladder] * patio.on_ladder])
    for c, name in patio.flowers:
        scene.lay(p, dry=c in patio.dry, **{name: c})
    assert lying(scene.table, p) == patio.lying()
    return scene


# --- watering -----------------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-130", "PAT-131", "PAT-132", "PAT-133", "PAT-134", "PAT-135", "PAT-161", "PAT-184", "PAT-192")
def test_all_waterers_together_at_the_end_of_a_round_as_brute_force_finds():
    random = np.random.default_rng(11)
    for trial in range(24):
        patio = random_patio(random, most=4, canes=1, forgetful=trial % 3 == 0)
        p = trial % 2
        scene = lay(Scene(monument_to_memory=patio.forgetful), p, patio).end_round()
        walk(scene.table, patio, p, [], during_round=False)


@pytest.mark.rules("PAT-090", "PAT-091", "PAT-092", "PAT-130", "PAT-132", "PAT-133", "PAT-134", "PAT-161", "PAT-164")
def test_all_waterers_together_at_the_suns_effect_as_brute_force_finds():
    random = np.random.default_rng(12)
    for trial in range(30):
        patio = random_patio(random, most=4, canes=1, forgetful=trial % 3 == 0)
        p = trial % 2
        free = set(INSIDE) - patio.canes - {patio.ladder, patio.hose, patio.can} - {c for c, _ in patio.flowers}
        if free and trial % 4 == 1:
            patio = patio._replace(awning=min(free))
        scene = lay(before_the_sun(monument_to_memory=patio.forgetful), p, patio)
        before = stock(scene.table)
        walk(sun_comes(scene).table, patio, p, before)


@pytest.mark.rules("PAT-131", "PAT-132", "PAT-161", "PAT-192")
def test_from_the_ladder_any_cards_are_watered_two_by_a_cane_and_three_by_the_hose():
    random = np.random.default_rng(13)
    for canes, hose, works in itertools.product(range(3), (False, True), (False, True)):
        cells = [int(c) for c in random.permutation(24 if works else INSIDE)]
        ladder = cells.pop()
        flowers, dry = some_flowers(random, cells, 0.9, 5)
        patio = Patio(frozenset(flowers.items()), dry, works=works, ladder=ladder, on_ladder=canes)
        patio = patio._replace(hose=ladder if hose else None)
        scene = lay(Scene(), 0, patio).end_round()
        ends = walk(scene.table, patio, 0, [], during_round=False)
        # Counted without any course of play: each tool that is used waters one card at least.
        expected = {
            (frozenset(watered), used, rolled)
            for used, rolled in itertools.product(range(canes + 1), range(hose + 1))
            for size in range(used + rolled, 2 * used + 3 * rolled + 1)
            for watered in itertools.combinations(sorted(dry), size)
        }
        assert {(dry - end.dry, canes - end.on_ladder, hose - (end.hose is not None)) for end in ends} == expected


@pytest.mark.rules("PAT-133", "PAT-134")
def test_a_lying_can_turns_up_all_dry_balconies_or_none():
    random = np.random.default_rng(14)
    for trial in range(30):
        cells = [int(c) for c in random.permutation(24 if trial % 2 else INSIDE)]
        can = cells.pop()
        flowers, dry = some_flowers(random, cells, 0.7, 24)
        patio = Patio(frozenset(flowers.items()), dry, can=can, works=bool(trial % 2))
        scene = lay(before_the_sun(), 0, patio)
        before = stock(scene.table)
        ends = walk(sun_comes(scene).table, patio, 0, before)
        kept = patio.flowers - {(c, name) for c, name in patio.flowers if c in dry}
        balconies = {(c, name) for c, name in patio.flowers if c in dry and name.startswith("b") and name != "blue"}
        assert {(end.flowers, end.can) for end in ends} == {(kept, can)} | ({(kept | balconies, None)} - {(kept, None)})


# --- defence ------------------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-081", "PAT-082", "PAT-083", "PAT-084", "PAT-085", "PAT-087", "PAT-161", "PAT-184", "PAT-192")
def test_all_waterers_together_against_the_sun_as_brute_force_finds():
    random = np.random.default_rng(15)
    asked = 0
    for trial in range(120):
        sun = list(DIRECTION)[trial % 8]
        patio = random_patio(random, most=12, canes=3, forgetful=trial % 3 == 0, deciding="first", sun=sun)
        if random.random() < 0.5:
            patio = with_tub_at(patio, WHERE.index(NAMED[sun]))
        scene = lay(Scene(monument_to_memory=patio.forgetful), 1, patio)
        before = stock(scene.table)
        if not hit_choices(patio):
            patio = after_hit(patio, set())
        asked += len(walk(scene.sun(sun).table, patio, 1, before)) > 1
    assert asked > 60


@pytest.mark.rules("PAT-085", "PAT-164")
def test_what_is_spent_against_the_sun_goes_under_the_deck_in_the_order_of_use():
    scene = Scene().works(1).lay(1, b01=N, red=2, can=S, hose=1).sun("N")
    assert scene.options("waterer") == [1, S]
    scene.do("waterer", S).do("waterer", 1)
    assert scene.patio(1) == {N: "b01", 2: "red"}
    assert scene.stock_names()[-2:] == ["can", "hose"]


@pytest.mark.rules("PAT-084", "PAT-085", "PAT-161", "PAT-192")
def test_one_tool_of_the_ladder_saves_all_hit_cards():
    random = np.random.default_rng(16)
    for canes, hose, works in itertools.product(range(3), (False, True), (False, True)):
        sun = list(DIRECTION)[random.integers(8)]
        named = WHERE.index(NAMED[sun])
        outer = next(c for c in range(24) if c not in INSIDE and touches(c, named))
        hits = {named, outer} if works else {named}
        ladder = next(int(c) for c in random.permutation(INSIDE) if c != named)
        flowers = frozenset({(named, "red"), (outer, "green")} if works else {(named, "red")})
        patio = Patio(flowers, frozenset({named}), works=works, ladder=ladder, on_ladder=canes)
        patio = patio._replace(hose=ladder if hose else None, deciding="first", sun=sun)
        scene = lay(Scene(), 1, patio)
        before = stock(scene.table)
        ends = walk(scene.sun(sun).table, patio, 1, before)
        saved = {(flowers, frozenset({named}), canes - 1, hose)} if canes else set()
        saved |= {(flowers, frozenset({named}), canes, False)} if hose else set()
        struck = {(flowers - {(named, "red")}, frozenset(hits - {named}), canes, hose)}
        assert {(end.flowers, end.dry, end.on_ladder, end.hose is not None) for end in ends} == saved | struck


# --- playing the can ----------------------------------------------------------------------------------------------


def window(scene, where):
    """The can in hand: before the character, after the action, or just received as apprentice. The seat."""
    if where == "apprentice":
        scene.coins(1, 1).stock("awning", "can").call("neighbour").do("offer", 1)
        scene.do("keep_improvement", IMPROVEMENT["awning"])
        return 1
    scene.hold(0, "can")
    if where == "second":
        scene.second_window()
    return 0


def free_cells(patio):
    taken = {c for c, _ in patio.flowers} | patio.canes | {patio.ladder, patio.hose, patio.can}
    return set(range(24) if patio.works else INSIDE) - taken


@pytest.mark.rules("PAT-045", "PAT-106", "PAT-107", "PAT-156", "PAT-162", "PAT-164", "PAT-184")
@pytest.mark.parametrize("where", ["first", "second", "apprentice"])
def test_a_can_is_played_on_one_dry_balcony_or_into_an_empty_cell_as_brute_force_finds(where):
    random = np.random.default_rng(17)
    can = IMPROVEMENT["can"]
    seen = set()
    for trial in range(60):
        works = trial % 4 == 3
        cells = [int(c) for c in random.permutation(24 if works else INSIDE)]
        canes = frozenset(cells.pop() for _ in range(random.integers(3)))
        ladder = cells.pop() if trial % 2 else None
        flowers, dry = some_flowers(random, cells, (0.7, 1)[random.integers(2)], random.integers(4))
        forgetful = trial % 3 == 0
        patio = Patio(frozenset(flowers.items()), dry, canes, ladder=ladder, works=works, forgetful=forgetful)
        p = 1 if where == "apprentice" else 0
        scene = lay(Scene(monument_to_memory=forgetful), p, patio)
        assert window(scene, where) == scene.seat == p
        before = [name for name in stock(scene.table) if name != "can"]
        room, balconies = free_cells(patio), patio.balconies(dry)
        playable = bool(room or balconies or (forgetful and patio.not_the_tub(dry)))
        seen.add((bool(room), bool(balconies), playable))
        assert scene.options("play_improvement") == [can] * playable
        if not playable:
            continue
        scene.do("play_improvement", can)
        if not room and not balconies:
            assert (scene.place_of("can"), stock(scene.table)) == (Place.STOCK, [*before, "can"])
            assert lying(scene.table, p) == patio.lying()
            continue
        assert offered(scene.table) == {("place", c) for c in room} | {("water_target", c) for c in balconies}
        for family, c in offered(scene.table):
            twin = scene.table.clone()
            twin.play(ACTIONS.span(family).start + c)
            watered = family == "water_target"
            after = patio._replace(dry=dry - {c}) if watered else patio._replace(can=c)
            assert lying(twin, p) == after.lying()
            assert stock(twin) == ([*before, "can"] if watered else before)
            assert twin.state.works[p] == works
    assert seen == {(True, True, True), (True, False, True), (False, True, True), (False, False, True),
                    (False, False, False)}  # fmt: skip
