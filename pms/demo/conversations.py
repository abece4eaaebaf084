"""The conversations of the demo: messages on channels, the inbox, and chats with the assistant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, Member
from pms.channels.answers import write_reply_template
from pms.channels.conversation_lists import assign_conversation
from pms.channels.conversations import Writer, find_conversation
from pms.channels.messages import note_failures, note_message
from pms.demo.rows import Album, Chance, IdMaker, read_toml
from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.inbox.models import Conversation, GuestMessage
from pms.inbox.people import follow_enquiries, follow_tickets
from pms.reservations.models import Reservation
from pms.rules.chat_cost import Prices, Tokens, cost_thousandths
from pms.rules.days import JAPAN, day_of
from pms.rules.enumerations import Lifecycle, Locale, ReservationKind, StaffRole, TicketSide
from pms.rules.message_words import (
    AnsweredBy,
    Channel,
    ConversationState,
    MessageKind,
    MessageState,
    language_of,
)
from pms.rules.visitor_wishes import spoken_locale
from pms.site.models import AssistantSettings, ChatConversation, ChatTurn
from pms.site.visitor_answers import answer_visitor
from pms.site.visitor_facts import VisitorFacts, VisitorWorld, visitor_facts

_TEXTS: Final = read_toml("texts")["conversations"]


class WrittenMessage(NamedTuple):
    """One message: so many minutes ago, by the person or, with a state, by the office.

    One that `edits` another names it by its own minutes.
    """

    minutes_ago: int
    text: str
    state: MessageState | None = None
    kind: MessageKind = MessageKind.TEXT
    is_taken_back: bool = False
    failure: str | None = None
    edits: int | None = None


class Talk(NamedTuple):
    """Everything said with one person; `of` tells who it is among the records, if anybody."""

    channel: Channel
    handle: str
    name: str
    messages: tuple[WrittenMessage, ...]
    of: str | None = None
    booking: str | None = None
    listing: str | None = None


RESIDENT: Final = "resident"
GUEST: Final = "guest"


def _message_of(row: dict[str, Any]) -> WrittenMessage:
    kinds: dict[str, Any] = {"kind": MessageKind(row.get("kind", MessageKind.TEXT))}
    if "state" in row:
        kinds["state"] = MessageState(row["state"])
    return WrittenMessage(**row | kinds)


def _parse_talk(row: dict[str, Any]) -> Talk:
    messages = tuple(map(_message_of, row["messages"]))
    return Talk(**row | {"channel": Channel(row["channel"]), "messages": messages})


TALKS: Final = tuple(map(_parse_talk, read_toml("conversations")["talk"]))
_BY: Final = "demo"
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
        for sent in talk.messages:
            at = now - timedelta(minutes=sent.minutes_ago)
            if row is None:
                row = _begin_conversation(session, talk, at)
            if sent.kind is not MessageKind.IMAGE:
                picture = None
            else:
                key = album[_SCENE].files[_WIDTH]
                content = files.get(key)
                picture = key if content is None else files.put_alone(content, "webp")
            message = _message_row(talk, sent, at, picture)
            message.id, message.conversation_id = ids.at(at), row.id
            session.add(message)
            note_message(session, FixedClock(at), row, message)
        if row is not None:
            note_failures(session, row)
            is_answered = row.awaits is TicketSide.RESIDENT and not row.has_failure
            if is_answered and now - row.last_message_at > _DONE_AFTER:
                row.state, row.awaits = ConversationState.DONE, TicketSide.NOBODY
                row.closed_at, row.closed_by = row.last_message_at + timedelta(hours=1), _BY
    session.flush()


def _begin_conversation(session: Session, talk: Talk, at: datetime) -> Conversation:
    """Begin a talk; whoever lives here is known by the telephone, as in the inbox itself."""
    found = _person_of(session, talk)
    phone, locale, name, reservation_id = found or (None, None, talk.name, None)
    writer = Writer(
        handles=((talk.channel, talk.handle),),
        name=name,
        words=talk.messages[0].text,
        phone=phone,
    )
    row = find_conversation(session, FixedClock(at), writer)
    if reservation_id is not None and row.reservation_id is None:
        row.reservation_id, row.locale = reservation_id, locale or row.locale
    return row


def _person_of(session: Session, talk: Talk) -> tuple[str | None, str, str, str] | None:
    if talk.of is None:
        return None
    asked = (
        select(Reservation.phone, Reservation.locale, Reservation.name, Reservation.id)
        .where(
            Reservation.kind == _KINDS[talk.of],
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.locale == (language_of(talk.messages[0].text.split("—")[0]) or "ja"),
        )
        .order_by(Reservation.phone.is_(None), Reservation.id)
    )
    row = session.execute(asked.limit(1)).first()
    return None if row is None else (row[0], row[1], row[2], row[3])


def _message_row(
    talk: Talk, message: WrittenMessage, at: datetime, picture: str | None
) -> GuestMessage:
    return GuestMessage(
        channel=talk.channel,
        handle=talk.handle,
        external_id=_external_id(talk, message.minutes_ago),
        quoted_id=None if message.edits is None else _external_id(talk, message.edits),
        is_edit=message.edits is not None,
        side=TicketSide.RESIDENT if message.state is None else TicketSide.STAFF,
        kind=message.kind,
        text="" if message.is_taken_back else message.text,
        sent_at=at,
        received_at=at,
        by=None if message.state is None else _BY,
        state=message.state or MessageState.RECEIVED,
        failure=message.failure,
        media_key=picture,
        media_type="image/webp" if picture else None,
        booking_reference=talk.booking,
        listing=talk.listing,
        taken_back_at=at + timedelta(minutes=2) if message.is_taken_back else None,
    )


def _external_id(talk: Talk, minutes_ago: int) -> str:
    return f"demo-{talk.handle}-{minutes_ago}"


def keep_inbox(session: Session, now: datetime) -> None:
    """Bring the inbox up to date with tickets and enquiries, and give some of it to the office."""
    clock = FixedClock(now)
    follow_tickets(session, None)
    follow_enquiries(session, None)
    for template in read_toml("conversations")["template"]:
        write_reply_template(
            Work(session, clock, _BY),
            template_id=None,
            name=template["name"],
            text_ja=template["ja"],
            text_en=template["en"],
        )
    office = session.scalars(
        select(Member.person_id)
        .where(Member.removed_at.is_(None), Member.role == StaffRole.OFFICE)
        .order_by(Member.person_id)
    ).first()
    open_ = select(Conversation.id).where(Conversation.state == ConversationState.OPEN)
    for conversation_id in session.scalars(open_.order_by(Conversation.id)).all()[::2]:
        assign_conversation(
            Work(session, clock, _BY), conversation_id=conversation_id, person_id=office
        )


class Chat(NamedTuple):
    """One conversation: days ago, the hour in Japan, and the questions."""

    days_ago: int
    hour: int
    questions: Sequence[str]
    by_staff: bool = False
    model_failure: str | None = None
    """Why the words of a model were not used; empty when they were."""


CHATS: Final = tuple(Chat(**row) for row in read_toml("conversations")["chat"])
_PRICES: Final = Prices(Decimal("0.06"), Decimal("0.24"))
_BETWEEN_QUESTIONS: Final = timedelta(seconds=48)


def keep_chats(session: Session, slug: str, base_url: str, now: datetime) -> None:
    """Keep the conversations of the last weeks, each answered from what is published today."""
    today = day_of(now)
    seed = ("chats", slug, today)
    ids, rng = IdMaker(*seed), Chance(*seed)
    key_id = session.scalars(
        select(ApiKey.id).where(ApiKey.name == "Website").order_by(ApiKey.id).limit(1)
    ).first()
    world = VisitorWorld(base_url)
    facts = {locale: visitor_facts(session, today, locale, world) for locale in Locale}
    session.add(
        AssistantSettings(
            id=workspace_of(session),
            is_on=True,
            uses_model=False,
            price_in_yen=_PRICES.in_yen,
            price_out_yen=_PRICES.out_yen,
            ceiling_yen=300,
            most_messages=500,
            greeting_ja=_TEXTS["greeting"],
            greeting_en=_TEXTS["greeting_en"],
            updated_at=now - timedelta(days=14),
            updated_by="demo",
        )
    )
    for chat in CHATS:
        chat_key = None if chat.by_staff else key_id
        _add_chat(session, chat, facts, ids=ids, rng=rng, key_id=chat_key, now=now)
    session.flush()


def _add_chat(
    session: Session,
    chat: Chat,
    facts: dict[Locale, VisitorFacts],
    *,
    ids: IdMaker,
    rng: Chance,
    key_id: str | None,
    now: datetime,
) -> None:
    on = day_of(now) - timedelta(days=chat.days_ago)
    at = datetime(on.year, on.month, on.day, chat.hour, rng.whole(0, 59), tzinfo=JAPAN)
    # What today has not brought yet came yesterday.
    at = at.astimezone(now.tzinfo) if at <= now else at.astimezone(now.tzinfo) - timedelta(days=1)
    locale = spoken_locale(chat.questions[0]) or Locale.JA
    conversation = ChatConversation(
        id=ids.at(at), key_id=key_id, locale=locale, started_at=at, last_at=at, turns=0
    )
    session.add(conversation)
    session.flush()
    before: str | None = None
    for question in chat.questions:
        answer = answer_visitor(session, facts[locale], question, before=before)
        turn = ChatTurn(
            id=ids.at(at),
            conversation_id=conversation.id,
            key_id=key_id,
            day_on=day_of(at),
            at=at,
            question=question,
            reply=answer.reply,
            sources=[source._asdict() for source in answer.sources],
            answered_by=AnsweredBy.MODEL if chat.model_failure == "" else AnsweredBy.RETRIEVAL,
            failure=chat.model_failure or None,
        )
        if chat.model_failure is not None:
            tokens = Tokens(rng.whole(900, 1_600), rng.whole(60, 180))
            turn.tokens_in, turn.tokens_out = tokens
            turn.cost_thousandths = cost_thousandths(tokens, _PRICES)
        session.add(turn)
        conversation.turns += 1
        conversation.last_at, before = at, question
        at += _BETWEEN_QUESTIONS
