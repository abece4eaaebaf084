"""Viewings: booking, rescheduling, cancelling and closing them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.checks import (
    LONGEST_NAME,
    LONGEST_TEXT,
    check_email,
    check_phone,
    check_text,
    needed_text,
)
from pms.catalogue.models import Unit
from pms.enquiries.enquiries import LOCALES, step_enquiry
from pms.enquiries.leads import known_office_person
from pms.enquiries.models import Viewing, ViewingOfEnquiry
from pms.enquiries.viewing_mails import Occasion, mail_visitor
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, has_row, locked
from pms.inbox.models import Enquiry
from pms.reservations.locks import lock_units
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enquiry_steps import LONGEST_MINUTES, RESULTS, SHORTEST_MINUTES, may_change, may_end
from pms.rules.enumerations import EnquiryState, Locale, ViewingStatus

_LONGEST: Final = timedelta(minutes=LONGEST_MINUTES)


class Overlap(NamedTuple):
    """Another viewing at an overlapping time, of the same unit or with the same host."""

    viewing_id: str
    starts_at: datetime
    ends_at: datetime
    unit_id: str
    unit_name: str
    visitor: str
    host_id: str | None
    host: str | None


class Slot(NamedTuple):
    """A unit, a time and a host."""

    unit_id: str
    starts_at: datetime
    minutes: int
    host_id: str | None


def changeable_viewing(session: Session, viewing_id: str, version: int | None = None) -> Viewing:
    """Return the viewing, locked; raise `Refused` if it is over or cancelled."""
    row = locked(session, Viewing, viewing_id, version)
    if not may_change(row.status):
        raise Refused("status: this viewing is {status}.", status=row.status)
    return row


def check_minutes(minutes: int | None) -> int:
    """Return the duration of a viewing in minutes; raise `Refused` if it is not valid."""
    if type(minutes) is not int or not SHORTEST_MINUTES <= minutes <= LONGEST_MINUTES:
        raise Refused(
            "minutes: '{minutes}' is not possible. Enter {least} to {most}.",
            minutes=minutes,
            least=SHORTEST_MINUTES,
            most=LONGEST_MINUTES,
        )
    return minutes


def overlaps(session: Session, slot: Slot, *, but: str | None = None) -> Sequence[Overlap]:
    """Return the scheduled viewings that overlap a slot with the same unit or host."""
    ends_at = slot.starts_at + timedelta(minutes=slot.minutes)
    is_met = Viewing.unit_id == slot.unit_id
    if slot.host_id:
        is_met = or_(is_met, Viewing.host_id == slot.host_id)
    rows = session.execute(
        select(
            Viewing.id,
            Viewing.starts_at,
            Viewing.duration_minutes,
            Viewing.unit_id,
            Unit.name,
            Viewing.visitor_name,
            Viewing.host_id,
            Person.name,
        )
        .join(Unit, refers_to(Viewing.unit_id, Unit))
        .outerjoin(Person, Person.id == Viewing.host_id)
        .where(
            is_met,
            Viewing.status == ViewingStatus.SCHEDULED,
            # No viewing is longer, so one that began earlier has ended.
            Viewing.starts_at > slot.starts_at - _LONGEST,
            Viewing.starts_at < ends_at,
        )
        .order_by(Viewing.starts_at, Viewing.id)
    )
    found = (
        Overlap(id_, at, at + timedelta(minutes=minutes), unit_id, unit, visitor, host_id, host)
        for id_, at, minutes, unit_id, unit, visitor, host_id, host in rows
    )
    return [
        viewing
        for viewing in found
        if viewing.ends_at > slot.starts_at and viewing.viewing_id != but
    ]


def refuse_overlap(session: Session, slot: Slot, *, but: str | None = None) -> None:
    """Raise `Refused` if the unit is shown to others, or the host is elsewhere, at that time."""
    for overlap in overlaps(session, slot, but=but):
        if overlap.unit_id == slot.unit_id:
            raise Refused(
                "mayOverlap: the unit is already shown to {visitor} from {starts_at}. Tick the box "
                "to book anyway.",
                visitor=overlap.visitor,
                starts_at=overlap.starts_at,
            )
        raise Refused(
            "mayOverlap: {host} already shows {unit} from {starts_at}. Tick the box to book "
            "anyway.",
            host=overlap.host,
            unit=overlap.unit_name,
            starts_at=overlap.starts_at,
        )


def count_change(work: Work, audit_event: AuditEvent, row: Viewing) -> None:
    """Increment the viewing's version and write the audit event."""
    note_change(work, audit_event, row)
    row.version += 1
    row.updated_at = work.clock.now()
    work.session.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedViewing:
    """A viewing to book: visitor, unit, time and host, and the enquiry it comes from, if any."""

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
    work: Work, files: Files, *, wanted: WantedViewing, may_overlap: bool = False
) -> str:
    """Store the viewing, mail the visitor, and return its id; its enquiry is advanced.

    Raises `Refused` for an unknown unit or host, for a past day, and for an overlapping viewing of
    the unit or the host unless `may_overlap`. A viewing does not hold the unit.
    """
    refuse_past(wanted.starts_at, work.clock.today())
    if not has_row(work.session, Unit, wanted.unit_id):
        raise Refused("unitId: this unit was not found.")
    unit_id = wanted.unit_id
    lock_units(work.session, [unit_id])
    host_id = known_office_person(work.session, "hostId", wanted.host_id, Unit, unit_id)
    slot = Slot(unit_id, wanted.starts_at, check_minutes(wanted.minutes), host_id)
    email = check_email("email", wanted.visitor_email)
    phone = check_phone("phone", wanted.visitor_phone)
    if email is None and phone is None:
        raise Refused("email: enter an email address or a telephone number.")
    if wanted.visitor_locale not in LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=wanted.visitor_locale[:20])
    row = Viewing(
        id=new_id(),
        unit_id=slot.unit_id,
        status=ViewingStatus.SCHEDULED,
        starts_at=slot.starts_at,
        duration_minutes=slot.minutes,
        visitor_name=needed_text("name", wanted.visitor_name, LONGEST_NAME),
        visitor_email=email,
        visitor_phone=phone,
        visitor_locale=wanted.visitor_locale,
        note=check_text("note", wanted.note, LONGEST_TEXT),
        host_id=slot.host_id,
        created_at=work.clock.now(),
        updated_at=work.clock.now(),
        version=1,
    )
    if not may_overlap:
        refuse_overlap(work.session, slot)
    work.session.add(row)
    note_change(work, AuditEvent.VIEWING_BOOKED, row)
    work.session.flush()
    if wanted.enquiry_id:
        enquiry = locked(work.session, Enquiry, wanted.enquiry_id)
        work.session.add(ViewingOfEnquiry(viewing_id=row.id, enquiry_id=enquiry.id))
        step_enquiry(work, row=enquiry, step=EnquiryState.VIEWING)
    mail_visitor(work.session, work.clock, files, row, occasion=Occasion.BOOKED)
    work.session.flush()
    return row.id


def refuse_past(starts_at: datetime, today: date) -> None:
    """Raise `Refused` for a day that is past in Japan."""
    if day_of(starts_at) < today:
        raise Refused(
            "onDay: {day} is in the past. Choose {today} or later.",
            day=day_of(starts_at),
            today=today,
        )


def move_viewing(
    work: Work,
    files: Files,
    *,
    viewing_id: str,
    version: int,
    starts_at: datetime,
    minutes: int | None,
    host_id: str | None,
    may_overlap: bool = False,
) -> bool:
    """Change time, duration and host; return whether the visitor is mailed (not about the host).

    Raises `Collision` if it changed in the meantime, `Refused` as for a new booking.
    """
    row = changeable_viewing(work.session, viewing_id, version)
    lock_units(work.session, [row.unit_id])
    was_at, was_minutes = row.starts_at, row.duration_minutes
    if starts_at != was_at:
        refuse_past(starts_at, work.clock.today())
    host = host_id
    if host_id != row.host_id:
        host = known_office_person(work.session, "hostId", host_id, Unit, row.unit_id)
    slot = Slot(row.unit_id, starts_at, check_minutes(minutes), host)
    if not may_overlap:
        refuse_overlap(work.session, slot, but=row.id)
    row.starts_at, row.duration_minutes, row.host_id = starts_at, slot.minutes, host
    count_change(work, AuditEvent.VIEWING_MOVED, row)
    if (starts_at, slot.minutes) == (was_at, was_minutes):
        return False
    return mail_visitor(
        work.session, work.clock, files, row, occasion=Occasion.CHANGED, was_at=was_at
    )


def cancel_viewing(work: Work, files: Files, *, viewing_id: str) -> bool:
    """Cancel the viewing, and return whether the visitor is mailed."""
    row = changeable_viewing(work.session, viewing_id)
    row.status = ViewingStatus.CANCELLED
    count_change(work, AuditEvent.VIEWING_CANCELLED, row)
    return mail_visitor(work.session, work.clock, files, row, occasion=Occasion.CANCELLED)


def end_viewing(
    work: Work, *, viewing_id: str, result: ViewingStatus, note: str | None = None
) -> None:
    """Save the result, which may be corrected; raise `Refused` before the day of the viewing."""
    row = locked(work.session, Viewing, viewing_id)
    if result not in RESULTS or not may_end(row.status, row.starts_at, work.clock.today()):
        raise Refused(
            "result: a result can be recorded from the day of the viewing, unless it was cancelled."
        )
    row.status, row.note = result, check_text("note", note, LONGEST_TEXT)
    count_change(work, AuditEvent.VIEWING_ENDED, row)
