"""Finds what was reported of the same unit already in much the same words."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from pms.reservations.models import Reservation
from pms.rules.enumerations import RequestState
from pms.rules.resident_reports import telling_words
from pms.upkeep.first_line import first_line
from pms.upkeep.matching_words import holds_words
from pms.upkeep.models import MaintenanceRequest, Ticket

_MOST: Final = 3
_ENOUGH_WORDS: Final = 2
_GOES_ON: Final = (RequestState.REPORTED, RequestState.FOLDED)


class SimilarReport(NamedTuple):
    """A report that goes on; its words and its ticket only where it is the resident's own."""

    reported_at: datetime
    title: str | None
    ticket_id: str | None


def similar_reports(session: Session, *, reservation_id: str, text: str) -> Sequence[SimilarReport]:
    """Return the newest reports of the resident's unit that share two words with a text.

    A text of one telling word needs that one; one without any finds nothing.
    """
    words = telling_words(text)
    if not words:
        return ()
    unit = select(Reservation.unit_id).where(Reservation.id == reservation_id).scalar_subquery()
    own_ticket = and_(
        Ticket.workspace_id == MaintenanceRequest.workspace_id,
        Ticket.request_id == MaintenanceRequest.id,
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
    alike = [row for row in rows if _shares(row.what, words)]
    return [
        SimilarReport(at, first_line(what) if ticket_id else None, ticket_id)
        for at, what, ticket_id in alike[:_MOST]
    ]


def _shares(what: str, words: Sequence[str]) -> bool:
    told = what.lower()
    return sum(word in told for word in words) >= min(_ENOUGH_WORDS, len(words))
