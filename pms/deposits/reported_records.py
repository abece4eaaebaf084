"""Reads what a deposit report is made of, in as many questions for one record as for thousands."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from sqlalchemy import false, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.foundation.prepared import one_of
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, day_start
from pms.rules.enumerations import BlockSource, EntryKind, Lifecycle, ReservationKind


class DepositRecord(NamedTuple):
    """A reservation that was there on the day, and whether somebody had moved in."""

    id: str
    unit_id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    has_moved_in: bool


def deposit_records(
    session: Session, on: date, reservation_id: str | None = None
) -> list[DepositRecord]:
    """Return the reservations that had begun or were booked by a day, or only the one named."""
    has_begun = Reservation.starts_on <= on
    # An imported tenancy began before its record was made.
    was_there = has_begun | (Reservation.created_at < day_start(on + ONE_DAY))
    asked = select(
        Reservation.id,
        Reservation.unit_id,
        Reservation.kind,
        Reservation.lifecycle,
        func.coalesce(has_begun, false()) & Reservation.cancelled_at.is_(None),
    ).where(was_there)
    if reservation_id is not None:
        asked = asked.where(Reservation.id == reservation_id)
    return [DepositRecord(*row) for row in session.execute(asked.order_by(Reservation.id))]


def move_in_invoices(session: Session, entry_ids: Iterable[str]) -> frozenset[str]:
    """Return which of some entries are move-in invoices."""
    asked = select(LedgerEntry.id).where(
        LedgerEntry.kind == EntryKind.MOVE_IN, one_of(LedgerEntry.id, entry_ids)
    )
    return frozenset(session.scalars(asked))


def rent_roll_rows(session: Session) -> int:
    """Return how many rows were imported from a rent roll: external blocks, no reservations."""
    is_rent_roll = ExternalBlock.source == BlockSource.RENT_ROLL
    return session.scalar(select(func.count()).select_from(ExternalBlock).where(is_rent_roll)) or 0
