"""One conversation with everything said in it, and what one has to know about the resident."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    Lifecycle,
    ProjectState,
    TicketSide,
    TicketState,
    TicketStep,
)
from pms.rules.project_number import project_number
from pms.upkeep.models import MaintenanceProject, MaintenanceRequest, Ticket, TicketMessage
from pms.upkeep.ticket_in_hand import no_ticket
from pms.upkeep.ticket_reach import TicketReach


class Said(NamedTuple):
    """One message: words, or a step of the work with the day it is about."""

    id: str
    side: TicketSide
    text: str | None
    step: TicketStep | None
    step_on: date | None
    at: datetime
    by: str


class TicketRecord(NamedTuple):
    """One conversation; address, telephone and name are for the office alone to show."""

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
    ends_on: date | None
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
        """What the project is called by, `PRJ-0042`."""
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
        Reservation.ends_on,
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
    .join(
        Reservation,
        (Reservation.workspace_id == Ticket.workspace_id)
        & (Reservation.id == Ticket.reservation_id),
    )
    .join(Unit, (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id))
    .join(Unit.building)
    .outerjoin(
        MaintenanceRequest,
        and_(
            MaintenanceRequest.workspace_id == Ticket.workspace_id,
            MaintenanceRequest.id == Ticket.request_id,
        ),
    )
    .outerjoin(
        MaintenanceProject,
        and_(
            MaintenanceProject.workspace_id == Ticket.workspace_id,
            MaintenanceProject.id
            == func.coalesce(Ticket.project_id, MaintenanceRequest.project_id),
        ),
    )
)


def ticket_record(session: Session, ticket_id: str, reach: TicketReach) -> TicketRecord:
    """Return a conversation with all its messages, the oldest first.

    Raises `NotFound` for one that is nobody's here or out of reach.
    """
    row: Any = None
    if is_id(ticket_id):
        row = session.execute(reach.narrow(_RECORD.where(Ticket.id == ticket_id))).first()
    if row is None:
        raise no_ticket(ticket_id)
    building = Bilingual(row[-2], row[-1])
    return TicketRecord._make((*row[:-2], building, messages_of(session, ticket_id)))


def messages_of(session: Session, ticket_id: str) -> Sequence[Said]:
    """Return what was said in a conversation, the oldest first."""
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
