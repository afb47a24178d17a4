"""The conformance kit: one call tells whether a game keeps the contract, and in a sentence where it does not.

    from alarife.testing import check_game
    check_game(GAME)

It works on any `Game`, also one that is in no package. Failures raise `ConformanceError`.
"""

from __future__ import annotations

from alarife.testing.kit import CHECKS, check_game
from alarife.testing.positions import sample_positions

__all__ = ["CHECKS", "check_game", "sample_positions"]
