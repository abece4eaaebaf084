"""Questions about papers: which there are, and one by its id."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.ledger.models import LedgerEntry, Payment
from pms.statements.models import Invoice, OwnerStatement, Receipt


def invoice_of(session: Session, invoice_id: str) -> Invoice:
    """Return an invoice; raise `NotFound` for an unknown one."""
    invoice = session.scalar(select(Invoice).where(Invoice.id == invoice_id))
    if invoice is None:
        raise NotFound(f"There is no invoice '{invoice_id}'.")
    return invoice


def receipt_of(session: Session, receipt_id: str) -> Receipt:
    """Return a receipt; raise `NotFound` for an unknown one."""
    receipt = session.scalar(select(Receipt).where(Receipt.id == receipt_id))
    if receipt is None:
        raise NotFound(f"There is no receipt '{receipt_id}'.")
    return receipt


def statement_of(session: Session, statement_id: str) -> OwnerStatement:
    """Return a published statement; raise `NotFound` for an unknown one."""
    statement = session.scalar(select(OwnerStatement).where(OwnerStatement.id == statement_id))
    if statement is None:
        raise NotFound(f"There is no statement '{statement_id}'.")
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


def statements_of(session: Session, building_id: str) -> Sequence[OwnerStatement]:
    """Return every published version of a building's statements, the newest month first."""
    return session.scalars(
        select(OwnerStatement)
        .where(OwnerStatement.building_id == building_id)
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version.desc())
    ).all()
