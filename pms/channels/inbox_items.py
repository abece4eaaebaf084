"""Everything that came in and waits for an answer or a decision, of every kind, in one list."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.channels.conversation_lists import InboxReach
from pms.channels.models import InboundEvent, SupplierOrder
from pms.channels.sending import SENDING
from pms.checkouts.models import ProviderPayment
from pms.enquiries.enquiry_answers import IS_LEAD_UNHEARD
from pms.enquiries.models import Lead, LeadNote
from pms.foundation.db import as_indexed
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Bilingual
from pms.foundation.provider_calls import ProviderCall
from pms.foundation.run_records import Paging
from pms.inbox.models import Conversation
from pms.reservations.models import Reservation
from pms.rules.enumerations import RequestState
from pms.rules.message_words import Channel, InboundState, LeadState, OrderState
from pms.site.models import Position
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.ticket_updates import first_line


class InboxKind(StrEnum):
    """By what the inbox is filtered."""

    MESSAGES = "messages"
    TICKETS = "tickets"
    ENQUIRIES = "enquiries"
    REPORTS = "reports"
    APPLICATIONS = "applications"
    ORDERS = "orders"
    PAYMENTS = "payments"
    FAILED = "failed"


class Source(StrEnum):
    """The table an item comes from, and so the page that it opens."""

    CONVERSATION = "conversation"
    REPORT = "report"
    LEAD = "lead"
    ORDER = "order"
    DISPUTE = "dispute"
    EVENT = "event"
    CALL = "call"
    MAIL = "mail"


class InboxItem(NamedTuple):
    """One thing that waits.

    `id` names the row of its source, of a dispute the reservation. `who` is a name, a supplier or
    a recipient; `words` the first line of what was said or why it failed; `about` the building or
    the position, `room` the unit or the number of the order.
    """

    kind: InboxKind
    source: Source
    id: str
    who: str
    words: str
    about: Bilingual
    room: str | None
    yen: int | None
    at: datetime
    has_failed: bool


@dataclass(frozen=True, slots=True)
class InboxScope:
    """What somebody meets: from which sources, which conversations, and nothing too old.

    What a provider or a mail server refused before `failed_since`, and what was disputed before
    `disputed_since`, was settled in another way.
    """

    sources: frozenset[Source]
    reach: InboxReach
    failed_since: datetime
    disputed_since: datetime

    @property
    def days(self) -> Mapping[str, datetime]:
        """The values that the questions are asked with."""
        return {"failed_since": self.failed_since, "disputed_since": self.disputed_since}


_NAMES: Final = (*InboxItem._fields[:5], "ja", "en", "room", "yen", "at", "has_failed")
_IS_WAITING: Final = as_indexed(
    "conversation.state = 'open' AND conversation.merged_into_id IS NULL"
    " AND (conversation.awaits = 'staff' OR conversation.has_failure)"
)
_OF_UNIT: Final = and_(
    Unit.workspace_id == Reservation.workspace_id, Unit.id == Reservation.unit_id
)
_OF_BUILDING: Final = and_(
    Building.workspace_id == Unit.workspace_id, Building.id == Unit.building_id
)


def inbox_items(
    session: Session, scope: InboxScope, kind: InboxKind | None, paging: Paging
) -> Sequence[InboxItem]:
    """Return one page of what waits, of one kind or of all, the oldest first."""
    told = _everything(_questions(session, scope, kind), kind)
    if told is None:
        return []
    asked = select(told).order_by(told.c.at, told.c.id).offset(paging.offset).limit(paging.limit)
    return [_item(row) for row in session.execute(asked, scope.days)]


def first_of_each(
    session: Session, scope: InboxScope, few: int
) -> Mapping[Source, Sequence[InboxItem]]:
    """Return the oldest few of each source in one question, what failed before the rest."""
    found: dict[Source, list[InboxItem]] = {source: [] for source in Source}
    if questions := _questions(session, scope):
        for item in map(_item, session.execute(_first_of_each(questions, few), scope.days)):
            found[item.source].append(item)
    return found


@lru_cache(maxsize=32)
def _first_of_each(questions: tuple[Select[Any], ...], few: int) -> Select[Any]:
    parts = []
    for question in questions:
        asked = question.subquery()
        order = (asked.c.has_failed.desc(), asked.c.at, asked.c.id)
        parts.append(select(select(asked).order_by(*order).limit(few).subquery()))
    told = union_all(*parts).subquery()
    return select(told).order_by(told.c.has_failed.desc(), told.c.at, told.c.id)


def inbox_counts(session: Session, scope: InboxScope) -> Mapping[InboxKind, int]:
    """Return how many things of each kind wait; a kind with nothing is left out."""
    told = _everything(_questions(session, scope), None)
    if told is None:
        return {}
    rows = session.execute(select(told.c.kind, func.count()).group_by(told.c.kind), scope.days)
    return {InboxKind(kind): count for kind, count in rows}


@lru_cache(maxsize=32)
def _everything(questions: tuple[Select[Any], ...], kind: InboxKind | None) -> Any:
    if not questions:
        return None
    told = union_all(*questions).subquery()
    return select(told).where(told.c.kind == kind).subquery() if kind else told


def _questions(
    session: Session, scope: InboxScope, kind: InboxKind | None = None
) -> tuple[Select[Any], ...]:
    wanted = scope.sources & (_SOURCES[kind] if kind else frozenset(Source))
    return tuple(
        scope.reach.narrow(session, question) if source is Source.CONVERSATION else question
        for source, question in _QUESTIONS.items()
        if source in wanted
    )


_SOURCES: Final[Mapping[InboxKind, frozenset[Source]]] = {
    InboxKind.MESSAGES: frozenset({Source.CONVERSATION}),
    InboxKind.TICKETS: frozenset({Source.CONVERSATION}),
    InboxKind.ENQUIRIES: frozenset({Source.CONVERSATION}),
    InboxKind.REPORTS: frozenset({Source.REPORT}),
    InboxKind.APPLICATIONS: frozenset({Source.LEAD}),
    InboxKind.ORDERS: frozenset({Source.ORDER}),
    InboxKind.PAYMENTS: frozenset({Source.DISPUTE, Source.EVENT}),
    InboxKind.FAILED: frozenset({Source.CALL, Source.MAIL}),
}


def kinds_of(sources: Collection[Source]) -> Sequence[InboxKind]:
    """Return the kinds that come from any of the sources, in their order."""
    return [kind for kind, own in _SOURCES.items() if own & set(sources)]


def _columns(
    kind: InboxKind | ColumnElement[str], source: Source, id_: Any, *facts: Any
) -> Select[Any]:
    """Return a question for who, words, ja, en, room, yen, at, and whether something failed."""
    said = literal(kind.value, String) if isinstance(kind, InboxKind) else kind
    named = zip(_NAMES, (said, literal(source.value, String), id_, *facts), strict=True)
    return select(*(column.label(name) for name, column in named))


def _no_text() -> Any:
    return cast(null(), String)


def _no_yen() -> Any:
    return cast(null(), Integer)


_CONVERSATIONS: Final = (
    _columns(
        case(
            (Conversation.channel == Channel.PORTAL, literal(InboxKind.TICKETS.value, String)),
            (
                and_(Conversation.channel == Channel.MAIL, Conversation.enquiry_id.is_not(None)),
                literal(InboxKind.ENQUIRIES.value, String),
            ),
            else_=literal(InboxKind.MESSAGES.value, String),
        ),
        Source.CONVERSATION,
        Conversation.id,
        Conversation.name,
        Conversation.last_words,
        Building.name,
        Building.name_en,
        Unit.name,
        _no_yen(),
        Conversation.last_message_at,
        Conversation.has_failure,
    )
    .select_from(Conversation)
    .outerjoin(
        Reservation,
        and_(
            Reservation.workspace_id == Conversation.workspace_id,
            Reservation.id == Conversation.reservation_id,
        ),
    )
    .outerjoin(Unit, _OF_UNIT)
    .outerjoin(Building, _OF_BUILDING)
    .where(_IS_WAITING)
)
_REPORTS: Final = (
    _columns(
        InboxKind.REPORTS,
        Source.REPORT,
        MaintenanceRequest.id,
        MaintenanceRequest.what,
        literal("", String),
        Building.name,
        Building.name_en,
        Unit.name,
        _no_yen(),
        MaintenanceRequest.reported_at,
        literal(value=False),
    )
    .select_from(MaintenanceRequest)
    .join(
        Building,
        and_(
            Building.workspace_id == MaintenanceRequest.workspace_id,
            Building.id == MaintenanceRequest.building_id,
        ),
    )
    .outerjoin(
        Unit,
        and_(
            Unit.workspace_id == MaintenanceRequest.workspace_id,
            Unit.id == MaintenanceRequest.unit_id,
        ),
    )
    .where(MaintenanceRequest.state == RequestState.REPORTED)
)
_LEADS: Final = (
    _columns(
        InboxKind.APPLICATIONS,
        Source.LEAD,
        Lead.id,
        Lead.name,
        Lead.message,
        Position.title_ja,
        Position.title_en,
        _no_text(),
        _no_yen(),
        Lead.received_at,
        Lead.state != LeadState.NEW,
    )
    .select_from(Lead)
    .outerjoin(
        Position,
        and_(Position.workspace_id == Lead.workspace_id, Position.id == Lead.position_id),
    )
    .where(or_(Lead.state == LeadState.NEW, IS_LEAD_UNHEARD))
)
_ORDERS: Final = _columns(
    InboxKind.ORDERS,
    Source.ORDER,
    SupplierOrder.id,
    SupplierOrder.supplier,
    literal("", String),
    _no_text(),
    _no_text(),
    SupplierOrder.order_number,
    SupplierOrder.total_yen,
    SupplierOrder.received_at,
    literal(value=False),
).where(SupplierOrder.state == OrderState.NEW)
_DISPUTES: Final = (
    _columns(
        InboxKind.PAYMENTS,
        Source.DISPUTE,
        ProviderPayment.reservation_id,
        Reservation.name,
        func.coalesce(ProviderPayment.dispute_reason, ""),
        Building.name,
        Building.name_en,
        Unit.name,
        ProviderPayment.amount_yen,
        ProviderPayment.disputed_at,
        literal(value=True),
    )
    .select_from(ProviderPayment)
    .join(
        Reservation,
        and_(
            Reservation.workspace_id == ProviderPayment.workspace_id,
            Reservation.id == ProviderPayment.reservation_id,
        ),
    )
    .join(Unit, _OF_UNIT)
    .join(Building, _OF_BUILDING)
    .where(
        ProviderPayment.refunded_yen < ProviderPayment.amount_yen,
        ProviderPayment.disputed_at >= bindparam("disputed_since"),
    )
)
_EVENTS: Final = _columns(
    InboxKind.PAYMENTS,
    Source.EVENT,
    InboundEvent.id,
    InboundEvent.kind,
    func.coalesce(InboundEvent.failure, ""),
    _no_text(),
    _no_text(),
    _no_text(),
    _no_yen(),
    InboundEvent.received_at,
    InboundEvent.state == InboundState.FAILED,
).where(InboundEvent.state.in_((InboundState.UNMATCHED, InboundState.FAILED)))
_CALLS: Final = _columns(
    InboxKind.FAILED,
    Source.CALL,
    ProviderCall.id,
    ProviderCall.kind,
    func.coalesce(ProviderCall.failure, ""),
    _no_text(),
    _no_text(),
    _no_text(),
    _no_yen(),
    ProviderCall.given_up_at,
    literal(value=True),
).where(
    ProviderCall.done_at.is_(None),
    ProviderCall.kind != SENDING,
    ProviderCall.given_up_at >= bindparam("failed_since"),
)
# A message that did not arrive is in its conversation, an answer to a job applicant is with them. A
# mail to whom a later one went out has arrived in another way; a code somebody waits for is over.
_LATER: Final = aliased(OutboxMail)
_MAILS: Final = _columns(
    InboxKind.FAILED,
    Source.MAIL,
    OutboxMail.id,
    OutboxMail.recipient,
    OutboxMail.subject,
    _no_text(),
    _no_text(),
    _no_text(),
    _no_yen(),
    OutboxMail.given_up_at,
    literal(value=True),
).where(
    OutboxMail.given_up_at >= bindparam("failed_since"),
    OutboxMail.is_urgent.is_(False),
    ~exists().where(
        LeadNote.workspace_id == OutboxMail.workspace_id, LeadNote.mail_id == OutboxMail.id
    ),
    ~exists().where(
        _LATER.workspace_id == OutboxMail.workspace_id,
        _LATER.recipient == OutboxMail.recipient,
        _LATER.sent_at > OutboxMail.given_up_at,
    ),
)
_QUESTIONS: Final[Mapping[Source, Select[Any]]] = {
    Source.CONVERSATION: _CONVERSATIONS,
    Source.REPORT: _REPORTS,
    Source.LEAD: _LEADS,
    Source.ORDER: _ORDERS,
    Source.DISPUTE: _DISPUTES,
    Source.EVENT: _EVENTS,
    Source.CALL: _CALLS,
    Source.MAIL: _MAILS,
}


def _item(row: Any) -> InboxItem:
    kind, source, id_, who, words, ja, en, room, yen, at, has_failed = row
    return InboxItem(
        InboxKind(kind),
        Source(source),
        str(id_),
        first_line(who),
        first_line(words),
        Bilingual(ja, en),
        room,
        yen,
        at,
        bool(has_failed),
    )
