"""Plans what an edit of the dates makes of billed rows: for a preview, or to be posted."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.models import LedgerLine, RowExtent
from pms.ledger.planned_entries import PlannedLine, worded_lines
from pms.ledger.posting import extent_row, line_rows, write_rows
from pms.ledger.rent_facts import RentFacts
from pms.ledger.reverse_lines import lines_of_rows, reversed_lines
from pms.ledger.standing_rows import StandingRow, replaced
from pms.rules.rent_rows import IssuedRow
from pms.rules.repricing import standing_lines


class RepricedRow(NamedTuple):
    """One billed row before and after an edit, with the lines it stands at then.

    A row that another one on the invoice replaces leaves later repricings.
    """

    standing: StandingRow
    after: IssuedRow
    lines: tuple[PlannedLine, ...]
    appended: tuple[PlannedLine, ...]
    is_replaced: bool = False

    @property
    def entry_id(self) -> str:
        """The entry the row is billed on."""
        return self.standing.entry_id

    @property
    def before(self) -> IssuedRow:
        """The row as it stood."""
        return self.standing.row

    @property
    def reaches_to(self) -> date | None:
        """The last day as the ledger keeps it."""
        return replaced(self.after).last_on if self.is_replaced else self.after.last_on

    @property
    def total_yen(self) -> int:
        """What the row bills after the edit."""
        return sum(line.yen for line in self.lines)

    @property
    def change_yen(self) -> int:
        """What the edit adds to the entry; a credit is negative."""
        return sum(line.yen for line in self.appended)


def repriced(
    session: Session, facts: RentFacts, rows: Sequence[StandingRow], after: Iterable[IssuedRow]
) -> tuple[RepricedRow, ...]:
    """Return the rows that an edit changes: another last day, or other lines (Money 2)."""
    standing = lines_of_rows(session, [row.row_id for row in rows])
    planned = (
        _repriced(facts, row, becomes, standing.get(row.row_id, ()))
        for row, becomes in zip(rows, after, strict=True)
    )
    return tuple(row for row in planned if row.before != row.after or row.appended)


def post_repriced(session: Session, clock: Clock, rows: Sequence[RepricedRow]) -> None:
    """Append the reversing and the new lines, and how far each row reaches now."""
    on = clock.today()
    extents = [
        extent_row(row.standing.row_id, row.standing.extents + 1, row.reaches_to, on)
        for row in rows
    ]
    lines = [
        line
        for row in rows
        for line in line_rows(row.entry_id, row.standing.row_id, row.appended, on)
    ]
    write_rows(session, RowExtent, extents)
    write_rows(session, LedgerLine, lines)


def _repriced(
    facts: RentFacts, row: StandingRow, after: IssuedRow, standing: Sequence[PlannedLine]
) -> RepricedRow:
    if after == row.row:
        return RepricedRow(row, after, tuple(standing), ())
    start_on = facts.tenancy.term.start_on
    wanted = worded_lines(facts.price, standing_lines(facts.price.price, after, start_on))
    appended = () if set(wanted) == set(standing) else (*reversed_lines(standing), *wanted)
    return RepricedRow(row, after, wanted, appended)
