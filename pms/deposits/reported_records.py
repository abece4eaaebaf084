"""Reads what a deposit report is made of, in as many questions for one record as for thousands."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import ExternalBlock
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import deposit_moves, standings
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.deposit import DepositMove
from pms.rules.enumerations import BlockSource, EntryKind, Lifecycle, ReservationKind
from pms.rules.ledger_entries import Standing

ASKED_AT_ONCE: Final = 20_000
"""Below what either database takes as the values of one question."""

_COLUMNS = (
    Reservation.id,
    Reservation.unit_id,
    Reservation.name,
    Reservation.kind,
    Reservation.lifecycle,
    Reservation.starts_on,
    Reservation.cancelled_at,
    Reservation.created_at,
)


class DepositRecord(NamedTuple):
    """A reservation that was there on the day, and whether somebody had moved in."""

    id: str
    unit_id: str
    name: str
    kind: ReservationKind
    lifecycle: Lifecycle
    has_moved_in: bool


class Ledgers(NamedTuple):
    """Entries as they stood on the day and the moves of held deposits, by reservation."""

    standings: Mapping[str, tuple[Standing, ...]]
    moves: Mapping[str, tuple[DepositMove, ...]]


def deposit_records(session: Session, on: date) -> list[DepositRecord]:
    """Return the reservations that had begun or were booked by a day."""
    rows = session.execute(select(*_COLUMNS).order_by(Reservation.id))
    return [_record(row, on) for row in rows if _was_there(row, on)]


def ledgers(session: Session, ids: Sequence[str], on: date) -> Ledgers:
    """Return the ledgers of many reservations as they stood on a day."""
    found: dict[str, tuple[Standing, ...]] = {}
    moves: dict[str, tuple[DepositMove, ...]] = {}
    for first in range(0, len(ids), ASKED_AT_ONCE):
        part = ids[first : first + ASKED_AT_ONCE]
        found.update(standings(session, part, on))
        moves.update(deposit_moves(session, part, on))
    return Ledgers(found, moves)


def move_in_entry_ids(session: Session) -> frozenset[str]:
    """Return the ids of every move-in invoice."""
    is_invoice = LedgerEntry.kind == EntryKind.MOVE_IN
    return frozenset(session.scalars(select(LedgerEntry.id).where(is_invoice)))


def rent_roll_rows(session: Session) -> int:
    """Return how many rows were imported from a rent roll: external blocks, no reservations."""
    is_rent_roll = ExternalBlock.source == BlockSource.RENT_ROLL
    return session.scalar(select(func.count()).select_from(ExternalBlock).where(is_rent_roll)) or 0


def _was_there(row: Any, on: date) -> bool:
    # An imported tenancy began before its record was made.
    return (row.starts_on is not None and row.starts_on <= on) or day_of(row.created_at) <= on


def _record(row: Any, on: date) -> DepositRecord:
    has_begun = row.starts_on is not None and row.starts_on <= on
    return DepositRecord(
        row.id,
        row.unit_id,
        row.name,
        ReservationKind(row.kind),
        Lifecycle(row.lifecycle),
        has_begun and row.cancelled_at is None,
    )
