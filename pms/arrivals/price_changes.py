"""A new price of a reservation from a day on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import note_difference, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.work import Work, locked
from pms.ledger.queries import first_unbilled_day
from pms.ledger.repricing import RentFacts, rent_facts
from pms.pricing.agreed_price import (
    MonthlyAmounts,
    MonthlyFee,
    amounts_by_item,
    check_amounts,
    check_fees,
)
from pms.pricing.prices import (
    add_price_period,
    price_of,
)
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import add_months
from pms.rules.enumerations import Lifecycle
from pms.rules.price_changes import PriceSpan, Timeline, period_on, with_new_period
from pms.rules.rent_lines import Price
from pms.rules.rent_rows import row_lines, uncovered_rows
from pms.rules.tenancy_way import ENDED

_MONTHS_SHOWN: Final = 3


class PricedRow(NamedTuple):
    """A run of days to be billed, with its amounts by the old and the new price, in whole yen."""

    first_on: date
    last_on: date
    before_yen: int
    after_yen: int


@dataclass(frozen=True, slots=True)
class PricePreview:
    """The new period with its end, if it has one, and the first rows it affects."""

    period: PriceSpan
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
    """Return what `change_price` with the same facts would do; raise what it would raise."""
    yen = dict(amounts_by_item(check_amounts(amounts)))
    yen |= {fee.code: fee.amount_yen for fee in check_fees(fees)}
    _refuse_closed(session, reservation_id)
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
    return PricePreview(period, tuple(_price_rows(facts, before, after, from_on)))


def _refuse_closed(session: Session, reservation_id: str) -> None:
    """Raise `Refused` for a reservation of which no day will be billed any more."""
    asked = select(Reservation.lifecycle).where(Reservation.id == reservation_id)
    lifecycle = session.scalar(asked)
    # The move-out date of somebody who left can still be changed.
    if lifecycle in ENDED and lifecycle != Lifecycle.MOVED_OUT:
        raise Refused(
            "price: A reservation that is {lifecycle} can no longer be corrected.",
            lifecycle=Lifecycle(lifecycle),
        )


def refuse_billed_days(session: Session, reservation_id: str, from_on: date) -> None:
    """Raise `Refused` for a day that is already billed: before the first day no row covers."""
    unbilled_on = first_unbilled_day(session, reservation_id)
    if unbilled_on is not None and from_on < unbilled_on:
        raise Refused(
            "A new price from {from_on} would affect days already billed. Choose {unbilled_on} "
            "or later.",
            from_on=from_on,
            unbilled_on=unbilled_on,
        )


def refuse_begun_period(periods: Timeline, from_on: date) -> None:
    """Raise `Refused` where a period already begins on the day."""
    if any(period.first_on == from_on for period in periods):
        raise Refused(
            "Another price already starts on {from_on}. Choose another day.",
            from_on=from_on,
        )


def _price_rows(
    facts: RentFacts, before: Price, after: Price, from_on: date
) -> Iterator[PricedRow]:
    if facts.span is None:
        return
    issued = [standing.row for standing in facts.rows]
    through_on = add_months(from_on, _MONTHS_SHOWN - 1)
    start_on = facts.tenancy.term.start_on
    for row in uncovered_rows(facts.span, issued, through_on):
        if row.last_on >= from_on:
            yen = (
                sum(line.yen for line in row_lines(price, row, start_on))
                for price in (before, after)
            )
            yield PricedRow(row.first_on, row.last_on, *yen)


def change_price(
    work: Work,
    *,
    reservation_id: str,
    from_on: date,
    amounts: MonthlyAmounts,
    fees: Sequence[MonthlyFee] = (),
) -> None:
    """Begin a new price period; days that a row covers keep the price at which they were billed."""
    locked(work.session, Reservation, reservation_id)
    _refuse_closed(work.session, reservation_id)
    refuse_billed_days(work.session, reservation_id, from_on)
    before = _monthly_yen(work.session, reservation_id, from_on)
    add_price_period(
        work.session, reservation_id=reservation_id, from_on=from_on, amounts=amounts, fees=fees
    )
    agreed = _monthly_yen(work.session, reservation_id, from_on)
    facts = {
        "before": before,
        "after": {**dict.fromkeys(before, 0), **agreed, "price_from_on": from_on},
    }
    about = of_reservation(reservation_id)
    note_difference(work, AuditEvent.PRICE_CHANGED, about, **facts)
    mark_outdated(work, [reservation_id])


def _monthly_yen(session: Session, reservation_id: str, on: date) -> dict[str, Any]:
    """Return what each item costs a month on a day, by item name."""
    periods = price_of(session, reservation_id).price.periods
    return {f"{item}_yen": yen for item, yen in period_on(periods, on).amounts.items()}
