"""Importing units and residents from sheets."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any, Final

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import writing_at_once
from pms.arrivals.reservation_plan import ReservationPlan
from pms.arrivals.sheet_imports import ImportReport, RowOutcome, compare, make_report, note_import
from pms.arrivals.sheet_overlaps import PlacedRow, refuse_overlaps
from pms.arrivals.sheets.cells import size_text
from pms.arrivals.sheets.listed_rows import (
    RESIDENT_COLUMNS,
    ResidentRow,
    end_column,
    read_resident_rows,
)
from pms.arrivals.sheets.oddities import look_at_case
from pms.arrivals.sheets.reading import Limits, SheetRow, read_sheet, refuse_unconfirmed_rows
from pms.arrivals.sheets.unit_rows import UNIT_COLUMNS, UnitRow, read_unit_rows
from pms.catalogue.models import Building, Unit, UnitFee
from pms.catalogue.slugs import (
    all_slugs,
    slug_of,
    slug_of_room,
    word_of_place,
    word_without_reading,
)
from pms.catalogue.unit_fields import UNIT_FIELDS, UnitFieldKind
from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ReservationKind
from pms.rules.search_text import fold
from pms.sheets.tables import Table
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.models import Fee
from pms.workspaces.new_workspaces import FIRST_FEES
from pms.workspaces.queries import policy

UnitKey = tuple[str, str]

_FEES: Final = {fee.code: fee for fee in FIRST_FEES}
_FACTS: Final = tuple(
    unit_field.column
    for unit_field in UNIT_FIELDS
    if unit_field.sheet is not None and unit_field.kind is not UnitFieldKind.LINES
)


@dataclass(slots=True)
class Planned:
    """A stored or new building or unit; `row` holds the values to be written."""

    id: str
    stored: Any | None
    row: dict[str, Any] = field(default_factory=dict)

    def now(self, column: str) -> Any:
        """Return the value of a column, with planned changes applied."""
        if column in self.row or self.stored is None:
            return self.row.get(column)
        return getattr(self.stored, column)

    def plan(self, row: SheetRow, outcome: RowOutcome, key: str, column: str, value: Any) -> None:
        """Plan a value; a change of a stored value is reported under the sheet's column `key`."""
        shown = _cell_text(column, self.now(column)), _cell_text(column, value)
        if self.stored is None or compare(outcome, row, key, *shown):
            self.row[column] = value


def _cell_text(column: str, value: Any) -> Any:
    return size_text(value) if column == "size_centi_sqm" else value


# All stored data is loaded once; nothing is written before `write`, so a dry run does the same
# work.
class CataloguePlan:
    """The buildings of a workspace with all units or those of some, and what an import will write.

    `named` are the keys of the buildings that the import names.
    """

    def __init__(
        self, session: Session, now: datetime, named: Collection[str] | None = None
    ) -> None:
        self._session = session
        self._now = now
        self.known_buildings: set[str] = set()
        """The buildings whose facts an earlier row of the sheet has stated."""
        stored = list(session.scalars(select(Building)))
        self.buildings = {building.name_key: Planned(building.id, building) for building in stored}
        keys = {
            building.id: building.name_key
            for building in stored
            if named is None or building.name_key in named
        }
        units, unit_fees = select(Unit), select(UnitFee)
        if named is not None:
            units = units.where(one_of(Unit.building_id, list(keys)))
            unit_fees = unit_fees.where(UnitFee.unit_id.in_(units.with_only_columns(Unit.id)))
        self.units: dict[UnitKey, Planned] = {
            (keys[unit.building_id], unit.name_key): Planned(unit.id, unit)
            for unit in session.scalars(units)
        }
        fees = session.scalars(select(Fee).where(Fee.code.in_(_FEES)))
        self._fee_ids = {fee.code: fee.id for fee in fees}
        self._new_fees: list[dict[str, Any]] = []
        asked = session.scalars(unit_fees)
        self._stored_fees = {(fee.unit_id, fee.fee_id): fee for fee in asked}
        self._fees_asked: dict[tuple[str, str], int] = {}

    @cached_property
    def _building_slugs(self) -> set[str]:
        return set(all_slugs(self._session, Building))

    @cached_property
    def _unit_slugs(self) -> set[str]:
        return set(all_slugs(self._session, Unit))

    def building(self, key: str, name: str, reading: str | None = None) -> tuple[Planned, bool]:
        """Return the building of a name, and whether this call has added it."""
        known = self.buildings.get(key)
        if known is not None:
            return known, False
        word = word_of_place(name, reading) or word_without_reading(name)
        slug = slug_of(word, word, self._building_slugs)
        row = {"id": (id_ := new_id()), "slug": slug, "name": name, "name_kana": reading}
        row |= {"area": "", "address": ""}
        self.buildings[key] = planned = Planned(id_, None, row)
        return planned, True

    def known_name(self, key: UnitKey) -> str | None:
        """Return the name of a known unit as it is spelled there, or None."""
        known = self.units.get(key)
        return None if known is None else known.now("name")

    def unit(
        self, key: UnitKey, name: str, building: Planned, reading: str | None = None
    ) -> tuple[Planned, bool]:
        """Return the unit of a building, and whether this call has added it."""
        known = self.units.get(key)
        if known is not None:
            return known, False
        word = slug_of_room(building.now("slug"), name, reading)
        slug = slug_of(word, "unit", self._unit_slugs)
        row = dict.fromkeys(_FACTS) | {"building_id": building.id, "slug": slug, "name": name}
        row |= {"id": (id_ := new_id()), "features": [], "features_en": []}
        self.units[key] = planned = Planned(id_, None, row)
        return planned, True

    def ask_monthly(
        self,
        row: SheetRow,
        outcome: RowOutcome,
        unit: Planned,
        fee: tuple[str, str],
        amount_yen: int,
    ) -> None:
        """Plan a unit's monthly fee; `fee` is both the sheet's column and the catalogue's code."""
        key, code = fee
        if code not in self._fee_ids and amount_yen:
            self._fee_ids[code] = new_id()
            self._new_fees.append({"id": self._fee_ids[code], **_FEES[code].columns})
        place = unit.id, self._fee_ids.get(code, "")
        stored = self._stored_fees.get(place)
        before = 0 if stored is None else stored.amount_yen
        if unit.stored is None or compare(outcome, row, key, before, amount_yen):
            self._fees_asked[place] = amount_yen

    def write(self, clock: Clock, actor: str) -> None:
        """Write everything planned, and note the changes of places that were known."""
        for audit_event, places in (
            (AuditEvent.BUILDING_IMPORTED, self.buildings.values()),
            (AuditEvent.UNIT_IMPORTED, self.units.values()),
        ):
            for row in _update_places(places, self._now):
                note_change(Work(self._session, clock, actor), audit_event, row)
        self._insert_places(Building, self.buildings.values())
        self._insert_places(Unit, self.units.values())
        self._insert_rows(Fee, self._new_fees)
        gone = [
            stored.id
            for place, amount_yen in self._fees_asked.items()
            if not amount_yen and (stored := self._stored_fees.get(place)) is not None
        ]
        if gone:
            self._session.execute(delete(UnitFee).where(UnitFee.id.in_(gone)))
        new: list[dict[str, Any]] = []
        for (unit_id, fee_id), amount_yen in self._fees_asked.items():
            stored = self._stored_fees.get((unit_id, fee_id))
            if stored is not None and amount_yen:
                stored.amount_yen = amount_yen
            elif stored is None and amount_yen:
                new.append({"unit_id": unit_id, "fee_id": fee_id, "amount_yen": amount_yen})
        self._insert_rows(UnitFee, new)

    def _insert_places(self, model: type[Any], planned: Iterable[Planned]) -> None:
        stamps = {"created_at": self._now, "updated_at": self._now}
        self._insert_rows(model, [place.row | stamps for place in planned if place.stored is None])

    def _insert_rows(self, model: type[Any], rows: list[dict[str, Any]]) -> None:
        if rows:
            self._session.execute(insert(model), rows)


def _update_places(planned: Iterable[Planned], now: datetime) -> Iterator[Any]:
    """Update the stored places that the sheet changes, and yield each of them."""
    for unit in planned:
        if unit.stored is not None and unit.row:
            for column, value in unit.row.items():
                setattr(unit.stored, column, value)
            unit.stored.updated_at = now
            unit.stored.version += 1
            yield unit.stored


# The columns of the sheet, with the columns of a unit that they fill.
_STORED_COLUMNS: Final = tuple(
    (unit_field.sheet, unit_field.column) for unit_field in UNIT_FIELDS if unit_field.sheet
)


def import_units(
    work: Work,
    tables: Sequence[Table],
    *,
    commit: bool,
    limits: Limits | None = None,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what a sheet of units adds and changes; with `commit` write it, or some lines."""
    limits = limits or Limits()
    sheet = read_sheet(tables, UNIT_COLUMNS, limits)
    taken = read_unit_rows(sheet.rows)
    named = {stated.key[0] for stated in taken.values()}
    plan = CataloguePlan(work.session, work.clock.now(), named)
    look_at_cases(sheet.rows, {line: (row.key, row.unit) for line, row in taken.items()}, plan)
    refuse_unconfirmed_rows(sheet.rows, taken, limits.confirmed)
    outcomes = {
        row.line: _plan_unit(plan, row, taken[row.line])
        for row in sheet.rows
        if row.line in taken and (lines is None or row.line in lines)
    }
    if commit:
        with writing_at_once(work.session):
            plan.write(work.clock, work.actor)
    report = make_report("units", sheet, outcomes, is_committed=commit, lines=lines)
    note_import(work, report)
    return report


def look_at_cases(
    rows: Iterable[SheetRow], named: Mapping[int, tuple[UnitKey, str]], catalogue: CataloguePlan
) -> None:
    """Doubt a room whose letter case differs from its known or first spelling.

    `named` are the units of the rows by line.
    """
    first: dict[UnitKey, str] = {}
    for row in rows:
        if row.line in named:
            key, name = named[row.line]
            look_at_case(row, catalogue.known_name(key) or first.setdefault(key, name))


def _plan_unit(plan: CataloguePlan, row: SheetRow, stated: UnitRow) -> RowOutcome:
    outcome = RowOutcome("unit", {})
    # Take the area and the address from the first row of a building in the sheet.
    building, is_new = plan.building(stated.key[0], stated.building, stated.building_kana)
    if is_new:
        row.note("building", "new_building", building=stated.building)
        if not word_of_place(stated.building, stated.building_kana):
            row.note("building", "no_reading", slug=building.now("slug"))
    for building_key, building_column, building_value in (
        ("building_kana", "name_kana", stated.building_kana),
        ("area", "area", stated.area),
        ("address", "address", stated.address),
    ):
        if building_value is None:
            continue
        if stated.key[0] not in plan.known_buildings:
            building.plan(row, outcome, building_key, building_column, building_value)
        elif building.now(building_column) != building_value:
            row.note(building_key, "building_fact_kept", kept=building.now(building_column) or "–")
    plan.known_buildings.add(stated.key[0])
    unit, outcome.is_new = plan.unit(stated.key, stated.unit, building, stated.unit_kana)
    for key, column in _STORED_COLUMNS:
        # A column that the sheet lacks does not change units that are known already.
        if outcome.is_new or row.header.tells(key):
            value = getattr(stated, key if key == "unit_kana" else column)
            unit.plan(row, outcome, key, column, list(value) if key == "features" else value)
    if outcome.is_new:
        unit.row["features_en"] = [word for word in stated.features if word.isascii()]
    for key in ("utilities", "building_maintenance"):
        if outcome.is_new or row.header.tells(key):
            amount_yen = getattr(stated, f"{key}_yen") or 0
            plan.ask_monthly(row, outcome, unit, (key, key), amount_yen)
    outcome.values = {
        "building": building.now("name"),
        "unit": unit.now("name"),
        "type": stated.type.value,
        "baseRent": stated.rent_yen,
        "sizeSqm": size_text(stated.size_centi_sqm),
    }
    return outcome


def import_residents(
    work: Work,
    tables: Sequence[Table],
    *,
    commit: bool,
    limits: Limits | None = None,
    lines: Collection[int] | None = None,
) -> ImportReport:
    """Report what a sheet of residents adds and changes; with `commit` write it, or some lines."""
    limits = limits or Limits()
    sheet = read_sheet(tables, RESIDENT_COLUMNS, limits)
    taken = read_resident_rows(sheet.rows)
    plan = ReservationPlan(work.session, work.clock.now(), work.clock.today())
    named = {stated.unit_key[0] for stated in taken.values()}
    catalogue = CataloguePlan(work.session, work.clock.now(), named)
    placed = _place_rows(sheet.rows, taken, catalogue, plan)
    figures = policy(work.session)
    for stay in placed:
        # Refuse a guest who stays more nights than the workspace allows (Guest).
        most = figures.longest_guest_stay
        stated = stay.stated
        left_on = stated.move_out_date or stated.end_on
        if stated.kind is not ReservationKind.GUEST or left_on is None:
            continue
        nights = (left_on - stated.start_on).days
        if nights > most:
            is_left = stated.move_out_date is not None
            key = "move_out_date" if is_left else end_column(stay.row, stated)
            first = stated.start_on.isoformat()
            stay.row.refuse(key, "guest_too_long", nights=nights, first=first, most=most)
    refuse_overlaps(placed, plan, work.clock.today(), figures)
    refuse_unconfirmed_rows(sheet.rows, taken, limits.confirmed)
    outcomes = {
        stay.row.line: plan.plan_row(stay.row, stay.stated, stay.unit_id, stay.stored)
        for stay in placed
        if not stay.row.problems and (lines is None or stay.row.line in lines)
    }
    if commit:
        with writing_at_once(work.session):
            plan.write(work.clock, work.actor)
        tend_turnovers(work.session, plan.units_with_other_nights())
        mark_outdated(work, plan.stays_on_other_terms())
    report = make_report("residents", sheet, outcomes, is_committed=commit, lines=lines)
    note_import(work, report)
    return report


def _place_rows(
    rows: Sequence[SheetRow],
    taken: Mapping[int, ResidentRow],
    catalogue: CataloguePlan,
    plan: ReservationPlan,
) -> list[PlacedRow]:
    """Return the rows whose unit is known; a repeated person and start of a unit is refused."""
    placed: list[PlacedRow] = []
    seen: dict[tuple[str, date, str], int] = {}
    for row in rows:
        stated = taken.get(row.line)
        unit_id = None if stated is None else _unit_id(row, stated, catalogue)
        if stated is None or unit_id is None:
            continue
        # The first line with this person and start for the unit; it may be this one.
        line = row.line
        marks = [fold(stated.name)] + ([stated.email.casefold()] if stated.email else [])
        keys = [(unit_id, stated.start_on, mark) for mark in marks]
        same = min((seen[key] for key in keys if key in seen), default=line)
        if same == line:
            seen.update(dict.fromkeys(keys, line))
        if same != row.line:
            row.refuse("unit", "same_row_as_line", line=same)
            continue
        placed.append(
            PlacedRow(row, stated, unit_id, plan.find_restated_reservation(unit_id, stated))
        )
    return placed


def _unit_id(row: SheetRow, stated: ResidentRow, catalogue: CataloguePlan) -> str | None:
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
