"""Finds the conversation somebody on a channel goes on with, or begins it."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from pms.channels.certain_person import certain_person
from pms.channels.conversation_of import (
    Handle,
    Person,
    add_handles,
    begin_conversation,
    enquiry_handle,
    known_conversations,
    mail_handle,
    portal_handle,
)
from pms.channels.models import Conversation
from pms.foundation.clock import Clock
from pms.rules.told_messages import language_of

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Somebody on a channel: the handles, the surest first, and what else is known of them."""

    handles: tuple[Handle, ...]
    name: str
    words: str = ""
    phone: str | None = None
    booking_reference: str | None = None


def find_conversation(session: Session, clock: Clock, writer: Writer) -> Conversation:
    """Return the writer's conversation, locked; a new one when nobody certain is meant.

    Whoever is known by a handle goes on there. A new handle whose number or booking is one
    person's joins that person's conversation, whatever channel it came from.
    """
    person = Person(
        handles=writer.handles,
        name=" ".join(writer.name.split())[:LONGEST_NAME],
        locale=language_of(writer.words) or "ja",
    )
    known = known_conversations(session, [person])[0]
    if known.row is None:
        person = _certain(session, writer, person)
        known = known_conversations(session, [person])[0]
    if known.row is None:
        channel = writer.handles[0][0]
        return begin_conversation(session, person, channel=channel, at=clock.now())
    if known.new_handles:
        add_handles(session, known.row, known.new_handles, clock.now())
    return known.row


def _certain(session: Session, writer: Writer, person: Person) -> Person:
    found = certain_person(session, phone=writer.phone, booking_reference=writer.booking_reference)
    if found is None:
        return person
    handles = list(writer.handles)
    if found.reservation_id is not None:
        handles.append(portal_handle(found.reservation_id))
    if found.enquiry_id is not None and not found.email:
        handles.append(enquiry_handle(found.enquiry_id))
    if found.email:
        handles.append(mail_handle(found.email))
    return Person(
        handles=tuple(handles),
        name=found.name,
        locale=found.locale,
        reservation_id=found.reservation_id,
        enquiry_id=found.enquiry_id,
    )
