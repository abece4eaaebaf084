"""A ticket with its messages."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Ticket, TicketMessage
from pms.reservations.models import Reservation
from pms.reservations.tenancies import STATED_END
from pms.rules.days import RecordedDay
from pms.rules.enumerations import Lifecycle, ProjectState, TicketSide, TicketState, TicketStep
from pms.rules.upkeep_cost import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest
from pms.upkeep.tickets import TicketVisibility


class Said(NamedTuple):
    """One message: text, or a step of the work with its day."""

    id: str
    side: TicketSide
    text: str | None
    step: TicketStep | None
    step_on: date | None
    at: datetime
    by: str


class TicketRecord(NamedTuple):
    """One ticket; address, telephone and name are shown to the office only."""

    id: str
    subject: str
    state: TicketState
    awaits: TicketSide
    opened_at: datetime
    opened_by: str
    closed_at: datetime | None
    closed_by: str | None
    reservation_id: str
    resident: str
    email: str | None
    phone: str | None
    locale: str
    lifecycle: Lifecycle
    starts_on: date | None
    end_on: RecordedDay
    unit_id: str
    unit_name: str
    building_id: str
    request_id: str | None
    may_enter: bool | None
    project_id: str | None
    project_number: int | None
    project_title: str | None
    project_state: ProjectState | None
    building: Bilingual
    messages: Sequence[Said] = ()

    @property
    def project_name(self) -> str | None:
        """The project's name for people, `PRJ-0042`."""
        return None if self.project_number is None else project_number(self.project_number)


_RECORD: Final = (
    select(
        Ticket.id,
        Ticket.subject,
        Ticket.state,
        Ticket.awaits,
        Ticket.opened_at,
        Ticket.opened_by,
        Ticket.closed_at,
        Ticket.closed_by,
        Ticket.reservation_id,
        Reservation.name,
        Reservation.email,
        Reservation.phone,
        Reservation.locale,
        Reservation.lifecycle,
        Reservation.starts_on,
        STATED_END,
        Unit.id,
        Unit.name,
        Building.id,
        Ticket.request_id,
        MaintenanceRequest.may_enter,
        MaintenanceProject.id,
        MaintenanceProject.number,
        MaintenanceProject.title,
        MaintenanceProject.state,
        Building.name,
        Building.name_en,
    )
    .select_from(Ticket)
    .join(Reservation, refers_to(Ticket.reservation_id, Reservation))
    .join(Unit, refers_to(Reservation.unit_id, Unit))
    .join(Unit.building)
    .outerjoin(MaintenanceRequest, refers_to(Ticket.request_id, MaintenanceRequest))
    .outerjoin(
        MaintenanceProject,
        and_(
            MaintenanceProject.workspace_id == Ticket.workspace_id,
            MaintenanceProject.id
            == func.coalesce(Ticket.project_id, MaintenanceRequest.project_id),
        ),
    )
)


def ticket_record(session: Session, ticket_id: str, visibility: TicketVisibility) -> TicketRecord:
    """Return a ticket with all its messages, oldest first.

    Raises `NotFound` for an unknown or invisible one.
    """
    row: Any = None
    if is_id(ticket_id):
        row = session.execute(visibility.narrow(_RECORD.where(Ticket.id == ticket_id))).first()
    if row is None:
        raise no_such("conversation", ticket_id)
    building = Bilingual(row[-2], row[-1])
    return TicketRecord._make((*row[:-2], building, messages_of(session, ticket_id)))


def messages_of(session: Session, ticket_id: str) -> Sequence[Said]:
    """Return the messages of a ticket, oldest first."""
    rows = session.execute(
        select(
            TicketMessage.id,
            TicketMessage.side,
            TicketMessage.text,
            TicketMessage.step,
            TicketMessage.step_on,
            TicketMessage.at,
            TicketMessage.by,
        )
        .where(TicketMessage.ticket_id == ticket_id)
        .order_by(TicketMessage.at, TicketMessage.id)
    )
    return [Said(*row) for row in rows]
