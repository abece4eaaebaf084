"""Turns of a conversation with the assistant."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import ScopeLacking, TooMany, no_such
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.foundation.provider_http import PUBLIC, CallLimits, ProviderError
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.providers.sending import Access
from pms.rules.audit_events import AuditEvent
from pms.rules.chat_cost import (
    THOUSAND,
    TRIES,
    Prices,
    Tokens,
    cost_thousandths,
    most_tokens,
    seconds_to_midnight,
)
from pms.rules.checked_reply import Ground, HomeFacts, problem_of_reply
from pms.rules.enumerations import IntegrationKind, Locale
from pms.rules.message_words import AnsweredBy
from pms.rules.visitor_wishes import spoken_locale
from pms.site.assistant import (
    MOST_TURNS,
    EarlierTurn,
    GivenToModel,
    ModelAnswer,
    ask_model,
    model_messages,
)
from pms.site.assistant_settings import AssistantFigures, Source, assistant_figures
from pms.site.models import AssistantSettings, ChatConversation, ChatTurn
from pms.site.visitor_answers import Retrieved, answer_visitor
from pms.site.visitor_facts import VisitorFacts, VisitorWorld, visitor_facts
from pms.workspaces.integrations import access_to
from pms.workspaces.queries import branding


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
    exchange: Exchange,
    figures: AssistantFigures,
) -> KeptTurn:
    """Store a turn and count it; raise `TooMany` if the key's daily messages or yen are used up.

    Questions of one key are serialised by a lock, so that each one counts those before it.
    """
    _take_turns(session, key_id)
    _check_day(session, clock, key_id, exchange, figures)
    conversation = conversation_of(session, key_id, conversation_id)
    now = clock.now()
    if conversation is None:
        conversation = ChatConversation(
            key_id=key_id, locale=exchange.locale, started_at=now, last_at=now, turns=0
        )
        session.add(conversation)
        session.flush()
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


def _take_turns(session: Session, key_id: str | None) -> None:
    if key_id is None:
        session.execute(select(AssistantSettings.id).with_for_update(key_share=True))
    else:
        locked = select(ApiKey.id).where(ApiKey.id == key_id).with_for_update(key_share=True)
        session.execute(locked)


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


# The model is called between two transactions, so that no lock waits for it
# (docs/decisions/assistant.md).
CUT_OFF: Final = "provider: cut off"
RESTING: Final = "the model rests after failures"
_RESTS_AFTER: Final = 3
_RESTS_FOR: Final = timedelta(minutes=1)


class Visitor(NamedTuple):
    """Who asks: a key of a workspace; the staff has none."""

    workspace_id: str
    key_id: str | None
    conversation_id: str | None = None
    locale: Locale | None = None


class Reply(NamedTuple):
    """The answer to a visitor."""

    conversation_id: str
    reply: str
    sources: Sequence[Source]


class Assistance(NamedTuple):
    """What answering needs besides the database; other `limits` are for tests only."""

    signer: Signer
    world: VisitorWorld
    limits: CallLimits = PUBLIC


class _Prepared(NamedTuple):
    """What was read before the first write."""

    figures: AssistantFigures
    locale: Locale
    retrieved: Retrieved
    given: GivenToModel | None = None
    access: Access | None = None
    failure: str | None = None


def talk_to_visitor(
    database: Database, clock: Clock, tools: Assistance, *, visitor: Visitor, message: str
) -> Reply:
    """Answer a message, and store both.

    Raises `NotFound` for a conversation of another key, `ScopeLacking` if the assistant is off, and
    `TooMany` if the key's daily messages or yen are used up.
    """
    with database.reading(visitor.workspace_id) as session:
        ready = _prepare_answer(session, clock, tools, visitor, message)
    retrieved, prices = ready.retrieved, ready.figures.prices
    kept = _keep_question(database, clock, visitor, message, ready)
    if ready.given is None or ready.access is None:
        return Reply(kept.conversation_id, retrieved.reply, retrieved.sources)
    answer = ask_model(ready.access, ready.given.messages, tools.limits)
    # Checked against current facts: a unit may have been taken during the model's call.
    facts = _facts_of_now(database, clock, tools, visitor, ready.locale)
    text, failure = _check_reply(answer, facts, ready.given.texts, message)
    database.write(
        visitor.workspace_id,
        lambda session: finish_turn(
            session,
            turn_id=kept.id,
            reply=text,
            failure=failure,
            tokens=answer.tokens,
            prices=prices,
        ),
    )
    return Reply(kept.conversation_id, text or retrieved.reply, retrieved.sources)


def _keep_question(
    database: Database, clock: Clock, visitor: Visitor, message: str, ready: _Prepared
) -> KeptTurn:
    """Store the question with the answer found; one for the model counts as cut off until then."""
    is_asked = ready.given is not None and ready.access is not None
    exchange = Exchange(
        message,
        ready.retrieved.reply,
        ready.retrieved.sources,
        ready.locale,
        _set_aside(ready) if is_asked else 0,
        CUT_OFF if is_asked else ready.failure,
    )
    return database.write(
        visitor.workspace_id,
        lambda session: keep_turn(
            session,
            clock,
            key_id=visitor.key_id,
            conversation_id=visitor.conversation_id,
            exchange=exchange,
            figures=ready.figures,
        ),
    )


def _prepare_answer(
    session: Session, clock: Clock, tools: Assistance, visitor: Visitor, message: str
) -> _Prepared:
    figures = assistant_figures(session)
    if not figures.is_on:
        raise ScopeLacking("The assistant is switched off in this workspace.")
    conversation = conversation_of(session, visitor.key_id, visitor.conversation_id)
    earlier = _earlier(session, conversation.id) if conversation else []
    spoken = visitor.locale or spoken_locale(message)
    known = conversation.locale if conversation else branding(session).default_locale
    locale = spoken or Locale(known)
    facts = visitor_facts(session, clock.today(), locale, tools.world)
    retrieved = answer_visitor(
        session,
        facts,
        message,
        before=earlier[-1].question if earlier else None,
        greeting=figures.greeting.in_language(locale) or "",
    )
    if not figures.uses_model or not retrieved.texts:
        return _Prepared(figures, locale, retrieved)
    if _rests(session, clock):
        return _Prepared(figures, locale, retrieved, failure=RESTING)
    try:
        access = access_to(session, tools.signer, IntegrationKind.ASSISTANT)
    except ProviderError as problem:
        return _Prepared(figures, locale, retrieved, failure=f"provider: {problem}")
    given = model_messages(facts, message, retrieved.texts, earlier)
    return _Prepared(figures, locale, retrieved, given, access)


def _earlier(session: Session, conversation_id: str) -> list[EarlierTurn]:
    rows = session.execute(
        select(ChatTurn.question, ChatTurn.reply)
        .where(ChatTurn.conversation_id == conversation_id)
        .order_by(ChatTurn.at.desc(), ChatTurn.id.desc())
        .limit(MOST_TURNS)
    ).all()
    return [EarlierTurn(*row) for row in reversed(rows)]


def _rests(session: Session, clock: Clock) -> bool:
    """Whether the provider failed so often in the last minute that it is not called now."""
    failed = select(func.count()).where(
        ChatTurn.day_on == clock.today(),
        ChatTurn.at > clock.now() - _RESTS_FOR,
        ChatTurn.failure.startswith("provider: "),
        ChatTurn.failure != CUT_OFF,
    )
    return (session.scalar(failed) or 0) >= _RESTS_AFTER


def _set_aside(ready: _Prepared) -> int:
    assert ready.given is not None
    most = most_tokens(message.content for message in ready.given.messages)
    both = Tokens(TRIES * most.read, TRIES * most.written)
    return cost_thousandths(both, ready.figures.prices)


def _facts_of_now(
    database: Database, clock: Clock, tools: Assistance, visitor: Visitor, locale: Locale
) -> VisitorFacts:
    with database.reading(visitor.workspace_id) as session:
        return visitor_facts(session, clock.today(), locale, tools.world)


def _check_reply(
    answer: ModelAnswer, facts: VisitorFacts, texts: str, question: str
) -> tuple[str | None, str | None]:
    """Return the model's text if it may be shown, else the reason why not."""
    if answer.text is None:
        return None, answer.failure
    text = _plain_text(answer.text)
    problem = problem_of_reply(text, _ground(facts, texts, question))
    return (text, None) if problem is None else (None, f"reply: {problem}")


def _ground(facts: VisitorFacts, texts: str, question: str) -> Ground:
    homes = [HomeFacts(*home) for home in facts.every_place]
    return Ground(facts.today, homes, texts, question)


def _plain_text(text: str) -> str:
    """Return a text without Markdown marks and unprintable characters."""
    shown = "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    return "\n".join(
        line.strip().lstrip("#").strip() for line in shown.replace("**", "").split("\n")
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
