"""Changing a reservation: its lifecycle, and conflicts."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase, all_of, any_of
from pms.foundation.versions import asked_once
from pms.reservations.later_terms import read_first_days
from pms.reservations.models import Reservation
from pms.rules.cancellation import LIFECYCLE_CHANGES, lifecycle_after
from pms.rules.contract_dates import effective_day
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.unit_stays import (
    Span,
    Stay,
    conflicts_with,
    is_unconfirmed,
    read_spans,
    span_of,
)
from pms.workspaces.queries import policy


def mark_changed(row: Reservation, clock: Clock, actor: str) -> None:
    """Increment the row's version and store who changed it, for an edit of an older version."""
    row.updated_at, row.updated_by = clock.now(), actor
    row.version += 1


def move_lifecycle(row: Reservation, wanted: Lifecycle) -> None:
    """Change a reservation's state (specification, States and transitions) or raise `Refused`."""
    refuse_move(Lifecycle(row.lifecycle), wanted, row)
    row.lifecycle = wanted


def refuse_move(state: Lifecycle, wanted: Lifecycle, row: Reservation) -> None:
    """Raise `Refused` when the transition from `state` to `wanted` is not allowed."""
    after = lifecycle_after(state, wanted, ReservationKind(row.kind))
    if state == wanted or after != wanted:
        raise refusal_of_move(state, wanted)


def next_lifecycle(row: Reservation, wanted: Lifecycle) -> Lifecycle:
    """Return the state after a transition; one that is not allowed changes nothing."""
    # The database returns plain strings, and the rules compare members.
    return lifecycle_after(Lifecycle(row.lifecycle), wanted, ReservationKind(row.kind))


def lifecycle_now(row: Reservation, today: date) -> Lifecycle:
    """Return the lifecycle today: a confirmed booking is living from its start (States)."""
    if is_unconfirmed(row.lifecycle, row.kind):
        return Lifecycle.BOOKED
    return lifecycle_as_staff_say(row, today)


def lifecycle_as_staff_say(row: Reservation, today: date) -> Lifecycle:
    """Return the lifecycle today when staff say that the booking was moved into.

    Staff who force, amend or end a tenancy that has started thereby record the move-in, paid or
    not.
    """
    has_started = row.starts_on is not None and row.starts_on <= today
    if has_started and row.lifecycle in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        return next_lifecycle(row, Lifecycle.LIVING)
    return Lifecycle(row.lifecycle)


def refusal_of_move(state: Lifecycle, wanted: Lifecycle) -> Refused:
    """Return the refusal of a transition that is not allowed."""
    allowed = sorted(LIFECYCLE_CHANGES[Lifecycle(state)])
    if not allowed:
        return Refused(
            "lifecycle: a reservation that is {state} cannot become {wanted}; it has ended.",
            state=state,
            wanted=wanted,
        )
    return Refused(
        "lifecycle: a reservation that is {state} cannot become {wanted}. It can become {allowed}.",
        state=state,
        wanted=wanted,
        allowed=any_of(allowed),
    )


def unit_stays(session: Session, unit_id: str) -> tuple[Stay, ...]:
    """Return all stays of a unit, past ones included, without cancelled ones."""
    return asked_once(session, _read_unit_stays, unit_id)


def _read_unit_stays(session: Session, unit_id: str) -> tuple[Stay, ...]:
    question = select(Reservation).where(
        Reservation.unit_id == unit_id, Reservation.cancelled_at.is_(None)
    )
    return tuple(stay_of(row) for row in session.scalars(question))


def stay_of(row: Reservation) -> Stay:
    """Return a reservation as the occupancy rules read it (specification, Contract dates)."""
    return Stay(
        id=row.id,
        start_on=effective_day(row.move_in_date, row.override_move_in_date),
        end_on=effective_day(row.contract_end_date, row.override_contract_end_date),
        move_out_on=row.move_out_date,
        expected_departure_on=row.expected_departure_date,
        is_forced=row.forced_on is not None,
        kind=row.kind,
        is_cancelled=row.cancelled_at is not None,
        is_unconfirmed=is_unconfirmed(row.lifecycle, row.kind),
        later_firsts=read_first_days(row.later_terms_from),
    )


CONSTRAINT: Final = "reservation_no_overlap"


def refuse_conflict(
    session: Session, stay: Stay, unit_id: str, today: date, beside: Collection[str] = ()
) -> None:
    """Raise `Refused` naming the dates, never the person (specification, Errors: 400).

    The unit's row is locked, so that the result is still true when the stay is written. External
    blocks and expected departures do not count, nor do the stays in `beside`.
    """
    span, conflicts = _find_span_and_conflicts(session, stay, unit_id, today, beside)
    if span is not None and conflicts:
        conflict_refusal = Refused(
            "dates: The stay {nights} overlaps with another reservation of the unit, {taken}.",
            nights=_describe_nights(span),
            taken=all_of(_describe_nights(other) for other in conflicts),
        )
        raise conflict_refusal


def conflicts_of(
    session: Session, stay: Stay, unit_id: str, today: date, beside: Collection[str] = ()
) -> list[Span]:
    """Return other stays' nights that overlap a stay, earliest first, with their ids."""
    return _find_span_and_conflicts(session, stay, unit_id, today, beside)[1]


@contextmanager
def stored_without_overlap(session: Session) -> Iterator[None]:
    """Flush, and turn the database's overlap constraint into a refusal."""
    try:
        yield
        session.flush()
    except IntegrityError as failure:
        if CONSTRAINT not in str(failure):
            raise
        raise Refused(
            "dates: the unit is taken by another reservation on some of these nights."
        ) from failure


def _find_span_and_conflicts(
    session: Session, stay: Stay, unit_id: str, today: date, beside: Collection[str]
) -> tuple[Span | None, list[Span]]:
    figures = policy(session)
    span = span_of(stay, today, figures)
    if span is None:
        return None, []
    others = [other for other in unit_stays(session, unit_id) if other.id not in beside]
    held = read_spans(others, today, figures).spans
    conflicts = conflicts_with(span, held)
    return span, sorted(conflicts, key=lambda other: (other.first_on, other.id))


def _describe_nights(span: Span) -> Phrase:
    if span.free_from_on is None:
        return Phrase("from {first_on} (no end date)", first_on=span.first_on)
    return Phrase(
        "from {first_on} until {until_on}", first_on=span.first_on, until_on=span.free_from_on
    )
