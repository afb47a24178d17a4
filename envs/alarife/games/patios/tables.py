"""The balcony cards as data: those of the box, or a user's own (PAT-009, PAT-011).

A file (TOML or JSON) holds a list ``balconies`` of up to eleven entries: ``need`` = pots of blue, red and green,
``any`` = size of a further group of one colour of the owner's choice, ``copies`` = how many such cards there are. The
copies make eleven in all. A card is worth the number of pots that it asks.
"""

from __future__ import annotations

from typing import Any

from alarife.engine.errors import OptionError, nearest
from alarife.engine.numbers import short

from .components import BALCONIES, BALCONY_CARDS, COLOUR_NAMES, COLOURS, MOST_ASKED

KEYS = "key", "need", "any", "points", "copies", "index", "provenance"


def load_balconies(source: Any) -> list[dict[str, Any]]:
    """The balconies of the box for None, those of a list or of a dictionary otherwise, checked."""
    if source is None:
        source = [{"need": list(need), "any": group} for need, group in BALCONY_CARDS]
    if isinstance(source, dict):
        if set(source) != {"balconies"}:
            raise OptionError(f"balconies: a list called balconies is expected, got {short([*source])}")
        source = source["balconies"]
    if not isinstance(source, list) or not 1 <= len(source) <= BALCONIES:
        raise OptionError(f"balconies: 1 to {BALCONIES} entries are expected, got {short(source)}")
    cards = [_card(f"balcony {number}", entry) for number, entry in enumerate(source, 1)]
    total = sum(card["copies"] for card in cards)
    if total != BALCONIES:
        raise OptionError(f"balconies: the copies make {BALCONIES} cards, got {total}")
    return cards


def _card(name: str, entry: Any) -> dict[str, Any]:
    """One entry with nothing but what the rules need."""
    if not isinstance(entry, dict):
        raise OptionError(f"{name}: need, any and copies are expected, got {short(entry)}")
    for key in entry:
        if key not in KEYS:
            raise OptionError(f"{name}: nothing is called {short(key)}{nearest(key[:80], KEYS)}")
    need = entry.get("need", [0] * COLOURS)
    if not isinstance(need, (list, tuple)) or len(need) != COLOURS or not all(_is_count(n) for n in need):
        raise OptionError(f"{name}: need takes {COLOURS} numbers ({', '.join(COLOUR_NAMES)}), got {short(need)}")
    group, copies = entry.get("any", 0), entry.get("copies", 1)
    if not _is_count(group):
        raise OptionError(f"{name}: any takes a number, 0 for no group, got {short(group)}")
    if not _is_count(copies) or copies < 1:
        raise OptionError(f"{name}: copies takes a number from 1, got {short(copies)}")
    asked = sum(need) + group
    if not 1 <= asked <= MOST_ASKED:
        raise OptionError(f"{name}: it asks for 1 to {MOST_ASKED} pots, got {asked}")
    if entry.get("points", asked) != asked:
        raise OptionError(f"{name}: it is worth the {asked} pots it asks, got points={short(entry['points'])}")
    return {"need": [int(n) for n in need], "any": int(group), "copies": int(copies)}


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
