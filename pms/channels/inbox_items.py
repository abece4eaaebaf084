"""Items of the inbox that wait for an answer or decision, by kind; merging of conversations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Select,
    func,
    literal,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from pms.channels.answer_ways import known_handles
from pms.channels.conversation_lists import InboxVisibility, lock_conversation
from pms.channels.conversation_threads import conversation_thread
from pms.channels.inbox_sources import QUESTIONS, InboxItem, InboxKind, InboxSource
from pms.channels.message_files import MediaFile
from pms.channels.sending import ask_for_media
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, find_row
from pms.inbox.conversations import lock_ongoing_conversation
from pms.inbox.models import Conversation, GuestMessage
from pms.notices.notices import select_unread
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.message_words import Channel, ConversationState, MessageKind
from pms.upkeep.ticket_updates import first_line


@dataclass(frozen=True, slots=True)
class InboxScope:
    """What a person sees in the inbox: which sources, which conversations, and how far back.

    Provider and mail failures before `failed_since` are taken as resolved and left out.
    """

    sources: frozenset[InboxSource]
    visibility: InboxVisibility
    failed_since: datetime

    @property
    def days(self) -> Mapping[str, datetime]:
        """The parameters of the queries."""
        return {"failed_since": self.failed_since}


def inbox_items(
    session: Session, scope: InboxScope, kind: InboxKind | None, paging: Paging
) -> Sequence[InboxItem]:
    """Return one page of waiting items, of one kind or of all, the oldest first."""
    items = _join_questions(_list_questions(session, scope, kind), kind)
    if items is None:
        return []
    asked = select(items).order_by(items.c.at, items.c.id).offset(paging.offset).limit(paging.limit)
    return [_build_item(row) for row in session.execute(asked, scope.days)]


def first_of_each(
    session: Session, scope: InboxScope, few: int
) -> Mapping[InboxSource, Sequence[InboxItem]]:
    """Return the oldest few items of each source in one query, failures first."""
    found: dict[InboxSource, list[InboxItem]] = {source: [] for source in InboxSource}
    if questions := _list_questions(session, scope):
        for item in map(_build_item, session.execute(_first_of_each(questions, few), scope.days)):
            found[item.source].append(item)
    return found


@lru_cache(maxsize=32)
def _first_of_each(questions: tuple[Select[Any], ...], few: int) -> Select[Any]:
    parts = []
    for question in questions:
        asked = question.subquery()
        order = (asked.c.has_failed.desc(), asked.c.at, asked.c.id)
        parts.append(select(select(asked).order_by(*order).limit(few).subquery()))
    items = union_all(*parts).subquery()
    return select(items).order_by(items.c.has_failed.desc(), items.c.at, items.c.id)


def inbox_counts(session: Session, scope: InboxScope) -> Mapping[InboxKind, int]:
    """Return the number of waiting items of each kind; kinds without any are left out."""
    questions = _list_questions(session, scope)
    if not questions:
        return {}
    return {
        InboxKind(kind): count
        for kind, count in session.execute(_select_counts(questions), scope.days)
    }


class WaitingNumbers(NamedTuple):
    """What waits for a person: items of the inbox, and notices they have not read."""

    items: int
    notices: int


def waiting_numbers(
    session: Session, scope: InboxScope, person_id: str, most: int
) -> WaitingNumbers:
    """Return how much waits for a person, in one query that stops counting at `most`."""
    asked = _count_to(_list_questions(session, scope), most)
    return WaitingNumbers(*session.execute(asked, {**scope.days, "reader_id": person_id}).one())


@lru_cache(maxsize=32)
def _count_to(questions: tuple[Select[Any], ...], most: int) -> Select[int, int]:
    unread = select_unread(most)
    if not questions:
        return select(literal(0), unread)
    items = union_all(*map(_kind_and_id, questions)).subquery()
    first = select(items.c.id).limit(most).subquery()
    return select(select(func.count()).select_from(first).scalar_subquery(), unread)


@lru_cache(maxsize=32)
def _select_counts(questions: tuple[Select[Any], ...]) -> Select[Any]:
    """Return the query of counts by kind; it joins no table that only names an item."""
    items = union_all(*map(_kind_and_id, questions)).subquery()
    return select(items.c.kind, func.count()).group_by(items.c.kind)


def _kind_and_id(question: Select[Any]) -> Select[Any]:
    named = question.selected_columns
    condition = question.whereclause
    asked = select(named.kind, named.id)
    return asked if condition is None else asked.where(condition)


@lru_cache(maxsize=32)
def _join_questions(questions: tuple[Select[Any], ...], kind: InboxKind | None) -> Any:
    if not questions:
        return None
    items = union_all(*questions).subquery()
    return select(items).where(items.c.kind == kind).subquery() if kind else items


def _list_questions(
    session: Session, scope: InboxScope, kind: InboxKind | None = None
) -> tuple[Select[Any], ...]:
    wanted = scope.sources & (_SOURCES[kind] if kind else frozenset(InboxSource))
    return tuple(
        scope.visibility.narrow(session, question)
        if source is InboxSource.CONVERSATION
        else question
        for source, question in QUESTIONS.items()
        if source in wanted
    )


_SOURCES: Final[Mapping[InboxKind, frozenset[InboxSource]]] = {
    InboxKind.MESSAGES: frozenset({InboxSource.CONVERSATION}),
    InboxKind.TICKETS: frozenset({InboxSource.CONVERSATION}),
    InboxKind.ENQUIRIES: frozenset({InboxSource.CONVERSATION}),
    InboxKind.REPORTS: frozenset({InboxSource.REPORT}),
    InboxKind.APPLICATIONS: frozenset({InboxSource.LEAD}),
    InboxKind.ORDERS: frozenset({InboxSource.ORDER}),
    InboxKind.PAYMENTS: frozenset({InboxSource.DISPUTE, InboxSource.REFUND, InboxSource.EVENT}),
    InboxKind.FAILED: frozenset({InboxSource.CALL, InboxSource.MAIL}),
}


def kinds_of(sources: Collection[InboxSource]) -> Sequence[InboxKind]:
    """Return the kinds that come from any of the sources, in their order."""
    return [kind for kind, own in _SOURCES.items() if own & set(sources)]


def _build_item(row: Any) -> InboxItem:
    kind, source, id_, who, words, ja, en, room, yen, at, has_failed = row
    return InboxItem(
        InboxKind(kind),
        InboxSource(source),
        str(id_),
        first_line(who),
        first_line(words),
        Bilingual(ja, en),
        room,
        yen,
        at,
        bool(has_failed),
    )


class MessageInHand(NamedTuple):
    """A message and its conversation, both current."""

    message: GuestMessage
    conversation: Conversation


def lock_message(session: Session, message_id: str) -> MessageInHand:
    """Return a message with its conversation locked; raise `NotFound` for an unknown id."""
    message = find_row(session, GuestMessage, message_id)
    row = lock_ongoing_conversation(session, message.conversation_id)
    session.refresh(message)
    return MessageInHand(message, row)


class NewestWords(NamedTuple):
    """Who wrote, and when."""

    side: TicketSide
    at: datetime
    by: str | None


def newest_words(
    session: Session,
    row: Conversation,
    *,
    side: TicketSide | None = None,
    visibility: InboxVisibility | None = None,
) -> NewestWords | None:
    """Return the newest words of the latest messages, of one side or of both, without steps.

    Messages that are not visible are ignored.
    """
    handles = known_handles(session, row)
    thread = conversation_thread(
        session, row.id, handles, visibility or InboxVisibility.everything()
    )
    for line in reversed(thread.lines):
        is_message = line.step is None and line.kind is not MessageKind.REACTION
        if is_message and side in (None, line.side):
            return NewestWords(line.side, line.at, line.by)
    return None


def fetch_again(work: Work, *, message_id: str) -> None:
    """Fetch the file again; raise `Refused` when nothing failed or there is nothing to fetch."""
    message, row = lock_message(work.session, message_id)
    if message.media_failure is None or message.media_id is None:
        raise Refused("message: there is no file to fetch again.")
    message.media_failure = None
    row.version += 1
    subject, facts = ("conversation", row.id), {"guest_message": message.id}
    note_audit_event(work, AuditEvent.MESSAGE_FILE_ASKED, subject, after=facts)
    ask_for_media(work.session, work.clock, message)


def note_media(session: Session, *, message_id: str, key: str, file: MediaFile) -> bool:
    """Set the stored file of a message; return False if it was deleted or has one already."""
    message, row = lock_message(session, message_id)
    if message.taken_back_at is not None or message.media_key is not None:
        return False
    message.media_key, message.media_type, message.media_failure = key, file.media_type, None
    row.version += 1
    return True


def note_no_media(session: Session, *, message_id: str, failure: str) -> None:
    """Set the reason why a message's file is missing."""
    message, row = lock_message(session, message_id)
    if message.taken_back_at is None and message.media_key is None:
        message.media_failure = failure
        row.version += 1


_PROVIDERS: Final = {
    Channel.LINE: IntegrationKind.LINE,
    Channel.WHATSAPP: IntegrationKind.WHATSAPP,
}


class WantedMedia(NamedTuple):
    """A file that is not stored yet: the provider has it, or the original of a mail."""

    provider: IntegrationKind | None
    kind: MessageKind
    media_id: str


def wanted_media(session: Session, message_id: str) -> WantedMedia | None:
    """Return the missing file; None when it is stored or the message was deleted."""
    message = session.scalar(select(GuestMessage).where(GuestMessage.id == message_id))
    if message is None or message.taken_back_at is not None or message.media_key is not None:
        return None
    provider = _PROVIDERS.get(message.channel)
    if message.media_id is None or (provider is None and message.channel is not Channel.MAIL):
        return None
    return WantedMedia(provider, message.kind, message.media_id)


def reopen_conversation(work: Work, *, conversation_id: str) -> None:
    """Reopen a conversation: the side that did not write last has the turn; an open one stays."""
    row = lock_conversation(work.session, conversation_id, InboxVisibility.everything())
    if row.state == ConversationState.OPEN:
        return
    newest = newest_words(work.session, row)
    is_ours = newest is not None and newest.side == TicketSide.STAFF
    row.state = ConversationState.OPEN
    row.awaits = TicketSide.RESIDENT if is_ours else TicketSide.STAFF
    row.closed_at, row.closed_by, row.reopened_at = None, None, work.clock.now()
    row.version += 1
    note_change(work, AuditEvent.CONVERSATION_REOPENED, row)
    work.session.flush()
