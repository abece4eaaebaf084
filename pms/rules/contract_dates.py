"""The dates of a contract that every other chapter reads: the effective start and end."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

from pms.rules.days import RecordedDay, inclusive_days

AnyDay = TypeVar("AnyDay", bound=RecordedDay)


@dataclass(frozen=True, slots=True)
class ContractDates:
    """The dates written into a reservation; None where one is not set."""

    move_in_on: date
    contract_end_on: date | None = None
    override_move_in_on: date | None = None
    override_contract_end_on: date | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """The effective start and end of a contract, both inside; no end is an open term."""

    start_on: date
    end_on: date | None


class TermProblem(StrEnum):
    """Why dates are no contract (specification, Contract dates)."""

    ENDS_BEFORE_START = "ends_before_start"


def effective_day(original: AnyDay, override: AnyDay) -> AnyDay:
    """The override when it is set, else the original (specification, Contract dates).

    A corrupt override is set: it replaces the original and stays corrupt.
    """
    return original if override is None else override


def effective_term(dates: ContractDates) -> Term:
    """The term that class, window, billing and penalties read (Contract dates)."""
    return Term(
        start_on=dates.override_move_in_on or dates.move_in_on,
        end_on=effective_day(dates.contract_end_on, dates.override_contract_end_on),
    )


def contract_days(term: Term) -> int | None:
    """Days of the contract, start and end both counted, or None without an end (penalties 4)."""
    return None if term.end_on is None else inclusive_days(term.start_on, term.end_on)


def refusal_of_term(term: Term) -> TermProblem | None:
    """Why these effective dates are no contract, or None (Contract dates); one day is one."""
    is_reversed = term.end_on is not None and term.end_on < term.start_on
    return TermProblem.ENDS_BEFORE_START if is_reversed else None
