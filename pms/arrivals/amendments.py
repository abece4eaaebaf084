"""Amendment of a tenancy by a successor: another unit, other people or other terms."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple, TypedDict, Unpack

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from pms.arrivals.booking_checks import Booking, check_nights
from pms.arrivals.bookings import Booked, BookingPlan, plan_booking, write_booking
from pms.contracts.outdated_papers import close_left_behind
from pms.contracts.people_changes import carry_people_on
from pms.departures.departures import notice_in_force
from pms.departures.notices import drop_notice
from pms.deposits.deposit_report import balance_on, balances_on
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.models import Amendment
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work, find_row
from pms.ledger.models import DepositMoveRow
from pms.ledger.move_in import follow_payment, payment_status_now
from pms.ledger.overpayments import move_overpayment, preview_overpayment
from pms.ledger.repricing import RepricedRow, preview_repricing, reprice_rows
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.changes import (
    lifecycle_as_staff_say,
    mark_changed,
    move_lifecycle,
    refuse_conflict,
    refuse_move,
    stay_of,
)
from pms.reservations.locks import reservation_of_locked_unit, reservation_to_change
from pms.reservations.models import CoOccupant, Reservation
from pms.reservations.residents import NamedPerson
from pms.reservations.tenancies import tenancy_of
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import LAST_DAY, ONE_DAY
from pms.rules.deposit import DepositTransfer, deposit_transfer
from pms.rules.enumerations import EsignStatus, Lifecycle, Locale, PaymentStatus, ReservationKind
from pms.rules.taking_over import may_end_on
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.queries import policy


class DepositToMove(NamedTuple):
    """An amended reservation that still holds a deposit, with its unit."""

    reservation_id: str
    unit_id: str


def list_due_deposits(session: Session, today: date) -> Sequence[DepositToMove]:
    """Return the amended reservations that hold a deposit and whose successor has begun.

    This includes a deposit that was paid only after the change.
    """
    return _find_unmoved_deposits(session, Amendment.last_on < today, today)


def move_deposit_of_new(work: Work, *, new_reservation_id: str) -> bool:
    """Move the deposit that waits for a new reservation on any day; return whether it moved."""
    waiting = _find_unmoved_deposits(
        work.session, Amendment.new_reservation_id == new_reservation_id, work.clock.today()
    )
    move_deposits(work, waiting)
    return bool(waiting)


def move_deposits(work: Work, due: Sequence[DepositToMove]) -> tuple[str, ...]:
    """Transfer the deposit of each reservation on paper; return the ids of the old reservations."""
    for old in due:
        transfer_deposit(work, reservation_id=old.reservation_id)
    return tuple(old.reservation_id for old in due)


def _find_unmoved_deposits(
    session: Session, which: ColumnElement[bool], today: date
) -> Sequence[DepositToMove]:
    moved = select(DepositMoveRow.transfer_id).where(DepositMoveRow.transfer_id.is_not(None))
    question = (
        select(Reservation.id, Reservation.unit_id)
        .join(Amendment, Amendment.old_reservation_id == Reservation.id)
        .where(which, Reservation.lifecycle == Lifecycle.TRANSFERRED)
        .where(Amendment.id.not_in(moved))
        .order_by(Reservation.id)
    )
    amended = [DepositToMove(*row) for row in session.execute(question)]
    held = balances_on(session, [old.reservation_id for old in amended], today)
    return [old for old in amended if held[old.reservation_id].held_yen > 0]


_PERSON = ("name", "name_kana", "email", "phone", "locale")


def plan_amendment(
    session: Session,
    today: date,
    old: Reservation,
    *,
    last_on: date,
    new_reservation_id: str,
    facts: Mapping[str, Any],
) -> BookingPlan:
    """Return the plan of the successor's booking; raise `Refused` before anything is written.

    A caller that writes the plan must have locked both units.
    """
    _refuse_ending(old, last_on, today)
    # What the successor takes over: unit, agreed end, and people unless they change.
    end_on = stay_of(old).end_on
    before: dict[str, Any] = {
        "unit_id": old.unit_id,
        "contract_end_date": end_on if isinstance(end_on, date) else None,
    }
    if facts.get("name", old.name).strip() == old.name:
        before |= {column: getattr(old, column) for column in _PERSON}
        question = select(CoOccupant.name, CoOccupant.name_kana).where(
            CoOccupant.reservation_id == old.id
        )
        rows = session.execute(question.order_by(CoOccupant.position))
        before["co_occupants"] = tuple(NamedPerson(name, kana) for name, kana in rows)
    booking = Booking(
        **{**before, **facts},
        kind=ReservationKind(old.kind),
        move_in_date=last_on + ONE_DAY,
    )
    if booking.unit_id == old.unit_id and booking.name.strip() == old.name:
        raise Refused("amendment: Neither the room nor the occupant changes. Choose another one.")
    if booking.name.strip() == old.name:
        begun_on = old.starts_on or booking.move_in_date
        check_nights_of_stay(session, old, ContractTerm(begun_on, booking.contract_end_date))
    # The last day may be after the agreed end, when the unit may be booked by another reservation.
    ended = stay_of(old)._replace(move_out_on=last_on)
    refuse_conflict(session, ended, old.unit_id, today)
    return plan_booking(
        session,
        today,
        booking,
        reservation_id=new_reservation_id,
        beside=(old.id,),
    )


def check_nights_of_stay(session: Session, row: Reservation, term: ContractTerm) -> None:
    """Raise `Refused` for a guest who would stay too many nights, counted over changes of rooms."""
    if row.kind != ReservationKind.GUEST:
        return
    figures = policy(session)
    check_nights(ReservationKind.GUEST, term, figures)
    question = select(Reservation).join(Amendment, Amendment.old_reservation_id == Reservation.id)
    before = session.scalar(question.where(Amendment.new_reservation_id == row.id))
    while before is not None and before.name == row.name and before.starts_on is not None:
        check_nights(ReservationKind.GUEST, ContractTerm(before.starts_on, term.end_on), figures)
        before = session.scalar(question.where(Amendment.new_reservation_id == before.id))


def _refuse_ending(old: Reservation, last_on: date, today: date) -> None:
    refuse_move(lifecycle_as_staff_say(old, today), Lifecycle.TRANSFERRED, old)
    start_on = stay_of(old).start_on
    if not isinstance(start_on, date):
        raise Refused(
            "moveInDate: The move-in date cannot be read. Correct it before the tenancy is amended."
        )
    if not start_on <= last_on < LAST_DAY:
        raise Refused(
            "lastDay: {last_on} is before the move-in on {start_on}, or too far away.",
            last_on=last_on,
            start_on=start_on,
        )
    if not may_end_on(last_on, old.billed_through_on):
        raise Refused(
            "lastDay: {last_on} is not possible: days up to {through_on} were billed before "
            "the take-over.",
            last_on=last_on,
            through_on=old.billed_through_on,
        )


class AmendedFacts(TypedDict, total=False):
    """The facts of the successor; a fact that is left out is taken from the old reservation.

    Amounts, fees and discount are agreed again. A reservation fee or deposit is billed only when
    stated.
    """

    unit_id: str
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    locale: Locale
    contract_end_date: date | None
    arrival_date: date | None
    amounts: MonthlyAmounts | None
    fees: Sequence[MonthlyFee]
    discount: AgreedDiscount | None
    reservation_fee_yen: int
    deposit_yen: int
    co_occupants: Sequence[NamedPerson]
    note: str | None
    follows: Collection[str]
    invoice_due_on: date | None


@dataclass(frozen=True, slots=True)
class Amended:
    """The result of an amendment.

    `repriced` are the changed rows of the old reservation. `is_deposit_moved` is false while the
    deposit waits for the day the new reservation starts. `moved_yen` is the overpayment of the old
    reservation that pays the invoice of the new one.
    """

    amendment_id: str
    booked: Booked
    repriced: tuple[RepricedRow, ...]
    is_deposit_moved: bool
    moved_yen: int = 0


def amend(
    work: Work,
    *,
    reservation_id: str,
    last_on: date,
    expected_version: int | None = None,
    moves_overpayment: bool = False,
    **facts: Unpack[AmendedFacts],
) -> Amended:
    """End a tenancy on a day and book its successor from the next day (specification, Deposit 4).

    This is no departure: a filed notice is dropped and no penalty is owed. Debts stay on the old
    reservation, and its rows are repriced through its last day. With `moves_overpayment` the
    overpayment is moved to the new invoice on paper. The payment status carries over; the contract
    status does too when the contract holder is the same. Raises `Refused` when the reservation is
    not in a state that can be amended, when neither unit nor occupant changes, and for nights that
    are taken.
    """
    into = [facts["unit_id"]] if "unit_id" in facts else []
    row = reservation_to_change(work.session, reservation_id, expected_version, other_units=into)
    new_reservation_id = new_id()
    plan = plan_amendment(
        work.session,
        work.clock.today(),
        row,
        last_on=last_on,
        new_reservation_id=new_reservation_id,
        facts=facts,
    )
    stood = payment_status_now(work.session, row, work.clock.today()), EsignStatus(row.esign_status)
    repriced = _end_old(work, row, last_on, new_reservation_id)
    booked = write_booking(work, new_reservation_id, plan)
    amendment = Amendment(
        id=new_id(),
        old_reservation_id=row.id,
        new_reservation_id=new_reservation_id,
        last_on=last_on,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(amendment)
    new = reservation_of_locked_unit(work.session, new_reservation_id)
    _go_on(new, row, *stood, today=work.clock.today())
    carry_people_on(work.session, row, new)
    if new.unit_id == row.unit_id:
        # Who goes on in the same unit keeps its keys.
        new.has_earlier_keys = row.has_earlier_keys or row.keys_on is not None
    moved_yen = _move_overpayment(work, amendment, new, booked) if moves_overpayment else 0
    work.session.flush()
    is_moved = last_on < work.clock.today() and move_deposit_of_new(
        work, new_reservation_id=new_reservation_id
    )
    tend_turnovers(work.session, [row.unit_id])
    close_left_behind(work, [row.id])
    return Amended(amendment.id, booked, repriced, is_moved, moved_yen)


def _end_old(
    work: Work, row: Reservation, last_on: date, new_reservation_id: str
) -> tuple[RepricedRow, ...]:
    """End the old reservation on a day; return its rows that were repriced."""
    drop_notice(work, reservation_id=row.id)
    row.lifecycle = Lifecycle.TRANSFERRED
    row.move_out_date = last_on
    row.expected_departure_date = None
    mark_changed(row, work.clock, work.actor)
    into_new = {"new_reservation_id": new_reservation_id}
    note_change(work, AuditEvent.RESERVATION_AMENDED, row, also=into_new)
    work.session.flush()
    return reprice_rows(work, row.id)


def _move_overpayment(work: Work, amendment: Amendment, new: Reservation, booked: Booked) -> int:
    """Move the overpayment to the new invoice and return it; without an invoice it stays."""
    if booked.invoice_id is None:
        return 0
    moved_yen = move_overpayment(
        work,
        from_id=amendment.old_reservation_id,
        into_id=new.id,
        into_entry_id=booked.invoice_id,
        transfer_id=amendment.id,
    )
    follow_payment(work, new)
    return moved_yen


def _go_on(
    new: Reservation,
    old: Reservation,
    payment: PaymentStatus,
    esign: EsignStatus,
    *,
    today: date,
) -> None:
    """Copy the statuses of the old reservation; another contract holder has signed nothing yet.

    Somebody who changes rooms lives here and moves over on the day, whatever is still to be signed
    or paid.
    """
    new.payment_status = payment
    if new.name != old.name:
        return
    new.esign_status = esign
    move_lifecycle(new, Lifecycle.CONFIRMED)
    if new.starts_on is not None and new.starts_on <= today:
        move_lifecycle(new, Lifecycle.LIVING)


@dataclass(frozen=True, slots=True)
class AmendmentPreview:
    """The planned booking of the successor, and the effects on the old reservation.

    `dropped_move_out_on` is the move-out day of a notice that would be dropped with its penalty.
    `transfer` holds both lines of the deposit transfer, with today's balance, on the day on which
    it would take place. `overpaid_yen` is what the old reservation would be overpaid, and
    `moving_yen` the part of it that would pay the new invoice.
    """

    version: int
    new: BookingPlan
    repriced: tuple[RepricedRow, ...]
    transfer: DepositTransfer | None
    dropped_move_out_on: date | None
    overpaid_yen: int = 0
    moving_yen: int = 0


def preview_amendment(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    last_on: date,
    moves_overpayment: bool = False,
    **facts: Unpack[AmendedFacts],
) -> AmendmentPreview:
    """Return what `amend` with the same facts would write today; raise what it would raise."""
    row, today = find_row(session, Reservation, reservation_id), clock.today()
    new = plan_amendment(session, today, row, last_on=last_on, new_reservation_id="", facts=facts)
    ended = replace(tenancy_of(session, row.id, today), move_out_on=last_on)
    notice = notice_in_force(session, row.id)
    held_yen = balance_on(session, row.id, today).held_yen
    repriced = preview_repricing(session, clock, row.id, ended)
    voided = [notice.penalty_entry_id] if notice else []
    overpaid_yen = preview_overpayment(session, clock, row.id, repriced, voided)
    return AmendmentPreview(
        version=row.version,
        new=new,
        repriced=repriced,
        transfer=deposit_transfer(held_yen, max(today, last_on + ONE_DAY)),
        dropped_move_out_on=notice.move_out_on if notice else None,
        overpaid_yen=overpaid_yen,
        moving_yen=overpaid_yen if moves_overpayment and new.invoice else 0,
    )
