"""Questions about the catalogue."""

from collections.abc import Container
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.catalogue.slugs import place_with_slug
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound


def unit_with_slug(session: Session, slug: str) -> str:
    """Return the id of the unit that has or had this slug; raise `NotFound` when there is none."""
    unit_id = place_with_slug(session, Unit, slug)
    if unit_id is None:
        raise NotFound("There is no unit '{slug}'.", slug=slug[:60])
    return unit_id


def areas(session: Session) -> list[Bilingual]:
    """Return the areas that have buildings, each once, in order."""
    rows = session.execute(
        select(Building.area, Building.area_en).distinct().order_by(Building.area, Building.area_en)
    )
    return [Bilingual(ja, en) for ja, en in rows]


def listed_slugs(session: Session, unit_ids: Container[str]) -> list[tuple[str, str, datetime]]:
    """Return (section, slug, last change) of every building, and of these units."""
    buildings = session.execute(select(Building.slug, Building.updated_at).order_by(Building.slug))
    asked = select(Unit.id, Unit.slug, Unit.updated_at).order_by(Unit.slug)
    units = (row for row in session.execute(asked) if row[0] in unit_ids)
    return [
        *(("buildings", slug, updated_at) for slug, updated_at in buildings),
        *(("units", slug, updated_at) for _id, slug, updated_at in units),
    ]
