"""Games small enough to be solved on paper, and games at the edges of the contract."""

from __future__ import annotations

from .extremes import AT_ONCE, HUGE_SCORES, ONE_DECISION
from .kuhn import KUHN
from .safe_or_guess import SAFE_OR_GUESS

__all__ = ["AT_ONCE", "HUGE_SCORES", "KUHN", "ONE_DECISION", "SAFE_OR_GUESS"]
