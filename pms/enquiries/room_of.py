"""Finds the unit that the office means by a building and a room number, as it is typed."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.catalogue.names import room_key
from pms.foundation.errors import Refused


def room_of(session: Session, building_id: str | None, room: str | None) -> str | None:
    """Return the unit's id, nothing for no room; raise `Refused` for a room that is not there.

    Without a building the room's number has to be the only one of its kind.
    """
    if not room:
        return None
    question = select(Unit.id).where(Unit.name_key == room_key(room)).limit(2)
    if building_id:
        question = question.where(Unit.building_id == building_id)
    found = session.scalars(question).all()
    if not found:
        raise Refused("unit: there is no room '{room}' here.", room=room[:60])
    if len(found) > 1:
        raise Refused("unit: several buildings have a room '{room}'; choose one.", room=room[:60])
    return found[0]
