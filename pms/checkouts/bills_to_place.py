"""Finds the open bills that money could be for: those of exactly that amount come first."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.prepared import one_of
from pms.ledger.models import LedgerEntry
from pms.ledger.settled_entries import parted_entries
from pms.reservations.models import Reservation
from pms.rules.ledger_entries import Standing
from pms.rules.search_text import fold, has_terms, terms


class BillToPlace(NamedTuple):
    """One open bill; whole yen."""

    entry_id: str
    reservation_id: str
    name: str
    building: Bilingual
    unit: str
    label: Bilingual
    due_on: date
    open_yen: int


def bills_to_place(
    session: Session, on: date, *, amount_yen: int, words: str = "", most: int = 20
) -> Sequence[BillToPlace]:
    """Return open bills of people whose name holds the words, the likeliest first."""
    found = parted_entries(session, on).standings
    still_open = {
        standing.id: standing
        for standings in found.values()
        for standing in standings
        if not standing.is_voided and standing.open_yen > 0
    }
    bills = [_bill(row, still_open) for row in session.execute(_asked(still_open))]
    wanted = terms(words)
    named = [bill for bill in bills if has_terms(fold(f"{bill.name} {bill.unit}"), wanted)]
    return sorted(named, key=lambda bill: _likely(bill, amount_yen))[:most]


def _likely(bill: BillToPlace, amount_yen: int) -> tuple[bool, int, str]:
    # Of the others the latest: old debts are seldom what somebody pays today.
    return bill.open_yen != amount_yen, -bill.due_on.toordinal(), bill.entry_id


def _asked(still_open: Mapping[str, Standing]) -> Select[*tuple[Any, ...]]:
    return (
        select(
            LedgerEntry.id,
            LedgerEntry.reservation_id,
            Reservation.name,
            Building.name,
            Building.name_en,
            Unit.name,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
        )
        .join(Reservation, Reservation.id == LedgerEntry.reservation_id)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(one_of(LedgerEntry.id, still_open))
    )


def _bill(row: Sequence[Any], still_open: Mapping[str, Standing]) -> BillToPlace:
    entry_id, reservation_id, name, building, building_en, unit, label_ja, label_en = row
    standing = still_open[entry_id]
    return BillToPlace(
        entry_id,
        reservation_id,
        name,
        Bilingual(building, building_en),
        unit,
        Bilingual(label_ja, label_en),
        standing.due_on,
        standing.open_yen,
    )
