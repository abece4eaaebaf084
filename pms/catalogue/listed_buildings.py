"""Loads what listings show of buildings, in both languages and in a fixed number of questions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.listed_units import ListedPhoto, photos_of
from pms.catalogue.models import Building, Photo, Unit
from pms.catalogue.slugs import place_with_slug
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound
from pms.foundation.paging import Paging


class BuildingPage(NamedTuple):
    """Everything a listing shows of a building but what is free in it."""

    id: str
    slug: str
    name: Bilingual
    area: Bilingual
    address: Bilingual
    access: Bilingual
    description: Bilingual
    updated_at: datetime
    unit_ids: Sequence[str]
    least_rent_yen: int | None
    photos: Sequence[ListedPhoto]


_BUILDINGS = select(
    Building.id,
    Building.slug,
    Building.name,
    Building.name_en,
    Building.area,
    Building.area_en,
    Building.address,
    Building.address_en,
    Building.access_ja,
    Building.access_en,
    Building.description_ja,
    Building.description_en,
    Building.updated_at,
).order_by(Building.name_key, Building.id)


def listed_buildings(session: Session, paging: Paging) -> tuple[list[BuildingPage], int]:
    """Return one page of the buildings by name, and how many there are in all."""
    total = session.scalar(select(func.count()).select_from(Building)) or 0
    page = _BUILDINGS.offset(min(paging.offset, total)).limit(paging.limit)
    return _pages(session, session.execute(page).all()), total


def building_with_slug(session: Session, slug: str) -> BuildingPage:
    """Return the building that has or had this slug; raise `NotFound` when there is none."""
    building_id = place_with_slug(session, Building, slug)
    if building_id is None:
        raise NotFound("There is no building '{slug}'.", slug=slug[:60])
    return building_with_id(session, building_id)


def building_with_id(session: Session, building_id: str) -> BuildingPage:
    """Return a building that is known to be there."""
    return _pages(session, session.execute(_BUILDINGS.where(Building.id == building_id)).all())[0]


def _pages(session: Session, rows: Sequence[Any]) -> list[BuildingPage]:
    ids = [row[0] for row in rows]
    photos = photos_of(session, Photo.building_id, ids)
    units: dict[str, list[tuple[str, int | None]]] = {id_: [] for id_ in ids}
    for building_id, unit_id, rent_yen in session.execute(
        select(Unit.building_id, Unit.id, Unit.rent_yen)
        .where(Unit.building_id.in_(ids))
        .order_by(Unit.id)
    ):
        units[building_id].append((unit_id, rent_yen))
    return [_page(row, units[row[0]], photos.get(row[0], ())) for row in rows]


def _page(
    row: Any, units: Sequence[tuple[str, int | None]], photos: Sequence[ListedPhoto]
) -> BuildingPage:
    rents = [rent_yen for _, rent_yen in units if rent_yen is not None]
    return BuildingPage(
        row.id,
        row.slug,
        Bilingual(row.name, row.name_en),
        Bilingual(row.area, row.area_en),
        Bilingual(row.address, row.address_en),
        Bilingual(row.access_ja, row.access_en),
        Bilingual(row.description_ja, row.description_en),
        row.updated_at,
        [unit_id for unit_id, _ in units],
        min(rents, default=None),
        photos,
    )
