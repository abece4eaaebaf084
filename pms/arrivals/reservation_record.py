"""One reservation as its page shows it: its facts, people and price."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.phrases import Bilingual
from pms.foundation.work import find_row
from pms.ledger.planned_entries import ITEM_WORDS
from pms.pricing.prices import AgreedPrice, agreed_prices, original_amounts
from pms.reservations.models import CoOccupant, Reservation
from pms.reservations.residents import NamedPerson
from pms.rules.days import Days, RecordedDay, readable
from pms.rules.enumerations import (
    RecurringItem,
)
from pms.rules.price_changes import PriceSpan, items_between, period_on
from pms.rules.rent_lines import Discount


class PricedItem(NamedTuple):
    """One monthly amount in whole yen, with its name."""

    item: str
    label: Bilingual
    yen: int


@dataclass(frozen=True, slots=True)
class PriceNow:
    """The price in force on a day: its period, its items, and the frozen discount."""

    period: PriceSpan
    items: tuple[PricedItem, ...]
    discount: Discount | None
    discount_label: Bilingual | None

    @property
    def total_yen(self) -> int:
        """The sum of the monthly items before any discount."""
        return sum(item.yen for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationFacts:
    """A reservation as recorded; `price` is None where none was agreed.

    `original_price` is the price agreed at booking; empty while it was never changed.
    """

    version: int
    move_in_on: RecordedDay
    override_move_in_on: RecordedDay
    arrival_on: RecordedDay
    contract_end_on: RecordedDay
    override_contract_end_on: RecordedDay
    move_out_on: RecordedDay
    expected_departure_on: RecordedDay
    forced_on: date | None
    cancelled_at: datetime | None
    people: Sequence[NamedPerson]
    price: PriceNow | None
    original_price: tuple[PricedItem, ...]
    reservation_fee_yen: int
    deposit_yen: int
    note: str | None
    created_at: datetime
    updated_at: datetime


def reservation_facts(session: Session, reservation_id: str, on: date) -> ReservationFacts:
    """Return the facts of a reservation, with its price on a day; raise `NotFound`."""
    row = find_row(session, Reservation, reservation_id)
    agreed = agreed_prices(session, [row.id]).get(row.id)
    if agreed is None:
        price = None
    else:
        period = period_on(agreed.price.periods, on)
        items = priced_items(agreed, period)
        price = PriceNow(period, items, agreed.price.discount, agreed.discount_label)
    return ReservationFacts(
        version=row.version,
        move_in_on=row.move_in_date,
        override_move_in_on=row.override_move_in_date,
        arrival_on=row.arrival_date,
        contract_end_on=row.contract_end_date,
        override_contract_end_on=row.override_contract_end_date,
        move_out_on=row.move_out_date,
        expected_departure_on=row.expected_departure_date,
        forced_on=row.forced_on,
        cancelled_at=row.cancelled_at,
        people=people_of(session, row.id),
        price=price,
        original_price=_changed_original(session, row.id, agreed),
        reservation_fee_yen=row.reservation_fee_yen,
        deposit_yen=row.deposit_yen,
        note=row.note,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def original_price(session: Session, reservation_id: str) -> tuple[PricedItem, ...]:
    """Return the monthly amounts agreed at booking, which never change (Pricing snapshot)."""
    amounts = original_amounts(session, reservation_id) or {}
    words = ((item, ITEM_WORDS[RecurringItem(item)], yen) for item, yen in amounts.items() if yen)
    return tuple(
        PricedItem(item, Bilingual(label.label_ja, label.label_en), yen)
        for item, label, yen in words
    )


def _changed_original(
    session: Session, reservation_id: str, agreed: AgreedPrice | None
) -> tuple[PricedItem, ...]:
    """Return the original price if a fixed amount was changed since, else nothing."""
    original = original_price(session, reservation_id)
    if agreed is None or not original:
        return ()
    at_booking = {line.item: line.yen for line in original}
    for period in agreed.price.periods:
        fixed = {item: yen for item, yen in period.amounts.items() if item in ITEM_WORDS and yen}
        if fixed != at_booking:
            return original
    return ()


def people_of(session: Session, reservation_id: str) -> tuple[NamedPerson, ...]:
    """Return the co-occupants, in their order."""
    rows = session.execute(
        select(CoOccupant.name, CoOccupant.name_kana)
        .where(CoOccupant.reservation_id == reservation_id)
        .order_by(CoOccupant.position, CoOccupant.id)
    )
    return tuple(NamedPerson(name, kana) for name, kana in rows)


def priced_items(agreed: AgreedPrice, period: PriceSpan) -> tuple[PricedItem, ...]:
    """Return the monthly items of a period: the fixed ones first, then the fees."""
    day = period.first_on
    named = items_between(agreed.price.periods, Days(day, day))
    return tuple(
        PricedItem(item, _label_of_item(agreed, item, day), period.amounts[item]) for item in named
    )


def _label_of_item(agreed: AgreedPrice, item: str, day: date) -> Bilingual:
    words = ITEM_WORDS.get(item)
    if words is None:
        return agreed.fee_on(item, day).label
    return Bilingual(words.label_ja, words.label_en)


def arrival_day(session: Session, reservation_id: str) -> date | None:
    """Return the day on which somebody arrives, where one is recorded and readable."""
    recorded = select(Reservation.arrival_date).where(Reservation.id == reservation_id)
    return readable(session.scalar(recorded))
