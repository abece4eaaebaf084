"""Posts to the ledger for tests of papers: entries, lines and payments, said in one line each."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy.orm import Session

from pms.foundation.ids import new_id
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine, Payment
from pms.rules.enumerations import EntryKind, FeeCategory, LineItem, RecurringItem, TaxTreatment

WRITTEN_AT = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
AUDIT = {"written_at": WRITTEN_AT, "written_by": "test"}
DECEMBER = (date(2026, 12, 1), date(2026, 12, 31))


def rent(yen: int, days: tuple[date, date] = DECEMBER) -> dict[str, Any]:
    return line("賃料", "Rent", FeeCategory.RENT, yen, days, item=RecurringItem.BASE_RENT)


def discount(yen: int, days: tuple[date, date] = DECEMBER) -> dict[str, Any]:
    return line("割引", "Discount", FeeCategory.RENT, -yen, days, item=LineItem.DISCOUNT)


def utilities(yen: int, days: tuple[date, date] = DECEMBER) -> dict[str, Any]:
    item = RecurringItem.UTILITIES
    return line("水道光熱費", "Utilities", FeeCategory.UTILITIES, yen, days, item=item)


def reservation_fee(yen: int) -> dict[str, Any]:
    words = ("予約金", "Reservation fee", FeeCategory.RESERVATION_FEE)
    return line(*words, yen, item=LineItem.RESERVATION_FEE, tax=TaxTreatment.TAXABLE_10)


def deposit(yen: int) -> dict[str, Any]:
    return line("敷金", "Deposit", FeeCategory.DEPOSIT, yen, item=LineItem.DEPOSIT)


def service(yen: int, days: tuple[date, date] | None = DECEMBER) -> dict[str, Any]:
    words = ("インターネット", "Internet", FeeCategory.SERVICE)
    return line(*words, yen, days, item="internet", tax=TaxTreatment.TAXABLE_10)


def line(
    label_ja: str,
    label_en: str,
    category: FeeCategory,
    yen: int,
    days: tuple[date, date] | None = None,
    *,
    item: str,
    tax: TaxTreatment = TaxTreatment.EXEMPT,
) -> dict[str, Any]:
    first_on, last_on = days or (None, None)
    return {
        "item": str(item),
        "label_ja": label_ja,
        "label_en": label_en,
        "category": category,
        "tax_treatment": tax,
        "is_deposit": item == LineItem.DEPOSIT,
        "first_on": first_on,
        "last_on": last_on,
        "amount_yen": yen,
    }


def reversal(of: dict[str, Any]) -> dict[str, Any]:
    return of | {"amount_yen": -of["amount_yen"]}


def post_entry(
    session: Session,
    reservation_id: str,
    lines: Sequence[dict[str, Any]],
    *,
    issued_on: date = date(2026, 11, 20),
    due_on: date = date(2026, 11, 30),
    **given: Any,
) -> str:
    """Post an entry with its lines; return its id."""
    usual = {
        "kind": EntryKind.RENT,
        "period": new_id(),
        "label_ja": "2026年12月分 賃料等",
        "label_en": "Rent for December 2026",
    }
    entry = LedgerEntry(
        id=new_id(),
        reservation_id=reservation_id,
        issued_on=issued_on,
        due_on=due_on,
        **AUDIT | usual | given,
    )
    session.add(entry)
    session.flush()
    post_lines(session, entry.id, lines, issued_on)
    return entry.id


def post_lines(
    session: Session, entry_id: str, lines: Sequence[dict[str, Any]], posted_on: date
) -> None:
    session.add_all(LedgerLine(entry_id=entry_id, posted_on=posted_on, **line) for line in lines)
    session.flush()


def void(session: Session, entry_id: str, reservation_id: str, on: date) -> None:
    kind = EntryKind.OPPOSITE
    post_entry(session, reservation_id, [], issued_on=on, due_on=on, kind=kind, opposes_id=entry_id)


def pay(
    session: Session, reservation_id: str, parts: dict[str, int], on: date, left_yen: int = 0
) -> str:
    """Record a payment over entries; `left_yen` of it reaches none. Return its id."""
    payment = Payment(
        id=new_id(),
        reservation_id=reservation_id,
        received_on=on,
        amount_yen=sum(parts.values()) + left_yen,
        method="bank_transfer",
        **AUDIT,
    )
    session.add(payment)
    session.flush()
    for entry_id, yen in parts.items():
        allocate(session, entry_id, yen, on, payment_id=payment.id)
    return payment.id


def allocate(session: Session, entry_id: str, yen: int, on: date, **source: Any) -> None:
    session.add(
        Allocation(
            entry_id=entry_id, amount_yen=yen, allocated_on=on, written_at=WRITTEN_AT, **source
        )
    )
    session.flush()
