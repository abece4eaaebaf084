"""Every situation a unit can be in today, one function each: the states the service knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from pms.demo.rows import Chance, read_toml
from pms.demo.stay_plans import BlockPlan, StayPlan, UnitStory, days_from, term_end
from pms.rules.days import CorruptDay
from pms.rules.enumerations import (
    BlockSource,
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    ReservationKind,
)

_TEXTS: Final = read_toml("texts")["stays"]

Story = Callable[[date, Chance], UnitStory]

# How far a booking has come: payment and signature go their ways one beside the other.
BOOKING_STAGES = (
    (PaymentStatus.PENDING, EsignStatus.PENDING),
    (PaymentStatus.PENDING, EsignStatus.SENT),
    (PaymentStatus.PENDING, EsignStatus.PARTIALLY_SIGNED),
    (PaymentStatus.FAILED, EsignStatus.SIGNED),
    (PaymentStatus.PENDING, EsignStatus.DECLINED),
    (PaymentStatus.PENDING, EsignStatus.EXPIRED),
    (PaymentStatus.PAID, EsignStatus.SENT),
    (PaymentStatus.FAILED, EsignStatus.PARTIALLY_SIGNED),
)


def _plan_living_stay(today: date, rng: Chance) -> StayPlan:
    """Moved in some time ago under a contract that runs well beyond today."""
    start = days_from(today, -rng.whole(35, 300))
    months = next(n for n in (6, 9, 12, 18, 24) if term_end(start, n) > days_from(today, 60))
    return _signed_stay(start, term_end(start, months), Lifecycle.LIVING, rng)


def _past_its_end(today: date, rng: Chance) -> StayPlan:
    end = days_from(today, -rng.whole(4, 150))
    start = days_from(end, -rng.one_of((91, 182, 364)))
    return _signed_stay(start, end, Lifecycle.LIVING, rng)


def _signed_stay(start: date, end: date | None, lifecycle: Lifecycle, rng: Chance) -> StayPlan:
    return StayPlan(start, end, lifecycle, booked_on=days_from(start, -rng.whole(7, 40)))


def _plan_coming_stay(
    today: date, rng: Chance, stage: tuple[PaymentStatus, EsignStatus] | None = None
) -> StayPlan:
    """Booked or, without a stage, confirmed; the move-in lies ahead."""
    start = days_from(today, rng.whole(5, 70))
    lifecycle = Lifecycle.BOOKED if stage else Lifecycle.CONFIRMED
    plan = _signed_stay(start, term_end(start, rng.one_of((1, 3, 6, 12))), lifecycle, rng)
    payment, esign = stage or (PaymentStatus.PAID, EsignStatus.SIGNED)
    booked_on = min(plan.booked_on, days_from(today, -rng.whole(1, 9)))
    return replace(plan, payment=payment, esign=esign, booked_on=booked_on)


def vacant(today: date, rng: Chance) -> UnitStory:
    return UnitStory()


def living(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    roll = rng.share()
    if roll < 0.2:
        plan = replace(plan, co_occupants=rng.whole(1, 2))
    elif roll < 0.35:
        plan = replace(plan, arrival=days_from(plan.starts_on or today, rng.whole(1, 6)))
    elif roll < 0.45:
        plan = replace(plan, payment=PaymentStatus.PENDING, note=_TEXTS["early_stay"])
    return UnitStory((plan,))


def corrected_dates(today: date, rng: Chance) -> UnitStory:
    """Both overrides set: the contract began and ends later than first written."""
    plan = _plan_living_stay(today, rng)
    start = plan.starts_on or today
    later = days_from(start, rng.whole(1, 5))
    end = days_from(later, rng.one_of((240, 365)))
    end = max(end, days_from(today, 70))
    return UnitStory((replace(plan, override_move_in=later, override_contract_end=end),))


def open_ended(today: date, rng: Chance) -> UnitStory:
    """A contract without an end."""
    return UnitStory((replace(_plan_living_stay(today, rng), contract_end=None),))


def month_to_month(today: date, rng: Chance) -> UnitStory:
    """The contract ended, nobody filed a notice."""
    return UnitStory((_past_its_end(today, rng),))


def window_open(today: date, rng: Chance) -> UnitStory:
    """The end is near enough that the tenancy is already month to month."""
    end = days_from(today, rng.whole(3, 25))
    start = days_from(end, -rng.one_of((182, 364)))
    return UnitStory((_signed_stay(start, end, Lifecycle.LIVING, rng),))


def forced(today: date, rng: Chance) -> UnitStory:
    """Staff forced month to month when the contract had ended."""
    plan = _past_its_end(today, rng)
    return UnitStory((replace(plan, forced_on=days_from(today, -2)),))


def forced_early(today: date, rng: Chance) -> UnitStory:
    """Staff forced month to month long before the end of the contract."""
    plan = _plan_living_stay(today, rng)
    return UnitStory((replace(plan, forced_on=days_from(today, -rng.whole(3, 30))),))


def forced_and_cleared(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    return UnitStory(
        (replace(plan, forced_on=days_from(today, -20), forced_cleared_on=days_from(today, -6)),)
    )


def forced_then_notice(today: date, rng: Chance) -> UnitStory:
    """The filed move-out wins over the flag."""
    plan = replace(_past_its_end(today, rng), forced_on=days_from(today, -4))
    return UnitStory((_with_notice(plan, days_from(today, rng.whole(12, 40))),))


def _with_notice(plan: StayPlan, move_out: date) -> StayPlan:
    return replace(plan, lifecycle=Lifecycle.NOTICE_FILED, move_out=move_out)


def notice(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    return UnitStory((_with_notice(plan, days_from(today, rng.whole(3, 60))),))


def leaving_today(today: date, rng: Chance) -> UnitStory:
    return UnitStory((_with_notice(_plan_living_stay(today, rng), today),))


def notice_and_successor(today: date, rng: Chance) -> UnitStory:
    """The next resident moves in on the day of the move-out, or soon after."""
    move_out = days_from(today, rng.whole(6, 40))
    start = days_from(move_out, rng.one_of((0, 0, 1, 10)))
    stage = rng.one_of((None, *BOOKING_STAGES[:3]))
    coming = replace(
        _plan_coming_stay(today, rng, stage),
        move_in=start,
        contract_end=term_end(start, rng.one_of((3, 6, 12))),
    )
    return UnitStory((_with_notice(_plan_living_stay(today, rng), move_out), coming))


def successor_after_end(today: date, rng: Chance) -> UnitStory:
    """No notice, but the unit is booked again from the end of the contract."""
    end = days_from(today, rng.whole(8, 28))
    plan = _signed_stay(days_from(end, -rng.one_of((91, 182))), end, Lifecycle.LIVING, rng)
    start = days_from(end, rng.whole(0, 4))
    coming = replace(_plan_coming_stay(today, rng), move_in=start, contract_end=term_end(start, 6))
    return UnitStory((plan, coming))


def expected_departure(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    expected = days_from(today, rng.whole(10, 80))
    return UnitStory((replace(plan, expected_departure=expected),))


def expected_departure_past(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    return UnitStory((replace(plan, expected_departure=days_from(today, -rng.whole(2, 20))),))


def corrupt_expected_departure(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    return UnitStory((replace(plan, expected_departure=CorruptDay(_TEXTS["unclear_departure"])),))


def corrupt_move_out(today: date, rng: Chance) -> UnitStory:
    plan = _plan_living_stay(today, rng)
    unreadable = CorruptDay(f"{today.year}-02-31")
    return UnitStory((replace(plan, lifecycle=Lifecycle.NOTICE_FILED, move_out=unreadable),))


def corrupt_start(today: date, rng: Chance) -> UnitStory:
    plan = _plan_coming_stay(today, rng, BOOKING_STAGES[0])
    return UnitStory(
        (replace(plan, move_in=CorruptDay(_TEXTS["unclear_start"]), contract_end=None),)
    )


def coming_booked(today: date, rng: Chance) -> UnitStory:
    return UnitStory((_plan_coming_stay(today, rng, rng.one_of(BOOKING_STAGES)),))


def awaited(today: date, rng: Chance) -> UnitStory:
    """The contract has started, and nobody moved in: not signed, not paid."""
    (plan,) = coming_booked(today, rng).stays
    start = days_from(today, -2)
    plan = replace(
        plan,
        move_in=start,
        contract_end=term_end(start, 12),
        booked_on=days_from(start, -9),
        payment=PaymentStatus.PENDING,
        esign=EsignStatus.SENT,
    )
    return UnitStory((plan,))


def coming_unpaid(today: date, rng: Chance) -> UnitStory:
    """The payment of the move-in invoice failed."""
    failed = [stage for stage in BOOKING_STAGES if stage[0] is PaymentStatus.FAILED]
    return UnitStory((_plan_coming_stay(today, rng, rng.one_of(failed)),))


def coming_confirmed(today: date, rng: Chance) -> UnitStory:
    """Signed and paid; the person arrives three days after the contract starts."""
    plan = _plan_coming_stay(today, rng)
    plan = replace(plan, arrival=days_from(plan.starts_on or today, 3))
    if rng.share() < 0.5:
        plan = replace(plan, co_occupants=1)
    return UnitStory((plan,))


def _plan_guest_stay(check_in: date, nights: int, lifecycle: Lifecycle) -> StayPlan:
    return StayPlan(
        check_in,
        days_from(check_in, nights),
        lifecycle,
        booked_on=days_from(check_in, -12),
        kind=ReservationKind.GUEST,
    )


def guest_staying(today: date, rng: Chance) -> UnitStory:
    check_in = days_from(today, -rng.whole(1, 5))
    nights = rng.whole(7, 20)
    return UnitStory((_plan_guest_stay(check_in, nights, Lifecycle.LIVING),))


def guest_coming(today: date, rng: Chance) -> UnitStory:
    check_in = days_from(today, rng.whole(3, 25))
    plan = _plan_guest_stay(check_in, rng.whole(3, 14), Lifecycle.CONFIRMED)
    return UnitStory((replace(plan, booked_on=days_from(today, -3)),))


def owner_living(today: date, rng: Chance) -> UnitStory:
    """The owner lives in a unit of their own: no deposit, no contract end."""
    start = days_from(today, -rng.whole(400, 1500))
    plan = StayPlan(
        start, None, Lifecycle.LIVING, booked_on=start, kind=ReservationKind.OWNER_RESIDENT
    )
    return UnitStory((plan,))


def rent_roll_block(today: date, rng: Chance) -> UnitStory:
    first = days_from(today, -rng.whole(60, 200))
    block = BlockPlan(BlockSource.RENT_ROLL, first, term_end(first, 12))
    return UnitStory(blocks=(block,))


def channel_block(today: date, rng: Chance) -> UnitStory:
    first = days_from(today, -rng.whole(0, 3))
    last = days_from(today, rng.whole(2, 9))
    return UnitStory(blocks=(BlockPlan(BlockSource.CHANNEL_CALENDAR, first, last, "Reserved"),))


def owner_use_block(today: date, rng: Chance) -> UnitStory:
    last = days_from(today, rng.whole(5, 20))
    block = BlockPlan(BlockSource.OWNER_USE, days_from(today, -6), last, _TEXTS["owner_family"])
    return UnitStory(blocks=(block,))


def coming_block(today: date, rng: Chance) -> UnitStory:
    first = days_from(today, rng.whole(6, 40))
    last = days_from(first, rng.whole(2, 12))
    return UnitStory(blocks=(BlockPlan(BlockSource.CHANNEL_CALENDAR, first, last, "Reserved"),))


# How many of 120 units are in each situation.
SITUATIONS: Mapping[Story, int] = {
    vacant: 19, living: 20, corrected_dates: 3, open_ended: 4, month_to_month: 8, window_open: 4,
    forced: 4, forced_early: 2, forced_and_cleared: 1, forced_then_notice: 2, notice: 9,
    leaving_today: 2, notice_and_successor: 4, successor_after_end: 3, expected_departure: 6,
    expected_departure_past: 2, corrupt_expected_departure: 1, corrupt_move_out: 1,
    corrupt_start: 1, coming_booked: 4, awaited: 1, coming_unpaid: 1, coming_confirmed: 4,
    guest_staying: 3,
    guest_coming: 2, owner_living: 2, rent_roll_block: 2, channel_block: 2, owner_use_block: 1,
    coming_block: 2,
}  # fmt: skip
