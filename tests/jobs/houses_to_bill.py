"""Workspaces with the same many residents, booked and changed by the use cases, for billing runs."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.bookings import book
from pms.arrivals.lifecycles import move_in
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.models import BilledRow, LedgerEntry, LedgerLine, RowExtent
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.models import Reservation
from pms.rules.enumerations import FeeCategory, ReservationKind, TaxTreatment
from pms.workspaces.models import PolicyRow
from tests.cast import building, owner, unit, workspace

BOOKED_AT = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)
FIRST_DAY = date(2026, 6, 1)


def open_house(database: Database, slug: str, residents: int) -> str:
    """Store a workspace whose residents booked in May and move in in June, the same in each."""
    with database.across_workspaces_writing() as session:
        opened = workspace(slug=slug, name=slug)
        session.add(opened)
    with database.writing(opened.id) as session:
        rooms = _rooms(session, opened.id, slug, residents)
        for number, room_id in enumerate(rooms):
            _book(session, number, room_id)
    return opened.id


def _rooms(session: Session, workspace_id: str, slug: str, rooms: int) -> list[str]:
    owner_id, building_id = new_id(), new_id()
    session.add_all([PolicyRow(id=workspace_id), owner(id=owner_id)])
    session.flush()
    session.add(building(id=building_id, slug=f"house-{slug}", owner_id=owner_id))
    session.flush()
    ids = [new_id() for _ in range(rooms)]
    session.add_all(
        unit(id=id_, building_id=building_id, name=f"{n:04}", slug=f"room-{slug}-{n:04}")
        for n, id_ in enumerate(ids)
    )
    session.flush()
    return ids


def _book(session: Session, number: int, unit_id: str) -> None:
    """Every day of a month to move in on, every third with a fee, every fifth with a discount."""
    start_on = FIRST_DAY + timedelta(days=number % 30)
    internet = MonthlyFee(
        "internet",
        Bilingual("インターネット", "Internet"),
        FeeCategory.SERVICE,
        TaxTreatment.TAXABLE_10,
        3_300,
    )
    loyal = AgreedDiscount(Bilingual("長期割引", "Long stay"), percent=Decimal("7.5"))
    booked = book(
        Work(session, FixedClock(BOOKED_AT), "test"),
        unit_id=unit_id,
        kind=ReservationKind.RESIDENT,
        name=f"Resident {number:04}",
        move_in_date=start_on,
        contract_end_date=start_on + timedelta(days=60 + number % 300),
        amounts=MonthlyAmounts(60_000 + 137 * number, 12_000, 3_000),
        fees=[internet] if number % 3 == 0 else [],
        discount=loyal if number % 5 == 0 else None,
        deposit_yen=50_000,
    )
    arrival = datetime.combine(start_on, BOOKED_AT.timetz())
    move_in(Work(session, FixedClock(arrival), "test"), reservation_id=booked.reservation_id)


def ledger_hash(database: Database, workspace_id: str) -> str:
    """The hash of all ledger rows in order, without ids and instants."""
    found = hashlib.sha256()
    with database.reading(workspace_id) as session:
        for row in (*_entries(session), *_rows(session), *_lines(session)):
            found.update(repr(row).encode())
    return found.hexdigest()


def _entries(session: Session) -> Iterator[tuple[object, ...]]:
    found = session.execute(
        select(
            Reservation.name,
            LedgerEntry.kind,
            LedgerEntry.period,
            LedgerEntry.round,
            LedgerEntry.label_ja,
            LedgerEntry.issued_on,
            LedgerEntry.due_on,
        )
        .join(Reservation, Reservation.id == LedgerEntry.reservation_id)
        .order_by(Reservation.name, LedgerEntry.kind, LedgerEntry.period, LedgerEntry.round)
    )
    return (tuple(row) for row in found)


def _rows(session: Session) -> Iterator[tuple[object, ...]]:
    found = session.execute(
        select(
            Reservation.name,
            BilledRow.kind,
            BilledRow.first_on,
            RowExtent.number,
            RowExtent.last_on,
        )
        .join(Reservation, Reservation.id == BilledRow.reservation_id)
        .join(RowExtent, RowExtent.row_id == BilledRow.id)
        .order_by(Reservation.name, BilledRow.first_on, RowExtent.number)
    )
    return (tuple(row) for row in found)


def _lines(session: Session) -> Iterator[tuple[object, ...]]:
    found = session.execute(
        select(
            Reservation.name,
            LedgerEntry.period,
            LedgerLine.item,
            LedgerLine.first_on,
            LedgerLine.last_on,
            LedgerLine.amount_yen,
            LedgerLine.category,
            LedgerLine.posted_on,
        )
        .join(LedgerEntry, LedgerEntry.id == LedgerLine.entry_id)
        .join(Reservation, Reservation.id == LedgerEntry.reservation_id)
        .order_by(
            Reservation.name,
            LedgerEntry.period,
            LedgerLine.item,
            LedgerLine.first_on,
            LedgerLine.amount_yen,
        )
    )
    return (tuple(row) for row in found)
