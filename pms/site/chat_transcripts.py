"""Queries of assistant conversations: lists, one conversation, and the costs of a day."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging, finds
from pms.foundation.tenancy import refers_to
from pms.rules.message_words import AnsweredBy
from pms.site.models import ChatConversation, ChatTurn

STAFF: Final = "staff"
"""The filter value for conversations of the staff, which have no key."""


class TranscriptSearch(NamedTuple):
    """The filters of conversations; unset ones match all."""

    text: str = ""
    key: str | None = None
    day_on: date | None = None
    only_failed: bool = False


class ListedTranscript(NamedTuple):
    """A conversation of a list, with its first question."""

    id: str
    key_name: str | None
    locale: str
    started_at: datetime
    last_at: datetime
    turns: int
    question: str
    failures: int
    cost_thousandths: int


class TranscriptPage(NamedTuple):
    """One page of conversations, newest first, and the total."""

    conversations: Sequence[ListedTranscript]
    total: int


class TranscriptTurn(NamedTuple):
    """One question and its answer."""

    id: str
    at: datetime
    question: str
    reply: str
    sources: Sequence[dict[str, Any]]
    answered_by: AnsweredBy
    failure: str | None
    tokens_in: int
    tokens_out: int
    cost_thousandths: int


class Transcript(NamedTuple):
    """A conversation with all its turns."""

    id: str
    key_id: str | None
    key_name: str | None
    locale: str
    started_at: datetime
    turns: Sequence[TranscriptTurn]


class KeyDay(NamedTuple):
    """The number and cost of one key's questions on a day; without a name, the staff's."""

    key_name: str | None
    messages: int
    by_model: int
    failures: int
    cost_thousandths: int


_ITS_KEY = refers_to(ChatConversation.key_id, ApiKey)


def list_transcripts(session: Session, search: TranscriptSearch, paging: Paging) -> TranscriptPage:
    """Return one page of the conversations that match, in four queries."""
    conditions = _build_conditions(search)
    total = session.scalar(select(func.count()).select_from(ChatConversation).where(*conditions))
    rows = session.execute(
        select(
            ChatConversation.id,
            ApiKey.name,
            ChatConversation.locale,
            ChatConversation.started_at,
            ChatConversation.last_at,
            ChatConversation.turns,
        )
        .outerjoin(ApiKey, _ITS_KEY)
        .where(*conditions)
        .order_by(ChatConversation.last_at.desc(), ChatConversation.id.desc())
        .offset(min(paging.offset, total or 0))
        .limit(paging.limit)
    ).all()
    ids = [row[0] for row in rows]
    sums = {row[0]: (row[1], int(row[2])) for row in session.execute(_sums_of(ids))}
    place = func.row_number().over(
        partition_by=ChatTurn.conversation_id, order_by=(ChatTurn.at, ChatTurn.id)
    )
    turns = (
        select(ChatTurn.conversation_id, ChatTurn.question, place.label("place"))
        .where(ChatTurn.conversation_id.in_(ids))
        .subquery()
    )
    first_questions = select(turns.c.conversation_id, turns.c.question).where(turns.c.place == 1)
    questions = {row[0]: row[1] for row in session.execute(first_questions)}
    return TranscriptPage(
        [
            ListedTranscript(*row, questions.get(row[0], ""), *sums.get(row[0], (0, 0)))
            for row in rows
        ],
        total or 0,
    )


def transcript(session: Session, conversation_id: str) -> Transcript:
    """Return a conversation with its turns; raise `NotFound` for an unknown id."""
    row = None
    if is_id(conversation_id):
        row = session.execute(
            select(
                ChatConversation.id,
                ChatConversation.key_id,
                ApiKey.name,
                ChatConversation.locale,
                ChatConversation.started_at,
            )
            .outerjoin(ApiKey, _ITS_KEY)
            .where(ChatConversation.id == conversation_id)
        ).first()
    if row is None:
        raise no_such("conversation", conversation_id)
    turns = session.scalars(
        select(ChatTurn)
        .where(ChatTurn.conversation_id == conversation_id)
        .order_by(ChatTurn.at, ChatTurn.id)
    )
    return Transcript(*row, [_build_turn(turn) for turn in turns])


def costs_of_day(session: Session, day_on: date) -> Sequence[KeyDay]:
    """Return the questions and costs of each key on a day, the most expensive first."""
    cost = func.sum(ChatTurn.cost_thousandths)
    rows = session.execute(
        select(
            ApiKey.name,
            func.count(),
            func.sum(case((ChatTurn.answered_by == AnsweredBy.MODEL, 1), else_=0)),
            func.count(ChatTurn.failure),
            cost,
        )
        .outerjoin(ApiKey, refers_to(ChatTurn.key_id, ApiKey))
        .where(ChatTurn.day_on == day_on)
        .group_by(ChatTurn.key_id, ApiKey.name)
        .order_by(cost.desc(), func.count().desc(), ApiKey.name)
    )
    return [
        KeyDay(name, count, int(by), failed, int(cost)) for name, count, by, failed, cost in rows
    ]


def list_keys_with_conversations(session: Session) -> Sequence[tuple[str, str]]:
    """Return the id and name of each key that has a conversation, by name."""
    used = select(ChatConversation.key_id).where(ChatConversation.key_id.is_not(None)).distinct()
    rows = session.execute(
        select(ApiKey.id, ApiKey.name).where(ApiKey.id.in_(used)).order_by(ApiKey.name, ApiKey.id)
    )
    return [(row[0], row[1]) for row in rows]


def _sums_of(ids: Sequence[str]) -> Any:
    return (
        select(
            ChatTurn.conversation_id,
            func.count(ChatTurn.failure),
            func.sum(ChatTurn.cost_thousandths),
        )
        .where(ChatTurn.conversation_id.in_(ids))
        .group_by(ChatTurn.conversation_id)
    )


def _build_conditions(search: TranscriptSearch) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if search.key == STAFF:
        found.append(ChatConversation.key_id.is_(None))
    elif search.key is not None:
        found.append(ChatConversation.key_id == search.key)
    turns: list[ColumnElement[bool]] = []
    if search.text:
        turns.append(finds(search.text, ChatTurn.search_text))
    if search.day_on is not None:
        turns.append(ChatTurn.day_on == search.day_on)
    if search.only_failed:
        turns.append(ChatTurn.failure.is_not(None))
    if turns:
        found.append(ChatConversation.id.in_(select(ChatTurn.conversation_id).where(*turns)))
    return found


def _build_turn(turn: ChatTurn) -> TranscriptTurn:
    return TranscriptTurn(
        turn.id,
        turn.at,
        turn.question,
        turn.reply,
        turn.sources,
        turn.answered_by,
        turn.failure,
        turn.tokens_in,
        turn.tokens_out,
        turn.cost_thousandths,
    )
