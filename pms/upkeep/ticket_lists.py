"""Tickets as they are listed."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVarTuple

from sqlalchemy import ColumnElement, Select, and_, case, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.rules.enumerations import TicketSide, TicketState, TicketStep
from pms.rules.upkeep_cost import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest
from pms.upkeep.tickets import TicketVisibility

Columns = TypeVarTuple("Columns")


class TicketSearch(NamedTuple):
    """Filters of a list of tickets; unset ones match everything."""

    state: TicketState | None = TicketState.OPEN
    awaits: TicketSide | None = None
    project_id: str | None = None
    request_id: str | None = None
    reservation_id: str | None = None


class ListedTicket(NamedTuple):
    """One ticket of a list; the number is its project's, if the work has one."""

    id: str
    subject: str
    state: TicketState
    awaits: TicketSide
    opened_at: datetime
    last_message_at: datetime
    closed_at: datetime | None
    reservation_id: str
    resident: str
    locale: str
    unit_name: str
    project_id: str | None
    project_number: int | None
    building: Bilingual
    last: "LastMessage | None" = None

    @property
    def project_name(self) -> str | None:
        """The project's name for people, `PRJ-0042`."""
        return None if self.project_number is None else project_number(self.project_number)


class LastMessage(NamedTuple):
    """The newest message of a ticket: text, or a step of the work."""

    side: TicketSide
    text: str | None
    step: TicketStep | None


class Tickets(NamedTuple):
    """One page of tickets, and the total count."""

    rows: Sequence[ListedTicket]
    total: int


_of_project: Final = func.coalesce(Ticket.project_id, MaintenanceRequest.project_id)
_IS_IN_WORKSPACE: Final = MaintenanceRequest.workspace_id == Ticket.workspace_id


def _with_project(question: Select[*Columns]) -> Select[*Columns]:
    is_its_request = and_(_IS_IN_WORKSPACE, MaintenanceRequest.id == Ticket.request_id)
    is_its_project = and_(
        MaintenanceProject.workspace_id == Ticket.workspace_id,
        MaintenanceProject.id == _of_project,
    )
    return question.outerjoin(MaintenanceRequest, is_its_request).outerjoin(
        MaintenanceProject, is_its_project
    )


_ROWS = _with_project(
    select(
        Ticket.id,
        Ticket.subject,
        Ticket.state,
        Ticket.awaits,
        Ticket.opened_at,
        Ticket.last_message_at,
        Ticket.closed_at,
        Ticket.reservation_id,
        Reservation.name,
        Reservation.locale,
        Unit.name,
        MaintenanceProject.id,
        MaintenanceProject.number,
        Building.name,
        Building.name_en,
    )
    .select_from(Ticket)
    .join(Reservation, refers_to(Ticket.reservation_id, Reservation))
    .join(Unit, refers_to(Reservation.unit_id, Unit))
    .join(Unit.building)
)


def list_tickets(
    session: Session, search: TicketSearch, paging: Paging, visibility: TicketVisibility
) -> Tickets:
    """Return one page of the visible tickets.

    Open ones by how long a side has waited for an answer, longest first, residents before the
    staff; closed ones last closed first.
    """
    wanted: list[ColumnElement[bool]] = []
    if search.state is not None:
        wanted.append(Ticket.state == search.state)
    if search.awaits is not None:
        wanted.append(Ticket.awaits == search.awaits)
    if search.reservation_id is not None:
        wanted.append(Ticket.reservation_id == search.reservation_id)
    if search.request_id is not None:
        wanted.append(Ticket.request_id == search.request_id)
    if search.project_id is not None:
        wanted.append(_of_project == search.project_id)
    question = select(func.count(Ticket.id)).select_from(Ticket)
    # A page of the inbox counts by its index; only a project's tickets need the join of reports.
    if search.project_id is not None:
        question = _with_project(question)
    total = session.scalar(visibility.narrow(question.where(*wanted))) or 0
    sort_columns: tuple[ColumnElement[Any], ...]
    if search.state == TicketState.OPEN:
        is_ours = case((Ticket.awaits == TicketSide.STAFF, 0), else_=1)
        sort_columns = (is_ours.asc(), Ticket.last_message_at.asc(), Ticket.id.asc())
    elif search.state == TicketState.CLOSED:
        sort_columns = (Ticket.closed_at.desc(), Ticket.id.desc())
    else:
        sort_columns = (Ticket.state.desc(), Ticket.last_message_at.desc(), Ticket.id.desc())
    page = visibility.narrow(_ROWS.where(*wanted)).order_by(*sort_columns)
    rows: Iterable[Any] = session.execute(page.offset(paging.offset).limit(paging.limit))
    found = [ListedTicket._make((*row[:-2], Bilingual(row[-2], row[-1]), None)) for row in rows]
    last = _last_messages(session, [ticket.id for ticket in found])
    return Tickets([ticket._replace(last=last.get(ticket.id)) for ticket in found], total)


def count_turns(session: Session, visibility: TicketVisibility) -> Mapping[TicketSide, int]:
    """Return how many open tickets wait for each side."""
    question = (
        select(Ticket.awaits, func.count(Ticket.id))
        .where(Ticket.state == TicketState.OPEN)
        .group_by(Ticket.awaits)
    )
    return {row[0]: row[1] for row in session.execute(visibility.narrow(question))}


def tickets_of_reservation(session: Session, reservation_id: str) -> Sequence[ListedTicket]:
    """Return all tickets of one resident, open ones first, then newest first."""
    search = TicketSearch(state=None, reservation_id=reservation_id)
    return list_tickets(session, search, Paging(1, 200), TicketVisibility.everything()).rows


def tickets_of_project(session: Session, project_id: str) -> Sequence[ListedTicket]:
    """Return all tickets about a project or a report that was folded into it."""
    search = TicketSearch(state=None, project_id=project_id)
    return list_tickets(session, search, Paging(1, 200), TicketVisibility.everything()).rows


def _last_messages(session: Session, ticket_ids: Sequence[str]) -> Mapping[str, LastMessage]:
    """The newest message of each ticket, with one query."""
    if not ticket_ids:
        return {}
    numbered = select(
        TicketMessage.ticket_id,
        TicketMessage.side,
        TicketMessage.text,
        TicketMessage.step,
        func.row_number()
        .over(
            partition_by=TicketMessage.ticket_id,
            order_by=(TicketMessage.at.desc(), TicketMessage.id.desc()),
        )
        .label("place"),
    ).where(TicketMessage.ticket_id.in_(ticket_ids))
    ranked = numbered.subquery()
    rows = session.execute(
        select(ranked.c.ticket_id, ranked.c.side, ranked.c.text, ranked.c.step).where(
            ranked.c.place == 1
        )
    )
    return {row[0]: LastMessage(row[1], row[2], row[3]) for row in rows}
