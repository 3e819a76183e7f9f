"""The time, which tests can set."""

from datetime import datetime, timedelta, timezone


class Clock:
    """The time of the machine."""

    def now(self) -> datetime:
        return datetime.now(timezone.utc)


class FixedClock(Clock):
    """A time that moves only when it is told to."""

    def __init__(self, start: datetime):
        self.time = start

    def now(self) -> datetime:
        return self.time

    def advance(self, **delta: int) -> None:
        """Moves the time forward."""
        self.time += timedelta(**delta)
