"""Takes a reservation in hand to change it: locked, as it stands now, and still as it was seen."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id
from pms.foundation.phrases import Actor, Phrase, any_of
from pms.reservations import locks
from pms.reservations.models import Reservation
from pms.rules.days import JAPAN
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.status_changes import LIFECYCLE_CHANGES, lifecycle_after


def reservation_to_change(
    session: Session,
    reservation_id: str,
    expected_version: int | None = None,
    *,
    other_units: Collection[str] = (),
) -> Reservation:
    """Return a reservation, its unit's row locked before its own, with other units in one go.

    Raises `NotFound`, and `Collision` when it is no longer the version that was seen.
    """
    unit_id = is_id(reservation_id) and session.scalar(
        select(Reservation.unit_id).where(Reservation.id == reservation_id)
    )
    if unit_id:
        locks.lock_units(session, [unit_id, *(id_ for id_ in other_units if is_id(id_))])
    return locked_reservation(session, reservation_id, expected_version)


def locked_reservation(
    session: Session, reservation_id: str, expected_version: int | None = None
) -> Reservation:
    """Return a reservation whose unit's row is locked already."""
    return _as_seen(locks.locked_reservation(session, reservation_id), expected_version)


def mark_changed(row: Reservation, clock: Clock, actor: str) -> None:
    """Count a change, so that whoever still looks at the earlier version is told whose it was."""
    row.updated_at, row.updated_by = clock.now(), actor
    row.version += 1


def move_lifecycle(row: Reservation, wanted: Lifecycle) -> None:
    """Move a reservation on (specification, States and transitions) or raise `Refused`."""
    refuse_move(Lifecycle(row.lifecycle), wanted, row)
    row.lifecycle = wanted


def refuse_move(state: Lifecycle, wanted: Lifecycle, row: Reservation) -> None:
    """Raise `Refused` when a reservation in such a state does not become another one."""
    after = lifecycle_after(state, wanted, ReservationKind(row.kind))
    if state == wanted or after != wanted:
        raise refusal_of_move(state, wanted)


def next_lifecycle(row: Reservation, wanted: Lifecycle) -> Lifecycle:
    """Return the state once another is asked for; one that is not allowed changes nothing."""
    # The database gives back plain words, and the rules compare members.
    return lifecycle_after(Lifecycle(row.lifecycle), wanted, ReservationKind(row.kind))


def lifecycle_now(row: Reservation, today: date) -> Lifecycle:
    """Return the lifecycle with the start counted: whose start has come may be living there.

    Staff who force, amend or end such a tenancy say with it that somebody moved in, paid or not.
    """
    has_started = row.starts_on is not None and row.starts_on <= today
    if has_started and row.lifecycle in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        return next_lifecycle(row, Lifecycle.LIVING)
    return Lifecycle(row.lifecycle)


def refusal_of_move(state: Lifecycle, wanted: Lifecycle) -> Refused:
    """Return the refusal of a move of the lifecycle that is not allowed."""
    allowed = sorted(LIFECYCLE_CHANGES[Lifecycle(state)])
    if not allowed:
        return Refused(
            "lifecycle: a reservation that is {state} does not become {wanted}; it is over.",
            state=state,
            wanted=wanted,
        )
    return Refused(
        "lifecycle: a reservation that is {state} does not become {wanted};"
        " it may become {allowed}.",
        state=state,
        wanted=wanted,
        allowed=any_of(allowed),
    )


def _as_seen(row: Reservation, expected_version: int | None) -> Reservation:
    if expected_version is not None and row.version != expected_version:
        at = row.updated_at.astimezone(JAPAN)
        raise Collision(
            "version: the reservation was seen as version {seen} and is now version"
            " {current}: {person} changed it on {at:%Y-%m-%d at %H:%M} in Japan. Look at it"
            " again.",
            seen=expected_version,
            current=row.version,
            person=Actor(row.updated_by) if row.updated_by else Phrase("somebody"),
            at=at,
        )
    return row
