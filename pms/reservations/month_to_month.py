"""Whether a tenancy runs month to month: derived, forced and cleared."""

from datetime import date
from typing import NamedTuple

from sqlalchemy import select

from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.reservations.changes import lifecycle_as_staff_say, mark_changed
from pms.reservations.later_terms import read_first_days
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.reservations.residents import ResidentRecord
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import ContractTerm, effective_day
from pms.rules.days import CorruptDay
from pms.rules.enumerations import Lifecycle, MonthToMonthState, ReservationKind
from pms.rules.notices import ForcedFlag, window_opens_on
from pms.rules.policy import Policy
from pms.rules.unit_stays import TenancyFacts, is_unconfirmed, month_to_month_state


def clear_forced_month_to_month(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> ForcedMonthToMonth:
    """Clear the flag, so that the dates apply again; raise `Refused` when none is set."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    flag = work.session.scalar(
        select(ForcedMonthToMonth).where(
            ForcedMonthToMonth.reservation_id == row.id, ForcedMonthToMonth.cleared_at.is_(None)
        )
    )
    if flag is None:
        raise Refused(
            "monthToMonth: The tenancy was not set to month to month, so there is nothing to undo."
        )
    flag.cleared_at, flag.cleared_by = work.clock.now(), work.actor
    row.forced_on = None
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.MONTH_TO_MONTH_CLEARED, row)
    work.session.flush()
    return flag


def force_month_to_month(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> ForcedMonthToMonth:
    """Set the flag from today on: full open-ended months, the unit blocked, no new successor.

    An existing booking of a successor stays until staff move one of the two. Raises `Refused` for a
    tenancy that is not lived in, one with a filed end, and one that is forced already.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    refuse_forcing(row, work.clock.today())
    row.lifecycle, row.forced_on = Lifecycle.LIVING, work.clock.today()
    flag = ForcedMonthToMonth(
        id=new_id(),
        reservation_id=row.id,
        set_at=work.clock.now(),
        set_by=work.actor,
        cleared_at=None,
    )
    work.session.add(flag)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.MONTH_TO_MONTH_FORCED, row)
    work.session.flush()
    return flag


def refuse_forcing(row: Reservation, today: date) -> None:
    """Raise `Refused` for a tenancy that staff cannot force."""
    if row.forced_on is not None:
        raise Refused(
            "monthToMonth: The tenancy has been month to month since {forced_on}.",
            forced_on=row.forced_on,
        )
    if row.kind == ReservationKind.GUEST:
        raise Refused(
            "monthToMonth: A short stay ends on its check-out day and cannot be set to "
            "month to month."
        )
    state = lifecycle_as_staff_say(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            "monthToMonth: Only the tenancy of a current resident can be set to month to "
            "month. This one is {state}.",
            state=state,
        )


class MonthToMonth(NamedTuple):
    """The month-to-month state and its first day."""

    state: MonthToMonthState
    since: date | None


_NONE = MonthToMonth(MonthToMonthState.NONE, None)


def month_to_month_of(record: ResidentRecord, on: date, policy: Policy) -> MonthToMonth:
    """Return the state on a day (specification, Month to month); damaged days are ignored.

    A filed move-out always wins, even one whose day is damaged.
    """
    if record.move_out_date is not None or record.cancelled_at is not None:
        return _NONE
    start = effective_day(record.move_in_date, record.override_move_in_date)
    end = effective_day(record.contract_end_date, record.override_contract_end_date)
    if not isinstance(start, date) or isinstance(end, CorruptDay):
        return _NONE
    tenancy = TenancyFacts(
        ContractTerm(start, end),
        kind=ReservationKind(record.kind),
        successor_start_on=record.successor_start_on,
        forced=ForcedFlag(record.forced_on) if record.forced_on else None,
        is_cancelled=record.cancelled_at is not None,
        is_unconfirmed=is_unconfirmed(record.lifecycle, record.kind),
        later_firsts=read_first_days(record.later_terms_from),
    )
    state, term = month_to_month_state(tenancy, on, policy), tenancy.term_on(on)
    if state == MonthToMonthState.FORCED:
        month_to_month_start = record.forced_on
    elif state == MonthToMonthState.DERIVED:
        month_to_month_start = window_opens_on(term, policy) or term.start_on
    else:
        month_to_month_start = None
    return MonthToMonth(state, month_to_month_start)
