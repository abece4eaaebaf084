"""Which open bills an amount pays: one, several, part of one, or one less a bank fee."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

USUAL_FEES: Final = (110, 145, 165, 220, 275, 330, 440, 550, 660, 770, 880)
"""Transfer fees that banks deduct when the payer leaves them to the payee."""
LARGEST_FEE: Final = USUAL_FEES[-1]
_MOST_SUMS: Final = 20_000
_MOST_BILLS: Final = 24


class OpenBill(NamedTuple):
    """A bill and its open amount."""

    id: str
    resident_id: str
    due_on: date
    issued_on: date
    open_yen: int


class PaymentPart(NamedTuple):
    """The part of a transfer that pays a bill."""

    bill_id: str
    resident_id: str
    yen: int


class AmountReason(StrEnum):
    """Why an amount is taken to pay these bills."""

    ONE_BILL = "one_bill"
    ALL_OPEN = "all_open"
    OLDEST = "oldest"
    ONLY_SUM = "only_sum"
    LESS_A_FEE = "less_a_fee"
    PART = "part"
    PART_OF_SEVERAL = "part_of_several"
    MORE_THAN_OPEN = "more_than_open"
    NOTHING_OPEN = "nothing_open"
    SEVERAL_SUMS = "several_sums"
    COMPANY_LESS_A_FEE = "company_less_a_fee"


class PaidBills(NamedTuple):
    """The bills an amount pays and how certain that is; `held_yen` matched no bill."""

    reason: AmountReason
    is_certain: bool
    parts: tuple[PaymentPart, ...]
    held_yen: int = 0
    fee_yen: int = 0


def in_order(bills: Sequence[OpenBill]) -> list[OpenBill]:
    """The bills with an open amount, oldest due first."""
    return sorted(
        (bill for bill in bills if bill.open_yen > 0),
        key=lambda bill: (bill.due_on, bill.issued_on, bill.id),
    )


def explain_amount(
    yen: int, bills: Sequence[OpenBill], fees: Collection[int] = USUAL_FEES
) -> PaidBills:
    """Match whole yen with the open bills of one person, or of all for whom a company pays."""
    standing = in_order(bills)
    if not standing:
        return PaidBills(AmountReason.NOTHING_OPEN, False, (), held_yen=yen)
    if len(standing) == 1:
        return _explain_by_one(yen, standing[0], fees)
    is_company = len({bill.resident_id for bill in standing}) > 1
    exact = _find_exact_bills(yen, standing, is_company=is_company)
    if exact is not None:
        return exact
    total = sum(bill.open_yen for bill in standing)
    if yen > total:
        return PaidBills(
            AmountReason.MORE_THAN_OPEN, False, _pour_over_bills(yen, standing), yen - total
        )
    less = _less_a_fee(yen, standing, fees, is_company=is_company)
    if less is not None:
        return less
    return PaidBills(AmountReason.PART_OF_SEVERAL, False, _pour_over_bills(yen, standing))


def _explain_by_one(yen: int, bill: OpenBill, fees: Collection[int]) -> PaidBills:
    """Match whole yen with the only open bill, as most people have one at most."""
    parts = _pour_over_bills(yen, [bill])
    missing = bill.open_yen - yen
    if missing == 0:
        return PaidBills(AmountReason.ONE_BILL, True, parts)
    if missing < 0:
        return PaidBills(AmountReason.MORE_THAN_OPEN, False, parts, -missing)
    if missing in fees:
        return PaidBills(AmountReason.LESS_A_FEE, True, parts, fee_yen=missing)
    return PaidBills(AmountReason.PART, True, parts)


def _find_exact_bills(yen: int, bills: list[OpenBill], *, is_company: bool) -> PaidBills | None:
    """The bills that add up to the yen; with several combinations a person decides."""
    total = sum(bill.open_yen for bill in bills)
    if yen == total:
        reason = AmountReason.ONE_BILL if len(bills) == 1 else AmountReason.ALL_OPEN
        return PaidBills(reason, True, _build_whole_parts(bills))
    # Of one bill, or with more yen than are open, no other sum can be reached.
    sums = _count_combinations(yen, bills) if yen < total and len(bills) > 1 else 0
    single = [bill for bill in bills if bill.open_yen == yen]
    if single:
        # Of equal bills of one person the older is paid; of two people a person decides.
        is_clear = not is_company or len({bill.resident_id for bill in single}) == 1
        return PaidBills(
            AmountReason.ONE_BILL,
            is_clear and sums is not None and sums == len(single),
            _build_whole_parts(single[:1]),
        )
    oldest = _find_oldest_bills(yen, bills)
    if oldest and not is_company:
        alike = _ways_alike(oldest, bills)
        return PaidBills(
            AmountReason.OLDEST, sums is not None and sums == alike, _build_whole_parts(oldest)
        )
    if not sums:
        return None
    if sums == 1:
        return PaidBills(AmountReason.ONLY_SUM, True, _build_whole_parts(_the_sum(yen, bills)))
    return PaidBills(AmountReason.SEVERAL_SUMS, False, _pour_over_bills(yen, bills))


def _find_oldest_bills(yen: int, bills: list[OpenBill]) -> list[OpenBill]:
    found: list[OpenBill] = []
    for bill in bills:
        found.append(bill)
        yen -= bill.open_yen
        if yen <= 0:
            break
    return found if yen == 0 else []


def _ways_alike(chosen: list[OpenBill], bills: list[OpenBill]) -> int:
    """How many choices of bills have the same amounts as the chosen ones."""
    ways = 1
    for yen in {bill.open_yen for bill in chosen}:
        there = sum(bill.open_yen == yen for bill in bills)
        taken = sum(bill.open_yen == yen for bill in chosen)
        choices = 1
        for place in range(taken):
            choices = choices * (there - place) // (place + 1)
        ways *= choices
    return ways


def _count_combinations(yen: int, bills: list[OpenBill]) -> int | None:
    """How many choices of bills add up to the yen; None when there are too many to count."""
    if len(bills) > _MOST_BILLS:
        return None
    ways = {0: 1}
    for bill in bills:
        for sum_yen, count in list(ways.items()):
            more = sum_yen + bill.open_yen
            if more <= yen:
                ways[more] = ways.get(more, 0) + count
        if len(ways) > _MOST_SUMS:
            return None
    return ways.get(yen, 0)


def _the_sum(yen: int, bills: list[OpenBill]) -> list[OpenBill]:
    """The only bills that add up to the yen."""
    reached: dict[int, tuple[OpenBill, ...]] = {0: ()}
    for bill in bills:
        for sum_yen, chosen in list(reached.items()):
            more = sum_yen + bill.open_yen
            if more <= yen:
                reached.setdefault(more, (*chosen, bill))
        if yen in reached:
            break
    return list(reached[yen])


def _less_a_fee(
    yen: int, bills: list[OpenBill], fees: Collection[int], *, is_company: bool
) -> PaidBills | None:
    found: list[tuple[int, PaidBills]] = []
    for fee in sorted(fees):
        exact = _find_exact_bills(yen + fee, bills, is_company=is_company)
        if exact is not None and exact.parts:
            found.append((fee, exact))
    if not found:
        return None
    fee, exact = found[0]
    chosen = {part.bill_id for part in exact.parts}
    parts = _pour_over_bills(yen, [bill for bill in bills if bill.id in chosen])
    if is_company:
        return PaidBills(AmountReason.COMPANY_LESS_A_FEE, False, parts, fee_yen=fee)
    is_only = len({tuple(part.bill_id for part in paid.parts) for _, paid in found}) == 1
    return PaidBills(AmountReason.LESS_A_FEE, exact.is_certain and is_only, parts, fee_yen=fee)


def _build_whole_parts(bills: Sequence[OpenBill]) -> tuple[PaymentPart, ...]:
    return tuple(PaymentPart(bill.id, bill.resident_id, bill.open_yen) for bill in bills)


def _pour_over_bills(yen: int, bills: Sequence[OpenBill]) -> tuple[PaymentPart, ...]:
    parts = []
    for bill in bills:
        if yen <= 0:
            break
        part = min(yen, bill.open_yen)
        parts.append(PaymentPart(bill.id, bill.resident_id, part))
        yen -= part
    return tuple(parts)


def deduct_parts(
    bills: Mapping[str, OpenBill], parts: Sequence[PaymentPart]
) -> Mapping[str, OpenBill]:
    """The bills with what is open after the parts were paid."""
    changed: dict[str, OpenBill] = {}
    for part in parts:
        bill = changed.get(part.bill_id) or bills[part.bill_id]
        changed[part.bill_id] = bill._replace(open_yen=max(bill.open_yen - part.yen, 0))
    return changed
