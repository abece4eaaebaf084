"""How long the law and the workspace keep what is known about a person (rule 81)."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from pms.rules.days import add_months, month_last

MONTHS_TO_FILE: Final = 2
"""Months from the end of a fiscal year to the day its tax return is due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionYears:
    """Whole years that the records of a workspace are kept, and the last month of its fiscal year.

    Books are kept for seven years from the day after the tax return is due (Corporation Tax Act,
    Regulation 59), signed contracts for ten years after their end (Civil Code 166). The years of
    enquiries count from the last change, those of the waitlist from the end of waiting, those of
    former residents from the end of the tenancy.
    """

    fiscal_year_ends_in: int = 3
    ledger_years: int = 7
    contract_years: int = 10
    former_years: int = 5
    enquiry_years: int = 3
    waitlist_years: int = 1


class KeptBecause(StrEnum):
    """Why something about a person stays although they asked to be forgotten."""

    LEDGER = "ledger"
    CONTRACT = "contract"
    REGISTER = "register"


def fiscal_year_end(day: date, last_month: int) -> date:
    """Return the last day of the fiscal year that a day is in."""
    year = day.year + (day.month > last_month)
    return month_last(date(year, last_month, 1))


def ledger_kept_through(day: date, years: RetentionYears) -> date:
    """Return the last day on which a booking of a day is kept."""
    end = fiscal_year_end(day, years.fiscal_year_ends_in)
    return month_last(add_months(end, MONTHS_TO_FILE + 12 * years.ledger_years))


def kept_through(day: date, years: int) -> date:
    """Return the last day on which something is kept that counts whole years from a day."""
    return add_months(day, 12 * years)
