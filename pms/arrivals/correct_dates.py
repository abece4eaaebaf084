"""Corrects the dates of a contract, and everything that was billed by the wrong ones."""

from dataclasses import dataclass
from typing import Unpack

from sqlalchemy.orm import Session

from pms.arrivals.dates_plan import (
    CorrectedFacts,
    TermChange,
    changed_facts,
    only_repriced,
    plan_term,
)
from pms.departures.filed_notice import FiledMoveOut
from pms.departures.recompute_notice import recompute_notice
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.ledger.move_in_paid import follow_payment
from pms.ledger.override_rows import OverridePlan, override_rows
from pms.ledger.reprice_rows import reprice_rows
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.reservations.unit_conflicts import stored_without_overlap
from pms.rules.deeds import Deed


@dataclass(frozen=True, slots=True)
class CorrectedDates:
    """What a correction did: the term, the rows, and the penalty of a notice that is filed.

    `term` and `rows` are None when nothing that is billed changed; so is `notice` without one.
    """

    reservation: Reservation
    term: TermChange | None = None
    rows: OverridePlan | None = None
    notice: FiledMoveOut | None = None


def correct_dates(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    expected_version: int | None = None,
    **dates: Unpack[CorrectedFacts],
) -> CorrectedDates:
    """Override the start or the end, or note another arrival (specification, Contract dates).

    Issued rows follow the effective term, and so does the penalty of a filed notice; an arrival
    drives nothing. The same dates stated again change nothing. Raises `Refused` for days that
    are no contract and nights that are held, `Collision` when somebody else was faster.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    changes = changed_facts(row, dates)
    term = plan_term(session, clock.today(), row, changes)
    if not changes:
        return CorrectedDates(row)
    for column, day in changes.items():
        setattr(row, column, day)
    mark_changed(row, clock, actor)
    note_change(session, clock, actor, Deed.DATES_CORRECTED, row)
    with stored_without_overlap(session):
        session.flush()
    if term is None or not term.is_changed:
        return CorrectedDates(row)
    rows = _rewrite(session, clock, actor, row.id, term)
    follow_payment(session, clock, actor, row)
    notice = recompute_notice(session, clock, actor, reservation_id=row.id)
    return CorrectedDates(row, term, rows, notice)


def _rewrite(
    session: Session, clock: Clock, actor: str, reservation_id: str, term: TermChange
) -> OverridePlan:
    """A moved start moves the move-in invoice; a moved end leaves every row its first day."""
    if term.is_start_moved:
        return override_rows(session, clock, actor, reservation_id)
    return only_repriced(reprice_rows(session, clock, actor, reservation_id))
