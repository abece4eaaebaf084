"""Locks of units and reservations, in one order."""

from collections.abc import Collection, Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.errors import Collision
from pms.foundation.ids import is_id
from pms.foundation.phrases import Actor, Phrase
from pms.foundation.prepared import one_of
from pms.foundation.work import locked
from pms.reservations.models import Reservation
from pms.rules.days import JAPAN


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
    row = locked(session, Reservation, reservation_id)
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
