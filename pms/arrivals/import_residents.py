"""Imports a sheet of residents, owner residents and guests as reservations."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy.orm import Session

from pms.arrivals.catalogue_plan import CataloguePlan
from pms.arrivals.import_report import ImportReport, Outcome, make_report
from pms.arrivals.noted_imports import note_import
from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.resident_overlaps import Placed, refuse_overlaps
from pms.arrivals.sheets.oddities import look_at_case
from pms.arrivals.sheets.reading import Limits, Row, hold_unconfirmed, read_sheet
from pms.arrivals.sheets.resident_rows import COLUMNS, ResidentRow, read_resident_rows
from pms.arrivals.writing import writing_at_once
from pms.foundation.clock import Clock
from pms.rules.search_text import fold
from pms.workspaces.queries import policy


def import_residents(
    session: Session,
    clock: Clock,
    actor: str,
    data: bytes,
    *,
    commit: bool,
    limits: Limits | None = None,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what a sheet of residents makes and changes; write it when told to, whole or some lines."""
    limits = limits or Limits()
    sheet = read_sheet(data, COLUMNS, limits)
    taken = read_resident_rows(sheet.rows)
    plan = ReservationPlan(session, clock.now(), clock.today())
    placed = _placed(sheet.rows, taken, CataloguePlan(session, clock.now()), plan)
    refuse_overlaps(placed, plan, clock.today(), policy(session))
    hold_unconfirmed(sheet.rows, taken, limits.confirmed)
    outcomes = {
        one.row.line: _planned(plan, one)
        for one in placed
        if not one.row.problems and (lines is None or one.row.line in lines)
    }
    if commit:
        with writing_at_once(session):
            plan.write(clock, actor)
    report = make_report("residents", sheet, outcomes, is_committed=commit, lines=lines)
    note_import(session, clock, actor, report)
    return report


def _placed(
    rows: Sequence[Row],
    taken: Mapping[int, ResidentRow],
    catalogue: CataloguePlan,
    plan: ReservationPlan,
) -> list[Placed]:
    """The rows whose unit is known, each person and start of a unit once."""
    placed: list[Placed] = []
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
        placed.append(Placed(row, stated, unit_id, plan.known(unit_id, stated)))
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
    look_at_case(row, unit.now("name"))
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


def _planned(plan: ReservationPlan, one: Placed) -> Outcome:
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
