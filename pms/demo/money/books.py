"""Writes the ledgers of a demo workspace: every resident's, from the first booking to today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any

from pms.demo.money.account import STAFF
from pms.demo.money.course import Course, has_money
from pms.demo.money.leaving import Leaving, keep_move
from pms.demo.money.papers import number_papers
from pms.demo.money.paying import CourseFacts, habit_of
from pms.demo.rows import Rows, instant
from pms.demo.stay_plans import days_from
from pms.demo.tenancies import DemoStay
from pms.deposits.models import Amendment
from pms.reservations.models import Reservation
from pms.rules.deposit import deposit_transfer
from pms.rules.enumerations import Lifecycle, PaymentStatus
from pms.rules.policy import DEFAULT_POLICY


def keep_books(rows: Rows, stays: Sequence[DemoStay], today: date) -> None:
    """Keep the rows of all money of a workspace; reservations follow what their ledger tells."""
    courses = {facts.stay.id: Course(rows, facts) for facts in _facts(stays, today)}
    for course in courses.values():
        course.run()
        course.leaving.keep_notice()
    _move_deposits(rows, courses)
    records = {row["id"]: row for row in rows.of(Reservation)}
    for id_, course in courses.items():
        _follow(records[id_], course.leaving)
    number_papers(rows, today)


def _facts(stays: Sequence[DemoStay], today: date) -> Iterable[CourseFacts]:
    successors = _successors(stays)
    amended = {
        one.plan.person: one.plan.booked_on for one in stays if one.plan.is_moved_in_from_elsewhere
    }
    places: defaultdict[Lifecycle, count[int]] = defaultdict(count)
    for one in stays:
        if not has_money(one.plan):
            continue
        number = next(places[one.plan.lifecycle])
        is_old = one.plan.lifecycle is Lifecycle.TRANSFERRED
        yield CourseFacts(
            stay=one,
            today=today,
            policy=DEFAULT_POLICY,
            successor_start_on=successors.get(one.id),
            amended_on=amended.get(one.plan.person) if is_old else None,
            habit=habit_of(one.plan, number),
            number=number,
        )


def _successors(found_stays: Sequence[DemoStay]) -> Mapping[str, date]:
    """The start of the next stay of each stay's unit, cancelled ones left out."""
    by_unit: defaultdict[str, list[tuple[date, str]]] = defaultdict(list)
    for one in found_stays:
        if one.plan.starts_on and not one.plan.cancelled_on:
            by_unit[one.unit.id].append((one.plan.starts_on, one.id))
    found: dict[str, date] = {}
    for stays in by_unit.values():
        for start_on, id_ in stays:
            later = [other for other, _ in stays if other > start_on]
            if later:
                found[id_] = min(later)
    return found


def _move_deposits(rows: Rows, courses: Mapping[str, Course]) -> None:
    """Write each change of rooms as an amendment, and move its deposit on the new first day."""
    new_of = {
        course.plan.person: course
        for course in courses.values()
        if course.plan.is_moved_in_from_elsewhere
    }
    for old in courses.values():
        amended_on, new = old.facts.amended_on, new_of.get(old.plan.person)
        if amended_on is None or new is None:
            continue
        start_on = new.tenancy(old.facts.today).term.start_on
        amendment_id = rows.add(
            Amendment,
            instant(amended_on, 13),
            old_reservation_id=old.account.reservation_id,
            new_reservation_id=new.account.reservation_id,
            last_on=days_from(start_on, -1),
            written_at=instant(amended_on, 13),
            written_by=STAFF,
        )
        transfer = deposit_transfer(old.account.held_yen(start_on), start_on)
        if transfer is not None:
            keep_move(old.account, transfer.out, transfer_id=amendment_id)
            keep_move(new.account, transfer.into, transfer_id=amendment_id)


def _follow(record: dict[str, Any], leaving: Leaving) -> None:
    """A settled reservation is refunded when all of a remainder was sent, and only then."""
    settled = leaving.settled
    if settled is None:
        return
    record["lifecycle"] = Lifecycle.REFUNDED if settled.is_refunded else Lifecycle.SETTLED
    record["payment_status"] = PaymentStatus.REFUNDED if settled.is_refunded else PaymentStatus.PAID
