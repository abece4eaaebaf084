"""What an exported contract states beyond a rent roll: exact prices, discounts, notice, statuses.

An export of this program is a rent roll with one more column. The take-over reads that column
instead of the cells around it, so that the next bill is the same to the yen.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final, TypeVar

from msgspec import ValidationError, convert, to_builtins

from pms.rules.enumerations import (
    EsignStatus,
    FeeCategory,
    Locale,
    PaymentStatus,
    RecurringItem,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.notices import FiledNotice
from pms.rules.roll_cells import PersonOfCell
from pms.rules.roll_debts import UnpaidAmount
from pms.rules.yen import LARGEST_YEN

T = TypeVar("T")
VERSION: Final = 1


class UnreadableTermsError(ValueError):
    """The cell is not one that an export wrote."""


@dataclass(frozen=True, slots=True)
class ExportedFee:
    """A monthly fee defined by the workspace, with all that its lines need."""

    code: str
    ja: str
    en: str
    category: FeeCategory
    tax: TaxTreatment
    yen: int


@dataclass(frozen=True, slots=True)
class ExportedPrice:
    """The monthly amounts from a day on, in whole yen; without a last day they are open-ended."""

    first_on: date
    last_on: date | None
    amounts: dict[RecurringItem, int]
    fees: tuple[ExportedFee, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportedDiscount:
    """The discount frozen with the price: a percentage or whole yen a month."""

    ja: str
    en: str
    percent: Decimal | None
    monthly_yen: int | None
    is_recurring: bool
    minimum_stay_days: int


@dataclass(frozen=True, slots=True)
class ExportedDebt:
    """One open bill, with its due day."""

    what: str
    yen: int
    due_on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTerms:
    """One contract as recorded, and its money on the day of the export."""

    version: int
    kind: ReservationKind
    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    others: tuple[tuple[str, str | None], ...] = ()
    move_in: date
    override_move_in: date | None = None
    arrival: date | None = None
    contract_end: date | None = None
    override_contract_end: date | None = None
    move_out: date | None = None
    notice_filed_on: date | None = None
    forced_at: datetime | None = None
    payment_status: PaymentStatus = PaymentStatus.PAID
    esign_status: EsignStatus = EsignStatus.SIGNED
    reservation_fee_yen: int = 0
    deposit_yen: int = 0
    note: str | None = None
    prices: tuple[ExportedPrice, ...] = ()
    discount: ExportedDiscount | None = None
    billed_through: date | None = None
    deposit_held_yen: int = 0
    overpaid_yen: int = 0
    debts: tuple[ExportedDebt, ...] = field(default=())

    @property
    def people(self) -> list[PersonOfCell]:
        """The contract holder, then the co-occupants."""
        holder = PersonOfCell(self.name, self.name_kana, is_company=False)
        return [holder, *(PersonOfCell(name, kana, is_company=False) for name, kana in self.others)]

    @property
    def unpaid(self) -> tuple[UnpaidAmount, ...]:
        """The open bills in the form the take-over reads."""
        return tuple(UnpaidAmount(debt.what, debt.yen, debt.due_on) for debt in self.debts)

    @property
    def notice(self) -> FiledNotice | None:
        """The notice of the exported contract; for a person who has left, only the day."""
        if self.notice_filed_on is None or self.move_out is None:
            return None
        return FiledNotice(self.notice_filed_on, self.move_out)

    def price_on(self, day: date) -> ExportedPrice | None:
        """Return the price in force on a day, or the first one if the day is earlier."""
        held = [price for price in self.prices if price.first_on <= day]
        return held[-1] if held else next(iter(self.prices), None)


def terms_text(terms: OwnTerms) -> str:
    """Return the terms as the cell of an export."""
    return json.dumps(to_builtins(terms), ensure_ascii=False, separators=(",", ":"))


def read_terms(cell: str) -> OwnTerms:
    """Read the cell of an export; raise `UnreadableTermsError` for any other text."""
    try:
        terms = convert(json.loads(cell), OwnTerms, strict=False)
    except (ValidationError, ValueError, RecursionError) as failure:
        raise UnreadableTermsError(str(failure)) from failure
    # Refuse values that no export writes, and that were therefore edited by hand.
    yens = [terms.reservation_fee_yen, terms.deposit_yen, terms.deposit_held_yen]
    yens += [terms.overpaid_yen, *(debt.yen for debt in terms.debts)]
    for price in terms.prices:
        yens += [*price.amounts.values(), *(fee.yen for fee in price.fees)]
    if terms.version != VERSION or not terms.name.strip():
        raise UnreadableTermsError("version or name")
    if not all(0 <= yen <= LARGEST_YEN for yen in yens):
        raise UnreadableTermsError("an amount is out of bounds")
    prices = terms.prices
    for price, following in pairwise(prices):
        if price.last_on is None or following.first_on <= price.last_on:
            raise UnreadableTermsError("the prices are not in order")
    if prices and any(
        price.last_on is not None and price.last_on < price.first_on for price in prices
    ):
        raise UnreadableTermsError("a price ends before it begins")
    for price in prices:
        if len({fee.code for fee in price.fees}) != len(price.fees):
            raise UnreadableTermsError("a fee is stated twice")
    discount = terms.discount
    if discount is not None and (discount.percent is None) == (discount.monthly_yen is None):
        raise UnreadableTermsError("a discount has one figure")
    return terms


def fees_of(terms: OwnTerms, day: date) -> Mapping[str, int]:
    """Return the monthly fees beside the rent on a day, by the take-over's names."""
    price = terms.price_on(day)
    if price is None:
        return {}
    names = {
        RecurringItem.UTILITIES: "utilities",
        RecurringItem.BUILDING_MAINTENANCE: "commonFee",
        RecurringItem.SHORT_TERM_SURCHARGE: "shortTermSurcharge",
        RecurringItem.GUEST_SURCHARGE: "guestSurcharge",
    }
    found: dict[str, Any] = {name: price.amounts.get(item, 0) for item, name in names.items()}
    found.update((fee.code, fee.yen) for fee in price.fees)
    return {name: yen for name, yen in found.items() if yen}
