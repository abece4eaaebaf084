"""Takes a ticket in hand to change it: locked, as it stands, within somebody's reach."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.upkeep.models import Ticket
from pms.upkeep.ticket_reach import TicketReach


def ticket_in_hand(session: Session, ticket_id: str, reach: TicketReach) -> Ticket:
    """Return the ticket, locked; raise `NotFound` for one that is nobody's here or out of reach."""
    found = None
    if is_id(ticket_id):
        session.flush()
        question = reach.narrow(select(Ticket).where(Ticket.id == ticket_id))
        found = session.scalar(
            question.with_for_update(of=Ticket).execution_options(populate_existing=True)
        )
    if found is None:
        raise no_ticket(ticket_id)
    return found


def no_ticket(ticket_id: str) -> NotFound:
    """Return the refusal of a ticket that is not here."""
    return NotFound("There is no conversation '{ticket_id}'.", ticket_id=ticket_id[:60])
