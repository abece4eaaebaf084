"""The handles of a person on each channel, and the channels on which a reply can be sent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.orm import Session

from pms.channels.conversation_lists import InboxVisibility
from pms.channels.models import InboundEvent
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.inbox.conversations import ENQUIRY
from pms.inbox.models import Conversation, ConversationHandle, Enquiry, GuestMessage, Ticket
from pms.reservations.models import Reservation
from pms.rules.enumerations import TicketSide, TicketState
from pms.rules.message_words import Channel, WebhookSource, answers_end_at
from pms.workspaces.queries import branding


class KnownHandle(NamedTuple):
    """One handle of a person on a channel."""

    channel: Channel
    handle: str
    name: str | None
    added_at: datetime
    is_blocked: bool


class KnownHandles(NamedTuple):
    """All handles of a person, in the order they became known, and enquiries without an address."""

    all: Sequence[KnownHandle]
    enquiry_ids: Sequence[str]

    def of(self, channel: Channel) -> Sequence[str]:
        """Return the handles on one channel."""
        return [handle.handle for handle in self.all if handle.channel == channel]

    @property
    def is_ticket(self) -> ColumnElement[bool]:
        """The condition that a ticket belongs to this person."""
        return Ticket.reservation_id.in_(self.of(Channel.PORTAL))

    @property
    def is_enquiry(self) -> ColumnElement[bool]:
        """The condition that an enquiry belongs to this person, by the address or by its id."""
        is_same = Enquiry.email_key.in_(self.of(Channel.MAIL))
        return or_(is_same, Enquiry.id.in_(self.enquiry_ids)) if self.enquiry_ids else is_same


def known_handles(session: Session, conversation: Conversation) -> KnownHandles:
    """Return the handles of the person of a conversation."""
    rows = session.execute(
        select(
            ConversationHandle.channel,
            ConversationHandle.handle,
            ConversationHandle.name,
            ConversationHandle.added_at,
            ConversationHandle.is_blocked,
        )
        .where(ConversationHandle.conversation_id == conversation.id)
        .order_by(ConversationHandle.added_at, ConversationHandle.id)
    )
    every = [KnownHandle(*row) for row in rows]
    asked = [handle.handle.removeprefix(ENQUIRY) for handle in every if _is_enquiry(handle)]
    if conversation.enquiry_id is not None:
        asked.append(conversation.enquiry_id)
    return KnownHandles([handle for handle in every if not _is_enquiry(handle)], asked)


def _is_enquiry(handle: KnownHandle) -> bool:
    return handle.channel == Channel.MAIL and handle.handle.startswith(ENQUIRY)


def recorded_addresses(session: Session, row: Conversation, handles: KnownHandles) -> Sequence[str]:
    """Return the addresses mail is sent to, casefolded; that of the linked stay comes first.

    A handle is kept when the address it came from is corrected, so that a sender at the old address
    is recognised. Mail is sent only to addresses in the records, and to those that the person's own
    mails came from.
    """
    wanted = {*handles.of(Channel.PORTAL), *([row.reservation_id] if row.reservation_id else ())}
    stays = session.execute(
        select(Reservation.id, Reservation.email_key).where(
            Reservation.id.in_(wanted), Reservation.email_key.is_not(None)
        )
    ).all()
    asked = session.scalars(
        select(Enquiry.email_key).where(handles.is_enquiry, Enquiry.email_key.is_not(None))
    )
    written = session.scalars(
        select(GuestMessage.handle)
        .where(
            GuestMessage.conversation_id == row.id,
            GuestMessage.channel == Channel.MAIL,
            GuestMessage.side == TicketSide.RESIDENT,
            GuestMessage.handle.in_(handles.of(Channel.MAIL)),
        )
        .distinct()
    )
    beside = [email for id_, email in stays if id_ == row.reservation_id]
    others = [email for id_, email in stays if id_ != row.reservation_id]
    return list(dict.fromkeys(str(email) for email in (*beside, *others, *asked, *written)))


def address_of_stay(session: Session, row: Conversation) -> str | None:
    """Return the casefolded address of the linked stay, unless staff linked the stay by hand."""
    if row.reservation_id is None or row.linked_by is not None:
        return None
    asked = select(Reservation.email_key).where(Reservation.id == row.reservation_id)
    return session.scalar(asked)


_OF_RECORDS: Final = (Channel.PORTAL, Channel.MAIL)


class AnswerWay(NamedTuple):
    """A channel and the person's handle on it; free text cannot be sent there after `ends_at`."""

    channel: Channel
    handle: str
    is_blocked: bool
    ends_at: datetime | None


def answer_ways(
    session: Session, row: Conversation, handles: KnownHandles, visibility: InboxVisibility
) -> Sequence[AnswerWay]:
    """Return one handle for each channel, the one last heard from; blocked ones come last."""
    if not visibility.is_whole:
        return [
            AnswerWay(Channel.PORTAL, name, False, None)
            for name in _find_portal_handles(row, handles)
        ]
    rows = session.execute(
        select(GuestMessage.channel, GuestMessage.handle, func.max(GuestMessage.sent_at))
        .where(
            GuestMessage.conversation_id == row.id,
            GuestMessage.side == TicketSide.RESIDENT,
            GuestMessage.handle.is_not(None),
        )
        .group_by(GuestMessage.channel, GuestMessage.handle)
    )
    heard = {(channel, handle or ""): heard_at for channel, handle, heard_at in rows}
    best: dict[Channel, KnownHandle] = {}
    for handle in _list_reachable_handles(session, row, handles):
        key = (handle.channel, handle.handle)
        known = best.get(handle.channel)
        if known is None or _rank_handle(handle, heard.get(key)) >= _rank_handle(
            known, heard.get((known.channel, known.handle))
        ):
            best[handle.channel] = handle
    ways = [
        AnswerWay(
            handle.channel,
            handle.handle,
            handle.is_blocked,
            answers_end_at(handle.channel, heard.get((handle.channel, handle.handle))),
        )
        for handle in best.values()
    ]
    return sorted(ways, key=lambda way: (way.is_blocked, way.channel != row.channel, way.channel))


def _list_reachable_handles(
    session: Session, row: Conversation, handles: KnownHandles
) -> Sequence[KnownHandle]:
    """Return the handles a reply may go to; portal and mail have one each, as recorded now."""
    portal, recorded = _find_portal_handles(row, handles), recorded_addresses(session, row, handles)
    own = address_of_stay(session, row)
    found = []
    for handle in handles.all:
        is_stay = handle.channel is Channel.PORTAL and handle.handle in portal
        is_address = handle.channel is Channel.MAIL and handle.handle in recorded
        if is_stay or (is_address and own is None) or handle.channel not in _OF_RECORDS:
            found.append(handle)
    if own is not None:
        found.append(KnownHandle(Channel.MAIL, own, None, row.started_at, False))
    return found


def _find_portal_handles(row: Conversation, handles: KnownHandles) -> Sequence[str]:
    """Return the linked stay, else the person's latest one: a new ticket begins there."""
    known = handles.of(Channel.PORTAL)
    own = [handle for handle in known if handle == row.reservation_id]
    return (own or known)[-1:]


def _rank_handle(handle: KnownHandle, heard_at: datetime | None) -> tuple[bool, bool, datetime]:
    return (not handle.is_blocked, heard_at is not None, heard_at or handle.added_at)


def mail_words(session: Session, clock: Clock, row: Conversation, message: GuestMessage) -> str:
    """Put a mail with the words in the conversation's language; return the mail's id."""
    brand = branding(session)
    mail = mail_text(
        "message",
        row.locale,
        hue=brand.hue,
        operator=brand.name.in_language(row.locale),
        recipient=row.name,
        words=message.text,
    )
    # The Message-ID of the newest mail from an address, by which its answers are sorted.
    body = session.scalar(
        select(InboundEvent.body)
        .join(
            GuestMessage,
            (GuestMessage.workspace_id == InboundEvent.workspace_id)
            & (GuestMessage.id == InboundEvent.id),
        )
        .where(
            GuestMessage.conversation_id == row.id,
            GuestMessage.channel == Channel.MAIL,
            GuestMessage.handle == (message.handle or ""),
            InboundEvent.source == WebhookSource.MAIL,
        )
        .order_by(GuestMessage.sent_at.desc(), GuestMessage.id.desc())
        .limit(1)
    )
    in_reply_to = None if body is None else body["mail"]["message_id"] or None
    put = put_mail(
        session,
        clock,
        recipient=message.handle or "",
        in_reply_to=in_reply_to,
        **mail._asdict(),
    )
    session.flush()
    return put.id


def ticket_to_answer(
    session: Session, handles: KnownHandles, visibility: InboxVisibility
) -> str | None:
    """Return the id of the open ticket to answer; None when a new one is to begin."""
    is_ours = case((Ticket.awaits == TicketSide.STAFF, 0), else_=1)
    question = (
        select(Ticket.id)
        .where(handles.is_ticket, Ticket.state == TicketState.OPEN)
        .order_by(is_ours, Ticket.last_message_at.desc(), Ticket.id.desc())
        .limit(1)
    )
    return session.scalar(visibility.tickets.narrow(question))
