"""Lists enquiries by state, source, colleague, unit and words, the newest first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.find_units import is_unit
from pms.catalogue.models import Building, Unit
from pms.enquiries.models import Enquiry
from pms.enquiries.unheard_answer import IS_ENQUIRY_UNHEARD
from pms.foundation.bilingual import Bilingual
from pms.foundation.paging import Paging
from pms.foundation.search import finds
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import EnquirySource, EnquiryState


class EnquirySearch(NamedTuple):
    """What a list of enquiries asks for; what is unset keeps everything, no state is open ones.

    To answer, whatever their state, are new ones and those whom an answer did not reach.
    """

    states: Sequence[EnquiryState] = OPEN
    is_to_answer: bool = False
    source: EnquirySource | None = None
    assignee_id: str | None = None
    is_nobodys: bool = False
    building_id: str | None = None
    unit: str | None = None
    text: str = ""


class ListedEnquiry(NamedTuple):
    """One enquiry of a list; `is_unheard` when an answer to it could not be sent."""

    id: str
    name: str
    email: str | None
    phone: str | None
    source: EnquirySource
    state: EnquiryState
    locale: str
    message: str
    move_in_on: date | None
    received_at: datetime
    answered_at: datetime | None
    duplicate_of_id: str | None
    assignee_id: str | None
    assignee: str | None
    unit_id: str | None
    unit_name: str | None
    building_id: str | None
    is_unheard: bool
    building: Bilingual


class EnquiryCounts(NamedTuple):
    """How many enquiries there are in each state, and how many wait for words of the office."""

    by_state: Mapping[EnquiryState, int]
    to_answer: int

    @property
    def open(self) -> int:
        """How many are open."""
        return sum(self.by_state.get(state, 0) for state in OPEN)


class FoundEnquiries(NamedTuple):
    """One page of enquiries, and how many there are in all."""

    enquiries: Sequence[ListedEnquiry]
    total: int


COLUMNS: Final = (
    Enquiry.id,
    Enquiry.name,
    Enquiry.email,
    Enquiry.phone,
    Enquiry.source,
    Enquiry.state,
    Enquiry.locale,
    Enquiry.message,
    Enquiry.move_in_on,
    Enquiry.received_at,
    Enquiry.answered_at,
    Enquiry.duplicate_of_id,
    Enquiry.assignee_id,
    Person.name,
    Enquiry.unit_id,
    Unit.name,
    Building.id,
    IS_ENQUIRY_UNHEARD,
    Building.name,
    Building.name_en,
)
WIDTH: Final = len(COLUMNS)
_IS_TO_ANSWER: Final = or_(Enquiry.state == EnquiryState.NEW, IS_ENQUIRY_UNHEARD)
_ITS_UNIT = and_(Unit.workspace_id == Enquiry.workspace_id, Unit.id == Enquiry.unit_id)
_ITS_BUILDING = and_(
    Building.workspace_id == Enquiry.workspace_id,
    Building.id == func.coalesce(Enquiry.building_id, Unit.building_id),
)
ENQUIRIES: Final[Any] = (
    select(*COLUMNS)
    .select_from(Enquiry)
    .outerjoin(Unit, _ITS_UNIT)
    .outerjoin(Building, _ITS_BUILDING)
    .outerjoin(Person, Person.id == Enquiry.assignee_id)
    .order_by(Enquiry.received_at.desc(), Enquiry.id.desc())
)


def list_enquiries(session: Session, search: EnquirySearch, paging: Paging) -> FoundEnquiries:
    """Return one page of the matching enquiries."""
    asked = list(_conditions(search))
    count = select(func.count()).select_from(Enquiry).outerjoin(Unit, _ITS_UNIT)
    total = session.scalar(count.where(*asked)) or 0
    page = ENQUIRIES.where(*asked).offset(min(paging.offset, total)).limit(paging.limit)
    rows: Iterable[Any] = session.execute(page)
    return FoundEnquiries([listed(row) for row in rows], total)


def find_enquiries(session: Session, text: str, most: int) -> Sequence[ListedEnquiry]:
    """Return the newest enquiries, in whatever state, that hold the words."""
    if not text.strip():
        return []
    search = EnquirySearch(states=tuple(EnquiryState), text=text)
    page = ENQUIRIES.where(*_conditions(search)).limit(most)
    return [listed(row) for row in session.execute(page)]


def count_enquiries(session: Session) -> EnquiryCounts:
    """Return how many enquiries there are in each state that has any, and how many to answer."""
    to_answer = func.sum(case((_IS_TO_ANSWER, 1), else_=0))
    rows = session.execute(
        select(Enquiry.state, func.count(), to_answer).group_by(Enquiry.state)
    ).all()
    return EnquiryCounts({row[0]: row[1] for row in rows}, sum(int(row[2]) for row in rows))


def listed(row: Sequence[Any]) -> ListedEnquiry:
    """Return a row of the columns as an enquiry."""
    *facts, ja, en = row[:WIDTH]
    return ListedEnquiry._make((*facts, Bilingual(ja, en)))


def _conditions(search: EnquirySearch) -> Iterator[ColumnElement[bool]]:
    yield _IS_TO_ANSWER if search.is_to_answer else Enquiry.state.in_(search.states)
    if search.source:
        yield Enquiry.source == search.source
    if search.is_nobodys:
        yield Enquiry.assignee_id.is_(None)
    if search.assignee_id:
        yield Enquiry.assignee_id == search.assignee_id
    if search.unit:
        yield is_unit(search.unit)
    if search.building_id:
        yield func.coalesce(Enquiry.building_id, Unit.building_id) == search.building_id
    if search.text:
        yield finds(search.text, Enquiry.search_text)
