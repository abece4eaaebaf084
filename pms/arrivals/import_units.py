"""Imports a sheet of units: buildings, units and what they ask a month."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy.orm import Session

from pms.arrivals.catalogue_plan import CataloguePlan, Planned
from pms.arrivals.import_report import ImportReport, Outcome, make_report
from pms.arrivals.noted_imports import note_import
from pms.arrivals.sheets.figures import size_text
from pms.arrivals.sheets.oddities import look_at_case
from pms.arrivals.sheets.reading import Limits, Row, hold_unconfirmed, read_sheet
from pms.arrivals.sheets.unit_rows import COLUMNS, UnitRow, read_unit_rows
from pms.arrivals.writing import writing_at_once
from pms.catalogue.slugs import word_of_place
from pms.foundation.clock import Clock

# The columns of the sheet, the columns of a unit they fill, and the values of a row.
_UNIT_COLUMNS: Final = (
    ("unit_kana", "name_kana"),
    ("type", "type"),
    ("layout", "layout"),
    ("bedrooms", "bedrooms"),
    ("size_sqm", "size_centi_sqm"),
    ("floor", "floor"),
    ("base_rent", "rent_yen"),
    ("deposit", "deposit_yen"),
    ("reservation_fee", "reservation_fee_yen"),
    ("minimum_stay_days", "minimum_stay_days"),
    ("features", "features"),
)


def import_units(
    session: Session,
    clock: Clock,
    actor: str,
    data: bytes,
    *,
    commit: bool,
    limits: Limits | None = None,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what a sheet of units makes and changes; write it when told to, whole or some lines."""
    limits = limits or Limits()
    sheet = read_sheet(data, COLUMNS, limits)
    taken = read_unit_rows(sheet.rows)
    plan = CataloguePlan(session, clock.now())
    for row in sheet.rows:
        if row.line in taken:
            look_at_case(row, plan.known_name(taken[row.line].key))
    hold_unconfirmed(sheet.rows, taken, limits.confirmed)
    outcomes = {
        row.line: _plan_unit(plan, row, taken[row.line])
        for row in sheet.rows
        if row.line in taken and (lines is None or row.line in lines)
    }
    if commit:
        with writing_at_once(session):
            plan.write(clock, actor)
    report = make_report("units", sheet, outcomes, is_committed=commit, lines=lines)
    note_import(session, clock, actor, report)
    return report


def _plan_unit(plan: CataloguePlan, row: Row, stated: UnitRow) -> Outcome:
    outcome = Outcome("unit", {})
    building = _plan_building(plan, row, stated, outcome)
    unit, outcome.is_new = plan.unit(stated.key, stated.unit, building, stated.unit_kana)
    for key, column in _UNIT_COLUMNS:
        # A column the sheet does not have says nothing of units that are known already.
        if outcome.is_new or row.header.tells(key):
            value = getattr(stated, key if key == "unit_kana" else column)
            unit.plan(row, outcome, key, column, list(value) if key == "features" else value)
    if outcome.is_new:
        unit.row["features_en"] = [word for word in stated.features if word.isascii()]
    for key in ("utilities", "building_maintenance"):
        if outcome.is_new or row.header.tells(key):
            amount_yen = getattr(stated, f"{key}_yen") or 0
            plan.ask_monthly(row, outcome, unit, (key, key), amount_yen)
    outcome.values = _values(stated, unit, building)
    return outcome


def _plan_building(plan: CataloguePlan, row: Row, stated: UnitRow, outcome: Outcome) -> Planned:
    """The first row of a building in the sheet tells its area and address."""
    building, is_new = plan.building(stated.key[0], stated.building, stated.building_kana)
    if is_new:
        row.note("building", "new_building", building=stated.building)
        if not word_of_place(stated.building, stated.building_kana):
            row.note("building", "no_reading", slug=building.now("slug"))
    for key, column, told in (
        ("building_kana", "name_kana", stated.building_kana),
        ("area", "area", stated.area),
        ("address", "address", stated.address),
    ):
        if told is None:
            continue
        if stated.key[0] not in plan.told:
            building.plan(row, outcome, key, column, told)
        elif building.now(column) != told:
            row.note(key, "building_fact_kept", kept=building.now(column) or "–")
    plan.told.add(stated.key[0])
    return building


def _values(stated: UnitRow, unit: Planned, building: Planned) -> Mapping[str, Any]:
    return {
        "building": building.now("name"),
        "unit": unit.now("name"),
        "type": stated.type.value,
        "baseRent": stated.rent_yen,
        "sizeSqm": size_text(stated.size_centi_sqm),
    }
