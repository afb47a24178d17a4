"""x"""
from alarife.engine.jit import rule


@rule
def resample(s, seat):
    pass
