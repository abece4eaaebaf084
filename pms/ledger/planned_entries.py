"""Planned entries, rows and lines with their labels, for previews and for posting."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision
from pms.foundation.phrases import Bilingual
from pms.foundation.work import locked
from pms.ledger.models import LedgerEntry, Payment, PaymentReturn
from pms.ledger.queries import EntryRecord, standing_rows
from pms.pricing.prices import AgreedPrice, agreed_prices
from pms.reservations.models import Reservation
from pms.rules.contract_dates import move_in_invoice_due_on, row_due_on
from pms.rules.days import Days, month_first, month_last
from pms.rules.enumerations import (
    EntryKind,
    FeeCategory,
    LineItem,
    RecurringItem,
    RowKind,
    TaxTreatment,
)
from pms.rules.invoices import OneTimeAmounts, one_time_lines
from pms.rules.rent_lines import RentLine, multiplied_out_yen
from pms.rules.rent_rows import BillableRow, row_lines


# Ledger rows are never changed, so their number shows whether anything happened since: a second
# click, or a colleague's entry.
def ledger_mark(session: Session, reservation_id: str) -> int:
    """Return the number of entries, payments, and returns of payments of a reservation."""
    entries = select(func.count()).where(LedgerEntry.reservation_id == reservation_id)
    payments = select(func.count()).where(Payment.reservation_id == reservation_id)
    returns = select(func.count()).where(PaymentReturn.reservation_id == reservation_id)
    asked = select(
        entries.scalar_subquery() + payments.scalar_subquery() + returns.scalar_subquery()
    )
    return session.scalar(asked) or 0


def hold_ledger(session: Session, reservation_id: str, seen: int) -> None:
    """Lock a reservation; raise `Collision` when its ledger changed since `seen`."""
    locked(session, Reservation, reservation_id)
    if ledger_mark(session, reservation_id) != seen:
        raise Collision(
            "The ledger has changed since you opened this page. Check it again before you send "
            "this."
        )


class ItemWords(NamedTuple):
    """What a line says besides its amount and days."""

    label_ja: str
    label_en: str
    category: FeeCategory
    tax_treatment: TaxTreatment


_EXEMPT, _TAXABLE = TaxTreatment.EXEMPT, TaxTreatment.TAXABLE_10

# Rent of a home and its monthly charges are tax-exempt; a fee for a service is taxed.
ITEM_WORDS: Final[Mapping[str, ItemWords]] = MappingProxyType(
    {
        RecurringItem.BASE_RENT: ItemWords("賃料", "Rent", FeeCategory.RENT, _EXEMPT),
        RecurringItem.UTILITIES: ItemWords(
            "水道光熱費", "Utilities", FeeCategory.UTILITIES, _EXEMPT
        ),
        RecurringItem.BUILDING_MAINTENANCE: ItemWords(
            "共益費", "Building maintenance", FeeCategory.BUILDING_MAINTENANCE, _EXEMPT
        ),
        RecurringItem.SHORT_TERM_SURCHARGE: ItemWords(
            "短期契約追加料金", "Short-term surcharge", FeeCategory.SURCHARGE, _EXEMPT
        ),
        RecurringItem.GUEST_SURCHARGE: ItemWords(
            "同居人追加料金", "Guest surcharge", FeeCategory.SURCHARGE, _EXEMPT
        ),
        LineItem.DISCOUNT: ItemWords("割引", "Discount", FeeCategory.RENT, _EXEMPT),
        LineItem.RESERVATION_FEE: ItemWords(
            "予約金", "Reservation fee", FeeCategory.RESERVATION_FEE, _TAXABLE
        ),
        LineItem.DEPOSIT: ItemWords("敷金", "Deposit", FeeCategory.DEPOSIT, _EXEMPT),
        LineItem.PENALTY: ItemWords("違約金", "Move-out penalty", FeeCategory.PENALTY, _EXEMPT),
    }
)

MOVE_IN_INVOICE: Final = Bilingual("初期費用", "Move-in invoice")
PENALTY: Final = Bilingual("違約金", "Move-out penalty")


@lru_cache(maxsize=2_000)
def rent_label(first_on: date, last_on: date) -> Bilingual:
    """Return the label of rent: of its month, or of its days when they are not the whole month."""
    month_ja, month_en = f"{first_on.year}年{first_on.month}月", f"{first_on:%B} {first_on.year}"
    if first_on == month_first(first_on) and last_on == month_last(first_on):
        return Bilingual(f"{month_ja}分 賃料等", f"Rent for {month_en}")
    days_ja, days_en = f"{first_on.day}日〜{last_on.day}日", f"{first_on.day}–{last_on.day}"
    return Bilingual(f"{month_ja}{days_ja}分 賃料等", f"Rent for {days_en} {month_en}")


def opening_label(of: Bilingual) -> Bilingual:
    """Return the label of an opening entry of a tenancy taken over."""
    return Bilingual(f"引き継ぎ：{of.ja}", f"Taken over: {of.en}")


def arrears_label(of: Bilingual) -> Bilingual:
    """Return the label of an arrears charge."""
    return Bilingual(f"未収金：{of.ja}", f"Arrears: {of.en}")


def void_label(of: Bilingual) -> Bilingual:
    """Return the label of the opposite entry that voids another."""
    return Bilingual(f"取消：{of.ja}", f"Void: {of.en}")


MOVE_IN_PERIOD = "move-in"


class PlannedLine(NamedTuple):
    """A line with its label; one of a reservation fee or deposit bills no days."""

    item: str
    words: ItemWords
    first_on: date | None
    last_on: date | None
    yen: int


class PlannedRow(NamedTuple):
    """A row of days and its cost."""

    row: BillableRow
    lines: tuple[PlannedLine, ...]


class PlannedEntry(NamedTuple):
    """One entry to be issued: lines of its own, and rows with theirs."""

    reservation_id: str
    kind: EntryKind
    period: str
    label: Bilingual
    due_on: date
    lines: tuple[PlannedLine, ...]
    rows: tuple[PlannedRow, ...]

    @property
    def total_yen(self) -> int:
        """The sum of all lines (specification, Ledger entry)."""
        own = sum(line.yen for line in self.lines)
        return own + sum(line.yen for row in self.rows for line in row.lines)


def planned_invoice(
    reservation_id: str,
    amounts: OneTimeAmounts,
    rows: tuple[PlannedRow, ...],
    start_on: date,
    on: date,
) -> PlannedEntry:
    """Return the move-in invoice: the one-time amounts and the rows (Move-in invoice rules)."""
    one_time = tuple(
        PlannedLine(line.item.value, ITEM_WORDS[line.item], None, None, line.yen)
        for line in one_time_lines(amounts)
    )
    due_on = move_in_invoice_due_on(start_on, on)
    return PlannedEntry(
        reservation_id, EntryKind.MOVE_IN, MOVE_IN_PERIOD, MOVE_IN_INVOICE, due_on, one_time, rows
    )


def planned_rent(reservation_id: str, planned: PlannedRow, on: date) -> PlannedEntry:
    """Return the entry of an ordinary month or a stub; its period is its first day."""
    _, first_on, last_on = planned.row
    kind = EntryKind.STUB if planned.row.kind is RowKind.STUB else EntryKind.RENT
    return PlannedEntry(
        reservation_id,
        kind,
        first_on.isoformat(),
        rent_label(first_on, last_on),
        row_due_on(first_on, on),
        (),
        (planned,),
    )


def planned_row(agreed: AgreedPrice, row: BillableRow, start_on: date) -> PlannedRow:
    """Return a row with the lines that bill it (Money 2 and 5)."""
    return PlannedRow(row, worded_lines(agreed, row_lines(agreed.price, row, start_on)))


def worded_lines(agreed: AgreedPrice, lines: Iterable[RentLine]) -> tuple[PlannedLine, ...]:
    """Return the lines of the rules with their labels, as the price has them."""
    return tuple(_word_lines(agreed, lines))


def _word_lines(agreed: AgreedPrice, lines: Iterable[RentLine]) -> Iterator[PlannedLine]:
    for item, first_on, last_on, yen in lines:
        words = ITEM_WORDS.get(item)
        if words is None:
            fee = agreed.fee_on(item, first_on)
            words = _build_item_words(fee.label, fee.category, fee.tax_treatment)
        elif item == LineItem.DISCOUNT and agreed.discount_label is not None:
            words = _build_item_words(agreed.discount_label, words.category, words.tax_treatment)
        yield PlannedLine(str(item), words, first_on, last_on, yen)


def _build_item_words(
    label: Bilingual, category: FeeCategory, tax_treatment: TaxTreatment
) -> ItemWords:
    return ItemWords(label.ja or "", label.en or "", category, tax_treatment)


def rounding_difference_yen(session: Session, entry: EntryRecord) -> int:
    """Return the sum of the rent lines less the same days rounded once (specification, Money 2).

    Whole yen, 0 for an entry that bills no days.
    """
    found = standing_rows(session, [entry.reservation_id]).get(entry.reservation_id, ())
    rows = [
        billed.row
        for billed in found
        if billed.entry_id == entry.id and billed.row.last_on is not None
    ]
    if not rows:
        return 0
    agreed = agreed_prices(session, [entry.reservation_id]).get(entry.reservation_id)
    if agreed is None or not agreed.price.periods:
        return 0
    first_on = min(row.first_on for row in rows)
    whole_yen = sum(
        multiplied_out_yen(
            agreed.price,
            Days(row.first_on, row.last_on or row.first_on),
            entry.kind is EntryKind.MOVE_IN and row.first_on == first_on,
        )
        for row in rows
    )
    return sum(line.amount_yen for line in entry.lines if line.row_id is not None) - whole_yen
