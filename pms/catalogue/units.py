"""Units: adding them with their fees, finding, naming and editing them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    SQLColumnExpression,
    and_,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    add_row,
    check_yen,
    count_change,
    refuse_taken,
    write_columns,
)
from pms.catalogue.models import Building, Campaign, CampaignUnit, Unit, UnitFee
from pms.catalogue.slugs import free_slug, place_with_slug, slug_of_room
from pms.catalogue.unit_fields import WrittenUnit, check_unit
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Collision, NotFound, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import finds
from pms.foundation.phrases import join_with_commas
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, has_row, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import UnitSort, UnitType
from pms.rules.room_names import building_key, room_key
from pms.rules.unit_words import layout_key
from pms.workspaces.models import Fee


def known_unit(session: Session, unit_id: str) -> str:
    """Return the id; raise `NotFound` for an unknown unit."""
    if not has_row(session, Unit, unit_id):
        raise no_such("unit", unit_id)
    return unit_id


def edit_unit(work: Work, *, unit_id: str, version: int, written: WrittenUnit) -> int:
    """Update a unit and return its version; agreements with residents are unchanged.

    Raises `Collision` for an outdated version, and for the name of another room.
    """
    row = locked(work.session, Unit, unit_id, version)
    columns = check_unit(written)
    others = select(Unit.id).where(
        Unit.building_id == row.building_id,
        Unit.name_key == room_key(columns["name"]),
        Unit.id != unit_id,
    )
    refuse_taken(work.session, columns["name"], others)
    write_columns(work, AuditEvent.UNIT_EDITED, row, columns=columns)
    return row.version


def named_unit_id(session: Session, unit: str, building: str | None = None) -> str:
    """Return the unit's id; without a building, `unit` is an id or a slug."""
    if building is None:
        with_id = select(Unit.id).where(Unit.id == unit)
        found = session.scalar(with_id) if is_id(unit) else place_with_slug(session, Unit, unit)
        missing = NotFound(
            "Unit '{unit}' was not found. Enter its slug, or its building and room.", unit=unit
        )
    else:
        in_building = select(Building.id).where(Building.name_key == building_key(building))
        room = select(Unit.id).where(Unit.name_key == room_key(unit))
        found = session.scalar(room.where(Unit.building_id.in_(in_building)))
        missing = NotFound(
            "There is no unit '{unit}' in '{building}'.", unit=unit, building=building
        )
    if found is None:
        raise missing
    return found


class NamedUnit(NamedTuple):
    """A unit as a choice."""

    id: str
    name: str


def unit_names(session: Session, building_id: str) -> Sequence[NamedUnit]:
    """Return every unit of a building by name; none for an unknown building."""
    if not is_id(building_id):
        return []
    rows = session.execute(
        select(Unit.id, Unit.name)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name_key, Unit.id)
    )
    return [NamedUnit._make(row) for row in rows]


_ORDER: dict[UnitSort | None, tuple[SQLColumnExpression[Any], ...]] = {
    None: (),
    UnitSort.PRICE_ASC: (Unit.rent_yen.is_(None), Unit.rent_yen),
    UnitSort.PRICE_DESC: (Unit.rent_yen.is_(None), Unit.rent_yen.desc()),
    UnitSort.SIZE_ASC: (Unit.size_centi_sqm.is_(None), Unit.size_centi_sqm),
    UnitSort.SIZE_DESC: (Unit.size_centi_sqm.is_(None), Unit.size_centi_sqm.desc()),
}


class UnitFacts(NamedTuple):
    """Filters of a list of units (specification, List units); unset ones match everything."""

    areas: tuple[str, ...] = ()
    price_min_yen: int | None = None
    price_max_yen: int | None = None
    type: UnitType | None = None
    layouts: tuple[str, ...] = ()
    bedrooms: int | None = None
    has_campaign: bool = False
    search: str | None = None
    building: str | None = None
    sort: UnitSort | None = None


def find_units(session: Session, facts: UnitFacts, today: date) -> Sequence[str]:
    """Return the ids of the units in the given order, ties by id, unknown values last."""
    question = select(Unit.id)
    if facts.areas or facts.search or facts.building:
        question = question.join(Unit.building)
    conditions = [*_list_conditions(facts, today)]
    if facts.layouts:
        keys = {layout_key(layout) for layout in facts.layouts}
        kept = session.scalars(select(Unit.layout).where(Unit.layout.is_not(None)).distinct())
        layouts = [layout for layout in kept if layout and layout_key(layout) in keys]
        conditions.append(Unit.layout.in_(layouts))
    return session.scalars(question.where(*conditions).order_by(*_ORDER[facts.sort], Unit.id)).all()


def is_building(name_or_id: str) -> ColumnElement[bool]:
    """Return the condition that a building has this id or exactly this name."""
    if is_id(name_or_id):
        return Building.id == name_or_id
    return or_(Building.name == name_or_id, Building.name_en == name_or_id)


def is_unit(name_or_id: str) -> ColumnElement[bool]:
    """Return the condition that a unit has this id or exactly this name."""
    return Unit.id == name_or_id if is_id(name_or_id) else Unit.name == name_or_id


def is_current(today: date | BindParameter[date]) -> ColumnElement[bool]:
    """Return the condition that a campaign applies on a day, both its ends included."""
    return and_(
        Campaign.is_published,
        Campaign.starts_on <= today,
        or_(Campaign.ends_on.is_(None), Campaign.ends_on >= today),
    )


def _list_conditions(facts: UnitFacts, today: date) -> Iterator[ColumnElement[bool]]:
    if facts.areas:
        yield or_(_is_one_of(Building.area, facts.areas), _is_one_of(Building.area_en, facts.areas))
    if facts.price_min_yen is not None:
        yield Unit.rent_yen >= facts.price_min_yen
    if facts.price_max_yen is not None:
        yield Unit.rent_yen <= facts.price_max_yen
    if facts.type is not None:
        yield Unit.type == facts.type
    if facts.bedrooms is not None:
        yield Unit.bedrooms == facts.bedrooms
    if facts.has_campaign:
        has_campaign = exists().where(
            refers_to(CampaignUnit.unit_id, Unit),
            refers_to(CampaignUnit.campaign_id, Campaign),
            is_current(today),
        )
        yield has_campaign
    if facts.search:
        yield finds(facts.search, Unit.search_text, Building.search_text)
    if facts.building:
        yield is_building(facts.building)


def _is_one_of(
    column: SQLColumnExpression[str] | SQLColumnExpression[str | None], texts: Sequence[str]
) -> ColumnElement[bool]:
    # The database folds both sides: a letter it cannot fold, such as Ō, still equals itself.
    return func.lower(column).in_([func.lower(text) for text in texts])


def add_unit(work: Work, *, building_id: str, written: WrittenUnit) -> str:
    """Store a unit and return its id.

    Raises `NotFound` for the building, `Refused` for invalid values, and `Collision` for a room the
    building has already.
    """
    building = locked(work.session, Building, building_id)
    columns = check_unit(written)
    in_building = Unit.building_id == building_id
    named_so = select(Unit.id).where(in_building, Unit.name_key == room_key(columns["name"]))
    refuse_taken(work.session, columns["name"], named_so)
    word = slug_of_room(building.slug, columns["name"], columns["name_kana"])
    slug = free_slug(work.session, Unit, word)
    now = work.clock.now()
    row = Unit(**columns, building_id=building_id, slug=slug, created_at=now, updated_at=now)
    return add_row(work, AuditEvent.UNIT_ADDED, row)


class NewRoom(NamedTuple):
    """A unit to add, with its monthly amounts by fee code."""

    written: WrittenUnit
    fees: Mapping[str, int | None]


def add_units(work: Work, *, building_id: str, rooms: Sequence[NewRoom]) -> list[str]:
    """Store many units of a building, all or none of them, and return their ids.

    Raises `Collision` naming every room that occurs twice or exists already.
    """
    names = [room.written.name for room in rooms]
    keys = [room_key(name) for name in names]
    of_building = select(Unit.name_key).where(Unit.building_id == building_id)
    taken = set(work.session.scalars(of_building.where(Unit.name_key.in_(keys))))
    doubles = [
        name for name, key in zip(names, keys, strict=True) if key in taken or keys.count(key) > 1
    ]
    if doubles:
        raise Collision(
            "rooms: these appear twice or are already in the building: {names}.",
            names=join_with_commas(dict.fromkeys(doubles)),
        )
    return [add_unit_with_fees(work, building_id, room) for room in rooms]


def add_unit_with_fees(work: Work, building_id: str, room: NewRoom) -> str:
    """Store a unit with its monthly amounts and return its id; raises what `add_unit` raises."""
    unit_id = add_unit(work, building_id=building_id, written=room.written)
    if any(room.fees.values()):
        set_unit_fees(work, unit_id=unit_id, version=1, amounts=room.fees)
    return unit_id


def set_unit_fees(
    work: Work, *, unit_id: str, version: int, amounts: Mapping[str, int | None]
) -> int:
    """Set the monthly amounts by fee code, `None` or 0 removes one; return the unit's version.

    Codes that are not named stay. Prices agreed with residents are unchanged.
    """
    unit = locked(work.session, Unit, unit_id, version)
    fee_ids = _fee_ids(work.session, amounts)
    asked = {code: check_yen(f"fees.{code}", yen) or 0 for code, yen in amounts.items()}
    of_unit = select(UnitFee).where(UnitFee.unit_id == unit_id)
    stored = {row.fee_id: row for row in work.session.scalars(of_unit)}
    before = {code: row.amount_yen for code in asked if (row := stored.get(fee_ids[code]))}
    after = {code: yen for code, yen in asked.items() if yen}
    if before == after:
        return unit.version
    for code, yen in asked.items():
        _write_unit_fee(work.session, unit_id, fee_ids[code], stored.get(fee_ids[code]), yen)
    count_change(unit, work.clock)
    note_audit_event(
        work,
        AuditEvent.UNIT_FEES_SET,
        subject_of(unit),
        before={"monthly_fees": before},
        after={"monthly_fees": after},
    )
    work.session.flush()
    return unit.version


def _fee_ids(session: Session, amounts: Mapping[str, int | None]) -> dict[str, str]:
    monthly = select(Fee).where(Fee.is_monthly, Fee.code.in_(amounts))
    known = {fee.code: fee.id for fee in session.scalars(monthly)}
    for code in amounts:
        if code not in known:
            raise Refused("fees: '{code}' is not a monthly fee of this workspace.", code=code[:60])
    return known


def _write_unit_fee(
    session: Session, unit_id: str, fee_id: str, stored: UnitFee | None, amount_yen: int
) -> None:
    if stored is None:
        if amount_yen:
            session.add(UnitFee(unit_id=unit_id, fee_id=fee_id, amount_yen=amount_yen))
    elif amount_yen:
        stored.amount_yen = amount_yen
    else:
        session.delete(stored)
