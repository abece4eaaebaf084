"""What came in from outside and waits for somebody's decision: a count and the oldest, by subject."""

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, and_, func, literal, null, or_, select, union_all
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.channels.models import SupplierOrder
from pms.channels.send_words import SENDING
from pms.enquiries.models import Lead
from pms.enquiries.unheard_answer import IS_LEAD_UNHEARD
from pms.foundation.bilingual import Bilingual
from pms.foundation.provider_calls import ProviderCall
from pms.rules.channel_words import LeadState, OrderState
from pms.rules.enumerations import RequestState
from pms.site.models import Position
from pms.upkeep.first_line import first_line
from pms.upkeep.models import MaintenanceRequest

_NAMES: Final = ("id", "words", "ja", "en", "detail", "at")


class Subject(StrEnum):
    """Whose card a thing is on."""

    REPORTS = "reports"
    LEADS = "leads"
    ORDERS = "orders"
    CALLS = "calls"


class Undecided(NamedTuple):
    """One thing that waits: what it says, about what, and since when.

    `about` is the building of a report and the position of a lead; `detail` the room of a report
    and the number of an order.
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
        one = Undecided(id_, first_line(words), Bilingual(ja, en), detail, at)
        first = found[Subject(subject)].first
        found[Subject(subject)] = Waiting([*first, one], total)
    return found


def _questions(given_up_since: datetime) -> Mapping[Subject, Select[Any]]:
    return {
        Subject.REPORTS: _REPORTS,
        Subject.LEADS: _LEADS,
        Subject.ORDERS: _ORDERS,
        Subject.CALLS: _CALLS.where(ProviderCall.given_up_at >= given_up_since),
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
