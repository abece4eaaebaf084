"""Names the ticket that words in the portal go to: the one that waits, or the latest open one."""

from sqlalchemy import case, select
from sqlalchemy.orm import Session

from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import KnownHandles
from pms.rules.enumerations import TicketSide, TicketState
from pms.upkeep.models import Ticket


def ticket_to_answer(session: Session, handles: KnownHandles, reach: InboxReach) -> str | None:
    """Return its id; none when nothing of the person is open, so that a new one begins."""
    is_ours = case((Ticket.awaits == TicketSide.STAFF, 0), else_=1)
    question = (
        select(Ticket.id)
        .where(handles.is_ticket, Ticket.state == TicketState.OPEN)
        .order_by(is_ours, Ticket.last_message_at.desc(), Ticket.id.desc())
        .limit(1)
    )
    return session.scalar(reach.tickets.narrow(question))
