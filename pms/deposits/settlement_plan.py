"""Works out a settlement before anything is written: the preview and the deed share it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy.orm import Session

from pms.deposits.settlement_refusals import (
    AskedDeduction,
    checked_deduction,
    refuse_held,
    refuse_nothing,
    refuse_settling,
)
from pms.ledger.queries import deposit_moves, standings
from pms.reservations.models import Reservation
from pms.rules import settlement as law
from pms.rules.deposit import deposit_balance
from pms.rules.enumerations import SettlementState

__all__ = ["AskedDeduction", "PlannedDeduction", "SettlementPlan", "plan_settlement"]


@dataclass(frozen=True, slots=True)
class PlannedDeduction:
    """A deduction, and how much of it money is there for."""

    asked: AskedDeduction
    reached_yen: int

    @property
    def unreached_yen(self) -> int:
        """What becomes a charge."""
        return self.asked.amount_yen - self.reached_yen


@dataclass(frozen=True, slots=True)
class SettlementPlan:
    """All that a settlement of a day would write."""

    settled_on: date
    settlement: law.Settlement
    deductions: tuple[PlannedDeduction, ...]

    @property
    def state(self) -> SettlementState:
        """Where it would stand before any refund."""
        return law.settlement_state(self.settlement.remainder_yen, self.settlement.owed_yen)


def plan_settlement(
    session: Session, row: Reservation, deductions: Sequence[AskedDeduction], on: date
) -> SettlementPlan:
    """Return the settlement of a reservation as its ledger stands on a day; raise `Refused`."""
    refuse_settling(session, row, on)
    asked = tuple(checked_deduction(place, one) for place, one in enumerate(deductions))
    found = standings(session, (row.id,), on).get(row.id, ())
    moves = deposit_moves(session, (row.id,), on).get(row.id, ())
    held_yen = deposit_balance(found, moves, on).held_yen
    refuse_held(session, row, held_yen)
    wanted = [law.Deduction(str(place), one.amount_yen) for place, one in enumerate(asked)]
    settled = law.settle(held_yen, found, wanted)
    refuse_nothing(row, settled, asked)
    reached = dict(settled.deductions)
    planned = (PlannedDeduction(one, reached.get(str(n), 0)) for n, one in enumerate(asked))
    return SettlementPlan(on, settled, tuple(planned))
