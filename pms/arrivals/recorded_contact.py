"""Reads the contact of a reservation as it is edited, with the version that was read."""

from dataclasses import fields
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.contact import Contact
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation


class RecordedContact(NamedTuple):
    """A contact, and the version of the reservation it was read from."""

    contact: Contact
    version: int


def recorded_contact(session: Session, reservation_id: str) -> RecordedContact:
    """Return the contact as it is recorded; raise `NotFound` for an id of nobody here."""
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    contact = Contact(**{field.name: getattr(row, field.name) for field in fields(Contact)})
    return RecordedContact(contact, row.version)
