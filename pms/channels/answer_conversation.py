"""Answers a person on the channel their last words came by, or on another of theirs."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.channels.answer_ways import AnswerWay, answer_ways
from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import KnownHandles, known_handles
from pms.channels.models import Conversation
from pms.channels.newest_words import newest_words
from pms.channels.reply_places import PLACES
from pms.channels.send_words import send_words
from pms.channels.ticket_to_answer import ticket_to_answer
from pms.enquiries.answer_enquiry import answer_enquiry
from pms.enquiries.enquiry_in_hand import enquiry_in_hand
from pms.enquiries.models import Enquiry
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.phrases import listed
from pms.foundation.sent_once import is_new
from pms.reservations.locks import lock_reservations
from pms.rules.channel_words import Channel
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import TicketSide
from pms.rules.template_places import open_places
from pms.upkeep.answer_ticket import answer_ticket
from pms.upkeep.first_line import first_line
from pms.upkeep.open_ticket import open_ticket
from pms.upkeep.ticket_in_hand import ticket_in_hand


class Answered(NamedTuple):
    """By which channel the words go, and whether they leave the house at all."""

    channel: Channel
    leaves: bool


def answer_conversation(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    conversation_id: str,
    text: str | None,
    channel: Channel | None = None,
    seen_at: datetime | None = None,
    ticket_seen: str | None = None,
    key: str | None = None,
    reach: InboxReach | None = None,
) -> Answered | None:
    """Pass the words on and the turn with them; `None` for a `key` that arrived before.

    `seen_at` is the instant of the latest answer that whoever writes had before them: raises
    `Collision` when somebody else answered since. `ticket_seen` is the ticket that words in the
    portal were meant for, empty for a new one: raises `Collision` when it is not that. Raises `Refused` for no words, for a place of a
    template that nobody filled, and for a person who cannot be reached so; `NotFound` out of reach.
    """
    meets = reach or InboxReach.everything()
    row = conversation_in_hand(session, conversation_id, meets, is_changed=False)
    words = needed_text("text", text, LONGEST_TEXT)
    _refuse_open_places(words)
    if not is_new(session, clock, actor, key):
        return None
    handles = known_handles(session, row)
    way = _way(answer_ways(session, row, handles, meets), channel)
    target = _locked_target(session, way, handles, meets)
    if way.channel is Channel.PORTAL and ticket_seen is not None:
        _refuse_another_ticket(target, ticket_seen)
    # Whoever writes elsewhere locks what they write in first, and the conversation by following:
    # the same order here, so that nobody waits for the other.
    row = conversation_in_hand(session, conversation_id, meets)
    if seen_at is not None:
        _refuse_unseen(session, row, actor, seen_at, meets)
    answer = _Answer(session, clock, actor, row, known_handles(session, row), meets, words)
    if way.channel is Channel.PORTAL:
        return answer.in_portal(way, target)
    return answer.by_mail(way, target) if way.channel is Channel.MAIL else answer.on_channel(way)


def _locked_target(
    session: Session, way: AnswerWay, handles: KnownHandles, reach: InboxReach
) -> str | None:
    """Return the ticket or the enquiry that is answered, locked; none when one is to begin."""
    if way.channel is Channel.PORTAL:
        ticket_id = ticket_to_answer(session, handles, reach)
        if ticket_id is None:
            lock_reservations(session, [way.handle])
        else:
            ticket_in_hand(session, ticket_id, reach.tickets)
        return ticket_id
    enquiry_id = _enquiry_to_answer(session, handles) if way.channel is Channel.MAIL else None
    if enquiry_id is not None:
        enquiry_in_hand(session, enquiry_id)
    return enquiry_id


def _enquiry_to_answer(session: Session, handles: KnownHandles) -> str | None:
    """What was asked last, as long as it is open and can be answered by mail."""
    return session.scalar(
        select(Enquiry.id)
        .where(handles.is_enquiry, Enquiry.state.in_(OPEN), Enquiry.email.is_not(None))
        .order_by(Enquiry.received_at.desc(), Enquiry.id.desc())
        .limit(1)
    )


def _refuse_open_places(words: str) -> None:
    unfilled = open_places(words, PLACES)
    if unfilled:
        raise Refused(
            "text: {places} stands there unfilled; write it out or take it away.",
            places=listed(f"{{{{{name}}}}}" for name in unfilled),
        )


def _refuse_unseen(
    session: Session, row: Conversation, actor: str, seen_at: datetime, reach: InboxReach
) -> None:
    # Only what stood on their page: what is kept from them would lock them out for good.
    newest = newest_words(session, row, side=TicketSide.STAFF, reach=reach)
    if newest is not None and newest.at > seen_at and newest.by != actor:
        raise Collision(
            "text: somebody else answered meanwhile; read it above, then send this if it is"
            " still wanted."
        )


def _refuse_another_ticket(ticket_id: str | None, ticket_seen: str) -> None:
    if (ticket_id or "") != ticket_seen:
        raise Collision(
            "text: another of their tickets is to be answered by now; read it above, then send this"
            " if it is still wanted."
        )


def _way(ways: Sequence[AnswerWay], channel: Channel | None) -> AnswerWay:
    way = next((one for one in ways if channel in (None, one.channel)), None)
    if way is None:
        raise Refused("channel: this person is not known there, so no answer can go that way.")
    if way.is_blocked:
        raise Refused("channel: this person takes no messages from us there any more.")
    return way


class _Answer(NamedTuple):
    session: Session
    clock: Clock
    actor: str
    row: Conversation
    handles: KnownHandles
    reach: InboxReach
    words: str

    def in_portal(self, way: AnswerWay, ticket_id: str | None) -> Answered:
        """Say it in the ticket, or begin one."""
        if ticket_id is not None:
            is_mailed = answer_ticket(
                self.session,
                self.clock,
                self.actor,
                ticket_id=ticket_id,
                text=self.words,
                reach=self.reach.tickets,
                locale=self._language,
            )
            return Answered(Channel.PORTAL, is_mailed)
        if not self.reach.is_whole:
            raise Refused("text: nothing about your projects is open here; ask the office.")
        open_ticket(
            self.session,
            self.clock,
            self.actor,
            reservation_id=way.handle,
            subject=first_line(self.words),
            text=self.words,
            side=TicketSide.STAFF,
            locale=self._language,
        )
        return Answered(Channel.PORTAL, self._has_address())

    def by_mail(self, way: AnswerWay, enquiry_id: str | None) -> Answered:
        """Answer the enquiry, or write a mail."""
        if enquiry_id is None:
            return self.on_channel(way)
        answer_enquiry(
            self.session,
            self.clock,
            self.actor,
            enquiry_id=enquiry_id,
            text=self.words,
            locale=self._language,
        )
        return Answered(Channel.MAIL, True)

    def on_channel(self, way: AnswerWay) -> Answered:
        """Have the words sent by the provider of the channel."""
        send_words(
            self.session,
            self.clock,
            self.actor,
            conversation_id=self.row.id,
            channel=way.channel,
            handle=way.handle,
            text=self.words,
        )
        return Answered(way.channel, True)

    @property
    def _language(self) -> str | None:
        """The language the office set; otherwise whatever is answered knows its own."""
        return self.row.locale if self.row.locale_by else None

    def _has_address(self) -> bool:
        return bool(self.handles.of(Channel.MAIL))
