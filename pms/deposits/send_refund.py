"""Records a refund that was sent; only when all of the remainder was is it refunded."""

from datetime import date

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.deposits.models import Refund, Settlement
from pms.deposits.queries import SettledDeposit, settlement_of
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.reservations.changing import mark_changed, move_lifecycle, reservation_to_change
from pms.rules.deeds import Deed
from pms.rules.enumerations import Lifecycle, PaymentStatus, SettlementState
from pms.rules.settlement import RefundProblem, refusal_of_refund
from pms.rules.status_changes import payment_status_after
from pms.rules.yen import RefusedAmount, read_json_amount

_LONGEST_REFERENCE = 200


def send_refund(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    amount_yen: int | None = None,
    sent_on: date | None = None,
    reference: str | None = None,
    expected_version: int | None = None,
) -> SettledDeposit:
    """Write money sent back (specification, Deposit 5): all that is unsent, or a part of it.

    Raises `Refused` before the settlement, for an amount that is not positive or above what is
    left of the remainder, and for a day before the settlement or in the future.
    """
    row = reservation_to_change(session, reservation_id, expected_version)
    found = settlement_of(session, row.id)
    if found is None:
        raise Refused("refund: the reservation is not settled yet; a refund follows a settlement.")
    yen = _refundable_yen(found, amount_yen)
    refund = _refund(found, yen, clock, actor)
    refund.sent_on = _checked_day(found.settlement, sent_on, clock.today())
    refund.reference = _checked_reference(reference)
    try:
        session.add(refund)
        session.flush()
    except IntegrityError as second:
        raise Refused("refund: another refund was sent at the same moment; look again.") from second
    after = SettledDeposit(found.settlement, found.deductions, (*found.refunds, refund))
    if after.state == SettlementState.REFUNDED:
        move_lifecycle(row, Lifecycle.REFUNDED)
        row.payment_status = payment_status_after(
            PaymentStatus(row.payment_status), PaymentStatus.REFUNDED
        )
    mark_changed(row, clock, actor)
    told = {"amount_yen": yen, "sent_on": refund.sent_on, "reference": refund.reference}
    note_change(session, clock, actor, Deed.REFUND_SENT, row, also=told)
    session.flush()
    return after


def _refundable_yen(found: SettledDeposit, amount_yen: int | None) -> int:
    """The amount asked for, or all that is left; what the law refuses is refused."""
    remainder_yen = found.settlement.remainder_yen
    wanted = found.unsent_yen if amount_yen is None else amount_yen
    is_amount = not isinstance(read_json_amount(wanted, minimum_yen=1), RefusedAmount)
    if remainder_yen <= found.sent_yen:
        raise _refusal(RefundProblem.NOTHING_TO_REFUND, found, wanted)
    if not is_amount:
        raise _refusal(RefundProblem.NOT_POSITIVE, found, wanted)
    problem = refusal_of_refund(remainder_yen, found.sent_yen, wanted)
    if problem is not None:
        raise _refusal(problem, found, wanted)
    return wanted


def _refusal(problem: RefundProblem, found: SettledDeposit, wanted: object) -> Refused:
    if problem is RefundProblem.NOTHING_TO_REFUND:
        return Refused(
            "refund: nothing is left to refund; of {remainder_yen} yen {sent_yen} were sent.",
            remainder_yen=found.settlement.remainder_yen,
            sent_yen=found.sent_yen,
        )
    return Refused(
        "amountYen: '{given}' is refused; whole yen from 1 to {most_yen}.",
        given=str(wanted)[:40],
        most_yen=found.unsent_yen,
    )


def _refund(found: SettledDeposit, yen: int, clock: Clock, actor: str) -> Refund:
    return Refund(
        id=new_id(),
        settlement_id=found.settlement.id,
        number=len(found.refunds) + 1,
        amount_yen=yen,
        written_at=clock.now(),
        written_by=actor,
    )


def _checked_day(settled: Settlement, sent_on: date | None, today: date) -> date:
    day = sent_on or today
    if not settled.settled_on <= day <= today:
        raise Refused(
            "sentOn: {day} is refused; a day from the settlement on {settled_on} to today, {today}.",
            day=day,
            settled_on=settled.settled_on,
            today=today,
        )
    return day


def _checked_reference(reference: str | None) -> str | None:
    if reference is not None and not (
        reference.isprintable() and len(reference) <= _LONGEST_REFERENCE
    ):
        raise Refused(
            "reference: one line of at most {most_characters} characters.",
            most_characters=_LONGEST_REFERENCE,
        )
    return reference
