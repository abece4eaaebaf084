"""Expected departures, and credits for days billed past the move-out."""

from datetime import date, datetime

from pms.departures.notice_plans import preview_notice
from pms.departures.notices import (
    FiledMoveOut,
    file_notice,
)
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.ledger.charges import post_credit
from pms.ledger.planned_entries import rent_label
from pms.reservations.changes import lifecycle_now, mark_changed
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import effective_day
from pms.rules.days import readable
from pms.rules.enumerations import FeeCategory, Lifecycle


def record_expected_departure(
    work: Work,
    *,
    reservation_id: str,
    expected_departure_on: date | None,
    expected_version: int | None = None,
) -> Reservation:
    """Set the expected day, or clear it with `None`; it has no bill, night or notice as effect.

    Raises `Refused` when a notice is filed, when nobody lives there, and for a past day.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if expected_departure_on is not None:
        today = work.clock.today()
        if row.lifecycle == Lifecycle.NOTICE_FILED or row.move_out_date is not None:
            raise Refused(
                "expectedDepartureDate: a notice has been given, so the move-out date is known."
            )
        state = lifecycle_now(row, today)
        if state != Lifecycle.LIVING:
            raise Refused(
                "expectedDepartureDate: Only a current resident can be expected to move out. "
                "The reservation is {state}.",
                state=state,
            )
        _refuse_expected_day(row, expected_departure_on, work.clock.today())
    row.expected_departure_date = expected_departure_on
    mark_changed(row, work.clock, work.actor)
    is_cleared = expected_departure_on is None
    audit_event = (
        AuditEvent.EXPECTED_DEPARTURE_CLEARED
        if is_cleared
        else AuditEvent.EXPECTED_DEPARTURE_RECORDED
    )
    note_change(work, audit_event, row)
    work.session.flush()
    return row


def _refuse_expected_day(row: Reservation, day: date, today: date) -> None:
    if day < today:
        raise Refused(
            "expectedDepartureDate: {day} is in the past. Choose {today} or later.",
            day=day,
            today=today,
        )
    start = readable(effective_day(row.move_in_date, row.override_move_in_date))
    if start is not None and day < start:
        raise Refused(
            "expectedDepartureDate: {day} is before the move-in on {start_on}.",
            day=day,
            start_on=start,
        )


def clear_expected_departure(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Clear the expected departure; the unit is no longer shown as possibly available."""
    return record_expected_departure(
        work,
        reservation_id=reservation_id,
        expected_departure_on=None,
        expected_version=expected_version,
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
