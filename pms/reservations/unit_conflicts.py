"""Refuses a stay that would hold a unit on a night somebody else holds it."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, all_of
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
    span, conflicts = _meeting(session, stay, unit_id, today, beside)
    if span is not None and conflicts:
        raise _conflict(span, conflicts)


def conflicts_of(
    session: Session, stay: Stay, unit_id: str, today: date, beside: Collection[str] = ()
) -> list[Span]:
    """Return the nights of others that a stay would meet, the earliest first, with their ids."""
    return _meeting(session, stay, unit_id, today, beside)[1]


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


def _meeting(
    session: Session, stay: Stay, unit_id: str, today: date, beside: Collection[str]
) -> tuple[Span | None, list[Span]]:
    figures = policy(session)
    span = span_of(stay, today, figures)
    if span is None:
        return None, []
    others = [other for other in unit_stays(session, unit_id) if other.id not in beside]
    held = read_spans(others, today, figures).spans
    met = conflicts_with(span, held)
    return span, sorted(met, key=lambda other: (other.first_on, other.id))


def _conflict(span: Span, held: list[Span]) -> Refused:
    return Refused(
        "dates: {nights} meets another reservation of the unit, {taken}.",
        nights=_nights(span),
        taken=all_of(_nights(other) for other in held),
    )


def _nights(span: Span) -> Phrase:
    if span.free_from_on is None:
        return Phrase("from {first_on} with no known end", first_on=span.first_on)
    return Phrase(
        "from {first_on} until {until_on}", first_on=span.first_on, until_on=span.free_from_on
    )
