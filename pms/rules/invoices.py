"""The move-in invoice, and numbers, tax and payment references of invoices.

A payment reference is digits only, which every bank's form accepts: six with a check digit, eight
after a workspace's first ninety thousand tenancies.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from pms.rules.days import Days, add_months, month_first, month_last
from pms.rules.enumerations import LineItem, TaxTreatment
from pms.rules.unit_stays import BillableSpan
from pms.rules.yen import round_half_away

_NUMBER = re.compile(r"T([1-9])([0-9]{12})")


def is_invoice_number(number: str) -> bool:
    """Tell whether a number has the right shape and check digit, as for a corporate number.

    From the right, digits are weighted 1 and 2 in turn; the check digit is 9 minus their sum modulo
    9 and never 0.
    """
    found = _NUMBER.fullmatch(number)
    if found is None:
        return False
    weighed = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(found[2])))
    return int(found[1]) == 9 - sum(weighed) % 9


# All letters and digits that banks accept and that are not easily confused; 29 is a prime.
_SIGNS: Final = "023456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 8


def transfer_reference(reservation_id: str, entry_id: str) -> str:
    """Return the reference of one entry of a reservation, such as `K7Q2-M4XP`; always the same."""
    number = int.from_bytes(hashlib.sha256(f"{reservation_id}/{entry_id}".encode()).digest()[:16])
    signs = ""
    for _ in range(_LENGTH - 1):
        number, place = divmod(number, len(_SIGNS))
        signs += _SIGNS[place]
    return _group_signs(signs + _check_sign(signs))


def _check_sign(signs: str) -> str:
    """Weights modulo a prime: one wrong sign or two swapped signs are always detected."""
    total = sum(weight * _SIGNS.index(sign) for weight, sign in enumerate(signs, start=2))
    return _SIGNS[total % len(_SIGNS)]


def _group_signs(signs: str) -> str:
    return f"{signs[:4]}-{signs[4:]}"


TAX_PERCENT: Final[Mapping[TaxTreatment, int]] = MappingProxyType({TaxTreatment.TAXABLE_10: 10})


class TaxedAmount(NamedTuple):
    """One amount of an invoice in tax-inclusive whole yen, with its treatment."""

    treatment: TaxTreatment
    yen: int


class ContainedTax(NamedTuple):
    """The tax of one treatment on an invoice: the amounts with tax, and the tax inside them."""

    treatment: TaxTreatment
    inclusive_yen: int
    tax_yen: int

    @property
    def is_taxed(self) -> bool:
        """Whether the class has a rate of tax."""
        return self.treatment in TAX_PERCENT


def contained_taxes(amounts: Iterable[TaxedAmount]) -> tuple[ContainedTax, ...]:
    """Return the tax per treatment on one invoice, rounded once for all its lines (Money 2).

    Amounts that bear no tax are listed with a tax of 0.
    """
    sums: dict[TaxTreatment, int] = {}
    for treatment, yen in amounts:
        sums[treatment] = sums.get(treatment, 0) + yen
    return tuple(
        ContainedTax(treatment, sums[treatment], contained_yen(treatment, sums[treatment]))
        for treatment in TaxTreatment
        if treatment in sums
    )


def contained_yen(treatment: TaxTreatment, inclusive_yen: int) -> int:
    """The tax inside one tax-inclusive sum (Money 3): 10/110 at 10 percent."""
    percent = TAX_PERCENT.get(treatment, 0)
    return round_half_away(Fraction(inclusive_yen * percent, 100 + percent))


_SHORT: Final = (90_000, 61_403, 10_000)
_LONG: Final = (9_000_000, 6_180_341, 1_000_000)
_DAMM: Final = (
    "0317598642",
    "7092154863",
    "4206871359",
    "1750983426",
    "6123045978",
    "3674209581",
    "5869720134",
    "8945362017",
    "9438617205",
    "2581436790",
)


def payment_reference(place: int) -> str:
    """The reference of the tenancy at a position, counted from 1; no other position has it.

    Neighbours get distant numbers: the step is coprime with the count of numbers.
    """
    many, step, first = _SHORT if place <= _SHORT[0] else _LONG
    body = str(first + place * step % many)
    return body + check_digit(body)


def check_digit(digits: str) -> str:
    """The Damm check digit: one wrong digit, or two swapped ones, are always detected."""
    rest = 0
    for digit in digits:
        rest = int(_DAMM[rest][int(digit)])
    return str(rest)


def sender_words(reference: str | None, name: str) -> str:
    """The sender's name for a transfer: the reference before the name, which every bank accepts."""
    return f"{reference} {name}" if reference else name


LAST_DAY_UNBUNDLED: Final = 15


@dataclass(frozen=True, slots=True)
class OneTimeAmounts:
    """The amounts of a reservation that are collected once, in whole yen (Pricing snapshot)."""

    reservation_fee_yen: int = 0
    deposit_yen: int = 0


class OneTimeLine(NamedTuple):
    """A line of the move-in invoice that bills no days."""

    item: LineItem
    yen: int


def is_bundled(start_on: date) -> bool:
    """Whether the invoice bundles the month after the move-in month (Move-in invoice rules 1)."""
    return start_on.day > LAST_DAY_UNBUNDLED


def invoice_months(start_on: date) -> int:
    """How many calendar months the move-in invoice bills: one or two (rules 1 and 2)."""
    return 2 if is_bundled(start_on) else 1


def invoice_periods(span: BillableSpan) -> tuple[Days, ...]:
    """The periods on the invoice, clipped to the billable days (Move-in invoice rules 1)."""
    return tuple(_clipped_periods(span))


def one_time_lines(amounts: OneTimeAmounts) -> tuple[OneTimeLine, ...]:
    """The reservation fee and the deposit as lines, the deposit last (Deposit 1)."""
    both = (
        OneTimeLine(LineItem.RESERVATION_FEE, amounts.reservation_fee_yen),
        OneTimeLine(LineItem.DEPOSIT, amounts.deposit_yen),
    )
    return tuple(line for line in both if line.yen)


def _clipped_periods(span: BillableSpan) -> Iterator[Days]:
    for months in range(invoice_months(span.first_on)):
        first_on = max(add_months(month_first(span.first_on), months), span.first_on)
        last_on = min(month_last(first_on), span.last_on or date.max)
        if first_on <= last_on:
            yield Days(first_on, last_on)
