"""Provides the time; everything else receives a clock as an argument."""

from datetime import UTC, date, datetime, timedelta
from typing import Protocol

from pms.rules.days import JAPAN, day_of


class Clock(Protocol):
    """The time as use cases query it."""

    def now(self) -> datetime:
        """Return the current instant in UTC, to the second."""

    def today(self) -> date:
        """Return the current calendar day in Japan (specification, Contract dates)."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC).replace(microsecond=0)

    def today(self) -> date:
        return datetime.now(JAPAN).date()


class FixedClock:
    """A clock that does not move by itself, for tests and for running a job for a given day."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant.astimezone(UTC)

    def now(self) -> datetime:
        return self._instant.replace(microsecond=0)

    def today(self) -> date:
        return day_of(self._instant)

    def advance(self, by: timedelta) -> None:
        """Move the clock forward."""
        self._instant += by
