"""Buildings: adding them, also as a copy, finding, listing and editing them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    WrittenBuilding,
    add_row,
    check_building,
    refuse_taken,
    write_columns,
)
from pms.catalogue.listed_units import ListedPhoto, photos_of
from pms.catalogue.models import Building, Owner, Photo, Unit
from pms.catalogue.owners import end_shares
from pms.catalogue.records import unit_fee_records, unit_record
from pms.catalogue.slugs import (
    change_building_slug,
    free_slug,
    is_provisional,
    place_with_slug,
    slug_to_take,
    word_of_place,
)
from pms.catalogue.units import NewRoom, add_units, unit_names
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.room_names import building_key, next_room


def edit_building(work: Work, *, building_id: str, version: int, written: WrittenBuilding) -> int:
    """Update a building and return its version; its slug on the website stays.

    Only a slug that was made for want of a reading gives way to the first reading or English name.
    Raises `Collision` for an outdated version, and for the name of another building.
    """
    row = locked(work.session, Building, building_id, version)
    columns = check_building(written)
    key = building_key(columns["name"])
    others = select(Building.id).where(Building.name_key == key, Building.id != building_id)
    refuse_taken(work.session, columns["name"], others)
    is_without_word = is_provisional(row.slug, row.name)
    write_columns(work, AuditEvent.BUILDING_EDITED, row, columns=columns)
    word = word_of_place(columns["name"], columns["name_kana"], columns["name_en"])
    if is_without_word and word:
        typed = free_slug(work.session, Building, word)
        change_building_slug(work, building_id=building_id, typed=typed, with_units=True)
    return row.version


def building_address(session: Session, building_id: str) -> Bilingual:
    """Return the postal address of a building of this workspace."""
    asked = select(Building.address, Building.address_en).where(Building.id == building_id)
    return Bilingual(*session.execute(asked).one())


class NamedBuilding(NamedTuple):
    """A building as a choice."""

    id: str
    name: Bilingual


def building_names(session: Session) -> Sequence[NamedBuilding]:
    """Return every building by name."""
    rows = session.execute(
        select(Building.id, Building.name, Building.name_en).order_by(Building.name, Building.id)
    )
    return [NamedBuilding(id_, Bilingual(name, english)) for id_, name, english in rows]


def name_building_owner(
    work: Work, *, building_id: str, owner_id: str | None, version: int | None = None
) -> int:
    """Set a building's owner, or none, and return its version.

    Published statements keep the owner they were made for. Shares of several owners end.
    """
    row = locked(work.session, Building, building_id, version)
    if owner_id is not None:
        locked(work.session, Owner, owner_id)
    end_shares(work, row, owner_id)
    columns = {"owner_id": owner_id}
    write_columns(work, AuditEvent.BUILDING_OWNER_NAMED, row, columns=columns)
    return row.version


class BuildingPage(NamedTuple):
    """Everything a listing shows of a building except its free units."""

    id: str
    slug: str
    name: Bilingual
    area: Bilingual
    address: Bilingual
    access: Bilingual
    description: Bilingual
    updated_at: datetime
    unit_ids: Sequence[str]
    least_rent_yen: int | None
    photos: Sequence[ListedPhoto]


_BUILDINGS = select(
    Building.id,
    Building.slug,
    Building.name,
    Building.name_en,
    Building.area,
    Building.area_en,
    Building.address,
    Building.address_en,
    Building.access_ja,
    Building.access_en,
    Building.description_ja,
    Building.description_en,
    Building.updated_at,
).order_by(Building.name_key, Building.id)


def listed_buildings(session: Session, paging: Paging) -> tuple[list[BuildingPage], int]:
    """Return one page of the buildings by name, and the total count."""
    total = session.scalar(select(func.count()).select_from(Building)) or 0
    page = _BUILDINGS.offset(min(paging.offset, total)).limit(paging.limit)
    return _read_pages(session, session.execute(page).all()), total


def building_with_slug(session: Session, slug: str) -> BuildingPage:
    """Return the building that has or had this slug; raise `NotFound` for an unknown one."""
    building_id = place_with_slug(session, Building, slug)
    if building_id is None:
        raise no_such("building", slug)
    return building_with_id(session, building_id)


def named_building_id(session: Session, building: str) -> str:
    """Return the id of the building with this id, slug or name; raise `NotFound` for none."""
    if is_id(building):
        named = select(Building.id).where(Building.id == building)
    else:
        named = select(Building.id).where(Building.name_key == building_key(building))
    found = session.scalar(named) or place_with_slug(session, Building, building)
    if found is None:
        raise no_such("building", building)
    return found


def building_with_id(session: Session, building_id: str) -> BuildingPage:
    """Return a building that is known to exist."""
    return _read_pages(
        session, session.execute(_BUILDINGS.where(Building.id == building_id)).all()
    )[0]


def _read_pages(session: Session, rows: Sequence[Any]) -> list[BuildingPage]:
    ids = [row[0] for row in rows]
    photos = photos_of(session, Photo.building_id, ids)
    units: dict[str, list[tuple[str, int | None]]] = {id_: [] for id_ in ids}
    for building_id, unit_id, rent_yen in session.execute(
        select(Unit.building_id, Unit.id, Unit.rent_yen)
        .where(Unit.building_id.in_(ids))
        .order_by(Unit.id)
    ):
        units[building_id].append((unit_id, rent_yen))
    return [_build_page(row, units[row[0]], photos.get(row[0], ())) for row in rows]


def _build_page(
    row: Any, units: Sequence[tuple[str, int | None]], photos: Sequence[ListedPhoto]
) -> BuildingPage:
    rents = [rent_yen for _, rent_yen in units if rent_yen is not None]
    return BuildingPage(
        row.id,
        row.slug,
        Bilingual(row.name, row.name_en),
        Bilingual(row.area, row.area_en),
        Bilingual(row.address, row.address_en),
        Bilingual(row.access_ja, row.access_en),
        Bilingual(row.description_ja, row.description_en),
        row.updated_at,
        [unit_id for unit_id, _ in units],
        min(rents, default=None),
        photos,
    )


def newest_unit(session: Session, building_id: str) -> str | None:
    """Return the unit that was added last to a building, if it has one."""
    newest = select(Unit.id).where(Unit.building_id == building_id)
    return session.scalar(newest.order_by(Unit.created_at.desc(), Unit.id.desc()).limit(1))


def add_building(work: Work, *, written: WrittenBuilding, typed_slug: str | None = None) -> str:
    """Store a building and return its id; without a typed slug one is derived from its names.

    Raises `Refused` for invalid values, also when the reading of a name in kanji is unknown, and
    `Collision` for a name or a slug that is taken.
    """
    columns = check_building(written)
    named_so = select(Building.id).where(Building.name_key == building_key(columns["name"]))
    refuse_taken(work.session, columns["name"], named_so)
    if typed_slug and typed_slug.strip():
        slug = slug_to_take(work.session, Building, typed_slug)
    else:
        word = word_of_place(columns["name"], columns["name_kana"], columns["name_en"])
        if not word:
            raise Refused(
                "nameKana: '{value}' cannot be turned into a web address. Enter its reading, its "
                "English name or an address.",
                value=columns["name"],
            )
        slug = free_slug(work.session, Building, word)
    now = work.clock.now()
    row = Building(**columns, slug=slug, created_at=now, updated_at=now)
    return add_row(work, AuditEvent.BUILDING_ADDED, row)


def unit_to_copy(session: Session, unit_id: str) -> NewRoom:
    """Return the fields of a copy of this unit, named by the next number in its building.

    The name is empty where no number follows. Raises `NotFound` for an unknown unit.
    """
    record = unit_record(session, unit_id)
    taken = {unit.name for unit in unit_names(session, record.building_id)}
    written = replace(record.written, name=next_room(record.written.name, taken), name_kana=None)
    return NewRoom(written, _read_fees(session, unit_id))


def copy_building(
    work: Work, *, building_id: str, written: WrittenBuilding, slug: str | None, with_units: bool
) -> str:
    """Store a copy of a building, with copies of its units if asked; return its id.

    Raises what adding a building raises.
    """
    if with_units:
        named = unit_names(work.session, building_id)
        rooms = [
            NewRoom(unit_record(work.session, unit.id).written, _read_fees(work.session, unit.id))
            for unit in named
        ]
    else:
        rooms = []
    added = add_building(work, written=written, typed_slug=slug)
    if rooms:
        add_units(work, building_id=added, rooms=rooms)
    return added


def _read_fees(session: Session, unit_id: str) -> dict[str, int | None]:
    return {fee.code: fee.amount_yen for fee in unit_fee_records(session, unit_id)}
