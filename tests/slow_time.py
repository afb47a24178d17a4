"""A clock for tests: it stands still but for calls that are said to take long."""


class SlowTime:
    """Stands in for the module `time`."""

    now = 0.0

    def perf_counter(self):
        """The seconds that calls have taken so far."""
        return self.now

    def takes(self, seconds, call):
        """The call, which from now on takes that long."""

        def slow(*args, **more):
            self.now += seconds
            return call(*args, **more)

        return slow
