"""The sources of the inbox: one query with the same columns for every kind of item."""

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
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
)
from sqlalchemy.orm import aliased

from pms.catalogue.models import Building, Unit
from pms.channels.models import InboundEvent, SupplierOrder
from pms.channels.sending import SENDING
from pms.checkouts.models import MoneyBack
from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.notes import IS_LEAD_UNHEARD
from pms.foundation.db import as_indexed
from pms.foundation.outbox import OutboxMail, ProviderCall
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Conversation
from pms.reservations.models import Reservation
from pms.rules.enumerations import MoneyBackState, RequestState
from pms.rules.message_words import Channel, InboundState, LeadState, OrderState
from pms.rules.money_back import NOT_REFUNDED
from pms.site.models import Position
from pms.upkeep.models import MaintenanceRequest


class InboxKind(StrEnum):
    """The kinds by which the inbox is filtered."""

    MESSAGES = "messages"
    TICKETS = "tickets"
    ENQUIRIES = "enquiries"
    REPORTS = "reports"
    APPLICATIONS = "applications"
    ORDERS = "orders"
    PAYMENTS = "payments"
    FAILED = "failed"


class InboxSource(StrEnum):
    """The table of an item, which also decides the page that it opens."""

    CONVERSATION = "conversation"
    REPORT = "report"
    LEAD = "lead"
    ORDER = "order"
    DISPUTE = "dispute"
    REFUND = "refund"
    EVENT = "event"
    CALL = "call"
    MAIL = "mail"


class InboxItem(NamedTuple):
    """One waiting item.

    `id` is the row of its source; for a dispute or a refund the reservation. `who` is a name, a
    supplier or a recipient; `words` the first line of the message or the failure; `about` the
    building or the position; `room` the unit or the number of the order.
    """

    kind: InboxKind
    source: InboxSource
    id: str
    who: str
    words: str
    about: Bilingual
    room: str | None
    yen: int | None
    at: datetime
    has_failed: bool


_NAMES: Final = (*InboxItem._fields[:5], "ja", "en", "room", "yen", "at", "has_failed")
_IS_WAITING: Final = as_indexed(
    "conversation.state = 'open' AND conversation.merged_into_id IS NULL"
    " AND (conversation.awaits = 'staff' OR conversation.has_failure)"
)
_OF_UNIT: Final = refers_to(Reservation.unit_id, Unit)
_OF_BUILDING: Final = refers_to(Unit.building_id, Building)


def _select_columns(
    kind: InboxKind | ColumnElement[str], source: InboxSource, id_: Any, *facts: Any
) -> Select[Any]:
    """Return a query for who, words, ja, en, room, yen, at, and whether something failed."""
    kind_column = literal(kind.value, String) if isinstance(kind, InboxKind) else kind
    named = zip(_NAMES, (kind_column, literal(source.value, String), id_, *facts), strict=True)
    return select(*(column.label(name) for name, column in named))


def _no_text() -> Any:
    return cast(null(), String)


def _no_yen() -> Any:
    return cast(null(), Integer)


_CONVERSATIONS: Final = (
    _select_columns(
        case(
            (Conversation.channel == Channel.PORTAL, literal(InboxKind.TICKETS.value, String)),
            (
                and_(Conversation.channel == Channel.MAIL, Conversation.enquiry_id.is_not(None)),
                literal(InboxKind.ENQUIRIES.value, String),
            ),
            else_=literal(InboxKind.MESSAGES.value, String),
        ),
        InboxSource.CONVERSATION,
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
    .outerjoin(Reservation, refers_to(Conversation.reservation_id, Reservation))
    .outerjoin(Unit, _OF_UNIT)
    .outerjoin(Building, _OF_BUILDING)
    .where(_IS_WAITING)
)
_REPORTS: Final = (
    _select_columns(
        InboxKind.REPORTS,
        InboxSource.REPORT,
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
    .join(Building, refers_to(MaintenanceRequest.building_id, Building))
    .outerjoin(Unit, refers_to(MaintenanceRequest.unit_id, Unit))
    .where(MaintenanceRequest.state == RequestState.REPORTED)
)
_LEADS: Final = (
    _select_columns(
        InboxKind.APPLICATIONS,
        InboxSource.LEAD,
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
    .outerjoin(Position, refers_to(Lead.position_id, Position))
    .where(or_(Lead.state == LeadState.NEW, IS_LEAD_UNHEARD))
)
_ORDERS: Final = _select_columns(
    InboxKind.ORDERS,
    InboxSource.ORDER,
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


def _money_back(source: InboxSource, words: Any, states: Collection[MoneyBackState]) -> Select[Any]:
    """Select the disputes or refunds in the states that nobody in the office has handled yet."""
    return (
        _select_columns(
            InboxKind.PAYMENTS,
            source,
            MoneyBack.reservation_id,
            Reservation.name,
            words,
            Building.name,
            Building.name_en,
            Unit.name,
            MoneyBack.amount_yen,
            MoneyBack.state_at,
            literal(value=True),
        )
        .select_from(MoneyBack)
        .join(Reservation, refers_to(MoneyBack.reservation_id, Reservation))
        .join(Unit, _OF_UNIT)
        .join(Building, _OF_BUILDING)
        .where(MoneyBack.seen_at.is_(None), MoneyBack.state.in_(states))
    )


DISPUTE_LOST: Final = "dispute_lost"
REFUND_FAILED: Final = "refund_failed"
_DISPUTES: Final = _money_back(
    InboxSource.DISPUTE,
    case(
        (MoneyBack.state == MoneyBackState.LOST, literal(DISPUTE_LOST)),
        else_=func.coalesce(MoneyBack.reason, ""),
    ),
    (MoneyBackState.OPEN, MoneyBackState.LOST),
)
_REFUNDS: Final = _money_back(InboxSource.REFUND, literal(REFUND_FAILED), tuple(NOT_REFUNDED))
_EVENTS: Final = _select_columns(
    InboxKind.PAYMENTS,
    InboxSource.EVENT,
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
_CALLS: Final = _select_columns(
    InboxKind.FAILED,
    InboxSource.CALL,
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
# A failed message is listed with its conversation, and an answer to a job applicant with the
# applicant. A mail followed by a later one to the same recipient is resolved; so is an expired
# code.
_LATER: Final = aliased(OutboxMail)
_MAILS: Final = _select_columns(
    InboxKind.FAILED,
    InboxSource.MAIL,
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
    ~exists().where(refers_to(LeadNote.mail_id, OutboxMail)),
    ~exists().where(
        _LATER.workspace_id == OutboxMail.workspace_id,
        _LATER.recipient == OutboxMail.recipient,
        _LATER.sent_at > OutboxMail.given_up_at,
    ),
)
QUESTIONS: Final[Mapping[InboxSource, Select[Any]]] = {
    InboxSource.CONVERSATION: _CONVERSATIONS,
    InboxSource.REPORT: _REPORTS,
    InboxSource.LEAD: _LEADS,
    InboxSource.ORDER: _ORDERS,
    InboxSource.DISPUTE: _DISPUTES,
    InboxSource.REFUND: _REFUNDS,
    InboxSource.EVENT: _EVENTS,
    InboxSource.CALL: _CALLS,
    InboxSource.MAIL: _MAILS,
}
