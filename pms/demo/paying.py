"""How residents of the demo pay: most on time, some late, in part, too much, or not any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pms.demo.rows import Chance
from pms.demo.stay_plans import StayPlan, days_from
from pms.demo.tenancies import DemoStay
from pms.rules.days import month_first
from pms.rules.enumerations import EntryKind, Lifecycle, PaymentStatus, ReservationKind
from pms.rules.policy import Policy


@dataclass(frozen=True)
class Habit:
    """How somebody pays rent; months count back from the one of today, which is 0.

    `unpaid_months` are the last months of which nothing came, `short_month` one that came in
    part, `generous_month` one that was paid too much.
    """

    days_late: tuple[int, int] = (-5, 0)
    unpaid_months: int = 0
    short_month: int | None = None
    generous_month: int | None = None
    is_charged_arrears: bool = False


PROMPT = Habit()
LATE = Habit(days_late=(4, 19))
# Taken in turn, so that none is left out by chance.
OF_RESIDENTS: Sequence[Habit] = (
    PROMPT, LATE, PROMPT, Habit(unpaid_months=1), PROMPT, PROMPT, Habit(short_month=1), PROMPT,
    PROMPT, Habit(generous_month=1), PROMPT, Habit(unpaid_months=2), PROMPT, PROMPT, LATE, PROMPT,
    Habit(unpaid_months=3, is_charged_arrears=True), PROMPT, PROMPT,
    Habit(short_month=3, is_charged_arrears=True), PROMPT, PROMPT, Habit(unpaid_months=5), PROMPT,
    PROMPT, Habit(short_month=0), PROMPT, PROMPT, Habit(generous_month=0),
)  # fmt: skip
OF_FORMER: Sequence[Habit] = (PROMPT, PROMPT, LATE, PROMPT, PROMPT)
_RENT_KINDS = (EntryKind.RENT, EntryKind.STUB)


@dataclass(frozen=True)
class PlannedPayment:
    """What somebody does about an entry: on a day, all that is open, or so much of it."""

    on: date
    part: float = 1.0
    extra_yen: int = 0


class PayingHabit:
    """Decides for one reservation what is paid of each entry, and when."""

    def __init__(self, plan: StayPlan, habit: Habit, today: date, rng: Chance):
        self._plan = plan
        self._habit = habit
        self._today = today
        self._rng = rng

    def decide(
        self, kind: EntryKind, first_on: date, issued_on: date, due_on: date
    ) -> PlannedPayment | None:
        """What is paid of an entry; what would come later than yesterday is not there yet."""
        if kind is EntryKind.MOVE_IN:
            paid = self._of_invoice(issued_on, due_on)
        elif kind in _RENT_KINDS:
            paid = self._of_rent(first_on, issued_on, due_on)
        else:
            share_paid_of = {EntryKind.PENALTY: 0.5, EntryKind.ARREARS: 0.3}.get(kind, 0.75)
            on = days_from(issued_on, self._rng.whole(2, 12))
            paid = PlannedPayment(on) if self._rng.share() < share_paid_of else None
        return paid if paid is not None and paid.on < self._today else None

    def _of_invoice(self, issued_on: date, due_on: date) -> PlannedPayment | None:
        plan = self._plan
        if plan.payment in (PaymentStatus.PAID, PaymentStatus.REFUNDED):
            # A correction of the dates comes the day after the booking.
            earliest = days_from(issued_on, 2 if plan.override_move_in else 1)
            on = max(days_from(due_on, -self._rng.whole(0, 4)), earliest)
            until = plan.cancelled_on or self._today
            return PlannedPayment(max(min(on, days_from(until, -1)), issued_on))
        if plan.payment is PaymentStatus.PENDING and self._rng.share() < 0.25:
            return PlannedPayment(days_from(issued_on, 1), part=0.3)
        if plan.cancelled_on and self._rng.share() < 0.5:
            return PlannedPayment(days_from(issued_on, 1), part=0.3)
        return None

    def _of_rent(self, first_on: date, issued_on: date, due_on: date) -> PlannedPayment | None:
        then, now = month_first(first_on), month_first(self._today)
        back = (now.year - then.year) * 12 + now.month - then.month
        if back < self._habit.unpaid_months:
            return None
        on = max(days_from(due_on, self._rng.whole(*self._habit.days_late)), issued_on)
        if back == self._habit.short_month:
            return PlannedPayment(on, part=0.6)
        if back == self._habit.generous_month:
            return PlannedPayment(on, extra_yen=5_000)
        return PlannedPayment(on)


def habit_of(plan: StayPlan, number: int) -> Habit:
    """The habit of the resident of a number, counted among their like."""
    if plan.kind is not ReservationKind.RESIDENT or plan.lifecycle is Lifecycle.TRANSFERRED:
        return PROMPT
    if plan.lifecycle in (Lifecycle.LIVING, Lifecycle.NOTICE_FILED):
        return OF_RESIDENTS[number % len(OF_RESIDENTS)]
    return OF_FORMER[number % len(OF_FORMER)]


@dataclass(frozen=True)
class CourseFacts:
    """One stay among the others: who follows it, when it was amended, how its resident pays."""

    stay: DemoStay
    today: date
    policy: Policy
    successor_start_on: date | None
    amended_on: date | None
    habit: Habit
    number: int
