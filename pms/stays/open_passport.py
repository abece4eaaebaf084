"""Opens the copy of a guest's passport, and writes down who did."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.rules.deeds import Deed
from pms.stays.models import CheckInLink, GuestRegistration


def open_passport(
    session: Session, clock: Clock, actor: str, *, link_id: str, guest_id: str
) -> str:
    """Return the key of the file; raise `NotFound` when this stay has no such copy."""
    row = None
    if is_id(link_id) and is_id(guest_id):
        row = session.execute(
            select(
                GuestRegistration.passport_file_key,
                GuestRegistration.position,
                CheckInLink.reservation_id,
            )
            .join(
                CheckInLink,
                (CheckInLink.workspace_id == GuestRegistration.workspace_id)
                & (CheckInLink.id == GuestRegistration.link_id),
            )
            .where(
                GuestRegistration.id == guest_id,
                CheckInLink.id == link_id,
                GuestRegistration.passport_file_key.is_not(None),
            )
        ).first()
    if row is None:
        raise NotFound("There is no copy of a passport of '{id}'.", id=guest_id[:60])
    told = {"guest_number": row.position}
    about = of_reservation(row.reservation_id)
    note_deed(session, clock, actor, Deed.PASSPORT_OPENED, about, after=told)
    return str(row.passport_file_key)
