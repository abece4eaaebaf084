"""Gives a workspace of the demo its assistant: how it is set, and what visitors asked."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.demo.chance import Chance, IdMaker
from pms.demo.chatted import CHATS, Chat
from pms.foundation.tenancy import workspace_of
from pms.rules.channel_words import AnsweredBy
from pms.rules.chat_cost import Prices, Tokens, cost_thousandths
from pms.rules.days import JAPAN, day_of
from pms.rules.enumerations import Locale
from pms.rules.visitor_wishes import spoken_locale
from pms.site.answer_visitor import answer_visitor
from pms.site.models import AssistantSettings, ChatConversation, ChatTurn
from pms.site.visitor_facts import VisitorFacts, VisitorWorld, visitor_facts

_PRICES: Final = Prices(Decimal("0.06"), Decimal("0.24"))
_BETWEEN_QUESTIONS: Final = timedelta(seconds=48)


def keep_chats(session: Session, slug: str, base_url: str, now: datetime) -> None:
    """Keep the conversations of the last weeks, each answered from what is published today."""
    today = day_of(now)
    seed = ("chats", slug, today)
    ids, chance = IdMaker(*seed), Chance(*seed)
    key_id = session.scalars(
        select(ApiKey.id).where(ApiKey.name == "Website").order_by(ApiKey.id).limit(1)
    ).first()
    world = VisitorWorld(base_url)
    facts = {locale: visitor_facts(session, today, locale, world) for locale in Locale}
    session.add(_settings(session, now))
    for chat in CHATS:
        _keep(session, ids, chance, facts, chat, None if chat.by_staff else key_id, now)
    session.flush()


def _settings(session: Session, now: datetime) -> AssistantSettings:
    return AssistantSettings(
        id=workspace_of(session),
        is_on=True,
        uses_model=False,
        price_in_yen=_PRICES.in_yen,
        price_out_yen=_PRICES.out_yen,
        ceiling_yen=300,
        most_messages=500,
        greeting_ja="こんにちは。空室、家賃、入居の手続きなど、何でもお尋ねください。",
        greeting_en="Hello! Ask me about free rooms, rents and how moving in works.",
        updated_at=now - timedelta(days=14),
        updated_by="demo",
    )


def _keep(  # noqa: PLR0917
    session: Session,
    ids: IdMaker,
    chance: Chance,
    facts: dict[Locale, VisitorFacts],
    chat: Chat,
    key_id: str | None,
    now: datetime,
) -> None:
    on = day_of(now) - timedelta(days=chat.days_ago)
    at = datetime(on.year, on.month, on.day, chat.hour, chance.whole(0, 59), tzinfo=JAPAN)
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
            answered_by=AnsweredBy.MODEL if chat.model_said == "" else AnsweredBy.RETRIEVAL,
            failure=chat.model_said or None,
        )
        if chat.model_said is not None:
            tokens = Tokens(chance.whole(900, 1_600), chance.whole(60, 180))
            turn.tokens_in, turn.tokens_out = tokens
            turn.cost_thousandths = cost_thousandths(tokens, _PRICES)
        session.add(turn)
        conversation.turns += 1
        conversation.last_at, before = at, question
        at += _BETWEEN_QUESTIONS
