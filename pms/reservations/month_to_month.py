"""Whether a record is month to month on a day, for records whose days may be damaged."""

from datetime import date
from typing import NamedTuple

from pms.reservations.list_residents import ResidentRecord
from pms.rules.contract_dates import Term, effective_day
from pms.rules.days import CorruptDay
from pms.rules.enumerations import MonthToMonthState, ReservationKind
from pms.rules.month_to_month import Tenancy, month_to_month_state
from pms.rules.notice_period import ForcedFlag, window_opens_on
from pms.rules.policy import Policy


class MonthToMonth(NamedTuple):
    """The state and the day it began."""

    state: MonthToMonthState
    since: date | None


_NONE = MonthToMonth(MonthToMonthState.NONE, None)


def month_to_month_of(record: ResidentRecord, on: date, policy: Policy) -> MonthToMonth:
    """Return the state on a day (specification, Month to month); damaged days decide nothing.

    A filed move-out always wins, even one whose day is damaged.
    """
    if record.move_out_date is not None or record.cancelled_at is not None:
        return _NONE
    start = effective_day(record.move_in_date, record.override_move_in_date)
    end = effective_day(record.contract_end_date, record.override_contract_end_date)
    if not isinstance(start, date) or isinstance(end, CorruptDay):
        return _NONE
    term = Term(start, end)
    state = month_to_month_state(_tenancy(record, term), on, policy)
    return MonthToMonth(state, _since(record, term, state, policy))


def _tenancy(record: ResidentRecord, term: Term) -> Tenancy:
    return Tenancy(
        term,
        kind=ReservationKind(record.kind),
        successor_start_on=record.successor_start_on,
        forced=ForcedFlag(record.forced_on) if record.forced_on else None,
        is_cancelled=record.cancelled_at is not None,
    )


def _since(
    record: ResidentRecord, term: Term, state: MonthToMonthState, policy: Policy
) -> date | None:
    if state == MonthToMonthState.FORCED:
        return record.forced_on
    if state == MonthToMonthState.DERIVED:
        return window_opens_on(term, policy) or term.start_on
    return None
