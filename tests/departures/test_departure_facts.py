"""How a reservation ends is told as it stands, with what keeps it from going on by the month."""

from datetime import date
from typing import Any

import pytest

from pms.departures.departures import DepartureFacts, Outweighing, departure_facts
from pms.departures.expected_departures import record_expected_departure
from pms.departures.notices import file_notice, reschedule_move_out
from pms.foundation.errors import NotFound
from pms.reservations.month_to_month import force_month_to_month
from pms.rules.days import CorruptDay
from pms.rules.enumerations import Lifecycle, MonthToMonthState, ReservationKind
from pms.rules.notices import ClassReason
from tests.departures.desk import Desk

TODAY = date(2026, 11, 20)


def facts(desk: Desk, id_: str) -> DepartureFacts:
    return desk.ask(departure_facts, id_, desk.clock.today())


def outweighed(desk: Desk, id_: str) -> Outweighing | None:
    found = facts(desk, id_).month_to_month
    assert found is not None
    return found.outweighed_by


def change(desk: Desk, id_: str, **given: Any) -> None:
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(id_))
        for name, value in given.items():
            setattr(row, name, value)


def test_of_who_lives_on_everything_is_told_and_nothing_stands_against_it(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    told_on = date(2027, 1, 15)
    desk.do(record_expected_departure, reservation_id=id_, expected_departure_on=told_on)
    found = facts(desk, id_)
    assert (found.version, found.expected_departure_on) == (desk.row(id_).version, told_on)
    assert (found.notice, found.filings, found.damaged) == (None, (), None)
    assert found.free_on == date(2027, 3, 31)
    terms = found.month_to_month
    assert terms is not None
    assert terms.state is MonthToMonthState.NONE
    assert (terms.term.start_on, terms.term.end_on) == (date(2026, 4, 1), date(2027, 3, 31))
    assert (terms.class_days, terms.class_reason) == (30, ClassReason.MANY_DAYS)
    assert terms.window_opens_on == date(2027, 3, 1)
    assert (terms.forced_on, terms.outweighed_by, terms.successor_start_on) == (None, None, None)
    assert terms.unforceable is None


def test_a_notice_is_told_with_every_day_it_asked_for_and_outweighs_the_months(desk: Desk) -> None:
    id_ = desk.resident("2025-06-01", "2026-05-31")
    month_to_month = facts(desk, id_).month_to_month
    assert month_to_month is not None
    assert month_to_month.state is MonthToMonthState.DERIVED
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 12, 20))
    desk.do(reschedule_move_out, reservation_id=id_, move_out_on=date(2026, 12, 31))
    found = facts(desk, id_)
    assert found.notice is not None
    assert (found.notice.reservation_id, found.notice.move_out_on) == (id_, date(2026, 12, 31))
    assert [filing.number for filing in found.filings] == [1, 2]
    assert found.month_to_month is not None
    assert found.month_to_month.state is MonthToMonthState.NONE
    assert found.month_to_month.unforceable is not None
    assert outweighed(desk, id_) is Outweighing.NOTICE


def test_a_cancellation_and_a_short_stay_outweigh_everything(desk: Desk) -> None:
    cancelled = desk.resident("2026-12-01", "2027-11-30")
    change(desk, cancelled, lifecycle=Lifecycle.CANCELLED, cancelled_at=desk.clock.now())
    assert outweighed(desk, cancelled) is Outweighing.CANCELLATION
    kind = ReservationKind.GUEST
    guest = desk.resident("2026-11-18", "2026-11-25", kind=kind, move_out_date=date(2026, 11, 24))
    assert outweighed(desk, guest) is Outweighing.SHORT_STAY
    assert facts(desk, guest).free_on == TODAY


def test_a_successor_outweighs_the_months_unless_staff_forced_them(desk: Desk) -> None:
    id_ = desk.resident("2025-12-01", "2026-11-30")
    booked: dict[str, Any] = {"unit_id": desk.row(id_).unit_id, "lifecycle": Lifecycle.CONFIRMED}
    desk.resident("2026-12-01", "2027-11-30", **booked)
    assert outweighed(desk, id_) is Outweighing.SUCCESSOR
    desk.do(force_month_to_month, reservation_id=id_)
    terms = facts(desk, id_).month_to_month
    assert terms is not None
    assert (terms.state, terms.outweighed_by) == (MonthToMonthState.FORCED, None)
    assert (terms.forced_on, terms.successor_start_on) == (TODAY, date(2026, 12, 1))
    assert terms.unforceable is not None


def test_a_flag_set_today_makes_the_notice_longer(desk: Desk) -> None:
    free_on = {}
    for forced in (False, True):
        id_ = desk.resident("2026-11-10", "2026-12-09")
        if forced:
            desk.do(force_month_to_month, reservation_id=id_)
        free_on[forced] = facts(desk, id_).free_on
    assert free_on == {False: date(2026, 12, 9), True: date(2026, 12, 19)}


def test_an_owner_resident_is_free_to_leave_at_once_or_from_the_start(desk: Desk) -> None:
    kind = ReservationKind.OWNER_RESIDENT
    living = desk.resident("2025-05-01", None, (), kind=kind)
    coming = desk.resident("2026-12-01", None, (), kind=kind, lifecycle=Lifecycle.BOOKED)
    assert [facts(desk, id_).free_on for id_ in (living, coming)] == [TODAY, date(2026, 12, 1)]


def test_a_day_that_cannot_be_read_is_told_and_the_rest_is_left_out(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", None)
    change(desk, id_, contract_end_date=CorruptDay("2027-02-30"))
    found = facts(desk, id_)
    assert found.damaged is not None
    assert "2027-02-30" in found.damaged.message
    assert (found.notice, found.filings) == (None, ())
    assert (found.month_to_month, found.free_on) == (None, None)


@pytest.mark.parametrize("torn", ["", "x", "0" * 32])
def test_of_nobody_nothing_is_told(desk: Desk, torn: str) -> None:
    with desk.refuses(f"no reservation '{torn}'", as_=NotFound):
        facts(desk, torn)
