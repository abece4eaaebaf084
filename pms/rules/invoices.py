"""Numbers and tax of invoices."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from pms.rules.enumerations import TaxTreatment
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
_MISREAD: Final = str.maketrans({"O": "0", " ": None, "\u3000": None, "-": None, "－": None})


def transfer_reference(reservation_id: str, entry_id: str) -> str:
    """Return the reference of one entry of a reservation, such as `K7Q2-M4XP`; always the same."""
    number = int.from_bytes(hashlib.sha256(f"{reservation_id}/{entry_id}".encode()).digest()[:16])
    signs = ""
    for _ in range(_LENGTH - 1):
        number, place = divmod(number, len(_SIGNS))
        signs += _SIGNS[place]
    return _grouped(signs + _check_sign(signs))


def read_transfer_reference(text: str) -> str | None:
    """Return the reference in a payer's text, whatever its spacing, or None."""
    signs = text.upper().translate(_MISREAD)
    if len(signs) != _LENGTH or not set(signs) <= set(_SIGNS):
        return None
    return _grouped(signs) if signs[-1] == _check_sign(signs[:-1]) else None


def _check_sign(signs: str) -> str:
    """Weights modulo a prime: one wrong sign or two swapped signs are always detected."""
    total = sum(weight * _SIGNS.index(sign) for weight, sign in enumerate(signs, start=2))
    return _SIGNS[total % len(_SIGNS)]


def _grouped(signs: str) -> str:
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


def contained_taxes(amounts: Iterable[TaxedAmount]) -> tuple[ContainedTax, ...]:
    """Return the tax per treatment on one invoice, rounded once for all its lines (Money 2).

    Exempt amounts are listed with a tax of 0.
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
