"""Lists of condition reports for the office: sent ones and missing ones."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, case, func, select, union_all
from sqlalchemy.orm import Session

from pms.arrivals.condition_reports import window_of
from pms.arrivals.models import ConditionReport, ConditionRoom
from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ConditionState, Lifecycle, ReservationKind
from pms.rules.resident_reports import OPENS_DAYS_BEFORE

MISSED_DAYS: Final = 30
_HERE: Final = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
)


class SentReport(NamedTuple):
    """One report in a list; `found` counts the rooms that are not in order."""

    id: str
    reservation_id: str
    name: str
    unit_name: str
    building: Bilingual
    sent_at: datetime
    seen_at: datetime | None
    rooms: int
    found: int


class MissingReport(NamedTuple):
    """A resident who has arrived, or soon will, and has sent no report; the window may be over."""

    reservation_id: str
    name: str
    unit_name: str
    building: Bilingual
    arrival_on: date
    closes_on: date
    is_begun: bool


class SentReports(NamedTuple):
    """One page of reports, and the number of all."""

    rows: Sequence[SentReport]
    total: int


_OF_RESERVATION: Final = refers_to(ConditionReport.reservation_id, Reservation)
_NEWEST_FIRST: Final = (ConditionReport.sent_at.desc(), ConditionReport.id.desc())
_OF_REPORT: Final = refers_to(ConditionRoom.report_id, ConditionReport)


def sent_reports(session: Session, *, is_unseen: bool, paging: Paging) -> SentReports:
    """Return one page of sent reports, the newest first; with `is_unseen` only unread ones."""
    wanted: list[ColumnElement[bool]] = [ConditionReport.sent_at.is_not(None)]
    if is_unseen:
        wanted.append(ConditionReport.seen_at.is_(None))
    total = session.scalar(select(func.count(ConditionReport.id)).where(*wanted)) or 0
    # Rooms are counted of the reports of the page alone.
    shown = session.scalars(
        select(ConditionReport.id)
        .where(*wanted)
        .order_by(*_NEWEST_FIRST)
        .offset(paging.offset)
        .limit(paging.limit)
    ).all()
    page = _select_sent_reports().where(one_of(ConditionReport.id, shown))
    rows = [
        SentReport._make((*row[:4], Bilingual(row[4], row[5]), *row[6:]))
        for row in session.execute(page)
    ]
    return SentReports(rows, total)


def report_sent_by(session: Session, reservation_id: str) -> str | None:
    """Return the id of the report that the resident has sent, or None."""
    return session.scalar(
        select(ConditionReport.id).where(
            ConditionReport.reservation_id == reservation_id, ConditionReport.sent_at.is_not(None)
        )
    )


def missing_reports(session: Session, today: date, most: int = 50) -> Sequence[MissingReport]:
    """Return whose report is open or was missed in the past month, the next to close first."""
    days = (today - timedelta(days=MISSED_DAYS), today + timedelta(days=OPENS_DAYS_BEFORE))
    # Each of the two is found by an index of its own.
    arriving = union_all(
        select(Reservation.id).where(Reservation.arrival_date.between(*days)),
        select(Reservation.id).where(
            Reservation.arrival_date.is_(None), Reservation.starts_on.between(*days)
        ),
    )
    question = (
        select(Reservation, Unit.name, Building.name, Building.name_en, ConditionReport.id)
        .join(Reservation.unit)
        .join(Unit.building)
        .outerjoin(ConditionReport, _OF_RESERVATION)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle.in_(_HERE),
            ConditionReport.sent_at.is_(None),
            Reservation.id.in_(arriving),
        )
        .order_by(Reservation.starts_on, Reservation.id)
        .limit(most)
    )
    found = [_build_missing_report(*row) for row in session.execute(question)]
    return sorted(
        (report for report in found if report),
        key=lambda report: (report.closes_on < today, report[4]),
    )


def _build_missing_report(
    row: Reservation, unit: str, building: str, english: str | None, report_id: str | None
) -> MissingReport | None:
    window = window_of(row)
    if window is None:
        return None
    home = (row.id, row.name, unit, Bilingual(building, english))
    return MissingReport(*home, window.arrival_on, window.closes_on, report_id is not None)


def _select_sent_reports() -> Select[Any]:
    is_found = ConditionRoom.state != ConditionState.IN_ORDER
    return (
        select(
            ConditionReport.id,
            Reservation.id,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
            ConditionReport.sent_at,
            ConditionReport.seen_at,
            func.count(ConditionRoom.id),
            func.coalesce(func.sum(case((is_found, 1), else_=0)), 0),
        )
        .select_from(ConditionReport)
        .join(Reservation, _OF_RESERVATION)
        .join(Reservation.unit)
        .join(Unit.building)
        .outerjoin(ConditionRoom, _OF_REPORT)
        .group_by(
            ConditionReport.id,
            ConditionReport.sent_at,
            ConditionReport.seen_at,
            Reservation.id,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .order_by(*_NEWEST_FIRST)
    )


def see_condition_report(work: Work, *, report_id: str) -> None:
    """Note who read a sent report first, and when; later readings change nothing."""
    row = None
    if is_id(report_id):
        row = work.session.scalar(
            select(ConditionReport)
            .where(ConditionReport.id == report_id, ConditionReport.sent_at.is_not(None))
            .with_for_update()
            .execution_options(populate_existing=True)
        )
    if row is None:
        raise no_such("condition report", report_id)
    if row.seen_at is not None:
        return
    row.seen_at, row.seen_by = work.clock.now(), work.actor
    subject = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.CONDITION_REPORT_SEEN, subject)
    work.session.flush()
