"""Says something in a ticket: the staff to the resident, or the resident to the staff."""

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, needed_text
from pms.foundation.audit import note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.sent_once import is_new
from pms.rules.deeds import Deed
from pms.rules.enumerations import TicketSide, TicketState
from pms.upkeep.post_words import post_words
from pms.upkeep.ticket_in_hand import ticket_in_hand
from pms.upkeep.ticket_mail import mail_ticket
from pms.upkeep.ticket_reach import TicketReach


def answer_ticket(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    ticket_id: str,
    text: str | None,
    side: TicketSide = TicketSide.STAFF,
    reach: TicketReach | None = None,
    key: str | None = None,
    locale: str | None = None,
) -> bool:
    """Add the words, pass the turn, and tell whether a mail leaves to the resident.

    Words of the staff are mailed in the resident's language, or in `locale` where that is known
    better, where an address is recorded. A `key` that arrived before changes nothing. Raises `NotFound` for a ticket out of reach,
    `Refused` for no words and for a ticket that is closed.
    """
    ticket = ticket_in_hand(session, ticket_id, reach or TicketReach.everything())
    words = needed_text("text", text, LONGEST_TEXT)
    if not is_new(session, clock, actor, key):
        return False
    if ticket.state == TicketState.CLOSED:
        raise Refused("text: this conversation is closed; open it again first.")
    post_words(session, clock, actor, ticket=ticket, words=words, side=side)
    is_mailed = side == TicketSide.STAFF and mail_ticket(session, clock, ticket, words, locale)
    # Who answered and when; the words themselves stand in the ticket and nowhere else.
    told = {"is_mailed": is_mailed}
    note_deed(session, clock, actor, Deed.TICKET_ANSWERED, ("ticket", ticket.id), after=told)
    session.flush()
    return is_mailed
