"""Lisboa: redraw what H cannot know (LIS-288, LIS-290)."""

from __future__ import annotations

from alarife.engine.jit import rule


@rule
def resample(s, seat):
    """Nothing to redraw: the state holds no secret.

    Piles whose order nobody knows (display decks, plans, buildings and their upper sides, decrees, the purple and brown
    decks, the clergy bag) are lists without an order; a card or tile is drawn at random when it is turned up, which is
    the same as having shuffled before. What is left in each pile follows from what was seen. So a copy with a stream of
    its own, as `fork` makes it, has its unknown future redrawn from the right distribution.
    """
