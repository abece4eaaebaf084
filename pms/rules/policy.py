"""The figures of the law that every workspace may set for itself, with their defaults."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Policy:
    """One workspace's figures (specification, Move-out penalties 10)."""

    short_contract_days: int = 31
    """Contracts of at most so many inclusive days are short (Move-out penalties 4)."""

    short_notice_days: int = 15
    """Days of notice owed on a short contract (Move-out penalties 4)."""

    long_notice_days: int = 30
    """Days of notice owed on a longer contract and month to month (Move-out penalties 4, 5)."""

    full_calendar_month_is_long: bool = True
    """Whether a contract spanning a full calendar month is always long (Move-out penalties 4)."""

    early_exit_cap_months: Decimal | int = 1
    """Months of base rent, also parts of one, an early exit costs at most (penalties 7)."""

    billing_day: int = 25
    """Day of the month before on which ordinary rent is issued."""

    turnover_days: int = 0
    """Days a unit rests between a departure and the next stay (Availability)."""

    longest_guest_stay: int = 180
    """Nights a guest stays at most; a longer stay needs a resident's contract (Guest)."""


DEFAULT_POLICY = Policy()
