"""Books a viewing: somebody is shown a unit at an instant, and is told by mail."""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import (
    LONGEST_NAME,
    LONGEST_TEXT,
    checked_email,
    checked_phone,
    checked_text,
    needed_text,
)
from pms.catalogue.models import Unit
from pms.enquiries.enquiry_in_hand import enquiry_in_hand
from pms.enquiries.models import Viewing, ViewingOfEnquiry
from pms.enquiries.move_enquiry import step_enquiry
from pms.enquiries.office_people import known_office_person
from pms.enquiries.viewing_in_hand import Slot, checked_minutes, refuse_overlap
from pms.enquiries.viewing_mail import Occasion, mail_visitor
from pms.enquiries.written_enquiry import LOCALES
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.ids import is_id, new_id
from pms.reservations.locks import lock_units
from pms.rules.days import day_of
from pms.rules.deeds import Deed
from pms.rules.enumerations import EnquiryState, Locale, ViewingStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedViewing:
    """Who is shown which unit when, by whom; perhaps it came of an enquiry."""

    unit_id: str
    starts_at: datetime
    minutes: int | None
    visitor_name: str | None
    visitor_email: str | None = None
    visitor_phone: str | None = None
    visitor_locale: str = Locale.JA
    host_id: str | None = None
    note: str | None = None
    enquiry_id: str | None = None


def book_viewing(
    session: Session,
    clock: Clock,
    actor: str,
    files: Files,
    *,
    wanted: WantedViewing,
    may_overlap: bool = False,
) -> str:
    """Store the viewing, mail the visitor, and return its id; its enquiry moves on.

    Raises `Refused` for a unit or a host of nobody here, for a day past, and for another viewing
    of the unit or the host at the time, unless that is meant. A viewing holds no unit.
    """
    refuse_past(wanted.starts_at, clock.today())
    unit_id = _known_unit(session, wanted.unit_id)
    lock_units(session, [unit_id])
    host_id = known_office_person(session, "hostId", wanted.host_id)
    slot = Slot(unit_id, wanted.starts_at, checked_minutes(wanted.minutes), host_id)
    row = _row(clock, wanted, slot)
    if not may_overlap:
        refuse_overlap(session, slot)
    session.add(row)
    note_change(session, clock, actor, Deed.VIEWING_BOOKED, row)
    session.flush()
    if wanted.enquiry_id:
        enquiry = enquiry_in_hand(session, wanted.enquiry_id)
        session.add(ViewingOfEnquiry(viewing_id=row.id, enquiry_id=enquiry.id))
        step_enquiry(session, clock, actor, row=enquiry, step=EnquiryState.VIEWING)
    mail_visitor(session, clock, files, row, occasion=Occasion.BOOKED)
    session.flush()
    return row.id


def refuse_past(starts_at: datetime, today: date) -> None:
    """Raise `Refused` for a day in Japan that is past."""
    if day_of(starts_at) < today:
        raise Refused("onDay: {day} is past; today is {today}.", day=day_of(starts_at), today=today)


def _known_unit(session: Session, unit_id: str) -> str:
    known = select(Unit.id).where(Unit.id == unit_id)
    if not is_id(unit_id) or session.scalar(known) is None:
        raise Refused("unitId: there is no such unit.")
    return unit_id


def _row(clock: Clock, wanted: WantedViewing, slot: Slot) -> Viewing:
    email = checked_email("email", wanted.visitor_email)
    phone = checked_phone("phone", wanted.visitor_phone)
    if email is None and phone is None:
        raise Refused("email: state an address or a telephone number; one of them is needed.")
    if wanted.visitor_locale not in LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=wanted.visitor_locale[:20])
    return Viewing(
        id=new_id(),
        unit_id=slot.unit_id,
        status=ViewingStatus.SCHEDULED,
        starts_at=slot.starts_at,
        duration_minutes=slot.minutes,
        visitor_name=needed_text("name", wanted.visitor_name, LONGEST_NAME),
        visitor_email=email,
        visitor_phone=phone,
        visitor_locale=wanted.visitor_locale,
        note=checked_text("note", wanted.note, LONGEST_TEXT),
        host_id=slot.host_id,
        created_at=clock.now(),
        updated_at=clock.now(),
        version=1,
    )
