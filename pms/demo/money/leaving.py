"""How a demo reservation ends: its notice and penalty, a cancellation, the settlement, the refund."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from pms.demo.money.account import STAFF, Account
from pms.demo.money.paying import CourseFacts
from pms.demo.money.settling_up import SettledUp, settle_up
from pms.demo.rows import Chance, instant
from pms.demo.stay_plans import days_from
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.ledger.planned_entries import ITEM_WORDS, PENALTY, PlannedEntry, PlannedLine
from pms.pricing.prices import AgreedPrice
from pms.rules.cancellation import kept_fee_yen
from pms.rules.contract_dates import Term, charge_due_on
from pms.rules.enumerations import EntryKind, Lifecycle, LineItem
from pms.rules.notices import FiledNotice, ForcedFlag, edited_notice
from pms.rules.penalties import FORFEIT_YEN, Departure, Penalty, penalty_of

# Days of notice given, taken in turn: in good time, at short notice, at the last moment.
_LEADS = (45, 12, 33, 62, 31, 20, 38, 5, 30, 48)
_FORMER_LEADS = (40, 35, 62, 33, 18, 45, 31, 50, 9, 36)
_LEAVING = frozenset(
    {Lifecycle.NOTICE_FILED, Lifecycle.MOVED_OUT, Lifecycle.SETTLED, Lifecycle.REFUNDED}
)


class Leaving:
    """The end of one account, audit event by audit event."""

    def __init__(self, account: Account, price: AgreedPrice, facts: CourseFacts, chance: Chance):
        self._account = account
        self._price = price
        self._facts = facts
        self._chance = chance
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
        edited_on, first_asked = days_from(filed_on, 3), days_from(out_on, _moved_by(number))
        if first_asked == out_on or not edited_on < min(out_on, first_asked, yesterday):
            yield filed_on, out_on
            return
        yield filed_on, first_asked
        yield edited_on, out_on

    def file(self, term: Term, on: date, move_out_on: date) -> None:
        """File the notice, or edit it."""
        before = self.filed
        self.filed = (
            edited_notice(before, on, move_out_on) if before else FiledNotice(on, move_out_on)
        )
        if before is None:
            self._notice_id = self._account.rows.new_id(instant(on, 12))
            self._first_on = on
        self._version += 1
        penalty = self._penalty(term, self.filed)
        entry_id = self._bill_penalty(penalty, on)
        self._figures = _figures(self.filed, penalty) | {
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
        on = days_from(left_on, self._chance.whole(4, 20))
        return min(on, days_from(self._facts.today, -1))

    def settle(self, on: date) -> None:
        """Settle, and send back what is sent."""
        self.settled = settle_up(self._account, self._facts, on, self._chance)

    def _penalty(self, term: Term, filed: FiledNotice) -> Penalty:
        plan = self._facts.stay.plan
        flag = ForcedFlag(plan.forced_on, plan.forced_cleared_on) if plan.forced_on else None
        forced = flag if flag and flag.is_set_on(filed.filed_on) else None
        departure = Departure(term, filed.filed_on, filed.move_out_on, plan.kind, forced)
        return penalty_of(departure, self._price.price.periods, self._facts.policy)

    def _bill_penalty(self, penalty: Penalty, on: date) -> str | None:
        account, words = self._account, ITEM_WORDS[LineItem.PENALTY]
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


def _moved_by(number: int) -> int:
    """How far the day asked for first lies from the one that holds: mostly it is the same."""
    return {2: -10, 5: 12}.get(number % 7, 0)


def _figures(filed: FiledNotice, penalty: Penalty) -> dict[str, Any]:
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
