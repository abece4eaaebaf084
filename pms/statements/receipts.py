"""Receipts: their papers, returned payments, and the income by month."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Subquery, case, func, literal, null, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import month_text
from pms.foundation.numbering import lock_series, take_number
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, KeptAnswers
from pms.foundation.work import Work, find_row
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine, Payment
from pms.ledger.opening import is_income
from pms.ledger.payment_plan import restore_payment
from pms.ledger.payments import check_reason, reservation_of_payment, return_payment, returned_yen
from pms.ledger.payments import reverse_payment as reverse_in_ledger
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import month_last
from pms.statements.invoices import home_of
from pms.statements.models import Receipt, ReceiptCorrection
from pms.workspaces.queries import counters

SERIES: Final = "receipt"


def issue_receipt(work: Work, payment_id: str) -> Receipt:
    """Return the receipt of a payment, issued on the first call.

    Raises `NotFound` for an unknown payment, and `Refused` for one that was returned completely.
    """
    payment = find_row(work.session, Payment, payment_id)
    return _find_receipt(work.session, payment_id) or _issue_new_receipt(work, payment)


def _issue_new_receipt(work: Work, payment: Payment) -> Receipt:
    today = work.clock.today()
    lock_series(work.session, SERIES, today)
    issued = _find_receipt(work.session, payment.id)
    if issued is not None:
        return issued
    if returned_yen(work.session, payment.id) >= payment.amount_yen:
        raise Refused(
            "payment: all of it was refunded, so there is nothing to issue a receipt for."
        )
    receipt = Receipt(
        payment_id=payment.id,
        number=f"R{take_number(work.session, SERIES, today)}",
        issued_on=today,
        locale=home_of(work.session, payment.reservation_id).locale,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(receipt)
    about, facts = of_reservation(payment.reservation_id), {"number": receipt.number}
    note_audit_event(work, AuditEvent.RECEIPT_ISSUED, about, after=facts)
    work.session.flush()
    return receipt


def _find_receipt(session: Session, payment_id: str) -> Receipt | None:
    return session.scalar(select(Receipt).where(Receipt.payment_id == payment_id))


class TakenBack(NamedTuple):
    """The opposite row that was written, and the number of the paper about the receipt, if any."""

    return_id: str
    correction_number: str | None


def reverse_payment(work: Work, *, payment_id: str, reason: str) -> TakenBack:
    """Reverse a wrong payment and void its receipt by a numbered paper (Ledger entry)."""
    return_id = reverse_in_ledger(work, payment_id=payment_id, reason=reason)
    return _with_paper(work, payment_id, return_id)


def send_payment_back(
    work: Work,
    *,
    payment_id: str,
    amount_yen: int,
    reason: str,
    returned_on: date | None = None,
    reference: str | None = None,
) -> TakenBack:
    """Record money that staff returned to the payer, with a paper for its receipt.

    Raises `Collision` for a bank reference that is recorded already.
    """
    sent = send_back_once(
        work,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference or f"return/{new_id()}",
        returned_on=returned_on,
        note=check_reason(reason),
    )
    if sent is None:
        raise Collision(
            "reference: a refund with the reference '{reference}' is already recorded.",
            reference=reference,
        )
    return sent


def send_back_once(
    work: Work,
    *,
    payment_id: str,
    amount_yen: int,
    reference: str,
    returned_on: date | None = None,
    note: str | None = None,
) -> TakenBack | None:
    """Record returned money under its reference; return None for a known reference."""
    return_id = return_payment(
        work,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference,
        returned_on=returned_on,
        note=note,
    )
    if return_id is None:
        return None
    return _with_paper(work, payment_id, return_id)


def take_return_back(
    work: Work, *, payment_id: str, amount_yen: int, reference: str, restored_on: date
) -> TakenBack | None:
    """Undo returned money that stayed or came back; return None for a known reference."""
    return_id = restore_payment(
        work,
        payment_id=payment_id,
        amount_yen=amount_yen,
        reference=reference,
        restored_on=restored_on,
    )
    return None if return_id is None else _with_paper(work, payment_id, return_id)


def _with_paper(work: Work, payment_id: str, return_id: str) -> TakenBack:
    """Issue the numbered paper for the payment's receipt; none without a receipt."""
    today = work.clock.today()
    # A concurrent issue of the receipt holds this lock, or waits for it and sees the return.
    lock_series(work.session, SERIES, today)
    receipt = work.session.scalar(select(Receipt).where(Receipt.payment_id == payment_id))
    if receipt is None:
        return TakenBack(return_id, None)
    paper = ReceiptCorrection(
        receipt_id=receipt.id,
        return_id=return_id,
        number=f"R{take_number(work.session, SERIES, today)}",
        issued_on=today,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(paper)
    about = of_reservation(reservation_of_payment(work.session, payment_id))
    facts = {"number": paper.number, "receipt_number": receipt.number}
    note_audit_event(work, AuditEvent.RECEIPT_CORRECTED, about, after=facts)
    work.session.flush()
    return TakenBack(return_id, paper.number)


# An entry is plain when all its lines were posted with its issue, it was paid within one month and
# it was neither voided nor charged as arrears: then the month received the smaller of its payments
# and its lines without deposits. The other entries are returned by id, and the rules find their
# months.
_Other = aliased(LedgerEntry)


class MonthlyReceipts(NamedTuple):
    """The yen of plain entries by building and month, and the ids of all other entries."""

    yen: Mapping[str, Mapping[date, int]]
    not_plain: Sequence[str]


_RECEIPTS: Final = KeptAnswers()


def monthly_receipts(session: Session, building_ids: Sequence[str]) -> MonthlyReceipts:
    """Return the income of every month, in one query over all entries (Owner; Deposit 1).

    While neither the ledger nor the stays change, a cached result is returned.
    """
    # The building of an entry depends on units and reservations.
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    asked = tuple(sorted(building_ids))
    return _RECEIPTS.answer(
        session, asked, state, lambda: _read_monthly_receipts(session, building_ids)
    )


def _read_monthly_receipts(session: Session, building_ids: Sequence[str]) -> MonthlyReceipts:
    yen: defaultdict[str, defaultdict[date, int]] = defaultdict(lambda: defaultdict(int))
    not_plain: list[str] = []
    for building_id, month, entry_id, received_yen in session.execute(
        _select_received(building_ids)
    ):
        if entry_id is None:
            yen[building_id][date.fromisoformat(f"{month}-01")] += int(received_yen)
        else:
            not_plain.append(entry_id)
    return MonthlyReceipts(yen, not_plain)


def paid_in_month(building_ids: Sequence[str], month_on: date) -> Select[str]:
    """Return the query of entries with a payment, or a returned one, in a month."""
    return (
        select(Allocation.entry_id)
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .where(
            is_income(),
            Allocation.allocated_on.between(month_on, month_last(month_on)),
            is_in_buildings(LedgerEntry.reservation_id, building_ids),
        )
        .distinct()
    )


def _select_received(building_ids: Sequence[str]) -> Select[*tuple[Any, ...]]:
    entry = _paid_entries(building_ids)
    plain_yen = case(
        (entry.c.paid_yen < entry.c.payable_yen, entry.c.paid_yen), else_=entry.c.payable_yen
    )
    month = month_text(entry.c.last_on)
    is_plain = (
        entry.c.payable_yen.is_not(None)
        & (entry.c.payable_yen >= 0)
        & (entry.c.paid_yen >= 0)
        & (entry.c.first_on >= entry.c.issued_on)
        & (month_text(entry.c.first_on) == month)
        & entry.c.id.not_in(_select_labels(_Other.opposes_id))
        & entry.c.id.not_in(_select_labels(_Other.arrears_of_id))
    )
    # One group for each month of the plain entries, and one for every other entry.
    named = case((is_plain, null()), else_=entry.c.id)
    return (
        select(entry.c.building_id, month, named, func.sum(plain_yen))
        .where(entry.c.id.not_in(select(_Other.id).where(_Other.opposes_id.is_not(None))))
        .group_by(entry.c.building_id, month, named)
    )


def _paid_entries(building_ids: Sequence[str]) -> Subquery:
    """Select every entry of the buildings with payments.

    The building is joined inside the subquery: without statistics, as after a large import,
    PostgreSQL would otherwise repeat these sums for each reservation.
    """
    entry = (Unit.building_id, LedgerEntry.id, LedgerEntry.issued_on)
    return (
        select(
            *entry,
            func.sum(Allocation.amount_yen).label("paid_yen"),
            func.min(Allocation.allocated_on).label("first_on"),
            func.max(Allocation.allocated_on).label("last_on"),
            _payable_yen().label("payable_yen"),
        )
        .join(Allocation, refers_to(Allocation.entry_id, LedgerEntry))
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(is_income(), is_in_buildings(LedgerEntry.reservation_id, building_ids))
        .group_by(LedgerEntry.workspace_id, *entry)
        .subquery()
    )


def _payable_yen() -> Any:
    """Return the SQL sum of an entry without deposits; NULL when a line was posted after issue."""
    is_plain = func.max(LedgerLine.posted_on) <= LedgerEntry.issued_on
    yen = func.sum(case((LedgerLine.is_deposit, literal(0)), else_=LedgerLine.amount_yen))
    return (
        select(case((is_plain, yen), else_=null()))
        .where(refers_to(LedgerLine.entry_id, LedgerEntry))
        .correlate(LedgerEntry)
        .scalar_subquery()
    )


def _select_labels(column: Any) -> Select[*tuple[Any, ...]]:
    return select(column).where(column.is_not(None))


def is_in_buildings(reservation_id: Any, building_ids: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a column names a stay in one of the buildings."""
    of_buildings = (
        select(Reservation.id)
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(Unit.building_id.in_(list(building_ids)))
    )
    found: ColumnElement[bool] = reservation_id.in_(of_buildings)
    return found
