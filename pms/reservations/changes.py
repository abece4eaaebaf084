"""Changing a reservation: locks, versions, and conflicts."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id
from pms.foundation.phrases import Actor, Phrase, all_of, any_of
from pms.foundation.prepared import one_of
from pms.foundation.work import locked
from pms.reservations.models import Reservation
from pms.rules.cancellation import LIFECYCLE_CHANGES, lifecycle_after
from pms.rules.contract_dates import effective_day
from pms.rules.days import JAPAN
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


def lock_units(session: Session, unit_ids: Iterable[str]) -> None:
    """Lock the rows of units, in the order of their ids; SQLite has one lock for all writers."""
    _lock_rows(session, Unit, unit_ids)


def lock_reservations(session: Session, reservation_ids: Iterable[str]) -> None:
    """Lock the rows of reservations, in the order of their ids.

    Enough for writing their ledgers; changes of their days lock the units first.
    """
    _lock_rows(session, Reservation, reservation_ids)


def _lock_rows(session: Session, model: type[Unit] | type[Reservation], ids: Iterable[str]) -> None:
    question = select(model.id).where(one_of(model.id, sorted(set(ids)))).order_by(model.id)
    session.execute(question.with_for_update(key_share=True)).all()


def reservation_to_change(
    session: Session,
    reservation_id: str,
    expected_version: int | None = None,
    *,
    other_units: Collection[str] = (),
) -> Reservation:
    """Return a reservation, its unit's row locked before its own, together with other units'.

    Raises `NotFound`, and `Collision` for an outdated version.
    """
    unit_id = is_id(reservation_id) and session.scalar(
        select(Reservation.unit_id).where(Reservation.id == reservation_id)
    )
    if unit_id:
        lock_units(session, [unit_id, *(id_ for id_ in other_units if is_id(id_))])
    return reservation_of_locked_unit(session, reservation_id, expected_version)


def reservation_of_locked_unit(
    session: Session, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Return a reservation whose unit's row is locked already."""
    return _as_seen(locked(session, Reservation, reservation_id), expected_version)


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


def _as_seen(row: Reservation, expected_version: int | None) -> Reservation:
    if expected_version is not None and row.version != expected_version:
        at = row.updated_at.astimezone(JAPAN)
        raise Collision(
            "version: The reservation changed since you opened it (version {seen}, now "
            "{current}): {person} changed it on {at:%Y-%m-%d at %H:%M} (Japan time). Look "
            "at it again.",
            seen=expected_version,
            current=row.version,
            person=Actor(row.updated_by) if row.updated_by else Phrase("a colleague"),
            at=at,
        )
    return row


def unit_stays(session: Session, unit_id: str) -> tuple[Stay, ...]:
    """Return all stays of a unit, past ones included, without cancelled ones."""
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
        raise _build_conflict_refusal(span, conflicts)


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


def _build_conflict_refusal(span: Span, held: list[Span]) -> Refused:
    return Refused(
        "dates: The stay {nights} overlaps with another reservation of the unit, {taken}.",
        nights=_describe_nights(span),
        taken=all_of(_describe_nights(other) for other in held),
    )


def _describe_nights(span: Span) -> Phrase:
    if span.free_from_on is None:
        return Phrase("from {first_on} (no end date)", first_on=span.first_on)
    return Phrase(
        "from {first_on} until {until_on}", first_on=span.first_on, until_on=span.free_from_on
    )
