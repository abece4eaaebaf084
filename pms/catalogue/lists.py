"""Lists buildings and owners for the office, a page at a time and in a fixed number of questions."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.paging import Paging
from pms.foundation.search import finds


class BuildingLine(NamedTuple):
    """A building in a list."""

    id: str
    name: Bilingual
    area: Bilingual
    owner_id: str | None
    owner: str | None
    unit_count: int


class OwnerLine(NamedTuple):
    """An owner in a list, with the names of what they own."""

    id: str
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    buildings: Sequence[tuple[str, Bilingual]]


class OwnerChoice(NamedTuple):
    """An owner to choose."""

    id: str
    name: str


def building_lines(
    session: Session, paging: Paging, text: str = ""
) -> tuple[list[BuildingLine], int]:
    """Return one page of the buildings whose texts hold the words, by name, and the count."""
    wanted = finds(text, Building.search_text)
    total = session.scalar(select(func.count()).select_from(Building).where(wanted)) or 0
    counted = (
        select(func.count())
        .where(Unit.workspace_id == Building.workspace_id, Unit.building_id == Building.id)
        .correlate(Building)
        .scalar_subquery()
    )
    owns = (Owner.workspace_id == Building.workspace_id) & (Owner.id == Building.owner_id)
    rows = session.execute(
        select(
            Building.id,
            Building.name,
            Building.name_en,
            Building.area,
            Building.area_en,
            Building.owner_id,
            Owner.name,
            counted,
        )
        .outerjoin(Owner, owns)
        .where(wanted)
        .order_by(Building.name_key, Building.id)
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return [
        BuildingLine(id_, Bilingual(ja, en), Bilingual(area, area_en), owner_id, owner, count)
        for id_, ja, en, area, area_en, owner_id, owner, count in rows
    ], total


def owner_lines(session: Session, paging: Paging) -> tuple[list[OwnerLine], int]:
    """Return one page of the owners by name with their buildings, and the count."""
    total = session.scalar(select(func.count()).select_from(Owner)) or 0
    rows = session.execute(
        select(Owner.id, Owner.name, Owner.name_kana, Owner.email, Owner.phone)
        .order_by(func.coalesce(Owner.name_kana, Owner.name), Owner.id)
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    ).all()
    owned = buildings_owned(session, [row[0] for row in rows])
    return [OwnerLine(*row, owned.get(row[0], ())) for row in rows], total


def buildings_owned(
    session: Session, owner_ids: Sequence[str]
) -> dict[str, list[tuple[str, Bilingual]]]:
    """Return the buildings of owners, by name."""
    owned: defaultdict[str, list[tuple[str, Bilingual]]] = defaultdict(list)
    for owner_id, id_, ja, en in session.execute(
        select(Building.owner_id, Building.id, Building.name, Building.name_en)
        .where(Building.owner_id.in_(owner_ids))
        .order_by(Building.name_key, Building.id)
    ):
        owned[str(owner_id)].append((id_, Bilingual(ja, en)))
    return dict(owned)


def owner_choices(session: Session) -> list[OwnerChoice]:
    """Return every owner by name, to choose one."""
    rows = session.execute(select(Owner.id, Owner.name).order_by(Owner.name, Owner.id))
    return [OwnerChoice(id_, name) for id_, name in rows]
