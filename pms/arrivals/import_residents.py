"""Imports a sheet of residents, owner residents and guests as reservations."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy.orm import Session

from pms.arrivals.catalogue_plan import CataloguePlan
from pms.arrivals.import_report import ImportReport, Outcome, make_report
from pms.arrivals.reservation_plan import ReservationPlan, stay_of
from pms.arrivals.sheets.reading import Limits, Row, read_sheet
from pms.arrivals.sheets.resident_rows import COLUMNS, ResidentRow, read_resident_rows
from pms.arrivals.writing import writing_at_once
from pms.reservations.models import Reservation
from pms.rules.double_booking import Span, overlaps, span_of
from pms.rules.policy import Policy
from pms.rules.search_text import fold
from pms.rules.stays import Stay
from pms.workspaces.queries import policy

OPEN_ENDED: Final = "…"


class _Placed(NamedTuple):
    """A row of the sheet in its unit, and the stored reservation it is about."""

    row: Row
    stated: ResidentRow
    unit_id: str
    stored: Reservation | None


def import_residents(
    session: Session,
    data: bytes,
    *,
    now: datetime,
    today: date,
    commit: bool,
    limits: Limits | None = None,
) -> ImportReport:
    """Report what a sheet of residents makes and changes; write it when told to."""
    sheet = read_sheet(data, COLUMNS, limits or Limits())
    taken = read_resident_rows(sheet.rows)
    plan = ReservationPlan(session, now, today)
    placed = _placed(sheet.rows, taken, CataloguePlan(session, now), plan)
    _refuse_overlaps(placed, _HeldUnits(placed, plan, today, policy(session)))
    outcomes = {one.row.line: _planned(plan, one) for one in placed if not one.row.problems}
    if commit:
        with writing_at_once(session):
            plan.write()
    return make_report("residents", sheet, outcomes, is_committed=commit)


def _placed(
    rows: Sequence[Row],
    taken: Mapping[int, ResidentRow],
    catalogue: CataloguePlan,
    plan: ReservationPlan,
) -> list[_Placed]:
    """The rows whose unit is known, each person and start of a unit once."""
    placed: list[_Placed] = []
    seen: dict[tuple[str, date, str], int] = {}
    for row in rows:
        stated = taken.get(row.line)
        unit_id = None if stated is None else _unit_id(row, stated, catalogue)
        if stated is None or unit_id is None:
            continue
        same = _first_seen(seen, unit_id, stated, row.line)
        if same != row.line:
            row.refuse("unit", "same_row_as_line", line=same)
            continue
        placed.append(_Placed(row, stated, unit_id, plan.known(unit_id, stated)))
    return placed


def _unit_id(row: Row, stated: ResidentRow, catalogue: CataloguePlan) -> str | None:
    building = catalogue.buildings.get(stated.unit_key[0])
    if building is None:
        row.refuse("building", "building_unknown")
        return None
    unit = catalogue.units.get(stated.unit_key)
    if unit is None:
        row.refuse("unit", "unit_unknown", unit=stated.unit, building=building.now("name"))
        return None
    return unit.id


def _first_seen(
    seen: dict[tuple[str, date, str], int], unit_id: str, stated: ResidentRow, line: int
) -> int:
    """The line that first named this person and start for the unit: perhaps this one."""
    marks = [fold(stated.name)] + ([stated.email.casefold()] if stated.email else [])
    keys = [(unit_id, stated.start_on, mark) for mark in marks]
    first = min((seen[key] for key in keys if key in seen), default=line)
    if first == line:
        seen.update(dict.fromkeys(keys, line))
    return first


class _HeldUnits:
    """What holds each unit: rows of the sheet taken so far, and what is stored."""

    def __init__(
        self, placed: Sequence[_Placed], plan: ReservationPlan, today: date, figures: Policy
    ) -> None:
        self._today, self._figures = today, figures
        self._in_sheet: dict[str, list[tuple[Span, int]]] = defaultdict(list)
        restated = {one.stored.id for one in placed if one.stored is not None}
        units = dict.fromkeys(one.unit_id for one in placed)
        self._stored = {id_: self._spans_of(plan.by_unit.get(id_, ()), restated) for id_ in units}

    def _spans_of(self, known: Sequence[Reservation], restated: set[str]) -> list[Span]:
        spans = (
            span_of(stay_of(stored), self._today, self._figures)
            for stored in known
            if stored.id not in restated
        )
        return [span for span in spans if span is not None]

    def span(self, one: _Placed) -> Span | None:
        """The nights a row holds its unit."""
        return span_of(_stay(one), self._today, self._figures)

    def above(self, unit_id: str, span: Span) -> tuple[Span, int] | None:
        """A row above that shares a night; those taken share none, so neighbours suffice."""
        taken = self._in_sheet[unit_id]
        place = bisect_left(taken, span.first_on, key=_by_first_night)
        neighbours = taken[max(0, place - 1) : place + 1]
        return next((pair for pair in neighbours if overlaps(span, pair[0])), None)

    def stored(self, unit_id: str, span: Span) -> Span | None:
        """A stored reservation, not restated by the sheet, that shares a night."""
        return next((other for other in self._stored[unit_id] if overlaps(span, other)), None)

    def take(self, unit_id: str, span: Span, line: int) -> None:
        """Count the nights of a row that is taken."""
        if span.first_on != span.free_from_on:
            insort(self._in_sheet[unit_id], (span, line), key=_by_first_night)


def _by_first_night(pair: tuple[Span, int]) -> date:
    return pair[0].first_on


def _refuse_overlaps(placed: Sequence[_Placed], held: _HeldUnits) -> None:
    """Take out what would hold a unit twice: rows above come first, then what is stored."""
    for one in placed:
        span = held.span(one)
        if span is None:
            continue
        if (above := held.above(one.unit_id, span)) is not None:
            days = _days(above[0])
            one.row.refuse("move_in_date", "overlaps_line", line=above[1], **days)
        elif (stored := held.stored(one.unit_id, span)) is not None:
            one.row.refuse("move_in_date", "overlaps_reservation", **_days(stored))
        else:
            held.take(one.unit_id, span, one.row.line)


def _stay(one: _Placed) -> Stay:
    stated, stored = one.stated, one.stored
    return Stay(
        id="" if stored is None else stored.id,
        start_on=stated.start_on,
        end_on=stated.end_on,
        move_out_on=stated.move_out_date,
        is_forced=stored is not None and stored.forced_on is not None,
        kind=stated.kind,
    )


def _days(span: Span) -> dict[str, Any]:
    last = OPEN_ENDED if span.free_from_on is None else span.free_from_on.isoformat()
    return {"first": span.first_on.isoformat(), "last": last}


def _planned(plan: ReservationPlan, one: _Placed) -> Outcome:
    outcome = Outcome("resident", _values(one.stated), is_new=one.stored is None)
    if one.stored is None:
        plan.add(one.unit_id, one.stated)
    else:
        plan.change(one.stored, one.row, one.stated, outcome)
    return outcome


def _values(stated: ResidentRow) -> Mapping[str, Any]:
    return {
        "kind": stated.kind.value,
        "name": stated.name,
        "email": stated.email,
        "building": stated.building,
        "unit": stated.unit,
        "moveInDate": stated.move_in_date,
        "contractEndDate": stated.contract_end_date,
        "moveOutDate": stated.move_out_date,
        "baseRent": stated.rent_yen,
        "paymentStatus": stated.payment_status.value,
        "esignStatus": stated.esign_status.value,
    }
