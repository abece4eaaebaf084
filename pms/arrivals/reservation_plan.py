"""Plans what an import adds or changes among reservations, their co-occupants and prices.

All stored data is loaded once; nothing is written before `write`, so a dry run does the same work.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.arrivals.sheet_imports import RowOutcome, compare
from pms.arrivals.sheets.listed_rows import ResidentRow
from pms.arrivals.sheets.reading import SheetRow
from pms.foundation.audit import facts_of, note_change, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.foundation.work import Work
from pms.pricing.models import PricePeriod, PricingSnapshot
from pms.reservations.models import OCCUPANCY_COLUMNS, CoOccupant, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import esign_status_after, payment_status_after
from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
)
from pms.rules.search_text import fold
from pms.rules.unit_stays import is_unconfirmed


def lifecycle_on(stated: ResidentRow, today: date) -> Lifecycle:
    """Return the lifecycle state by the days: before the start, living, notice filed or ended."""
    if stated.start_on > today:
        return _before_the_start(stated)
    out_on = stated.move_out_date
    if out_on is None and stated.kind is ReservationKind.GUEST:
        out_on = stated.end_on
        if out_on is not None and out_on >= today:
            return Lifecycle.LIVING
    if out_on is None:
        return Lifecycle.LIVING
    if out_on >= today:
        return Lifecycle.NOTICE_FILED
    is_refunded = stated.payment_status is PaymentStatus.REFUNDED
    return Lifecycle.REFUNDED if is_refunded else Lifecycle.MOVED_OUT


def _before_the_start(stated: ResidentRow) -> Lifecycle:
    is_paid = stated.payment_status is PaymentStatus.PAID
    is_signed = stated.esign_status is EsignStatus.SIGNED
    return Lifecycle.CONFIRMED if is_paid and is_signed else Lifecycle.BOOKED


_COLUMNS: Final[tuple[str, ...]] = (
    "kind",
    "name",
    "name_kana",
    "email",
    "phone",
    "locale",
    "move_in_date",
    "override_move_in_date",
    "arrival_date",
    "contract_end_date",
    "override_contract_end_date",
    "move_out_date",
    "note",
)
_STATUSES: Final = (
    ("payment_status", payment_status_after),
    ("esign_status", esign_status_after),
)
_DAYS_AND_STATUSES: Final = frozenset(
    {"move_in_date", "override_move_in_date", "contract_end_date", "override_contract_end_date"}
    | {"move_out_date", "payment_status", "esign_status", "kind"}
)
_NIGHTS: Final = frozenset((*OCCUPANCY_COLUMNS, "cancelled_at"))
_ON_PAPER: Final = frozenset(
    {"name", "deposit_yen", "move_in_date", "override_move_in_date", "contract_end_date"}
    | {"override_contract_end_date"}
)
# A sheet never takes back a state that staff or a settlement set.
_BY_DAYS: Final = frozenset(
    {
        Lifecycle.BOOKED,
        Lifecycle.CONFIRMED,
        Lifecycle.LIVING,
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
    }
)
_PRICES: Final = ("rent_yen", "utilities_yen", "building_maintenance_yen")
_PRICE_COLUMNS: Final = {
    "base_rent": "base_rent_yen",
    "utilities": "utilities_yen",
    "building_maintenance": "building_maintenance_yen",
}


class ReservationPlan:
    """The reservations of a workspace, or of some units, and what an import will write."""

    def __init__(
        self,
        session: Session,
        now: datetime,
        today: date,
        unit_ids: Collection[str] | None = None,
    ) -> None:
        self._session, self._now, self._today = session, now, today
        self.by_unit: dict[str, list[Reservation]] = defaultdict(list)
        self._by_start: dict[tuple[str, RecordedDay], list[Reservation]] = defaultdict(list)
        held = select(Reservation).where(Reservation.cancelled_at.is_(None))
        periods = select(PricePeriod).order_by(PricePeriod.first_on)
        occupants = select(CoOccupant).order_by(CoOccupant.position)
        if unit_ids is not None:
            held = held.where(one_of(Reservation.unit_id, unit_ids))
            ids = held.with_only_columns(Reservation.id)
            periods = periods.where(PricePeriod.reservation_id.in_(ids))
            occupants = occupants.where(CoOccupant.reservation_id.in_(ids))
        for stored in session.scalars(held):
            self.by_unit[stored.unit_id].append(stored)
            for start_on in dict.fromkeys((stored.starts_on, stored.move_in_date)):
                self._by_start[stored.unit_id, start_on].append(stored)
        self._periods: dict[str, list[PricePeriod]] = defaultdict(list)
        for period in session.scalars(periods):
            self._periods[period.reservation_id].append(period)
        self._companions: dict[str, list[str]] = defaultdict(list)
        for occupant in session.scalars(occupants):
            self._companions[occupant.reservation_id].append(occupant.name)
        self._new: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self._changed: list[tuple[Any, dict[str, Any]]] = []
        self._companions_changed: list[str] = []

    def find_restated_reservation(self, unit_id: str, stated: ResidentRow) -> Reservation | None:
        """Return the stored reservation that a row restates: same unit, same start, same person."""
        starts = dict.fromkeys((stated.start_on, stated.move_in_date))
        return next(
            (
                stored
                for start_on in starts
                for stored in self._by_start.get((unit_id, start_on), ())
                if _is_same_person(stored, stated)
            ),
            None,
        )

    def plan_row(
        self, row: SheetRow, stated: ResidentRow, unit_id: str, stored: Reservation | None
    ) -> RowOutcome:
        """Plan the reservation of a row: a new one, or changes of the `stored` one it restates."""
        resident_values = {
            "kind": stated.kind.value,
            "name": stated.name,
            "email": stated.email,
            "building": stated.building,
            "unit": stated.unit,
            "moveInDate": stated.move_in_date,
            "contractEndDate": stated.contract_end_date,
            "moveOutDate": stated.move_out_date,
            "baseRent": stated.rent_yen,
            "paymentStatus": stated.payment_status.value,
            "esignStatus": stated.esign_status.value,
        }
        outcome = RowOutcome("resident", resident_values, is_new=stored is None)
        if stored is None:
            self.add(unit_id, stated)
        else:
            self.change(stored, row, stated, outcome)
        return outcome

    def add(self, unit_id: str, stated: ResidentRow) -> str:
        """Plan a new reservation with its co-occupants and price; return its id."""
        id_ = new_id()
        stamps = {"created_at": self._now, "updated_at": self._now}
        row = {
            column: getattr(stated, column)
            for column in (*_COLUMNS, *tuple(name for name, _ in _STATUSES))
        }
        lifecycle = lifecycle_on(stated, self._today)
        self._new["reservation"].append(
            {"id": id_, "unit_id": unit_id, "lifecycle": lifecycle, **row, **stamps}
            # Who lives there by the sheet got the keys before the sheet was read.
            | {
                "deposit_yen": stated.deposit_yen or 0,
                "has_earlier_keys": stated.start_on < self._today,
            }
        )
        self._add_companions(id_, stated)
        if _has_price(stated):
            price = {"reservation_id": id_, **_amounts_of_row(stated)}
            self._new["snapshot"].append(price | {"frozen_at": self._now})
            self._new["period"].append(price | {"first_on": stated.start_on, "last_on": None})
        return id_

    def _add_companions(self, reservation_id: str, stated: ResidentRow) -> None:
        kana_by_place = dict(enumerate(stated.co_occupants_kana, start=1))
        self._new["co_occupant"] += [
            {
                "reservation_id": reservation_id,
                "position": position,
                "name": name,
                "name_kana": kana_by_place.get(position),
            }
            for position, name in enumerate(stated.co_occupants, start=1)
        ]

    def change(
        self, stored: Reservation, row: SheetRow, stated: ResidentRow, outcome: RowOutcome
    ) -> None:
        """Plan the differences between the row and the stored reservation."""
        wanted: dict[str, Any] = {
            column: getattr(stated, column) for column in _COLUMNS if row.header.tells(column)
        }
        if row.header.tells("deposit"):
            wanted["deposit_yen"] = stated.deposit_yen or 0
        # The status changes; a status of an older sheet never takes a later one back.
        status_wanted: dict[str, Any] = {}
        for column, after in _STATUSES:
            if not row.header.tells(column):
                continue
            status_before, stated_status = getattr(stored, column), getattr(stated, column)
            status_wanted[column] = after(status_before, stated_status)
            if status_wanted[column] != stated_status:
                row.note(column, "status_kept", kept=str(status_before))
        wanted |= status_wanted
        changed = {
            column: value
            for column, value in wanted.items()
            if compare(outcome, row, column.removesuffix("_yen"), getattr(stored, column), value)
        }
        if changed.keys() & _DAYS_AND_STATUSES and stored.lifecycle in _BY_DAYS:
            changed["lifecycle"] = self._lifecycle_after(stored, stated)
        if row.header.tells("co_occupants"):
            before = tuple(self._companions.get(stored.id, ()))
            if compare(outcome, row, "co_occupants", before, stated.co_occupants):
                self._companions_changed.append(stored.id)
                self._add_companions(stored.id, stated)
        self._change_price(stored, row, stated, outcome)
        if changed or outcome.changes:
            self._changed.append((stored, changed))

    def _lifecycle_after(self, stored: Reservation, stated: ResidentRow) -> Lifecycle:
        """Return the lifecycle by the row's days; a start alone moves in no known booking."""
        after = lifecycle_on(stated, self._today)
        if after is Lifecycle.LIVING and is_unconfirmed(stored.lifecycle, stated.kind):
            before = _before_the_start(stated)
            return after if before is Lifecycle.CONFIRMED else before
        return after

    def _change_price(
        self, stored: Reservation, row: SheetRow, stated: ResidentRow, outcome: RowOutcome
    ) -> None:
        """Correct a price of one open period; the original price and a price history stay."""
        periods = self._periods.get(stored.id, [])
        if not periods:
            if _has_price(stated) and stated.kind is ReservationKind.RESIDENT:
                row.note("base_rent", "price_missing")
            return
        stated_amounts = _amounts_of_row(stated)
        changed: dict[str, Any] = {}
        for key, column in _PRICE_COLUMNS.items():
            before = getattr(periods[0], column)
            if not row.header.tells(key) or before == stated_amounts[column]:
                continue
            if len(periods) > 1:
                row.note(key, "price_kept", kept=before)
            elif compare(outcome, row, key, before, stated_amounts[column]):
                changed[column] = stated_amounts[column]
        if len(periods) == 1 and periods[0].first_on != stated.start_on:
            changed["first_on"] = stated.start_on
        if changed:
            self._changed.append((periods[0], changed))

    def write(self, clock: Clock, actor: str) -> None:
        """Write everything planned, and note the changes of reservations that were known."""
        seen = [facts_of(record) for record, _ in self._changed]
        self._step_aside()
        for (record, values), before in zip(self._changed, seen, strict=True):
            for column, value in values.items():
                setattr(record, column, value)
            is_price = isinstance(record, PricePeriod)
            about = of_reservation(record.reservation_id if is_price else record.id)
            facts: dict[str, Any] = {"since": before, "subject": about}
            note_change(
                Work(self._session, clock, actor), AuditEvent.RESERVATION_IMPORTED, record, **facts
            )
            if not is_price:
                record.updated_at, record.updated_by = self._now, actor
                record.version += 1
        if self._companions_changed:
            gone = CoOccupant.reservation_id.in_(self._companions_changed)
            for person in self._session.scalars(select(CoOccupant).where(gone)):
                self._session.delete(person)
        self._session.flush()
        inserts = [
            (Reservation, self._new["reservation"]),
            (CoOccupant, self._new["co_occupant"]),
            (PricingSnapshot, self._new["snapshot"]),
            (PricePeriod, self._new["period"]),
        ]
        for model, rows in inserts:
            if rows:
                self._session.execute(insert(model), rows)

    def units_with_other_nights(self) -> set[str]:
        """Return the units with new or moved stays, whose cleanings must be planned again."""
        return {row["unit_id"] for row in self._new["reservation"]} | {
            record.unit_id
            for record, values in self._changed
            if isinstance(record, Reservation) and values.keys() & _NIGHTS
        }

    def stays_on_other_terms(self) -> set[str]:
        """Return the stays whose changed terms may differ from their contracts."""
        found = set(self._companions_changed)
        for record, values in self._changed:
            if isinstance(record, PricePeriod):
                found.add(record.reservation_id)
            elif values.keys() & _ON_PAPER:
                found.add(record.id)
        return found

    def _step_aside(self) -> None:
        """Mark moving reservations as cancelled, so that those that swap units do not conflict.

        This lasts only within the transaction, until their new days are written.
        """
        moving = [
            (record, values)
            for record, values in self._changed
            if isinstance(record, Reservation) and values.keys() & _DAYS_AND_STATUSES
        ]
        for record, values in moving if len(moving) > 1 else ():
            record.cancelled_at = self._now
            values["cancelled_at"] = None
        self._session.flush()


def _is_same_person(stored: Reservation, stated: ResidentRow) -> bool:
    has_same_email = stated.email is not None and stored.email_key == stated.email.casefold()
    return has_same_email or fold(stored.name) == fold(stated.name)


def _has_price(stated: ResidentRow) -> bool:
    return any(getattr(stated, column) is not None for column in _PRICES)


def _amounts_of_row(stated: ResidentRow) -> dict[str, int]:
    return {
        "base_rent_yen": stated.rent_yen or 0,
        "utilities_yen": stated.utilities_yen or 0,
        "building_maintenance_yen": stated.building_maintenance_yen or 0,
    }
