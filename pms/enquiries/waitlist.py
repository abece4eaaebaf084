"""The waitlist: adding people, offering them units and closing their places."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import select

from pms.catalogue.checks import (
    LONGEST_NAME,
    LONGEST_TEXT,
    check_email,
    check_phone,
    check_text,
    needed_text,
)
from pms.enquiries.enquiries import move_enquiry, wanted_place
from pms.enquiries.models import WaitlistPlace
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work, locked
from pms.inbox.models import Enquiry
from pms.rules.audit_events import AuditEvent
from pms.rules.enquiry_steps import may_move
from pms.rules.enumerations import EnquiryState, WaitlistState


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitlistWish:
    """Who waits, for which unit or building or for any, and from which day."""

    name: str | None
    email: str | None = None
    phone: str | None = None
    wanted_from_on: date
    unit_id: str | None = None
    building_id: str | None = None
    note: str | None = None


def add_to_waitlist(work: Work, *, wanted: WaitlistWish) -> str:
    """Store the place and return its id; with a unit, the building is ignored.

    Raises `Refused` without contact data, for a past day, and for an unknown unit or building. A
    place holds no unit and promises none.
    """
    _refuse_past(wanted.wanted_from_on, work.clock.today())
    unit_id, building_id = wanted_place(work.session, wanted.unit_id, wanted.building_id)
    email, phone = check_email("email", wanted.email), check_phone("phone", wanted.phone)
    if email is None and phone is None:
        raise Refused("email: enter an email address or a telephone number.")
    row = WaitlistPlace(
        id=new_id(),
        unit_id=unit_id,
        building_id=building_id,
        name=needed_text("name", wanted.name, LONGEST_NAME),
        email=email,
        phone=phone,
        wanted_from_on=wanted.wanted_from_on,
        note=check_text("note", wanted.note, LONGEST_TEXT),
        state=WaitlistState.WAITING,
        added_at=work.clock.now(),
        added_by=work.actor,
        changed_at=work.clock.now(),
        changed_by=work.actor,
    )
    work.session.add(row)
    note_change(work, AuditEvent.WAITLIST_PLACE_ADDED, row)
    work.session.flush()
    return row.id


def _refuse_past(day: date, today: date) -> None:
    if day < today:
        raise Refused(
            "wantedFrom: {day} is in the past. Choose {today} or later.", day=day, today=today
        )


def move_on(
    work: Work, row: WaitlistPlace, *, audit_event: AuditEvent, into: WaitlistState
) -> None:
    """Set the state, with time and actor; raise `Refused` if it is that already."""
    if row.state in (into, WaitlistState.CLOSED):
        raise Refused("state: this waitlist entry is already {state}.", state=row.state)
    row.state, row.changed_at, row.changed_by = into, work.clock.now(), work.actor
    note_change(work, audit_event, row)
    work.session.flush()


def close_waitlist_place(work: Work, *, place_id: str) -> None:
    """Close the place: the person moved in, found something else, or gave up."""
    row = locked(work.session, WaitlistPlace, place_id)
    audit_event, into = AuditEvent.WAITLIST_PLACE_CLOSED, WaitlistState.CLOSED
    move_on(work, row, audit_event=audit_event, into=into)


def offer_waitlist_place(work: Work, *, place_id: str) -> None:
    """Record that a unit was offered; the office contacts the person, no mail is sent."""
    row = locked(work.session, WaitlistPlace, place_id)
    audit_event, into = AuditEvent.WAITLIST_PLACE_OFFERED, WaitlistState.OFFERED
    move_on(work, row, audit_event=audit_event, into=into)


OPEN: Final = (WaitlistState.WAITING, WaitlistState.OFFERED)
CLOSED: Final = (WaitlistState.CLOSED,)


def note_moving_in(work: Work, *, enquiry_id: str | None, place_id: str | None) -> None:
    """Close the waitlist place and mark the enquiry as won; a closed place stays as it is."""
    place = work.session.scalar(select(WaitlistPlace).where(WaitlistPlace.id == place_id))
    if place is not None and place.state is not WaitlistState.CLOSED:
        close_waitlist_place(work, place_id=place.id)
    if enquiry_id:
        state, won = locked(work.session, Enquiry, enquiry_id).state, EnquiryState.WON
        if may_move(state, won):
            move_enquiry(work, enquiry_id=enquiry_id, into=won)
