"""Palace of Viana: the rules, a module for each chapter of the rulebook. Open `turn` first. Ids are those of RULES.md.

- `setup`: what lies where at the start, and the first choices; `turn`: the table of decisions, and how a turn goes on
- `cards`: first cards, the Main Rule, honks, restriction cards
- `gardeners`, `girl`, `marquise`, `market`: what the characters do; `palace`: door, movement, placing
- `end`: when it ends, the last points, the result; `invariants`: what always holds
"""

from .end import result
from .invariants import check
from .turn import DECISIONS, apply, legal, reset

__all__ = ["DECISIONS", "apply", "check", "legal", "reset", "result"]
