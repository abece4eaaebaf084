"""Building owners: their shares, income and balance."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from pms.rules.days import ONE_DAY, month_days, month_first, month_last
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.ledger_entries import EntryPayment
from pms.rules.yen import percent_charge


class PublishedPayout(NamedTuple):
    """The payout in the last published statement of a month, in whole yen."""

    yen: int
    payout_on: date


class OwnerMonth(NamedTuple):
    """One month of a building: income and deductions in whole yen, and its payout if published.

    `rent_yen` is what the operator pays for it under a master lease; it bears no management fee.
    """

    month_on: date
    income_yen: int
    deducted_yen: int
    management_percent: Decimal = Decimal(0)
    published: PublishedPayout | None = None
    rent_yen: int = 0

    @property
    def fee_yen(self) -> int:
        """The management fee on the income, rounded once as a charge (Money 3)."""
        return percent_charge(self.management_percent, self.income_yen)

    @property
    def result_yen(self) -> int:
        """Income and rent less all deductions."""
        return self.income_yen + self.rent_yen - self.fee_yen - self.deducted_yen


@dataclass(frozen=True, slots=True)
class OwnerBalance:
    """The balance of one month in whole yen; amounts carried forward may be negative."""

    opening_yen: int
    income_yen: int
    fee_yen: int
    deducted_yen: int
    payout_yen: int
    rent_yen: int = 0

    @property
    def closing_yen(self) -> int:
        """The balance of the month before the payout (Owner)."""
        earned_yen = self.income_yen + self.rent_yen
        return self.opening_yen + earned_yen - self.fee_yen - self.deducted_yen

    @property
    def carried_yen(self) -> int:
        """The amount carried to the next month."""
        return self.closing_yen - self.payout_yen


def owner_balance(earlier: Iterable[OwnerMonth], month: OwnerMonth, today: date) -> OwnerBalance:
    """The balance of a month after all earlier ones (Owner; Money 1).

    Without a published statement nothing is paid out and the month is carried forward. A balance
    that is not negative is paid out whole; once its day has come, a published payout is final, and
    corrections are carried to the next month.
    """
    opening_yen = sum(past.result_yen - _sent_yen(past) for past in earlier)
    closing_yen = opening_yen + month.result_yen
    return OwnerBalance(
        opening_yen=opening_yen,
        income_yen=month.income_yen,
        fee_yen=month.fee_yen,
        deducted_yen=month.deducted_yen,
        payout_yen=_payout_yen(month.published, closing_yen, today),
        rent_yen=month.rent_yen,
    )


def payout_day(month_on: date, day: int) -> date:
    """The day of the next month on which a month is paid out, or that month's last day."""
    next_first = month_last(month_on) + ONE_DAY
    return next_first.replace(day=min(day, month_days(next_first)))


def _sent_yen(month: OwnerMonth) -> int:
    return month.published.yen if month.published is not None else 0


def _payout_yen(published: PublishedPayout | None, closing_yen: int, today: date) -> int:
    if published is not None and published.payout_on <= today:
        return published.yen
    return max(closing_yen, 0)


# Income is what was received, not what was billed; a held deposit is no income.
ByCategory: TypeAlias = Mapping[FeeCategory, int]


class CategoryPosting(NamedTuple):
    """Payable lines of one category posted on one day, in whole yen; a credit is negative.

    Those of days under a master lease are the operator's own.
    """

    on: date
    category: FeeCategory
    yen: int
    tax: TaxTreatment = TaxTreatment.EXEMPT
    is_operators: bool = False


@dataclass(frozen=True, slots=True)
class BilledMoney:
    """The facts of one entry that income needs: its amounts without deposits, and its payments.

    `taken_over` are the yen that arrears charges cancel of it, negative when they are restored.
    """

    postings: tuple[CategoryPosting, ...]
    payments: tuple[EntryPayment, ...] = ()
    taken_over: tuple[EntryPayment, ...] = ()
    voided_on: date | None = None


class BillPart(NamedTuple):
    """What of the payments of a bill, and of what arrears charges took over, is one side's."""

    paid_yen: int
    taken_over_yen: int


class DividedBill(NamedTuple):
    """The two sides of a bill: the owner's, and the operator's of days under a master lease."""

    owners: BillPart
    operators: BillPart


def divide_bill(
    owners_yen: int, operators_yen: int, paid_yen: int, taken_over_yen: int
) -> DividedBill:
    """Divide the payments of a bill, whose payable lines are given by side, in whole yen.

    Payments fill the owner's lines first, so that no owner waits for the operator's money; an
    arrears charge takes over the operator's lines first. What is paid above the owner's lines, and a
    deposit, is on the operator's side. Of a credit the owner's lines are set off first.
    """
    owners_taken_yen = max(taken_over_yen - max(operators_yen, 0), 0)
    if owners_yen + operators_yen < 0:
        owners_paid_yen = -min(max(-paid_yen, 0), max(-owners_yen, 0))
    else:
        owners_paid_yen = max(min(paid_yen, owners_yen - owners_taken_yen), 0)
    return DividedBill(
        BillPart(owners_paid_yen, owners_taken_yen),
        BillPart(paid_yen - owners_paid_yen, taken_over_yen - owners_taken_yen),
    )


def received_by(entry: BilledMoney, on: date, *, is_operators: bool = False) -> ByCategory:
    """What the payable lines of one side of an entry received by the end of a day (Deposit 1, Line).

    Payments fill the payable lines before a deposit, in a fixed order of categories; the rest is
    overpaid and no income. A voided entry received nothing. The set-off part of a credit is taken
    back, because the bill it paid received as much.
    """
    if entry.voided_on is not None and entry.voided_on <= on:
        return {}
    posted = [posting for posting in entry.postings if posting.on <= on]
    postings = [posting for posting in posted if posting.is_operators is is_operators]
    side_yen = sum(posting.yen for posting in postings)
    other_yen = sum(posting.yen for posting in posted) - side_yen
    owners_yen, operators_yen = (other_yen, side_yen) if is_operators else (side_yen, other_yen)
    bill = divide_bill(
        owners_yen,
        operators_yen,
        sum(payment.yen for payment in entry.payments if payment.on <= on),
        sum(part.yen for part in entry.taken_over if part.on <= on),
    )
    part = bill.operators if is_operators else bill.owners
    if owners_yen + operators_yen < 0:
        return _taken_back(postings, -part.paid_yen)
    wanted = _category_amounts(postings)
    left_yen = min(part.paid_yen, sum(wanted.values()) - part.taken_over_yen)
    received: dict[FeeCategory, int] = {}
    for category, yen in wanted.items():
        filled_yen = min(yen, max(left_yen, 0))
        if filled_yen:
            received[category] = filled_yen
            left_yen -= filled_yen
    return received


def received_by_class(entry: BilledMoney, on: date) -> Mapping[TaxTreatment, int]:
    """What the owner's lines received by the end of a day, by class of consumption tax.

    What a category received fills its classes in their order; the last takes what credits leave over.
    """
    billed: defaultdict[FeeCategory, dict[TaxTreatment, int]] = defaultdict(dict)
    for posting in entry.postings:
        if posting.on <= on and not posting.is_operators:
            classes = billed[posting.category]
            classes[posting.tax] = classes.get(posting.tax, 0) + posting.yen
    found: defaultdict[TaxTreatment, int] = defaultdict(int)
    for category, yen in received_by(entry, on).items():
        sign, left_yen = (-1 if yen < 0 else 1), abs(yen)
        classes = billed[category]
        in_order = [tax for tax in TaxTreatment if tax in classes]
        for tax in in_order[:-1]:
            part = min(max(sign * classes[tax], 0), left_yen)
            found[tax] += sign * part
            left_yen -= part
        found[in_order[-1]] += sign * left_yen
    return found


def operators_receipts(entry: BilledMoney) -> Mapping[date, ByCategory]:
    """What the operator's lines of an entry received on each day, in whole yen by category."""
    received: dict[date, ByCategory] = {}
    before: ByCategory = {}
    for on in sorted(_days_of(entry)):
        now = received_by(entry, on, is_operators=True)
        change = {c: now.get(c, 0) - before.get(c, 0) for c in FeeCategory}
        received[on] = {category: yen for category, yen in change.items() if yen}
        before = now
    return received


def monthly_income(entry: BilledMoney) -> Mapping[date, ByCategory]:
    """The owner's income of each month with an event of an entry (Owner; Deposit 1).

    A month is named by its first day. The months sum to everything received; a month in which money
    was returned, or the entry was voided, is negative.
    """
    income: dict[date, ByCategory] = {}
    before: ByCategory = {}
    for month_on in sorted({month_first(on) for on in _days_of(entry)}):
        now = received_by(entry, month_last(month_on))
        change = {c: now.get(c, 0) - before.get(c, 0) for c in FeeCategory}
        income[month_on] = {category: yen for category, yen in change.items() if yen}
        before = now
    return income


def _category_amounts(postings: Iterable[CategoryPosting]) -> dict[FeeCategory, int]:
    """The amount of each category, with credits deducted from the first that can bear them."""
    sums: defaultdict[FeeCategory, int] = defaultdict(int)
    for posting in postings:
        sums[posting.category] += posting.yen
    credit_yen = -sum(yen for yen in sums.values() if yen < 0)
    wanted: dict[FeeCategory, int] = {}
    for category in FeeCategory:
        asked = max(sums.get(category, 0), 0)
        borne = min(asked, credit_yen)
        credit_yen -= borne
        wanted[category] = asked - borne
    return wanted


def _taken_back(postings: Iterable[CategoryPosting], set_off_yen: int) -> dict[FeeCategory, int]:
    """What a credit takes back of each category, as far as it was set off; never positive."""
    mirrored = (posting._replace(yen=-posting.yen) for posting in postings)
    taken: dict[FeeCategory, int] = {}
    left_yen = max(set_off_yen, 0)
    for category, yen in _category_amounts(mirrored).items():
        part = min(yen, left_yen)
        if part:
            taken[category] = -part
            left_yen -= part
    return taken


def _days_of(entry: BilledMoney) -> set[date]:
    days = {posting.on for posting in entry.postings}
    days |= {part.on for part in (*entry.payments, *entry.taken_over)}
    if entry.voided_on is not None:
        days.add(entry.voided_on)
    return days


_AS_PARTS: Final = re.compile(r"([0-9]{1,6})\s*/\s*([0-9]{1,6})")
_JAPANESE: Final = re.compile(r"([0-9]{1,6})分の([0-9]{1,6})")
_PERCENT: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)\s*%")
_NARROW: Final = str.maketrans("０１２３４５６７８９／％．　", "0123456789/%. ")


class OwnerShare(NamedTuple):
    """An owner's share of a building; owners have an order."""

    owner_id: str
    numerator: int
    denominator: int

    @property
    def part(self) -> Fraction:
        """The share of the whole."""
        return Fraction(self.numerator, self.denominator)

    @property
    def text(self) -> str:
        """The share as written."""
        return f"{self.numerator}/{self.denominator}"


def read_share(text: str) -> Fraction | None:
    """Read 1/3, 3分の1 or 33.5%; None for anything that is no share above 0 and at most 1."""
    written = text.translate(_NARROW).strip()
    part = None
    if found := _AS_PARTS.fullmatch(written):
        part = (int(found[1]), int(found[2]))
    elif found := _JAPANESE.fullmatch(written):
        part = (int(found[2]), int(found[1]))
    elif found := _PERCENT.fullmatch(written):
        share = Fraction(found[1]) / 100
        part = (share.numerator, share.denominator)
    if part is None or not 0 < part[0] <= part[1]:
        return None
    return Fraction(*part)


def parts_of(shares: Sequence[OwnerShare], yen: int) -> Mapping[str, int]:
    """Each owner's part of whole yen; the parts sum to it.

    Each part is rounded towards 0, and the first owner receives the remaining yen.
    """
    sign = -1 if yen < 0 else 1
    parts = {
        share.owner_id: sign * (abs(yen) * share.numerator // share.denominator) for share in shares
    }
    parts[shares[0].owner_id] += yen - sum(parts.values())
    return parts


class RunningPart:
    """Splits one amount after another so that the parts sum to the amounts.

    The running total is divided, and an amount's part is the increase of the part: lines, sums and
    balances agree to the yen for every owner, and the owners' columns sum to the whole.
    """

    def __init__(self, shares: Sequence[OwnerShare], owner_ids: Collection[str]) -> None:
        self._shares, self._owner_ids, self._total_yen = shares, frozenset(owner_ids), 0

    def take(self, yen: int) -> int:
        """Return their part of the next amount."""
        before_yen = self.yen
        self._total_yen += yen
        return self.yen - before_yen

    @property
    def yen(self) -> int:
        """Their part of all amounts so far."""
        return part_of(self._shares, self._owner_ids, self._total_yen)


def part_of(shares: Sequence[OwnerShare], owner_ids: Collection[str], yen: int) -> int:
    """The part of whole yen that belongs to some of the owners together."""
    return sum(part for id_, part in parts_of(shares, yen).items() if id_ in owner_ids)
