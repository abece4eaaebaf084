"""Shows what a new price would make of the months that are not billed yet; nothing is written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.ledger.queries import first_unbilled_day
from pms.ledger.rent_facts import RentFacts, rent_facts
from pms.pricing.agreed_price import (
    MonthlyAmounts,
    MonthlyFee,
    amounts_by_item,
    checked_amounts,
    checked_fees,
)
from pms.rules.days import add_months
from pms.rules.price_changes import with_new_period
from pms.rules.price_timeline import PricePeriod, Timeline
from pms.rules.rent_lines import Price
from pms.rules.rent_rows import BillableRow, row_lines, uncovered_rows

_MONTHS_SHOWN: Final = 3


class PricedRow(NamedTuple):
    """A run of days to be billed, and what it bills by both prices, in whole yen."""

    first_on: date
    last_on: date
    before_yen: int
    after_yen: int


@dataclass(frozen=True, slots=True)
class PricePreview:
    """The new period with its end, if it has one, and the first rows it touches."""

    period: PricePeriod
    rows: tuple[PricedRow, ...]


def preview_price(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> PricePreview:
    """Return what `change_price` of the same facts would do, or raise as it would."""
    yen = dict(amounts_by_item(checked_amounts(amounts)))
    yen |= {fee.code: fee.amount_yen for fee in checked_fees(fees)}
    refuse_billed_days(session, reservation_id, from_on)
    facts = rent_facts(session, reservation_id, clock.today())
    before = facts.price.price
    refuse_begun_period(before.periods, from_on)
    periods = tuple(
        period._replace(amounts=yen) if period.first_on == from_on else period
        for period in with_new_period(before.periods, from_on, {})
    )
    period = next(period for period in periods if period.first_on == from_on)
    after = before._replace(periods=periods)
    return PricePreview(period, tuple(_rows(facts, before, after, from_on)))


def refuse_billed_days(session: Session, reservation_id: str, from_on: date) -> None:
    """Raise `Refused` for a day before the first that no row covers."""
    unbilled_on = first_unbilled_day(session, reservation_id)
    if unbilled_on is not None and from_on < unbilled_on:
        raise Refused(
            "A new price from {from_on} would touch days that are billed; it can begin on"
            " {unbilled_on} or later.",
            from_on=from_on,
            unbilled_on=unbilled_on,
        )


def refuse_begun_period(periods: Timeline, from_on: date) -> None:
    """Raise `Refused` where a period begins on the day already."""
    if any(period.first_on == from_on for period in periods):
        raise Refused(
            "A price period already begins on {from_on}; periods may not overlap."
            " Choose another day.",
            from_on=from_on,
        )


def _rows(facts: RentFacts, before: Price, after: Price, from_on: date) -> Iterator[PricedRow]:
    if facts.span is None:
        return
    issued = [standing.row for standing in facts.rows]
    through_on = add_months(from_on, _MONTHS_SHOWN - 1)
    start_on = facts.tenancy.term.start_on
    for row in uncovered_rows(facts.span, issued, through_on):
        if row.last_on >= from_on:
            yen = (_total(price, row, start_on) for price in (before, after))
            yield PricedRow(row.first_on, row.last_on, *yen)


def _total(price: Price, row: BillableRow, start_on: date) -> int:
    return sum(line.yen for line in row_lines(price, row, start_on))
