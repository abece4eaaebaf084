"""Says in the tickets of a piece of work how it moves, each step once until the next one."""

from collections.abc import Mapping, Sequence
from datetime import date

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.enumerations import TicketSide, TicketState, TicketStep
from pms.upkeep.models import MaintenanceRequest, Ticket, TicketMessage

Told = tuple[TicketStep | None, date | None]


def tell_tickets(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    step: TicketStep,
    project_id: str | None = None,
    request_id: str | None = None,
    on: date | None = None,
) -> int:
    """Post a step into every open ticket of a project or a report; return how many were told.

    A project's tickets are those about it and those about the reports folded into it. What a
    ticket was told last is not told again; another day of a visit is. Whose turn it is stays:
    a step asks nothing of anybody. The deed that moved the work is the caller's to note.
    """
    tickets = _open_tickets(session, project_id, request_id)
    last = _last_steps(session, [ticket.id for ticket in tickets])
    told = [ticket for ticket in tickets if last.get(ticket.id) != (step, on)]
    for ticket in told:
        post_step(session, clock, actor, ticket=ticket, step=step, on=on)
    session.flush()
    return len(told)


def post_step(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    ticket: Ticket,
    step: TicketStep,
    on: date | None = None,
) -> None:
    """Say one step in one ticket; it is worded when somebody reads it, in their language."""
    session.add(
        TicketMessage(
            ticket_id=ticket.id,
            side=TicketSide.STAFF,
            step=step,
            step_on=on,
            at=clock.now(),
            by=actor,
        )
    )


def _open_tickets(
    session: Session, project_id: str | None, request_id: str | None
) -> Sequence[Ticket]:
    if project_id is None and request_id is None:
        return ()
    session.flush()
    question = select(Ticket).where(
        Ticket.state == TicketState.OPEN, or_(*_about(project_id, request_id))
    )
    return session.scalars(question.order_by(Ticket.id).with_for_update()).all()


def _about(project_id: str | None, request_id: str | None) -> Sequence[ColumnElement[bool]]:
    about = []
    if project_id is not None:
        folded = select(MaintenanceRequest.id).where(MaintenanceRequest.project_id == project_id)
        about += [Ticket.project_id == project_id, Ticket.request_id.in_(folded)]
    if request_id is not None:
        about.append(Ticket.request_id == request_id)
    return about


def _last_steps(session: Session, ticket_ids: Sequence[str]) -> Mapping[str, Told]:
    if not ticket_ids:
        return {}
    rows = session.execute(
        select(TicketMessage.ticket_id, TicketMessage.step, TicketMessage.step_on)
        .where(TicketMessage.ticket_id.in_(ticket_ids), TicketMessage.step.is_not(None))
        .order_by(TicketMessage.at, TicketMessage.id)
    )
    return {row[0]: (row[1], row[2]) for row in rows}
