"""Look-ups of payments at the provider, and what follows from how a payment page ended."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import Session

from pms.checkouts.checkout_records import CheckoutRecord
from pms.checkouts.models import Checkout, ProviderPayment
from pms.checkouts.open_bills import lock_checkout, next_look
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import is_id
from pms.foundation.work import Work
from pms.ledger.models import Allocation, LedgerEntry, Payment
from pms.ledger.move_in import change_payment_status
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standings
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules import payments
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
    visit = lock_checkout(work.session, checkout_id)
    after = checkout_state_after(visit.state, outcome)
    if after is visit.state:
        return False
    if outcome is CheckoutState.PAID:
        paid = _Paid(amount_yen, payment_reference or visit.reference or visit.id)
        _record_payment(work, row, visit, paid=paid)
    visit.state = after
    visit.ended_at = work.clock.now()
    visit.failure = None if outcome is CheckoutState.PAID else failure
    work.session.flush()
    if outcome is CheckoutState.PAID:
        _note_checkout(work, AuditEvent.CHECKOUT_PAID, visit)
    elif outcome is CheckoutState.FAILED:
        _note_checkout(work, AuditEvent.CHECKOUT_FAILED, visit)
        asked = select(LedgerEntry.kind).where(LedgerEntry.id == visit.entry_id)
        is_move_in = work.session.scalar(asked) is EntryKind.MOVE_IN
        if is_move_in:
            change_payment_status(work, reservation_id=row.id, status=PaymentStatus.FAILED)
    work.session.flush()
    return True


def _record_payment(work: Work, row: Reservation, visit: Checkout, *, paid: _Paid) -> None:
    """Record the payment on the ledger, unless its reference is recorded already."""
    check_paid_amount(paid.amount_yen, visit.amount_yen)
    known = select(Payment.id).where(Payment.method == METHOD, Payment.reference == paid.reference)
    if work.session.scalar(known) is not None:
        return
    record_payment(
        work,
        reservation_id=row.id,
        amount_yen=visit.amount_yen,
        wanted=_parts_of(work, row.id, visit),
        method=METHOD,
        reference=paid.reference,
    )


def check_paid_amount(paid_yen: int | None, asked_yen: int) -> None:
    """Refuse another amount than the one requested, so that a person looks at it."""
    if paid_yen != asked_yen:
        raise Refused(
            "amount: {paid} were paid instead of the {asked} requested.",
            paid=str(paid_yen),
            asked=str(asked_yen),
        )


def _parts_of(work: Work, reservation_id: str, visit: Checkout) -> Sequence[payments.AllocatedPart]:
    """Return what each entry of the visit gets; what was paid meanwhile goes to other open ones.

    An entry alone keeps a surplus; a voided one takes no payment.
    """
    entry_ids = [visit.entry_id, *(visit.other_entry_ids or ())]
    found = standings(work.session, [reservation_id], work.clock.today())
    named = {bill.id: bill for bill in found.get(reservation_id, ()) if not bill.is_voided}
    entries = [named[entry_id] for entry_id in entry_ids if entry_id in named]
    if len(entry_ids) == 1:
        return [payments.AllocatedPart(entry.id, visit.amount_yen) for entry in entries]
    parts, _left_yen = payments.allocated_payment(visit.amount_yen, entries)
    return parts


def _note_checkout(work: Work, audit_event: AuditEvent, visit: Checkout) -> None:
    facts = {"checkout_id": visit.id, "amount_yen": visit.amount_yen, "failure": visit.failure}
    note_audit_event(work, audit_event, of_reservation(visit.reservation_id), after=facts)


def look_up_soon(session: Session, clock: Clock, checkout_id: str) -> None:
    """Bring the next look-up of a visit forward, once; one that is running is left alone."""
    call = session.scalar(next_look(checkout_id).with_for_update())
    if call is not None and "is_back" not in call.facts:
        call.due_at, call.facts = clock.now(), {"is_back": True}
        session.flush()


FIRST_WAIT: Final = timedelta(minutes=1)
_WAIT_OF_WHO_IS_BACK: Final = timedelta(seconds=10)
_LONGEST_WAIT: Final = timedelta(hours=6)
_LOOKED_FOR: Final = timedelta(days=14)
_MOST_DOUBLINGS: Final = 12


def is_looked_for(visit: CheckoutRecord, now: datetime) -> bool:
    """Return whether a visit may still be paid."""
    is_over = visit.state in (CheckoutState.PAID, CheckoutState.EXPIRED)
    return not is_over and visit.reference is not None and now - visit.asked_at < _LOOKED_FOR


def wait_after(facts: Mapping[str, Any]) -> timedelta:
    """Return how long to wait after another look-up of a visit."""
    first = _WAIT_OF_WHO_IS_BACK if facts.get("is_back") else FIRST_WAIT
    doublings: int = 2 ** min(facts.get("looks", 0), _MOST_DOUBLINGS)
    return min(first * doublings, _LONGEST_WAIT)


class ProviderPaymentRecord(NamedTuple):
    """One payment by the provider's records, in whole yen."""

    id: str
    intent: str
    charge: str | None
    reservation_id: str
    entry_id: str
    payment_id: str | None
    amount_yen: int
    paid_at: datetime | None
    failed_at: datetime | None
    failure: str | None


def failed_payments_of(session: Session, reservation_id: str) -> Sequence[ProviderPaymentRecord]:
    """Return the failed payments of a reservation, the newest first."""
    asked = (
        select(ProviderPayment)
        .where(
            ProviderPayment.reservation_id == reservation_id,
            ProviderPayment.failed_at.is_not(None),
        )
        .order_by(ProviderPayment.id.desc())
    )
    return [
        ProviderPaymentRecord(*(getattr(row, name) for name in ProviderPaymentRecord._fields))
        for row in session.scalars(asked)
    ]


def reservation_paid_for(session: Session, intent: str, charge: str | None = None) -> str | None:
    """Return the reservation of a provider's payment, without a lock.

    The reservation is always locked before the payment's row.
    """
    names = _conditions_of_payment(intent, charge)
    if not names:
        return None
    found = session.scalar(select(ProviderPayment.reservation_id).where(or_(*names)))
    in_ledger = _of_ledger(intent).with_only_columns(Payment.reservation_id)
    return found or (session.scalar(in_ledger) if intent else None)


def recorded_yen(session: Session, intent: str) -> int | None:
    """Return what the ledger has of a provider's payment; None for one that it does not have."""
    return session.scalar(_of_ledger(intent).with_only_columns(Payment.amount_yen))


def lock_payment(
    session: Session, intent: str, charge: str | None = None
) -> ProviderPayment | None:
    """Return the locked row of a payment by the provider's intent or charge id.

    A payment that a look-up recorded has no such row yet: the row is created from the ledger.
    """
    names = _conditions_of_payment(intent, charge)
    if not names:
        return None
    asked = select(ProviderPayment).where(or_(*names)).with_for_update()
    row = session.scalars(asked.execution_options(populate_existing=True)).first()
    if row is None and intent:
        row = _from_ledger(session, intent)
    if row is not None and charge and row.charge is None:
        row.charge = charge
    return row


def _conditions_of_payment(intent: str, charge: str | None) -> list[ColumnElement[bool]]:
    names = [ProviderPayment.intent == intent] if intent else []
    return [*names, ProviderPayment.charge == charge] if charge else names


def _of_ledger(intent: str) -> Select[Payment]:
    return select(Payment).where(Payment.method == METHOD, Payment.reference == intent)


def _from_ledger(session: Session, intent: str) -> ProviderPayment | None:
    money = session.scalar(_of_ledger(intent))
    reached = money and session.scalar(
        select(Allocation.entry_id)
        .where(Allocation.payment_id == money.id)
        .order_by(Allocation.id)
        .limit(1)
    )
    if money is None or not reached:
        return None
    row = ProviderPayment(
        intent=intent,
        charge=None,
        reservation_id=money.reservation_id,
        entry_id=reached,
        payment_id=money.id,
        amount_yen=money.amount_yen,
        paid_at=money.written_at,
        refunded_yen=0,
    )
    session.add(row)
    session.flush()
    return row
