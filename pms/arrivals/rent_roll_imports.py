"""Importing rent rolls."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, Final
from unicodedata import normalize

from pms.arrivals.bookings import writing_at_once
from pms.arrivals.catalogue_imports import CataloguePlan, Planned, UnitKey, look_at_cases
from pms.arrivals.rent_roll_plan import RentRollPlan
from pms.arrivals.sheet_imports import ImportReport, RowOutcome, make_report, note_import
from pms.arrivals.sheets import cells
from pms.arrivals.sheets.cells import size_text
from pms.arrivals.sheets.reading import Limits, Sheet, SheetRow, read_sheet, refuse_unconfirmed_rows
from pms.arrivals.sheets.rent_roll_rows import (
    COLUMNS,
    REFUSED_LINE,
    REFUSED_REASON,
    RentRollRow,
    held_days,
    read_rent_roll_rows,
    refuse_contradictions,
)
from pms.foundation.work import Work
from pms.rules.enumerations import UnitType
from pms.sheets.tables import Table

_HOME: Final = re.compile(r"[0-9]+\s*S?(?:R|K|DK|LDK|LK)(?:\+S)?|studio|ワンルーム|一戸建て?|house")
_ROOM: Final = re.compile(
    r"洋室|和室|個室|相部屋|ドミ|ドミトリー|シェア|private|shared|dorm|twin room|single room"
)


def type_of_layout(layout: str | None) -> UnitType | None:
    """Return share house for a single room, apartment for a layout with a kitchen, else None."""
    written = normalize("NFKC", layout or "").strip()
    if _HOME.match(written.upper()) or _HOME.match(written.lower()):
        return UnitType.APARTMENT
    return UnitType.SHAREHOUSE if _ROOM.match(written.lower()) else None


def deciding_lines(taken: Mapping[int, RentRollRow]) -> dict[tuple[str, str], int]:
    """Return, by unit, the line whose layout and size count: vacant, else the latest tenancy."""
    latest: dict[tuple[str, str], tuple[date, int]] = {}
    for line, found in taken.items():
        start_on = date.max if found.tenancy is None else found.tenancy.start_on
        latest[found.unit_key] = max(latest.get(found.unit_key, (date.min, 0)), (start_on, line))
    return {key: line for key, (_, line) in latest.items()}


_FACTS: Final = (("layout", "layout"), ("size_sqm", "size_centi_sqm"))
_FEES: Final = (("common_fee", "building_maintenance"), ("utilities", "utilities"))


def import_rent_roll(
    work: Work,
    tables: Sequence[Table],
    *,
    commit: bool,
    unit_type: UnitType | None = None,
    limits: Limits | None = None,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what a rent roll adds and changes; with `commit` write it, or some lines.

    Its tenancies are not reservations but external blocks, which the double-booking check and
    deposit reporting never read (specification, Availability; Deposit 3).
    """
    now, today = work.clock.now(), work.clock.today()
    limits = limits or Limits()
    sheet = read_sheet(tables, COLUMNS, limits)
    taken = read_rent_roll_rows(sheet.rows)
    refuse_contradictions(sheet.rows, taken, today)
    for row in sheet.rows:
        tenancy = taken[row.line].tenancy if row.line in taken else None
        if tenancy is not None and tenancy.start_on > today:
            row.note("start", "coming", first=tenancy.start_on.isoformat())
    named = {found.unit_key[0] for found in taken.values()}
    catalogue = CataloguePlan(work.session, now, named)
    # Refuse a new unit whose type neither the operator nor its layout states.
    for row in sheet.rows:
        found = taken.get(row.line)
        if found is None or unit_type is not None or found.unit_key in catalogue.units:
            continue
        if type_of_layout(found.layout) is None:
            row.refuse("layout", "type_unknown")
            del taken[row.line]
    tenancies = RentRollPlan(work.session, now, today)
    if is_correction(sheet):
        _refuse_overlaps(sheet, taken, catalogue, tenancies)
    places = {line: (found.unit_key, found.unit) for line, found in taken.items()}
    look_at_cases(sheet.rows, places, catalogue)
    refuse_unconfirmed_rows(sheet.rows, taken, limits.confirmed)
    if lines is not None:
        taken = {line: found for line, found in taken.items() if line in lines}
    outcomes = _plan_outcomes(sheet, taken, catalogue, tenancies, unit_type)
    if commit:
        with writing_at_once(work.session):
            catalogue.write(work.clock, work.actor)
            tenancies.write()
    report = make_report("rent-roll", sheet, outcomes, is_committed=commit, lines=lines)
    note_import(work, report)
    return report


def is_correction(sheet: Sheet) -> bool:
    """Whether the sheet holds corrected rows of an earlier import, and is not a whole rent roll."""
    return {REFUSED_LINE, REFUSED_REASON} <= sheet.header.places.keys()


def _refuse_overlaps(
    sheet: Sheet,
    taken: dict[int, RentRollRow],
    catalogue: CataloguePlan,
    tenancies: RentRollPlan,
) -> None:
    """Refuse rows that overlap a stored tenancy: a sheet of corrections cannot end one."""
    starts = _starts_by_unit(taken)
    for row in sheet.rows:
        found = taken.get(row.line)
        unit = None if found is None else catalogue.units.get(found.unit_key)
        if found is None or unit is None:
            continue
        tenancies.refuse_overlap(row, found.tenancy, unit.id, starts[found.unit_key])
        if row.problems:
            del taken[row.line]


def _plan_outcomes(
    sheet: Sheet,
    taken: Mapping[int, RentRollRow],
    catalogue: CataloguePlan,
    tenancies: RentRollPlan,
    unit_type: UnitType | None,
) -> dict[int, RowOutcome]:
    held, deciding, starts = held_days(taken), deciding_lines(taken), _starts_by_unit(taken)
    rows = {row.line: row for row in sheet.rows if row.line in taken}
    outcomes: dict[int, RowOutcome] = {}
    units: dict[int, Planned] = {}
    for line, row in rows.items():
        units[line], is_new = _plan_unit(row, taken[line], catalogue, unit_type)
        is_vacant = taken[line].tenancy is None
        makes = "vacant" if is_vacant else "tenancy"
        outcomes[line] = RowOutcome(makes, {}, is_new=is_new and is_vacant)
    # Tenancies that have ended decide how long the others take the unit, so they are planned first.
    for key, line in deciding.items() if not is_correction(sheet) else ():
        is_vacant, named = taken[line].tenancy is None, starts[key]
        facts = (rows[line], outcomes[line], units[line].id, named)
        tenancies.end_unlisted_tenancies(*facts, is_vacant=is_vacant)
    for line, row in rows.items():
        found, outcome, unit = taken[line], outcomes[line], units[line]
        if found.tenancy is not None:
            tenancies.plan(row, outcome, found, unit.id, held[line])
        if deciding[found.unit_key] == line:
            _plan_facts(row, found, unit, outcome, catalogue)
        outcome.values = _build_outcome_values(found, unit, catalogue.buildings[found.unit_key[0]])
    for row in sheet.rows:
        stated = taken.get(row.line)
        if stated is None or deciding[stated.unit_key] == row.line:
            continue
        for fact, column in _FACTS:
            value, kept = getattr(stated, column), catalogue.units[stated.unit_key].now(column)
            if value is not None and value != kept:
                kept_text = str(size_text(kept) if column == "size_centi_sqm" else kept)
                row.note(fact, "unit_fact_of_line", line=deciding[stated.unit_key], kept=kept_text)
    return outcomes


def _starts_by_unit(taken: Mapping[int, RentRollRow]) -> dict[UnitKey, list[date]]:
    starts: dict[UnitKey, list[date]] = defaultdict(list)
    for found in taken.values():
        if found.tenancy is not None:
            starts[found.unit_key].append(found.tenancy.start_on)
    return starts


def _plan_unit(
    row: SheetRow, found: RentRollRow, catalogue: CataloguePlan, unit_type: UnitType | None
) -> tuple[Planned, bool]:
    building, building_is_new = catalogue.building(found.unit_key[0], found.building)
    unit, is_new = catalogue.unit(found.unit_key, found.unit, building)
    if building_is_new:
        row.note("building", "new_building", building=found.building)
    if is_new:
        kind = unit_type or type_of_layout(found.layout)
        unit.row["type"] = kind
        if unit_type is None:
            row.note("layout", "type_inferred", type=str(kind))
    return unit, is_new


def _plan_facts(
    row: SheetRow, found: RentRollRow, unit: Planned, outcome: RowOutcome, catalogue: CataloguePlan
) -> None:
    """Plan the facts of the row's unit; rent and fees of a vacant row are the asking prices."""
    for key, column in _FACTS:
        if (value := getattr(found, column)) is not None:
            unit.plan(row, outcome, key, column, value)
    if found.tenancy is not None:
        return
    if found.rent_yen is None:
        row.note("rent", "no_asking_rent")
    else:
        unit.plan(row, outcome, "rent", "rent_yen", found.rent_yen)
    for key, code in _FEES:
        if cells.trim(row.cell(key)):
            catalogue.ask_monthly(row, outcome, unit, (key, code), getattr(found, f"{key}_yen"))


def _build_outcome_values(
    found: RentRollRow, unit: Planned, building: Planned
) -> Mapping[str, Any]:
    place = {"building": building.now("name"), "room": unit.now("name"), "rent": found.rent_yen}
    tenancy = found.tenancy
    if tenancy is None:
        return place
    return place | {
        "name": tenancy.name,
        "kana": tenancy.kana,
        "start": tenancy.start_on,
        "end": tenancy.end_on,
        "commonFee": found.common_fee_yen,
        "utilities": found.utilities_yen,
        "deposit": tenancy.deposit_yen,
        "email": tenancy.email,
        "phone": tenancy.phone,
    }
