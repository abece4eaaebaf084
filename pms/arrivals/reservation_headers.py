"""The head of a reservation's page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.other_tenancies import OtherTenancy, tenancies_of_person
from pms.arrivals.tenancy_ways import WayRecord
from pms.catalogue.models import Building, Unit
from pms.deposits.settlement_records import settlement_standings
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.versions import asked_once
from pms.ledger.entry_histories import entry_histories
from pms.ledger.queries import deposit_moves, standings
from pms.reservations.models import Reservation
from pms.reservations.tenancies import read_tenancies
from pms.rules.contract_dates import effective_day
from pms.rules.days import RecordedDay, readable
from pms.rules.deposit import DepositBalance, deposit_balance
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    ReservationKind,
    SettlementState,
)
from pms.rules.tenancy_way import ENDED
from pms.rules.unit_stays import month_to_month_state
from pms.workspaces.queries import policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationHeader:
    """The summary of a reservation; days are effective and as recorded, amounts whole yen.

    `open_yen` is everything billed and unpaid, including the deposit's line; `deposit.unpaid_yen`
    is the deposit's part of it, and `payable_yen` excludes that line. `damaged` names the day that
    cannot be read; `ends_on` is the last day for which the unit is taken.
    """

    id: str
    version: int
    kind: ReservationKind
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    locale: str
    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    start_on: RecordedDay
    end_on: RecordedDay
    move_out_on: RecordedDay
    lifecycle: Lifecycle
    has_started: bool
    payment_status: PaymentStatus
    esign_status: EsignStatus
    month_to_month: MonthToMonthState
    open_yen: int
    payable_yen: int
    deposit: DepositBalance
    has_entries: bool
    settlement: SettlementState | None
    others: Sequence[OtherTenancy]
    damaged: Refused | None
    ends_on: date | None
    today: date
    is_taken_over: bool
    has_earlier_keys: bool
    keys_on: date | None
    arrival_on: RecordedDay
    agreed_deposit_yen: int

    @property
    def is_ended(self) -> bool:
        """Whether nobody lives there any more, or never will."""
        return self.lifecycle in ENDED

    @property
    def is_moving_in(self) -> bool:
        """Whether nobody moved in yet."""
        return self.lifecycle in (Lifecycle.BOOKED, Lifecycle.CONFIRMED)

    @property
    def way_record(self) -> WayRecord:
        """The columns that decide the way of the reservation."""
        return WayRecord(
            self.id,
            self.kind,
            self.lifecycle,
            self.payment_status,
            self.esign_status,
            bool(self.email),
            self.is_taken_over,
            self.has_earlier_keys,
            self.keys_on,
            readable(self.start_on),
            readable(self.move_out_on) or self.ends_on,
            readable(self.arrival_on),
        )

    @property
    def is_to_take_over(self) -> bool:
        """Whether it was imported without its money, so that nothing can be billed."""
        return (
            not self.has_entries
            and not self.is_taken_over
            and not self.is_ended
            and self.kind is ReservationKind.RESIDENT
        )


def reservation_header(session: Session, reservation_id: str, today: date) -> ReservationHeader:
    """Return the summary of a reservation; raise `NotFound` for an unknown id."""
    return asked_once(session, _read_header, reservation_id, today)


def _read_header(session: Session, reservation_id: str, today: date) -> ReservationHeader:
    question = (
        select(Reservation, Unit.name, Building)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id == reservation_id)
    )
    found = session.execute(question).first() if is_id(reservation_id) else None
    if found is None:
        raise no_such("reservation", reservation_id)
    row, unit_name, building = found[0], found[1], found[2]
    others = tenancies_of_person(session, row, today)
    standing = standings(session, [row.id], today).get(row.id, ())
    moves = deposit_moves(session, [row.id], today).get(row.id, ())
    settled = settlement_standings(session, [row.id]).get(row.id)
    state, damaged = _month_to_month(session, row.id, today)
    start_on = effective_day(row.move_in_date, row.override_move_in_date)
    return ReservationHeader(
        **_as_recorded(row),
        unit_name=unit_name,
        building_id=building.id,
        building=Bilingual(building.name, building.name_en),
        start_on=start_on,
        end_on=effective_day(row.contract_end_date, row.override_contract_end_date),
        has_started=isinstance(start_on, date) and start_on <= today,
        month_to_month=state,
        open_yen=sum(bill.open_yen for bill in standing),
        payable_yen=sum(bill.unpaid_yen for bill in standing),
        deposit=deposit_balance(standing, moves, today),
        has_entries=bool(entry_histories(session, [row.id]).get(row.id)),
        settlement=None if settled is None else settled.state,
        others=others,
        ends_on=row.ends_on,
        today=today,
        damaged=damaged,
    )


def _as_recorded(row: Reservation) -> dict[str, Any]:
    return {
        "id": row.id,
        "version": row.version,
        "kind": ReservationKind(row.kind),
        "name": row.name,
        "name_kana": row.name_kana,
        "email": row.email,
        "phone": row.phone,
        "locale": row.locale,
        "unit_id": row.unit_id,
        "move_out_on": row.move_out_date,
        "lifecycle": Lifecycle(row.lifecycle),
        "payment_status": PaymentStatus(row.payment_status),
        "esign_status": EsignStatus(row.esign_status),
        "is_taken_over": row.taken_over_on is not None,
        "has_earlier_keys": row.has_earlier_keys,
        "keys_on": row.keys_on,
        "arrival_on": row.arrival_date,
        "agreed_deposit_yen": row.deposit_yen,
    }


def _month_to_month(
    session: Session, reservation_id: str, today: date
) -> tuple[MonthToMonthState, Refused | None]:
    reading = read_tenancies(session, [reservation_id])
    tenancy = reading.tenancies.get(reservation_id)
    if tenancy is None:
        return MonthToMonthState.NONE, reading.damaged.get(reservation_id)
    return month_to_month_state(tenancy, today, policy(session)), None
