"""Journals: the money of tenancies and owners as debits and credits.

A journal consists of postings to roles ("money/cash", "income/rent"); the workspace decides which
of its accounts has which role. A posting is whole yen, a debit positive, a credit negative; the
postings of a journal sum to 0.

A building of the operator's own earns when it is billed: what is unpaid is a receivable. Rent of a
building with an owner is the owner's money: it is a liability from the day it is received, and
unpaid bills are not booked. Under a master lease the rents are earned like those of a building of the
operator's own, and what the owner is paid for the building is an expense. Deposits are a liability as
far as they were paid (Deposit 1).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from pms.rules.days import month_first
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.ledger_entries import EntryBalance
from pms.rules.owner_income import divide_bill

RECEIVABLE: Final = "receivable"
DEPOSITS: Final = "deposits"
OVERPAYMENTS: Final = "overpayments"
REFUNDS: Final = "refunds"
OPENING: Final = "opening"
OWNERS_MONEY: Final = "owners_money"
MANAGEMENT_FEE: Final = "management_fee"
OWNERS_COSTS: Final = "owners_costs"
LEASE_RENT: Final = "lease_rent"
KEPT_DEPOSIT: Final = "income/kept_deposit"
OTHER_MONEY: Final = "money/other"
SETTLING: Final = "settling"
"""The role through which the postings of one settlement pass; they cancel out in its journal.

What a refund takes of money overpaid after the settlement passes too, and is to be sent back.
"""

_OPENING_METHOD: Final = "opening"


class BookedTax(StrEnum):
    """The classes of consumption tax as accounting programs name them: sales, and purchases."""

    OUT_OF_SCOPE = "out_of_scope"
    EXEMPT = "exempt"
    TAXABLE_10 = "taxable_10"
    EXEMPT_PURCHASE = "exempt_purchase"
    TAXABLE_10_PURCHASE = "taxable_10_purchase"


_PURCHASES: Final = {
    TaxTreatment.OUT_OF_SCOPE: BookedTax.OUT_OF_SCOPE,
    TaxTreatment.EXEMPT: BookedTax.EXEMPT_PURCHASE,
    TaxTreatment.TAXABLE_10: BookedTax.TAXABLE_10_PURCHASE,
}


class Posting(NamedTuple):
    """Whole yen on a role: a debit positive, a credit negative.

    `owner` names whose part it is where a building has several owners.
    """

    role: str
    yen: int
    tax: TaxTreatment = TaxTreatment.OUT_OF_SCOPE
    owner: str = ""

    @property
    def booked_tax(self) -> BookedTax:
        """The class under which it is booked: an expense is a purchase."""
        return _PURCHASES[self.tax] if self.role == LEASE_RENT else BookedTax(self.tax)


def income_role(category: FeeCategory) -> str:
    """Return the income role of a category."""
    return f"income/{category.value}"


def money_role(method: str) -> str:
    """Return the role of money received by a payment method; an opening payment received none."""
    return OPENING if method == _OPENING_METHOD else f"money/{method}"


class EventOrder(IntEnum):
    """The order of events on one day: bills before the money that pays them."""

    POSTED = 1
    TAKEN_OVER = 2
    PAID = 3


class PostedLines(NamedTuple):
    """Lines of one category posted to an entry on a day, in whole yen; a credit is negative.

    Those of days under a master lease are the operator's.
    """

    category: FeeCategory
    tax: TaxTreatment
    yen: int
    is_deposit: bool = False
    is_operators: bool = False


class EntryEvent(NamedTuple):
    """What happened to an entry on a day, and the kind of journal for it.

    It has lines, or yen that an arrears charge took over, or yen that reached the entry from a role
    (negative: left it). A role of `None` moves yen within the reservation. `tax` is the class of the
    arrears charge.
    """

    on: date
    order: EventOrder
    key: str
    lines: Sequence[PostedLines] = ()
    yen: int = 0
    source: str | None = None
    tax: TaxTreatment = TaxTreatment.OUT_OF_SCOPE


@dataclass(frozen=True, slots=True)
class EntryMoney:
    """One ledger entry and all its events.

    `is_owners`: the building has an owner, whose money it is. `is_income`: neither an opening entry
    nor a charge that collects one.
    """

    id: str
    events: Sequence[EntryEvent]
    is_owners: bool = False
    is_income: bool = True


def divide_entry(entry: EntryMoney) -> Sequence[EntryMoney]:
    """Return an entry as the owner's part and the operator's, where it bills days of both.

    What a payment fills may pass from one to the other when lines are added later.
    """
    lines = [line for event in entry.events for line in event.lines if not line.is_deposit]
    if not entry.is_owners or not any(line.is_operators for line in lines):
        return (entry,)
    if all(line.is_operators for line in lines):
        return (replace(entry, is_owners=False),)
    owners: list[EntryEvent] = []
    operators: list[EntryEvent] = []
    owners_yen = operators_yen = paid_yen = taken_over_yen = 0
    bill = divide_bill(0, 0, 0, 0)
    for event in sorted(entry.events, key=_event_place):
        theirs = [line for line in event.lines if not (line.is_operators or line.is_deposit)]
        own = [line for line in event.lines if line.is_operators or line.is_deposit]
        owners_yen += sum(line.yen for line in theirs)
        operators_yen += sum(line.yen for line in own if not line.is_deposit)
        paid_yen += event.yen if event.order is EventOrder.PAID else 0
        taken_over_yen += event.yen if event.order is EventOrder.TAKEN_OVER else 0
        was, bill = bill, divide_bill(owners_yen, operators_yen, paid_yen, taken_over_yen)
        for events, posted, before, after in (
            (owners, theirs, was.owners, bill.owners),
            (operators, own, was.operators, bill.operators),
        ):
            if posted:
                events.append(event._replace(lines=posted))
            for order, yen in (
                (EventOrder.TAKEN_OVER, after.taken_over_yen - before.taken_over_yen),
                (EventOrder.PAID, after.paid_yen - before.paid_yen),
            ):
                if yen:
                    source = event.source if order is event.order else None
                    moved = event._replace(order=order, lines=(), yen=yen, source=source)
                    events.append(moved)
    return replace(entry, events=owners), replace(entry, events=operators, is_owners=False)


def _event_place(event: EntryEvent) -> tuple[date, EventOrder, str]:
    return event.on, event.order, event.key


class EventPostings(NamedTuple):
    """The postings of one event of an entry."""

    key: str
    on: date
    postings: Sequence[Posting]


def entry_moves(entry: EntryMoney) -> Iterator[EventPostings]:
    """Return the postings of each event of an entry, in order of days (Money 1)."""
    state = _State()
    for event in sorted(entry.events, key=_event_place):
        before = state.sides(entry)
        state.take(event)
        after = state.sides(entry)
        postings = [*_own_side(entry, event)]
        postings += [Posting(role, after[role] - before[role]) for role in after]
        yield EventPostings(event.key, event.on, [posting for posting in postings if posting.yen])


def _own_side(entry: EntryMoney, event: EntryEvent) -> Iterator[Posting]:
    """The event's own side: the money received and the income earned."""
    if event.order is EventOrder.PAID:
        if event.source is not None:
            yield Posting(event.source, event.yen)
    elif not entry.is_owners:
        for line in event.lines:
            if not line.is_deposit:
                yield _income_posting(entry, line.category, line.tax, line.yen)
        if event.order is EventOrder.TAKEN_OVER:
            # Income that an arrears charge takes over was earned before (Ledger entry).
            yield _income_posting(entry, FeeCategory.OTHER, event.tax, -event.yen)


def _income_posting(
    entry: EntryMoney, category: FeeCategory, tax: TaxTreatment, yen: int
) -> Posting:
    if not entry.is_income:
        return Posting(OPENING, -yen)
    return Posting(income_role(category), -yen, tax)


@dataclass(slots=True)
class _State:
    """What an entry bills and what was paid on it so far."""

    payable_yen: int = 0
    deposit_yen: int = 0
    taken_over_yen: int = 0
    paid_yen: int = 0

    def take(self, event: EntryEvent) -> None:
        if event.order is EventOrder.PAID:
            self.paid_yen += event.yen
        elif event.order is EventOrder.TAKEN_OVER:
            self.taken_over_yen += event.yen
        for line in event.lines:
            if line.is_deposit:
                self.deposit_yen += line.yen
            else:
                self.payable_yen += line.yen

    def sides(self, entry: EntryMoney) -> Mapping[str, int]:
        """The balances of the roles that result; a liability is negative."""
        standing = EntryBalance(
            "", date.min, self.payable_yen, self.deposit_yen, self.paid_yen, self.taken_over_yen
        )
        held_yen, over_yen = standing.collected_yen, standing.overpaid_yen
        if not entry.is_owners:
            open_yen = self.payable_yen - self.taken_over_yen + held_yen + over_yen - self.paid_yen
            return {DEPOSITS: -held_yen, OVERPAYMENTS: -over_yen, RECEIVABLE: open_yen}
        received_yen = self._received_yen
        return {
            DEPOSITS: -held_yen,
            OVERPAYMENTS: -(self.paid_yen - held_yen - received_yen),
            OWNERS_MONEY if entry.is_income else OPENING: -received_yen,
        }

    @property
    def _received_yen(self) -> int:
        """What the owner's statement shows as received; of a credit, the part set off (Owner)."""
        if self.payable_yen < 0:
            return -min(max(-self.paid_yen, 0), -self.payable_yen)
        return max(min(self.paid_yen, self.payable_yen - self.taken_over_yen), 0)


class SettledMoney(NamedTuple):
    """The figures of a settlement in whole yen; `deducted` by class of consumption tax."""

    held_yen: int
    deducted: Mapping[TaxTreatment, int]
    remainder_yen: int
    is_owners: bool


def settlement_postings(settled: SettledMoney) -> Sequence[Posting]:
    """Return the postings of a settlement besides nettings and draws, which are entry events."""
    deducted_yen = sum(settled.deducted.values())
    return (
        Posting(DEPOSITS, settled.held_yen),
        Posting(SETTLING, -settled.held_yen + deducted_yen + settled.remainder_yen),
        *(
            Posting(OWNERS_MONEY, -yen) if settled.is_owners else Posting(KEPT_DEPOSIT, -yen, tax)
            for tax, yen in settled.deducted.items()
        ),
        Posting(REFUNDS, -settled.remainder_yen),
    )


def fee_postings(fee_yen: int) -> Sequence[Posting]:
    """Return the postings of the operator's management fee for an owner's month, a taxable sale."""
    return (
        Posting(OWNERS_MONEY, fee_yen),
        Posting(MANAGEMENT_FEE, -fee_yen, TaxTreatment.TAXABLE_10),
    )


def cost_postings(yen: int) -> Sequence[Posting]:
    """Return the postings of a cost that the operator paid and the owner bears."""
    return (Posting(OWNERS_MONEY, yen), Posting(OWNERS_COSTS, -yen))


def lease_postings(yen: int, tax: TaxTreatment) -> Sequence[Posting]:
    """Return the postings of the rent that the operator owes an owner under a master lease."""
    return (Posting(LEASE_RENT, yen, tax), Posting(OWNERS_MONEY, -yen))


def payout_postings(yen: int) -> Sequence[Posting]:
    """Return the postings of a payout to an owner by bank transfer."""
    return (Posting(OWNERS_MONEY, yen), Posting(money_role("bank_transfer"), -yen))


def refund_postings(yen: int) -> Sequence[Posting]:
    """Return the postings of a refund sent by bank transfer (Deposit 5)."""
    return (Posting(REFUNDS, yen), Posting(money_role("bank_transfer"), -yen))


@dataclass(slots=True)
class Journal:
    """One journal: its key names the cause and never changes; `subject_id` is the record concerned.

    `reverses` marks the opposite of a journal of a closed month, `corrects` one that belongs to a
    closed month: both are entered in the open month.
    """

    key: str
    happened_on: date
    subject_id: str
    building_id: str
    memo: str = ""
    postings: list[Posting] = field(default_factory=list)
    booked_on: date | None = None
    is_late: bool = False

    @property
    def entered_on(self) -> date:
        """The day under which the journal is entered."""
        return self.booked_on or self.happened_on

    @property
    def debit_yen(self) -> int:
        """The sum of the debits, equal to that of the credits."""
        return sum(posting.yen for posting in self.postings if posting.yen > 0)

    @property
    def owners_yen(self) -> int:
        """What it adds to the owner's money, in whole yen."""
        return -sum(posting.yen for posting in self.postings if posting.role == OWNERS_MONEY)

    @property
    def is_income_of_owner(self) -> bool:
        """Whether that is income of the owner and bears the management fee."""
        return self.key.startswith(_INCOME_KEYS)

    @property
    def is_payout(self) -> bool:
        """Whether it pays an owner the balance of a month."""
        return self.key.startswith(PAYOUT_KEY)

    @property
    def statement_month_on(self) -> date:
        """The first day of the month whose owner statement contains it; a payout's is paid later."""
        if self.is_payout:
            return date.fromisoformat(self.key.rpartition("/")[2])
        return month_first(self.happened_on)

    def combine_postings(self) -> "Journal":
        """Combine the postings, debits first; those that cancel out are dropped.

        What passed through the settlement and is left is money to be sent back.
        """
        left_yen = sum(posting.yen for posting in self.postings if posting.role == SETTLING)
        sent_back = [Posting(SETTLING, -left_yen), Posting(REFUNDS, left_yen)]
        self.postings = combine_postings([*self.postings, *sent_back])
        return self


PAYOUT_KEY: Final = "payout/"
LEASE_KEY: Final = "lease/"
_INCOME_KEYS: Final = ("bill/", "payment/", "set-off/", "settlement/", "transfer/")


def combine_postings(postings: Iterable[Posting]) -> list[Posting]:
    """Return one posting per role and tax, debits first, without those that sum to 0.

    Parts of owners are added together too.
    """
    sums: defaultdict[tuple[str, TaxTreatment], int] = defaultdict(int)
    for role, yen, tax, _owner in postings:
        sums[role, TaxTreatment(tax)] += yen
    found = [Posting(role, yen, tax) for (role, tax), yen in sums.items() if yen]
    return sorted(found, key=lambda line: (line.yen < 0, line.role, line.tax))


def corrections(
    was: Mapping[str, Journal], now: Mapping[str, Journal], on: date
) -> Iterator[Journal]:
    """Return the journals of the open month that correct closed ones: opposites, then new ones.

    `was` are the journals of the closed months by key, `now` what they would be today. Journals
    that are equal in both need nothing.
    """
    for key in sorted({*was, *now}):
        before, after = was.get(key), now.get(key)
        old = combine_postings(before.postings) if before else []
        new = combine_postings(after.postings) if after else []
        if old == new:
            continue
        if before is not None and old:
            yield _build_late_journal(
                before, [posting._replace(yen=-posting.yen) for posting in old], on
            )
        if after is not None and new:
            yield _build_late_journal(after, new, on)


def _build_late_journal(journal: Journal, postings: list[Posting], on: date) -> Journal:
    return Journal(
        journal.key,
        journal.happened_on,
        journal.subject_id,
        journal.building_id,
        journal.memo,
        combine_postings(postings),
        booked_on=on,
        is_late=True,
    )


class Sums(NamedTuple):
    """The debits and credits of one role in whole yen, both positive."""

    role: str
    debit_yen: int
    credit_yen: int


def totals(journals: Iterable[Journal]) -> Sequence[Sums]:
    """Return the debits and credits by role."""
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for journal in journals:
        for posting in journal.postings:
            sums[posting.role][posting.yen < 0] += abs(posting.yen)
    return [Sums(role, *sums[role]) for role in sorted(sums)]
