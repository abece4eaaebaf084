"""Copies of units and buildings: what they are and what they ask, without people and pictures."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.buildings import add_building
from pms.catalogue.checks import WrittenBuilding
from pms.catalogue.models import Unit
from pms.catalogue.records import unit_fee_records, unit_record
from pms.catalogue.units import NewRoom, add_units, unit_names
from pms.foundation.work import Work
from pms.rules.room_ranges import next_room


def unit_to_copy(session: Session, unit_id: str) -> NewRoom:
    """Return what a unit like this one is written with, under the next number of its building.

    The name is empty where no number follows. Raises `NotFound` for a unit of nobody here.
    """
    record = unit_record(session, unit_id)
    taken = {one.name for one in unit_names(session, record.building_id)}
    written = replace(record.written, name=next_room(record.written.name, taken), name_kana=None)
    return NewRoom(written, _fees(session, unit_id))


def newest_unit(session: Session, building_id: str) -> str | None:
    """Return the unit that was added last to a building, if it has one."""
    newest = select(Unit.id).where(Unit.building_id == building_id)
    return session.scalar(newest.order_by(Unit.created_at.desc(), Unit.id.desc()).limit(1))


def copy_building(
    work: Work, *, building_id: str, written: WrittenBuilding, slug: str | None, with_units: bool
) -> str:
    """Store a building beside another one and, if asked, units like its units; return its id.

    Raises what adding a building raises.
    """
    rooms = _rooms(work.session, building_id) if with_units else []
    added = add_building(work, written=written, typed_slug=slug)
    if rooms:
        add_units(work, building_id=added, rooms=rooms)
    return added


def _rooms(session: Session, building_id: str) -> Sequence[NewRoom]:
    named = unit_names(session, building_id)
    return [NewRoom(unit_record(session, one.id).written, _fees(session, one.id)) for one in named]


def _fees(session: Session, unit_id: str) -> dict[str, int | None]:
    return {one.code: one.amount_yen for one in unit_fee_records(session, unit_id)}
