"""Palace of Viana: how tests set up a position, do something, and ask what came of it."""

from alarife.engine.table import Table
from alarife.games.viana import GAME
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import FOUNTAIN, POT, STREET, Phase
from alarife.games.viana.rules.palace import close_doorway, count_in, put_flower
from alarife.games.viana.tables import own_board

B, C, P = range(3)


PLAZA, REAR = STREET, STREET + 1


def table(players=3, seed=1, **options):
    """A new game in which seat 0 starts, run by Python."""
    return Table(GAME, players, {"first_player": "0", **options}, seed=seed, interpreted=True)


def ready(players=3, turn=0, **options):
    """Round 2, a seat is to play a card: full hands, no piles, pawns in the Plaza, five flowers in each reserve.

    The Marquise is in 5, the Marquis in 9, the Cat in 7, the door between 9 and 13.
    """
    t = table(players, **options)
    while t.state.phase == Phase.RETURN_FLOWER:
        do(t, "return_flower", flower=B)
    s = t.state
    s.phase, s.turns, s.turn_of, s.seat = Phase.CARD, players + turn, turn, turn
    s.marquise, s.marquis, s.cat = 4, 8, 6
    return t.refresh()


def do(t, family, **values):
    """Play an action; courtyards by their numbers."""
    if "court" in values:
        values["court"] -= 1
    return t.play(ACTIONS.encode(family, **values))


def play(t, card):
    """Play a character."""
    return do(t, "play_card", card=card)


def choices(t, family):
    """The parameters that are legal in a family: numbers, or tuples of them; courtyards by their numbers."""
    found = []
    for action in t.legal():
        name, values = ACTIONS.decode(action)
        if name == family:
            numbers = tuple(value + (key == "court") for key, value in values.items())
            found.append(numbers if len(numbers) != 1 else numbers[0])
    return found


def families(t):
    """The families that have a legal action."""
    return {ACTIONS.decode(action)[0] for action in t.legal()}


def is_legal(t, family, **values):
    """Whether an action is legal; courtyards by their numbers."""
    if "court" in values:
        values["court"] -= 1
    return bool(t.mask[ACTIONS.encode(family, **values)])


def plant(t, p, court, hedge, kind, scored=0, unscored=1):
    """Flowers of seat p, from the common reserve, in a hedge."""
    s = t.state
    for number in range(scored + unscored):
        s.common[p, kind] -= 1
        put_flower(s, p, court - 1, hedge, kind)
        if number < scored:
            s.flower[p, court - 1, hedge] -= 1
            s.scored_flower[p, court - 1, hedge] += 1
    return t.refresh()


def adorn(t, p, court, kind, scored=False):
    """A flowerpot or fountain of seat p, from the common reserve."""
    s, c = t.state, court - 1
    s.common[p, kind] -= 1
    (s.pot_free if kind == POT else s.fountain_free)[c] -= 1
    tokens = {
        (POT, False): s.pot, (POT, True): s.scored_pot,
        (FOUNTAIN, False): s.fountain, (FOUNTAIN, True): s.scored_fountain,
    }[kind, scored]  # fmt: skip
    tokens[p, c] += 1
    count_in(s, p, c)
    return t.refresh()


def stock(t, p, counts):
    """The personal reserve of seat p; the rest is in the common one."""
    for kind in range(5):
        both = t.state.personal[p, kind] + t.state.common[p, kind]
        t.state.personal[p, kind], t.state.common[p, kind] = counts[kind], both - counts[kind]
    return t.refresh()


def put_pawn(t, p, court):
    """The pawn of seat p goes to a courtyard."""
    t.state.pawn[p] = court - 1
    return t.refresh()


def put_figures(t, marquise=None, marquis=None, cat=None):
    """Figures go to courtyards."""
    for name, court in (("marquise", marquise), ("marquis", marquis), ("cat", cat)):
        if court is not None:
            setattr(t.state, name, court - 1)
    return t.refresh()


def doorway(one, other):
    """The number of the doorway between two courtyards."""
    return next(row["id"] for row in own_board()["doorways"] if set(row["courts"]) == {one, other})


def put_door(t, one, other):
    """The door goes into a doorway."""
    close_doorway(t.state, doorway(one, other))
    return t.refresh()


def lay_top(t, p, card):
    """A card of seat p lies on its pile."""
    s = t.state
    s.hand[p, card] = 0
    s.held[p] -= 1
    s.top[p] = card
    return t.refresh()


def scores(t):
    """The points of the seats at the table."""
    return [int(t.state.score[p]) for p in range(t.players)]


def finish_setup(t, cards):
    """Return bougainvilleas, pick the given cards in seat order from the first player."""
    while t.state.phase == Phase.RETURN_FLOWER:
        do(t, "return_flower", flower=B)
    for card in cards:
        play(t, card)
    return t


def set_stand(t, i, counts):
    """The tokens of stand i; the bag has the rest."""
    s = t.state
    for kind in range(5):
        s.bag[kind] += s.stand[i - 1, kind] - counts[kind]
        s.stand[i - 1, kind] = counts[kind]
    s.bag_size += s.stand_size[i - 1] - sum(counts)
    s.stand_size[i - 1] = sum(counts)
    return t.refresh()
