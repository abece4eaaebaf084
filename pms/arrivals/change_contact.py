"""Corrects who a reservation is with and how they are reached."""

from dataclasses import fields

from sqlalchemy.orm import Session

from pms.arrivals.contact import Contact, checked_contact
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.reservations.changing import mark_changed, reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed


def change_contact(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    contact: Contact,
    expected_version: int | None = None,
) -> Reservation:
    """Write the contact as stated; another occupant is an amendment, not a correction.

    Raises `Refused` for a bad text, `Collision` when somebody else was faster.
    """
    wanted = checked_contact(contact)
    row = reservation_to_change(session, reservation_id, expected_version)
    for field in fields(Contact):
        if getattr(row, field.name) != getattr(wanted, field.name):
            setattr(row, field.name, getattr(wanted, field.name))
    if session.is_modified(row):
        note_change(session, clock, actor, Deed.CONTACT_CHANGED, row)
        mark_changed(row, clock, actor)
    session.flush()
    return row
