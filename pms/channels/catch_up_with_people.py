"""Brings the inbox up to date, a part at a time, with what no follower was told of."""

from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.follow_people import (
    PEOPLE_AT_ONCE,
    bring_up_to_date,
    words_of_enquiries,
    words_of_tickets,
)
from pms.enquiries.models import Enquiry
from pms.upkeep.models import Ticket

_TICKETS: Final = "tickets/"
_ENQUIRIES: Final = "enquiries/"


class CaughtUp(NamedTuple):
    """How many conversations were changed, and where to go on; nowhere ends the day."""

    done: int
    after: str | None


def catch_up_with_people(session: Session, after: str | None = None) -> CaughtUp:
    """Go through some tickets, then enquiries, those after the place where it was left.

    Whoever wrote does it at once; this finds what was stored before there was an inbox, or by
    something that went past the program. Once more changes nothing.
    """
    kind, _, last_id = (after or _TICKETS).partition("/")
    is_tickets = f"{kind}/" == _TICKETS
    ids = _part(session, Ticket.id if is_tickets else Enquiry.id, last_id)
    words_of = words_of_tickets if is_tickets else words_of_enquiries
    done = bring_up_to_date(session, words_of(session, ids)) if ids else 0
    if len(ids) == PEOPLE_AT_ONCE:
        return CaughtUp(done, f"{kind}/{ids[-1]}")
    return CaughtUp(done, _ENQUIRIES if is_tickets else None)


def _part(session: Session, id_column: Any, last_id: str) -> list[str]:
    wanted = select(id_column).order_by(id_column).limit(PEOPLE_AT_ONCE)
    return list(session.scalars(wanted.where(id_column > last_id) if last_id else wanted))
