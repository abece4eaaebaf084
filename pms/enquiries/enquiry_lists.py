"""Enquiries as the list and the record page show them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.catalogue.models import Building, Unit
from pms.catalogue.units import is_unit
from pms.enquiries.models import WaitlistPlace
from pms.enquiries.notes import IS_ENQUIRY_UNHEARD, AnswerOrNote, answers_and_notes
from pms.enquiries.viewing_lists import ListedViewing, viewings_of_enquiry
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Enquiry, EnquiryNote
from pms.reservations.models import Reservation
from pms.rules.enquiry_steps import OPEN
from pms.rules.enumerations import EnquirySource, EnquiryState, Lifecycle, WaitlistState


class EnquirySearch(NamedTuple):
    """The filters of the list of enquiries; unset ones match all, without states the open ones.

    `sort` is one of `SORTS`, else the newest come first. `is_to_answer` finds new enquiries and
    those whose answer could not be sent, in any state.
    """

    states: Sequence[EnquiryState] = OPEN
    is_to_answer: bool = False
    source: EnquirySource | None = None
    assignee_id: str | None = None
    is_nobodys: bool = False
    building_id: str | None = None
    unit: str | None = None
    text: str = ""
    sort: str = ""
    is_descending: bool = False


class ListedEnquiry(NamedTuple):
    """One enquiry of a list; `is_unheard` if an answer to it could not be sent."""

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
    """The number of enquiries in each state, and of those that need an answer."""

    by_state: Mapping[EnquiryState, int]
    to_answer: int

    @property
    def open(self) -> int:
        """The number of open enquiries."""
        return sum(self.by_state.get(state, 0) for state in OPEN)


class FoundEnquiries(NamedTuple):
    """One page of enquiries, and the total."""

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
_ITS_UNIT = refers_to(Enquiry.unit_id, Unit)
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
SORTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "name": (Enquiry.name,),
    "wants": (Building.name, Unit.name),
    "moveIn": (Enquiry.move_in_on,),
    "state": (Enquiry.state,),
    "source": (Enquiry.source,),
    "received": (Enquiry.received_at,),
    "assignee": (Person.name,),
    "email": (Enquiry.email,),
    "phone": (Enquiry.phone,),
}


def list_enquiries(session: Session, search: EnquirySearch, paging: Paging) -> FoundEnquiries:
    """Return one page of the matching enquiries."""
    asked = list(_list_conditions(search))
    count = select(func.count()).select_from(Enquiry).outerjoin(Unit, _ITS_UNIT)
    total = session.scalar(count.where(*asked)) or 0
    if search.sort not in SORTS:
        by_search = ENQUIRIES
    else:
        by = SORTS[search.sort]
        ways = (
            (column.desc() if search.is_descending else column.asc()).nulls_last() for column in by
        )
        by_search = ENQUIRIES.order_by(None).order_by(*ways, Enquiry.id.desc())
    page = by_search.where(*asked).offset(min(paging.offset, total)).limit(paging.limit)
    rows: Iterable[Any] = session.execute(page)
    return FoundEnquiries([listed_enquiry(row) for row in rows], total)


def find_enquiries(session: Session, text: str, most: int) -> Sequence[ListedEnquiry]:
    """Return the newest enquiries, in any state, that contain the words."""
    if not text.strip():
        return []
    search = EnquirySearch(states=tuple(EnquiryState), text=text)
    page = ENQUIRIES.where(*_list_conditions(search)).limit(most)
    return [listed_enquiry(row) for row in session.execute(page)]


def count_enquiries(session: Session) -> EnquiryCounts:
    """Return the number of enquiries in each state that occurs, and of those to answer."""
    to_answer = func.sum(case((_IS_TO_ANSWER, 1), else_=0))
    rows = session.execute(
        select(Enquiry.state, func.count(), to_answer).group_by(Enquiry.state)
    ).all()
    return EnquiryCounts({row[0]: row[1] for row in rows}, sum(int(row[2]) for row in rows))


def listed_enquiry(row: Sequence[Any]) -> ListedEnquiry:
    """Return a selected row as an enquiry."""
    *facts, ja, en = row[:WIDTH]
    return ListedEnquiry._make((*facts, Bilingual(ja, en)))


def _list_conditions(search: EnquirySearch) -> Iterator[ColumnElement[bool]]:
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


_FEW: Final = 10


class PlaceOfPerson(NamedTuple):
    """A place on the waitlist with the same address."""

    id: str
    state: WaitlistState
    wanted_from_on: date
    unit_name: str | None
    building: Bilingual


class TenancyOfPerson(NamedTuple):
    """A reservation with the same address."""

    id: str
    name: str
    lifecycle: Lifecycle
    unit_name: str
    building: Bilingual


class EnquiryRecord(NamedTuple):
    """One enquiry, with what is known of the person."""

    enquiry: ListedEnquiry
    version: int
    received_by: str
    external_id: str | None
    answers_and_notes: Sequence[AnswerOrNote]
    viewings: Sequence[ListedViewing]
    others: Sequence[ListedEnquiry]
    places: Sequence[PlaceOfPerson]
    tenancies: Sequence[TenancyOfPerson]


def enquiry_record(session: Session, enquiry_id: str) -> EnquiryRecord:
    """Return the enquiry; raise `NotFound` for an unknown id."""
    row: Any = None
    if is_id(enquiry_id):
        question = ENQUIRIES.add_columns(
            Enquiry.version,
            Enquiry.received_by,
            Enquiry.external_id,
            Enquiry.email_key,
            Enquiry.phone_key,
        )
        row = session.execute(question.where(Enquiry.id == enquiry_id)).first()
    if row is None:
        raise no_such("enquiry", enquiry_id)
    version, received_by, external_id, email_key, phone_key = row[WIDTH:]
    if email_key is None:
        tenancies = []
    else:
        rows = session.execute(
            select(
                Reservation.id,
                Reservation.name,
                Reservation.lifecycle,
                Unit.name,
                Building.name,
                Building.name_en,
            )
            .join(Reservation.unit)
            .join(Unit.building)
            .where(Reservation.email_key == email_key)
            .order_by(Reservation.starts_on.desc(), Reservation.id)
            .limit(_FEW)
        )
        tenancies = [TenancyOfPerson(*row[:4], Bilingual(row[4], row[5])) for row in rows]
    return EnquiryRecord(
        enquiry=listed_enquiry(row),
        version=version,
        received_by=received_by,
        external_id=external_id,
        answers_and_notes=answers_and_notes(session, EnquiryNote.enquiry_id, enquiry_id),
        viewings=viewings_of_enquiry(session, enquiry_id),
        others=_list_other_enquiries(session, enquiry_id, email_key, phone_key),
        places=_list_places(session, email_key),
        tenancies=tenancies,
    )


def _list_other_enquiries(
    session: Session, enquiry_id: str, email_key: str | None, phone_key: str | None
) -> Sequence[ListedEnquiry]:
    same: list[ColumnElement[bool]] = []
    if email_key:
        same.append(Enquiry.email_key == email_key)
    if phone_key:
        same.append(Enquiry.phone_key == phone_key)
    if not same:
        return []
    question = ENQUIRIES.where(or_(*same), Enquiry.id != enquiry_id).limit(_FEW)
    return [listed_enquiry(row) for row in session.execute(question)]


def _list_places(session: Session, email_key: str | None) -> Sequence[PlaceOfPerson]:
    if email_key is None:
        return []
    rows = session.execute(
        select(
            WaitlistPlace.id,
            WaitlistPlace.state,
            WaitlistPlace.wanted_from_on,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .select_from(WaitlistPlace)
        .outerjoin(Unit, refers_to(WaitlistPlace.unit_id, Unit))
        .outerjoin(
            Building,
            (Building.workspace_id == WaitlistPlace.workspace_id)
            & or_(Building.id == WaitlistPlace.building_id, Building.id == Unit.building_id),
        )
        .where(func.lower(WaitlistPlace.email) == email_key)
        .order_by(WaitlistPlace.added_at.desc(), WaitlistPlace.id)
        .limit(_FEW)
    )
    return [PlaceOfPerson(*row[:4], Bilingual(row[4], row[5])) for row in rows]
