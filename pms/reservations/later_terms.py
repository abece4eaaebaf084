"""The terms that were signed after the one that was booked."""

from collections.abc import Iterable
from datetime import date


def read_first_days(written: str | None) -> tuple[date, ...]:
    """Return the first days that `write_first_days` wrote."""
    return tuple(date.fromisoformat(day) for day in (written or "").split())


def write_first_days(days: Iterable[date]) -> str | None:
    """Return the first days of terms as the reservation keeps them, in order; None for none."""
    return " ".join(day.isoformat() for day in sorted(days)) or None
