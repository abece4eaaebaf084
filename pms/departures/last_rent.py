"""The rent of the month somebody moves out in, as a notice would leave it."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from pms.departures.departing import Departing
from pms.departures.notice_plan import NoticePlan
from pms.foundation.clock import Clock
from pms.ledger.planned_entries import PlannedLine, planned_row
from pms.ledger.rent_facts import rent_facts
from pms.rules.rent_rows import BillableRow, rows_to_issue
from pms.rules.repricing import repriced_rows


@dataclass(frozen=True, slots=True)
class LastRent:
    """The row of days that holds the move-out day; `is_issued` when it is billed already."""

    first_on: date
    last_on: date
    lines: tuple[PlannedLine, ...]
    is_issued: bool

    @property
    def total_yen(self) -> int:
        """The sum of its lines."""
        return sum(line.yen for line in self.lines)


def last_rent(
    session: Session, clock: Clock, found: Departing, plan: NoticePlan
) -> LastRent | None:
    """Return the last rent (Month to month, Move-out date filed), or None where none is billed."""
    tenancy, move_out_on = found.tenancy_after(plan.filed), plan.filed.move_out_on
    facts = rent_facts(session, found.row.id, clock.today(), tenancy)
    if facts.span is None or facts.agreed is None:
        return None
    issued = repriced_rows([standing.row for standing in facts.rows], facts.span)
    coming = rows_to_issue(tenancy, issued, clock.today(), move_out_on, found.policy)
    rows = [(row, True) for row in issued] + [(row, False) for row in coming]
    for (kind, first_on, last_on), is_issued in rows:
        if last_on is not None and first_on <= move_out_on <= last_on:
            row = BillableRow(kind, first_on, last_on)
            lines = planned_row(facts.agreed, row, tenancy.term.start_on).lines
            return LastRent(first_on, last_on, lines, is_issued)
    return None
