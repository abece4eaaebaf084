"""Gives the demo an audit: what its staff did lately, as its rows tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.demo.rows import instant
from pms.departures.models import MoveOutNotice
from pms.deposits.models import Refund, Settlement
from pms.foundation.audit import AuditRecord, Subject, of_reservation, of_workspace
from pms.ledger.models import LedgerEntry, LedgerLine, Payment
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, Lifecycle, StaffRole

DAYS_TOLD: Final = 120
_WORKER: Final = "worker"
Events = Iterator[dict[str, Any]]


def write_events(session: Session, today: date) -> None:
    """Write the audit events of the last months into a workspace that has its staff."""
    since = instant(today - timedelta(days=DAYS_TOLD))
    people = session.execute(select(Member.role, Member.person_id)).all()
    actors = {role: f"person/{person_id}" for role, person_id in people}
    operator = actors.get(StaffRole.OPERATOR, "demo")
    office = actors.get(StaffRole.OFFICE, operator)
    audit_events = [
        *_bookings(session, since, office),
        *_notices(session, since, office),
        *_payments(session, since, office),
        *_endings(session, since, operator),
        *_billings(session, since),
    ]
    if audit_events:
        session.execute(
            insert(AuditRecord), sorted(audit_events, key=lambda audit_event: audit_event["at"])
        )


def _bookings(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(Reservation).where(Reservation.created_at >= since)):
        after = {
            "unit_id": row.unit_id,
            "kind": row.kind,
            "name": row.name,
            "move_in_date": _iso(row.move_in_date),
            "contract_end_date": _iso(row.contract_end_date),
            "deposit_yen": row.deposit_yen,
        }
        about = of_reservation(row.id)
        yield _audit_event(row.created_at, actor, AuditEvent.RESERVATION_BOOKED, about, after=after)


def _notices(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(MoveOutNotice).where(MoveOutNotice.written_at >= since)):
        before = {"lifecycle": Lifecycle.LIVING, "move_out_date": None, "penalty_yen": None}
        after = {
            "lifecycle": Lifecycle.NOTICE_FILED,
            "move_out_date": _iso(row.move_out_on),
            "penalty_yen": row.penalty_yen,
        }
        about = of_reservation(row.reservation_id)
        yield _audit_event(
            row.written_at, actor, AuditEvent.NOTICE_FILED, about, before=before, after=after
        )


def _payments(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(Payment).where(Payment.written_at >= since)):
        after = {
            "amount_yen": row.amount_yen,
            "received_on": _iso(row.received_on),
            "method": row.method,
        }
        about = of_reservation(row.reservation_id)
        yield _audit_event(row.written_at, actor, AuditEvent.PAYMENT_RECORDED, about, after=after)


def _endings(session: Session, since: datetime, actor: str) -> Events:
    for row in session.scalars(select(Settlement).where(Settlement.written_at >= since)):
        figures = ("held_yen", "deducted_yen", "netted_yen", "remainder_yen", "owed_yen")
        after = {name: getattr(row, name) for name in figures}
        about = of_reservation(row.reservation_id)
        yield _audit_event(row.written_at, actor, AuditEvent.DEPOSIT_SETTLED, about, after=after)
    sent = select(Refund, Settlement.reservation_id).join(
        Settlement, Settlement.id == Refund.settlement_id
    )
    for refund, reservation_id in session.execute(sent.where(Refund.written_at >= since)):
        after = {"amount_yen": refund.amount_yen, "sent_on": _iso(refund.sent_on)}
        about = of_reservation(reservation_id)
        yield _audit_event(refund.written_at, actor, AuditEvent.REFUND_SENT, about, after=after)


def _billings(session: Session, since: datetime) -> Events:
    count, total_yen = func.count(LedgerEntry.id.distinct()), func.sum(LedgerLine.amount_yen)
    billed = (
        select(LedgerEntry.written_at, count, total_yen)
        .join(LedgerLine, LedgerLine.entry_id == LedgerEntry.id)
        .where(LedgerEntry.kind == EntryKind.RENT, LedgerEntry.written_at >= since)
        .group_by(LedgerEntry.written_at)
        .having(count > 1)
    )
    for at, entries, yen in session.execute(billed):
        after = {"entries": entries, "total_yen": int(yen)}
        yield _audit_event(at, _WORKER, AuditEvent.RENT_BILLED, of_workspace(session), after=after)


def _audit_event(
    at: datetime,
    actor: str,
    audit_event: AuditEvent,
    about: Subject,
    *,
    after: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    kind, id_ = about
    done = {
        "at": at,
        "actor": actor,
        "audit_event": audit_event.value,
        "before": before,
        "after": after,
    }
    return {**done, "subject_kind": kind, "subject_id": id_, "via": None}


def _iso(day: object) -> str | None:
    return day.isoformat() if isinstance(day, date) else None
