"""Planned entries, rows and lines with their labels, for previews and for posting."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision
from pms.foundation.mail_texts import format_month
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate_both
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
from pms.rules.rent_lines import RentLine, multiplied_out_yen, rent_lines
from pms.rules.rent_rows import BillableRow, row_lines
from pms.rules.tax_classes import TaxBasis, TaxedItem, class_on, classed_days, divide_yen


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


class ItemName(NamedTuple):
    """What an item is called, and its category."""

    label_ja: str
    label_en: str
    category: FeeCategory

    def with_class(self, treatment: TaxTreatment) -> "ItemWords":
        """Return what a line of the item says under a class of consumption tax."""
        return ItemWords(*self, treatment)


class ItemWords(NamedTuple):
    """What a line says besides its amount and days."""

    label_ja: str
    label_en: str
    category: FeeCategory
    tax_treatment: TaxTreatment


def _build_item_name(label: Bilingual, category: FeeCategory) -> ItemName:
    return ItemName(label.ja or "", label.en or "", category)


MOVE_IN_INVOICE: Final = translate_both("Move-in invoice")
PENALTY: Final = translate_both("Move-out penalty")
DISCOUNT: Final = translate_both("Discount")

ITEM_WORDS: Final[Mapping[str, ItemName]] = MappingProxyType(
    {
        RecurringItem.BASE_RENT: _build_item_name(translate_both("Rent"), FeeCategory.RENT),
        RecurringItem.UTILITIES: _build_item_name(
            translate_both("Utilities"), FeeCategory.UTILITIES
        ),
        RecurringItem.BUILDING_MAINTENANCE: _build_item_name(
            translate_both("Building maintenance"), FeeCategory.BUILDING_MAINTENANCE
        ),
        RecurringItem.SHORT_TERM_SURCHARGE: _build_item_name(
            translate_both("Short-term surcharge"), FeeCategory.SURCHARGE
        ),
        RecurringItem.GUEST_SURCHARGE: _build_item_name(
            translate_both("Guest surcharge"), FeeCategory.SURCHARGE
        ),
        LineItem.DISCOUNT: _build_item_name(DISCOUNT, FeeCategory.RENT),
        LineItem.RESERVATION_FEE: _build_item_name(
            translate_both("Reservation fee"), FeeCategory.RESERVATION_FEE
        ),
        LineItem.DEPOSIT: _build_item_name(translate_both("Deposit"), FeeCategory.DEPOSIT),
        LineItem.PENALTY: _build_item_name(PENALTY, FeeCategory.PENALTY),
    }
)


@lru_cache(maxsize=2_000)
def rent_label(first_on: date, last_on: date) -> Bilingual:
    """Return the label of rent: of its month, or of its days when they are not the whole month."""
    month = Bilingual(format_month(first_on, "ja"), format_month(first_on, "en"))
    if first_on == month_first(first_on) and last_on == month_last(first_on):
        return translate_both("Rent for {month}", month=month)
    return translate_both(
        "Rent for {first}–{last} {month}", first=first_on.day, last=last_on.day, month=month
    )


def opening_label(of: Bilingual) -> Bilingual:
    """Return the label of an opening entry of a tenancy taken over."""
    return translate_both("Taken over: {label}", label=of)


def arrears_label(of: Bilingual) -> Bilingual:
    """Return the label of an arrears charge."""
    return translate_both("Arrears: {label}", label=of)


def void_label(of: Bilingual) -> Bilingual:
    """Return the label of the opposite entry that voids another."""
    return translate_both("Void: {label}", label=of)


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
    *,
    start_on: date,
    on: date,
    taxes: TaxBasis,
) -> PlannedEntry:
    """Return the move-in invoice: the one-time amounts and the rows (Move-in invoice rules)."""
    one_time = tuple(
        PlannedLine(
            line.item.value,
            ITEM_WORDS[line.item].with_class(class_on(taxes, TaxedItem(line.item))),
            None,
            None,
            line.yen,
        )
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


def planned_row(
    agreed: AgreedPrice, row: BillableRow, start_on: date, taxes: TaxBasis
) -> PlannedRow:
    """Return a row with the lines that bill it (Money 2 and 5)."""
    return PlannedRow(row, worded_lines(agreed, row_lines(agreed.price, row, start_on), taxes))


def worded_lines(
    agreed: AgreedPrice, lines: Iterable[RentLine], taxes: TaxBasis
) -> tuple[PlannedLine, ...]:
    """Return the lines of the rules with their labels, as the price has them, and their classes.

    A line whose days have two classes of consumption tax is cut at the day of change.
    """
    return tuple(
        planned
        for line in lines
        for planned in (
            _word_item(agreed, line, taxes)
            if line.item in ITEM_WORDS
            else [_word_fee(agreed, line, taxes)]
        )
    )


def _word_item(agreed: AgreedPrice, line: RentLine, taxes: TaxBasis) -> Iterator[PlannedLine]:
    name = ITEM_WORDS[line.item]
    if line.item == LineItem.DISCOUNT and agreed.discount_label is not None:
        name = _build_item_name(agreed.discount_label, name.category)
    runs = classed_days(taxes, TaxedItem(line.item), Days(line.first_on, line.last_on))
    parts = [_part_of_line(agreed, line, run.days) for run in runs[:-1]]
    for run, yen in zip(runs, divide_yen(line.yen, [*parts, 0]), strict=True):
        yield PlannedLine(str(line.item), name.with_class(run.treatment), *run.days, yen)


def _part_of_line(agreed: AgreedPrice, line: RentLine, days: Days) -> int:
    """Return what some days of a line cost by themselves, in whole yen.

    A discount that applies once is on the line only in the first billed period.
    """
    lines = rent_lines(agreed.price, days, is_first_period=True)
    return sum(part.yen for part in lines if part.item == line.item)


def _word_fee(agreed: AgreedPrice, line: RentLine, taxes: TaxBasis) -> PlannedLine:
    """Return the line of a fee, with the class that its entry in the catalogue has now."""
    fee = agreed.fee_on(line.item, line.first_on)
    treatment = taxes.fees.get(fee.code, fee.tax_treatment)
    words = _build_item_name(fee.label, fee.category).with_class(treatment)
    return PlannedLine(str(line.item), words, line.first_on, line.last_on, line.yen)


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
