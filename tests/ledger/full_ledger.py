"""A ledger as years of letting leave it, by the thousand: nearly all of it paid, some of it not."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.db import Base
from pms.foundation.ids import new_id
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine, Payment
from pms.reservations.models import Reservation
from pms.rules.days import add_months, month_last
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from tests import cast

STAYS_OF_A_UNIT: Final = 10
MONTHS_OF_A_STAY: Final = 12
_LAST_START: Final = date(2026, 1, 1)
_AUDIT: Final = {"written_at": datetime(2026, 1, 1, 3, 0, tzinfo=UTC), "written_by": "test"}
_RENT: Final = (
    (FeeCategory.RENT, 93_000),
    (FeeCategory.UTILITIES, 12_000),
    (FeeCategory.BUILDING_MAINTENANCE, 3_000),
)

Row = dict[str, Any]


def fill(session: Session, buildings: int, units: int) -> list[str]:
    """Write so many buildings with so many units each, ten stays a unit; return the buildings."""
    rows: defaultdict[type[Base], list[Row]] = defaultdict(list)
    building_ids = [new_id() for _ in range(buildings)]
    for number, building_id in enumerate(building_ids):
        words = {"name": f"{building_id} ビル", "slug": f"house-{building_id}"}
        rows[Building].append(row_of(cast.building(id=building_id, owner_id=None, **words)))
        for place in range(units):
            for model, row in _unit(building_id, number * units + place):
                rows[model].append(row)
    for model in (Building, Unit, Reservation, LedgerEntry, LedgerLine, Payment, Allocation):
        session.execute(insert(model).execution_options(render_nulls=True), rows[model])
    return building_ids


def _unit(building_id: str, number: int) -> Iterator[tuple[type[Base], Row]]:
    unit_id = new_id()
    named = {"name": f"{number}", "slug": f"unit-{unit_id}"}
    yield Unit, row_of(cast.unit(id=unit_id, building_id=building_id, **named))
    for stay in range(STAYS_OF_A_UNIT):
        starts_on = add_months(_LAST_START, -MONTHS_OF_A_STAY * stay)
        yield from _stay(unit_id, starts_on, number + stay)


def _stay(unit_id: str, starts_on: date, number: int) -> Iterator[tuple[type[Base], Row]]:
    id_, months = new_id(), [add_months(starts_on, month) for month in range(MONTHS_OF_A_STAY)]
    days = {"move_in_date": starts_on, "contract_end_date": month_last(months[-1])}
    found = row_of(cast.reservation(id=id_, unit_id=unit_id, name=f"{number} 花子", **days))
    yield Reservation, {**found, "created_at": _AUDIT["written_at"]}
    for place, month_on in enumerate(months):
        lines = [*_RENT, (FeeCategory.DEPOSIT, 93_000)] if place == 0 else list(_RENT)
        # One in twenty leaves the last bill of a stay unpaid, one in fifty pays too much.
        yen = sum(amount for _, amount in lines) + (1_000 if number % 50 == place else 0)
        is_unpaid = number % 20 == 0 and place == MONTHS_OF_A_STAY - 1
        yield from _entry(id_, month_on, place, lines, 0 if is_unpaid else yen)


def _entry(
    reservation_id: str,
    month_on: date,
    place: int,
    lines: list[tuple[FeeCategory, int]],
    paid_yen: int,
) -> Iterator[tuple[type[Base], Row]]:
    entry_id, label = new_id(), {"label_ja": "賃料", "label_en": "Rent"}
    issued_on = add_months(month_on, -1).replace(day=25)
    kind = EntryKind.MOVE_IN if place == 0 else EntryKind.RENT
    what = {"id": entry_id, "reservation_id": reservation_id, "kind": kind, **label, **_AUDIT}
    days = {"issued_on": issued_on, "due_on": month_on}
    yield LedgerEntry, {**what, "period": month_on.isoformat(), **days}
    for category, yen in lines:
        is_deposit = category is FeeCategory.DEPOSIT
        said = {"item": str(category), "category": category, "is_deposit": is_deposit, **label}
        run = {"first_on": None, "last_on": None} if is_deposit else _run(month_on)
        of = {"id": new_id(), "entry_id": entry_id, "tax_treatment": TaxTreatment.EXEMPT}
        yield LedgerLine, {**of, **said, **run, "amount_yen": yen, "posted_on": issued_on}
    if paid_yen:
        payment = {"id": new_id(), "reservation_id": reservation_id, "amount_yen": paid_yen}
        how = {"received_on": month_on, "method": "bank_transfer", "reference": None, "note": None}
        yield Payment, {**payment, **how, **_AUDIT}
        part = {"id": new_id(), "entry_id": entry_id, "payment_id": payment["id"]}
        on = {"amount_yen": paid_yen, "allocated_on": month_on, "settlement_id": None}
        yield Allocation, {**part, **on, "written_at": _AUDIT["written_at"]}


def _run(month_on: date) -> Row:
    return {"first_on": month_on, "last_on": month_last(month_on)}


def row_of(row: Any) -> Row:
    """What was given to an object, as a row for writing in bulk."""
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}
