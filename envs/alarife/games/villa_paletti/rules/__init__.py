"""Villa Paletti: the rules, a module for each chapter of the rulebook. Open `turn` first. Ids are those of RULES.md.

- `setup`, `colours`: columns and the blue floor before the game, and whose colours they are
- `turn`: the table of decisions, and how a turn goes on
- `taking`: which columns may be taken; `removing`: feel, pull and lift them; `placing`: put them on top
- `proposing`: a new floor, objections and penalties; `floors`: laying it
- `building`: what is known of it; `seal`: points, and who holds the Seal; `end`: a collapse, the end, the result
- `statics`: whether a building stands; `tremor`: imperfections, readings, jolts; `places`: cells and poses
- `invariants`: what always holds; `phases`: and what, when a decision is due
"""

from .end import result
from .invariants import check
from .turn import DECISIONS, apply, legal, reset

__all__ = ["DECISIONS", "apply", "check", "legal", "reset", "result"]
