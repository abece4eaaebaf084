"""One reservation's ledger while the demo writes it, and the charges it gets besides rent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from pms.demo.rows import STAFF, Rows, instant, read_toml
from pms.demo.stay_plans import days_from
from pms.foundation.phrases import Bilingual
from pms.ledger.models import (
    Allocation,
    BilledRow,
    LedgerEntry,
    LedgerLine,
    Payment,
    PaymentReturn,
    RowExtent,
)
from pms.ledger.planned_entries import (
    ItemWords,
    PlannedEntry,
    PlannedLine,
    PlannedRow,
    arrears_label,
)
from pms.ledger.posting import extent_row, line_rows
from pms.rules.cancellation import arrears_of
from pms.rules.contract_dates import charge_due_on
from pms.rules.deposit import DepositMove, deposit_balance
from pms.rules.enumerations import EntryKind, FeeCategory, ReturnKind, TaxTreatment
from pms.rules.ledger_entries import (
    ArrearsOf,
    EntryBalance,
    EntryHistory,
    EntryPayment,
    EntryPosting,
    standings_on,
)
from pms.rules.payments import set_off_credit
from pms.rules.rent_rows import IssuedRow

_TEXTS: Final = read_toml("texts")["accounts"]


@dataclass
class KeptRow:
    """A billed row, how often its extent was written, and the lines it stands at."""

    id: str
    entry_id: str
    extents: int
    row: IssuedRow
    lines: tuple[PlannedLine, ...]


@dataclass
class KeptEntry:
    """An entry as it was issued, and its history as the rules of balances read it."""

    planned: PlannedEntry
    issued_on: date
    history: EntryHistory


class AccountHistory:
    """Writes the ledger of one reservation, an audit event at a time in the order of the days."""

    def __init__(self, rows: Rows, reservation_id: str):
        self.rows = rows
        self.reservation_id = reservation_id
        self.entries: dict[str, KeptEntry] = {}
        self.billed: list[KeptRow] = []
        self.moves: list[DepositMove] = []
        self._rounds: dict[tuple[str, str], int] = {}

    def post(self, planned: PlannedEntry, on: date, hour: int, **given: Any) -> str:
        """Issue an entry with its rows and lines; `given` are further columns of it."""
        at = instant(on, hour)
        place = (planned.kind, planned.period)
        self._rounds[place] = self._rounds.get(place, 0) + 1
        entry_id = self.rows.add(
            LedgerEntry,
            at,
            reservation_id=self.reservation_id,
            kind=planned.kind,
            period=planned.period,
            round=self._rounds[place],
            label_ja=planned.label.ja,
            label_en=planned.label.en,
            issued_on=on,
            due_on=planned.due_on,
            **{"arrears_of_id": None, "cancelled_yen": 0, "opposes_id": None, **given},
            written_at=at,
            written_by=STAFF,
        )
        arrears = None
        if given.get("arrears_of_id"):
            arrears = ArrearsOf(given["arrears_of_id"], given["cancelled_yen"])
        history = EntryHistory(entry_id, planned.due_on, (EntryPosting(on, 0),), arrears_of=arrears)
        self.entries[entry_id] = KeptEntry(planned, on, history)
        self.append(entry_id, None, planned.lines, on, hour)
        for row in planned.rows:
            self.add_row(entry_id, row, on, hour)
        return entry_id

    def add_row(self, entry_id: str, planned: PlannedRow, on: date, hour: int) -> None:
        """Bill days on an entry."""
        issued = IssuedRow(*planned.row)
        row_id = self.rows.add(
            BilledRow,
            instant(on, hour),
            entry_id=entry_id,
            reservation_id=self.reservation_id,
            kind=issued.kind,
            first_on=issued.first_on,
        )
        self.billed.append(KeptRow(row_id, entry_id, 0, issued, ()))
        self.extend(self.billed[-1], issued, planned.lines, on, hour)

    def extend(
        self,
        kept: KeptRow,
        after: IssuedRow,
        lines: Sequence[PlannedLine],
        on: date,
        hour: int,
    ) -> None:
        """Write how far a row reaches from now on; the lines it stood at are reversed."""
        kept.extents += 1
        extent = extent_row(kept.id, kept.extents, after.last_on, on)
        self.rows.add(RowExtent, instant(on, hour), **extent)
        if set(lines) != set(kept.lines):
            back = [line._replace(yen=-line.yen) for line in kept.lines]
            self.append(kept.entry_id, kept.id, [*back, *lines], on, hour)
        kept.row, kept.lines = after, tuple(lines)

    def append(
        self,
        entry_id: str,
        row_id: str | None,
        lines: Sequence[PlannedLine],
        on: date,
        hour: int,
    ) -> None:
        """Write lines on an entry."""
        for line in line_rows(entry_id, row_id, lines, on):
            self.rows.add(LedgerLine, instant(on, hour), **line)
        deposit_yen = sum(line.yen for line in lines if line.words.category is FeeCategory.DEPOSIT)
        payable_yen = sum(line.yen for line in lines) - deposit_yen
        entry = self.entries[entry_id]
        posted = (*entry.history.postings, EntryPosting(on, payable_yen, deposit_yen))
        entry.history = replace(entry.history, postings=posted)

    def pay(self, entry_id: str, yen: int, on: date, *, note: str | None = None) -> str:
        """Record a payment that names its entry, and return its id."""
        payment_id = self.rows.add(
            Payment,
            instant(on, 15),
            reservation_id=self.reservation_id,
            received_on=on,
            amount_yen=yen,
            method="bank_transfer",
            reference=None,
            note=note,
            written_at=instant(on, 15),
            written_by=STAFF,
        )
        self.allocate(entry_id, yen, on, payment_id=payment_id)
        return payment_id

    def reverse(self, payment_id: str, entry_id: str, yen: int, on: date, reason: str) -> None:
        """Take a wrong payment off the entry it named."""
        self.rows.add(
            PaymentReturn,
            instant(on, 16),
            payment_id=payment_id,
            reservation_id=self.reservation_id,
            kind=ReturnKind.REVERSED,
            returned_on=on,
            amount_yen=yen,
            reference=f"reversal/{payment_id}",
            note=reason,
            written_at=instant(on, 16),
            written_by=STAFF,
        )
        self.allocate(entry_id, -yen, on, payment_id=payment_id)

    def allocate(
        self,
        entry_id: str,
        yen: int,
        on: date,
        *,
        payment_id: str | None = None,
        settlement_id: str | None = None,
    ) -> None:
        """Have yen reach an entry, or leave it."""
        self.rows.add(
            Allocation,
            instant(on, 15),
            entry_id=entry_id,
            payment_id=payment_id,
            settlement_id=settlement_id,
            amount_yen=yen,
            allocated_on=on,
            written_at=instant(on, 15),
        )
        entry = self.entries[entry_id]
        reached = (*entry.history.payments, EntryPayment(on, yen))
        entry.history = replace(entry.history, payments=reached)

    def standings(self, on: date) -> tuple[EntryBalance, ...]:
        """Every entry issued by a day as it stands then."""
        return standings_on((entry.history for entry in self.entries.values()), on)

    def standing(self, entry_id: str, on: date) -> EntryBalance:
        """One entry as it stands."""
        return next(entry for entry in self.standings(on) if entry.id == entry_id)

    def held_yen(self, on: date) -> int:
        """The deposit that is held on a day."""
        return deposit_balance(self.standings(on), self.moves, on).held_yen

    def fresh_period(self, on: date) -> str:
        """Give a charge the id it is known by among those of its kind."""
        return self.rows.new_id(instant(on, 14))

    def issued_rows(self) -> list[IssuedRow]:
        """The rows so far, in the order of issue."""
        return [kept.row for kept in self.billed]

    def of_kind(self, *kinds: EntryKind) -> list[str]:
        """The entries of some kinds, the oldest first."""
        return [id_ for id_, entry in self.entries.items() if entry.planned.kind in kinds]


_ONE_OFF = read_toml("money")["charge"]


def post_one_off(account: AccountHistory, number: int, on: date) -> str:
    """Charge one of the things that happen in a house."""
    row = _ONE_OFF[number % len(_ONE_OFF)]
    category, tax = FeeCategory(row["category"]), TaxTreatment(row["tax"])
    label = Bilingual(row["ja"], row["en"])
    return post_charge(account, label, row["yen"], on, category=category, tax=tax)


def post_charge(
    account: AccountHistory,
    label: Bilingual,
    yen: int,
    on: date,
    *,
    category: FeeCategory,
    tax: TaxTreatment,
) -> str:
    """Issue a charge, due on the day it is issued."""
    line = PlannedLine("charge", _build_item_words(label, category, tax), None, None, yen)
    return account.post(_plan_entry(account, EntryKind.CHARGE, line, charge_due_on(on), on), on, 14)


def post_pet_deposit(account: AccountHistory, on: date) -> str:
    """Charge the deposit for a pet, which is held like the first."""
    label = Bilingual(_TEXTS["pet_deposit"], _TEXTS["pet_deposit_en"])
    outside = TaxTreatment.OUT_OF_SCOPE
    return post_charge(account, label, 30_000, on, category=FeeCategory.DEPOSIT, tax=outside)


def post_credit(account: AccountHistory, on: date) -> str:
    """Credit the days without hot water, set off against what is unpaid."""
    label = Bilingual(_TEXTS["no_hot_water"], _TEXTS["no_hot_water_en"])
    words = _build_item_words(label, FeeCategory.RENT, TaxTreatment.EXEMPT)
    line = PlannedLine("credit", words, None, None, -_CREDIT_YEN)
    unpaid = account.standings(on)
    credit_id = account.post(_plan_entry(account, EntryKind.CREDIT, line, on, on), on, 14)
    for entry_id, yen in set_off_credit(_CREDIT_YEN, unpaid).allocations:
        account.allocate(credit_id, -yen, on)
        account.allocate(entry_id, yen, on)
    return credit_id


def record_by_mistake(account: AccountHistory, on: date) -> None:
    """Record the transfer of somebody else on the latest bill, and reverse it on the next day."""
    bills = account.of_kind(*_RENT_KINDS)
    if bills:
        payment_id = account.pay(bills[-1], _WRONG_YEN, on)
        reason = _TEXTS["other_payer"]
        account.reverse(payment_id, bills[-1], _WRONG_YEN, days_from(on, 1), reason)


def post_arrears(account: AccountHistory, on: date) -> str | None:
    """Charge the shortfall of the oldest rent that stayed unpaid; None where nothing did."""
    owed = {
        entry.id: entry for entry in account.standings(on) if entry.unpaid_yen and entry.due_on < on
    }
    oldest = next((id_ for id_ in account.of_kind(*_RENT_KINDS) if id_ in owed), None)
    if oldest is None:
        return None
    standing = owed[oldest]
    label = arrears_label(account.entries[oldest].planned.label)
    words = _build_item_words(label, FeeCategory.OTHER, TaxTreatment.OUT_OF_SCOPE)
    line = PlannedLine("arrears", words, None, None, standing.unpaid_yen)
    due_on = charge_due_on(on, days_from(on, 14))
    taken = arrears_of(standing, standing.unpaid_yen)
    return account.post(
        _plan_entry(account, EntryKind.ARREARS, line, due_on, on),
        on,
        14,
        arrears_of_id=oldest,
        cancelled_yen=taken.cancelled_yen,
    )


_RENT_KINDS = (EntryKind.RENT, EntryKind.STUB)
_CREDIT_YEN = 6_000
_WRONG_YEN = 71_500


def _build_item_words(label: Bilingual, category: FeeCategory, tax: TaxTreatment) -> ItemWords:
    return ItemWords(label.ja or "", label.en or "", category, tax)


def _plan_entry(
    account: AccountHistory, kind: EntryKind, line: PlannedLine, due_on: date, on: date
) -> PlannedEntry:
    label = Bilingual(line.words.label_ja, line.words.label_en)
    period = account.fresh_period(on)
    return PlannedEntry(account.reservation_id, kind, period, label, due_on, (line,), ())
