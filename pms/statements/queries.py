"""Questions about papers: which there are, and one by its id."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.ledger.models import LedgerEntry, Payment, PaymentReturn
from pms.statements.models import Invoice, OwnerStatement, Receipt, ReceiptCorrection


def invoice_of(session: Session, invoice_id: str) -> Invoice:
    """Return an invoice; raise `NotFound` for an unknown one."""
    asked = select(Invoice).where(Invoice.id == invoice_id)
    invoice = session.scalar(asked) if is_id(invoice_id) else None
    if invoice is None:
        raise NotFound("There is no invoice '{invoice_id}'.", invoice_id=invoice_id[:60])
    return invoice


def receipt_of(session: Session, receipt_id: str) -> Receipt:
    """Return a receipt; raise `NotFound` for an unknown one."""
    asked = select(Receipt).where(Receipt.id == receipt_id)
    receipt = session.scalar(asked) if is_id(receipt_id) else None
    if receipt is None:
        raise NotFound("There is no receipt '{receipt_id}'.", receipt_id=receipt_id[:60])
    return receipt


def correction_of(session: Session, correction_id: str) -> ReceiptCorrection:
    """Return the paper that voids or corrects a receipt; raise `NotFound` for an unknown one."""
    asked = select(ReceiptCorrection).where(ReceiptCorrection.id == correction_id)
    found = session.scalar(asked) if is_id(correction_id) else None
    if found is None:
        raise NotFound("There is no receipt '{receipt_id}'.", receipt_id=correction_id[:60])
    return found


def statement_of(session: Session, statement_id: str) -> OwnerStatement:
    """Return a published statement; raise `NotFound` for an unknown one."""
    asked = select(OwnerStatement).where(OwnerStatement.id == statement_id)
    statement = session.scalar(asked) if is_id(statement_id) else None
    if statement is None:
        raise NotFound("There is no statement '{statement_id}'.", statement_id=statement_id[:60])
    return statement


def invoices_of(session: Session, reservation_id: str) -> Sequence[Invoice]:
    """Return the invoices of a reservation by number."""
    return session.scalars(
        select(Invoice)
        .join(
            LedgerEntry,
            (LedgerEntry.workspace_id == Invoice.workspace_id)
            & (LedgerEntry.id == Invoice.entry_id),
        )
        .where(LedgerEntry.reservation_id == reservation_id)
        .order_by(Invoice.number)
    ).all()


def receipts_of(session: Session, reservation_id: str) -> Sequence[Receipt]:
    """Return the receipts of a reservation by number."""
    return session.scalars(
        select(Receipt)
        .join(
            Payment,
            (Payment.workspace_id == Receipt.workspace_id) & (Payment.id == Receipt.payment_id),
        )
        .where(Payment.reservation_id == reservation_id)
        .order_by(Receipt.number)
    ).all()


def corrections_of(session: Session, reservation_id: str) -> Sequence[ReceiptCorrection]:
    """Return the papers about receipts of a reservation by number."""
    return session.scalars(
        select(ReceiptCorrection)
        .join(
            PaymentReturn,
            (PaymentReturn.workspace_id == ReceiptCorrection.workspace_id)
            & (PaymentReturn.id == ReceiptCorrection.return_id),
        )
        .where(PaymentReturn.reservation_id == reservation_id)
        .order_by(ReceiptCorrection.number)
    ).all()


def statements_of(session: Session, building_id: str) -> Sequence[OwnerStatement]:
    """Return every published version of a building's statements, the newest month first."""
    return session.scalars(
        select(OwnerStatement)
        .where(OwnerStatement.building_id == building_id)
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version.desc())
    ).all()


def versions_of_month(
    session: Session, building_id: str, month_on: date
) -> Sequence[OwnerStatement]:
    """Return the published versions of a building's month, the latest first."""
    return session.scalars(
        select(OwnerStatement)
        .where(OwnerStatement.building_id == building_id, OwnerStatement.month_on == month_on)
        .order_by(OwnerStatement.version.desc())
    ).all()
