"""Players that hang or take their process down, for worker processes to import."""

import os
import signal
import time
from pathlib import Path

from alarife.players import RandomPlayer


class Failing(RandomPlayer):
    """Plays twice, then fails."""

    def act(self, turns):
        self.count = getattr(self, "count", 0) + 1
        if self.count > 2:
            self.fail()
        return super().act(turns)

    def fail(self):
        pass


class Hanging(Failing):
    """Thinks for ever."""

    def fail(self):
        while True:
            pass


class Dying(Failing):
    """Ends its process."""

    def fail(self):
        os._exit(7)


class Crashing(Failing):
    """Reads memory that is not its own, as a faulty native library may."""

    def fail(self):
        os.kill(os.getpid(), signal.SIGSEGV)


class Telling(Failing):
    """Tells how many threads libraries are told to take."""

    def fail(self):
        raise RuntimeError(f"threads {os.environ.get('OMP_NUM_THREADS')} and {os.environ.get('OPENBLAS_NUM_THREADS')}")


class DyingOnce(Failing):
    """Ends its process if nobody has done so before."""

    def __init__(self, mark, seed=None):
        super().__init__(seed)
        self.mark = Path(mark)

    def fail(self):
        if not self.mark.exists():
            self.mark.touch()
            os._exit(7)


class Slow(Failing):
    """Answers, but late."""

    def fail(self):
        time.sleep(0.05)


class Poison:
    """Ends whatever process it is sent to."""

    def __reduce__(self):
        return os._exit, (9,)

    def __call__(self, seed):
        return RandomPlayer(seed)
