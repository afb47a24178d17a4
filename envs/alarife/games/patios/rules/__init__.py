"""Patios: the rules, a module for each chapter of the rulebook. Open `turn` first. Ids in brackets are of RULES.md.

- `setup`: how the game and a round begin; `turn`: the table of decisions, and how a turn goes on
- `gardeners` (with Water carrier and Assistant gardener), `children`, `sun`, `neighbour`: what the characters do
- `improvements`: what they do when they are played; `watering`: before the Sun and the Visitors come
- `scoring`, `carrying`, `buying`: the end of a round; `end`: when it ends, scores and places
- `cards`, `stock`, `row`, `patio`, `hand`: what lies on the table; `cells`, `seats`: what several chapters ask
- `drafts`: what seats remember of the Assistant's cards
- `invariants`: what always holds; `phases`: what holds when a decision is due
"""

from .end import result
from .invariants import check
from .turn import DECISIONS, apply, legal, reset

__all__ = ["DECISIONS", "apply", "check", "legal", "reset", "result"]
