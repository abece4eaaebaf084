"""Reasons that cannot be helped: stated by the resident, accepted or refused by staff."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.departures.departures import notice_in_force
from pms.departures.models import MoveOutNotice
from pms.departures.notices import recompute_notice
from pms.departures.own_notices import refuse_unless_own
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.foundation.work import Work
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import LeaseKind, Lifecycle
from pms.rules.notices import LARGEST_EXCUSED_CENTI_SQM, LeavingReason
from pms.workspaces.queries import counters

_MOST_WORDS: Final = 1_000


def state_reason(
    work: Work, *, reservation_id: str, reason: LeavingReason, words: str | None, is_own: bool
) -> MoveOutNotice:
    """Store why the resident has to leave; staff then accept or refuse it.

    `is_own`: the resident states it. Raises `Refused` without a filed notice, and `Collision` once
    it is decided.
    """
    row = reservation_to_change(work.session, reservation_id)
    if is_own:
        refuse_unless_own(row, work.clock.today())
    notice = _open_notice(work.session, row)
    notice.reason = reason
    notice.reason_words = (words or "").strip()[:_MOST_WORDS] or None
    notice.reason_stated_at = work.clock.now()
    facts = {"reason": reason, "move_out_date": notice.move_out_on}
    about = of_reservation(row.id)
    note_audit_event(work, AuditEvent.LEAVING_REASON_STATED, about, after=facts)
    work.session.flush()
    return notice


def decide_reason(
    work: Work, *, reservation_id: str, is_accepted: bool, words: str
) -> MoveOutNotice:
    """Accept the reason or refuse it with a word, and recalculate the penalty.

    Accepted, no early departure is charged and at most a month of notice is owed. Raises `Refused`
    without a word, for an ordinary lease, and for a home of 200 square metres or more.
    """
    row = reservation_to_change(work.session, reservation_id)
    notice = _open_notice(work.session, row)
    if notice.reason is None:
        raise Refused("reason: no reason has been stated.")
    words = " ".join(words.split())[:_MOST_WORDS]
    if not words:
        raise Refused("decision: enter why you accept or refuse the reason.")
    if is_accepted:
        if row.lease_kind is LeaseKind.ORDINARY:
            raise Refused("reason: the law gives this right for fixed-term leases only.")
        size = work.session.scalar(select(Unit.size_centi_sqm).where(Unit.id == row.unit_id))
        if size is not None and size >= LARGEST_EXCUSED_CENTI_SQM:
            raise Refused(
                "reason: the law gives this right for homes under 200 square metres only."
            )
    notice.is_reason_accepted, notice.reason_decision = is_accepted, words
    notice.reason_decided_at, notice.reason_decided_by = work.clock.now(), work.actor
    work.session.flush()
    facts = {"reason": notice.reason, "accepted": is_accepted, "decision": words}
    about = of_reservation(row.id)
    note_audit_event(work, AuditEvent.LEAVING_REASON_DECIDED, about, after=facts)
    recompute_notice(work, reservation_id=row.id)
    return notice


def _open_notice(session: Session, row: Reservation) -> MoveOutNotice:
    notice = notice_in_force(session, row.id)
    if notice is None or row.lifecycle is not Lifecycle.NOTICE_FILED:
        raise Refused("reason: no notice has been given.")
    if notice.is_reason_accepted is not None:
        raise Collision("The reason has already been decided.")
    return notice


class OpenReason(NamedTuple):
    """A reason that staff have not decided yet."""

    reservation_id: str
    name: str
    unit: str
    building: Bilingual
    reason: LeavingReason
    move_out_on: date


def open_reasons(session: Session, few: int) -> Sequence[OpenReason]:
    """Return the reasons that wait for a decision, the earliest move-out first.

    The result is kept until a notice or a reservation changes.
    """
    state = counters(session, CATALOGUE, OCCUPANCY)
    return _OPEN_REASONS.answer(session, few, state, lambda: _read_open_reasons(session, few))


_OPEN_REASONS: Final = KeptAnswers()


def _read_open_reasons(session: Session, few: int) -> Sequence[OpenReason]:
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
            MoveOutNotice.reason,
            MoveOutNotice.move_out_on,
        )
        .join(Reservation, refers_to(MoveOutNotice.reservation_id, Reservation))
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            MoveOutNotice.withdrawn_at.is_(None),
            MoveOutNotice.reason.is_not(None),
            MoveOutNotice.is_reason_accepted.is_(None),
            Reservation.lifecycle == Lifecycle.NOTICE_FILED,
        )
        .order_by(MoveOutNotice.move_out_on, Reservation.id)
        .limit(few)
    )
    return [
        OpenReason(id_, name, unit, Bilingual(ja, en), reason, move_out_on)
        for id_, name, unit, ja, en, reason, move_out_on in rows
        if reason is not None
    ]
