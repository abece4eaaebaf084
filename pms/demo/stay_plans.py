"""A tenancy and a block as the demo plans them: those of the past, and cancelled bookings."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from pms.demo.rows import Chance, read_toml
from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    BlockSource,
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
)

_TEXTS: Final = read_toml("texts")["stays"]


@dataclass(frozen=True)
class StayPlan:
    """One reservation; `person` names somebody met elsewhere, else it is a stranger."""

    move_in: RecordedDay
    contract_end: RecordedDay
    lifecycle: Lifecycle
    booked_on: date
    payment: PaymentStatus = PaymentStatus.PAID
    esign: EsignStatus = EsignStatus.SIGNED
    kind: ReservationKind = ReservationKind.RESIDENT
    move_out: RecordedDay = None
    expected_departure: RecordedDay = None
    override_move_in: RecordedDay = None
    override_contract_end: RecordedDay = None
    arrival: RecordedDay = None
    forced_on: date | None = None
    forced_cleared_on: date | None = None
    cancelled_on: date | None = None
    co_occupants: int = 0
    person: str | None = None
    is_moved_in_from_elsewhere: bool = False
    note: str | None = None

    @property
    def starts_on(self) -> date | None:
        start = self.override_move_in or self.move_in
        return start if isinstance(start, date) else None


@dataclass(frozen=True)
class BlockPlan:
    """Days taken outside the service, last day included."""

    source: BlockSource
    first_on: date
    last_on: date | None
    summary: str | None = None


@dataclass(frozen=True)
class UnitStory:
    """What holds a unit now and next; whoever lived there before is told elsewhere."""

    stays: tuple[StayPlan, ...] = ()
    blocks: tuple[BlockPlan, ...] = ()

    def earliest(self, today: date) -> date:
        """The first day that is spoken for; today when none is."""
        days = [stay.starts_on for stay in self.stays if stay.starts_on]
        days += [block.first_on for block in self.blocks]
        return min([today, *days])


def days_from(day: date, count: int) -> date:
    return day + timedelta(days=count)


def term_end(start: date, months: int) -> date:
    """The last day of a contract of whole months that begins on a day."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    month += 1
    same_day = min(start.day, monthrange(year, month)[1])
    return date(year, month, same_day) - timedelta(days=1)


_SETTLED_AFTER_DAYS = 45
# Taken in turn, so that no stage is left out by chance.
_CANCELLED_AT = (
    (PaymentStatus.CANCELLED, EsignStatus.EXPIRED),
    (PaymentStatus.CANCELLED, EsignStatus.DECLINED),
    (PaymentStatus.REFUNDED, EsignStatus.SIGNED),
    (PaymentStatus.CANCELLED, EsignStatus.SENT),
    (PaymentStatus.CANCELLED, EsignStatus.PARTIALLY_SIGNED),
)


def former_stay(edge: date, today: date, rng: Chance) -> StayPlan:
    """A tenancy that ended shortly before a day."""
    gone_on = days_from(edge, -rng.one_of((1, 2, 5, 9, 16, 30, 44)))
    if rng.share() < 0.12:
        guest_start = days_from(gone_on, -rng.whole(4, 25))
        return StayPlan(
            guest_start,
            gone_on,
            Lifecycle.MOVED_OUT,
            booked_on=days_from(guest_start, -14),
            kind=ReservationKind.GUEST,
            move_out=gone_on,
        )
    months = rng.one_of((3, 6, 6, 12, 12, 24))
    start = days_from(gone_on, -round(months * 30.4) + rng.whole(-20, 12))
    end = term_end(start, months)
    if (today - gone_on).days < _SETTLED_AFTER_DAYS:
        after_moving_out = rng.one_of((Lifecycle.MOVED_OUT, Lifecycle.MOVED_OUT, Lifecycle.SETTLED))
    else:
        after_moving_out = rng.one_of((Lifecycle.SETTLED, Lifecycle.REFUNDED, Lifecycle.REFUNDED))
    stay = StayPlan(
        start,
        end,
        after_moving_out,
        booked_on=days_from(start, -rng.whole(6, 45)),
        move_out=gone_on,
    )
    if stay.lifecycle is Lifecycle.REFUNDED:
        stay = replace(stay, payment=PaymentStatus.REFUNDED)
    roll = rng.share()
    if roll < 0.1:
        return replace(stay, co_occupants=1)
    if roll < 0.16 and isinstance(stay.move_in, date):
        return replace(stay, arrival=days_from(stay.move_in, 2))
    return stay


def cancelled_booking(number: int, today: date, rng: Chance) -> StayPlan:
    """A booking that was cancelled before its start; it holds nothing."""
    start = days_from(today, rng.whole(-200, 60))
    payment, esign = _CANCELLED_AT[number % len(_CANCELLED_AT)]
    booked_on = min(days_from(start, -rng.whole(15, 40)), days_from(today, -3))
    return StayPlan(
        start,
        term_end(start, rng.one_of((1, 6, 12))),
        # What was paid went back: a settlement, and a refund that was sent.
        Lifecycle.REFUNDED if payment is PaymentStatus.REFUNDED else Lifecycle.CANCELLED,
        booked_on=booked_on,
        payment=payment,
        esign=esign,
        cancelled_on=days_from(booked_on, 2),
    )


def room_change(moved: StayPlan, today: date, rng: Chance) -> tuple[StayPlan, StayPlan]:
    """The old record of somebody who changed rooms, and the new one, which began that day."""
    person = f"moved-{moved.booked_on}-{rng.bits(32)}"
    changed_on = moved.starts_on or today
    start = days_from(changed_on, -rng.whole(150, 400))
    old = StayPlan(
        start,
        term_end(start, 12),
        Lifecycle.TRANSFERRED,
        booked_on=days_from(start, -20),
        move_out=days_from(changed_on, -1),
        person=person,
        note=_TEXTS["room_change"],
    )
    return old, replace(moved, person=person, is_moved_in_from_elsewhere=True)
