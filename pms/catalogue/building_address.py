"""Where a building stands, in both languages."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.foundation.bilingual import Bilingual


def building_address(session: Session, building_id: str) -> Bilingual:
    """Return the address of a building of this workspace."""
    asked = select(Building.address, Building.address_en).where(Building.id == building_id)
    return Bilingual(*session.execute(asked).one())
