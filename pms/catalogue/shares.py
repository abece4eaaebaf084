"""Shares of several owners in a building: who owns it on a day, and setting the shares."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import count_change, row_to_edit, write_columns
from pms.catalogue.models import Building, BuildingShare, Owner
from pms.catalogue.owners import Handover, handovers, owner_on
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.owner_shares import OwnerShare

MOST_OWNERS = 6
"""Owners that the form has room for; more name one of them for all."""


class SharesFrom(NamedTuple):
    """The shares from a day on, the first named first."""

    from_on: date
    shares: tuple[OwnerShare, ...]


def shares_of_buildings(
    session: Session, building_ids: Collection[str]
) -> Mapping[str, Sequence[SharesFrom]]:
    """Return every set of shares of the buildings, the earliest first."""
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
    """Return who owned a building at the end of a day, and what part; empty for nobody."""
    in_force = [one.shares for one in history if one.from_on <= day]
    if in_force:
        return in_force[-1]
    owner_id = owner_on(day, handed, owner_now)
    return () if owner_id is None else (OwnerShare(owner_id, 1, 1),)


def building_shares_on(session: Session, building: Building, day: date) -> Sequence[OwnerShare]:
    """Return who owned one building at the end of a day, and what part."""
    return shares_on(
        day,
        shares_of_buildings(session, [building.id]).get(building.id, ()),
        handovers(session, [building.id]).get(building.id, ()),
        building.owner_id,
    )


def write_shares(
    work: Work,
    *,
    building_id: str,
    from_on: date,
    parts: Sequence[tuple[str, Fraction]],
    version: int | None = None,
) -> int:
    """Write whose the building is from a day on, and return its version; the first named leads.

    The same day again replaces what was written for it; one owner alone owns the whole. Raises
    `Refused` when the parts are not the whole, and for a day before the shares of a later one.
    """
    row = row_to_edit(work.session, Building, building_id, version)
    _refuse(work, building_id, from_on, parts)
    before = shares_of_buildings(work.session, [building_id]).get(building_id, ())
    work.session.execute(
        delete(BuildingShare).where(
            BuildingShare.building_id == building_id, BuildingShare.from_on == from_on
        )
    )
    shares = [OwnerShare(id_, part.numerator, part.denominator) for id_, part in parts]
    for position, (share, (owner_id, _part)) in enumerate(zip(shares, parts, strict=True), 1):
        row_to_edit(work.session, Owner, owner_id)
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
    note_audit_event(
        work,
        AuditEvent.BUILDING_SHARES_SET,
        ("building", building_id),
        before={"shares": _said(work.session, before[-1].shares)} if before else None,
        after={"from_on": from_on, "shares": _said(work.session, shares)},
    )
    if row.owner_id == parts[0][0]:
        count_change(row, work.clock)
    write_columns(work, AuditEvent.BUILDING_OWNER_NAMED, row, columns={"owner_id": parts[0][0]})
    work.session.flush()
    return row.version


def _refuse(
    work: Work, building_id: str, from_on: date, parts: Sequence[tuple[str, Fraction]]
) -> None:
    if not parts:
        raise Refused("owner1: name at least one owner.")
    if len({owner_id for owner_id, _ in parts}) < len(parts):
        raise Refused("owner1: each owner is named once.")
    whole = sum(part for _, part in parts)
    if whole != 1:
        raise Refused(
            "share1: the shares add up to {sum}; they must add up to the whole, 1/1.",
            sum=f"{whole.numerator}/{whole.denominator}",
        )
    if from_on > work.clock.today():
        raise Refused("fromOn: {day} has not come yet.", day=from_on)
    history = shares_of_buildings(work.session, [building_id]).get(building_id, ())
    if history and from_on < history[-1].from_on:
        raise Refused(
            "fromOn: {day} is before {last}, from which later shares hold.",
            day=from_on,
            last=history[-1].from_on,
        )


def _said(session: Session, shares: Sequence[OwnerShare]) -> str:
    names = owner_names(session, shares)
    return ", ".join(f"{names[share.owner_id]} {share.said}" for share in shares)


def owner_names(session: Session, shares: Sequence[OwnerShare]) -> Mapping[str, str]:
    """Return the names of owners by their ids."""
    asked = select(Owner.id, Owner.name)
    return dict(session.execute(asked.where(Owner.id.in_([one.owner_id for one in shares]))).all())


def end_shares(work: Work, building: Building, owner_id: str | None) -> None:
    """Give a building whose shares are in force to one owner alone from today on.

    Raises `Refused` for nobody, and for a day before the shares began.
    """
    history = shares_of_buildings(work.session, [building.id]).get(building.id, ())
    if not history or history[-1].shares == (OwnerShare(owner_id or "", 1, 1),):
        return
    if owner_id is None:
        raise Refused("owner: the building has shares; name the owner it belongs to from now on.")
    write_shares(
        work,
        building_id=building.id,
        from_on=work.clock.today(),
        parts=[(owner_id, Fraction(1))],
    )
