"""Nobody lives where nobody moved in: a booking without signature and money stays a booking."""

import pytest

from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking, move_in
from pms.availability.labels import label
from pms.availability.occupancy import occupancy_months
from pms.availability.units import availability_of
from pms.departures.expected_departures import record_expected_departure
from pms.departures.notices import file_notice
from pms.departures.own_notices import OwnNotice, own_notice_of
from pms.deposits.deposit_report import deposit_report
from pms.foundation.errors import Refused
from pms.ledger.billing import bill_month
from pms.reservations.month_to_month import month_to_month_of
from pms.reservations.residents import resident_record
from pms.rules.enumerations import DepositExclusion, Lifecycle, MonthToMonthState, RecurringItem
from pms.rules.policy import DEFAULT_POLICY
from tests.arrivals.office import Office, day, refused

pytestmark = pytest.mark.differs("dates and lifecycles in SQL")


@pytest.fixture
def awaited(office: Office, room: str) -> str:
    """Somebody who was to come on 1 December and never did; nothing was signed or paid."""
    return office.book(room, "2026-12-01", "2027-01-31")


def rent_days(office: Office, reservation_id: str) -> list[tuple[object, object]]:
    lines = office.lines(reservation_id)
    return [(first, last) for item, first, last, _ in lines if item == RecurringItem.BASE_RENT]


def test_it_is_billed_to_its_contract_end_and_never_month_to_month(
    office: Office, awaited: str
) -> None:
    for on in ("2026-12-25", "2027-01-25", "2027-02-25", "2027-05-25"):
        office.go_to(on)
        office.do(advance_lifecycles)
        office.do(bill_month)
    assert office.lifecycle(awaited) == Lifecycle.BOOKED
    assert rent_days(office, awaited) == [
        (day("2026-12-01"), day("2026-12-31")),
        (day("2027-01-01"), day("2027-01-31")),
    ]
    record = office.ask(resident_record, awaited)
    found = month_to_month_of(record, office.clock.today(), DEFAULT_POLICY)
    assert found.state is MonthToMonthState.NONE


def test_its_deposit_is_not_reported_and_its_room_counts_as_empty(
    office: Office, room: str, awaited: str
) -> None:
    office.go_to("2026-12-20")
    on = office.clock.today()
    assert label(office.ask(availability_of, room, on)) == "Reserved from 2026-12-01"
    report = office.ask(deposit_report, on)
    assert (report.deposits, report.excluded[DepositExclusion.ONBOARDING]) == ((), 1)
    assert office.ask(occupancy_months, on, 1)[0].lived_days == 0
    office.do(move_in, reservation_id=awaited)
    assert label(office.ask(availability_of, room, on)) == "Occupied"
    assert [one.reservation_id for one in office.ask(deposit_report, on).deposits] == [awaited]
    assert office.ask(occupancy_months, on, 1)[0].lived_days == 20


def test_who_did_not_move_in_gives_no_notice_and_plans_no_departure(
    office: Office, awaited: str
) -> None:
    office.go_to("2026-12-20")
    assert office.ask(own_notice_of, awaited, office.clock.today()) is OwnNotice.NOT_MOVED_IN
    with refused(office, "Only a current resident can be expected to move out", Refused):
        office.do(
            record_expected_departure,
            reservation_id=awaited,
            expected_departure_on=day("2027-01-10"),
        )


def test_staff_say_that_somebody_moved_in_by_filing_the_notice(
    office: Office, awaited: str
) -> None:
    office.go_to("2026-12-20")
    office.do(file_notice, reservation_id=awaited, move_out_on=day("2027-01-31"))
    assert office.lifecycle(awaited) == Lifecycle.NOTICE_FILED


def test_a_booking_cancelled_after_its_start_leaves_nothing_behind(
    office: Office, room: str, awaited: str
) -> None:
    office.go_to("2026-12-20")
    office.do(cancel_booking, reservation_id=awaited)
    assert office.lifecycle(awaited) == Lifecycle.CANCELLED
    assert label(office.ask(availability_of, room, office.clock.today())) == "Available now"
    assert not any(standing.open_yen for standing in office.standings(awaited))
