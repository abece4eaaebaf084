"""Says whether a unit that somebody names by its id is one of the workspace's own."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id


def known_unit(session: Session, unit_id: str) -> str:
    """Return the id; raise `NotFound` for a unit of nobody here."""
    known = is_id(unit_id) and session.scalar(select(Unit.id).where(Unit.id == unit_id))
    if not known:
        raise NotFound("There is no unit '{unit_id}'.", unit_id=unit_id[:60])
    return unit_id
