"""Applies a provider's payment events, each once: paid, failed, expired."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.checkouts.models import Checkout
from pms.foundation.audit import facts_of, note_audit_event, note_change, of_reservation
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry, Payment
from pms.ledger.move_in import change_payment_status, confirm_when_ready
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standing_of
from pms.reservations.changes import mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.bill_collection import checkout_state_after
from pms.rules.enumerations import CheckoutState, EntryKind, PaymentStatus

METHOD = "online"
"""The ledger's method of such payments."""


class _Paid(NamedTuple):
    amount_yen: int | None
    reference: str


def note_checkout_event(
    work: Work,
    *,
    checkout_id: str,
    outcome: CheckoutState,
    payment_reference: str | None = None,
    amount_yen: int | None = None,
    failure: str | None = None,
) -> bool:
    """Apply a provider's event to a visit; return whether anything changed.

    A payment is recorded on the ledger once, by the provider's reference; for an entry paid
    meanwhile it becomes an overpayment. Late and repeated events and unknown visits change nothing.
    Raises `Refused` for an amount other than the requested one.
    """
    asked = select(Checkout.reservation_id).where(Checkout.id == checkout_id)
    reservation_id = work.session.scalar(asked) if is_id(checkout_id) else None
    if reservation_id is None:
        return False
    row = reservation_to_change(work.session, reservation_id)
    visit = _in_hand(work.session, checkout_id)
    after = checkout_state_after(visit.state, outcome)
    if after is visit.state:
        return False
    if outcome is CheckoutState.PAID:
        paid = _Paid(amount_yen, payment_reference or visit.reference or visit.id)
        _record(work, row, visit, paid=paid)
    visit.state = after
    visit.ended_at = work.clock.now()
    visit.failure = None if outcome is CheckoutState.PAID else failure
    work.session.flush()
    if outcome is CheckoutState.PAID:
        _tell(work, AuditEvent.CHECKOUT_PAID, visit)
        _confirm(work, row)
    elif outcome is CheckoutState.FAILED:
        _tell(work, AuditEvent.CHECKOUT_FAILED, visit)
        if _is_move_in(work.session, visit.entry_id):
            status = PaymentStatus.FAILED
            change_payment_status(work, reservation_id=row.id, status=status)
    work.session.flush()
    return True


def _in_hand(session: Session, checkout_id: str) -> Checkout:
    wanted = select(Checkout).where(Checkout.id == checkout_id).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one()


def _record(work: Work, row: Reservation, visit: Checkout, *, paid: _Paid) -> None:
    """Record the payment on the ledger, unless its reference is recorded already."""
    if paid.amount_yen != visit.amount_yen:
        raise Refused(
            "amount: {told} were paid instead of the {asked} requested.",
            told=str(paid.amount_yen),
            asked=str(visit.amount_yen),
        )
    known = select(Payment.id).where(Payment.method == METHOD, Payment.reference == paid.reference)
    if work.session.scalar(known) is not None:
        return
    # A voided entry takes no payment; the money pays other open entries.
    standing = standing_of(work.session, row.id, visit.entry_id, work.clock.today())
    record_payment(
        work,
        reservation_id=row.id,
        amount_yen=visit.amount_yen,
        entry_id=None if standing.is_voided else visit.entry_id,
        method=METHOD,
        reference=paid.reference,
    )


def _confirm(work: Work, row: Reservation) -> None:
    """Confirm a booking for which only this payment was missing."""
    seen = facts_of(row)
    if confirm_when_ready(work.session, work.clock, row):
        mark_changed(row, work.clock, work.actor)
        note_change(work, AuditEvent.RESERVATION_CONFIRMED, row, since=seen)


def _is_move_in(session: Session, entry_id: str) -> bool:
    asked = select(LedgerEntry.kind).where(LedgerEntry.id == entry_id)
    return session.scalar(asked) is EntryKind.MOVE_IN


def _tell(work: Work, audit_event: AuditEvent, visit: Checkout) -> None:
    facts = {"checkout_id": visit.id, "amount_yen": visit.amount_yen, "failure": visit.failure}
    note_audit_event(work, audit_event, of_reservation(visit.reservation_id), after=facts)
