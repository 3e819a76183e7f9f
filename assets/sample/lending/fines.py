"""What late books cost."""

from datetime import datetime

from .config import Config

MAX_FINE_CENTS = 1_000


def days_late(due: datetime, now: datetime) -> int:
    """Returns the whole days after the due date."""
    return max((now - due).days, 0)


def fine_cents(due: datetime, now: datetime, config: Config) -> int:
    """Returns the fine for a book that is given back now, up to a maximum."""
    return min(days_late(due, now) * config.cents_per_day, MAX_FINE_CENTS)


def format_fine(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
