"""Why a contract is of its notice class, and why a filing owes the days it owes."""

from datetime import date
from enum import StrEnum

from pms.rules.contract_dates import Term, contract_days
from pms.rules.days import has_whole_month
from pms.rules.notice_period import ForcedFlag, is_window_open
from pms.rules.policy import Policy


class ClassReason(StrEnum):
    """What decides the class of a contract (specification, Move-out penalties 4)."""

    NO_END = "no_end"
    FEW_DAYS = "few_days"
    MANY_DAYS = "many_days"
    WHOLE_MONTH = "whole_month"


class OwedReason(StrEnum):
    """What decides the days of notice owed (Move-out penalties 5)."""

    CONTRACT = "contract"
    WINDOW_OPEN = "window_open"
    FORCED = "forced"


def class_reason(term: Term, policy: Policy) -> ClassReason:
    """Why a contract is short or long (Move-out penalties 4); a whole month outweighs few days."""
    days = contract_days(term)
    if days is None or term.end_on is None:
        return ClassReason.NO_END
    if days > policy.short_contract_days:
        return ClassReason.MANY_DAYS
    is_whole = policy.full_calendar_month_is_long and has_whole_month(term.start_on, term.end_on)
    return ClassReason.WHOLE_MONTH if is_whole else ClassReason.FEW_DAYS


def owed_reason(
    term: Term, filed_on: date, forced: ForcedFlag | None, policy: Policy
) -> OwedReason:
    """Why so many days are owed when filing on a day (Move-out penalties 5); the flag first."""
    if forced is not None and forced.is_set_on(filed_on):
        return OwedReason.FORCED
    return OwedReason.WINDOW_OPEN if is_window_open(term, filed_on, policy) else OwedReason.CONTRACT
