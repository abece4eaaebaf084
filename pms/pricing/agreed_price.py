"""The parts of an agreed price: monthly amounts, the workspace's own fees, and a discount."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation

from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual, Phrase, Value
from pms.rules.enumerations import FeeCategory, LineItem, RecurringItem, TaxTreatment
from pms.rules.rent_lines import Discount
from pms.rules.yen import LARGEST_YEN


@dataclass(frozen=True, slots=True)
class MonthlyAmounts:
    """The recurring monthly amounts of every price, in whole yen (Pricing snapshot)."""

    base_rent_yen: int
    utilities_yen: int = 0
    building_maintenance_yen: int = 0
    short_term_surcharge_yen: int = 0
    guest_surcharge_yen: int = 0


@dataclass(frozen=True, slots=True)
class MonthlyFee:
    """A workspace-defined monthly fee, with all that its lines need (Pricing snapshot)."""

    code: str
    label: Bilingual
    category: FeeCategory
    tax_treatment: TaxTreatment
    amount_yen: int


@dataclass(frozen=True, slots=True)
class AgreedDiscount:
    """A discount with its minimum stay: a percentage or whole yen a month."""

    label: Bilingual
    percent: Decimal | None = None
    monthly_yen: int | None = None
    is_recurring: bool = True
    minimum_stay_days: int = 0


_TAKEN_CODES = frozenset([*(item.value for item in RecurringItem), *(i.value for i in LineItem)])


def check_amounts(amounts: MonthlyAmounts) -> dict[str, int]:
    """Return the amounts by column; refuse any that is not whole yen from 0 on (Money 1 and 4)."""
    return {
        column: check_yen(RecurringItem(column.removesuffix("_yen")), yen)
        for column, yen in asdict(amounts).items()
    }


def check_yen(name: Value, yen: object, minimum_yen: int = 0) -> int:
    """Return whole yen of at least `minimum_yen`; refuse anything else (Money 1 and 4)."""
    if type(yen) is not int or not minimum_yen <= yen <= LARGEST_YEN:
        raise Refused(
            "{name} is {given!r}. Enter whole yen from {minimum_yen} to {most_yen}.",
            name=name,
            given=str(yen)[:40],
            minimum_yen=minimum_yen,
            most_yen=LARGEST_YEN,
        )
    return yen


def check_fees(fees: Iterable[MonthlyFee]) -> tuple[MonthlyFee, ...]:
    """Return the fees; refuse a code without letters, a reserved one, or a repeated one."""
    seen: dict[str, MonthlyFee] = {}
    for fee in fees:
        if not fee.code.strip() or fee.code in _TAKEN_CODES:
            raise Refused(
                "The fee code '{fee_code}' cannot be used for a monthly fee.",
                fee_code=fee.code[:40],
            )
        if fee.code in seen:
            raise Refused("The fee code '{fee_code}' appears twice.", fee_code=fee.code[:40])
        check_yen(fee.code[:40], fee.amount_yen)
        seen[fee.code] = fee
    return tuple(seen.values())


def check_discount(agreed: AgreedDiscount) -> Discount:
    """Return the discount in the form of the rules; refuse one without exactly one valid figure."""
    if (agreed.percent is None) == (agreed.monthly_yen is None):
        raise Refused("Enter the discount as a percentage or as yen a month, not both.")
    if agreed.monthly_yen is not None:
        check_yen(Phrase("discount"), agreed.monthly_yen, 1)
    if agreed.percent is not None and not 0 < _check_percent(agreed.percent) <= 100:
        raise Refused(
            "A discount of {percent}% is not possible. Enter more than 0, up to 100.",
            percent=agreed.percent,
        )
    if agreed.minimum_stay_days < 0:
        raise Refused(
            "A minimum stay of {minimum_days} days is not possible. Enter 0 or more.",
            minimum_days=agreed.minimum_stay_days,
        )
    return Discount(
        percent=agreed.percent,
        yen=agreed.monthly_yen,
        is_recurring=agreed.is_recurring,
        minimum_stay_days=agreed.minimum_stay_days,
    )


def amounts_by_item(amounts: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the columns of a price as the items of the rules."""
    return ((item.value, amounts[f"{item.value}_yen"]) for item in RecurringItem)


def _check_percent(percent: object) -> Decimal:
    # A float would already have lost the exact value (Money 3).
    try:
        exact = Decimal(percent) if isinstance(percent, Decimal | int) else None
    except InvalidOperation:
        exact = None
    if exact is None or not exact.is_finite():
        raise Refused("The discount is {given!r}, which is not a number.", given=str(percent)[:40])
    return exact
