"""Refuses a stay that would hold a unit on a night somebody else holds it."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.reservations.unit_stays import unit_stays
from pms.rules.double_booking import Span, conflicts_with, read_spans, span_of
from pms.rules.stays import Stay
from pms.workspaces.queries import policy

CONSTRAINT: Final = "reservation_no_overlap"


def refuse_conflict(
    session: Session, stay: Stay, unit_id: str, today: date, beside: Collection[str] = ()
) -> None:
    """Raise `Refused` naming the dates, never the person (specification, Errors: 400).

    The unit's row is locked, so that what is read here still holds when the stay is written.
    External blocks and expected departures are not asked, nor are the stays `beside`.
    """
    figures = policy(session)
    span = span_of(stay, today, figures)
    if span is None:
        return
    others = [other for other in unit_stays(session, unit_id) if other.id not in beside]
    held = read_spans(others, today, figures).spans
    conflicts = sorted(conflicts_with(span, held), key=lambda other: (other.first_on, other.id))
    if conflicts:
        raise Refused(_conflict(span, conflicts))


@contextmanager
def stored_without_overlap(session: Session) -> Iterator[None]:
    """Flush what is pending and say as a refusal what the database's own constraint refuses."""
    try:
        yield
        session.flush()
    except IntegrityError as failure:
        if CONSTRAINT not in str(failure):
            raise
        raise Refused(
            "dates: the unit is held by another reservation on some of these nights."
        ) from failure


def _conflict(span: Span, held: list[Span]) -> str:
    taken = " and ".join(_nights(other) for other in held)
    return f"dates: {_nights(span)} meets another reservation of the unit, {taken}."


def _nights(span: Span) -> str:
    until = "with no known end" if span.free_from_on is None else f"until {span.free_from_on}"
    return f"from {span.first_on} {until}"
