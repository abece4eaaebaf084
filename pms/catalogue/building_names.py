"""The buildings of a workspace by name, for filters and choices."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.bilingual import Bilingual


class NamedBuilding(NamedTuple):
    """A building as a choice."""

    id: str
    name: Bilingual


def building_names(session: Session) -> Sequence[NamedBuilding]:
    """Return every building in the order of its name."""
    rows = session.execute(
        select(Building.id, Building.name, Building.name_en).order_by(Building.name, Building.id)
    )
    return [NamedBuilding(id_, Bilingual(name, english)) for id_, name, english in rows]
