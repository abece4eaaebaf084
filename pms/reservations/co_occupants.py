"""Who lives with the resident, as the contract names them."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.reservations.models import CoOccupant
from pms.reservations.name_co_occupants import NamedPerson


def co_occupants(session: Session, reservation_id: str) -> Sequence[NamedPerson]:
    """Return the co-occupants of a reservation in their order."""
    rows = session.execute(
        select(CoOccupant.name, CoOccupant.name_kana)
        .where(CoOccupant.reservation_id == reservation_id)
        .order_by(CoOccupant.position)
    )
    return [NamedPerson._make(row) for row in rows]
