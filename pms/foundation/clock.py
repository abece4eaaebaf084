"""Tells the time; everything else receives it as an argument."""

from datetime import UTC, date, datetime, timedelta
from typing import Protocol

from pms.rules.days import JAPAN, day_of


class Clock(Protocol):
    """What a use case may ask about time."""

    def now(self) -> datetime:
        """Return this instant in UTC, to the second."""

    def today(self) -> date:
        """Return this calendar day in Japan (specification, Contract dates)."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC).replace(microsecond=0)

    def today(self) -> date:
        return datetime.now(JAPAN).date()


class FixedClock:
    """A clock that stands still until it is moved, for tests and for running a job for a day."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant.astimezone(UTC)

    def now(self) -> datetime:
        return self._instant.replace(microsecond=0)

    def today(self) -> date:
        return day_of(self._instant)

    def advance(self, by: timedelta) -> None:
        """Move the clock on."""
        self._instant += by
