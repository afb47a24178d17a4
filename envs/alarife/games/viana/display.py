"""stub"""

from alarife.engine.game import Display


class VianaDisplay(Display):
    pass
