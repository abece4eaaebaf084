"""Adding units, with the fees of each."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import (
    select,
)
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    add_row,
    check_yen,
    count_change,
    refuse_taken,
)
from pms.catalogue.models import Building, Unit, UnitFee
from pms.catalogue.slugs import free_slug, slug_of_room
from pms.catalogue.unit_fields import WrittenUnit, check_unit
from pms.foundation.audit import note_audit_event, subject_of
from pms.foundation.errors import Collision, Refused
from pms.foundation.phrases import join_with_commas
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.room_names import room_key
from pms.workspaces.models import Fee


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
