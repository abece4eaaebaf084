"""Shows what corrected dates would add, remove and reprice; nothing is written."""

from dataclasses import dataclass, replace
from typing import Unpack

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.dates_plan import (
    CorrectedFacts,
    TermChange,
    changed_facts,
    only_repriced,
    plan_term,
)
from pms.departures.departing import departing
from pms.departures.notice_plan import plan_standing
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.ledger.override_rows import OverridePlan, preview_override
from pms.ledger.queries import issued_rows
from pms.ledger.reprice_rows import preview_repricing
from pms.reservations.models import Reservation
from pms.reservations.tenancy_facts import tenancy_of
from pms.rules.contract_dates import Term
from pms.rules.enumerations import ReservationKind, RowKind
from pms.rules.month_to_month import Tenancy
from pms.rules.penalties import Penalty
from pms.rules.rent_rows import IssuedRow


@dataclass(frozen=True, slots=True)
class DatesPreview:
    """The contract before and after, the rows that change, and the penalty worked out anew.

    `kept_short` are the stubs as they will stand: short rows that no correction makes whole.
    """

    version: int
    term: TermChange | None = None
    rows: OverridePlan | None = None
    kept_short: tuple[IssuedRow, ...] = ()
    penalty: Penalty | None = None


def preview_dates(
    session: Session, clock: Clock, *, reservation_id: str, **dates: Unpack[CorrectedFacts]
) -> DatesPreview:
    """Return what `correct_dates` of the same days would write today, or raise as it would."""
    row = _found(session, reservation_id)
    term = plan_term(session, clock.today(), row, changed_facts(row, dates))
    if term is None or not term.is_changed:
        return DatesPreview(row.version)
    tenancy = replace(_tenancy(session, clock, row, term), term=term.after)
    rows = _rows(session, clock, row.id, term, tenancy)
    stubs = _stubs(session, row.id, rows)
    penalty = None if term.before is None else _penalty(session, clock, row, term.after)
    return DatesPreview(row.version, term, rows, stubs, penalty)


def _found(session: Session, reservation_id: str) -> Reservation:
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return row


def _tenancy(session: Session, clock: Clock, row: Reservation, term: TermChange) -> Tenancy:
    """The tenancy as it stands; one whose days are damaged has issued nothing yet."""
    if term.before is None:
        return Tenancy(term.after, ReservationKind(row.kind))
    return tenancy_of(session, row.id, clock.today())


def _rows(
    session: Session, clock: Clock, reservation_id: str, term: TermChange, tenancy: Tenancy
) -> OverridePlan:
    if term.is_start_moved:
        return preview_override(session, clock, reservation_id, tenancy)
    return only_repriced(preview_repricing(session, clock, reservation_id, tenancy))


def _stubs(session: Session, reservation_id: str, rows: OverridePlan) -> tuple[IssuedRow, ...]:
    changed = {row.before: row.after for row in rows.repriced}
    gone = {standing.row for standing in rows.voided}
    issued = issued_rows(session, [reservation_id]).get(reservation_id, ())
    stand = (changed.get(row, row) for row in issued if row not in gone)
    return tuple(row for row in stand if row.kind is RowKind.STUB and row.last_on is not None)


def _penalty(session: Session, clock: Clock, row: Reservation, after: Term) -> Penalty | None:
    found = departing(session, row, clock.today())
    if found.notice is None:
        return None
    tenancy = replace(found.tenancy, term=after)
    return plan_standing(session, clock, replace(found, tenancy=tenancy)).penalty
