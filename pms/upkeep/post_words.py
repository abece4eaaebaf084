"""Keeps what a person said in a ticket and passes the turn to the other side."""

from typing import Final

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.rules.enumerations import TicketSide
from pms.upkeep.models import Ticket, TicketMessage

TURN_AFTER: Final = {
    TicketSide.RESIDENT: TicketSide.STAFF,
    TicketSide.STAFF: TicketSide.RESIDENT,
}


def post_words(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    ticket: Ticket,
    words: str,
    side: TicketSide,
) -> None:
    """Add the words of one side; the other one is to speak next."""
    session.add(TicketMessage(ticket_id=ticket.id, side=side, text=words, at=clock.now(), by=actor))
    ticket.last_message_at = clock.now()
    ticket.awaits = TURN_AFTER[side]
