"""The published statements an owner may read: the newest version of each month of their buildings.

A month is told to whoever owned the building on its last day.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.owned_buildings import OwnedBuilding
from pms.catalogue.owners_by_day import handovers, owner_on
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.rules.days import month_last
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
    theirs = _Theirs(session, buildings)
    rows = session.execute(
        select(OwnerStatement.building_id, OwnerStatement.month_on)
        .where(one_of(OwnerStatement.building_id, _ids(buildings)))
        .distinct()
    )
    months = {month_on for building_id, month_on in rows if theirs.has(building_id, month_on)}
    return sorted(months, reverse=True)


def statements_of_owner(
    session: Session, buildings: Sequence[OwnedBuilding], from_on: date, through_on: date
) -> Sequence[OwnersStatement]:
    """Return the newest version of each month from one to another, the newest month first.

    Two questions, however many months and buildings.
    """
    theirs = _Theirs(session, buildings)
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
        if theirs.has(row.building_id, row.month_on)
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
    if row is None or not _Theirs(session, buildings).has(row.building_id, row.month_on):
        raise NotFound("There is no statement '{statement_id}'.", statement_id=statement_id[:60])
    return _statement(row)


def month_links(session: Session, building: OwnedBuilding) -> Sequence[MonthLink]:
    """Return every month of a building with a statement, the newest first."""
    theirs = _Theirs(session, [building])
    rows = session.execute(
        select(OwnerStatement.month_on, OwnerStatement.id)
        .where(OwnerStatement.building_id == building.id)
        .order_by(OwnerStatement.month_on.desc(), OwnerStatement.version)
    )
    newest = {month_on: id_ for month_on, id_ in rows if theirs.has(building.id, month_on)}
    return [MonthLink(month_on, id_) for month_on, id_ in newest.items()]


class _Theirs:
    """Which months of some buildings are told to their readers."""

    def __init__(self, session: Session, buildings: Sequence[OwnedBuilding]) -> None:
        self._buildings = {building.id: building for building in buildings}
        self._handovers = handovers(session, _ids(buildings))

    def has(self, building_id: str, month_on: date) -> bool:
        building, handed = self._buildings[building_id], self._handovers.get(building_id, ())
        return owner_on(month_last(month_on), handed, building.owner_id) in building.readers


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
