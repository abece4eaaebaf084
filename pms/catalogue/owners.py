"""Owners of buildings."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import WrittenOwner, add_row, checked_owner, row_to_edit, write_columns
from pms.catalogue.models import Building, BuildingShare, Owner, Unit
from pms.foundation.audit import AuditRecord
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.rules.addresses import folded_address
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import Locale


def add_owner(work: Work, *, written: WrittenOwner) -> str:
    """Store an owner and return their id; two owners may bear one name."""
    row = Owner(**checked_owner(written), created_at=work.clock.now())
    return add_row(work, AuditEvent.OWNER_ADDED, row)


def choose_owner_language(work: Work, *, owner_ids: Sequence[str], locale: Locale) -> None:
    """Write the language into every owner record of an address."""
    for owner_id in owner_ids:
        row = row_to_edit(work.session, Owner, owner_id)
        columns = {"locale": locale.value}
        write_columns(work, AuditEvent.OWNER_EDITED, row, columns=columns)


def edit_owner(work: Work, *, owner_id: str, version: int, written: WrittenOwner) -> int:
    """Write an owner anew and return the version; `Collision` when it changed since it was seen."""
    row = row_to_edit(work.session, Owner, owner_id, version)
    write_columns(work, AuditEvent.OWNER_EDITED, row, columns=checked_owner(written))
    return row.version


def owners_of_address(session: Session, workspace_id: str, address: str) -> Sequence[str]:
    """Return the ids of the owners of a workspace who have this folded address."""
    rows = session.execute(
        select(Owner.id, Owner.email)
        .where(Owner.workspace_id == workspace_id, Owner.email.is_not(None))
        .order_by(Owner.id)
    )
    return [id_ for id_, email in rows if folded_address(email or "") == address]


def is_owners_address(session: Session, workspace_id: str, address: str) -> bool:
    """Tell whether a registered owner of the workspace has the address."""
    return bool(owners_of_address(session, workspace_id, address))


def language_of_owners(session: Session, owner_ids: Sequence[str]) -> str:
    """Return the language the first of some owners is written to in."""
    asked = select(Owner.locale).where(Owner.id.in_(list(owner_ids))).order_by(Owner.id)
    return session.scalars(asked).first() or "ja"


_NAMED = (
    select(AuditRecord.subject_id, AuditRecord.at, AuditRecord.before)
    .where(
        AuditRecord.subject_kind == "building",
        AuditRecord.audit_event == AuditEvent.BUILDING_OWNER_NAMED.value,
        AuditRecord.before.is_not(None),
    )
    .order_by(AuditRecord.at, AuditRecord.id)
)


class Handover(NamedTuple):
    """The day on which a building left an owner."""

    on: date
    owner_id: str


def handovers(session: Session, building_ids: Collection[str]) -> Mapping[str, Sequence[Handover]]:
    """Return who owned the buildings before and until when, the earliest first."""
    found: dict[str, list[Handover]] = defaultdict(list)
    rows = session.execute(_NAMED.where(one_of(AuditRecord.subject_id, building_ids)))
    for building_id, at, before in rows:
        if before.get("owner_id") is not None:
            found[building_id].append(Handover(day_of(at), before["owner_id"]))
    return found


def owner_on(day: date, handed: Sequence[Handover], owner_now: str | None) -> str | None:
    """Return who owned a building at the end of a day; days without an owner go to the next."""
    return next((one.owner_id for one in handed if one.on > day), owner_now)


def left_by(session: Session, owner_ids: Collection[str]) -> Collection[str]:
    """Return the ids of the buildings that left one of the owners."""
    rows = session.execute(_NAMED)
    return {id_ for id_, _, before in rows if before.get("owner_id") in set(owner_ids)}


class OwnedBuilding(NamedTuple):
    """A building as the owners of an address are shown it; it may be somebody else's by now."""

    id: str
    owner_id: str | None
    readers: frozenset[str]
    name: Bilingual
    address: Bilingual


class OwnedUnit(NamedTuple):
    """A unit of it: its name and size, nobody's data."""

    id: str
    name: str
    layout: str | None
    rent_yen: int | None


def owned_buildings(session: Session, owner_ids: Sequence[str]) -> Sequence[OwnedBuilding]:
    """Return the buildings of the owners by name."""
    held = one_of(Building.id, _co_owned(session, owner_ids, is_now=True))
    return _buildings(session, owner_ids, or_(one_of(Building.owner_id, owner_ids), held))


def ever_owned_buildings(session: Session, owner_ids: Sequence[str]) -> Sequence[OwnedBuilding]:
    """Return the buildings the owners own, and those they owned before, by name."""
    theirs = one_of(Building.owner_id, owner_ids)
    left = left_by(session, owner_ids)
    told = {*left, *_co_owned(session, owner_ids, is_now=False)}
    return _buildings(session, owner_ids, or_(theirs, one_of(Building.id, told)))


def _co_owned(session: Session, owner_ids: Collection[str], *, is_now: bool) -> Collection[str]:
    """The ids of the buildings that the owners hold a share of, or ever held one."""
    held = select(BuildingShare.building_id).where(one_of(BuildingShare.owner_id, owner_ids))
    ever = set(session.scalars(held))
    if not is_now:
        return ever
    newest: dict[str, set[str]] = {}
    rows = session.scalars(
        select(BuildingShare)
        .where(one_of(BuildingShare.building_id, ever))
        .order_by(BuildingShare.building_id, BuildingShare.from_on)
    )
    for (building_id, _), shares in groupby(rows, lambda row: (row.building_id, row.from_on)):
        newest[building_id] = {row.owner_id for row in shares}
    return {id_ for id_, holders in newest.items() if not holders.isdisjoint(owner_ids)}


def _buildings(
    session: Session, owner_ids: Sequence[str], wanted: ColumnElement[bool]
) -> Sequence[OwnedBuilding]:
    rows = session.execute(
        select(
            Building.id,
            Building.owner_id,
            Building.name,
            Building.name_en,
            Building.address,
            Building.address_en,
        )
        .where(wanted)
        .order_by(Building.name_key, Building.id)
    )
    readers = frozenset(owner_ids)
    return [
        OwnedBuilding(id_, owner_id, readers, Bilingual(ja, en), Bilingual(address, address_en))
        for id_, owner_id, ja, en, address, address_en in rows
    ]


def owned_units(session: Session, building_id: str) -> Sequence[OwnedUnit]:
    """Return the units of a building by name."""
    rows = session.execute(
        select(Unit.id, Unit.name, Unit.layout, Unit.rent_yen)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name_key, Unit.id)
    )
    return [OwnedUnit._make(row) for row in rows]
