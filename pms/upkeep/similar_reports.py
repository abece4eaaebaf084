"""Open reports that resemble a new one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.foundation.tenancy import refers_to
from pms.inbox.models import Ticket
from pms.reservations.models import Reservation
from pms.rules.enumerations import RequestState
from pms.rules.resident_reports import telling_words
from pms.upkeep.models import MaintenanceRequest
from pms.upkeep.task_visibility import holds_words
from pms.upkeep.ticket_updates import first_line

_MOST_ALIKE: Final = 3
_ENOUGH_WORDS: Final = 2
_GOES_ON: Final = (RequestState.REPORTED, RequestState.FOLDED)


class SimilarReport(NamedTuple):
    """An open report; its text and ticket only when it is the resident's own."""

    reported_at: datetime
    title: str | None
    ticket_id: str | None


def similar_reports(session: Session, *, reservation_id: str, text: str) -> Sequence[SimilarReport]:
    """Return the newest open reports of the resident's unit that share two words with a text.

    For a text with one significant word that one suffices; a text with none matches nothing.
    """
    words = telling_words(text)
    if not words:
        return ()
    unit = select(Reservation.unit_id).where(Reservation.id == reservation_id).scalar_subquery()
    own_ticket = and_(
        refers_to(Ticket.request_id, MaintenanceRequest),
        Ticket.reservation_id == reservation_id,
    )
    rows = session.execute(
        select(MaintenanceRequest.reported_at, MaintenanceRequest.what, Ticket.id)
        .outerjoin(Ticket, own_ticket)
        .where(
            MaintenanceRequest.unit_id == unit,
            MaintenanceRequest.state.in_(_GOES_ON),
            or_(*(holds_words(word, MaintenanceRequest.what) for word in words)),
        )
        .order_by(MaintenanceRequest.reported_at.desc(), MaintenanceRequest.id)
    )
    alike = [row for row in rows if _has_shared_words(row.what, words)]
    return [
        SimilarReport(at, first_line(what) if ticket_id else None, ticket_id)
        for at, what, ticket_id in alike[:_MOST_ALIKE]
    ]


def _has_shared_words(what: str, words: Sequence[str]) -> bool:
    text = what.lower()
    return sum(word in text for word in words) >= min(_ENOUGH_WORDS, len(words))
