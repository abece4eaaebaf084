"""Notices: edits, period and reasons."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from pms.rules.contract_dates import ContractTerm, contract_days
from pms.rules.days import ONE_DAY, has_whole_month, inclusive_days
from pms.rules.periods import period_end
from pms.rules.policy import Policy


@dataclass(frozen=True, slots=True)
class FiledNotice:
    """The filing day that counts and the move-out day."""

    filed_on: date
    move_out_on: date


class NoticeProblem(StrEnum):
    """Why a notice cannot be filed (specification, Contract dates)."""

    BEFORE_MOVE_IN = "before_move_in"


def refusal_of_notice(term: ContractTerm, move_out_on: date) -> NoticeProblem | None:
    """Why nobody can move out on that day, or None (Contract dates); the first day is allowed."""
    return NoticeProblem.BEFORE_MOVE_IN if move_out_on < term.start_on else None


def edited_notice(notice: FiledNotice, edited_on: date, move_out_on: date) -> FiledNotice:
    """The notice after an edit of its move-out day (Move-out penalties 8).

    A later day keeps the filing day, an earlier one is a new filing; later and earlier compare
    with the day filed last.
    """
    is_earlier = move_out_on < notice.move_out_on
    return FiledNotice(edited_on if is_earlier else notice.filed_on, move_out_on)


@dataclass(frozen=True, slots=True)
class ForcedFlag:
    """The manual month-to-month flag: the Japan days on which staff set and cleared it."""

    set_on: date
    cleared_on: date | None = None

    def is_set_on(self, day: date) -> bool:
        """Whether the flag was set on or before a day and not cleared by then."""
        return self.set_on <= day and (self.cleared_on is None or day < self.cleared_on)


@dataclass(frozen=True, slots=True)
class NoticeCount:
    """Whole days of notice: owed, given (negative when filed after leaving), and missing."""

    owed_days: int
    given_days: int
    missing_days: int


def notice_class_days(term: ContractTerm, policy: Policy) -> int:
    """Days of notice of the contract's own class (specification, Move-out penalties 4).

    Short up to 31 inclusive days, unless the contract spans a full calendar month; an open
    term is long.
    """
    days = contract_days(term)
    if term.end_on is None or days is None or days > policy.short_contract_days:
        return policy.long_notice_days
    if policy.full_calendar_month_is_long and has_whole_month(term.start_on, term.end_on):
        return policy.long_notice_days
    return policy.short_notice_days


def window_opens_on(term: ContractTerm, policy: Policy) -> date | None:
    """First day inside the month-to-month window (Move-out penalties 5; Month to month).

    One notice period of whole days before the contract end, never before the start; an open
    term has no window.
    """
    if term.end_on is None:
        return None
    opens_on = term.end_on - timedelta(days=notice_class_days(term, policy))
    return max(opens_on, term.start_on)


def is_window_open(term: ContractTerm, on: date, policy: Policy) -> bool:
    """Whether the month-to-month window has opened by a day (Move-out penalties 5)."""
    opens_on = window_opens_on(term, policy)
    return opens_on is not None and opens_on <= on


def notice_owed_days(
    term: ContractTerm, filed_on: date, forced: ForcedFlag | None, policy: Policy
) -> int:
    """Days of notice owed when filing on a day (Move-out penalties 5).

    Long when the window was open or the forced flag was set that day, else the contract's own
    class. Only dates decide: a booked successor changes nothing.
    """
    was_forced = forced is not None and forced.is_set_on(filed_on)
    if was_forced or is_window_open(term, filed_on, policy):
        return policy.long_notice_days
    return notice_class_days(term, policy)


def notice_given_days(filed_on: date, move_out_on: date) -> int:
    """Days of notice given, the filing day counted; negative when filed later (penalties 8)."""
    return inclusive_days(filed_on, move_out_on)


def notice_missing_days(owed_days: int, given_days: int) -> int:
    """Days of notice missing, between none and all that was owed (Move-out penalties 8)."""
    return min(max(owed_days - given_days, 0), owed_days)


class LeavingReason(StrEnum):
    """Why leaving cannot be helped (Act on Land and Building Leases, Article 38, paragraph 7)."""

    TRANSFER = "transfer"
    ILLNESS = "illness"
    CARE = "care"
    OTHER = "other"


LARGEST_EXCUSED_CENTI_SQM: Final = 20_000
"""The size from which a home is too large for that right: 200 square metres."""
MOST_EXCUSED_DAYS: Final = 30
"""The most days of notice that a resident owes who has to leave for reasons that cannot be helped."""


def excused_owed_days(filed_on: date, owed_days: int) -> int:
    """Days of notice owed when leaving cannot be helped (Act on Land and Building Leases, Art. 38).

    The lease ends a month after the notice, whatever was agreed: the filing day and the month that
    begins after it both count, and never more than 30 days or than what is owed anyway.
    """
    month_days = inclusive_days(filed_on, period_end(filed_on + ONE_DAY, 1))
    return min(owed_days, MOST_EXCUSED_DAYS, month_days)


def count_notice(
    term: ContractTerm,
    filed_on: date,
    move_out_on: date,
    forced: ForcedFlag | None,
    policy: Policy,
    *,
    is_excused: bool = False,
) -> NoticeCount:
    """Owed, given and missing days of one filed notice (Move-out penalties 4, 5 and 8).

    `is_excused`: the resident leaves for a reason that cannot be helped, which staff accepted.
    """
    owed = notice_owed_days(term, filed_on, forced, policy)
    if is_excused:
        owed = excused_owed_days(filed_on, owed)
    given = notice_given_days(filed_on, move_out_on)
    return NoticeCount(owed, given, notice_missing_days(owed, given))


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


def class_reason(term: ContractTerm, policy: Policy) -> ClassReason:
    """Why a contract is short or long (Move-out penalties 4); a whole month outweighs few days."""
    days = contract_days(term)
    if days is None or term.end_on is None:
        return ClassReason.NO_END
    if days > policy.short_contract_days:
        return ClassReason.MANY_DAYS
    is_whole = policy.full_calendar_month_is_long and has_whole_month(term.start_on, term.end_on)
    return ClassReason.WHOLE_MONTH if is_whole else ClassReason.FEW_DAYS


def owed_reason(
    term: ContractTerm, filed_on: date, forced: ForcedFlag | None, policy: Policy
) -> OwedReason:
    """Why that many days are owed when filing on a day (Move-out penalties 5); the flag first."""
    if forced is not None and forced.is_set_on(filed_on):
        return OwedReason.FORCED
    return OwedReason.WINDOW_OPEN if is_window_open(term, filed_on, policy) else OwedReason.CONTRACT
