"""Settlements of the demo: pending, refunded in part or in full, zero, and one who still owes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from pms.demo.money.account import STAFF, Account, post_charge
from pms.demo.money.paying import CourseFacts
from pms.demo.rows import Chance, instant
from pms.demo.stay_plans import days_from
from pms.deposits.models import DeductionRow, Refund, Settlement
from pms.foundation.phrases import Bilingual
from pms.ledger.models import DepositMoveRow
from pms.rules import deposit as law
from pms.rules.deposit import DepositMove
from pms.rules.enumerations import DepositMoveKind, FeeCategory, Lifecycle

_CLEANING_YEN = 22_000
_STILL_OPEN = timedelta(days=40)


class Deducted(NamedTuple):
    """A deduction as it was asked for."""

    label: str
    yen: int
    category: FeeCategory


@dataclass(frozen=True)
class SettledUp:
    """What a settlement left, and what of it was sent back."""

    remainder_yen: int
    sent_yen: int

    @property
    def is_refunded(self) -> bool:
        """Whether there was something to send back, and all of it was sent."""
        return 0 < self.remainder_yen == self.sent_yen


def settle_up(account: Account, facts: CourseFacts, on: date, chance: Chance) -> SettledUp:
    """Settle an account by the rules and send the refund that its lifecycle tells of."""
    held_yen, standings = account.held_yen(on), account.standings(on)
    overpaid_yen = sum(one.overpaid_yen for one in standings)
    unpaid_yen = sum(one.unpaid_yen for one in standings)
    asked = _asked(facts, on, held_yen + overpaid_yen, unpaid_yen)
    settled = law.settle(
        held_yen, standings, [law.Deduction(str(n), one.yen) for n, one in enumerate(asked)]
    )
    settlement_id = _keep(account, settled, on)
    _keep_deductions(account, settlement_id, asked, settled, on)
    sent_yen = _sent_yen(facts, settled.remainder_yen, on)
    if sent_yen:
        sent_on = min(days_from(on, chance.whole(2, 10)), days_from(facts.today, -1))
        _send(account, settlement_id, sent_yen, max(sent_on, on))
    return SettledUp(settled.remainder_yen, sent_yen)


def _asked(facts: CourseFacts, on: date, money_yen: int, unpaid_yen: int) -> list[Deducted]:
    plan, number = facts.stay.plan, facts.number
    if plan.cancelled_on:
        return []
    is_cleaned = number % 2 == 0 and money_yen - unpaid_yen > _CLEANING_YEN
    cleaning = [Deducted("退去時清掃", _CLEANING_YEN, FeeCategory.CLEANING)] if is_cleaned else []
    is_open = facts.today - on < _STILL_OPEN and number % 3 != 2
    if plan.lifecycle is Lifecycle.REFUNDED or is_open:
        return cleaning
    left_yen = money_yen - unpaid_yen - sum(one.yen for one in cleaning)
    # Long settled and nothing sent: either nothing was left, or the resident owes the rest.
    damage_yen = left_yen if number % 2 else left_yen + unpaid_yen + 12_000
    if damage_yen <= 0:
        return cleaning
    return [*cleaning, Deducted("原状回復（壁・床）", damage_yen, FeeCategory.REPAIR)]


def _sent_yen(facts: CourseFacts, remainder_yen: int, on: date) -> int:
    if facts.stay.plan.lifecycle is Lifecycle.REFUNDED:
        return remainder_yen
    is_sent_in_part = facts.number % 3 == 1 and on < days_from(facts.today, -1)
    return remainder_yen // 2 if is_sent_in_part else 0


def _keep(account: Account, settled: law.Settlement, on: date) -> str:
    at = instant(on, 15)
    settlement_id = account.rows.add(
        Settlement,
        at,
        reservation_id=account.reservation_id,
        settled_on=on,
        held_yen=settled.held_yen,
        overpaid_yen=settled.overpaid_yen,
        deducted_yen=settled.deducted_yen,
        netted_yen=settled.netted_yen,
        remainder_yen=settled.remainder_yen,
        owed_yen=settled.owed_yen,
        written_at=at,
        written_by=STAFF,
    )
    for part in settled.nettings:
        account.allocate(part.entry_id, part.yen, on, settlement_id=settlement_id)
    for part in settled.draws:
        account.allocate(part.entry_id, -part.yen, on, settlement_id=settlement_id)
    if settled.held_yen:
        move = DepositMove(on, DepositMoveKind.SETTLED, settled.held_yen)
        keep_move(account, move, settlement_id=settlement_id)
    return settlement_id


def keep_move(
    account: Account,
    move: DepositMove,
    *,
    settlement_id: str | None = None,
    transfer_id: str | None = None,
) -> None:
    """Keep a line that closes a held deposit or moves it."""
    account.moves.append(move)
    account.rows.add(
        DepositMoveRow,
        instant(move.on, 15),
        reservation_id=account.reservation_id,
        kind=move.kind,
        moved_on=move.on,
        amount_yen=move.yen,
        transfer_id=transfer_id,
        settlement_id=settlement_id,
        written_at=instant(move.on, 15),
        written_by=STAFF,
    )


def _keep_deductions(
    account: Account,
    settlement_id: str,
    asked: Sequence[Deducted],
    settled: law.Settlement,
    on: date,
) -> None:
    reached, unreached = dict(settled.deductions), dict(settled.charges)
    for number, one in enumerate(asked):
        owed_yen, label = unreached.get(str(number), 0), Bilingual(one.label, one.label)
        account.rows.add(
            DeductionRow,
            instant(on, 15),
            settlement_id=settlement_id,
            position=number + 1,
            label=one.label,
            asked_yen=one.yen,
            reached_yen=reached.get(str(number), 0),
            charge_id=post_charge(account, label, owed_yen, on, category=one.category)
            if owed_yen
            else None,
        )


def _send(account: Account, settlement_id: str, yen: int, on: date) -> None:
    account.rows.add(
        Refund,
        instant(on, 16),
        settlement_id=settlement_id,
        number=1,
        sent_on=on,
        amount_yen=yen,
        reference=None,
        written_at=instant(on, 16),
        written_by=STAFF,
    )
