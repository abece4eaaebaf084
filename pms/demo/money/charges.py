"""Charges of the demo besides rent: for a key, for a repair, and for what stayed unpaid."""

from __future__ import annotations

from datetime import date

from pms.demo.money.account import Account
from pms.demo.stay_plans import days_from
from pms.foundation.bilingual import Bilingual
from pms.ledger.planned_entries import PlannedEntry, PlannedLine
from pms.ledger.wording import ItemWords, arrears_label
from pms.rules.arrears import arrears_of
from pms.rules.billing_calendar import charge_due_on
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from pms.rules.payments import set_off_credit

_ONE_OFF = (
    (Bilingual("鍵の交換", "New key"), 5_500, FeeCategory.SERVICE, TaxTreatment.TAXABLE_10),
    (Bilingual("網戸の修理", "Screen repair"), 8_800, FeeCategory.REPAIR, TaxTreatment.TAXABLE_10),
    (Bilingual("粗大ごみの処分", "Bulky waste"), 3_300, FeeCategory.OTHER, TaxTreatment.TAXABLE_10),
)


def post_one_off(account: Account, number: int, on: date) -> str:
    """Charge one of the things that happen in a house."""
    label, yen, category, tax = _ONE_OFF[number % len(_ONE_OFF)]
    return post_charge(account, label, yen, on, category=category, tax=tax)


def post_charge(
    account: Account,
    label: Bilingual,
    yen: int,
    on: date,
    *,
    category: FeeCategory,
    tax: TaxTreatment = TaxTreatment.EXEMPT,
) -> str:
    """Issue a charge, due on the day it is issued."""
    line = PlannedLine("charge", _words(label, category, tax), None, None, yen)
    return account.post(_entry(account, EntryKind.CHARGE, line, charge_due_on(on), on), on, 14)


def post_pet_deposit(account: Account, on: date) -> str:
    """Charge the deposit for a pet, which is held like the first."""
    label = Bilingual("ペット敷金", "Pet deposit")
    return post_charge(account, label, 30_000, on, category=FeeCategory.DEPOSIT)


def post_credit(account: Account, on: date) -> str:
    """Credit the days without hot water, set off against what is unpaid."""
    label = Bilingual("給湯器の故障による減額", "No hot water for three days")
    words = _words(label, FeeCategory.RENT, TaxTreatment.EXEMPT)
    line = PlannedLine("credit", words, None, None, -_CREDIT_YEN)
    unpaid = account.standings(on)
    credit_id = account.post(_entry(account, EntryKind.CREDIT, line, on, on), on, 14)
    for entry_id, yen in set_off_credit(_CREDIT_YEN, unpaid).allocations:
        account.allocate(credit_id, -yen, on)
        account.allocate(entry_id, yen, on)
    return credit_id


def record_by_mistake(account: Account, on: date) -> None:
    """Record the transfer of somebody else on the latest bill, and reverse it on the next day."""
    bills = account.of_kind(*_RENTS)
    if bills:
        payment_id = account.pay(bills[-1], _WRONG_YEN, on)
        reason = "同じ建物の別の入居者の振込"
        account.reverse(payment_id, bills[-1], _WRONG_YEN, days_from(on, 1), reason)


def post_arrears(account: Account, on: date) -> str | None:
    """Charge the shortfall of the oldest rent that stayed unpaid; None where nothing did."""
    owed = {one.id: one for one in account.standings(on) if one.unpaid_yen and one.due_on < on}
    oldest = next((id_ for id_ in account.of_kind(*_RENTS) if id_ in owed), None)
    if oldest is None:
        return None
    standing = owed[oldest]
    label = arrears_label(account.entries[oldest].planned.label)
    words = _words(label, FeeCategory.OTHER, TaxTreatment.EXEMPT)
    line = PlannedLine("arrears", words, None, None, standing.unpaid_yen)
    due_on = charge_due_on(on, days_from(on, 14))
    taken = arrears_of(standing, standing.unpaid_yen)
    return account.post(
        _entry(account, EntryKind.ARREARS, line, due_on, on),
        on,
        14,
        arrears_of_id=oldest,
        cancelled_yen=taken.cancelled_yen,
    )


_RENTS = (EntryKind.RENT, EntryKind.STUB)
_CREDIT_YEN = 6_000
_WRONG_YEN = 71_500


def _words(label: Bilingual, category: FeeCategory, tax: TaxTreatment) -> ItemWords:
    return ItemWords(label.ja or "", label.en or "", category, tax)


def _entry(
    account: Account, kind: EntryKind, line: PlannedLine, due_on: date, on: date
) -> PlannedEntry:
    label = Bilingual(line.words.label_ja, line.words.label_en)
    period = account.fresh_period(on)
    return PlannedEntry(account.reservation_id, kind, period, label, due_on, (line,), ())
