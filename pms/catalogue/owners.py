"""Owners: their records, and their shares in a building."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    WrittenOwner,
    add_row,
    check_owner,
    count_change,
    write_columns,
)
from pms.catalogue.models import Building, BuildingShare, Owner, Unit
from pms.foundation.audit import AuditRecord, note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.versions import asked_once
from pms.foundation.work import Work, locked
from pms.rules.addresses import folded_address
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import Locale
from pms.rules.owner_income import OwnerShare


def add_owner(work: Work, *, written: WrittenOwner) -> str:
    """Store an owner and return their id; names need not be unique."""
    row = Owner(**check_owner(written), created_at=work.clock.now())
    return add_row(work, AuditEvent.OWNER_ADDED, row)


def choose_owner_language(work: Work, *, owner_ids: Sequence[str], locale: Locale) -> None:
    """Set the language of every owner record of an address."""
    for owner_id in owner_ids:
        row = locked(work.session, Owner, owner_id)
        columns = {"locale": locale.value}
        write_columns(work, AuditEvent.OWNER_EDITED, row, columns=columns)


def edit_owner(work: Work, *, owner_id: str, version: int, written: WrittenOwner) -> int:
    """Update an owner and return the version; `Collision` for an outdated version."""
    row = locked(work.session, Owner, owner_id, version)
    write_columns(work, AuditEvent.OWNER_EDITED, row, columns=check_owner(written))
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
    """Whether an owner of the workspace has the address."""
    return bool(owners_of_address(session, workspace_id, address))


def language_of_owners(session: Session, owner_ids: Sequence[str]) -> str:
    """Return the language of the first of these owners."""
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
    """The day on which a building passed from an owner."""

    on: date
    owner_id: str


def handovers(session: Session, building_ids: Collection[str]) -> Mapping[str, Sequence[Handover]]:
    """Return the buildings' previous owners and the days they gave them up, earliest first."""
    return asked_once(session, _read_handovers, tuple(sorted(building_ids)))


def _read_handovers(
    session: Session, building_ids: tuple[str, ...]
) -> Mapping[str, Sequence[Handover]]:
    found: dict[str, list[Handover]] = defaultdict(list)
    rows = session.execute(_NAMED.where(one_of(AuditRecord.subject_id, building_ids)))
    for building_id, at, before in rows:
        if before.get("owner_id") is not None:
            found[building_id].append(Handover(day_of(at), before["owner_id"]))
    return found


def owner_on(day: date, handed: Sequence[Handover], owner_now: str | None) -> str | None:
    """Return the owner of a building at the end of a day; days without one count for the next."""
    return next((handover.owner_id for handover in handed if handover.on > day), owner_now)


def list_former_buildings(session: Session, owner_ids: Collection[str]) -> Collection[str]:
    """Return the ids of the buildings that one of the owners no longer owns."""
    rows = session.execute(_NAMED)
    return {id_ for id_, _, before in rows if before.get("owner_id") in set(owner_ids)}


class OwnedBuilding(NamedTuple):
    """A building as its owners see it; it may have a new owner by now."""

    id: str
    owner_id: str | None
    readers: frozenset[str]
    name: Bilingual
    address: Bilingual


class OwnedUnit(NamedTuple):
    """A unit of an owned building: its name and size, no personal data."""

    id: str
    name: str
    layout: str | None
    rent_yen: int | None


def owned_buildings(session: Session, owner_ids: Sequence[str]) -> Sequence[OwnedBuilding]:
    """Return the buildings of the owners by name."""
    held = one_of(Building.id, _list_shared_buildings(session, owner_ids, is_now=True))
    return _list_buildings(session, owner_ids, or_(one_of(Building.owner_id, owner_ids), held))


def ever_owned_buildings(session: Session, owner_ids: Sequence[str]) -> Sequence[OwnedBuilding]:
    """Return the present and former buildings of the owners, by name."""
    return asked_once(session, _read_ever_owned, tuple(owner_ids))


def _read_ever_owned(session: Session, owner_ids: tuple[str, ...]) -> Sequence[OwnedBuilding]:
    theirs = one_of(Building.owner_id, owner_ids)
    left = list_former_buildings(session, owner_ids)
    building_ids = {*left, *_list_shared_buildings(session, owner_ids, is_now=False)}
    return _list_buildings(session, owner_ids, or_(theirs, one_of(Building.id, building_ids)))


def _list_shared_buildings(
    session: Session, owner_ids: Collection[str], *, is_now: bool
) -> Collection[str]:
    """The ids of the buildings of which the owners have, or ever had, a share."""
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


def _list_buildings(
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


MOST_OWNERS = 6
"""The most owners of one building; more of them appoint one representative."""


class SharesFrom(NamedTuple):
    """The shares from a day on, the leading owner first."""

    from_on: date
    shares: tuple[OwnerShare, ...]


def shares_of_buildings(
    session: Session, building_ids: Collection[str]
) -> Mapping[str, Sequence[SharesFrom]]:
    """Return every set of shares of the buildings, earliest first."""
    return asked_once(session, _read_shares, tuple(sorted(building_ids)))


def _read_shares(
    session: Session, building_ids: tuple[str, ...]
) -> Mapping[str, Sequence[SharesFrom]]:
    found: defaultdict[str, defaultdict[date, list[OwnerShare]]] = defaultdict(
        lambda: defaultdict(list)
    )
    rows = session.scalars(
        select(BuildingShare)
        .where(one_of(BuildingShare.building_id, building_ids))
        .order_by(BuildingShare.from_on, BuildingShare.position)
    )
    for row in rows:
        share = OwnerShare(row.owner_id, row.numerator, row.denominator)
        found[row.building_id][row.from_on].append(share)
    return {
        building_id: [SharesFrom(from_on, tuple(shares)) for from_on, shares in by_day.items()]
        for building_id, by_day in found.items()
    }


def shares_on(
    day: date, history: Sequence[SharesFrom], handed: Sequence[Handover], owner_now: str | None
) -> Sequence[OwnerShare]:
    """Return the owners of a building at the end of a day and their shares; empty for none."""
    in_force = [agreed.shares for agreed in history if agreed.from_on <= day]
    if in_force:
        return in_force[-1]
    owner_id = owner_on(day, handed, owner_now)
    return () if owner_id is None else (OwnerShare(owner_id, 1, 1),)


def building_shares_on(session: Session, building: Building, day: date) -> Sequence[OwnerShare]:
    """Return the owners of one building at the end of a day and their shares."""
    history = shares_of_buildings(session, [building.id]).get(building.id, ())
    is_agreed = any(agreed.from_on <= day for agreed in history)
    # Agreed shares say whose it is, whatever was handed over.
    handed = () if is_agreed else handovers(session, [building.id]).get(building.id, ())
    return shares_on(day, history, handed, building.owner_id)


def write_shares(
    work: Work,
    *,
    building_id: str,
    from_on: date,
    parts: Sequence[tuple[str, Fraction]],
    version: int | None = None,
) -> int:
    """Set a building's owners and shares from a day on and return its version; the first leads.

    The same day again replaces the shares of that day; a single owner has the whole. Raises
    `Refused` when the shares do not add up to the whole, and for a day before a later set of
    shares.
    """
    row = locked(work.session, Building, building_id, version)
    if not parts:
        raise Refused("owner1: choose at least one owner.")
    if len({owner_id for owner_id, _ in parts}) < len(parts):
        raise Refused("owner1: choose each owner only once.")
    whole = sum(part for _, part in parts)
    if whole != 1:
        raise Refused(
            "share1: the shares add up to {sum}. They must add up to 1/1.",
            sum=f"{whole.numerator}/{whole.denominator}",
        )
    if from_on > work.clock.today():
        raise Refused("fromOn: {day} is in the future.", day=from_on)
    history = shares_of_buildings(work.session, [building_id]).get(building_id, ())
    if history and from_on < history[-1].from_on:
        raise Refused(
            "fromOn: {day} is before {last}, when the newest shares begin.",
            day=from_on,
            last=history[-1].from_on,
        )
    before = shares_of_buildings(work.session, [building_id]).get(building_id, ())
    shares = _replace_shares(work, building_id, from_on, parts)
    note_audit_event(
        work,
        AuditEvent.BUILDING_SHARES_SET,
        ("building", building_id),
        before={"shares": _shares_text(work.session, before[-1].shares)} if before else None,
        after={"from_on": from_on, "shares": _shares_text(work.session, shares)},
    )
    if row.owner_id == parts[0][0]:
        count_change(row, work.clock)
    write_columns(work, AuditEvent.BUILDING_OWNER_NAMED, row, columns={"owner_id": parts[0][0]})
    work.session.flush()
    return row.version


def _replace_shares(
    work: Work, building_id: str, from_on: date, parts: Sequence[tuple[str, Fraction]]
) -> list[OwnerShare]:
    """Store the shares of a day in place of those stored before, and return them."""
    work.session.execute(
        delete(BuildingShare).where(
            BuildingShare.building_id == building_id, BuildingShare.from_on == from_on
        )
    )
    shares = [OwnerShare(id_, part.numerator, part.denominator) for id_, part in parts]
    for position, (share, (owner_id, _part)) in enumerate(zip(shares, parts, strict=True), 1):
        locked(work.session, Owner, owner_id)
        work.session.add(
            BuildingShare(
                building_id=building_id,
                from_on=from_on,
                position=position,
                **share._asdict(),
                written_at=work.clock.now(),
                written_by=work.actor,
            )
        )
    return shares


def _shares_text(session: Session, shares: Sequence[OwnerShare]) -> str:
    names = owner_names(session, shares)
    return ", ".join(f"{names[share.owner_id]} {share.text}" for share in shares)


def owner_names(session: Session, shares: Sequence[OwnerShare]) -> Mapping[str, str]:
    """Return the names of owners by their ids."""
    asked = select(Owner.id, Owner.name)
    return dict(
        session.execute(asked.where(Owner.id.in_([share.owner_id for share in shares]))).all()
    )


def end_shares(work: Work, building: Building, owner_id: str | None) -> None:
    """End a building's present shares: it belongs to one owner from today on.

    Raises `Refused` without an owner, and for a day before the shares began.
    """
    history = shares_of_buildings(work.session, [building.id]).get(building.id, ())
    if not history or history[-1].shares == (OwnerShare(owner_id or "", 1, 1),):
        return
    if owner_id is None:
        raise Refused("owner: the building has shares. Choose the owner it belongs to from now on.")
    write_shares(
        work,
        building_id=building.id,
        from_on=work.clock.today(),
        parts=[(owner_id, Fraction(1))],
    )
