"""The check before going live: the next bills and the sums against the sheet."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from pms.arrivals.takeover.answered import PreparedRow
from pms.arrivals.takeover.guides import SUMS, Guide
from pms.arrivals.takeover.row_fields import State
from pms.arrivals.takeover.taken import Question, ReadTenancy
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import ONE_DAY, month_first, month_last
from pms.rules.enumerations import RecurringItem
from pms.rules.policy import Policy
from pms.rules.price_changes import PriceSpan
from pms.rules.rent_lines import Price
from pms.rules.rent_rows import row_lines, rows_to_issue
from pms.rules.roll_heads import FEES, Meaning
from pms.rules.room_names import building_key, room_key
from pms.rules.unit_stays import TenancyFacts
from pms.workspaces.queries import policy

_ITEMS: Final = {
    Meaning.COMMON_FEE.value: RecurringItem.BUILDING_MAINTENANCE.value,
    Meaning.UTILITIES.value: RecurringItem.UTILITIES.value,
}


class DifferenceReason(StrEnum):
    """Why the next bill differs from the monthly sum in the sheet."""

    BILLED_ALREADY = "billed_already"
    BEGINS_LATER = "begins_later"
    PART_OF_MONTH = "part_of_month"
    ENDED = "ended"
    MOVES_OUT = "moves_out"
    FREE_OF_RENT = "free_of_rent"
    EDITED = "edited"
    SHEET_SUM = "sheet_sum"


@dataclass(frozen=True, slots=True)
class NextBill:
    """The next month's bill of one tenancy, and the sum in the sheet."""

    row: PreparedRow
    sheet_yen: int
    bill_yen: int
    reasons: tuple[DifferenceReason, ...]
    word: str = ""
    """The reason given when the difference was accepted."""

    @property
    def difference_yen(self) -> int:
        """The difference of the bill in yen; 0 for a month that was billed elsewhere."""
        is_billed = DifferenceReason.BILLED_ALREADY in self.reasons and not self.bill_yen
        return 0 if is_billed else self.bill_yen - self.sheet_yen

    @property
    def is_settled(self) -> bool:
        """Whether there is no difference, or an accepted one."""
        return not self.difference_yen or bool(self.word)


@dataclass(frozen=True, slots=True)
class Sum:
    """One sum of the rows, and the sum that the office expects."""

    name: str
    rows_yen: int
    shown_yen: int | None
    """The sum in the sheet itself."""
    typed_yen: int | None
    word: str = ""
    waiting_yen: int = 0
    """The sum of the rows that wait for an answer; it is not in `rows_yen`."""
    here_yen: int = 0
    """The sum of the rows that were taken over before; it is not in `rows_yen`."""

    @property
    def expected_yen(self) -> int | None:
        """The sum the rows must match: the typed one, else the sheet's."""
        return self.shown_yen if self.typed_yen is None else self.typed_yen

    @property
    def difference_yen(self) -> int:
        """The difference between the rows, those taken over before too, and the expected sum."""
        if self.expected_yen is None:
            return 0
        return self.rows_yen + self.here_yen - self.expected_yen

    @property
    def is_settled(self) -> bool:
        """Whether the expected sum is known and matched, or the difference accepted."""
        return self.expected_yen is not None and (not self.difference_yen or bool(self.word))


@dataclass(frozen=True, slots=True)
class Check:
    """Everything that is compared before going live."""

    month_on: date
    bills: Sequence[NextBill]
    sums: Sequence[Sum]
    waiting: Sequence[PreparedRow]
    here: Sequence[PreparedRow]
    """The rows that were taken over before."""
    new_rooms: int
    about_files: Sequence[Question] = ()
    """The open questions about the files that must be answered first."""

    @property
    def differing(self) -> list[NextBill]:
        """The bills that differ from the sheet."""
        return [bill for bill in self.bills if bill.difference_yen]

    @property
    def already_billed(self) -> list[NextBill]:
        """The bills of the month that were issued elsewhere."""
        return [bill for bill in self.bills if DifferenceReason.BILLED_ALREADY in bill.reasons]

    @property
    def bill_yen(self) -> int:
        """The sum of the next month's bills."""
        return sum(bill.bill_yen for bill in self.bills)

    @property
    def sheet_yen(self) -> int:
        """The sum of the month by the sheet, without tenancies billed elsewhere."""
        return sum(bill.bill_yen - bill.difference_yen for bill in self.bills)

    @property
    def is_settled(self) -> bool:
        """Whether the guide may go live."""
        is_open = self.about_files or self.open_bills or self.open_sums
        return not self.is_nothing_new and not is_open

    @property
    def open_bills(self) -> list[NextBill]:
        """The bills whose difference was not accepted."""
        return [bill for bill in self.bills if not bill.is_settled]

    @property
    def open_sums(self) -> list[Sum]:
        """The sums that are missing, or differ without a reason."""
        return [total for total in self.sums if not total.is_settled]

    @property
    def is_nothing_new(self) -> bool:
        """Whether going live would write nothing: no tenancy and no room that is not here yet."""
        return not self.bills and not self.new_rooms


def check_guide(session: Session, guide: Guide, today: date) -> Check:
    """Compare the next bill of every row that can be taken over, and the sums."""
    figures = policy(session)
    ready = _ready_rows(guide)
    month_on = first_month_here(guide, today)
    accepted = guide.row.accepted
    bills: list[NextBill] = []
    for row in ready:
        let = row.let
        assert let is not None
        bill_yen = bill_of(let, month_on, today, figures)
        sheet_yen = let.monthly if row.read_monthly is None else row.read_monthly
        why = _list_reasons(row, let, month_on, sheet_yen) if bill_yen != sheet_yen else ()
        reasons = tuple(dict.fromkeys(why))
        bills.append(NextBill(row, sheet_yen, bill_yen, reasons, accepted.get(row.at, "")))
    known_rows = [row for row in guide.prepared.rows if row.is_here]
    rooms = {
        (building_key(row.values["building"]), room_key(row.values["room"]))
        for row in guide.prepared.rows
        if row.unit is not None and row.is_new_room and not row.is_waiting
    }
    sums = tuple(_compare_sums(guide, ready, known_rows))
    waiting, about_files = guide.prepared.waiting, guide.prepared.waiting_for_files
    return Check(month_on, bills, sums, waiting, known_rows, len(rooms), about_files)


def _ready_rows(guide: Guide) -> list[PreparedRow]:
    """Return the tenancies that can be taken over as they are."""
    return [
        row
        for row in guide.prepared.rows
        if row.state is State.LET and row.let is not None and not row.is_waiting and not row.is_here
    ]


def first_month_here(guide: Guide, today: date) -> date:
    """Return the first month billed here: the one after most rows' last day billed."""
    through = guide.billed_through
    if through is None:
        ready = _ready_rows(guide)
        days = Counter(row.let.billed_through for row in ready if row.let is not None)
        through = days.most_common(1)[0][0] if days else today
    return month_first((through or today) + ONE_DAY)


def bill_of(let: ReadTenancy, month_on: date, today: date, figures: Policy) -> int:
    """Return what the billing of a month would bill for a taken-over tenancy, in yen."""
    if let.start is None:
        return 0
    tenancy = TenancyFacts(
        ContractTerm(let.start, let.end),
        filed_on=None if let.notice is None else let.notice.filed_on,
        move_out_on=None if let.notice is None else let.notice.move_out_on,
        billed_through_on=let.billed_through,
    )
    price, last_on = _price_of(let, let.start), month_last(month_on)
    rows = rows_to_issue(tenancy, (), today, last_on, figures)
    return sum(
        line.yen
        for row in rows
        if month_on <= row.first_on <= last_on
        for line in row_lines(price, row, let.start)
    )


def _price_of(let: ReadTenancy, start: date) -> Price:
    amounts = {RecurringItem.BASE_RENT.value: let.rent or 0}
    amounts |= {_ITEMS.get(name, name): yen for name, yen in let.fees.items()}
    until = let.free_until
    if until is None or until < start:
        return Price((PriceSpan(start, None, amounts),))
    free = amounts | {RecurringItem.BASE_RENT.value: 0}
    return Price(
        (PriceSpan(start, until, free), PriceSpan(until + ONE_DAY, None, amounts)),
    )


def _list_reasons(
    row: PreparedRow, let: ReadTenancy, month_on: date, sheet_yen: int
) -> Iterator[DifferenceReason]:
    last_on, start = month_last(month_on), let.start or month_on
    through = let.billed_through
    if through is not None and through >= last_on:
        yield DifferenceReason.BILLED_ALREADY
    elif through is not None and through >= month_on:
        yield DifferenceReason.PART_OF_MONTH
    if start > last_on:
        yield DifferenceReason.BEGINS_LATER
    elif start > month_on:
        yield DifferenceReason.PART_OF_MONTH
    if let.notice is not None and let.notice.move_out_on < last_on:
        yield DifferenceReason.MOVES_OUT
    elif let.end is not None and let.end < last_on:
        yield DifferenceReason.ENDED
    if let.free_until is not None and let.free_until >= month_on:
        yield DifferenceReason.FREE_OF_RENT
    # A fee may have been removed by an edit, so that the tenancy has it no more.
    if row.edited & {"rent", *(fee.value for fee in FEES)}:
        yield DifferenceReason.EDITED
    elif sheet_yen != let.monthly:
        yield DifferenceReason.SHEET_SUM


def _compare_sums(
    guide: Guide, ready: Sequence[PreparedRow], known_rows: Sequence[PreparedRow]
) -> Iterator[Sum]:
    read, waiting, before = _sums_of(ready), _sums_of(guide.prepared.waiting), _sums_of(known_rows)
    shown = dict(guide.prepared.read.whole_totals)
    if "unpaidLessOverpaid" in shown and "unpaid" not in shown:
        overpaid = read["overpaid"] + before["overpaid"]
        shown["unpaid"] = shown["unpaidLessOverpaid"] + overpaid
        shown["overpaid"] = overpaid
    totals, accepted = guide.row.totals, guide.row.accepted
    for name in SUMS:
        usual = 0 if name == "overpaid" and not read[name] + before[name] else None
        expected, word = shown.get(name, usual), accepted.get(name, "")
        typed = totals.get(name)
        yield Sum(name, read[name], expected, typed, word, waiting[name], before[name])


def _sums_of(rows: Sequence[PreparedRow]) -> dict[str, int]:
    lets = [row.let for row in rows if row.let is not None]
    return {
        "depositHeld": sum(let.deposit_held or 0 for let in lets),
        "unpaid": sum(debt.yen for let in lets for debt in let.unpaid),
        "overpaid": sum(let.overpaid for let in lets),
    }
