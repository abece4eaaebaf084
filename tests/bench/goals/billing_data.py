"""Tenancies by the thousand that are due their next month of rent, on either database."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Any

from psycopg import sql
from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.departures.models import MoveOutNotice
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.ids import new_id
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.ledger.models import BilledRow, LedgerEntry, LedgerLine, RowExtent
from pms.pricing.models import FrozenDiscount, PricePeriod, PricingSnapshot
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    EntryKind,
    FeeCategory,
    Lifecycle,
    PenaltyKind,
    RowKind,
    TaxTreatment,
)
from pms.workspaces.models import PolicyRow
from tests import cast
from tests.bench.data import SECRET
from tests.servers.postgresql import APPLICATION, OWNER, PostgreSQL

WORKSPACE = "0199a0000000700080000000000000aa"
BILLING_DAY = date(2026, 10, 25)
FIRST_MONTH = (date(2026, 10, 1), date(2026, 10, 31))
_SEEDED_AT = datetime(2026, 9, 20, 1, 0, tzinfo=UTC)
_NUMBERS = count(1)
_CHUNK = 5_000

Row = dict[str, Any]


@dataclass(frozen=True)
class Ground:
    """Where databases of billing are made: folders of SQLite files, or one server."""

    folder: Path
    server: PostgreSQL | None = None

    @property
    def name(self) -> str:
        return "PostgreSQL" if self.server else "SQLite"

    def fresh(self, size: int) -> Settings:
        """Return settings over a new copy of so many tenancies, none of them billed yet."""
        template = f"seeded_{size}"
        if not (self.folder / template).exists():
            seeded = self._made(template)
            migrate(seeded)
            seed(seeded, size)
            if self.server:
                # As in a database in use, the planner knows how many rows there are.
                self.server.run(sql.SQL("ANALYZE").format(), template)
        return self._made(f"copy_{next(_NUMBERS)}", template)

    def drop(self, settings: Settings) -> None:
        """Give the room of a copy back."""
        if self.server:
            self.server.drop_database(settings.data_dir.name)
        shutil.rmtree(settings.data_dir)

    def _made(self, name: str, template: str | None = None) -> Settings:
        folder = self.folder / name
        folder.mkdir(parents=True)
        if self.server:
            self.server.drop_database(name)
            self.server.make_database(name, template or "template0")
        elif template:
            shutil.copy(self.folder / template / "pms.sqlite3", folder)
        return settings_over(folder, self.server, name)


def settings_over(folder: Path, server: PostgreSQL | None, name: str) -> Settings:
    """Return settings of production over a folder, or over a database of the server."""
    addresses = {}
    if server:
        addresses = {
            "PMS_DATABASE_URL": server.url(name, APPLICATION),
            "PMS_OWNER_DATABASE_URL": server.url(name, OWNER),
        }
    return Settings.from_environment(
        {"PMS_ENV": "test", "PMS_DATA_DIR": str(folder), "PMS_SECRET_KEY": SECRET} | addresses
    )


def seed(settings: Settings, size: int) -> None:
    """Store the tenancies with a price each and the first month on their move-in invoices.

    One in ten has a discount of 7.5 %, one in seven leaves within the month to be billed.
    """
    database = Database(settings)
    with database.across_workspaces_writing() as session:
        session.add(cast.workspace(id=WORKSPACE, slug="billing", name="請求計測"))
    with database.writing(WORKSPACE) as session:
        session.add(PolicyRow(id=WORKSPACE))
        building = cast.building(id=new_id())
        session.add(building)
        session.flush()
        for first in range(0, size, _CHUNK):
            _write(session, range(first, min(first + _CHUNK, size)), building.id)
    database.dispose()


def _write(session: Session, numbers: range, building_id: str) -> None:
    rows: dict[type[Base], list[Row]] = {}
    for number in numbers:
        for table, row in _tenancy(number, building_id):
            rows.setdefault(table, []).append(row)
    for table, given in rows.items():
        session.execute(insert(table).execution_options(render_nulls=True), given)


def _tenancy(number: int, building_id: str) -> Iterator[tuple[type[Base], Row]]:
    unit, reservation = new_id(), new_id()
    rent_yen = 52_000 + number % 97 * 500
    leaves_on = date(2026, 11, 3 + number % 25) if number % 7 == 0 else None
    state = Lifecycle.NOTICE_FILED if leaves_on else Lifecycle.LIVING
    named = {"id": unit, "building_id": building_id, "name": f"{number}", "slug": f"unit-{number}"}
    yield Unit, row_of(cast.unit(**named))
    yield (
        Reservation,
        {
            **row_of(cast.reservation(id=reservation, unit_id=unit, lifecycle=state)),
            "move_in_date": FIRST_MONTH[0],
            "contract_end_date": date(2027, 9, 30),
            "move_out_date": leaves_on,
        },
    )
    amounts = {
        "base_rent_yen": rent_yen,
        "utilities_yen": 12_000,
        "building_maintenance_yen": 3_000,
    }
    frozen = {"id": new_id(), "reservation_id": reservation, "frozen_at": _SEEDED_AT}
    yield PricingSnapshot, frozen | amounts
    period = {"id": new_id(), "reservation_id": reservation, "first_on": FIRST_MONTH[0]}
    yield PricePeriod, period | amounts
    if number % 10 == 0:
        yield FrozenDiscount, _discount(reservation)
    if leaves_on:
        yield MoveOutNotice, _notice(reservation, leaves_on)
    yield from _move_in_invoice(reservation, rent_yen)


def row_of(row: Any) -> Row:
    """What was given to an object, as a row for writing in bulk."""
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


def _discount(reservation_id: str) -> Row:
    named = {"label_ja": "長期割引", "label_en": "Long stay", "percent": "7.5"}
    return {"id": new_id(), "reservation_id": reservation_id, **named, "minimum_stay_days": 180}


def _notice(reservation_id: str, leaves_on: date) -> Row:
    nothing = dict.fromkeys(("early_exit_yen", "short_notice_yen", "penalty_yen"), 0)
    days = {"notice_owed_days": 30, "notice_given_days": 45, "notice_missing_days": 0}
    return {
        "id": new_id(),
        "reservation_id": reservation_id,
        "filed_on": date(2026, 9, 19),
        "move_out_on": leaves_on,
        "kind": PenaltyKind.NONE,
        "basis": PenaltyKind.NONE,
        "penalty_days": 0,
        "written_at": _SEEDED_AT,
        "written_by": "resident",
        **nothing,
        **days,
    }


def _move_in_invoice(reservation_id: str, rent_yen: int) -> Iterator[tuple[type[Base], Row]]:
    entry, row, on = new_id(), new_id(), _SEEDED_AT.date()
    yield (
        LedgerEntry,
        {
            "id": entry,
            "reservation_id": reservation_id,
            "kind": EntryKind.MOVE_IN,
            "period": "move-in",
            "label_ja": "入居時請求",
            "label_en": "Move-in invoice",
            "issued_on": on,
            "due_on": on,
            "written_at": _SEEDED_AT,
            "written_by": "staff",
        },
    )
    billed = {"id": row, "entry_id": entry, "reservation_id": reservation_id}
    yield BilledRow, billed | {"kind": RowKind.MOVE_IN, "first_on": FIRST_MONTH[0]}
    extent = {"id": new_id(), "row_id": row, "number": 1, "last_on": FIRST_MONTH[1]}
    yield RowExtent, extent | {"set_on": on}
    yield (
        LedgerLine,
        {
            "id": new_id(),
            "entry_id": entry,
            "row_id": row,
            "item": "base_rent",
            "label_ja": "家賃",
            "label_en": "Rent",
            "category": FeeCategory.RENT,
            "tax_treatment": TaxTreatment.EXEMPT,
            "first_on": FIRST_MONTH[0],
            "last_on": FIRST_MONTH[1],
            "amount_yen": rent_yen,
            "posted_on": on,
        },
    )
