"""How a demo reservation ends: its notice and penalty, a cancellation, the settlement, the refund."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from pms.demo.accounts import AccountHistory, post_charge
from pms.demo.paying import CourseFacts
from pms.demo.rows import STAFF, Chance, instant, read_toml
from pms.demo.stay_plans import days_from
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.deposits.models import DeductionRow, Refund, Settlement
from pms.foundation.phrases import Bilingual
from pms.ledger.models import DepositMoveRow
from pms.ledger.planned_entries import ITEM_WORDS, PENALTY, PlannedEntry, PlannedLine
from pms.pricing.prices import AgreedPrice
from pms.rules import deposit as law
from pms.rules.cancellation import kept_fee_yen
from pms.rules.contract_dates import ContractTerm, charge_due_on
from pms.rules.deposit import DepositMove
from pms.rules.enumerations import (
    DepositMoveKind,
    EntryKind,
    FeeCategory,
    Lifecycle,
    LineItem,
    TaxTreatment,
)
from pms.rules.notices import FiledNotice, ForcedFlag, edited_notice
from pms.rules.penalties import FORFEIT_YEN, Departure, Penalty, penalty_of

_TEXTS: Final = read_toml("texts")["leaving"]

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


def settle_up(account: AccountHistory, facts: CourseFacts, on: date, rng: Chance) -> SettledUp:
    """Settle an account by the rules and send the refund that its lifecycle tells of."""
    held_yen, standings = account.held_yen(on), account.standings(on)
    overpaid_yen = sum(entry.overpaid_yen for entry in standings)
    unpaid_yen = sum(entry.unpaid_yen for entry in standings)
    asked = _asked_deductions(facts, on, held_yen + overpaid_yen, unpaid_yen)
    settled = law.settle(
        held_yen,
        standings,
        [law.Deduction(str(n), deduction.yen) for n, deduction in enumerate(asked)],
    )
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
    _keep_deductions(account, settlement_id, asked, settled, on)
    if facts.stay.plan.lifecycle is Lifecycle.REFUNDED:
        sent_yen = settled.remainder_yen
    else:
        is_sent_in_part = facts.number % 3 == 1 and on < days_from(facts.today, -1)
        sent_yen = settled.remainder_yen // 2 if is_sent_in_part else 0
    if sent_yen:
        sent_on = min(days_from(on, rng.whole(2, 10)), days_from(facts.today, -1))
        _add_refund(account, settlement_id, sent_yen, max(sent_on, on))
    return SettledUp(settled.remainder_yen, sent_yen)


def _asked_deductions(
    facts: CourseFacts, on: date, money_yen: int, unpaid_yen: int
) -> list[Deducted]:
    plan, number = facts.stay.plan, facts.number
    if plan.cancelled_on:
        return []
    is_cleaned = number % 2 == 0 and money_yen - unpaid_yen > _CLEANING_YEN
    cleaning = (
        [Deducted(_TEXTS["cleaning"], _CLEANING_YEN, FeeCategory.CLEANING)] if is_cleaned else []
    )
    is_open = facts.today - on < _STILL_OPEN and number % 3 != 2
    if plan.lifecycle is Lifecycle.REFUNDED or is_open:
        return cleaning
    left_yen = money_yen - unpaid_yen - sum(deduction.yen for deduction in cleaning)
    # Long settled and nothing sent: either nothing was left, or the resident owes the rest.
    damage_yen = left_yen if number % 2 else left_yen + unpaid_yen + 12_000
    if damage_yen <= 0:
        return cleaning
    return [*cleaning, Deducted(_TEXTS["damage"], damage_yen, FeeCategory.REPAIR)]


def keep_move(
    account: AccountHistory,
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
    account: AccountHistory,
    settlement_id: str,
    asked: Sequence[Deducted],
    settled: law.DepositSettlement,
    on: date,
) -> None:
    reached, unreached = dict(settled.deductions), dict(settled.charges)
    for number, deduction in enumerate(asked):
        owed_yen, label = unreached.get(str(number), 0), Bilingual(deduction.label, deduction.label)
        account.rows.add(
            DeductionRow,
            instant(on, 15),
            settlement_id=settlement_id,
            position=number + 1,
            label=deduction.label,
            asked_yen=deduction.yen,
            reached_yen=reached.get(str(number), 0),
            tax_treatment=TaxTreatment.TAXABLE_10,
            charge_id=post_charge(
                account,
                label,
                owed_yen,
                on,
                category=deduction.category,
                tax=TaxTreatment.TAXABLE_10,
            )
            if owed_yen
            else None,
        )


def _add_refund(account: AccountHistory, settlement_id: str, yen: int, on: date) -> None:
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


# Days of notice given, taken in turn: in good time, at short notice, at the last moment.
_LEADS = (45, 12, 33, 62, 31, 20, 38, 5, 30, 48)
_FORMER_LEADS = (40, 35, 62, 33, 18, 45, 31, 50, 9, 36)
_LEAVING = frozenset(
    {Lifecycle.NOTICE_FILED, Lifecycle.MOVED_OUT, Lifecycle.SETTLED, Lifecycle.REFUNDED}
)


class Leaving:
    """The end of one account, audit event by audit event."""

    def __init__(
        self, account: AccountHistory, price: AgreedPrice, facts: CourseFacts, rng: Chance
    ):
        self._account = account
        self._price = price
        self._facts = facts
        self._rng = rng
        self._notice_id = ""
        self._first_on: date | None = None
        self._version = 0
        self._figures: dict[str, Any] = {}
        self._penalty_lines: tuple[PlannedLine, ...] = ()
        self.filed: FiledNotice | None = None
        self.settled: SettledUp | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the money was closed."""
        return self.settled is not None

    def filings(self) -> Iterator[tuple[date, date]]:
        """The days on which a move-out day was asked for, and which; an edit comes second."""
        plan, number = self._facts.stay.plan, self._facts.number
        out_on = plan.move_out
        if plan.lifecycle not in _LEAVING or plan.cancelled_on or not isinstance(out_on, date):
            return
        is_current = plan.lifecycle is Lifecycle.NOTICE_FILED
        leads = _LEADS if is_current else _FORMER_LEADS
        earliest = max(days_from(plan.starts_on or out_on, 1), plan.forced_on or date.min)
        yesterday = days_from(self._facts.today, -1)
        filed_on = min(max(days_from(out_on, -leads[number % len(leads)]), earliest), yesterday)
        # How far the day asked for first lies from the one that holds: mostly it is the same.
        edited_on = days_from(filed_on, 3)
        first_asked = days_from(out_on, {2: -10, 5: 12}.get(number % 7, 0))
        if first_asked == out_on or not edited_on < min(out_on, first_asked, yesterday):
            yield filed_on, out_on
            return
        yield filed_on, first_asked
        yield edited_on, out_on

    def file(self, term: ContractTerm, on: date, move_out_on: date) -> None:
        """File the notice, or edit it."""
        before = self.filed
        self.filed = (
            edited_notice(before, on, move_out_on) if before else FiledNotice(on, move_out_on)
        )
        if before is None:
            self._notice_id = self._account.rows.new_id(instant(on, 12))
            self._first_on = on
        self._version += 1
        filed = self.filed
        plan = self._facts.stay.plan
        flag = ForcedFlag(plan.forced_on, plan.forced_cleared_on) if plan.forced_on else None
        forced = flag if flag and flag.is_set_on(filed.filed_on) else None
        departure = Departure(term, filed.filed_on, filed.move_out_on, plan.kind, forced)
        penalty = penalty_of(departure, self._price.price.periods, self._facts.policy)
        entry_id = self._bill_penalty(penalty, on)
        self._figures = _figures_of_notice(self.filed, penalty) | {
            "penalty_entry_id": entry_id,
            "written_at": instant(on, 12),
            "version": self._version,
        }
        self._account.rows.add(
            NoticeFiling,
            instant(on, 12),
            notice_id=self._notice_id,
            number=self._version,
            filed_on=on,
            move_out_on=move_out_on,
            written_at=instant(on, 12),
            written_by=STAFF,
        )

    def keep_notice(self) -> None:
        """Keep the notice as it stands at the end."""
        if self._first_on is not None:
            self._account.rows.add(
                MoveOutNotice,
                instant(self._first_on, 12),
                id=self._notice_id,
                reservation_id=self._account.reservation_id,
                **self._figures,
                written_by=STAFF,
                withdrawn_at=None,
                withdrawn_by=None,
            )

    def keep_paid_fee(self, on: date) -> None:
        """Leave of a cancelled booking's fee what was paid of it."""
        account = self._account
        invoice_id = account.of_kind(EntryKind.MOVE_IN)[0]
        fee = next(
            (
                line
                for line in account.entries[invoice_id].planned.lines
                if line.item == LineItem.RESERVATION_FEE
            ),
            None,
        )
        if fee is not None:
            kept_yen = kept_fee_yen(fee.yen, account.standing(invoice_id, on).paid_yen)
            if kept_yen != fee.yen:
                credit = fee._replace(yen=kept_yen - fee.yen)
                account.append(invoice_id, None, [credit], on, 13)

    def settles_on(self) -> date | None:
        """The day of the settlement, if there was one."""
        plan = self._facts.stay.plan
        if plan.lifecycle not in (Lifecycle.SETTLED, Lifecycle.REFUNDED):
            return None
        left_on = plan.cancelled_on or plan.move_out
        if not isinstance(left_on, date):
            return None
        on = days_from(left_on, self._rng.whole(4, 20))
        return min(on, days_from(self._facts.today, -1))

    def settle(self, on: date) -> None:
        """Settle, and send back what is sent."""
        self.settled = settle_up(self._account, self._facts, on, self._rng)

    def _bill_penalty(self, penalty: Penalty, on: date) -> str | None:
        account = self._account
        words = ITEM_WORDS[LineItem.PENALTY].with_class(TaxTreatment.OUT_OF_SCOPE)
        wanted = tuple(
            PlannedLine(str(item), words, first_on, last_on, yen)
            for item, first_on, last_on, yen in penalty.lines
        )
        billed = account.of_kind(EntryKind.PENALTY)
        before, self._penalty_lines = self._penalty_lines, wanted
        if billed:
            if set(before) != set(wanted):
                back = [line._replace(yen=-line.yen) for line in before]
                account.append(billed[0], None, [*back, *wanted], on, 12)
            return billed[0]
        if not wanted:
            return None
        due_on = charge_due_on(on)
        entry = PlannedEntry(
            account.reservation_id,
            EntryKind.PENALTY,
            self._notice_id,
            PENALTY,
            due_on,
            wanted,
            (),
        )
        return account.post(entry, on, 12)


def _figures_of_notice(filed: FiledNotice, penalty: Penalty) -> dict[str, Any]:
    return {
        "filed_on": filed.filed_on,
        "move_out_on": filed.move_out_on,
        "notice_owed_days": penalty.notice.owed_days,
        "notice_given_days": penalty.notice.given_days,
        "notice_missing_days": penalty.notice.missing_days,
        "early_exit_yen": penalty.early_exit.yen,
        "short_notice_yen": penalty.short_notice.yen,
        "penalty_yen": penalty.yen,
        "penalty_days": penalty.days,
        "kind": penalty.kind,
        "basis": penalty.basis,
        "is_capped": penalty.is_capped,
        "runs_until_on": penalty.runs_until_on,
        "forfeit_yen": FORFEIT_YEN,
    }
