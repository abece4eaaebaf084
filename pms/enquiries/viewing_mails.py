"""Mails to the visitor of a viewing, with its calendar file."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from babel.dates import format_date
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.availability.units import unit_labels
from pms.catalogue.models import Building, Unit
from pms.enquiries.models import Viewing
from pms.foundation.clock import Clock
from pms.foundation.files import Files
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import Attachment, put_mail
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate
from pms.rules.days import JAPAN
from pms.workspaces.queries import Branding, branding

_DAY: Final = {"ja": "y年M月d日(E)", "en": "E d MMMM y"}


class Occasion(StrEnum):
    """Why a mail is sent to a visitor; each has its own templates."""

    BOOKED = "viewing-booked"
    CHANGED = "viewing-changed"
    CANCELLED = "viewing-cancelled"


class _Place(NamedTuple):
    home: str
    address: str


def mail_visitor(
    session: Session,
    clock: Clock,
    files: Files,
    row: Viewing,
    *,
    occasion: Occasion,
    was_at: datetime | None = None,
) -> bool:
    """Put a mail with the viewing's calendar file into the outbox; `False` if none is sent.

    None is sent without an address, or about a viewing in the past. The calendar file has the
    viewing's version, so that a change replaces the entry in the visitor's calendar.
    """
    if not row.visitor_email or row.starts_at < clock.now():
        return False
    locale, brand = row.visitor_locale, branding(session)
    place, (opening, free_on) = _read_place(session, row), _describe_opening(session, clock, row)
    if row.host_id is None:
        host = None
    else:
        host = session.scalar(select(Person.name).where(Person.id == row.host_id))
    mail = mail_text(
        occasion.value,
        locale,
        hue=brand.hue,
        operator=brand.name.in_language(locale),
        recipient=row.visitor_name,
        home=place.home,
        address=place.address,
        time=time_text(row.starts_at, row.duration_minutes, locale),
        was=was_at and time_text(was_at, None, locale),
        host=host,
        opening=opening,
        free_on=free_on,
    )
    entry = _build_entry(
        row, place, brand, is_cancelled=occasion == Occasion.CANCELLED, clock=clock
    )
    file_key = files.put(viewing_calendar(entry), "ics")
    attached = Attachment(name="viewing.ics", media_type="text/calendar", file_key=file_key)
    put_mail(session, clock, recipient=row.visitor_email, attachments=[attached], **mail._asdict())
    return True


def time_text(starts_at: datetime, minutes: int | None, locale: str) -> str:
    """Return the day and time in Japan, with the end if `minutes` is known."""
    there = starts_at.astimezone(JAPAN)
    language = "en" if locale == "en" else "ja"
    day = format_date(there.date(), _DAY[language], locale=language)
    if minutes is None:
        return translate("{day}, {time}", language, day=day, time=f"{there:%H:%M}")
    ends = there + timedelta(minutes=minutes)
    return translate(
        "{day}, {first}–{last} (Japan time)",
        language,
        day=day,
        first=f"{there:%H:%M}",
        last=f"{ends:%H:%M}",
    )


class CalendarEntry(NamedTuple):
    """An entry for the visitor's calendar; a later `version` replaces an earlier one."""

    id: str
    version: int
    starts_at: datetime
    minutes: int
    title: str
    place: str
    organiser: str
    is_cancelled: bool
    written_at: datetime


def _build_entry(
    row: Viewing, place: _Place, brand: Branding, *, is_cancelled: bool, clock: Clock
) -> CalendarEntry:
    return CalendarEntry(
        id=row.id,
        version=row.version,
        starts_at=row.starts_at,
        minutes=row.duration_minutes,
        title=translate("Viewing: {home}", row.visitor_locale, home=place.home),
        place=place.address,
        organiser=brand.name.in_language(row.visitor_locale) or "",
        is_cancelled=is_cancelled,
        written_at=clock.now(),
    )


def _read_place(session: Session, row: Viewing) -> _Place:
    ja, en, address, address_en, unit = session.execute(
        select(Building.name, Building.name_en, Building.address, Building.address_en, Unit.name)
        .join(Unit.building)
        .where(Unit.id == row.unit_id)
    ).one()
    locale = row.visitor_locale
    where = Bilingual(address, address_en).in_language(locale) or ""
    return _Place(f"{Bilingual(ja, en).in_language(locale)} {unit}", where)


def _describe_opening(session: Session, clock: Clock, row: Viewing) -> tuple[str, object]:
    """Return what the visitor may know: a move-in day only if it is confirmed (Availability)."""
    label = unit_labels(session, [row.unit_id], clock.today())[row.unit_id]
    if label.move_in_from is not None:
        return "confirmed", label.move_in_from
    return ("possible", label.on) if label.is_possible else ("taken", None)


_PROGRAM: Final = "-//Property management//Viewings//EN"


def viewing_calendar(entry: CalendarEntry) -> bytes:
    """Return the calendar file (RFC 5545) with one event at absolute times."""
    # Imported here: a worker that writes no such file never loads the library.
    from icalendar import Calendar, Event

    calendar, event = Calendar(), Event()
    calendar.add("prodid", _PROGRAM)
    calendar.add("version", "2.0")
    calendar.add("method", "CANCEL" if entry.is_cancelled else "PUBLISH")
    event.add("uid", f"viewing-{entry.id}")
    event.add("sequence", entry.version - 1)
    event.add("dtstamp", entry.written_at)
    event.add("dtstart", entry.starts_at)
    event.add("dtend", entry.starts_at + timedelta(minutes=entry.minutes))
    event.add("summary", entry.title)
    event.add("location", entry.place)
    event.add("description", entry.organiser)
    event.add("status", "CANCELLED" if entry.is_cancelled else "CONFIRMED")
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content
