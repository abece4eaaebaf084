"""Lets people of the demo write on LINE, WhatsApp and travel channels, and the office answer."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.find_conversation import Writer, find_conversation
from pms.channels.models import Conversation, GuestMessage
from pms.channels.note_message import note_failures, note_message
from pms.demo.chance import IdMaker
from pms.demo.photographs import Album
from pms.demo.said import GUEST, RESIDENT, TALKS, Said, Talk
from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.reservations.models import Reservation
from pms.rules.channel_words import ConversationState, MessageKind, MessageState
from pms.rules.days import day_of
from pms.rules.enumerations import Lifecycle, ReservationKind, TicketSide
from pms.rules.told_messages import language_of

_OFFICE: Final = "demo"
_SCENE: Final = "bathroom"
_WIDTH: Final = "800"
_DONE_AFTER: Final = timedelta(days=1)
_KINDS: Final = {RESIDENT: ReservationKind.RESIDENT, GUEST: ReservationKind.GUEST}


def keep_conversations(
    session: Session, slug: str, now: datetime, files: Files, album: Album
) -> None:
    """Have everybody say what they say; what is answered and a day old is done."""
    ids = IdMaker("conversations", slug, day_of(now))
    for talk in TALKS:
        row = None
        for said in talk.said:
            at = now - timedelta(minutes=said.minutes_ago)
            if row is None:
                row = _begun(session, talk, at)
            message = _message(talk, said, at, _picture(files, album, said))
            message.id, message.conversation_id = ids.at(at), row.id
            session.add(message)
            note_message(session, FixedClock(at), row, message)
        if row is not None:
            note_failures(session, row)
            _finish(row, now)
    session.flush()


def _begun(session: Session, talk: Talk, at: datetime) -> Conversation:
    """Begin a talk; whoever lives here is known by the telephone, as in the inbox itself."""
    found = _of(session, talk)
    phone, locale, name, reservation_id = found or (None, None, talk.name, None)
    writer = Writer(
        handles=((talk.channel, talk.handle),),
        name=name,
        words=talk.said[0].text,
        phone=phone,
    )
    row = find_conversation(session, FixedClock(at), writer)
    if reservation_id is not None and row.reservation_id is None:
        row.reservation_id, row.locale = reservation_id, locale or row.locale
    return row


def _of(session: Session, talk: Talk) -> tuple[str | None, str, str, str] | None:
    if talk.of is None:
        return None
    asked = (
        select(Reservation.phone, Reservation.locale, Reservation.name, Reservation.id)
        .where(
            Reservation.kind == _KINDS[talk.of],
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.locale == (language_of(talk.said[0].text.split("—")[0]) or "ja"),
        )
        .order_by(Reservation.phone.is_(None), Reservation.id)
    )
    row = session.execute(asked.limit(1)).first()
    return None if row is None else (row[0], row[1], row[2], row[3])


def _message(talk: Talk, said: Said, at: datetime, picture: str | None) -> GuestMessage:
    return GuestMessage(
        channel=talk.channel,
        handle=talk.handle,
        external_id=_external_id(talk, said.minutes_ago),
        quoted_id=None if said.edits is None else _external_id(talk, said.edits),
        is_edit=said.edits is not None,
        side=TicketSide.RESIDENT if said.state is None else TicketSide.STAFF,
        kind=said.kind,
        text="" if said.is_taken_back else said.text,
        sent_at=at,
        received_at=at,
        by=None if said.state is None else _OFFICE,
        state=said.state or MessageState.RECEIVED,
        failure=said.failure,
        media_key=picture,
        media_type="image/webp" if picture else None,
        booking_reference=talk.booking,
        listing=talk.listing,
        taken_back_at=at + timedelta(minutes=2) if said.is_taken_back else None,
    )


def _external_id(talk: Talk, minutes_ago: int) -> str:
    return f"demo-{talk.handle}-{minutes_ago}"


def _picture(files: Files, album: Album, said: Said) -> str | None:
    """A file of its own: what is taken back is deleted, and the album keeps its pictures."""
    if said.kind is not MessageKind.IMAGE:
        return None
    key = album[_SCENE].files[_WIDTH]
    content = files.get(key)
    return key if content is None else files.put_alone(content, "webp")


def _finish(row: Conversation, now: datetime) -> None:
    is_answered = row.awaits is TicketSide.RESIDENT and not row.has_failure
    if is_answered and now - row.last_message_at > _DONE_AFTER:
        row.state, row.awaits = ConversationState.DONE, TicketSide.NOBODY
        row.closed_at, row.closed_by = row.last_message_at + timedelta(hours=1), _OFFICE
