"""Expected departures, owner residents who move out, and days billed beyond a move-out given back."""

from datetime import date, datetime

from pms.departures.notice_plans import preview_notice
from pms.departures.notices import FiledMoveOut, file_notice
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.ledger.charges import post_credit
from pms.ledger.planned_entries import rent_label
from pms.reservations.changes import (
    lifecycle_now,
    mark_changed,
    next_lifecycle,
    refuse_conflict,
    refuse_move,
    reservation_to_change,
    stay_of,
    stored_without_overlap,
)
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import LAST_DAY, CorruptDay
from pms.rules.enumerations import FeeCategory, Lifecycle, ReservationKind
from pms.upkeep.turnovers import tend_turnovers


def record_expected_departure(
    work: Work,
    *,
    reservation_id: str,
    expected_departure_on: date | None,
    expected_version: int | None = None,
) -> Reservation:
    """Note the day, or take it back with None; no bill, no night and no notice follows from it.

    Raises `Refused` when a notice is filed, when nobody lives there, and for a day past.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if expected_departure_on is not None:
        _refuse_unless_living(row, work.clock.today())
        _refuse_expected_day(row, expected_departure_on, work.clock.today())
    row.expected_departure_date = expected_departure_on
    mark_changed(row, work.clock, work.actor)
    note_change(work, _audit_event(expected_departure_on), row)
    work.session.flush()
    return row


def _audit_event(day: date | None) -> AuditEvent:
    is_cleared = day is None
    return (
        AuditEvent.EXPECTED_DEPARTURE_CLEARED
        if is_cleared
        else AuditEvent.EXPECTED_DEPARTURE_RECORDED
    )


def _refuse_unless_living(row: Reservation, today: date) -> None:
    if row.lifecycle == Lifecycle.NOTICE_FILED or row.move_out_date is not None:
        raise Refused("expectedDepartureDate: a move-out is filed, so its day is known.")
    state = lifecycle_now(row, today)
    if state != Lifecycle.LIVING:
        raise Refused(
            "expectedDepartureDate: only who is living is expected to leave; this one is {state}.",
            state=state,
        )


def _refuse_expected_day(row: Reservation, day: date, today: date) -> None:
    if day < today:
        raise Refused(
            "expectedDepartureDate: {day} is past; today is {today}.", day=day, today=today
        )
    start = row.override_move_in_date or row.move_in_date
    if not isinstance(start, CorruptDay) and start is not None and day < start:
        raise Refused(
            "expectedDepartureDate: {day} is before the move-in on {start_on}.",
            day=day,
            start_on=start,
        )


def clear_expected_departure(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Forget the expected departure; the unit no longer shows as possibly available."""
    return record_expected_departure(
        work,
        reservation_id=reservation_id,
        expected_departure_on=None,
        expected_version=expected_version,
    )


def move_out_owner_resident(
    work: Work,
    *,
    reservation_id: str,
    move_out_on: date | None = None,
    expected_version: int | None = None,
) -> Reservation:
    """Record the last day of an owner resident, today unless another is named (States).

    Up to today they have moved out; of a coming day they move out by themselves on the day after.
    Raises `Refused` for anybody else, when nobody lives there, for a day before the move-in, and
    for nights that another reservation holds.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    today = work.clock.today()
    day = move_out_on or today
    if row.kind is not ReservationKind.OWNER_RESIDENT:
        raise Refused("moveOutDate: only an owner resident is moved out by hand.")
    state = lifecycle_now(row, today)
    refuse_move(state, Lifecycle.MOVED_OUT, row)
    _refuse_owner_move_out(row, day)
    refuse_conflict(work.session, stay_of(row)._replace(move_out_on=day), row.unit_id, today)
    row.lifecycle, row.move_out_date, row.expected_departure_date = state, day, None
    if day <= today:
        row.lifecycle = next_lifecycle(row, Lifecycle.MOVED_OUT)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.RESERVATION_MOVED_OUT, row)
    with stored_without_overlap(work.session):
        work.session.add(row)
    tend_turnovers(work.session, [row.unit_id])
    return row


def _refuse_owner_move_out(row: Reservation, day: date) -> None:
    start_on = stay_of(row).start_on
    if not isinstance(start_on, date):
        raise Refused("moveOutDate: the move-in date cannot be read; correct it first.")
    if not start_on <= day <= LAST_DAY:
        raise Refused(
            "moveOutDate: {day} is not between the move-in on {start_on} and {latest_on}.",
            day=day,
            start_on=start_on,
            latest_on=LAST_DAY,
        )


def file_notice_giving_back(
    work: Work,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
    expected_version: int | None = None,
) -> FiledMoveOut:
    """File a notice and credit those days at today's price, in one act.

    Where no day was billed ahead it only files. Raises what filing a notice raises.
    """
    ahead = preview_notice(
        work.session,
        work.clock,
        reservation_id=reservation_id,
        move_out_on=move_out_on,
        filed_at=filed_at,
    )
    filed = file_notice(
        work,
        reservation_id=reservation_id,
        move_out_on=move_out_on,
        filed_at=filed_at,
        expected_version=expected_version,
    )
    if ahead.billed_ahead is not None and ahead.billed_ahead_yen:
        post_credit(
            work,
            reservation_id=reservation_id,
            amount_yen=ahead.billed_ahead_yen,
            label=rent_label(*ahead.billed_ahead),
            category=FeeCategory.RENT,
        )
    return filed
