"""Adding buildings, also as a copy of another."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    WrittenBuilding,
    add_row,
    check_building,
    refuse_taken,
)
from pms.catalogue.models import Building
from pms.catalogue.records import unit_fee_records, unit_record
from pms.catalogue.slugs import (
    free_slug,
    slug_to_take,
    word_of_place,
)
from pms.catalogue.unit_additions import NewRoom, add_units
from pms.catalogue.units import unit_names
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.room_names import building_key, next_room


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
    rooms = _list_rooms_to_copy(work.session, building_id) if with_units else []
    added = add_building(work, written=written, typed_slug=slug)
    if rooms:
        add_units(work, building_id=added, rooms=rooms)
    return added


def _list_rooms_to_copy(session: Session, building_id: str) -> Sequence[NewRoom]:
    named = unit_names(session, building_id)
    return [
        NewRoom(unit_record(session, unit.id).written, _read_fees(session, unit.id))
        for unit in named
    ]


def _read_fees(session: Session, unit_id: str) -> dict[str, int | None]:
    return {fee.code: fee.amount_yen for fee in unit_fee_records(session, unit_id)}
