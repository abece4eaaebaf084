"""Entries, rows and lines as they are planned: shown by a preview, or posted to the ledger."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.foundation.phrases import Bilingual
from pms.ledger.queries import EntryRecord
from pms.ledger.standing_rows import standing_rows
from pms.ledger.wording import ITEM_WORDS, MOVE_IN_INVOICE, ItemWords, rent_label
from pms.pricing.queries import AgreedPrice, agreed_prices
from pms.rules.contract_dates import move_in_invoice_due_on, row_due_on
from pms.rules.enumerations import EntryKind, FeeCategory, LineItem, RowKind, TaxTreatment
from pms.rules.move_in_invoice import OneTimeAmounts, one_time_lines
from pms.rules.policy import Days
from pms.rules.rent_lines import Line, multiplied_out_yen
from pms.rules.rent_rows import BillableRow, row_lines

MOVE_IN_PERIOD = "move-in"


class PlannedLine(NamedTuple):
    """A line with its words; one of a reservation fee or deposit bills no days."""

    item: str
    words: ItemWords
    first_on: date | None
    last_on: date | None
    yen: int


class PlannedRow(NamedTuple):
    """A row of days and what it costs."""

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
    """The move-in invoice: the one-time amounts and the rows (Move-in invoice rules)."""
    one_time = tuple(
        PlannedLine(line.item.value, ITEM_WORDS[line.item], None, None, line.yen)
        for line in one_time_lines(amounts)
    )
    due_on = move_in_invoice_due_on(start_on, on)
    return PlannedEntry(
        reservation_id, EntryKind.MOVE_IN, MOVE_IN_PERIOD, MOVE_IN_INVOICE, due_on, one_time, rows
    )


def planned_rent(reservation_id: str, planned: PlannedRow, on: date) -> PlannedEntry:
    """The entry of an ordinary month or a stub, known by its first day."""
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
    """A row with the lines that bill it (Money 2 and 5)."""
    return PlannedRow(row, worded_lines(agreed, row_lines(agreed.price, row, start_on)))


def worded_lines(agreed: AgreedPrice, lines: Iterable[Line]) -> tuple[PlannedLine, ...]:
    """The lines of the rules with their words, as the price has them."""
    return tuple(_worded(agreed, lines))


def _worded(agreed: AgreedPrice, lines: Iterable[Line]) -> Iterator[PlannedLine]:
    for item, first_on, last_on, yen in lines:
        words = ITEM_WORDS.get(item)
        if words is None:
            fee = agreed.fee_on(item, first_on)
            words = _words(fee.label, fee.category, fee.tax_treatment)
        elif item == LineItem.DISCOUNT and agreed.discount_label is not None:
            words = _words(agreed.discount_label, words.category, words.tax_treatment)
        yield PlannedLine(str(item), words, first_on, last_on, yen)


def _words(label: Bilingual, category: FeeCategory, tax_treatment: TaxTreatment) -> ItemWords:
    return ItemWords(label.ja or "", label.en or "", category, tax_treatment)


def rounding_difference_yen(session: Session, entry: EntryRecord) -> int:
    """Return the sum of the rent lines less the same days rounded once (specification, Money 2).

    Whole yen, 0 for an entry that bills no days.
    """
    found = standing_rows(session, [entry.reservation_id]).get(entry.reservation_id, ())
    rows = [one.row for one in found if one.entry_id == entry.id and one.row.last_on is not None]
    agreed = agreed_prices(session, [entry.reservation_id]).get(entry.reservation_id)
    if not rows or agreed is None or not agreed.price.periods:
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
