"""Positions of Patios set up by hand, for the tests of its rules."""

from alarife.engine.table import Table
from alarife.games.patios import GAME
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    CANE,
    CELLS,
    CHARACTERS,
    KINDS,
    LADDER,
    NONE,
    Character,
    Improvement,
    Phase,
    Place,
    Window,
)
from alarife.games.patios.rules.row import table_number

KIND = {"blue": 0, "red": 1, "green": 2, "cane": 3, **{f"b{n:02d}": 3 + n for n in range(1, 12)}}
CHARACTER = {"blue": 0, "red": 1, "green": 2, "water": 3, "assistant": 4, "children": 5, "sun": 6, "neighbour": 7,
             "visitors": 8}  # fmt: skip
IMPROVEMENT = {i.name.lower(): int(i) for i in Improvement}
IMPROVEMENT_NAMES = list(IMPROVEMENT)
DIRECTION = {name: d for d, name in enumerate(("N", "NE", "E", "SE", "S", "SW", "W", "NW"))}
NW, N, NE, W, E, SW, S, SE = 6, 7, 8, 11, 12, 15, 16, 17  # the inner cells by where they lie


class Scene:
    """A table whose seat 0 is about to choose a character: empty patios, an empty sample, every character face up.

    Whatever is laid somewhere comes out of the flower deck, so that no card is lost.
    """

    def __init__(self, players=2, seed=1, **options):
        self.table = Table(GAME, players, options, seed=seed, interpreted=True)
        while self.phase == Phase.SETUP or self.state.turns == 0:
            self.table.play(self.table.legal()[0])
        s = self.state
        for p in range(players):
            for c in range(CELLS):
                if s.card[p, c] != NONE:
                    s.deck[s.card[p, c]] += 1
                    s.deck_size += 1
                    s.card[p, c] = NONE
                s.told[p, c] = 0
            s.filled[p] = s.flowers[p] = s.dry[p] = 0
        self.sample()
        s.turn_of = s.seat = 0
        order = [a for a in range(CHARACTERS) if s.row_size == CHARACTERS or a != Character.NEIGHBOUR]
        for k, a in enumerate(order):
            s.row[k] = a
            s.face_up[a] = s.public[a] = 1
        self.ready()

    @property
    def state(self):
        return self.table.state

    @property
    def phase(self):
        return Phase(self.state.phase)

    @property
    def seat(self):
        return self.table.seat

    def ready(self):
        """Mask and view of the position as it is now."""
        self.table.refresh()
        return self

    # --- setting up -----------------------------------------------------------------------------------------

    def _take(self, kind):
        s = self.state
        pile = "discard" if s.discard[kind] else "deck"
        assert getattr(s, pile)[kind] > 0, "no such card is left"
        getattr(s, pile)[kind] -= 1
        setattr(s, f"{pile}_size", getattr(s, f"{pile}_size") - 1)

    def sample(self, *names):
        """These cards lie open, and no others."""
        s = self.state
        for k in range(KINDS):
            s.deck[k] += s.sample[k]
            s.sample[k] = 0
        s.deck_size += s.sampled
        s.sampled = 0
        for name in names:
            self._take(KIND[name])
            s.sample[KIND[name]] += 1
            s.sampled += 1
        return self.ready()

    def deck(self, *names, rest=True):
        """The deck holds these cards; all others of it are discarded, or out of the game."""
        s = self.state
        for k in range(KINDS):
            s.discard[k] += s.deck[k]
            s.deck[k] = 0
        s.discard_size += s.deck_size
        s.deck_size = 0
        for name in names:
            self._take(KIND[name])
            s.deck[KIND[name]] += 1
            s.deck_size += 1
        if not rest:
            s.discard_size = 0
            for k in range(KINDS):
                s.discard[k] = 0
        return self.ready()

    def lay(self, p, *, dry=False, **cards):
        """Put cards into a patio: ``lay(0, blue=N, cane=[E, S], hose=W)``, all dry or all as they lie normally."""
        s = self.state
        for name, cells in cards.items():
            for c in [cells] if isinstance(cells, int) else cells:
                self._lay_one(s, p, name, c, dry)
        return self.ready()

    def _lay_one(self, s, p, name, c, dry):
        if name in IMPROVEMENT:
            i = IMPROVEMENT[name]
            self._leave_stock(i)
            s.place[i], s.keeper[i], s.spot[i] = Place.PATIO, p, c
            if s.card[p, c] == CANE:
                s.canes[p] &= ~(1 << c)
                s.ladder_canes += 1
            if s.card[p, c] != LADDER:
                s.card[p, c] = KINDS + i
            flower = name == "tub"
        else:
            self._take(KIND[name])
            flower = name != "cane"
            if s.card[p, c] == LADDER:
                s.ladder_canes += 1
                return
            s.card[p, c] = KIND[name]
            if not flower:
                s.canes[p] |= 1 << c
        s.filled[p] |= 1 << c
        if flower:
            s.flowers[p] |= 1 << c
            if dry:
                s.dry[p] |= 1 << c
                s.seen[p, c] = 1 << p

    def works(self, *seats):
        """The Well is turned over."""
        for p in seats:
            self.state.works[p] = 1
        return self.ready()

    def _leave_stock(self, i):
        s = self.state
        left = [int(j) for j in s.stock[: s.stock_size] if j != i]
        assert len(left) == s.stock_size - 1, "the improvement is not in the deck"
        for k, j in enumerate(left):
            s.stock[k] = j
        s.stock_size = len(left)

    def stock(self, *names):
        """The improvement deck begins with these."""
        s = self.state
        top = [IMPROVEMENT[name] for name in names]
        order = top + [int(j) for j in s.stock[: s.stock_size] if j not in top]
        assert len(order) == s.stock_size
        for k, j in enumerate(order):
            s.stock[k] = j
        return self.ready()

    def hold(self, p, *names):
        """A seat holds these unused improvements."""
        s = self.state
        for name in names:
            i = IMPROVEMENT[name]
            self._leave_stock(i)
            s.place[i], s.keeper[i], s.informed[i] = Place.HAND, p, 1 << p
            s.unused[p] += 1
        return self.ready()

    def row(self, *names, down=()):
        """The row from the front; some characters face down, known to all."""
        s = self.state
        for k, name in enumerate(names):
            s.row[k] = CHARACTER[name]
        for a in range(CHARACTERS):
            s.face_up[a] = s.public[a] = 1
        for name in down:
            s.face_up[CHARACTER[name]] = 0
        return self.ready()

    def coins(self, *numbers):
        """Coins by seat; the others are in the reserve."""
        for p, n in enumerate(numbers):
            self.state.coins[p] = n
        self.state.reserve = 5 - sum(numbers)
        return self.ready()

    def pile(self, p, *tokens, loose=0):
        """Trio tokens by colour, and loose points."""
        for c, n in enumerate(tokens):
            self.state.trio[p, c] = n
        self.state.loose[p] = loose
        return self.ready()

    def active(self, p):
        """It is the turn of seat p."""
        self.state.turn_of = self.state.seat = p
        return self.ready()

    def second_window(self):
        """The action is over; seat 0 may play improvements."""
        self.state.window, self.state.phase, self.state.character = Window.SECOND, Phase.WINDOW, 0
        return self.ready()

    # --- playing --------------------------------------------------------------------------------------------

    def options(self, family):
        """The arguments of a family that are legal now."""
        span = ACTIONS.span(family)
        return [a - span.start for a in self.table.legal() if span.start <= a < span.stop]

    def can_stop(self):
        return bool(self.options("done"))

    def do(self, family, value=0):
        """Play an action of a family."""
        self.table.play(ACTIONS.span(family).start + value)
        return self

    def call(self, name):
        """Choose a character."""
        return self.do("character", CHARACTER[name])

    def take(self, name):
        return self.do("kind", KIND[name])

    def sun(self, direction):
        return self.call("sun").do("sun_direction", DIRECTION[direction])

    def end_round(self):
        """Visitors come first as the turn of the active seat ends."""
        s = self.state
        names = ["blue", "visitors", "red", "green", "water", "assistant", "children", "sun", "neighbour"]
        if s.row_size < CHARACTERS:
            names.remove("neighbour")
        self.row(*names)
        s.character, s.window, s.phase = 0, Window.SECOND, Phase.WINDOW
        return self.ready().do("done")

    def check(self):
        """The invariants; a scene shows more characters than a row does."""
        self.as_a_row_lies().check()

    def as_a_row_lies(self):
        """The table with as many characters face down as there are in play, those of the lowest numbers."""
        table = self.table.clone()
        for a in range(int(table_number(table.state)) - table.state.to_turn_down):
            table.state.face_up[a] = 0
        return table.refresh()

    def fast(self):
        """The same position on a compiled table, for many forks."""
        return Table(GAME, self.table.players, self.table.options, seed=0).from_bytes(self.table.to_bytes())

    # --- looking --------------------------------------------------------------------------------------------

    def at(self, p, c):
        """What lies in a cell: a name, in brackets if dry, None for nothing."""
        thing = int(self.state.card[p, c])
        if thing == NONE:
            return None
        name = next((n for n, k in KIND.items() if k == thing), None) or Improvement(thing - KINDS).name.lower()
        return f"({name})" if self.state.dry[p] >> c & 1 else name

    def patio(self, p):
        """All cards of a patio by cell."""
        return {c: self.at(p, c) for c in range(CELLS) if self.at(p, c)}

    def names_of_row(self):
        names = {a: name for name, a in CHARACTER.items()}
        return [names[int(self.state.row[k])] for k in range(self.state.row_size)]

    def face_down(self):
        return [name for name in self.names_of_row() if not self.state.face_up[CHARACTER[name]]]

    def stock_names(self):
        return [Improvement(int(i)).name.lower() for i in self.state.stock[: self.state.stock_size]]

    def place_of(self, name):
        return Place(self.state.place[IMPROVEMENT[name]])

    def count(self, name):
        """How many cards of a kind lie in the sample."""
        return int(self.state.sample[KIND[name]])


def before_the_sun(players=2, **options):
    """A row whose first character hides the Sun behind it."""
    scene = Scene(players, **options)
    return scene.row("neighbour", "sun", "blue", "red", "water", "visitors", "green", "assistant", "children",
                     down=["green", "assistant", "children"])  # fmt: skip


def sun_comes(scene):
    """The action of the first character is over and there is nothing more to play."""
    scene.state.character, scene.state.phase = 7, Phase.WINDOW
    return scene.ready().do("done")
