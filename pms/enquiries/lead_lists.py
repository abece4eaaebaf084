"""Leads as the list and the record page show them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from pms.access.models import Person
from pms.enquiries.models import Lead, LeadNote
from pms.enquiries.notes import IS_LEAD_UNHEARD, AnswerOrNote, answers_and_notes
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging, finds
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.days import add_months, day_of
from pms.rules.enquiry_steps import KEPT_DECLINED_MONTHS, OPEN_LEADS
from pms.rules.message_words import LeadState
from pms.site.models import Position


class LeadSearch(NamedTuple):
    """The filters of the list of leads; unset ones match all, without states the open ones.

    `is_to_answer` finds new leads and those whose answer could not be sent, in any state.
    """

    states: Sequence[LeadState] = OPEN_LEADS
    is_to_answer: bool = False
    position_id: str | None = None
    text: str = ""


class ListedLead(NamedTuple):
    """One lead of a list; `applied_before` if the same address sent an earlier one.

    `is_unheard` if an answer to it could not be sent.
    """

    id: str
    name: str
    email: str
    phone: str | None
    message: str
    locale: str
    state: LeadState
    received_at: datetime
    resume_name: str | None
    assignee_id: str | None
    assignee: str | None
    position_id: str | None
    applied_before: bool
    is_unheard: bool
    position: Bilingual


class LeadCounts(NamedTuple):
    """The number of leads in each state, and of those that need an answer."""

    by_state: Mapping[LeadState, int]
    to_answer: int

    @property
    def open(self) -> int:
        """The number of open leads."""
        return sum(self.by_state.get(state, 0) for state in OPEN_LEADS)


class FoundLeads(NamedTuple):
    """One page of leads, and the total."""

    leads: Sequence[ListedLead]
    total: int


class NamedPosition(NamedTuple):
    """A position as a choice."""

    id: str
    title: Bilingual


_EARLIER = aliased(Lead)
_APPLIED_BEFORE = (
    select(_EARLIER.id)
    .where(
        _EARLIER.workspace_id == Lead.workspace_id,
        _EARLIER.email_key == Lead.email_key,
        or_(
            _EARLIER.received_at < Lead.received_at,
            and_(_EARLIER.received_at == Lead.received_at, _EARLIER.id < Lead.id),
        ),
    )
    .exists()
)
COLUMNS: Final = (
    Lead.id,
    Lead.name,
    Lead.email,
    Lead.phone,
    Lead.message,
    Lead.locale,
    Lead.state,
    Lead.received_at,
    Lead.resume_name,
    Lead.assignee_id,
    Person.name,
    Lead.position_id,
    _APPLIED_BEFORE,
    IS_LEAD_UNHEARD,
    Position.title_ja,
    Position.title_en,
)
WIDTH: Final = len(COLUMNS)
_IS_TO_ANSWER: Final = or_(Lead.state == LeadState.NEW, IS_LEAD_UNHEARD)
LEADS: Final[Any] = (
    select(*COLUMNS)
    .select_from(Lead)
    .outerjoin(Position, refers_to(Lead.position_id, Position))
    .outerjoin(Person, Person.id == Lead.assignee_id)
    .order_by(Lead.received_at.desc(), Lead.id.desc())
)


def list_leads(session: Session, search: LeadSearch, paging: Paging) -> FoundLeads:
    """Return one page of the matching leads."""
    asked: list[ColumnElement[bool]] = [
        _IS_TO_ANSWER if search.is_to_answer else Lead.state.in_(search.states)
    ]
    if search.position_id:
        asked.append(Lead.position_id == search.position_id)
    if search.text:
        asked.append(finds(search.text, Lead.search_text))
    total = session.scalar(select(func.count()).select_from(Lead).where(*asked)) or 0
    page = LEADS.where(*asked).offset(min(paging.offset, total)).limit(paging.limit)
    rows: Iterable[Any] = session.execute(page)
    return FoundLeads([listed_lead(row) for row in rows], total)


def count_leads(session: Session) -> LeadCounts:
    """Return the number of leads in each state that occurs, and of those that need an answer."""
    to_answer = func.sum(case((_IS_TO_ANSWER, 1), else_=0))
    rows = session.execute(select(Lead.state, func.count(), to_answer).group_by(Lead.state)).all()
    return LeadCounts({row[0]: row[1] for row in rows}, sum(int(row[2]) for row in rows))


def positions_applied_for(session: Session) -> Sequence[NamedPosition]:
    """Return the positions in the website's order, including those no longer shown."""
    question = select(Position.id, Position.title_ja, Position.title_en)
    rows = session.execute(question.order_by(Position.order, Position.id))
    return [NamedPosition(row[0], Bilingual(row[1], row[2])) for row in rows]


def listed_lead(row: Sequence[Any]) -> ListedLead:
    """Return a selected row as a lead."""
    *facts, ja, en = row[:WIDTH]
    return ListedLead._make((*facts, Bilingual(ja, en)))


_FEW: Final = 10


class LeadRecord(NamedTuple):
    """One lead, with what is known of the applicant."""

    lead: ListedLead
    received_by: str
    external_id: str | None
    declined_at: datetime | None
    answers_and_notes: Sequence[AnswerOrNote]
    others: Sequence[ListedLead]

    @property
    def forgotten_on(self) -> date | None:
        """The day on which a declined lead is deleted automatically."""
        if self.declined_at is None:
            return None
        return add_months(day_of(self.declined_at), KEPT_DECLINED_MONTHS) + timedelta(days=1)


def lead_record(session: Session, lead_id: str) -> LeadRecord:
    """Return the lead; raise `NotFound` for an unknown id."""
    row: Any = None
    if is_id(lead_id):
        question = LEADS.add_columns(
            Lead.received_by, Lead.external_id, Lead.declined_at, Lead.email_key
        )
        row = session.execute(question.where(Lead.id == lead_id)).first()
    if row is None:
        raise no_such("application", lead_id)
    received_by, external_id, declined_at, email_key = row[WIDTH:]
    question = LEADS.where(Lead.email_key == email_key, Lead.id != lead_id).limit(_FEW)
    others = [listed_lead(row) for row in session.execute(question)]
    return LeadRecord(
        lead=listed_lead(row),
        received_by=received_by,
        external_id=external_id,
        declined_at=declined_at,
        answers_and_notes=answers_and_notes(session, LeadNote.lead_id, lead_id),
        others=others,
    )
