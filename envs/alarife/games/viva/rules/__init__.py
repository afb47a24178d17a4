"""VIVA: the rules, a module for each chapter of the rulebook. Open `turn` first. Ids in brackets are those of RULES.md.

- `setup`: how a match and a round begin; `turn`: the table of decisions, and how play goes on
- `playing`: cards into houses, on blocking cards, from the stack; `settling`: a play stands, a seat goes out
- `calling`: the call of VIVA and the new blocking card; `catching`: illegal plays, in the variant
- `end`: rounds, the match, the result; `invariants`: what always holds
- `stack`, `seats`, `matching`: what several chapters ask
"""

from .end import result
from .invariants import check
from .turn import DECISIONS, apply, legal, reset

__all__ = ["DECISIONS", "apply", "check", "legal", "reset", "result"]
