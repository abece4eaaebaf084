"""What came in from outside and waits for a decision: a count and the oldest, by subject."""

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from sqlalchemy import (
    Select,
    Text,
    and_,
    case,
    cast,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import Session

from pms.bank.models import BankImport, BankTransfer
from pms.catalogue.models import Building, Unit
from pms.channels.conversation_record import conversation_thread
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import known_handles
from pms.channels.message_notes import conversation_that_goes_on
from pms.channels.messages import MediaFile
from pms.channels.models import Conversation, GuestMessage, SupplierOrder
from pms.channels.sending import SENDING, ask_for_media
from pms.enquiries.enquiry_answers import IS_LEAD_UNHEARD
from pms.enquiries.models import Lead
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.provider_calls import ProviderCall
from pms.rules.deeds import Deed
from pms.rules.enumerations import IntegrationKind, RequestState, TicketSide, TransferState
from pms.rules.message_words import Channel, LeadState, MessageKind, OrderState
from pms.site.models import Position
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.ticket_updates import first_line


class MessageInHand(NamedTuple):
    """A message as it stands now, and its conversation."""

    message: GuestMessage
    conversation: Conversation


def message_in_hand(session: Session, message_id: str) -> MessageInHand:
    """Return a message, its conversation locked; raise `NotFound` for another's id."""
    asked = select(GuestMessage).where(GuestMessage.id == message_id)
    message = session.scalar(asked) if is_id(message_id) else None
    if message is None:
        raise NotFound("There is no message '{message_id}'.", message_id=message_id[:60])
    row = conversation_that_goes_on(session, message.conversation_id)
    session.refresh(message)
    return MessageInHand(message, row)


class NewestWords(NamedTuple):
    """Who spoke when."""

    side: TicketSide
    at: datetime
    by: str | None


def newest_words(
    session: Session,
    row: Conversation,
    *,
    side: TicketSide | None = None,
    reach: InboxReach | None = None,
) -> NewestWords | None:
    """Return the newest words among the latest, of one side or of either; steps are no words.

    Words out of somebody's reach are not theirs to have seen.
    """
    handles = known_handles(session, row)
    thread = conversation_thread(session, row.id, handles, reach or InboxReach.everything())
    for line in reversed(thread.lines):
        is_said = line.step is None and line.kind is not MessageKind.REACTION
        if is_said and side in (None, line.side):
            return NewestWords(line.side, line.at, line.by)
    return None


_NAMES: Final = ("id", "words", "ja", "en", "detail", "at")


class Subject(StrEnum):
    """Whose card a thing is on."""

    REPORTS = "reports"
    LEADS = "leads"
    ORDERS = "orders"
    CALLS = "calls"
    TRANSFERS = "transfers"
    SUSPENSE = "suspense"


class Undecided(NamedTuple):
    """One thing that waits: what it says, about what, and since when.

    `about` is the building of a report and the position of a lead; `detail` the room of a report,
    the number of an order, and the yen of a transfer.
    """

    id: str
    words: str
    about: Bilingual
    detail: str | None
    at: datetime


class Waiting(NamedTuple):
    """The oldest few of a subject, and how many wait."""

    first: list[Undecided]
    total: int


def undecided(
    session: Session, subjects: Collection[Subject], given_up_since: datetime, few: int
) -> Mapping[Subject, Waiting]:
    """Return what waits of each subject, in one question.

    Calls to providers count once given up, and no longer than from `given_up_since`: the bill may
    have been paid in another way since. A message that did not arrive is told by its conversation.
    """
    found = {subject: Waiting([], 0) for subject in subjects}
    if not found:
        return found
    parts = [_first(_questions(given_up_since)[subject], subject, few) for subject in found]
    told = union_all(*parts).subquery()
    rows = session.execute(select(told).order_by(told.c.at, told.c.id))
    for subject, total, id_, words, ja, en, detail, at in rows:
        # Banks write names in half-width kana.
        said = normalize("NFKC", words) if subject in _OF_BANK else first_line(words)
        one = Undecided(id_, said, Bilingual(ja, en), detail, at)
        first = found[Subject(subject)].first
        found[Subject(subject)] = Waiting([*first, one], total)
    return found


def _questions(given_up_since: datetime) -> Mapping[Subject, Select[Any]]:
    return {
        Subject.REPORTS: _REPORTS,
        Subject.LEADS: _LEADS,
        Subject.ORDERS: _ORDERS,
        Subject.CALLS: _CALLS.where(ProviderCall.given_up_at >= given_up_since),
        Subject.TRANSFERS: _TRANSFERS.where(BankTransfer.state == TransferState.WAITING),
        Subject.SUSPENSE: _TRANSFERS.where(BankTransfer.state == TransferState.KEPT),
    }


def _first(question: Select[Any], subject: Subject, few: int) -> Select[Any]:
    counted = question.add_columns(func.count().over().label("total"))
    first = counted.order_by(question.selected_columns.at, question.selected_columns.id)
    rows = first.limit(few).subquery()
    named = (rows.c[name] for name in _NAMES)
    return select(literal(subject.value).label("subject"), rows.c.total, *named)


def _columns(*columns: Any) -> Select[Any]:
    named = zip(_NAMES, columns, strict=True)
    return select(*(column.label(name) for name, column in named))


_REPORTS: Final = (
    _columns(
        MaintenanceRequest.id,
        MaintenanceRequest.what,
        Building.name,
        Building.name_en,
        Unit.name,
        MaintenanceRequest.reported_at,
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
    _columns(Lead.id, Lead.name, Position.title_ja, Position.title_en, null(), Lead.received_at)
    .select_from(Lead)
    .outerjoin(
        Position,
        and_(Position.workspace_id == Lead.workspace_id, Position.id == Lead.position_id),
    )
    .where(or_(Lead.state == LeadState.NEW, IS_LEAD_UNHEARD))
)
_ORDERS: Final = _columns(
    SupplierOrder.id,
    SupplierOrder.supplier,
    null(),
    null(),
    SupplierOrder.order_number,
    SupplierOrder.received_at,
).where(SupplierOrder.state == OrderState.NEW)
_CALLS: Final = _columns(
    ProviderCall.id, ProviderCall.kind, null(), null(), null(), ProviderCall.given_up_at
).where(ProviderCall.done_at.is_(None), ProviderCall.kind != SENDING)
_OF_BANK: Final = frozenset({Subject.TRANSFERS, Subject.SUSPENSE})
_TRANSFERS: Final = (
    _columns(
        BankTransfer.id,
        case((BankTransfer.payer != "", BankTransfer.payer), else_=BankTransfer.text),
        null(),
        null(),
        cast(BankTransfer.yen, Text),
        BankImport.imported_at,
    )
    .select_from(BankTransfer)
    .join(
        BankImport,
        and_(
            BankImport.workspace_id == BankTransfer.workspace_id,
            BankImport.id == BankTransfer.import_id,
        ),
    )
)


def fetch_again(session: Session, clock: Clock, actor: str, *, message_id: str) -> None:
    """Ask for the file again; raise `Refused` when nothing failed or nothing can be asked for."""
    message, row = message_in_hand(session, message_id)
    if message.media_failure is None or message.media_id is None:
        raise Refused("message: there is no file that could be fetched again.")
    message.media_failure = None
    row.version += 1
    subject, told = ("conversation", row.id), {"guest_message": message.id}
    note_deed(session, clock, actor, Deed.MESSAGE_FILE_ASKED, subject, after=told)
    ask_for_media(session, clock, message)


def note_media(session: Session, *, message_id: str, key: str, file: MediaFile) -> bool:
    """Name a stored file on its message; `False` when it was taken back or has one already."""
    message, row = message_in_hand(session, message_id)
    if message.taken_back_at is not None or message.media_key is not None:
        return False
    message.media_key, message.media_type, message.media_failure = key, file.media_type, None
    row.version += 1
    return True


def note_no_media(session: Session, *, message_id: str, failure: str) -> None:
    """Tell on a message why its file is not here."""
    message, row = message_in_hand(session, message_id)
    if message.taken_back_at is None and message.media_key is None:
        message.media_failure = failure
        row.version += 1


_PROVIDERS: Final = {
    Channel.LINE: IntegrationKind.LINE,
    Channel.WHATSAPP: IntegrationKind.WHATSAPP,
}


class WantedMedia(NamedTuple):
    """A file that a provider keeps and that is not here yet."""

    provider: IntegrationKind
    kind: MessageKind
    media_id: str


def wanted_media(session: Session, message_id: str) -> WantedMedia | None:
    """Return the file that is missing; nothing when it is here or was taken back."""
    message = session.scalar(select(GuestMessage).where(GuestMessage.id == message_id))
    if message is None or message.taken_back_at is not None or message.media_key is not None:
        return None
    provider = _PROVIDERS.get(message.channel)
    if provider is None or message.media_id is None:
        return None
    return WantedMedia(provider, message.kind, message.media_id)
