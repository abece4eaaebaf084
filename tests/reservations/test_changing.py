"""Staff force a tenancy, take it back, name who lives there, and note who is expected to leave."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from pms.arrivals.co_occupants import name_co_occupants
from pms.arrivals.lifecycles import cancel_booking, move_in
from pms.departures.expected_departures import record_expected_departure
from pms.departures.notices import file_notice
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.reservations.models import CoOccupant
from pms.reservations.month_to_month import clear_forced_month_to_month, force_month_to_month
from pms.reservations.residents import NamedPerson
from pms.rules.enumerations import Lifecycle
from tests.arrivals.office import GUEST, Office, day, open_office, refused


@pytest.fixture
def office(database: Database) -> Office:
    return open_office(database)


@pytest.fixture
def room(office: Office) -> str:
    return office.home.unit("101")


@pytest.fixture
def living(office: Office, room: str) -> str:
    """Somebody who lives in the room since 1 November."""
    id_ = office.book(room, "2026-11-01", "2027-01-31")
    office.do(move_in, reservation_id=id_)
    return id_


def test_a_forced_flag_is_a_row_with_a_who_and_a_when_and_so_is_its_end(
    office: Office, living: str
) -> None:
    office.do(force_month_to_month, reservation_id=living)
    assert office.row(living).forced_on == day("2026-11-20")
    with refused(office, "month to month since 2026-11-20", Refused):
        office.do(force_month_to_month, reservation_id=living)
    flag = office.do(clear_forced_month_to_month, reservation_id=living)
    assert (flag.set_by, flag.cleared_by, flag.cleared_at) == ("staff", "staff", office.clock.now())
    assert office.row(living).forced_on is None
    with refused(office, "nothing to undo", Refused):
        office.do(clear_forced_month_to_month, reservation_id=living)
    office.do(force_month_to_month, reservation_id=living)


def test_a_cleared_flag_lets_a_successor_in_and_a_booked_one_stands_beside_a_new_flag(
    office: Office, living: str, room: str
) -> None:
    office.do(force_month_to_month, reservation_id=living)
    with refused(office, "no end date", Refused):
        office.book(room, "2027-02-01", "2027-07-31")
    office.do(clear_forced_month_to_month, reservation_id=living)
    office.book(room, "2027-02-01", "2027-07-31")
    office.do(force_month_to_month, reservation_id=living)
    with refused(office, "no end date", Refused):
        office.book(room, "2027-08-01", "2027-12-31")


def test_only_a_living_tenancy_without_an_ending_is_forced(
    office: Office, living: str, room: str
) -> None:
    coming = office.book(room, "2027-02-01", "2027-07-31")
    with refused(office, "Only the tenancy of a current resident", Refused):
        office.do(force_month_to_month, reservation_id=coming)
    office.do(cancel_booking, reservation_id=coming)
    with refused(office, "This one is cancelled", Refused):
        office.do(force_month_to_month, reservation_id=coming)
    office.do(file_notice, reservation_id=living, move_out_on=day("2027-01-31"))
    with refused(office, "This one is notice_filed", Refused):
        office.do(force_month_to_month, reservation_id=living)
    stay = {"kind": GUEST, "amounts": None, "deposit_yen": 0, "reservation_fee_yen": 0}
    guest = office.book(room, "2027-02-01", "2027-02-05", **stay)
    with refused(office, "A short stay", Refused):
        office.do(force_month_to_month, reservation_id=guest)


def test_who_was_never_moved_in_is_living_once_staff_force_the_tenancy(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-11-01", "2027-01-31")
    office.do(force_month_to_month, reservation_id=id_)
    assert office.lifecycle(id_) == Lifecycle.LIVING


def test_co_occupants_are_replaced_in_the_order_they_are_named(office: Office, living: str) -> None:
    named = [NamedPerson(" 佐藤 次郎 ", "サトウ ジロウ"), NamedPerson("佐藤 三郎")]
    for people in ([NamedPerson("だれか")], named):
        office.do(name_co_occupants, reservation_id=living, people=people)
    with office.database.reading(office.home.workspace_id) as session:
        rows = session.execute(
            select(CoOccupant.name, CoOccupant.name_kana).order_by(CoOccupant.position)
        )
        assert [tuple(row) for row in rows] == [
            ("佐藤 次郎", "サトウ ジロウ"),
            ("佐藤 三郎", None),
        ]
    assert office.row(living).version == 4
    office.do(name_co_occupants, reservation_id=living, people=[])
    assert office.counts()["co_occupant"] == 0


def test_bad_names_and_tenancies_that_are_over_are_refused(
    office: Office, living: str, room: str
) -> None:
    long = "あ" * 201
    for people, saying in (
        ([NamedPerson(" ")], "enter a name of 1 to 200"),
        ([NamedPerson(long)], "enter a name of 1 to 200"),
        ([NamedPerson("佐藤", long)], "enter a reading of at most 200"),
        ([NamedPerson("佐藤")] * 11, "11 people are more than 10"),
    ):
        with refused(office, saying, Refused):
            office.do(name_co_occupants, reservation_id=living, people=people)
    gone = office.book(room, "2027-02-01", "2027-07-31")
    office.do(cancel_booking, reservation_id=gone)
    with refused(office, "no co-occupant can be added to a tenancy that is cancelled", Refused):
        office.do(name_co_occupants, reservation_id=gone, people=[])


def test_an_expected_departure_is_noted_taken_back_and_gone_once_a_notice_is_filed(
    office: Office, living: str
) -> None:
    def expect(on: str | None) -> None:
        facts = {"expected_departure_on": on and day(on)}
        office.do(record_expected_departure, reservation_id=living, **facts)

    expect("2027-01-15")
    row = office.row(living)
    assert (row.expected_departure_date, row.free_from) == (day("2027-01-15"), day("2027-01-31"))
    expect(None)
    assert office.row(living).expected_departure_date is None
    expect("2027-01-15")
    office.do(file_notice, reservation_id=living, move_out_on=day("2027-01-31"))
    assert office.row(living).expected_departure_date is None
    with refused(office, "a notice has been given, so the move-out", Refused):
        expect("2027-01-15")


def test_an_expected_departure_of_nobody_or_in_the_past_is_refused(
    office: Office, living: str, room: str
) -> None:
    facts = {"expected_departure_on": day("2026-11-19")}
    with refused(office, "2026-11-19 is in the past", Refused):
        office.do(record_expected_departure, reservation_id=living, **facts)
    coming = office.book(room, "2027-02-01", "2027-07-31")
    facts = {"expected_departure_on": day("2027-03-01")}
    with refused(office, "Only a current resident can be expected to move out", Refused):
        office.do(record_expected_departure, reservation_id=coming, **facts)


@pytest.mark.parametrize(
    ("verb", "facts"),
    [
        (force_month_to_month, {}),
        (clear_forced_month_to_month, {}),
        (name_co_occupants, {"people": []}),
        (record_expected_departure, {"expected_departure_on": None}),
    ],
)
def test_each_of_these_names_an_unknown_record_and_an_old_version(
    office: Office, living: str, verb: Callable[..., object], facts: dict[str, object]
) -> None:
    for unknown in (new_id(), "nobody"):
        with refused(office, "There is no reservation", NotFound):
            office.do(verb, reservation_id=unknown, **facts)
    with refused(office, "changed since you opened it (version 1, now 2)", Collision):
        office.do(verb, reservation_id=living, expected_version=1, **facts)
