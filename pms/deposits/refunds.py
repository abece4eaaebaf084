"""Sending a refund."""

from datetime import date

from sqlalchemy.exc import IntegrityError

from pms.deposits.models import Refund, Settlement
from pms.deposits.settlement_papers import held_refunds, mail_resident, refuse_held_refund
from pms.deposits.settlement_records import SettledDeposit, settlement_of
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.ledger.models import Allocation
from pms.ledger.posting import write_rows
from pms.ledger.queries import standings
from pms.reservations.changes import mark_changed, move_lifecycle
from pms.reservations.locks import reservation_to_change
from pms.rules.audit_events import AuditEvent
from pms.rules.cancellation import payment_status_after
from pms.rules.deposit import (
    RefundProblem,
    refusal_of_refund,
)
from pms.rules.enumerations import Lifecycle, PaymentStatus, SettlementState
from pms.rules.payments import distribute_yen, overpaid_parts
from pms.rules.yen import RefusedAmount, read_json_amount

_LONGEST_REFERENCE = 200


def send_refund(
    work: Work,
    *,
    reservation_id: str,
    amount_yen: int | None = None,
    sent_on: date | None = None,
    reference: str | None = None,
    expected_version: int | None = None,
) -> SettledDeposit:
    """Record money sent back (specification, Deposit 5): all that is unsent, or a part of it.

    The remainder counts as sent first, then what was overpaid after the settlement, which is taken
    off the ledger today. Raises `Refused` before the settlement, while the refund waits for the
    resident's answer to it, for an amount that is not positive or above the unsent remainder, and
    for a day before the settlement or in the future.
    """
    row = reservation_to_change(work.session, reservation_id, expected_version)
    found = settlement_of(work.session, row.id)
    if found is None:
        raise Refused("refund: the deposit is not settled yet. Refund after the settlement.")
    yen = _refundable_yen(found, amount_yen)
    held = held_refunds(work.session, [found.settlement.id], work.clock.today())
    refuse_held_refund(row.name, held.get(found.settlement.id))
    refund = Refund(
        id=new_id(),
        settlement_id=found.settlement.id,
        number=len(found.refunds) + 1,
        amount_yen=yen,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    refund.sent_on = _checked_day(found.settlement, sent_on, work.clock.today())
    refund.reference = _check_reference(reference)
    session = work.session
    try:
        session.add(refund)
        session.flush()
    except IntegrityError as second:
        raise Refused(
            "refund: another refund was recorded at the same time. Check again."
        ) from second
    _draw_overpayments(work, found, yen - (found.unsent_yen - found.overpaid_yen))
    after = settlement_of(work.session, row.id)
    assert after is not None
    if after.state == SettlementState.REFUNDED and row.lifecycle != Lifecycle.REFUNDED:
        move_lifecycle(row, Lifecycle.REFUNDED)
        before = PaymentStatus(row.payment_status)
        row.payment_status = payment_status_after(before, PaymentStatus.REFUNDED)
    mark_changed(row, work.clock, work.actor)
    facts = {"amount_yen": yen, "sent_on": refund.sent_on, "reference": refund.reference}
    note_change(work, AuditEvent.REFUND_SENT, row, also=facts)
    work.session.flush()
    mail_resident(
        work.session,
        work.clock,
        row.id,
        "refund-sent",
        amount_yen=yen,
        sent_on=refund.sent_on,
        unsent_yen=after.unsent_yen,
    )
    return after


def _refundable_yen(found: SettledDeposit, amount_yen: int | None) -> int:
    """Return the given amount, or all that is unsent; raise `Refused` as the rules do."""
    refundable_yen = found.refundable_yen
    wanted = found.unsent_yen if amount_yen is None else amount_yen
    is_amount = not isinstance(read_json_amount(wanted, minimum_yen=1), RefusedAmount)
    if refundable_yen <= found.sent_yen:
        raise _build_refusal(RefundProblem.NOTHING_TO_REFUND, found, wanted)
    if not is_amount:
        raise _build_refusal(RefundProblem.NOT_POSITIVE, found, wanted)
    problem = refusal_of_refund(refundable_yen, found.sent_yen, wanted)
    if problem is not None:
        raise _build_refusal(problem, found, wanted)
    return wanted


def _build_refusal(problem: RefundProblem, found: SettledDeposit, wanted: object) -> Refused:
    if problem is RefundProblem.NOTHING_TO_REFUND:
        return Refused(
            "refund: Nothing is left to refund. Of {remainder_yen} yen, {sent_yen} were sent.",
            remainder_yen=found.refundable_yen,
            sent_yen=found.sent_yen,
        )
    return Refused(
        "amountYen: '{given}' is not possible. Enter whole yen from 1 to {most_yen}.",
        given=str(wanted)[:40],
        most_yen=found.unsent_yen,
    )


def _draw_overpayments(work: Work, found: SettledDeposit, yen: int) -> None:
    """Take what a refund sends above the remainder off the overpaid entries."""
    id_, today = found.settlement.reservation_id, work.clock.today()
    standing = standings(work.session, [id_], today).get(id_, ())
    overpaid = [(part.entry_id, part.yen) for part in overpaid_parts(standing)]
    rows = [
        {
            "entry_id": part.entry_id,
            "payment_id": None,
            "settlement_id": found.settlement.id,
            "amount_yen": -part.yen,
            "allocated_on": today,
            "written_at": work.clock.now(),
        }
        for part in distribute_yen(overpaid, max(yen, 0)).allocations
    ]
    write_rows(work.session, Allocation, rows)


def _checked_day(settled: Settlement, sent_on: date | None, today: date) -> date:
    day = sent_on or today
    if not settled.settled_on <= day <= today:
        raise Refused(
            "sentOn: {day} is not possible. Choose a day from the settlement on "
            "{settled_on} to today, {today}.",
            day=day,
            settled_on=settled.settled_on,
            today=today,
        )
    return day


def _check_reference(reference: str | None) -> str | None:
    if reference is not None and not (
        reference.isprintable() and len(reference) <= _LONGEST_REFERENCE
    ):
        raise Refused(
            "reference: Enter one line of at most {most_characters} characters.",
            most_characters=_LONGEST_REFERENCE,
        )
    return reference
