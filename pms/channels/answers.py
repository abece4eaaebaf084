"""Answering a conversation: channels, templates and sending."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_NAME, LONGEST_TEXT, check_text, needed_text
from pms.channels.answer_ways import (
    AnswerWay,
    KnownHandles,
    answer_ways,
    known_handles,
    ticket_to_answer,
)
from pms.channels.conversation_lists import InboxVisibility, lock_conversation
from pms.channels.inbox_items import newest_words
from pms.channels.models import ReplyTemplate
from pms.channels.sending import send_words
from pms.enquiries.enquiry_answers import answer_enquiry
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused
from pms.foundation.idempotency import is_new
from pms.foundation.ids import new_id
from pms.foundation.phrases import join_with_commas
from pms.foundation.work import Work, locked
from pms.inbox.models import Conversation, Enquiry, Ticket
from pms.reservations.locks import lock_reservations
from pms.rules.audit_events import AuditEvent
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel
from pms.rules.template_places import open_places, unknown_places
from pms.upkeep.ticket_updates import first_line, open_ticket
from pms.upkeep.tickets import answer_ticket

PLACES: Final = ("name", "unit", "building", "moveIn", "moveOut", "operator")


class SentAnswer(NamedTuple):
    """The channel of the reply, and whether it is also sent outside the portal."""

    channel: Channel
    leaves: bool


def answer_conversation(
    work: Work,
    *,
    conversation_id: str,
    text: str | None,
    channel: Channel | None = None,
    seen_at: datetime | None = None,
    ticket_seen: str | None = None,
    key: str | None = None,
    visibility: InboxVisibility | None = None,
) -> SentAnswer | None:
    """Send a reply and pass the turn to the other side; return None for a repeated `key`.

    `seen_at` is the time of the latest reply the writer had seen: raises `Collision` when a
    colleague has replied since. `ticket_seen` is the ticket the reply was written for, empty for a
    new one: raises `Collision` when it would go to another. Raises `Refused` for an empty text, for
    a template place that is not filled in, and for a channel on which the person cannot be reached;
    `NotFound` when the conversation is not visible.
    """
    meets = visibility or InboxVisibility.everything()
    row = lock_conversation(work.session, conversation_id, meets, is_changed=False)
    words = needed_text("text", text, LONGEST_TEXT)
    unfilled = open_places(words, PLACES)
    if unfilled:
        raise Refused(
            "text: {places} is not filled in. Complete it or remove it.",
            places=join_with_commas(f"{{{{{name}}}}}" for name in unfilled),
        )
    if not is_new(work.session, work.clock, work.actor, key):
        return None
    handles = known_handles(work.session, row)
    way = _require_way(answer_ways(work.session, row, handles, meets), channel)
    target = _lock_target(work.session, way, handles, meets)
    is_of_ticket = way.channel is Channel.PORTAL and ticket_seen is not None
    if is_of_ticket and (target or "") != ticket_seen:
        raise Collision(
            "text: this would now answer another of their tickets. Read it above, then send if you "
            "still want to."
        )
    # Writers elsewhere lock the ticket or enquiry first and then its conversation. The same order
    # here avoids a deadlock.
    row = lock_conversation(work.session, conversation_id, meets)
    if seen_at is not None:
        _refuse_unseen(work.session, row, work.actor, seen_at, meets)
    answer = _Answer(work, row, known_handles(work.session, row), meets, words)
    if way.channel is Channel.PORTAL:
        return answer.in_portal(way, target)
    return answer.by_mail(way, target) if way.channel is Channel.MAIL else answer.on_channel(way)


def _lock_target(
    session: Session, way: AnswerWay, handles: KnownHandles, visibility: InboxVisibility
) -> str | None:
    """Lock and return the id of the ticket or enquiry to answer; None when a new one begins."""
    if way.channel is Channel.PORTAL:
        ticket_id = ticket_to_answer(session, handles, visibility)
        if ticket_id is None:
            lock_reservations(session, [way.handle])
        else:
            locked(session, Ticket, ticket_id, within=visibility.tickets.narrow)
        return ticket_id
    if way.channel is Channel.MAIL:
        enquiry_id = session.scalar(
            select(Enquiry.id)
            .where(handles.is_enquiry, Enquiry.state.in_(OPEN), Enquiry.email.is_not(None))
            .order_by(Enquiry.received_at.desc(), Enquiry.id.desc())
            .limit(1)
        )
    else:
        enquiry_id = None
    if enquiry_id is not None:
        locked(session, Enquiry, enquiry_id)
    return enquiry_id


def _refuse_unseen(
    session: Session, row: Conversation, actor: str, seen_at: datetime, visibility: InboxVisibility
) -> None:
    # Only what was visible on the page: a hidden reply would block this writer for good.
    newest = newest_words(session, row, side=TicketSide.STAFF, visibility=visibility)
    if newest is not None and newest.at > seen_at and newest.by != actor:
        raise Collision(
            "text: a colleague replied in the meantime. Read the reply above, then send yours "
            "if it is still needed."
        )


def _require_way(ways: Sequence[AnswerWay], channel: Channel | None) -> AnswerWay:
    way = next((open_way for open_way in ways if channel in (None, open_way.channel)), None)
    if way is None:
        raise Refused("channel: this person has no contact there, so you cannot reply this way.")
    if way.is_blocked:
        raise Refused("channel: this person no longer accepts messages from you there.")
    return way


class _Answer(NamedTuple):
    work: Work
    row: Conversation
    handles: KnownHandles
    visibility: InboxVisibility
    words: str

    def in_portal(self, way: AnswerWay, ticket_id: str | None) -> SentAnswer:
        """Reply in the ticket, or open a new one."""
        if ticket_id is not None:
            is_mailed = answer_ticket(
                self.work,
                ticket_id=ticket_id,
                text=self.words,
                visibility=self.visibility.tickets,
                locale=self._office_language,
            )
            return SentAnswer(Channel.PORTAL, is_mailed)
        if not self.visibility.is_whole:
            raise Refused(
                "text: there is no open conversation about your projects. Please contact the "
                "office."
            )
        open_ticket(
            self.work,
            reservation_id=way.handle,
            subject=first_line(self.words),
            text=self.words,
            side=TicketSide.STAFF,
            locale=self._office_language,
        )
        return SentAnswer(Channel.PORTAL, bool(self.handles.of(Channel.MAIL)))

    def by_mail(self, way: AnswerWay, enquiry_id: str | None) -> SentAnswer:
        """Reply to the enquiry, or send a mail."""
        if enquiry_id is None:
            return self.on_channel(way)
        answer_enquiry(
            self.work, enquiry_id=enquiry_id, text=self.words, locale=self._office_language
        )
        return SentAnswer(Channel.MAIL, True)

    def on_channel(self, way: AnswerWay) -> SentAnswer:
        """Send the reply by the channel's provider."""
        send_words(
            self.work,
            conversation_id=self.row.id,
            channel=way.channel,
            handle=way.handle,
            text=self.words,
        )
        return SentAnswer(way.channel, True)

    @property
    def _office_language(self) -> str | None:
        """The language that the office set; None leaves it to the ticket or enquiry."""
        return self.row.locale if self.row.locale_by else None


LONGEST_REPLY: Final = 4_000


def write_reply_template(
    work: Work,
    *,
    template_id: str | None,
    name: str | None,
    text_ja: str | None,
    text_en: str | None,
    version: int = 0,
) -> str:
    """Create (without an id) or change a template, and return its id.

    Raises `Refused` for a name that is taken and for unknown places, and `Collision` when the
    template was changed since `version`.
    """
    named = " ".join(needed_text("name", name, LONGEST_NAME).split())
    texts = _check_template_text("textJa", text_ja), _check_template_text("textEn", text_en)
    if not any(texts):
        raise Refused("textJa: write the text in at least one language.")
    if template_id is None:
        row = ReplyTemplate(id=new_id(), version=0)
        work.session.add(row)
    else:
        row = locked(work.session, ReplyTemplate, template_id)
        if row.version != version:
            raise Collision(
                "version: a colleague changed this template in the meantime. Check it again."
            )
    session = work.session
    with session.no_autoflush:
        other = session.scalar(
            select(ReplyTemplate.id).where(ReplyTemplate.name == named, ReplyTemplate.id != row.id)
        )
    if other is not None:
        raise _refuse_taken_name(named)
    row.name, row.text_ja, row.text_en = named, *texts
    note_change(work, AuditEvent.REPLY_TEMPLATE_WRITTEN, row)
    row.updated_at, row.updated_by = work.clock.now(), work.actor
    row.version += 1
    try:
        work.session.flush()
    except IntegrityError as clash:
        # Another transaction took the name at the same time; this transaction is rolled back.
        raise _refuse_taken_name(named) from clash
    return row.id


def _refuse_taken_name(name: str) -> Refused:
    return Refused("name: a template called '{name}' already exists.", name=name)


def _check_template_text(field: str, text: str | None) -> str:
    words = (check_text(field, text, LONGEST_REPLY) or "").replace("\r\n", "\n").strip()
    unknown = unknown_places(words, PLACES)
    if unknown:
        raise Refused(
            "{field}: the placeholder {places} does not exist. You can use {known}.",
            field=field,
            places=join_with_commas(f"'{name[:60]}'" for name in unknown[:5]),
            known=join_with_commas(f"{{{{{name}}}}}" for name in PLACES),
        )
    return words
