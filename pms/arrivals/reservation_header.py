"""What stands above every page of one reservation: who, where, from when, and where it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.next_step import NextStep, StepFacts, has_begun, next_step
from pms.arrivals.tenancies_of_person import OtherTenancy, tenancies_of_person
from pms.catalogue.models import Building, Unit
from pms.deposits.queries import settlement_of
from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import deposit_moves, standings
from pms.reservations.models import Reservation
from pms.reservations.tenancy_facts import read_tenancies
from pms.rules.contract_dates import effective_day
from pms.rules.days import RecordedDay
from pms.rules.deposit import DepositBalance, deposit_balance
from pms.rules.enumerations import (
    EntryKind,
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    ReservationKind,
    SettlementState,
)
from pms.rules.ledger_entries import Standing
from pms.rules.month_to_month import month_to_month_state
from pms.workspaces.queries import policy

ENDED = frozenset(
    {
        Lifecycle.MOVED_OUT,
        Lifecycle.SETTLED,
        Lifecycle.REFUNDED,
        Lifecycle.CANCELLED,
        Lifecycle.TRANSFERRED,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationHeader:
    """One reservation at a glance; days are effective and as recorded, yen whole.

    `open_yen` is all that is billed and not paid, the deposit's line included; of it
    `deposit.unpaid_yen` is due, and `payable_yen` leaves the deposit's line out. `damaged` says
    which of the days cannot be read; `ends_on` is the last day the unit is held.
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
    is_invoice_paid: bool
    open_yen: int
    payable_yen: int
    deposit: DepositBalance
    settlement: SettlementState | None
    others: Sequence[OtherTenancy]
    damaged: Refused | None
    ends_on: date | None
    today: date

    @property
    def is_ended(self) -> bool:
        """Whether nobody lives there any more, or never will."""
        return self.lifecycle in ENDED

    @property
    def step(self) -> NextStep:
        """What the office does next."""
        balance = self.deposit
        return next_step(
            StepFacts(
                lifecycle=self.lifecycle,
                kind=self.kind,
                has_started=self.has_started,
                is_signed=self.esign_status is EsignStatus.SIGNED,
                is_paid=self.is_invoice_paid or self.payment_status is PaymentStatus.PAID,
                has_money=bool(balance.held_yen or balance.overpaid_yen or self.payable_yen),
                settlement=self.settlement,
                has_ended=self.ends_on is None or self.ends_on < self.today,
            )
        )


def reservation_header(session: Session, reservation_id: str, today: date) -> ReservationHeader:
    """Return the header of a reservation; raise `NotFound` for an id of nobody here."""
    row, unit_name, building = _found(session, reservation_id)
    standing = standings(session, [row.id], today).get(row.id, ())
    moves = deposit_moves(session, [row.id], today).get(row.id, ())
    settled = settlement_of(session, row.id)
    state, damaged = _month_to_month(session, row.id, today)
    start_on = effective_day(row.move_in_date, row.override_move_in_date)
    return ReservationHeader(
        **_as_recorded(row),
        unit_name=unit_name,
        building_id=building.id,
        building=Bilingual(building.name, building.name_en),
        start_on=start_on,
        end_on=effective_day(row.contract_end_date, row.override_contract_end_date),
        has_started=has_begun(start_on, today),
        month_to_month=state,
        is_invoice_paid=_is_invoice_paid(session, row.id, standing),
        open_yen=sum(one.open_yen for one in standing),
        payable_yen=sum(one.unpaid_yen for one in standing),
        deposit=deposit_balance(standing, moves, today),
        settlement=None if settled is None else settled.state,
        others=tenancies_of_person(session, row, today),
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
    }


def _found(session: Session, reservation_id: str) -> tuple[Reservation, str, Building]:
    question = (
        select(Reservation, Unit.name, Building)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id == reservation_id)
    )
    found = session.execute(question).first() if is_id(reservation_id) else None
    if found is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return found[0], found[1], found[2]


def _month_to_month(
    session: Session, reservation_id: str, today: date
) -> tuple[MonthToMonthState, Refused | None]:
    reading = read_tenancies(session, [reservation_id])
    tenancy = reading.tenancies.get(reservation_id)
    if tenancy is None:
        return MonthToMonthState.NONE, reading.damaged.get(reservation_id)
    return month_to_month_state(tenancy, today, policy(session)), None


def _is_invoice_paid(session: Session, reservation_id: str, standing: Iterable[Standing]) -> bool:
    """Whether a move-in invoice stands and nothing of it is open, the deposit included."""
    ids = set(
        session.scalars(
            select(LedgerEntry.id).where(
                LedgerEntry.reservation_id == reservation_id,
                LedgerEntry.kind == EntryKind.MOVE_IN,
            )
        )
    )
    invoices = [one for one in standing if one.id in ids and not one.is_voided]
    return bool(invoices) and not any(one.open_yen for one in invoices)
