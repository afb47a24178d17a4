"""Villa Paletti: what everybody remembers of earlier buildings: what each column felt like when it was last felt.

A reading spoke of the building as it was. The view shows it until the building changes; a memory shows it ever after,
and how often the building has changed since. Imperfections are redrawn as without memory, from what is known of the
present building: earlier buildings are not kept, so that they could be weighed again.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import mark

from .components import COLUMNS, MOST_CHANGES, Proof, Reading

READINGS, PROOFS = len(Reading) - 1, len(Proof) - 1

FEATURES = Features(
    remembered_felt=Flags((COLUMNS, READINGS), "what a column felt like when it was last felt, in whatever building"),
    remembered_proof=Flags((COLUMNS, PROOFS), "that building was known to stand, to fall without it"),
    remembered_changes=Block(COLUMNS, "changes of the building since then, in twentieths; 1 for more",
                             scale=1 / MOST_CHANGES),
)  # fmt: skip
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """What everybody remembers."""
    for c in range(COLUMNS):
        if s.last_felt[c] != Reading.NOT_FELT:
            view[AT.remembered_felt + c * READINGS + s.last_felt[c] - 1] = 1
            view[AT.remembered_changes + c] = s.changes[c]
            mark(view, AT.remembered_proof + c * PROOFS, s.last_proof[c] - 1)


@rule
def agrees(s, seat):
    """What is felt of the present building is the last that was felt of each column."""
    for c in range(COLUMNS):
        if s.felt[c] != Reading.NOT_FELT:
            assert s.last_felt[c] == s.felt[c], "a column's last reading is forgotten"
            assert s.last_proof[c] == s.proof[c], "what was last proved of a column is forgotten"
