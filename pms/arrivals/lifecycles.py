"""Steps of a tenancy's life: confirmation, move-in, and what a day brings."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pms.arrivals.sheets.resident_rows import ResidentRow
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, all_of
from pms.foundation.work import Work
from pms.ledger.confirmations import missing_for_confirmation, payment_status_now
from pms.reservations.changes import mark_changed, move_lifecycle, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
    SettlementState,
)


def confirm_booking(
    work: Work, *, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Move a booking to confirmed, or raise `Refused` naming what it still waits for."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    payment = payment_status_now(work.session, row, work.clock.today())
    missing = missing_for_confirmation(row, payment)
    if missing and row.lifecycle == Lifecycle.BOOKED:
        raise Refused(
            "lifecycle: the booking is not confirmed: {missing}.", missing=all_of(missing)
        )
    move_lifecycle(row, Lifecycle.CONFIRMED)
    row.payment_status = payment
    mark_changed(row, work.clock, work.actor)
    note_change(work, Deed.RESERVATION_CONFIRMED, row)
    work.session.flush()
    return row


def lifecycle_on(stated: ResidentRow, today: date) -> Lifecycle:
    """Booked or confirmed before the start, then living, notice filed, moved out, refunded."""
    if stated.start_on > today:
        return _before_the_start(stated)
    out_on = stated.move_out_date
    if out_on is None and stated.kind is ReservationKind.GUEST:
        out_on = stated.end_on
        if out_on is not None and out_on >= today:
            return Lifecycle.LIVING
    if out_on is None:
        return Lifecycle.LIVING
    if out_on >= today:
        return Lifecycle.NOTICE_FILED
    is_refunded = stated.payment_status is PaymentStatus.REFUNDED
    return Lifecycle.REFUNDED if is_refunded else Lifecycle.MOVED_OUT


def _before_the_start(stated: ResidentRow) -> Lifecycle:
    is_paid = stated.payment_status is PaymentStatus.PAID
    is_signed = stated.esign_status is EsignStatus.SIGNED
    return Lifecycle.CONFIRMED if is_paid and is_signed else Lifecycle.BOOKED


def move_in(work: Work, *, reservation_id: str, expected_version: int | None = None) -> Reservation:
    """Move a booking to living from its effective start on; raise `Refused` before that day."""
    row = reservation_to_change(work.session, reservation_id, expected_version)
    if row.starts_on is None or row.starts_on > work.clock.today():
        start = row.starts_on or Phrase("a day that cannot be read")
        raise Refused(
            "lifecycle: the contract starts on {start_on} and today is {today}; correct the"
            " move-in date for an earlier start.",
            start_on=start,
            today=work.clock.today(),
        )
    move_lifecycle(row, Lifecycle.LIVING)
    mark_changed(row, work.clock, work.actor)
    note_change(work, Deed.RESERVATION_MOVED_IN, row)
    work.session.flush()
    return row


class NextStep(StrEnum):
    """The one thing a reservation waits for (States and transitions)."""

    SIGN = "sign"
    PAY = "pay"
    CONFIRM = "confirm"
    AWAIT_MOVE_IN = "await_move_in"
    MOVE_IN = "move_in"
    FILE_NOTICE = "file_notice"
    AWAIT_MOVE_OUT = "await_move_out"
    AWAIT_SETTLEMENT = "await_settlement"
    SETTLE = "settle"
    SEND_REFUND = "send_refund"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What the next step is read from; `has_started` counts the effective start by today.

    `has_ended` tells that the last day of a record that goes on in another one is over.
    """

    lifecycle: Lifecycle
    kind: ReservationKind
    has_started: bool
    is_signed: bool
    is_paid: bool
    has_money: bool
    settlement: SettlementState | None
    has_ended: bool = True


_BEFORE = frozenset({Lifecycle.BOOKED, Lifecycle.CONFIRMED})
_ENDED_WITH_MONEY = frozenset({Lifecycle.CANCELLED, Lifecycle.TRANSFERRED})


def next_step(facts: StepFacts) -> NextStep:
    """Return the step that moves a reservation on; one that is over waits for nothing."""
    if facts.settlement is not None:
        is_unsent = facts.settlement is SettlementState.REFUND_PENDING
        return NextStep.SEND_REFUND if is_unsent else NextStep.NOTHING
    if facts.lifecycle in _BEFORE:
        return _before_moving_in(facts)
    if facts.lifecycle is Lifecycle.LIVING:
        is_resident = facts.kind is ReservationKind.RESIDENT
        return NextStep.FILE_NOTICE if is_resident else NextStep.AWAIT_MOVE_OUT
    if facts.lifecycle is Lifecycle.NOTICE_FILED:
        return NextStep.AWAIT_MOVE_OUT
    if facts.lifecycle is Lifecycle.REFUNDED or (_may_owe_nothing(facts) and not facts.has_money):
        return NextStep.NOTHING
    is_waiting = facts.lifecycle is Lifecycle.TRANSFERRED and not facts.has_ended
    return NextStep.AWAIT_SETTLEMENT if is_waiting else NextStep.SETTLE


def _may_owe_nothing(facts: StepFacts) -> bool:
    """Guests and owner residents give no deposit, and other records take it along."""
    return facts.lifecycle in _ENDED_WITH_MONEY or facts.kind is not ReservationKind.RESIDENT


def has_begun(start_on: object, today: date) -> bool:
    """Whether an effective start has come; a damaged or missing one has not."""
    return isinstance(start_on, date) and start_on <= today


def _before_moving_in(facts: StepFacts) -> NextStep:
    if facts.has_started:
        return NextStep.MOVE_IN
    if facts.lifecycle is Lifecycle.CONFIRMED:
        return NextStep.AWAIT_MOVE_IN
    if not facts.is_signed:
        return NextStep.SIGN
    return NextStep.CONFIRM if facts.is_paid else NextStep.PAY
