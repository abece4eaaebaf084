"""Records money that arrived and the entries it reaches (specification, Ledger entry)."""

from collections.abc import Sequence
from datetime import date
from itertools import chain, count

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Phrase
from pms.ledger.models import Allocation as AllocationRow
from pms.ledger.models import Payment
from pms.ledger.move_in_paid import follow_payment
from pms.ledger.payment_plan import chosen_parts, payment_parts
from pms.ledger.return_payment import reversal_of
from pms.pricing.agreed_price import checked_yen
from pms.reservations.locks import locked_reservation
from pms.rules.deeds import Deed
from pms.rules.payments import Allocation


def record_payment(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    amount_yen: int,
    received_on: date | None = None,
    entry_id: str | None = None,
    wanted: Sequence[Allocation] | None = None,
    method: str = "bank_transfer",
    reference: str | None = None,
    note: str | None = None,
) -> str:
    """Write a payment and where it goes; return its id.

    It reaches the entry it names, the parts that are wanted, or the open entries, oldest due
    first; what is too much is an overpayment. A reference that was recorded before is a collision,
    unless that payment was reversed. What pays the move-in invoice in full makes the payment
    status paid.
    """
    checked_yen(Phrase("amount"), amount_yen, 1)
    received_on = received_on or clock.today()
    if received_on > clock.today():
        raise Refused(
            "The payment was received on {received_on}, which is after today.",
            received_on=received_on,
        )
    row = locked_reservation(session, reservation_id)
    reference = _free_reference(session, method, reference)
    parts = (
        payment_parts(session, clock.today(), reservation_id, amount_yen, entry_id)
        if wanted is None
        else chosen_parts(session, clock.today(), reservation_id, amount_yen, wanted)
    )
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
        AllocationRow(
            entry_id=part.entry_id,
            payment_id=payment_id,
            amount_yen=part.yen,
            allocated_on=received_on,
            written_at=clock.now(),
        )
        for part in parts
    )
    told = {
        "payment_id": payment_id,
        "amount_yen": amount_yen,
        "received_on": received_on,
        "method": method,
        "reference": reference,
    }
    about = of_reservation(reservation_id)
    note_deed(session, clock, actor, Deed.PAYMENT_RECORDED, about, after=told)
    session.flush()
    follow_payment(session, clock, actor, row)
    session.flush()
    return payment_id


def _free_reference(session: Session, method: str, reference: str | None) -> str | None:
    """Return the reference, or the first of reference/2, /3 ... after payments reversed with it."""
    if reference is None:
        return None
    names = chain([reference], (f"{reference}/{times}" for times in count(2)))
    for name in names:
        found = select(Payment.id).where(Payment.method == method, Payment.reference == name)
        earlier_id = session.scalar(found)
        if earlier_id is None:
            return name
        if reversal_of(session, earlier_id) is None:
            break
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
    return Collision(
        "A payment by {method} with the reference '{reference}' is recorded already.",
        method=method,
        reference=reference,
    )
