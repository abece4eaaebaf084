"""Gives a payment its receipt, numbered like invoices in a series of its own."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.numbering import lock_series, take_number
from pms.ledger.models import Payment
from pms.ledger.return_payment import returned_yen
from pms.rules.deeds import Deed
from pms.statements.models import Receipt
from pms.statements.parties import home_of

SERIES: Final = "receipt"


def issue_receipt(session: Session, clock: Clock, actor: str, payment_id: str) -> Receipt:
    """Return the receipt of a payment; a second call returns the same one.

    Raises `NotFound` for an unknown payment, and `Refused` for one that went back altogether.
    """
    question = select(Payment).where(Payment.id == payment_id)
    payment = session.scalar(question) if is_id(payment_id) else None
    if payment is None:
        raise NotFound("There is no payment '{payment_id}'.", payment_id=payment_id[:60])
    return _issued(session, payment_id) or _issue(session, clock, actor, payment)


def _issue(session: Session, clock: Clock, actor: str, payment: Payment) -> Receipt:
    today = clock.today()
    lock_series(session, SERIES, today)
    issued = _issued(session, payment.id)
    if issued is not None:
        return issued
    if returned_yen(session, payment.id) >= payment.amount_yen:
        raise Refused("payment: all of it went back, so that there is nothing to receipt.")
    receipt = Receipt(
        payment_id=payment.id,
        number=f"R{take_number(session, SERIES, today)}",
        issued_on=today,
        locale=home_of(session, payment.reservation_id).locale,
        written_at=clock.now(),
        written_by=actor,
    )
    session.add(receipt)
    about, told = of_reservation(payment.reservation_id), {"number": receipt.number}
    note_deed(session, clock, actor, Deed.RECEIPT_ISSUED, about, after=told)
    session.flush()
    return receipt


def _issued(session: Session, payment_id: str) -> Receipt | None:
    return session.scalar(select(Receipt).where(Receipt.payment_id == payment_id))
