"""Turns of the assistant's chats as they are stored, within the limits of a conversation and a day."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import TooMany, no_such
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.chat_cost import (
    THOUSAND,
    Prices,
    Tokens,
    cost_thousandths,
    seconds_to_midnight,
)
from pms.rules.enumerations import Locale
from pms.rules.message_words import AnsweredBy
from pms.site.assistant_settings import AssistantFigures
from pms.site.models import AssistantSettings, ChatConversation, ChatTurn
from pms.site.passages import AnswerSource


def finish_turn(
    session: Session,
    *,
    turn_id: str,
    reply: str | None,
    failure: str | None,
    tokens: Tokens,
    prices: Prices,
) -> None:
    """Replace the reserved cost by the real one; without a reply the retrieved one stays.

    A turn that was deleted meanwhile is ignored.
    """
    turn = session.get(ChatTurn, (workspace_of(session), turn_id))
    if turn is None:
        return
    if reply is not None:
        turn.reply, turn.answered_by = reply, AnsweredBy.MODEL
    turn.failure = failure
    turn.tokens_in, turn.tokens_out = tokens
    turn.cost_thousandths = cost_thousandths(tokens, prices)
    session.flush()


class KeptTurn(NamedTuple):
    """The ids of the rows written for a question."""

    id: str
    conversation_id: str


class Exchange(NamedTuple):
    """A question and its answer to store; the cost is the highest possible."""

    question: str
    reply: str
    sources: Sequence[AnswerSource]
    locale: Locale
    cost_thousandths: int = 0
    failure: str | None = None


def _begin_conversation(
    session: Session, key_id: str | None, locale: Locale, now: datetime
) -> ChatConversation:
    conversation = ChatConversation(
        key_id=key_id, locale=locale, started_at=now, last_at=now, turns=0
    )
    session.add(conversation)
    session.flush()
    return conversation


def keep_turn(
    session: Session,
    clock: Clock,
    *,
    key_id: str | None,
    conversation_id: str | None,
    exchange: Exchange,
    figures: AssistantFigures,
) -> KeptTurn:
    """Store a turn and count it; raise `TooMany` if the key's daily messages or yen are used up.

    Questions of one key are serialised by a lock, so that each one counts those before it.
    """
    if key_id is None:
        session.execute(select(AssistantSettings.id).with_for_update(key_share=True))
    else:
        locked = select(ApiKey.id).where(ApiKey.id == key_id).with_for_update(key_share=True)
        session.execute(locked)
    _check_day(session, clock, key_id, exchange, figures)
    now = clock.now()
    conversation = conversation_of(session, key_id, conversation_id) or _begin_conversation(
        session, key_id, exchange.locale, now
    )
    conversation.locale, conversation.last_at = exchange.locale, now
    conversation.turns += 1
    turn = ChatTurn(
        conversation_id=conversation.id,
        key_id=key_id,
        day_on=clock.today(),
        at=now,
        question=exchange.question,
        reply=exchange.reply,
        sources=[source._asdict() for source in exchange.sources],
        answered_by=AnsweredBy.RETRIEVAL,
        failure=exchange.failure,
        cost_thousandths=exchange.cost_thousandths,
    )
    session.add(turn)
    session.flush()
    return KeptTurn(turn.id, conversation.id)


def conversation_of(
    session: Session, key_id: str | None, conversation_id: str | None
) -> ChatConversation | None:
    """Return a conversation of this key; raise `NotFound` for any other one."""
    if conversation_id is None:
        return None
    row = None
    if is_id(conversation_id):
        row = session.scalar(select(ChatConversation).where(ChatConversation.id == conversation_id))
    if row is None or row.key_id != key_id:
        raise no_such("conversation", conversation_id)
    return row


def _check_day(
    session: Session,
    clock: Clock,
    key_id: str | None,
    exchange: Exchange,
    figures: AssistantFigures,
) -> None:
    messages, cost = session.execute(
        select(func.count(), func.coalesce(func.sum(ChatTurn.cost_thousandths), 0)).where(
            ChatTurn.key_id == key_id, ChatTurn.day_on == clock.today()
        )
    ).one()
    seconds = seconds_to_midnight(clock.now())
    if messages >= figures.most_messages:
        raise TooMany(
            "The daily limit of {most} messages for this key is reached. Try again tomorrow, "
            "in {seconds} seconds.",
            seconds,
            most=figures.most_messages,
            seconds=seconds,
        )
    if exchange.cost_thousandths and (
        int(cost) + exchange.cost_thousandths > figures.ceiling_yen * THOUSAND
    ):
        raise TooMany(
            "The daily cost limit of {ceiling} yen for this key is reached. Try again "
            "tomorrow, in {seconds} seconds.",
            seconds,
            ceiling=figures.ceiling_yen,
            seconds=seconds,
        )


KEPT_DAYS: Final = 90


def forget_chats(work: Work, *, most: int = 500) -> int:
    """Delete conversations without a turn for 90 days; return how many, `most` at most.

    Visitors may write anything, including names: see docs/decisions/assistant.md.
    """
    kept_from = work.clock.now() - timedelta(days=KEPT_DAYS)
    ids = work.session.scalars(
        select(ChatConversation.id)
        .where(ChatConversation.last_at < kept_from)
        .order_by(ChatConversation.last_at, ChatConversation.id)
        .limit(most)
    ).all()
    if not ids:
        return 0
    for model, column in (
        (ChatTurn, ChatTurn.conversation_id),
        (ChatConversation, ChatConversation.id),
    ):
        gone = delete(model).where(one_of(column, ids))
        work.session.execute(gone.execution_options(synchronize_session=False))
    facts = {"conversations": len(ids)}
    note_audit_event(work, AuditEvent.CHATS_FORGOTTEN, of_workspace(work.session), after=facts)
    return len(ids)
