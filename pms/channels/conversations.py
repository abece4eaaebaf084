"""Finding the conversation of a writer on a channel."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.foundation.clock import Clock
from pms.inbox.conversations import (
    ConversationWriter,
    Handle,
    add_handles,
    begin_conversation,
    enquiry_handle,
    known_conversations,
    mail_handle,
    portal_handle,
)
from pms.inbox.models import Conversation, Enquiry
from pms.reservations.locks import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.addresses import telephone_key
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.message_words import language_of
from pms.stays.models import CheckInLink

LIVE: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
"""States in which a stay identifies its person; the number of one who left may be reused."""
_SHORTEST_REFERENCE: Final = 6


class CertainPerson(NamedTuple):
    """A person known from the records, by a stay or an enquiry."""

    name: str
    locale: str
    email: str | None
    reservation_id: str | None = None
    enquiry_id: str | None = None


def certain_person(
    session: Session,
    *,
    phone: str | None = None,
    booking_reference: str | None = None,
    email: str | None = None,
) -> CertainPerson | None:
    """Return the person of a phone number, booking or address, if it is exactly one person's.

    The stay that is found is locked, so that first messages of its person on two channels at once
    begin one conversation. A number of two stays, or of two open enquiries, identifies nobody.
    """
    found: set[str] = set()
    if booking_reference and len(booking_reference) >= _SHORTEST_REFERENCE:
        found = _stays_of_booking(session, booking_reference)
    key = telephone_key(phone)
    if not found and key is not None:
        found = _stays_of_number(session, key)
    if not found and email is not None:
        is_same = Reservation.email_key == email.strip().casefold()
        found = set(session.scalars(select(Reservation.id).where(_is_live_stay(is_same))))
    if len(found) == 1:
        reservation_id = found.pop()
        lock_reservations(session, [reservation_id])
        stay_name, stay_locale, stay_email = session.execute(
            select(Reservation.name, Reservation.locale, Reservation.email).where(
                Reservation.id == reservation_id
            )
        ).one()
        # An address shared by two stays identifies nobody, as a shared number does not.
        sharing = select(Reservation.id).where(
            _is_live_stay(Reservation.email_key == (stay_email or "").strip().casefold()),
            Reservation.id != reservation_id,
        )
        is_own = stay_email is not None and session.scalar(sharing.limit(1)) is None
        return CertainPerson(
            stay_name, stay_locale, stay_email if is_own else None, reservation_id=reservation_id
        )
    if found or key is None:
        return None
    rows = session.execute(
        select(Enquiry.id, Enquiry.name, Enquiry.locale, Enquiry.email)
        .where(Enquiry.phone_key == key, Enquiry.state.in_(OPEN))
        .limit(2)
    ).all()
    if len(rows) != 1:
        return None
    id_, name, locale, email = rows[0]
    return CertainPerson(name, locale, email, enquiry_id=id_)


def _stays_of_booking(session: Session, reference: str) -> set[str]:
    """Return the stays whose link, note or channel calendar has the booking reference."""
    live = _is_live_stay(Reservation.kind == ReservationKind.GUEST)
    linked = select(CheckInLink.reservation_id).where(CheckInLink.external_id == reference)
    found = set(session.scalars(select(Reservation.id).where(live, Reservation.id.in_(linked))))
    noted = session.execute(
        select(Reservation.id, Reservation.note).where(
            live, Reservation.note.contains(reference, autoescape=True)
        )
    )
    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(reference)}(?![A-Za-z0-9])")
    found |= {id_ for id_, note in noted if word.search(note or "")}
    blocks = select(ExternalBlock.unit_id, ExternalBlock.first_on).where(
        ExternalBlock.booking_reference == reference
    )
    for unit_id, first_on in session.execute(blocks).all():
        same = and_(Reservation.unit_id == unit_id, Reservation.starts_on == first_on)
        found |= set(session.scalars(select(Reservation.id).where(live, same)))
    return found


def _stays_of_number(session: Session, key: str) -> set[str]:
    rows = session.execute(
        select(Reservation.id, Reservation.phone).where(
            _is_live_stay(Reservation.phone.is_not(None))
        )
    )
    return {id_ for id_, phone in rows if telephone_key(phone) == key}


def _is_live_stay(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(Reservation.lifecycle.in_(LIVE), condition)


LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A person on a channel: handles, the surest first, and what else is known."""

    handles: tuple[Handle, ...]
    name: str
    words: str = ""
    email: str | None = None
    phone: str | None = None
    booking_reference: str | None = None


def find_conversation(session: Session, clock: Clock, writer: Writer) -> Conversation:
    """Return the writer's conversation, locked; a new one when no known person is identified.

    A known handle continues its conversation. A new handle whose number or booking belongs to
    exactly one person joins that person's conversation, on any channel.
    """
    person = ConversationWriter(
        handles=writer.handles,
        name=" ".join(writer.name.split())[:LONGEST_NAME],
        locale=language_of(writer.words) or "ja",
    )
    known = known_conversations(session, [person])[0]
    if known.row is None:
        person = _complete_person(session, writer, person)
        known = known_conversations(session, [person])[0]
    if known.row is None:
        channel = writer.handles[0][0]
        return begin_conversation(session, person, channel=channel, at=clock.now())
    if known.new_handles:
        add_handles(session, known.row, known.new_handles, clock.now())
    return known.row


def _complete_person(
    session: Session, writer: Writer, person: ConversationWriter
) -> ConversationWriter:
    found = certain_person(
        session,
        phone=writer.phone,
        booking_reference=writer.booking_reference,
        email=writer.email,
    )
    if found is None:
        return person
    handles = list(writer.handles)
    if found.reservation_id is not None:
        handles.append(portal_handle(found.reservation_id))
    if found.enquiry_id is not None and not found.email:
        handles.append(enquiry_handle(found.enquiry_id))
    if found.email:
        handles.append(mail_handle(found.email))
    return ConversationWriter(
        handles=tuple(dict.fromkeys(handles)),
        name=found.name,
        locale=found.locale,
        reservation_id=found.reservation_id,
        enquiry_id=found.enquiry_id,
    )
