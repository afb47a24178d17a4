from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features
FEATURES = Features(wigs=Block(2, "x"))
@rule
def observe(s, seat, view):
    view[0] = 0
