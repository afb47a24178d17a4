"""Villa Paletti: display."""
from alarife.engine.game import Display


class VillaPalettiDisplay(Display):
    """Everything that Villa Paletti shows a person."""
