"""Settlements as they are shown, and their unsent refunds."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.deposits.models import DeductionRow, Refund, Settlement
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.ledger.debts import unsettled_standings
from pms.ledger.models import Allocation
from pms.ledger.queries import standings
from pms.rules.deposit import (
    refundable_overpayment,
    settlement_state,
)
from pms.rules.enumerations import (
    SettlementState,
)


@dataclass(frozen=True, slots=True)
class SettledDeposit:
    """A settlement with its deductions and the refunds sent so far, in whole yen.

    `drawn_yen` is what refunds took of money overpaid after the settlement, `overpaid_yen` what is
    still overpaid above the unpaid bills.
    """

    settlement: Settlement
    deductions: Sequence[DeductionRow]
    refunds: Sequence[Refund]
    drawn_yen: int = 0
    overpaid_yen: int = 0

    @property
    def overpaid_since_yen(self) -> int:
        """The money overpaid after the settlement, sent or not: a bill it paid was voided."""
        return self.drawn_yen + self.overpaid_yen

    @property
    def refundable_yen(self) -> int:
        """All that is to be sent back: the remainder, and what was overpaid later."""
        return self.settlement.remainder_yen + self.overpaid_since_yen

    @property
    def sent_yen(self) -> int:
        """The part that was sent."""
        return sum(refund.amount_yen for refund in self.refunds)

    @property
    def unsent_yen(self) -> int:
        """The part still to be sent."""
        return self.refundable_yen - self.sent_yen

    @property
    def state(self) -> SettlementState:
        """The settlement's state (specification, Deposit 5)."""
        return settlement_state(self.refundable_yen, self.settlement.owed_yen, self.sent_yen)


def settlement_of(session: Session, reservation_id: str) -> SettledDeposit | None:
    """Return the settlement of a reservation; `None` before it is settled."""
    return settlements_of(session, [reservation_id]).get(reservation_id)


def settlements_of(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, SettledDeposit]:
    """Return the settlements of reservations; those not settled yet are left out."""
    return asked_once(session, _settlements_of, tuple(reservation_ids))


def _settlements_of(
    session: Session, reservation_ids: tuple[str, ...]
) -> Mapping[str, SettledDeposit]:
    rows = session.execute(_SETTLED.where(one_of(Settlement.reservation_id, reservation_ids))).all()
    if not rows:
        return {}
    ids = [settled.id for settled, _ in rows]
    deductions: defaultdict[str, list[DeductionRow]] = defaultdict(list)
    for part in session.scalars(
        select(DeductionRow)
        .where(one_of(DeductionRow.settlement_id, ids))
        .order_by(DeductionRow.position)
    ):
        deductions[part.settlement_id].append(part)
    refunds = _refunds_of(session, ids)
    standing = standings(session, [settled.reservation_id for settled, _ in rows], date.max)
    return {
        settled.reservation_id: SettledDeposit(
            settled,
            deductions[settled.id],
            refunds[settled.id],
            drawn_yen=_drawn_yen(settled, allocated_yen),
            overpaid_yen=refundable_overpayment(standing.get(settled.reservation_id, ())),
        )
        for settled, allocated_yen in rows
    }


_SETTLED: Final = select(
    Settlement,
    select(func.coalesce(func.sum(Allocation.amount_yen), 0))
    .where(refers_to(Allocation.settlement_id, Settlement))
    .scalar_subquery(),
)


def _drawn_yen(settled: Settlement, allocated_yen: int) -> int:
    # The settlement paid bills and took overpayments; only refunds took more since then.
    return settled.netted_yen - settled.overpaid_yen - int(allocated_yen)


def _refunds_of(session: Session, settlement_ids: Sequence[str]) -> Mapping[str, list[Refund]]:
    found: defaultdict[str, list[Refund]] = defaultdict(list)
    for refund in session.scalars(
        select(Refund).where(one_of(Refund.settlement_id, settlement_ids)).order_by(Refund.number)
    ):
        found[refund.settlement_id].append(refund)
    return found


_SENT_YEN: Final = func.coalesce(
    select(func.sum(Refund.amount_yen))
    .where(refers_to(Refund.settlement_id, Settlement))
    .scalar_subquery(),
    0,
)


class SettlementStanding(NamedTuple):
    """How far a settlement is."""

    settlement_id: str
    state: SettlementState


def settlement_standings(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, SettlementStanding]:
    """Return how far the settlements of reservations are, without their lines, in one query."""
    return asked_once(session, _read_standings, tuple(reservation_ids))


def _read_standings(
    session: Session, reservation_ids: tuple[str, ...]
) -> Mapping[str, SettlementStanding]:
    asked = _SETTLED.add_columns(_SENT_YEN)
    rows = session.execute(asked.where(one_of(Settlement.reservation_id, reservation_ids))).all()
    settled_ids = [settled.reservation_id for settled, _, _ in rows]
    standing = standings(session, settled_ids, date.max) if rows else {}
    found = {}
    for settled, allocated_yen, sent_yen in rows:
        refundable_yen = (
            settled.remainder_yen
            + _drawn_yen(settled, allocated_yen)
            + refundable_overpayment(standing.get(settled.reservation_id, ()))
        )
        state = settlement_state(refundable_yen, settled.owed_yen, int(sent_yen))
        found[settled.reservation_id] = SettlementStanding(settled.id, state)
    return found


def unsent_refunds(session: Session, on: date) -> Sequence[SettledDeposit]:
    """Return the settlements with money still to be sent at the end of a day, oldest first.

    The number of queries does not depend on the number of settlements.
    """
    overpaid_yen = {
        id_: yen
        for id_, found in unsettled_standings(session, on).items()
        if (yen := refundable_overpayment(found))
    }
    is_overpaid = one_of(Settlement.reservation_id, overpaid_yen)
    rows = session.execute(
        _SETTLED.where((Settlement.remainder_yen > _SENT_YEN) | is_overpaid).order_by(
            Settlement.settled_on, Settlement.id
        )
    ).all()
    refunds = _refunds_of(session, [settled.id for settled, _ in rows])
    every = [
        SettledDeposit(
            settled,
            (),
            refunds[settled.id],
            drawn_yen=_drawn_yen(settled, allocated_yen),
            overpaid_yen=overpaid_yen.get(settled.reservation_id, 0),
        )
        for settled, allocated_yen in rows
    ]
    return [refund for refund in every if refund.unsent_yen > 0]
