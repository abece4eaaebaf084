"""Queries for papers: lists of them, and one by its id."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.foundation.work import find_row
from pms.ledger.models import LedgerEntry, LedgerLine, Payment, PaymentReturn
from pms.rules.days import day_of
from pms.rules.enumerations import EntryKind
from pms.statements.models import Invoice, OwnerStatement, Receipt, ReceiptCorrection


class ChangedInvoice(NamedTuple):
    """The day a bill changed after its invoice was issued; whether the sent paper is older."""

    on: date
    is_sent_before: bool


def invoice_of(session: Session, invoice_id: str) -> Invoice:
    """Return an invoice; raise `NotFound` for an unknown id."""
    return find_row(session, Invoice, invoice_id)


def receipt_of(session: Session, receipt_id: str) -> Receipt:
    """Return a receipt; raise `NotFound` for an unknown id."""
    return find_row(session, Receipt, receipt_id)


def correction_of(session: Session, correction_id: str) -> ReceiptCorrection:
    """Return the paper that voids or corrects a receipt; raise `NotFound` for an unknown id."""
    return find_row(session, ReceiptCorrection, correction_id)


def statement_of(session: Session, statement_id: str) -> OwnerStatement:
    """Return a published statement; raise `NotFound` for an unknown id."""
    return find_row(session, OwnerStatement, statement_id)


class BilledEntry(NamedTuple):
    """An entry of a reservation with its invoice, and the day its bill changed since."""

    id: str
    kind: EntryKind
    due_on: date
    is_voided: bool
    invoice: Invoice | None
    changed: ChangedInvoice | None


def billed_entries(session: Session, reservation_id: str) -> Mapping[str, BilledEntry]:
    """Return the entries of a reservation by id, including voided ones, in one query."""
    return billed_entries_of(session, [reservation_id]).get(reservation_id, {})


def billed_entries_of(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, Mapping[str, BilledEntry]]:
    """Return the entries of reservations by id, including voided ones, in one query."""
    return asked_once(session, _billed_entries, tuple(reservation_ids))


def move_in_entries(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, Mapping[str, BilledEntry]]:
    """Return only the move-in invoices of reservations, in one query."""
    return _billed_entries(session, tuple(reservation_ids), EntryKind.MOVE_IN)


def _billed_entries(
    session: Session, reservation_ids: tuple[str, ...], kind: EntryKind | None = None
) -> Mapping[str, Mapping[str, BilledEntry]]:
    # Asked for each entry: grouping them by id would read the whole ledger in the order of ids.
    of_entry, opposite = refers_to(LedgerLine.entry_id, LedgerEntry), aliased(LedgerEntry)
    asked = (
        select(
            LedgerEntry,
            Invoice,
            select(func.count(LedgerLine.id)).where(of_entry).scalar_subquery(),
            select(func.max(LedgerLine.posted_on)).where(of_entry).scalar_subquery(),
            select(opposite.id)
            .where(
                opposite.workspace_id == LedgerEntry.workspace_id,
                opposite.opposes_id == LedgerEntry.id,
            )
            .exists(),
        )
        .outerjoin(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
        .where(one_of(LedgerEntry.reservation_id, reservation_ids))
    )
    rows = session.execute(asked.where(LedgerEntry.kind == kind) if kind else asked)
    found: defaultdict[str, dict[str, BilledEntry]] = defaultdict(dict)
    for entry, invoice, lines, posted_on, is_voided in rows:
        found[entry.reservation_id][entry.id] = BilledEntry(
            entry.id,
            EntryKind(entry.kind),
            entry.due_on,
            is_voided,
            invoice,
            changed_since(invoice, lines, posted_on) if invoice and posted_on else None,
        )
    return found


def changed_since(invoice: Invoice, lines: int, posted_on: date) -> ChangedInvoice | None:
    """Return the change of an invoice whose entry now has more lines than at its issue."""
    if invoice.issued_lines is None:
        is_changed = posted_on > invoice.issued_on
    else:
        is_changed = lines > invoice.issued_lines
    if not is_changed:
        return None
    if invoice.sent_at is None:
        return ChangedInvoice(posted_on, is_sent_before=False)
    if invoice.sent_lines is None:
        return ChangedInvoice(posted_on, is_sent_before=posted_on > day_of(invoice.sent_at))
    return ChangedInvoice(posted_on, is_sent_before=lines > invoice.sent_lines)


def receipts_of(session: Session, reservation_id: str) -> Sequence[Receipt]:
    """Return the receipts of a reservation by number."""
    return session.scalars(
        select(Receipt)
        .join(Payment, refers_to(Receipt.payment_id, Payment))
        .where(Payment.reservation_id == reservation_id)
        .order_by(Receipt.number)
    ).all()


def corrections_of(session: Session, reservation_id: str) -> Sequence[ReceiptCorrection]:
    """Return the papers that correct receipts of a reservation, by number."""
    return session.scalars(
        select(ReceiptCorrection)
        .join(PaymentReturn, refers_to(ReceiptCorrection.return_id, PaymentReturn))
        .where(PaymentReturn.reservation_id == reservation_id)
        .order_by(ReceiptCorrection.number)
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
