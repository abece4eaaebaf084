"""Puts somebody on the waitlist."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import (
    LONGEST_NAME,
    LONGEST_TEXT,
    checked_email,
    checked_phone,
    checked_text,
    needed_text,
)
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.wanted_place import wanted_place
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.rules.enumerations import WaitlistState


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Who waits, for which unit or building or for any, and from which day."""

    name: str | None
    email: str | None = None
    phone: str | None = None
    wanted_from_on: date
    unit_id: str | None = None
    building_id: str | None = None
    note: str | None = None


def add_to_waitlist(session: Session, clock: Clock, actor: str, *, wanted: Wanted) -> str:
    """Store the place and return its id; a unit named says more than a building.

    Raises `Refused` without a way to reach the person, for a day past, and for a place of nobody
    here. Waiting holds no unit and promises none.
    """
    _refuse_past(wanted.wanted_from_on, clock.today())
    unit_id, building_id = wanted_place(session, wanted.unit_id, wanted.building_id)
    email, phone = checked_email("email", wanted.email), checked_phone("phone", wanted.phone)
    if email is None and phone is None:
        raise Refused("email: state an address or a telephone number; one of them is needed.")
    row = WaitlistPlace(
        id=new_id(),
        unit_id=unit_id,
        building_id=building_id,
        name=needed_text("name", wanted.name, LONGEST_NAME),
        email=email,
        phone=phone,
        wanted_from_on=wanted.wanted_from_on,
        note=checked_text("note", wanted.note, LONGEST_TEXT),
        state=WaitlistState.WAITING,
        added_at=clock.now(),
        added_by=actor,
        changed_at=clock.now(),
        changed_by=actor,
    )
    session.add(row)
    note_change(session, clock, actor, Deed.WAITLIST_PLACE_ADDED, row)
    session.flush()
    return row.id


def _refuse_past(day: date, today: date) -> None:
    if day < today:
        raise Refused("wantedFrom: {day} is past; today is {today}.", day=day, today=today)
