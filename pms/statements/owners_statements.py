"""The published statements an owner may read: the newest version of each month of their buildings."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.owned_buildings import OwnedBuilding
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.rules.deeds import Deed
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import OwnerFigures
from pms.statements.published_figures import read


class OwnersStatement(NamedTuple):
    """One version of a building's month as it was published."""

    id: str
    building_id: str
    month_on: date
    version: int
    published_at: datetime
    owner: str
    figures: OwnerFigures


class MonthLink(NamedTuple):
    """A month of a building and the newest version of its statement."""

    month_on: date
    statement_id: str


def months_of_owner(session: Session, buildings: Sequence[OwnedBuilding]) -> Sequence[date]:
    """Return the months in which any of the buildings has a statement, the newest first."""
    since = owned_since(session, buildings)
    rows = session.execute(
        select(
            OwnerStatement.building_id,
            OwnerStatement.month_on,
            func.max(OwnerStatement.published_at),
        )
        .where(one_of(OwnerStatement.building_id, _ids(buildings)))
        .group_by(OwnerStatement.building_id, OwnerStatement.month_on)
    )
    months = {row[1] for row in rows if _is_theirs(row[0], row[2], since)}
    return sorted(months, reverse=True)


def statements_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], from_on: date, through_on: date
) -> Sequence[OwnersStatement]:
    """Return the newest version of each month from one to another, the newest month first.

    Two questions, however many months and buildings.
    """
    since = owned_since(session, buildings)
    rows = session.scalars(
        select(OwnerStatement)
        .where(
            one_of(OwnerStatement.building_id, _ids(buildings)),
            OwnerStatement.month_on >= from_on,
            OwnerStatement.month_on <= through_on,
        )
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version)
    )
    newest = {
        (row.building_id, row.month_on): row
        for row in rows
        if _is_theirs(row.building_id, row.published_at, since)
    }
    return [_statement(row) for row in newest.values()]


def statement_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], statement_id: str
) -> OwnersStatement:
    """Return a statement of one of the buildings; raise `NotFound` for any other."""
    asked = select(OwnerStatement).where(
        OwnerStatement.id == statement_id,
        one_of(OwnerStatement.building_id, _ids(buildings)),
    )
    row = session.scalar(asked) if is_id(statement_id) else None
    since = owned_since(session, buildings)
    if row is None or not _is_theirs(row.building_id, row.published_at, since):
        raise NotFound("There is no statement '{statement_id}'.", statement_id=statement_id[:60])
    return _statement(row)


def month_links(session: Session, building: OwnedBuilding) -> Sequence[MonthLink]:
    """Return every month of a building with a statement, the newest first."""
    since = owned_since(session, [building])
    rows = session.execute(
        select(OwnerStatement.month_on, OwnerStatement.id, OwnerStatement.published_at)
        .where(OwnerStatement.building_id == building.id)
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version)
    )
    newest = {
        month_on: id_
        for month_on, id_, published_at in rows
        if _is_theirs(building.id, published_at, since)
    }
    return [MonthLink(month_on, id_) for month_on, id_ in newest.items()]


def owned_since(session: Session, buildings: Sequence[OwnedBuilding]) -> Mapping[str, datetime]:
    """Return when a building was taken over from another owner, of those that were.

    What was published before then was made for the owner before.
    """
    rows = session.execute(
        select(AuditRecord.subject_id, AuditRecord.at, AuditRecord.before)
        .where(
            AuditRecord.subject_kind == "building",
            AuditRecord.deed == Deed.BUILDING_OWNER_NAMED.value,
            one_of(AuditRecord.subject_id, _ids(buildings)),
        )
        .order_by(AuditRecord.at)
    )
    owners = {building.id: building.owner_id for building in buildings}
    return {
        building_id: at
        for building_id, at, before in rows
        if (before or {}).get("owner_id") not in (None, owners[building_id])
    }


def _is_theirs(building_id: str, published_at: datetime, since: Mapping[str, datetime]) -> bool:
    return building_id not in since or published_at >= since[building_id]


def _ids(buildings: Sequence[OwnedBuilding]) -> list[str]:
    return [building.id for building in buildings]


def _statement(row: OwnerStatement) -> OwnersStatement:
    published = read(row.figures)
    return OwnersStatement(
        row.id,
        row.building_id,
        row.month_on,
        row.version,
        row.published_at,
        published.owner,
        published.figures,
    )
