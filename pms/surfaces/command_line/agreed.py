"""The price of a tenancy as people type it: monthly amounts, own fees and a discount."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import click

from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.yen import Amount, read_typed_amount
from pms.surfaces.command_line.typed_values import YEN

Command = TypeVar("Command", bound=Callable[..., Any])

_AMOUNTS = (
    ("--rent", "base_rent_yen", "Base rent a month."),
    ("--utilities", "utilities_yen", "Utilities a month."),
    ("--maintenance", "building_maintenance_yen", "Building maintenance a month."),
    ("--short-term", "short_term_surcharge_yen", "Short-term surcharge a month."),
    ("--guest", "guest_surcharge_yen", "Guest surcharge a month."),
)


def price_options(command: Command) -> Command:
    """Give a command an option for each monthly amount, and for the workspace's own fees."""
    for flag, name, words in reversed(_AMOUNTS):
        command = click.option(flag, name, type=YEN, metavar="YEN", help=words)(command)
    fee = click.option(
        "--fee", "fees", multiple=True, metavar="CODE=YEN", help="A monthly fee of your own."
    )
    return fee(command)


def typed_amounts(facts: dict[str, Any]) -> MonthlyAmounts | None:
    """Take the amounts out of what was typed; none typed is no price."""
    typed = {name: facts.pop(name) for _, name, _ in _AMOUNTS}
    if all(yen is None for yen in typed.values()):
        return None
    return MonthlyAmounts(**{name: yen or 0 for name, yen in typed.items()})


def typed_fees(fees: tuple[str, ...]) -> list[MonthlyFee]:
    """Read `CODE=YEN` as exempt fees of the category service, labelled by their code."""
    return [_fee(text) for text in fees]


def typed_discount(
    text: str | None, minimum_stay_days: int, *, once: bool
) -> AgreedDiscount | None:
    """Read `7.5%` as a percentage of the base rent, and `5,000` as yen a month."""
    if text is None:
        return None
    typed = text.strip()
    is_percent = typed.endswith("%")
    return AgreedDiscount(
        Bilingual("割引", "Discount"),
        percent=_percent(typed[:-1].strip()) if is_percent else None,
        monthly_yen=None if is_percent else YEN.convert(typed, None, None),
        is_recurring=not once,
        minimum_stay_days=minimum_stay_days,
    )


def _percent(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise Refused(f"--discount: '{text[:60]}%' is no percentage; 7.5% is one.") from error


def _fee(text: str) -> MonthlyFee:
    code, _, amount = text.partition("=")
    reading = read_typed_amount(amount)
    if not code.strip() or not isinstance(reading, Amount):
        raise Refused(f"--fee: '{text[:60]}' is refused: write CODE=YEN, such as internet=3,300.")
    label = Bilingual(code.strip(), code.strip())
    return MonthlyFee(code.strip(), label, FeeCategory.SERVICE, TaxTreatment.EXEMPT, reading.yen)
