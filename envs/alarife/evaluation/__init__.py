"""Comparing players: any set of them, at any game, honestly.

    from alarife.evaluation import evaluate
    evaluate("viva", ["random", "scripted", "ismcts:200"], games=200, out="runs/viva")

Every line-up plays the same deals, every deal is played again with the seats changed round, every number has an
interval, and a run that was stopped goes on where it was. From a terminal: ``python -m alarife evaluate``.
"""

from __future__ import annotations

from alarife.evaluation.run import Evaluation, evaluate
from alarife.evaluation.statistics import Summary, summarise

__all__ = ["Evaluation", "Summary", "evaluate", "summarise"]
