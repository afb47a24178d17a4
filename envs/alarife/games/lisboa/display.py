from alarife.engine.game import Display


class LisboaDisplay(Display):
    pass
