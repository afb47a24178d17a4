"""Games small enough to be solved on paper: what search finds is compared with what is known."""

from __future__ import annotations

from .kuhn import KUHN
from .safe_or_guess import SAFE_OR_GUESS

__all__ = ["KUHN", "SAFE_OR_GUESS"]
