"""Takes a closed conversation with a resident up again."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide, TicketState
from pms.upkeep.models import TicketMessage
from pms.upkeep.post_words import TURN_AFTER
from pms.upkeep.ticket_in_hand import ticket_in_hand
from pms.upkeep.ticket_reach import TicketReach


def reopen_ticket(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    ticket_id: str,
    reach: TicketReach | None = None,
) -> None:
    """Open the ticket again: it is the turn of whoever did not speak last.

    One that is open already is left as it is. Raises `NotFound` for a ticket out of reach.
    """
    ticket = ticket_in_hand(session, ticket_id, reach or TicketReach.everything())
    if ticket.state == TicketState.OPEN:
        return
    ticket.state, ticket.awaits = TicketState.OPEN, _turn(session, ticket_id)
    ticket.closed_at, ticket.closed_by = None, None
    ticket.version += 1
    note_change(session, clock, actor, Deed.TICKET_REOPENED, ticket)
    session.flush()


def _turn(session: Session, ticket_id: str) -> TicketSide:
    last = session.scalar(
        select(TicketMessage.side)
        .where(TicketMessage.ticket_id == ticket_id, TicketMessage.text.is_not(None))
        .order_by(TicketMessage.at.desc(), TicketMessage.id.desc())
        .limit(1)
    )
    return TURN_AFTER[last or TicketSide.RESIDENT]
