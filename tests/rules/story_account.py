"""A reservation's ledger kept in memory while its story is told."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from pms.rules.contract_dates import row_due_on
from pms.rules.deposit import DepositMove, DepositSettlement
from pms.rules.enumerations import RowKind
from pms.rules.ledger_entries import (
    EntryBalance,
    EntryHistory,
    EntryPayment,
    EntryPosting,
    standings_on,
)
from pms.rules.policy import DEFAULT_POLICY
from pms.rules.rent_lines import Price, RentLine, total_yen
from pms.rules.rent_rows import BillableRow, IssuedRow, standing_lines
from pms.rules.unit_stays import BillableSpan, billable_span
from tests.rules.worked_cases import Answer, Given, tenancy, term, written
from tests.rules.worked_money import price, written_lines

Facts = dict[str, Any]
MOVE_IN = "move-in"
PENALTY = "penalty"


class LedgerRow(NamedTuple):
    """A row of rent with the entry it stands on and its standing lines."""

    entry: str
    row: IssuedRow
    lines: tuple[RentLine, ...]


@dataclass
class Account:
    """One reservation: the facts given of it, and its ledger so far."""

    given: Facts
    price: Price
    rows: list[LedgerRow] = field(default_factory=list)
    entries: dict[str, EntryHistory] = field(default_factory=dict)
    moves: list[DepositMove] = field(default_factory=list)
    penalty_lines: tuple[RentLine, ...] = ()
    told_elsewhere_yen: int = 0
    """The penalty of a notice that came along with a take-over."""
    cash_in_yen: int = 0
    settlement: DepositSettlement | None = None

    @classmethod
    def opened(cls, given: Given) -> "Account":
        return cls(dict(given), price(given))

    def span(self, on: date) -> BillableSpan | None:
        return billable_span(tenancy(self.given), on, DEFAULT_POLICY)

    def lines(self, row: IssuedRow) -> tuple[RentLine, ...]:
        return standing_lines(self.price, row, term(self.given).start_on)

    def standing(self, entry: str, on: date) -> EntryBalance:
        return {found.id: found for found in standings_on(self.entries.values(), on)}[entry]

    def post(self, entry: str, posting: EntryPosting, due_on: date) -> None:
        """Issues an entry, or appends to one, which keeps its due day."""
        before = self.entries.get(entry) or EntryHistory(entry, due_on, ())
        self.entries[entry] = replace(before, postings=(*before.postings, posting))

    def pay(self, entry: str, on: date, yen: int) -> None:
        before = self.entries[entry]
        self.entries[entry] = replace(before, payments=(*before.payments, EntryPayment(on, yen)))

    def issue(self, row: BillableRow, entry: str, on: date) -> Answer:
        issued = IssuedRow(*row)
        lines, due_on = self.lines(issued), row_due_on(row.first_on, on)
        self.rows.append(LedgerRow(entry, issued, lines))
        self.post(entry, EntryPosting(on, total_yen(lines)), due_on)
        return {
            "entry": entry,
            "dueOn": written(self.entries[entry].due_on),
            "kind": row.kind.value,
            **written_ledger_row(self.rows[-1]),
        }


def written_ledger_row(ledger_row: LedgerRow) -> Answer:
    return {
        "first": written(ledger_row.row.first_on),
        "last": written(ledger_row.row.last_on),
        "total": total_yen(ledger_row.lines),
        "lines": written_lines(ledger_row.lines),
    }


def entry_of(row: BillableRow) -> str:
    if row.kind is RowKind.STUB:
        return f"stub {row.first_on.isoformat()}"
    return f"rent {row.first_on.isoformat()[:7]}"


def no_day_is_billed_twice(accounts: Iterable[Account]) -> None:
    """Over the rows as they stand."""
    for account in accounts:
        days = sorted(
            (row.first_on, row.last_on) for _, row, _ in account.rows if row.last_on is not None
        )
        assert all(one[1] < other[0] for one, other in pairwise(days))
