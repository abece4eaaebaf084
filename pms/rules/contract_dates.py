"""Dates of a contract and of its billing."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, TypeVar

from pms.rules.days import (
    ONE_DAY,
    RecordedDay,
    add_months,
    inclusive_days,
    month_days,
    month_first,
    month_last,
)
from pms.rules.policy import Policy

MOVE_IN_INVOICE_LIFE: Final = timedelta(days=7)


def rent_issued_on(month_on: date, policy: Policy) -> date:
    """The day on which a month's ordinary rent is issued: in the month before (Contract dates).

    The last day of a month that is too short for the billing day.
    """
    before = add_months(month_first(month_on), -1)
    return before.replace(day=min(policy.billing_day, month_days(before)))


def billed_through_on(today: date, policy: Policy) -> date:
    """The last day that a billing run covers: the end of next month from the billing day on."""
    next_month = add_months(month_first(today), 1)
    return month_last(next_month if rent_issued_on(next_month, policy) <= today else today)


def row_due_on(first_on: date, issued_on: date) -> date:
    """The day before a row's first day (for rent, the month's eve), never before its issue."""
    return max(first_on - ONE_DAY, issued_on)


def move_in_invoice_due_on(start_on: date, booked_on: date) -> date:
    """Within seven days and before move-in, never before its issue (Deposit 1)."""
    return max(min(booked_on + MOVE_IN_INVOICE_LIFE, start_on - ONE_DAY), booked_on)


def charge_due_on(issued_on: date, named_on: date | None = None) -> date:
    """The day that a charge or penalty names, else its day of issue; never before its issue."""
    return max(issued_on, named_on or issued_on)


_SHAPE: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2200


def strict_instant(text: str) -> datetime | None:
    """Return an instant in UTC to the second; None for text that is not exactly one."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        return None
    day, time, zone = found.groups()
    try:
        instant = datetime.fromisoformat(f"{day}T{time}{zone.upper().replace('Z', '+00:00')}")
    except ValueError:
        return None
    if not _FIRST_YEAR <= instant.year <= _LAST_YEAR:
        return None
    return instant.astimezone(UTC)


AnyDay = TypeVar("AnyDay", bound=RecordedDay)


@dataclass(frozen=True, slots=True)
class ContractTerm:
    """The effective start and end of a contract, both inclusive; an open term has no end."""

    start_on: date
    end_on: date | None


class TermProblem(StrEnum):
    """Why dates do not form a contract (specification, Contract dates)."""

    ENDS_BEFORE_START = "ends_before_start"


def effective_day(original: AnyDay, override: AnyDay | None) -> AnyDay:
    """The override when it is set, else the original (specification, Contract dates).

    A corrupt override counts as set: it replaces the original and stays corrupt.
    """
    return original if override is None else override


def contract_days(term: ContractTerm) -> int | None:
    """Days of the contract, start and end both counted, or None without an end (penalties 4)."""
    return None if term.end_on is None else inclusive_days(term.start_on, term.end_on)


def refusal_of_term(term: ContractTerm) -> TermProblem | None:
    """Why these effective dates form no contract, or None (Contract dates); one day is valid."""
    is_reversed = term.end_on is not None and term.end_on < term.start_on
    return TermProblem.ENDS_BEFORE_START if is_reversed else None
