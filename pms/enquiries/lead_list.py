"""Lists leads by state, position and words, the newest first; an earlier one is marked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.orm import Session, aliased

from pms.access.models import Person
from pms.enquiries.models import Lead
from pms.enquiries.unheard_answer import IS_LEAD_UNHEARD
from pms.foundation.bilingual import Bilingual
from pms.foundation.paging import Paging
from pms.foundation.search import finds
from pms.rules.channel_words import LeadState
from pms.rules.lead_steps import OPEN
from pms.site.models import Position


class LeadSearch(NamedTuple):
    """What a list of leads asks for; what is unset keeps everything, no state is open ones.

    To answer, whatever their state, are new ones and those whom an answer did not reach.
    """

    states: Sequence[LeadState] = OPEN
    is_to_answer: bool = False
    position_id: str | None = None
    text: str = ""


class ListedLead(NamedTuple):
    """One lead of a list; `applied_before` when the same address sent an earlier one.

    `is_unheard` when an answer to them could not be sent.
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
    """How many leads there are in each state, and how many wait for words of the office."""

    by_state: Mapping[LeadState, int]
    to_answer: int

    @property
    def open(self) -> int:
        """How many are open."""
        return sum(self.by_state.get(state, 0) for state in OPEN)


class FoundLeads(NamedTuple):
    """One page of leads, and how many there are in all."""

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
    .outerjoin(
        Position,
        and_(Position.workspace_id == Lead.workspace_id, Position.id == Lead.position_id),
    )
    .outerjoin(Person, Person.id == Lead.assignee_id)
    .order_by(Lead.received_at.desc(), Lead.id.desc())
)


def list_leads(session: Session, search: LeadSearch, paging: Paging) -> FoundLeads:
    """Return one page of the matching leads."""
    asked = list(_conditions(search))
    total = session.scalar(select(func.count()).select_from(Lead).where(*asked)) or 0
    page = LEADS.where(*asked).offset(min(paging.offset, total)).limit(paging.limit)
    rows: Iterable[Any] = session.execute(page)
    return FoundLeads([listed_lead(row) for row in rows], total)


def count_leads(session: Session) -> LeadCounts:
    """Return how many leads there are in each state that has any, and how many to answer."""
    to_answer = func.sum(case((_IS_TO_ANSWER, 1), else_=0))
    rows = session.execute(select(Lead.state, func.count(), to_answer).group_by(Lead.state)).all()
    return LeadCounts({row[0]: row[1] for row in rows}, sum(int(row[2]) for row in rows))


def positions_applied_for(session: Session) -> Sequence[NamedPosition]:
    """Return the positions as the website orders them, those no longer shown too."""
    question = select(Position.id, Position.title_ja, Position.title_en)
    rows = session.execute(question.order_by(Position.order, Position.id))
    return [NamedPosition(row[0], Bilingual(row[1], row[2])) for row in rows]


def listed_lead(row: Sequence[Any]) -> ListedLead:
    """Return a row of the columns as a lead."""
    *facts, ja, en = row[:WIDTH]
    return ListedLead._make((*facts, Bilingual(ja, en)))


def _conditions(search: LeadSearch) -> Iterator[ColumnElement[bool]]:
    yield _IS_TO_ANSWER if search.is_to_answer else Lead.state.in_(search.states)
    if search.position_id:
        yield Lead.position_id == search.position_id
    if search.text:
        yield finds(search.text, Lead.search_text)
