"""Moves every reservation on whose day has come (specification, States and transitions)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import ColumnElement, Row, and_, or_, select
from sqlalchemy.orm import Session

from pms.arrivals.amendments import deposits_due, move_deposits
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.work import Work
from pms.ledger.move_in import confirm_when_ready
from pms.reservations.changes import (
    lock_units,
    mark_changed,
    next_lifecycle,
    reservation_of_locked_unit,
)
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus, Lifecycle, ReservationKind

_WAITING = Reservation.lifecycle == Lifecycle.BOOKED
_IS_RESIDENT = Reservation.kind == ReservationKind.RESIDENT
_AUDIT_EVENTS = {
    Lifecycle.CONFIRMED: AuditEvent.RESERVATION_CONFIRMED,
    Lifecycle.LIVING: AuditEvent.RESERVATION_MOVED_IN,
    Lifecycle.MOVED_OUT: AuditEvent.RESERVATION_MOVED_OUT,
}


@dataclass(frozen=True, slots=True)
class AdvancedLifecycles:
    """The ids of the reservations that moved on."""

    confirmed: list[str] = field(default_factory=list)
    living: list[str] = field(default_factory=list)
    moved_out: list[str] = field(default_factory=list)
    deposits_moved: Sequence[str] = ()


def advance_lifecycles(work: Work) -> AdvancedLifecycles:
    """Confirm, move in and move out what is due today; asked again, nothing moves.

    A booking that is signed and paid is confirmed; a confirmed one lives from its start. A guest
    and an owner resident sign nothing and wait for nothing. Who filed a notice moves out on the
    day after the move-out, a guest on the day after check-out.
    """
    today = work.clock.today()
    due, holding = _due(work.session, today), deposits_due(work.session, today)
    # All units at once and in order: whoever changes a tenancy takes them so.
    lock_units(work.session, [*(unit_id for unit_id, _ in due), *(old.unit_id for old in holding)])
    advanced = AdvancedLifecycles(deposits_moved=move_deposits(work, holding))
    for _, reservation_id in due:
        row = reservation_of_locked_unit(work.session, reservation_id)
        if _advance(work.session, work.clock, row, advanced):
            mark_changed(row, work.clock, work.actor)
            audit_event = _AUDIT_EVENTS.get(row.lifecycle, AuditEvent.PAYMENT_STATUS_CHANGED)
            note_change(work, audit_event, row)
    work.session.flush()
    return advanced


def _due(session: Session, today: date) -> Sequence[Row[str, str]]:
    question = select(Reservation.unit_id, Reservation.id).where(
        or_(
            and_(_WAITING, Reservation.esign_status == EsignStatus.SIGNED),
            _starts_by(today),
            _left_before(today),
        )
    )
    return session.execute(question.order_by(Reservation.id)).all()


def _starts_by(today: date) -> ColumnElement[bool]:
    is_ready = or_(Reservation.lifecycle == Lifecycle.CONFIRMED, and_(_WAITING, ~_IS_RESIDENT))
    return and_(is_ready, Reservation.starts_on <= today)


def _left_before(today: date) -> ColumnElement[bool]:
    is_leaving = or_(
        Reservation.lifecycle == Lifecycle.NOTICE_FILED,
        and_(Reservation.lifecycle == Lifecycle.LIVING, ~_IS_RESIDENT),
    )
    return and_(is_leaving, Reservation.ends_on < today)


def _advance(
    session: Session, clock: Clock, row: Reservation, advanced: AdvancedLifecycles
) -> bool:
    if confirm_when_ready(session, clock, row):
        advanced.confirmed.append(row.id)
    for state in _days_say(row, clock.today()):
        after = next_lifecycle(row, state)
        if after != row.lifecycle:
            row.lifecycle = after
            moved = advanced.living if after == Lifecycle.LIVING else advanced.moved_out
            moved.append(row.id)
    return session.is_modified(row)


def _days_say(row: Reservation, today: date) -> Iterator[Lifecycle]:
    """The states whose day has come, in their order: a short stay may be over in one night."""
    is_resident = row.kind == ReservationKind.RESIDENT
    is_ready = row.lifecycle == Lifecycle.CONFIRMED or not is_resident
    waits = row.lifecycle in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}
    if waits and is_ready and row.starts_on is not None and row.starts_on <= today:
        yield Lifecycle.LIVING
    if row.ends_on is not None and row.ends_on < today:
        yield Lifecycle.MOVED_OUT
