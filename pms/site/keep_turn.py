"""Keeps a question with its answer, within what a key may ask and cost on one day."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, TooMany
from pms.foundation.ids import is_id
from pms.rules.channel_words import AnsweredBy
from pms.rules.chat_cost import THOUSAND, seconds_to_midnight
from pms.rules.enumerations import Locale
from pms.site.assistant_figures import AssistantFigures
from pms.site.models import AssistantSettings, ChatConversation, ChatTurn
from pms.site.passages import Source


class KeptTurn(NamedTuple):
    """The rows a question made."""

    id: str
    conversation_id: str


class Said(NamedTuple):
    """What is kept of a question and its answer; the cost is what it may be at most."""

    question: str
    reply: str
    sources: Sequence[Source]
    locale: Locale
    cost_thousandths: int = 0
    failure: str | None = None


def keep_turn(
    session: Session,
    clock: Clock,
    *,
    key_id: str | None,
    conversation_id: str | None,
    said: Said,
    figures: AssistantFigures,
) -> KeptTurn:
    """Keep a turn and count it; raise `TooMany` when the key has had its messages or its yen.

    Questions of one key wait for each other here, so that none is counted past another.
    """
    _take_turns(session, key_id)
    _check_day(session, clock, key_id, said, figures)
    conversation = conversation_of(session, key_id, conversation_id)
    now = clock.now()
    if conversation is None:
        conversation = ChatConversation(
            key_id=key_id, locale=said.locale, started_at=now, last_at=now, turns=0
        )
        session.add(conversation)
        session.flush()
    conversation.locale, conversation.last_at = said.locale, now
    conversation.turns += 1
    turn = ChatTurn(
        conversation_id=conversation.id,
        key_id=key_id,
        day_on=clock.today(),
        at=now,
        question=said.question,
        reply=said.reply,
        sources=[source._asdict() for source in said.sources],
        answered_by=AnsweredBy.RETRIEVAL,
        failure=said.failure,
        cost_thousandths=said.cost_thousandths,
    )
    session.add(turn)
    session.flush()
    return KeptTurn(turn.id, conversation.id)


def conversation_of(
    session: Session, key_id: str | None, conversation_id: str | None
) -> ChatConversation | None:
    """Return a conversation begun through a key; raise `NotFound` for any other one."""
    if conversation_id is None:
        return None
    row = None
    if is_id(conversation_id):
        row = session.scalar(select(ChatConversation).where(ChatConversation.id == conversation_id))
    if row is None or row.key_id != key_id:
        raise NotFound("There is no conversation '{id}'.", id=conversation_id[:60])
    return row


def _take_turns(session: Session, key_id: str | None) -> None:
    if key_id is None:
        session.execute(select(AssistantSettings.id).with_for_update(key_share=True))
    else:
        locked = select(ApiKey.id).where(ApiKey.id == key_id).with_for_update(key_share=True)
        session.execute(locked)


def _check_day(
    session: Session, clock: Clock, key_id: str | None, said: Said, figures: AssistantFigures
) -> None:
    messages, cost = session.execute(
        select(func.count(), func.coalesce(func.sum(ChatTurn.cost_thousandths), 0)).where(
            ChatTurn.key_id == key_id, ChatTurn.day_on == clock.today()
        )
    ).one()
    seconds = seconds_to_midnight(clock.now())
    if messages >= figures.most_messages:
        raise TooMany(
            "Daily messages used up: {most} for this key. Try again tomorrow, in {seconds} seconds.",
            seconds,
            most=figures.most_messages,
            seconds=seconds,
        )
    if said.cost_thousandths and (
        int(cost) + said.cost_thousandths > figures.ceiling_yen * THOUSAND
    ):
        raise TooMany(
            "Daily cost ceiling reached: {ceiling} yen for this key."
            " Try again tomorrow, in {seconds} seconds.",
            seconds,
            ceiling=figures.ceiling_yen,
            seconds=seconds,
        )
