"""Changes the room or the occupant of a tenancy: one record ends and another goes on from it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypedDict, Unpack

from sqlalchemy.orm import Session

from pms.arrivals.amendment_plan import plan_amendment
from pms.arrivals.confirming import missing_for_confirmation, payment_status_now
from pms.arrivals.moving_deposits import move_deposit_of_new
from pms.arrivals.write_booking import Booked, write_booking
from pms.departures.drop_notice import drop_notice
from pms.deposits.models import Amendment
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.ledger.move_in_paid import follow_payment
from pms.ledger.move_overpayment import move_overpayment
from pms.ledger.reprice_rows import reprice_rows
from pms.ledger.repricing_plan import RepricedRow
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.changing import (
    locked_reservation,
    mark_changed,
    move_lifecycle,
    reservation_to_change,
)
from pms.reservations.models import Reservation
from pms.reservations.name_co_occupants import NamedPerson
from pms.rules.deeds import Deed
from pms.rules.enumerations import EsignStatus, Lifecycle, Locale, PaymentStatus


class AmendedFacts(TypedDict, total=False):
    """What the new record is to say; what is left out stays as it was on the old one.

    Amounts, fees and discount are agreed anew. A fee or deposit is asked for only when stated.
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
    """The new reservation, the rows of the old one that were repriced, and whether the deposit
    moved already: otherwise it moves on the day the new one starts. `moved_yen` is what was
    overpaid on the old record and pays the invoice of the new one.
    """

    amendment_id: str
    booked: Booked
    repriced: tuple[RepricedRow, ...]
    is_deposit_moved: bool
    moved_yen: int = 0


def amend(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    last_on: date,
    expected_version: int | None = None,
    moves_overpayment: bool = False,
    **facts: Unpack[AmendedFacts],
) -> Amended:
    """End a tenancy on a day and book the next one from the day after (specification, Deposit 4).

    No departure: no notice stays and no penalty is owed, debts stay on the old record, and its
    rows are repriced through its last day. With `moves_overpayment` what is overpaid then moves to
    the new invoice on paper. The states of payment and contract go on where they stood. Raises `Refused` when nobody lives there, when neither
    room nor occupant changes, and for nights that are held.
    """
    into = [facts["unit_id"]] if "unit_id" in facts else []
    row = reservation_to_change(session, reservation_id, expected_version, other_units=into)
    new_reservation_id = new_id()
    plan = plan_amendment(
        session,
        clock.today(),
        row,
        last_on=last_on,
        new_reservation_id=new_reservation_id,
        facts=facts,
    )
    stood = payment_status_now(session, row, clock.today()), EsignStatus(row.esign_status)
    drop_notice(session, clock, actor, reservation_id=row.id)
    _end(row, last_on, clock, actor)
    into_new = {"new_reservation_id": new_reservation_id}
    note_change(session, clock, actor, Deed.RESERVATION_AMENDED, row, also=into_new)
    session.flush()
    repriced = reprice_rows(session, clock, actor, row.id)
    booked = write_booking(session, clock, actor, new_reservation_id, plan)
    amendment = _amendment(row.id, new_reservation_id, last_on, clock, actor)
    session.add(amendment)
    new = locked_reservation(session, new_reservation_id)
    _go_on(new, row, *stood, today=clock.today())
    moved_yen = 0
    if moves_overpayment and booked.invoice_id is not None:
        moved_yen = move_overpayment(
            session,
            clock,
            actor,
            from_id=row.id,
            into_id=new.id,
            into_entry_id=booked.invoice_id,
            transfer_id=amendment.id,
        )
        follow_payment(session, clock, actor, new)
    session.flush()
    is_moved = last_on < clock.today() and move_deposit_of_new(
        session, clock, actor, new_reservation_id=new_reservation_id
    )
    return Amended(amendment.id, booked, repriced, is_moved, moved_yen)


def _go_on(
    new: Reservation,
    old: Reservation,
    payment: PaymentStatus,
    esign: EsignStatus,
    *,
    today: date,
) -> None:
    """Begin where the old record stood; another person has signed nothing yet."""
    new.payment_status = payment
    if new.name != old.name:
        return
    new.esign_status = esign
    if not missing_for_confirmation(new, payment):
        move_lifecycle(new, Lifecycle.CONFIRMED)
    if new.starts_on is not None and new.starts_on <= today:
        move_lifecycle(new, Lifecycle.LIVING)


def _end(row: Reservation, last_on: date, clock: Clock, actor: str) -> None:
    row.lifecycle = Lifecycle.TRANSFERRED
    row.move_out_date = last_on
    row.expected_departure_date = None
    mark_changed(row, clock, actor)


def _amendment(old_id: str, new_id_: str, last_on: date, clock: Clock, actor: str) -> Amendment:
    return Amendment(
        id=new_id(),
        old_reservation_id=old_id,
        new_reservation_id=new_id_,
        last_on=last_on,
        written_at=clock.now(),
        written_by=actor,
    )
