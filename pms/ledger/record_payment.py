"""Records money that arrived and the entries it reaches (specification, Ledger entry)."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.ledger.models import Allocation, Payment
from pms.ledger.queries import standing_of, standings
from pms.pricing.agreed_price import checked_yen
from pms.reservations.locks import locked_reservation
from pms.rules.ledger_entries import Standing
from pms.rules.payments import Allocation as Part
from pms.rules.payments import PaymentProblem, allocated_payment, refusal_of_payment


def record_payment(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    amount_yen: int,
    received_on: date | None = None,
    entry_id: str | None = None,
    method: str = "bank_transfer",
    reference: str | None = None,
    note: str | None = None,
) -> str:
    """Write a payment and where it goes; return its id.

    It reaches the entry it names, or the open ones, oldest due first; what is too much is an
    overpayment. A reference that was recorded before is a collision.
    """
    checked_yen("amount", amount_yen, 1)
    received_on = received_on or clock.today()
    if received_on > clock.today():
        raise Refused(f"The payment was received on {received_on}, which is after today.")
    locked_reservation(session, reservation_id)
    _refuse_repeated(session, method, reference)
    parts = _parts(session, clock.today(), reservation_id, amount_yen, entry_id)
    payment_id = new_id()
    session.add(
        Payment(
            id=payment_id,
            reservation_id=reservation_id,
            received_on=received_on,
            amount_yen=amount_yen,
            method=method,
            reference=reference,
            note=note,
            written_at=clock.now(),
            written_by=actor,
        )
    )
    _flush(session, method, reference)
    session.add_all(
        Allocation(
            entry_id=part.entry_id,
            payment_id=payment_id,
            amount_yen=part.yen,
            allocated_on=received_on,
            written_at=clock.now(),
        )
        for part in parts
    )
    session.flush()
    return payment_id


def _parts(
    session: Session, today: date, reservation_id: str, yen: int, entry_id: str | None
) -> Sequence[Part]:
    if entry_id is not None:
        problem = refusal_of_payment(standing_of(session, reservation_id, entry_id, today), yen)
        if problem is PaymentProblem.ENTRY_VOIDED:
            raise Refused(f"Entry {entry_id} is voided and takes no payment.")
        return [Part(entry_id, yen)]
    found = standings(session, [reservation_id], today).get(reservation_id, ())
    return _spread(reservation_id, [entry for entry in found if not entry.is_voided], yen)


def _spread(reservation_id: str, entries: Sequence[Standing], yen: int) -> Sequence[Part]:
    if not entries:
        raise Refused(f"Reservation {reservation_id} has no entry that a payment could reach.")
    parts, left_yen = allocated_payment(yen, entries)
    return [*parts, Part(entries[-1].id, left_yen)] if left_yen else parts


def _refuse_repeated(session: Session, method: str, reference: str | None) -> None:
    if reference is not None and session.scalar(
        select(Payment.id).where(Payment.method == method, Payment.reference == reference)
    ):
        raise _repeated(method, reference)


def _flush(session: Session, method: str, reference: str | None) -> None:
    # Somebody else may have recorded it a moment ago; the unique key decides.
    try:
        session.flush()
    except IntegrityError as meeting:
        if reference is None:
            raise
        raise _repeated(method, reference) from meeting


def _repeated(method: str, reference: str) -> Collision:
    return Collision(f"A payment by {method} with the reference '{reference}' is recorded already.")
