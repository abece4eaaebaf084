"""The rows of whoever lives, lived or will live in a unit, dealt out over the units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from pms.arrivals.models import KeyHandover, RentRollTenancy
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.demo.agreed_terms import AgreedTerms, agree
from pms.demo.operators import OpenedUnit, OpenedWorkspace
from pms.demo.people import DemoPerson, People
from pms.demo.rows import STAFF, Chance, IdMaker, Rows, instant, read_toml
from pms.demo.stay_plans import (
    BlockPlan,
    StayPlan,
    cancelled_booking,
    days_from,
    former_stay,
    room_change,
)
from pms.demo.unit_stories import SITUATIONS, Story, living, vacant
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.enumerations import BlockSource, Lifecycle, ReservationKind

_TEXTS: Final = read_toml("texts")["tenancies"]

_KEYS = 2
_NEVER_CAME = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.CANCELLED)


@dataclass(frozen=True)
class DemoStay:
    """A reservation whose row is kept, with its plan and what was agreed."""

    id: str
    unit: OpenedUnit
    plan: StayPlan
    terms: AgreedTerms
    booked_at: datetime


class Tenancies:
    """Adds the stays and blocks of one workspace, and remembers who is who."""

    def __init__(self, opened: OpenedWorkspace, people: People, rng: Chance):
        self._rows: Rows = opened.rows
        self._today = opened.today
        self._people = people
        self._rng = rng
        self._known: dict[str, DemoPerson] = {}
        # Ids of their own leave those of all other rows as they are.
        self._key_ids = IdMaker("keys", self._rows.workspace_id)
        self.stays: list[DemoStay] = []

    def add(self, unit: OpenedUnit, plan: StayPlan) -> None:
        """Keep the rows of one reservation with its price and the people in it."""
        booked_at = instant(plan.booked_on, self._rng.whole(9, 20), self._rng.whole(0, 59))
        if plan.person is None:
            person = self._people.next()
        else:
            if plan.person not in self._known:
                self._known[plan.person] = self._people.next()
            person = self._known[plan.person]
        reservation_id = self._rows.add(
            Reservation, booked_at, **_as_recorded(unit, plan, person, booked_at, self._today)
        )
        if plan.forced_on is not None:
            cleared_on = plan.forced_cleared_on
            self._rows.add(
                ForcedMonthToMonth,
                instant(plan.forced_on, 11),
                reservation_id=reservation_id,
                set_at=instant(plan.forced_on, 11),
                set_by=STAFF,
                cleared_at=instant(cleared_on, 16) if cleared_on else None,
                cleared_by=STAFF if cleared_on else None,
            )
        self._add_keys(reservation_id, plan)
        terms = agree(unit, plan, self._today, self._rng)
        self._add_price(reservation_id, terms, booked_at)
        self.stays.append(DemoStay(reservation_id, unit, plan, terms, booked_at))
        for position in range(1, plan.co_occupants + 1):
            other = self._people.next()
            self._rows.add(
                CoOccupant,
                booked_at,
                reservation_id=reservation_id,
                position=position,
                name=other.name,
                name_kana=other.kana,
            )

    def _add_keys(self, reservation_id: str, plan: StayPlan) -> None:
        """Keep which keys a resident got on the first day."""
        start_on = _keys_on(plan, self._today)
        if start_on is None:
            return
        at = instant(start_on, 11)
        self._rows.add(
            KeyHandover,
            at,
            id=self._key_ids.at(at),
            reservation_id=reservation_id,
            handed_on=start_on,
            key_count=_KEYS,
            written_at=at,
            written_by=STAFF,
        )

    def _add_price(self, reservation_id: str, terms: AgreedTerms, booked_at: datetime) -> None:
        self._rows.add(
            PricingSnapshot,
            booked_at,
            reservation_id=reservation_id,
            frozen_at=booked_at,
            **terms.periods[0].amounts,
        )
        for period in terms.periods:
            period_id = self._rows.add(
                PricePeriod,
                booked_at,
                reservation_id=reservation_id,
                first_on=period.first_on,
                last_on=period.last_on,
                **period.amounts,
            )
            for fee in period.fees:
                self._rows.add(
                    PeriodFee,
                    booked_at,
                    period_id=period_id,
                    code=fee.code,
                    label_ja=fee.label.ja,
                    label_en=fee.label.en,
                    category=fee.category,
                    tax_treatment=fee.tax_treatment,
                    amount_yen=fee.amount_yen,
                )
        if terms.discount is not None:
            agreed = terms.discount
            self._rows.add(
                FrozenDiscount,
                booked_at,
                reservation_id=reservation_id,
                label_ja=agreed.label.ja,
                label_en=agreed.label.en,
                percent=None if agreed.percent is None else format(agreed.percent, "f"),
                monthly_yen=agreed.monthly_yen,
                is_recurring=agreed.is_recurring,
                minimum_stay_days=agreed.minimum_stay_days,
            )

    def add_blocks(self, unit: OpenedUnit, blocks: Sequence[BlockPlan]) -> None:
        """Keep the days taken outside the service."""
        for block in blocks:
            read_at = instant(days_from(min(block.first_on, self._today), -1), 6)
            if block.source is not BlockSource.CHANNEL_CALENDAR:
                feed_id = None
            else:
                feed_id = self._rows.add(
                    CalendarFeed,
                    read_at,
                    unit_id=unit.id,
                    name="Example Stays",
                    url=f"https://channel.example.com/calendars/{unit.id[-12:]}.ics",
                    last_read_at=instant(days_from(self._today, -1), 23),
                )
            block_id = self._rows.add(
                ExternalBlock,
                read_at,
                unit_id=unit.id,
                source=block.source,
                first_on=block.first_on,
                last_on=block.last_on,
                summary=block.summary,
                feed_id=feed_id,
                uid=f"{self._rng.bits(48):012x}@channel.example.com" if feed_id else None,
                created_at=read_at,
                updated_at=read_at,
            )
            if block.source is BlockSource.RENT_ROLL:
                self._add_rent_roll(unit, block, block_id, read_at)

    def _add_rent_roll(
        self, unit: OpenedUnit, block: BlockPlan, block_id: str, read_at: datetime
    ) -> None:
        tenant = self._people.next()
        self._rows.add(
            RentRollTenancy,
            read_at,
            block_id=block_id,
            unit_id=unit.id,
            status=_TEXTS["living"],
            name=tenant.name,
            name_kana=tenant.kana,
            email=tenant.email,
            phone=tenant.phone,
            contract_start_date=block.first_on,
            contract_end_date=block.last_on,
            rent_yen=unit.room.rent_yen,
            common_fee_yen=unit.room.maintenance_yen,
            utilities_yen=unit.room.utilities_yen,
            deposit_yen=unit.room.deposit_yen,
            payment_method=_TEXTS["direct_debit"],
            remark=None,
            created_at=read_at,
            updated_at=read_at,
        )


def _as_recorded(
    unit: OpenedUnit, plan: StayPlan, person: DemoPerson, booked_at: datetime, today: date
) -> dict[str, Any]:
    # Who changed rooms brings the deposit along.
    is_resident = plan.kind is ReservationKind.RESIDENT
    has_deposit = is_resident and not plan.is_moved_in_from_elsewhere
    # The newest day in the record that has passed.
    days = (plan.starts_on, plan.move_out, plan.forced_on, plan.cancelled_on)
    passed = [day for day in days if isinstance(day, date) and day < today]
    last_touched = max([booked_at, *(instant(day, 17) for day in passed)])
    return {
        "unit_id": unit.id,
        "kind": plan.kind,
        "lifecycle": plan.lifecycle,
        "name": person.name,
        "name_kana": person.kana,
        "email": person.email,
        "phone": person.phone,
        "locale": person.locale,
        "move_in_date": plan.move_in,
        "override_move_in_date": plan.override_move_in,
        "arrival_date": plan.arrival,
        "contract_end_date": plan.contract_end,
        "override_contract_end_date": plan.override_contract_end,
        "move_out_date": plan.move_out,
        "expected_departure_date": plan.expected_departure,
        "forced_on": None if plan.forced_cleared_on else plan.forced_on,
        "cancelled_at": instant(plan.cancelled_on, 15) if plan.cancelled_on else None,
        "keys_on": _keys_on(plan, today),
        "reservation_fee_yen": unit.room.reservation_fee_yen if has_deposit else 0,
        "deposit_yen": unit.room.deposit_yen if has_deposit else 0,
        "payment_status": plan.payment,
        "esign_status": plan.esign,
        "note": plan.note,
        "created_at": booked_at,
        "updated_at": last_touched,
    }


def _keys_on(plan: StayPlan, today: date) -> date | None:
    """The first day of a resident who came, on which the keys were handed over."""
    has_come = plan.starts_on is not None and plan.starts_on < today
    is_resident = plan.kind is ReservationKind.RESIDENT
    return (
        plan.starts_on if has_come and is_resident and plan.lifecycle not in _NEVER_CAME else None
    )


_CANCELLED_SHARE = 0.035


@dataclass
class FilledUnit:
    """A unit, the situation it is in, and the day its known past begins."""

    unit: OpenedUnit
    story: Story
    stays: list[StayPlan]
    blocks: Sequence[BlockPlan]
    edge: date


def situations_for(count: int) -> list[Story]:
    """The situations of that many units in the proportions of the demo."""
    whole = sum(SITUATIONS.values())
    dealt: list[Story] = []
    reached = 0
    for story, weight in SITUATIONS.items():
        reached += weight
        dealt += [story] * (round(reached * count / whole) - len(dealt))
    return dealt


def fill(
    units: Sequence[OpenedUnit],
    stories: Sequence[Story],
    reservations: int,
    today: date,
    rng: Chance,
) -> list[FilledUnit]:
    """Tell every unit's story and add former stays until the count is reached."""
    filled = [
        _fill_unit(unit, story, today, rng) for unit, story in zip(units, stories, strict=True)
    ]
    left = [unit for unit in filled if unit.story is vacant]
    taken = [unit for unit in filled if unit.story is living]
    for old_unit, new_unit in list(zip(left, taken, strict=False))[:2]:
        old, new = room_change(new_unit.stays[0], today, rng)
        new_unit.stays[0] = new
        _add_former(old_unit, old)
    # Somebody who lives in one unit today lived in another before.
    return_to = [unit for unit in filled if unit.story is living][2:4]
    left_before = [unit for unit in filled if unit.story is vacant][2:4]
    for now, before in zip(return_to, left_before, strict=False):
        person = f"returned-{rng.bits(32)}"
        now.stays[0] = replace(now.stays[0], person=person)
        start = now.stays[0].starts_on or today
        plan = former_stay(min(before.edge, days_from(start, -60)), today, rng)
        _add_former(before, replace(plan, kind=ReservationKind.RESIDENT, person=person))
    for number in range(round(reservations * _CANCELLED_SHARE)):
        rng.one_of(filled).stays.append(cancelled_booking(number, today, rng))
    total = sum(len(unit.stays) for unit in filled)
    while total < reservations:
        chosen = _least_stories(filled, rng)
        _add_former(chosen, former_stay(chosen.edge, today, rng))
        total += 1
    return filled


def add_rows(filled: Sequence[FilledUnit], tenancies: Tenancies) -> None:
    """Keep the rows of all stays, those of a unit from the first to the last."""
    for unit in filled:
        tenancies.add_blocks(unit.unit, unit.blocks)
        for plan in sorted(unit.stays, key=lambda plan: plan.booked_on):
            tenancies.add(unit.unit, plan)


def _fill_unit(unit: OpenedUnit, story: Story, today: date, rng: Chance) -> FilledUnit:
    stay_story = story(today, rng)
    return FilledUnit(
        unit, story, list(stay_story.stays), stay_story.blocks, stay_story.earliest(today)
    )


def _add_former(unit: FilledUnit, plan: StayPlan) -> None:
    unit.stays.append(plan)
    unit.edge = min(unit.edge, plan.starts_on or unit.edge)


def _least_stories(filled: Sequence[FilledUnit], rng: Chance) -> FilledUnit:
    """The unit of three whose past is known least far back."""
    return max((rng.one_of(filled) for _ in range(3)), key=lambda unit: unit.edge)
