"""When rent, invoices and charges are issued, and when they are due."""

from datetime import date, timedelta
from typing import Final

from pms.rules.days import ONE_DAY, add_months, month_days, month_first, month_last
from pms.rules.policy import Policy

MOVE_IN_INVOICE_LIFE: Final = timedelta(days=7)


def rent_issued_on(month_on: date, policy: Policy) -> date:
    """The day on which the ordinary rent of a month is issued: in the month before (Contract dates).

    In a month too short for the billing day, its last day.
    """
    before = add_months(month_first(month_on), -1)
    return before.replace(day=min(policy.billing_day, month_days(before)))


def billed_through_on(today: date, policy: Policy) -> date:
    """The last day a billing run of a day reaches: a month ahead from the billing day on."""
    next_month = add_months(month_first(today), 1)
    return month_last(next_month if rent_issued_on(next_month, policy) <= today else today)


def row_due_on(first_on: date, issued_on: date) -> date:
    """The eve of a row's first day: for ordinary rent the month's eve; not before it is issued."""
    return max(first_on - ONE_DAY, issued_on)


def move_in_invoice_due_on(start_on: date, booked_on: date) -> date:
    """Within seven days and before move-in; nothing is due before it is issued (Deposit 1)."""
    return max(min(booked_on + MOVE_IN_INVOICE_LIFE, start_on - ONE_DAY), booked_on)


def charge_due_on(issued_on: date, named_on: date | None = None) -> date:
    """The day a charge or penalty names, else the day it is issued, never an earlier one."""
    return max(issued_on, named_on or issued_on)
