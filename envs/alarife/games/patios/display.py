"""x"""

from alarife.engine.game import Display


class PatiosDisplay(Display):
    """x"""
