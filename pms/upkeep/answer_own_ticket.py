"""Says something in a resident's own ticket, with pictures where it is about a report."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.sent_once import is_new
from pms.rules.enumerations import TicketSide
from pms.upkeep.add_upkeep_photo import add_upkeep_photo
from pms.upkeep.answer_ticket import answer_ticket
from pms.upkeep.ticket_in_hand import ticket_in_hand
from pms.upkeep.ticket_reach import TicketReach
from pms.upkeep.upkeep_photos import REQUEST


def answer_own_ticket(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    ticket_id: str,
    text: str | None,
    photos: Sequence[SizedPhoto] = (),
    key: str | None = None,
) -> None:
    """Add the resident's words and pictures; the staff are to speak next.

    A `key` that arrived before changes nothing. Raises `NotFound` for another's ticket, `Refused`
    for no words, for a closed ticket, and for pictures where no report keeps them.
    """
    reach = TicketReach.of_reservation(reservation_id)
    ticket = ticket_in_hand(session, ticket_id, reach)
    if photos and ticket.request_id is None:
        raise Refused("photo: this conversation is about no report and takes no pictures.")
    if not is_new(session, clock, actor, key):
        return
    answer_ticket(
        session,
        clock,
        actor,
        ticket_id=ticket_id,
        text=text,
        side=TicketSide.RESIDENT,
        reach=reach,
    )
    for sized in photos:
        subject = (REQUEST, str(ticket.request_id))
        add_upkeep_photo(session, clock, actor, subject=subject, sized=sized)
