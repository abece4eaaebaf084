"""Takes a document in hand to change it: its reservation locked first, then itself, as it stands."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.models import Contract
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.reservations.changing import reservation_to_change
from pms.reservations.models import Reservation


def contract_in_hand(session: Session, contract_id: str) -> tuple[Reservation, Contract]:
    """Return the reservation and its document; two who sign at once meet here.

    Raises `NotFound` for an unknown document.
    """
    asked = select(Contract.reservation_id).where(Contract.id == contract_id)
    reservation_id = session.scalar(asked) if is_id(contract_id) else None
    if reservation_id is None:
        raise NotFound("There is no contract '{contract_id}'.", contract_id=contract_id[:60])
    row = reservation_to_change(session, reservation_id)
    wanted = select(Contract).where(Contract.id == contract_id).with_for_update()
    contract = session.scalars(wanted.execution_options(populate_existing=True)).one()
    return row, contract
