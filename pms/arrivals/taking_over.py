"""Takes over a tenancy that was managed elsewhere: its days, its money and a filed notice."""

from collections.abc import Mapping, Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.departures import departing
from pms.departures.notices import file_notice_given_before
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry
from pms.ledger.move_in_invoices import invoice_of, issue_move_in_invoice
from pms.ledger.opening import post_openings
from pms.ledger.planned_entries import PlannedEntry
from pms.ledger.posting import note_entry
from pms.ledger.repricing import one_time_amounts, rent_facts
from pms.reservations.changes import mark_changed
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import FIRST_DAY, LAST_DAY
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.notices import FiledNotice
from pms.rules.taking_over import OpeningDebt, TakenOver, TakeOverProblem, refusal_of_take_over
from pms.upkeep.turnovers import tend_turnovers

_OPEN = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
    Lifecycle.MOVED_OUT,
)


def take_over(
    work: Work,
    *,
    reservation_id: str,
    billed_through_on: date,
    deposit_held_yen: int = 0,
    unpaid: Sequence[OpeningDebt] = (),
    overpaid_yen: int = 0,
    notice: FiledNotice | None = None,
    expected_version: int | None = None,
) -> list[str]:
    """Write the state of a tenancy from another system as of today; return the opening entries.

    It has no move-in invoice: ordinary rows begin on the day after `billed_through_on`. A `notice`
    filed elsewhere ends it without a charge here. Raises `Refused`, naming the fact, for a second
    take-over, a reservation with entries, negative amounts, rent of a month that was not billed
    yet, and the deposit of an owner resident.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    taken = TakenOver(
        work.clock.today(), billed_through_on, deposit_held_yen, tuple(unpaid), overpaid_yen
    )
    refuse_take_over(work.session, row, taken)
    ids = write_taken_over(work, {row: taken})
    if notice is not None:
        found = departing(work.session, row, work.clock.today())
        row.penalty_elsewhere_yen = file_notice_given_before(work, found, notice)
        tend_turnovers(work.session, [row.unit_id])
    work.session.flush()
    return ids


def preview_move_in(session: Session, clock: Clock, reservation_id: str) -> PlannedEntry:
    """Return the move-in invoice `bill_move_in` would issue; raise `Refused` when it cannot."""
    facts = rent_facts(session, reservation_id, clock.today())
    if facts.rows or facts.tenancy.billed_through_on is not None:
        raise Refused(
            "Rent of reservation {reservation_id} is billed already; void it first.",
            reservation_id=reservation_id,
        )
    return invoice_of(facts, one_time_amounts(session, [reservation_id])[reservation_id])


def bill_move_in(work: Work, *, reservation_id: str, expected_version: int | None = None) -> str:
    """Issue the move-in invoice of a reservation imported without one; return the invoice's id.

    It is for a tenancy of which nothing was billed elsewhere. Raises `Refused` when rent is billed
    already, when the tenancy was taken over, and when there is nothing to bill.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    invoice = preview_move_in(work.session, work.clock, row.id)
    id_ = issue_move_in_invoice(work, reservation_id=row.id)
    if id_ is None:
        raise Refused(
            "Reservation {reservation_id} has nothing to bill at move-in.",
            reservation_id=row.id,
        )
    mark_changed(row, work.clock, work.actor)
    work.session.flush()
    note_entry(work, AuditEvent.MOVE_IN_BILLED, entry_id=id_, entry=invoice)
    return id_


def write_taken_over(work: Work, taken: Mapping[Reservation, TakenOver]) -> list[str]:
    """Write the state of reservations that were already checked; return the opening entries."""
    for row, tenancy in taken.items():
        row.taken_over_on, row.billed_through_on = tenancy.on, tenancy.billed_through_on
        # Who lived there before got the keys elsewhere; who comes today or later gets them here.
        if row.starts_on is None or row.starts_on < tenancy.on:
            row.has_earlier_keys = True
        mark_changed(row, work.clock, work.actor)
    work.session.flush()
    ids = post_openings(work, {row.id: tenancy for row, tenancy in taken.items()})
    for row, tenancy in taken.items():
        facts = {
            "taken_over_on": tenancy.on,
            "billed_through_on": tenancy.billed_through_on,
            "deposit_held_yen": tenancy.deposit_held_yen,
            "unpaid_yen": sum(debt.yen for debt in tenancy.unpaid),
            "overpaid_yen": tenancy.overpaid_yen,
        }
        about = of_reservation(row.id)
        note_audit_event(work, AuditEvent.RESERVATION_TAKEN_OVER, about, after=facts)
    return ids


def file_notices_given_before(work: Work, notices: Mapping[Reservation, FiledNotice]) -> None:
    """Write the notices of tenancies that were just taken over; nothing is charged."""
    for row, notice in notices.items():
        found = departing(work.session, row, work.clock.today())
        row.penalty_elsewhere_yen = file_notice_given_before(work, found, notice)
    work.session.flush()


def refuse_take_over(session: Session, row: Reservation, taken: TakenOver) -> None:
    """Raise `Refused` for what cannot be taken over, naming the fact and what is allowed."""
    if not FIRST_DAY <= taken.billed_through_on <= LAST_DAY:
        raise Refused(
            "billedThrough: {day} is not possible. Choose a day from {first} to {last}.",
            day=taken.billed_through_on,
            first=FIRST_DAY,
            last=LAST_DAY,
        )
    if Lifecycle(row.lifecycle) not in _OPEN:
        raise Refused(
            "takenOver: the reservation is {lifecycle}. Only a current one can be taken over.",
            lifecycle=Lifecycle(row.lifecycle),
        )
    entries = select(LedgerEntry.id).where(LedgerEntry.reservation_id == row.id).limit(1)
    is_begun = row.taken_over_on is not None or session.scalar(entries) is not None
    problem = refusal_of_take_over(taken, ReservationKind(row.kind), is_begun=is_begun)
    if problem is None:
        return
    if problem is TakeOverProblem.TAKEN_OVER:
        raise Refused(
            "takenOver: the reservation has already been taken over or billed. Correct an "
            "opening figure with an opposite entry."
        )
    if problem is TakeOverProblem.DEPOSIT_HELD:
        raise Refused(
            "depositHeld: {yen} is not possible. Enter 0 or more, and 0 for an owner resident.",
            yen=taken.deposit_held_yen,
        )
    if problem is TakeOverProblem.OVERPAID:
        raise Refused("overpaid: {yen} is not possible. Enter 0 or more.", yen=taken.overpaid_yen)
    raise Refused(
        "unpaid: enter amounts of 1 or more. Rent for months after {day} has not been billed yet.",
        day=taken.billed_through_on,
    )
