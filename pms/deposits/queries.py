"""Questions about deposits: the balance on a day, and how a settlement stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.deposits.models import DeductionRow, Refund, Settlement
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.ledger.queries import deposit_balances
from pms.reservations.models import Reservation
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import SettlementState
from pms.rules.settlement import settlement_state


@dataclass(frozen=True, slots=True)
class SettledDeposit:
    """A settlement with its deductions and the refunds sent so far, in whole yen."""

    settlement: Settlement
    deductions: Sequence[DeductionRow]
    refunds: Sequence[Refund]

    @property
    def sent_yen(self) -> int:
        """What of the remainder was sent."""
        return sum(refund.amount_yen for refund in self.refunds)

    @property
    def unsent_yen(self) -> int:
        """What of the remainder is still to be sent."""
        return self.settlement.remainder_yen - self.sent_yen

    @property
    def state(self) -> SettlementState:
        """Where it stands (specification, Deposit 5)."""
        settled = self.settlement
        return settlement_state(settled.remainder_yen, settled.owed_yen, self.sent_yen)


def balance_on(session: Session, reservation_id: str, on: date) -> DepositBalance:
    """Return the balance of one reservation on a day (specification, Deposit 2)."""
    is_here = select(Reservation.id).where(Reservation.id == reservation_id)
    if not is_id(reservation_id) or session.scalar(is_here) is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return balances_on(session, (reservation_id,), on)[reservation_id]


def balances_on(
    session: Session, reservation_ids: Sequence[str], on: date
) -> Mapping[str, DepositBalance]:
    """Return the balances of reservations on a day, however many, in the same few questions."""
    return deposit_balances(session, reservation_ids, on)


def settlement_of(session: Session, reservation_id: str) -> SettledDeposit | None:
    """Return how a reservation was settled, or None while it was not."""
    settled = session.scalar(select(Settlement).where(Settlement.reservation_id == reservation_id))
    if settled is None:
        return None
    of_it = DeductionRow.settlement_id == settled.id
    deductions = session.scalars(select(DeductionRow).where(of_it).order_by(DeductionRow.position))
    sent = select(Refund).where(Refund.settlement_id == settled.id).order_by(Refund.number)
    return SettledDeposit(settled, deductions.all(), session.scalars(sent).all())
