"""Correcting the dates of a tenancy."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, TypedDict, Unpack

from sqlalchemy.orm import Session

from pms.arrivals.amendments import check_nights_of_stay
from pms.arrivals.booking_checks import check_day, check_term
from pms.contracts.outdated_papers import mark_outdated
from pms.departures.departures import departing
from pms.departures.notice_plans import plan_standing
from pms.departures.notices import FiledMoveOut, recompute_notice
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.work import Work, find_row
from pms.ledger.move_in import follow_payment
from pms.ledger.queries import issued_rows
from pms.ledger.repricing import (
    OverridePlan,
    RepricedRow,
    override_rows,
    preview_override,
    preview_repricing,
    reprice_rows,
)
from pms.reservations.changes import mark_changed, refuse_conflict, stay_of, stored_without_overlap
from pms.reservations.later_terms import read_first_days
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.reservations.tenancies import tenancy_of
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import ContractTerm, effective_day
from pms.rules.days import CorruptDay, RecordedDay
from pms.rules.enumerations import Lifecycle, ReservationKind, RowKind
from pms.rules.notices import refusal_of_notice
from pms.rules.penalties import Penalty
from pms.rules.rent_rows import IssuedRow
from pms.rules.taking_over import charged_here, may_end_on, may_override_start
from pms.rules.unit_stays import TenancyFacts, is_unconfirmed
from pms.upkeep.turnovers import tend_turnovers

_NAMES: Final = {
    "override_move_in_date": "overrideMoveInDate",
    "override_contract_end_date": "overrideContractEndDate",
    "arrival_date": "arrivalDate",
}
_OPEN: Final = frozenset(
    {
        Lifecycle.BOOKED,
        Lifecycle.CONFIRMED,
        Lifecycle.LIVING,
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
    }
)


class CorrectedFacts(TypedDict, total=False):
    """The dates that may be corrected: None removes a correction, a day that is left out stays."""

    override_move_in_date: date | None
    override_contract_end_date: date | None
    arrival_date: date | None


@dataclass(frozen=True, slots=True)
class TermChange:
    """The contract term before and after; `before` is None where it cannot be read."""

    before: ContractTerm | None
    after: ContractTerm

    @property
    def is_start_moved(self) -> bool:
        """Whether the start changes, so that the move-in invoice has to follow."""
        return self.before is None or self.before.start_on != self.after.start_on

    @property
    def is_changed(self) -> bool:
        """Whether the term changes, so that billing may follow; an arrival date bills nothing."""
        return self.before != self.after


def changed_facts(row: Reservation, facts: CorrectedFacts) -> dict[str, date | None]:
    """Return the dates that differ from the recorded ones; raise `Refused` for one out of range."""
    stated: Mapping[str, Any] = facts
    for column, day in stated.items():
        if day is not None:
            check_day(_NAMES[column], day)
    return {column: day for column, day in stated.items() if getattr(row, column) != day}


def plan_term(
    session: Session, today: date, row: Reservation, changes: Mapping[str, date | None]
) -> TermChange | None:
    """Return the term before and after, or None when only the arrival date changes.

    Raises `Refused` for a reservation that is over, for days that are no valid contract, for a
    start after a filed move-out, for days billed before a take-over, and for nights that another
    reservation takes.
    """
    if Lifecycle(row.lifecycle) not in _OPEN:
        raise Refused(
            "dates: A reservation that is {lifecycle} can no longer be corrected.",
            lifecycle=Lifecycle(row.lifecycle),
        )
    if not changes.keys() - {"arrival_date"}:
        return None
    days = {column: changes.get(column, getattr(row, column)) for column in _NAMES}
    start = effective_day(row.move_in_date, days["override_move_in_date"])
    end = effective_day(row.contract_end_date, days["override_contract_end_date"])
    found = _readable_or_none("moveInDate", start)
    if found is None:
        raise Refused(
            "{field}: The reservation has no such date. Enter the corrected one.",
            field="moveInDate",
        )
    after = ContractTerm(found, _readable_or_none("contractEndDate", end))
    check_term(after, row.kind)
    # Raise `Refused` for an end before the term that it corrects, which is the last one signed.
    first_on = max(read_first_days(row.later_terms_from), default=None)
    if first_on is not None and after.end_on is not None and after.end_on < first_on:
        raise Refused(
            "overrideContractEndDate: {end_on} is before the new term, which begins on {first_on}. "
            "Withdraw the new term, or choose a later day.",
            end_on=after.end_on,
            first_on=first_on,
        )
    check_nights_of_stay(session, row, after)
    out_on = row.move_out_date
    if isinstance(out_on, date) and refusal_of_notice(after, out_on) is not None:
        raise Refused(
            "overrideMoveInDate: {start_on} is after the move-out date in the notice, {out_on}.",
            start_on=after.start_on,
            out_on=out_on,
        )
    _refuse_days_billed_before(row, after)
    stay = stay_of(row)._replace(start_on=after.start_on, end_on=after.end_on)
    refuse_conflict(session, stay, row.unit_id, today)
    return TermChange(_term_of(row), after)


def plan_of_repriced_rows(rows: tuple[RepricedRow, ...]) -> OverridePlan:
    """Return the changes of a moved end: amounts of rows that keep their first day and entry."""
    return OverridePlan(invoice_id=None, repriced=rows, invoice=(), voided=(), created=())


def _term_of(row: Reservation) -> ContractTerm | None:
    stay = stay_of(row)
    if not isinstance(stay.start_on, date) or isinstance(stay.end_on, CorruptDay):
        return None
    return ContractTerm(stay.start_on, stay.end_on)


def _refuse_days_billed_before(row: Reservation, after: ContractTerm) -> None:
    """Raise `Refused` for a change of days that were billed before the tenancy was taken over."""
    before, through_on = _term_of(row), row.billed_through_on
    start_before = before.start_on if before else after.start_on
    is_moved = before is None or before.start_on != after.start_on
    if is_moved and not may_override_start(start_before, after.start_on, through_on):
        raise Refused(
            "overrideMoveInDate: {start_on} is not possible: days up to {through_on} were "
            "billed before the take-over.",
            start_on=after.start_on,
            through_on=through_on,
        )
    is_ended = before is None or before.end_on != after.end_on
    if is_ended and not may_end_on(after.end_on, through_on):
        raise Refused(
            "overrideContractEndDate: {end_on} is not possible: days up to {through_on} were "
            "billed before the take-over.",
            end_on=after.end_on,
            through_on=through_on,
        )


def _readable_or_none(field: str, day: RecordedDay) -> date | None:
    if isinstance(day, CorruptDay):
        raise Refused(
            "{field}: '{text}' is not a day. Enter the corrected one.",
            field=field,
            text=day.text[:40],
        )
    return day


@dataclass(frozen=True, slots=True)
class CorrectedDates:
    """The effects of a correction: the term, the rows, and the penalty of a filed notice.

    `term` and `rows` are None when nothing billed changed; `notice` is None without a filed notice.
    """

    reservation: Reservation
    term: TermChange | None = None
    rows: OverridePlan | None = None
    notice: FiledMoveOut | None = None


def correct_dates(
    work: Work,
    *,
    reservation_id: str,
    expected_version: int | None = None,
    **dates: Unpack[CorrectedFacts],
) -> CorrectedDates:
    """Override the start or the end, or set another arrival date (specification, Contract dates).

    Issued rows are repriced by the effective term, and the penalty of a filed notice is
    recalculated; an arrival date affects nothing else. Unchanged dates change nothing. Raises
    `Refused` for days that are no valid contract and for taken nights, and `Collision` when the
    version is not the expected one.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    changes = changed_facts(row, dates)
    term = plan_term(work.session, work.clock.today(), row, changes)
    if not changes:
        return CorrectedDates(row)
    for column, day in changes.items():
        setattr(row, column, day)
    mark_changed(row, work.clock, work.actor)
    note_change(work, AuditEvent.DATES_CORRECTED, row)
    with stored_without_overlap(work.session):
        work.session.flush()
    if term is None:
        return CorrectedDates(row)
    corrected = CorrectedDates(row)
    if term.is_changed:
        # Rewrite the billed rows; only a moved start changes the move-in invoice and first days.
        if term.is_start_moved:
            rows = override_rows(work, row.id)
        else:
            rows = plan_of_repriced_rows(reprice_rows(work, row.id))
        follow_payment(work, row)
        notice = recompute_notice(work, reservation_id=row.id)
        corrected = CorrectedDates(row, term, rows, notice)
    tend_turnovers(work.session, [row.unit_id])
    mark_outdated(work, [row.id])
    return corrected


@dataclass(frozen=True, slots=True)
class DatesPreview:
    """The term before and after, the rows that change, and the recalculated penalty.

    `kept_short` are the short rows (stubs) that stay short after the correction; `charged_yen` is
    the part of the penalty charged here, not before a take-over.
    """

    version: int
    term: TermChange | None = None
    rows: OverridePlan | None = None
    kept_short: tuple[IssuedRow, ...] = ()
    penalty: Penalty | None = None
    charged_yen: int = 0


def preview_dates(
    session: Session, clock: Clock, *, reservation_id: str, **dates: Unpack[CorrectedFacts]
) -> DatesPreview:
    """Return what `correct_dates` with the same days would write; raise what it would raise."""
    row = find_row(session, Reservation, reservation_id)
    term = plan_term(session, clock.today(), row, changed_facts(row, dates))
    if term is None or not term.is_changed:
        return DatesPreview(row.version)
    tenancy = replace(_read_tenancy(session, clock, row, term), term=term.after)
    if term.is_start_moved:
        rows = preview_override(session, clock, row.id, tenancy)
    else:
        rows = plan_of_repriced_rows(preview_repricing(session, clock, row.id, tenancy))
    stubs = _list_stubs_after(session, row.id, rows)
    penalty = None if term.before is None else _plan_penalty(session, clock, row, term.after)
    charged_yen = charged_here(penalty.yen, row.penalty_elsewhere_yen) if penalty else 0
    return DatesPreview(row.version, term, rows, stubs, penalty, charged_yen)


def _read_tenancy(
    session: Session, clock: Clock, row: Reservation, term: TermChange
) -> TenancyFacts:
    """Return the tenancy with its rows; one whose days are damaged has none yet."""
    if term.before is None:
        return TenancyFacts(
            term.after,
            ReservationKind(row.kind),
            is_unconfirmed=is_unconfirmed(row.lifecycle, row.kind),
        )
    return tenancy_of(session, row.id, clock.today())


def _list_stubs_after(
    session: Session, reservation_id: str, rows: OverridePlan
) -> tuple[IssuedRow, ...]:
    changed = {row.before: row.after for row in rows.repriced}
    gone = {standing.row for standing in rows.voided}
    issued = issued_rows(session, [reservation_id]).get(reservation_id, ())
    stand = (changed.get(row, row) for row in issued if row not in gone)
    return tuple(row for row in stand if row.kind is RowKind.STUB and row.last_on is not None)


def _plan_penalty(
    session: Session, clock: Clock, row: Reservation, after: ContractTerm
) -> Penalty | None:
    found = departing(session, row, clock.today())
    if found.notice is None:
        return None
    tenancy = replace(found.tenancy, term=after)
    return plan_standing(session, clock, replace(found, tenancy=tenancy)).penalty
