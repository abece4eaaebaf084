"""Takes the locks of what changes a tenancy in one order: units by id, then reservations by id."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.reservations.models import Reservation


def lock_units(session: Session, unit_ids: Iterable[str]) -> None:
    """Lock the rows of units, in the order of their ids; SQLite has one lock for all writers."""
    wanted = sorted(set(unit_ids))
    session.execute(
        select(Unit.id)
        .where(one_of(Unit.id, wanted))
        .order_by(Unit.id)
        .with_for_update(key_share=True)
    ).all()


def lock_reservations(session: Session, reservation_ids: Iterable[str]) -> None:
    """Lock the rows of reservations, in the order of their ids.

    Enough for what writes their ledgers alone; what moves their days locks the units first.
    """
    wanted = sorted(set(reservation_ids))
    session.execute(
        select(Reservation.id)
        .where(one_of(Reservation.id, wanted))
        .order_by(Reservation.id)
        .with_for_update(key_share=True)
    ).all()


def locked_reservation(session: Session, reservation_id: str) -> Reservation:
    """Return the reservation, locked and as it stands now; raise `NotFound` for another's id."""
    found = None
    if is_id(reservation_id):
        session.flush()
        found = session.scalar(
            select(Reservation)
            .where(Reservation.id == reservation_id)
            .with_for_update(key_share=True)
            .execution_options(populate_existing=True)
        )
    if found is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return found


def locked_tenancy(session: Session, reservation_id: str) -> Reservation:
    """Return the reservation with its unit's row locked before its own."""
    unit_id = None
    if is_id(reservation_id):
        unit_id = session.scalar(
            select(Reservation.unit_id).where(Reservation.id == reservation_id)
        )
    if unit_id is not None:
        lock_units(session, [unit_id])
    return locked_reservation(session, reservation_id)
