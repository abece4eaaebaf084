"""Ends a conversation with a resident; everything said in it stays to be read."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide, TicketState
from pms.upkeep.ticket_in_hand import ticket_in_hand
from pms.upkeep.ticket_reach import TicketReach


def close_ticket(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    ticket_id: str,
    reach: TicketReach | None = None,
) -> None:
    """Close the ticket: it is nobody's turn. One that is closed already is left as it is.

    Raises `NotFound` for a ticket out of reach.
    """
    ticket = ticket_in_hand(session, ticket_id, reach or TicketReach.everything())
    if ticket.state == TicketState.CLOSED:
        return
    ticket.state, ticket.awaits = TicketState.CLOSED, TicketSide.NOBODY
    ticket.closed_at, ticket.closed_by = clock.now(), actor
    ticket.version += 1
    note_change(session, clock, actor, Deed.TICKET_CLOSED, ticket)
    session.flush()
