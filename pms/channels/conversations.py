"""Conversations: finding, assigning, closing, linking and merging them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.channels.known_handles import ENQUIRY
from pms.channels.message_notes import conversation_that_goes_on
from pms.channels.models import Conversation, ConversationHandle
from pms.enquiries.models import Enquiry
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.reservations.changes import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.addresses import telephone_key
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import Lifecycle, ReservationKind, TicketSide
from pms.rules.message_words import Channel, ConversationState, language_of
from pms.stays.models import CheckInLink

LIVE: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED)
"""Whoever left is nobody's certain guess any more: their number may be another's."""
_SHORTEST_REFERENCE: Final = 6


class CertainPerson(NamedTuple):
    """A person of the records, by their stay or by what they asked."""

    name: str
    locale: str
    email: str | None
    reservation_id: str | None = None
    enquiry_id: str | None = None


def certain_person(
    session: Session, *, phone: str | None = None, booking_reference: str | None = None
) -> CertainPerson | None:
    """Return whose number or booking it is, when it is exactly one person's.

    A stay that is found is locked, so that two first messages of its person, on two channels at
    once, begin one conversation. Two stays with one number, or two open enquiries, tell nothing.
    """
    found: set[str] = set()
    if booking_reference and len(booking_reference) >= _SHORTEST_REFERENCE:
        found = _stays_of_booking(session, booking_reference)
    key = telephone_key(phone)
    if not found and key is not None:
        found = _stays_of_number(session, key)
    if len(found) == 1:
        return _of_stay(session, found.pop())
    if found or key is None:
        return None
    return _of_enquiry(session, key)


def _stays_of_booking(session: Session, reference: str) -> set[str]:
    """Stays whose link or note names the booking, or whose nights a channel's calendar gives it."""
    live = _live(Reservation.kind == ReservationKind.GUEST)
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
        select(Reservation.id, Reservation.phone).where(_live(Reservation.phone.is_not(None)))
    )
    return {id_ for id_, phone in rows if telephone_key(phone) == key}


def _live(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return and_(Reservation.lifecycle.in_(LIVE), condition)


def _of_stay(session: Session, reservation_id: str) -> CertainPerson:
    lock_reservations(session, [reservation_id])
    name, locale, email = session.execute(
        select(Reservation.name, Reservation.locale, Reservation.email).where(
            Reservation.id == reservation_id
        )
    ).one()
    # An address that two stays have tells no more than a number that two have.
    sharing = select(Reservation.id).where(
        _live(Reservation.email_key == (email or "").strip().casefold()),
        Reservation.id != reservation_id,
    )
    is_own = email is not None and session.scalar(sharing.limit(1)) is None
    return CertainPerson(name, locale, email if is_own else None, reservation_id=reservation_id)


def _of_enquiry(session: Session, key: str) -> CertainPerson | None:
    rows = session.execute(
        select(Enquiry.id, Enquiry.name, Enquiry.locale, Enquiry.email)
        .where(Enquiry.phone_key == key, Enquiry.state.in_(OPEN))
        .limit(2)
    ).all()
    if len(rows) != 1:
        return None
    id_, name, locale, email = rows[0]
    return CertainPerson(name, locale, email, enquiry_id=id_)


Handle = tuple[Channel, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who writes: the handles, the surest first; a stay or an enquiry that is theirs."""

    handles: tuple[Handle, ...]
    name: str
    locale: str
    reservation_id: str | None = None
    enquiry_id: str | None = None


def portal_handle(reservation_id: str) -> Handle:
    """By what a resident is known in the portal: the reservation they signed in for."""
    return (Channel.PORTAL, reservation_id)


def mail_handle(email: str) -> Handle:
    """By what a person is known by mail: the address, folded as everywhere."""
    return (Channel.MAIL, email.strip().casefold())


def enquiry_handle(enquiry_id: str) -> Handle:
    """By what somebody is known who asked without an address: what they asked, and no way there."""
    return (Channel.MAIL, f"{ENQUIRY}{enquiry_id}")


class Known(NamedTuple):
    """A person's conversation, if there is one, and the handles by which nobody is known yet."""

    row: Conversation | None
    new_handles: tuple[Handle, ...]


def known_conversations(session: Session, people: Sequence[Person]) -> Sequence[Known]:
    """Return each person's conversation, locked, as far as there is one; two questions at most.

    Without a handle that is known, it is the one that their stay or enquiry began or led to. One
    that somebody put their stay beside by hand may be another's, or a whole group's: never that.
    """
    found = _by_handle(session, {handle for person in people for handle in person.handles})
    first = [_first(found, person.handles) for person in people]
    linked = _linked(session, [one for one, row in zip(people, first, strict=True) if row is None])
    return [
        Known(
            row or linked.get(person.reservation_id or "") or linked.get(person.enquiry_id or ""),
            tuple(handle for handle in person.handles if handle not in found),
        )
        for person, row in zip(people, first, strict=True)
    ]


def begin_conversation(
    session: Session, person: Person, *, channel: Channel, at: datetime
) -> Conversation:
    """Begin a person's conversation at an instant; who was as quick elsewhere began it instead."""
    row = Conversation(
        id=new_id(),
        name=person.name,
        channel=channel,
        state=ConversationState.OPEN,
        awaits=TicketSide.NOBODY,
        locale=person.locale,
        reservation_id=person.reservation_id,
        enquiry_id=person.enquiry_id,
        last_message_at=at,
        started_at=at,
    )
    try:
        with session.begin_nested():
            session.add(row)
            session.flush()
            session.add_all(_handles(row, person.handles, at))
            session.flush()
    except IntegrityError:
        known = known_conversations(session, [person])[0].row
        if known is None:
            raise
        return known
    return row


def add_handles(
    session: Session, row: Conversation, handles: Iterable[Handle], at: datetime
) -> None:
    """Let a conversation be found by handles that are nobody's yet."""
    for one in _handles(row, handles, at):
        try:
            with session.begin_nested():
                session.add(one)
        except IntegrityError:
            # Somebody was as quick elsewhere: the handle stays theirs.
            continue


def _handles(
    row: Conversation, handles: Iterable[Handle], at: datetime
) -> list[ConversationHandle]:
    return [
        ConversationHandle(
            id=new_id(), conversation_id=row.id, channel=channel, handle=handle, added_at=at
        )
        for channel, handle in handles
    ]


def _by_handle(session: Session, handles: Iterable[Handle]) -> Mapping[Handle, Conversation]:
    wanted = list(handles)
    if not wanted:
        return {}
    rows = session.execute(
        select(ConversationHandle.channel, ConversationHandle.handle, Conversation)
        .join(
            Conversation,
            (Conversation.workspace_id == ConversationHandle.workspace_id)
            & (Conversation.id == ConversationHandle.conversation_id),
        )
        .where(_among(wanted))
        .order_by(Conversation.id)
        .with_for_update(of=Conversation)
        .execution_options(populate_existing=True)
    )
    # The handle was read before its lock was waited for: it may have been merged away meanwhile.
    return {
        (channel, handle): conversation_that_goes_on(session, one.id) if one.merged_into_id else one
        for channel, handle, one in rows.all()
    }


def _among(handles: Iterable[Handle]) -> ColumnElement[bool]:
    by_channel: dict[Channel, list[str]] = {}
    for channel, handle in handles:
        by_channel.setdefault(channel, []).append(handle)
    return or_(
        False,
        *(
            (ConversationHandle.channel == channel) & ConversationHandle.handle.in_(names)
            for channel, names in by_channel.items()
        ),
    )


def _first(found: Mapping[Handle, Conversation], handles: Iterable[Handle]) -> Conversation | None:
    return next((found[handle] for handle in handles if handle in found), None)


def _linked(session: Session, people: Iterable[Person]) -> Mapping[str, Conversation]:
    """The newest conversation each stay or enquiry led to by itself, by their ids."""
    stays = [person.reservation_id for person in people if person.reservation_id]
    enquiries = [person.enquiry_id for person in people if person.enquiry_id]
    if not stays and not enquiries:
        return {}
    rows = session.scalars(
        select(Conversation)
        .where(
            Conversation.merged_into_id.is_(None),
            or_(
                and_(Conversation.linked_by.is_(None), one_of(Conversation.reservation_id, stays)),
                one_of(Conversation.enquiry_id, enquiries),
            ),
        )
        .order_by(Conversation.last_message_at, Conversation.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()
    by_stay = {row.reservation_id: row for row in rows if row.reservation_id and not row.linked_by}
    return by_stay | {row.enquiry_id: row for row in rows if row.enquiry_id}


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
