"""A conversation with the assistant: the answer to a visitor, written by a model or from the pages."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import ScopeLacking
from pms.foundation.provider_http import PUBLIC, CallLimits, ProviderError
from pms.foundation.tokens import Signer
from pms.providers.authentication import Access
from pms.rules.chat_cost import (
    TRIES,
    Tokens,
    cost_thousandths,
    most_tokens,
)
from pms.rules.checked_reply import Ground, HomeFacts, problem_of_reply
from pms.rules.enumerations import IntegrationKind, Locale
from pms.rules.visitor_wishes import spoken_locale
from pms.site.assistant import (
    MOST_TURNS,
    EarlierTurn,
    GivenToModel,
    ModelAnswer,
    ask_model,
    model_messages,
)
from pms.site.assistant_settings import AssistantFigures, assistant_figures
from pms.site.kept_turns import Exchange, KeptTurn, conversation_of, finish_turn, keep_turn
from pms.site.models import ChatTurn
from pms.site.passages import AnswerSource
from pms.site.visitor_answers import Retrieved, answer_visitor
from pms.site.visitor_facts import VisitorFacts, VisitorWorld, visitor_facts
from pms.workspaces.integrations import access_to
from pms.workspaces.queries import branding

# The model is called between two transactions, so that no lock waits for it
# (docs/decisions/assistant.md).
CUT_OFF: Final = "provider: cut off"
RESTING: Final = "the model rests after failures"
_RESTS_AFTER: Final = 3
_RESTS_FOR: Final = timedelta(minutes=1)


class ChatVisitor(NamedTuple):
    """Who asks: a key of a workspace; the staff has none."""

    workspace_id: str
    key_id: str | None
    conversation_id: str | None = None
    locale: Locale | None = None


class Reply(NamedTuple):
    """The answer to a visitor."""

    conversation_id: str
    reply: str
    sources: Sequence[AnswerSource]


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
    database: Database, clock: Clock, tools: Assistance, *, visitor: ChatVisitor, message: str
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
    database: Database, clock: Clock, visitor: ChatVisitor, message: str, ready: _Prepared
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
    session: Session, clock: Clock, tools: Assistance, visitor: ChatVisitor, message: str
) -> _Prepared:
    figures = assistant_figures(session)
    if not figures.is_on:
        raise ScopeLacking("The assistant is switched off in this workspace.")
    conversation = conversation_of(session, visitor.key_id, visitor.conversation_id)
    if conversation:
        rows = session.execute(
            select(ChatTurn.question, ChatTurn.reply)
            .where(ChatTurn.conversation_id == conversation.id)
            .order_by(ChatTurn.at.desc(), ChatTurn.id.desc())
            .limit(MOST_TURNS)
        ).all()
        earlier = [EarlierTurn(*row) for row in reversed(rows)]
    else:
        earlier = []
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
    # Whether the provider failed so often in the last minute that it is not called now.
    failed = select(func.count()).where(
        ChatTurn.day_on == clock.today(),
        ChatTurn.at > clock.now() - _RESTS_FOR,
        ChatTurn.failure.startswith("provider: "),
        ChatTurn.failure != CUT_OFF,
    )
    is_provider_resting = (session.scalar(failed) or 0) >= _RESTS_AFTER
    if is_provider_resting:
        return _Prepared(figures, locale, retrieved, failure=RESTING)
    try:
        access = access_to(session, tools.signer, IntegrationKind.ASSISTANT)
    except ProviderError as problem:
        return _Prepared(figures, locale, retrieved, failure=f"provider: {problem}")
    given = model_messages(facts, message, retrieved.texts, earlier)
    return _Prepared(figures, locale, retrieved, given, access)


def _set_aside(ready: _Prepared) -> int:
    assert ready.given is not None
    most = most_tokens(message.content for message in ready.given.messages)
    both = Tokens(TRIES * most.read, TRIES * most.written)
    return cost_thousandths(both, ready.figures.prices)


def _facts_of_now(
    database: Database, clock: Clock, tools: Assistance, visitor: ChatVisitor, locale: Locale
) -> VisitorFacts:
    with database.reading(visitor.workspace_id) as session:
        return visitor_facts(session, clock.today(), locale, tools.world)


def _check_reply(
    answer: ModelAnswer, facts: VisitorFacts, texts: str, question: str
) -> tuple[str | None, str | None]:
    """Return the model's text if it may be shown, else the reason why not."""
    if answer.text is None:
        return None, answer.failure
    # A text without Markdown marks and unprintable characters.
    shown = "".join(letter for letter in answer.text if letter.isprintable() or letter == "\n")
    text = "\n".join(
        line.strip().lstrip("#").strip() for line in shown.replace("**", "").split("\n")
    )
    homes = [HomeFacts(*home) for home in facts.every_place]
    problem = problem_of_reply(text, Ground(facts.today, homes, texts, question))
    return (text, None) if problem is None else (None, f"reply: {problem}")
