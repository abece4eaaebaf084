"""A tenancy and a block as the demo plans them, before anybody lives there."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    BlockSource,
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
)


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
