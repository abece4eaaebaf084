"""Owners as they are listed and chosen."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, BuildingShare, Owner
from pms.catalogue.owners import shares_of_buildings
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual


class OwnerLine(NamedTuple):
    """An owner in a list, with the names of their buildings."""

    id: str
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    buildings: Sequence[tuple[str, Bilingual]]


class OwnerChoice(NamedTuple):
    """An owner as a choice."""

    id: str
    name: str


def owner_lines(session: Session, paging: Paging) -> tuple[list[OwnerLine], int]:
    """Return one page of the owners by name with their buildings, and the total count."""
    total = session.scalar(select(func.count()).select_from(Owner)) or 0
    rows = session.execute(
        select(Owner.id, Owner.name, Owner.name_kana, Owner.email, Owner.phone)
        .order_by(func.coalesce(Owner.name_kana, Owner.name), Owner.id)
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    ).all()
    owned = list_owned_buildings(session, [row[0] for row in rows])
    return [OwnerLine(*row, owned.get(row[0], ())) for row in rows], total


def list_owned_buildings(
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
    # Add the buildings of which owners have a share without leading.
    held = select(BuildingShare.building_id).where(BuildingShare.owner_id.in_(owner_ids))
    history = shares_of_buildings(session, set(session.scalars(held)))
    names = select(Building.id, Building.name, Building.name_en).order_by(Building.name_key)
    for id_, ja, en in session.execute(names.where(Building.id.in_(history))) if history else ():
        for share in history[id_][-1].shares:
            known = owned[share.owner_id] if share.owner_id in owner_ids else None
            if known is not None and (id_, Bilingual(ja, en)) not in known:
                known.append((id_, Bilingual(ja, en)))
    return dict(owned)


def owner_choices(session: Session) -> list[OwnerChoice]:
    """Return every owner by name, as choices."""
    rows = session.execute(select(Owner.id, Owner.name).order_by(Owner.name, Owner.id))
    return [OwnerChoice(id_, name) for id_, name in rows]
