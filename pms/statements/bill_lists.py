"""Lists of bills and of payments of the whole workspace."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.ledger.debts import EntryState, entry_state
from pms.ledger.models import EntryTotal, LedgerEntry, Payment, PaymentReturn
from pms.ledger.queries import standings
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind
from pms.rules.ledger_entries import EntryBalance
from pms.statements.models import Invoice, Receipt


class BillFilter(StrEnum):
    """Which bills a list shows."""

    UNPAID = "unpaid"
    OVERDUE = "overdue"
    PAID = "paid"
    NOT_SENT = "not_sent"


class MoneySearch(NamedTuple):
    """The filters of a list of bills or payments; an unset filter excludes nothing.

    Both days are included; they are days of issue or receipt. `sort` is a key of the list's orders.
    """

    text: str = ""
    building_id: str | None = None
    first_on: date | None = None
    last_on: date | None = None
    bills: BillFilter | None = None
    method: str | None = None
    sort: str = ""
    is_descending: bool = False


class ListedBill(NamedTuple):
    """One bill with its state on the day of the list, in whole yen."""

    id: str
    reservation_id: str
    label: Bilingual
    issued_on: date
    due_on: date
    billed_yen: int
    resident: str
    unit: str
    building: Bilingual
    invoice_id: str | None
    number: str | None
    sent_at: datetime | None
    paid_yen: int
    open_yen: int
    state: EntryState


class ListedPayment(NamedTuple):
    """One payment, and how much of it was returned, in whole yen."""

    id: str
    reservation_id: str
    received_on: date
    amount_yen: int
    method: str
    reference: str | None
    resident: str
    unit: str
    building: Bilingual
    receipt_id: str | None
    receipt: str | None
    returned_yen: int


_OPPOSITE: Final = aliased(LedgerEntry)
_IS_VOIDED: Final = (
    select(_OPPOSITE.id).where(refers_to(_OPPOSITE.opposes_id, LedgerEntry)).exists()
)
_OPEN: Final = EntryTotal.billed_yen - EntryTotal.paid_yen
_PLACE: Final = (Building.name, Unit.name)
BILL_SORTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "bill": (LedgerEntry.label_ja,),
    "number": (Invoice.number,),
    "resident": (func.coalesce(Reservation.name_kana, Reservation.name),),
    "unit": _PLACE,
    "issued": (LedgerEntry.issued_on,),
    "due": (LedgerEntry.due_on,),
    "total": (EntryTotal.billed_yen,),
    "paid": (EntryTotal.paid_yen,),
    "open": (_OPEN,),
    "sent": (Invoice.sent_at,),
}
PAYMENT_SORTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "received": (Payment.received_on,),
    "resident": (func.coalesce(Reservation.name_kana, Reservation.name),),
    "unit": _PLACE,
    "amount": (Payment.amount_yen,),
    "method": (Payment.method,),
    "reference": (Payment.reference,),
    "receipt": (Receipt.number,),
}


def list_bills(
    session: Session, search: MoneySearch, today: date, paging: Paging
) -> tuple[Sequence[ListedBill], int]:
    """Return one page of the matching bills, the newest first, and the number of all matches."""
    bill_conditions: list[ColumnElement[bool]] = [LedgerEntry.kind != EntryKind.OPPOSITE]
    if search.text:
        bill_conditions.append(
            or_(
                finds(search.text, Reservation.search_text),
                Invoice.number.contains(search.text, autoescape=True),
            )
        )
    bill_conditions.extend(_list_common_conditions(search, LedgerEntry.issued_on))
    if search.bills is BillFilter.PAID:
        bill_conditions.append(and_(_OPEN <= 0, EntryTotal.paid_yen > 0, ~_IS_VOIDED))
    elif search.bills is BillFilter.NOT_SENT:
        bill_conditions.append(
            and_(Invoice.sent_at.is_(None), EntryTotal.billed_yen > 0, ~_IS_VOIDED)
        )
    elif search.bills is not None:
        bill_conditions.append(and_(_OPEN > 0, ~_IS_VOIDED))
        if search.bills is BillFilter.OVERDUE:
            bill_conditions.append(LedgerEntry.due_on < today)
    conditions = tuple(bill_conditions)
    order = (
        *_list_sort_columns(BILL_SORTS, search),
        LedgerEntry.issued_on.desc(),
        LedgerEntry.id.desc(),
    )
    question = _of_bills().where(*conditions)
    if search.text or search.building_id or search.bills:
        rows, total = _read_page(session, question.order_by(*order), paging)
    else:  # the other conditions are about entries alone: names and sums need not be joined
        is_own = search.sort in {"", "bill", "issued", "due"}
        rows, total = _page_alone(
            session,
            question,
            LedgerEntry,
            paging=paging,
            conditions=conditions,
            order=order,
            is_own_order=is_own,
        )
    return [*_build_bills(session, rows, today)], total


def list_payments(
    session: Session, search: MoneySearch, paging: Paging
) -> tuple[Sequence[ListedPayment], int]:
    """Return one page of the matching payments, newest first, and the number of all matches."""
    payment_conditions: list[ColumnElement[bool]] = []
    if search.text:
        payment_conditions.append(
            or_(
                finds(search.text, Reservation.search_text),
                Receipt.number.contains(search.text, autoescape=True),
                Payment.reference.contains(search.text, autoescape=True),
            )
        )
    payment_conditions.extend(_list_common_conditions(search, Payment.received_on))
    if search.method:
        payment_conditions.append(Payment.method == search.method)
    conditions = tuple(payment_conditions)
    question = _of_payments().where(*conditions)
    order = (
        *_list_sort_columns(PAYMENT_SORTS, search),
        Payment.received_on.desc(),
        Payment.id.desc(),
    )
    if search.text or search.building_id:
        rows, total = _read_page(session, question.order_by(*order), paging)
    else:  # the other conditions are about payments alone: their names need not be joined
        is_own = search.sort in {"", "received", "amount", "method", "reference"}
        rows, total = _page_alone(
            session,
            question,
            Payment,
            paging=paging,
            conditions=conditions,
            order=order,
            is_own_order=is_own,
        )
    return [_build_payment(row) for row in rows], total


def bills_of_amount(session: Session, yen: int, today: date, most: int) -> Sequence[ListedBill]:
    """Return the newest bills of exactly so many yen, a voided one too, at most `most`."""
    question = _of_bills().where(
        EntryTotal.billed_yen == yen, LedgerEntry.kind != EntryKind.OPPOSITE
    )
    rows = session.execute(question.order_by(EntryTotal.id.desc()).limit(most)).all()
    return [*_build_bills(session, rows, today)]


def payments_of_amount(session: Session, yen: int, most: int) -> Sequence[ListedPayment]:
    """Return the newest payments of exactly so many yen, at most `most`."""
    newest = (Payment.received_on.desc(), Payment.id.desc())
    question = _of_payments().where(Payment.amount_yen == yen).order_by(*newest).limit(most)
    rows = session.execute(question).all()
    return [_build_payment(row) for row in rows]


def _of_bills() -> Select[*tuple[Any, ...]]:
    return (
        select(
            LedgerEntry.id,
            LedgerEntry.reservation_id,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
            LedgerEntry.issued_on,
            LedgerEntry.due_on,
            EntryTotal.billed_yen,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
            Invoice.id,
            Invoice.number,
            Invoice.sent_at,
        )
        .join(EntryTotal, _match_in_workspace(EntryTotal, EntryTotal.id, LedgerEntry.id))
        .join(
            Reservation,
            _match_in_workspace(Reservation, Reservation.id, LedgerEntry.reservation_id),
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .outerjoin(Invoice, _match_in_workspace(Invoice, Invoice.entry_id, LedgerEntry.id))
    )


def _of_payments() -> Select[*tuple[Any, ...]]:
    is_receipts = refers_to(Receipt.payment_id, Payment)
    is_payers = refers_to(Payment.reservation_id, Reservation)
    returned = (
        select(func.coalesce(func.sum(PaymentReturn.taken_yen), 0))
        .where(PaymentReturn.payment_id == Payment.id)
        .correlate(Payment)
        .scalar_subquery()
    )
    return (
        select(
            Payment.id,
            Payment.reservation_id,
            Payment.received_on,
            Payment.amount_yen,
            Payment.method,
            Payment.reference,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
            Receipt.id,
            Receipt.number,
            returned,
        )
        .join(Reservation, is_payers)
        .join(Reservation.unit)
        .join(Unit.building)
        .outerjoin(Receipt, is_receipts)
    )


def _match_in_workspace(table: Any, row: Any, other: Any) -> ColumnElement[bool]:
    return and_(table.workspace_id == LedgerEntry.workspace_id, row == other)


def _list_common_conditions(search: MoneySearch, day: Any) -> Iterator[ColumnElement[bool]]:
    if search.building_id:
        yield Building.id == search.building_id
    if search.first_on:
        yield day >= search.first_on
    if search.last_on:
        yield day <= search.last_on


def _list_sort_columns(sorts: Mapping[str, tuple[Any, ...]], search: MoneySearch) -> Iterator[Any]:
    for column in sorts.get(search.sort, ()):
        yield (column.desc() if search.is_descending else column.asc()).nulls_last()


def _read_page(
    session: Session, question: Select[*tuple[Any, ...]], paging: Paging
) -> tuple[Sequence[Any], int]:
    counted = select(func.count()).select_from(question.order_by(None).subquery())
    total = session.scalar(counted) or 0
    return _read_page_rows(session, question, paging, total), total


def _page_alone(
    session: Session,
    question: Select[*tuple[Any, ...]],
    model: type[LedgerEntry] | type[Payment],
    *,
    paging: Paging,
    conditions: Sequence[ColumnElement[bool]],
    order: Sequence[ColumnElement[Any]],
    is_own_order: bool,
) -> tuple[Sequence[Any], int]:
    """Return one page and the number of all, found and counted over the list's own table.

    With the names joined from the start, SQLite may begin at the buildings and sort everything.
    """
    total = session.scalar(select(func.count()).select_from(model).where(*conditions)) or 0
    if is_own_order:
        page = select(model.id).where(*conditions).order_by(*order)
        ids = [row.id for row in _read_page_rows(session, page, paging, total)]
        found = question.where(model.id.in_(ids)).order_by(*order)
        return session.execute(found).all(), total
    return _read_page_rows(session, question.order_by(*order), paging, total), total


def _read_page_rows(
    session: Session, question: Select[*tuple[Any, ...]], paging: Paging, total: int
) -> Sequence[Any]:
    return session.execute(question.offset(min(paging.offset, total)).limit(paging.limit)).all()


def _build_bills(session: Session, rows: Sequence[Any], today: date) -> Iterator[ListedBill]:
    found = standings(session, {row[1] for row in rows}, today)
    by_id = {entry.id: entry for several in found.values() for entry in several}
    for row in rows:
        yield _build_bill(row, by_id.get(row[0]), today)


def _build_bill(row: Any, standing: EntryBalance | None, today: date) -> ListedBill:
    id_, reservation_id, ja, en, issued_on, due_on, billed, name, unit, house, house_en, *paper = (
        row
    )
    label, place = Bilingual(ja, en), Bilingual(house, house_en)
    known = (id_, reservation_id, label, issued_on, due_on, billed, name, unit, place, *paper)
    if standing is None:
        return ListedBill._make((*known, 0, billed, EntryState.OPEN))
    stands = (standing.paid_yen, standing.open_yen, entry_state(standing, today))
    return ListedBill._make((*known, *stands))


def _build_payment(row: Any) -> ListedPayment:
    *facts, house, house_en, receipt_id, number, returned_yen = row
    place = Bilingual(house, house_en)
    return ListedPayment._make((*facts, place, receipt_id, number, int(returned_yen)))
