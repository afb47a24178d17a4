"""Lisboa: the rules, one module for each chapter of the rulebook. Ids in brackets are those of RULES.md.

- `setup`: what lies where at the start
- `turn`: the table of decisions, and how the game goes on; `pending`: steps that wait for others. Open `turn` first
- `means`: influence, wigs, treasury, money, goods, and the effects on spaces, plans and cards
- `portfolio`: cards played to the portfolio or for gold, selling goods; `display_decks`: hand and display
- `state_actions`: what can be done at court, noble actions included
- `trade`, `visit`, `sponsor`, `following`: the ways to do it
- `city`: stores and rubble; `buildings`: plans, officials, public buildings
- `church`: clergy tiles, the Cardinal, church scoring; `decrees`
- `lacerda`: his turn
- `periods`: turns and the change of period; `end`: when the game ends, final scoring and rank
- `invariants`: what always holds
"""

from alarife.games.lisboa.rules.end import result
from alarife.games.lisboa.rules.invariants import check
from alarife.games.lisboa.rules.turn import DECISIONS, apply, legal, reset

__all__ = ["DECISIONS", "apply", "check", "legal", "reset", "result"]
