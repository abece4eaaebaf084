"""The ways by which a person can be answered, the one their last words came by first."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import (
    KnownHandle,
    KnownHandles,
    address_of_stay,
    recorded_addresses,
)
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.inbox.models import Conversation, GuestMessage
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel, answers_end_at
from pms.workspaces.queries import branding

_OF_RECORDS: Final = (Channel.PORTAL, Channel.MAIL)


class AnswerWay(NamedTuple):
    """A channel and the name of the person there; after `ends_at` free words are refused there."""

    channel: Channel
    handle: str
    is_blocked: bool
    ends_at: datetime | None


def answer_ways(
    session: Session, row: Conversation, handles: KnownHandles, reach: InboxReach
) -> Sequence[AnswerWay]:
    """Return one way a channel: the name that was heard of last, blocked ones last of all."""
    if not reach.is_whole:
        return [AnswerWay(Channel.PORTAL, one, False, None) for one in _portal(row, handles)]
    heard = _heard(session, row.id)
    best: dict[Channel, KnownHandle] = {}
    for one in _reachable(session, row, handles):
        key = (one.channel, one.handle)
        known = best.get(one.channel)
        if known is None or _rank(one, heard.get(key)) >= _rank(
            known, heard.get((known.channel, known.handle))
        ):
            best[one.channel] = one
    ways = [
        AnswerWay(
            one.channel,
            one.handle,
            one.is_blocked,
            answers_end_at(one.channel, heard.get((one.channel, one.handle))),
        )
        for one in best.values()
    ]
    return sorted(ways, key=lambda way: (way.is_blocked, way.channel != row.channel, way.channel))


def _reachable(session: Session, row: Conversation, handles: KnownHandles) -> Sequence[KnownHandle]:
    """The names that an answer may go to: of the portal and of mail one each, as recorded now."""
    portal, recorded = _portal(row, handles), recorded_addresses(session, row, handles)
    own = address_of_stay(session, row)
    found = []
    for one in handles.all:
        is_stay = one.channel is Channel.PORTAL and one.handle in portal
        is_address = one.channel is Channel.MAIL and one.handle in recorded
        if is_stay or (is_address and own is None) or one.channel not in _OF_RECORDS:
            found.append(one)
    if own is not None:
        found.append(KnownHandle(Channel.MAIL, own, None, row.started_at, False))
    return found


def _portal(row: Conversation, handles: KnownHandles) -> Sequence[str]:
    """The stay beside the conversation, else the latest of theirs: where a new ticket begins."""
    known = handles.of(Channel.PORTAL)
    own = [one for one in known if one == row.reservation_id]
    return (own or known)[-1:]


def _rank(one: KnownHandle, heard_at: datetime | None) -> tuple[bool, bool, datetime]:
    return (not one.is_blocked, heard_at is not None, heard_at or one.added_at)


def _heard(session: Session, conversation_id: str) -> Mapping[tuple[Channel, str], datetime]:
    rows = session.execute(
        select(GuestMessage.channel, GuestMessage.handle, func.max(GuestMessage.sent_at))
        .where(
            GuestMessage.conversation_id == conversation_id,
            GuestMessage.side == TicketSide.RESIDENT,
            GuestMessage.handle.is_not(None),
        )
        .group_by(GuestMessage.channel, GuestMessage.handle)
    )
    return {(channel, handle or ""): heard_at for channel, handle, heard_at in rows}


def mail_words(session: Session, clock: Clock, row: Conversation, message: GuestMessage) -> str:
    """Have the words sent in the language of the conversation; return the id of the mail."""
    brand = branding(session)
    mail = mail_text(
        "message",
        row.locale,
        hue=brand.hue,
        operator=brand.name.said(row.locale),
        recipient=row.name,
        words=message.text,
    )
    put = put_mail(session, clock, recipient=message.handle or "", **mail._asdict())
    session.flush()
    return put.id
