"""A booking holds the unit, freezes the price and issues the move-in invoice, or is refused."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.bookings import book, preview_booking
from pms.catalogue.models import ExternalBlock
from pms.foundation.errors import NotFound, Problem, Refused
from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.pricing.prices import original_amounts
from pms.reservations.changes import stored_without_overlap
from pms.reservations.models import CoOccupant, Reservation
from pms.reservations.month_to_month import force_month_to_month
from pms.reservations.residents import NamedPerson
from pms.rules.enumerations import FeeCategory, Lifecycle, TaxTreatment
from tests.arrivals.office import GUEST, OWNER, RENT, RESIDENT, Office, day, refused
from tests.cast import external_block, reservation

FEE = MonthlyFee(
    "cleaning",
    Bilingual("清掃費", "Cleaning"),
    FeeCategory.CLEANING,
    TaxTreatment.TAXABLE_10,
    3_100,
)
TEN_PERCENT = AgreedDiscount(
    Bilingual("長期割", "Long stay"), percent=Decimal(10), minimum_stay_days=180
)


def facts(unit_id: str, **given: Any) -> dict[str, Any]:
    usual = {
        "unit_id": unit_id,
        "kind": RESIDENT,
        "name": "田中 一郎",
        "move_in_date": day("2026-12-20"),
        "contract_end_date": day("2027-06-19"),
        "amounts": RENT,
        "reservation_fee_yen": 30_000,
        "deposit_yen": 93_000,
    }
    return usual | given


A_GUEST = {"kind": GUEST, "deposit_yen": 0, "contract_end_date": day("2026-12-24")}


@pytest.mark.differs("constraints")
def test_a_booking_freezes_its_price_and_issues_the_bundled_invoice(
    office: Office, room: str
) -> None:
    found = facts(room, fees=[FEE], discount=TEN_PERCENT, co_occupants=[NamedPerson(" 田中 花 ")])
    booked = office.do(book, **found)
    row = office.row(booked.reservation_id)
    assert (row.lifecycle, row.starts_on, row.free_from) == (
        Lifecycle.BOOKED,
        day("2026-12-20"),
        day("2027-06-19"),
    )
    december, january = (
        (day("2026-12-20"), day("2026-12-31")),
        (day("2027-01-01"), day("2027-01-31")),
    )
    assert sorted(office.lines(row.id), key=str) == sorted(
        [
            ("reservation_fee", None, None, 30_000),
            ("deposit", None, None, 93_000),
            ("base_rent", *december, 36_000),
            ("cleaning", *december, 1_200),
            ("discount", *december, -3_600),
            ("base_rent", *january, 93_000),
            ("cleaning", *january, 3_100),
            ("discount", *january, -9_300),
        ],
        key=str,
    )
    with office.database.reading(office.home.workspace_id) as session:
        assert (original_amounts(session, row.id) or {})["base_rent"] == 93_000
        assert session.scalars(select(CoOccupant.name)).all() == ["田中 花"]


def test_the_preview_is_what_the_booking_writes_and_writes_nothing_itself(
    office: Office, room: str
) -> None:
    found = facts(room, fees=[FEE], discount=TEN_PERCENT)
    before = office.counts()
    plan = office.ask(preview_booking, office.clock, **found)
    assert office.counts() == before
    booked = office.do(book, **found)
    assert plan.invoice is not None
    assert booked.invoice == plan.invoice._replace(reservation_id=booked.reservation_id)
    (standing,) = office.standings(booked.reservation_id)
    assert standing.payable_yen + standing.deposit_yen == plan.invoice.total_yen
    assert standing.due_on == plan.invoice.due_on == day("2026-11-27")
    written = sorted(
        (line[0], *line[1:]) for line in map(_spelled, office.lines(booked.reservation_id))
    )
    planned = [*plan.invoice.lines, *(line for row in plan.invoice.rows for line in row.lines)]
    assert written == sorted(
        _spelled((line.item, line.first_on, line.last_on, line.yen)) for line in planned
    )


def _spelled(line: tuple[Any, ...]) -> tuple[str, str, str, int]:
    item, first_on, last_on, yen = line
    return item, str(first_on), str(last_on), yen


def test_an_owner_resident_has_no_invoice_and_a_guest_without_a_price_none(
    office: Office, room: str, other_room: str
) -> None:
    owner = office.do(
        book, **facts(room, kind=OWNER, contract_end_date=None, deposit_yen=0, amounts=None)
    )
    guest = office.do(book, **facts(other_room, **A_GUEST, amounts=None, reservation_fee_yen=0))
    assert (owner.invoice, guest.invoice) == (None, None)
    assert not office.lines(owner.reservation_id) + office.lines(guest.reservation_id)


def test_a_guest_is_billed_what_is_stated_once_and_never_rent(office: Office, room: str) -> None:
    booked = office.do(book, **facts(room, **A_GUEST))
    assert office.lines(booked.reservation_id) == [("reservation_fee", None, None, 30_000)]


@pytest.mark.differs("constraints")
def test_nights_that_are_held_are_refused_by_their_dates_and_never_by_a_name(
    office: Office, room: str
) -> None:
    office.book(room, "2026-12-01", "2027-05-31", name="佐藤 花子")
    with refused(office, "from 2026-12-01 until 2027-05-31", Refused):
        office.do(book, **facts(room))
    with pytest.raises(Refused) as refusal:
        office.do(book, **facts(room))
    assert "佐藤" not in refusal.value.message


@pytest.mark.differs("constraints")
def test_a_successor_starts_on_the_day_the_contract_ends_and_cuts_the_billing_there(
    office: Office, room: str
) -> None:
    office.book(room, "2026-12-20", "2027-01-15")
    successor = office.book(room, "2027-01-15", "2027-07-14")
    earlier = office.book(room, "2026-12-01", "2026-12-20")
    assert office.lifecycle(successor) == Lifecycle.BOOKED
    december = [line for line in office.lines(earlier) if line[0] == "base_rent"]
    assert december == [("base_rent", day("2026-12-01"), day("2026-12-19"), 57_000)]


def test_a_forced_tenancy_takes_no_successor_and_a_cleared_one_does(
    office: Office, room: str
) -> None:
    living = office.book(room, "2026-11-01", "2027-01-31")
    office.do(force_month_to_month, reservation_id=living)
    with refused(office, "from 2026-11-01 (no end date)", Refused):
        office.book(room, "2027-03-01", "2027-08-31")


def test_somebody_who_never_filed_still_lives_there_today(office: Office, room: str) -> None:
    office.house(room, "2026-06-01", "2026-10-31")
    with refused(office, "until 2026-11-21", Refused):
        office.book(room, "2026-11-20", "2027-05-19")


def test_a_booking_that_nobody_moved_into_holds_its_unit_to_its_contract_end_only(
    office: Office, room: str
) -> None:
    office.book(room, "2026-06-01", "2026-10-31")
    office.book(room, "2026-11-20", "2027-05-19")


def test_external_blocks_and_expected_departures_stand_in_nobody_s_way(
    office: Office, room: str
) -> None:
    office.home.store(external_block(unit_id=room))
    office.book(room, "2026-12-01", "2027-05-31")
    assert office.counts()[ExternalBlock.__tablename__] == 1


@pytest.mark.differs("constraints")
def test_the_database_s_own_constraint_is_said_as_the_same_refusal(
    office: Office, room: str
) -> None:
    office.book(room, "2026-12-01", "2027-05-31")

    def write_past_the_check(work: Work) -> None:
        with stored_without_overlap(work.session):
            work.session.add(reservation(unit_id=room, move_in_date=day("2027-01-01")))

    with refused(office, "taken by another reservation", Refused):
        office.do(write_past_the_check)


@pytest.mark.parametrize(
    ("given", "saying"),
    [
        ({"contract_end_date": date(2026, 12, 19)}, "contractEndDate: 2026-12-19 is before"),
        ({"move_in_date": date(1899, 12, 31)}, "moveInDate: 1899-12-31"),
        ({"contract_end_date": date(2201, 1, 1)}, "contractEndDate: 2201-01-01"),
        ({"arrival_date": date(2201, 1, 1)}, "arrivalDate: 2201-01-01"),
        ({"deposit_yen": -1}, "depositYen"),
        ({"deposit_yen": 1.5}, "depositYen"),
        ({"deposit_yen": True}, "depositYen"),
        ({"reservation_fee_yen": 10**12}, "reservationFeeYen"),
        ({"amounts": MonthlyAmounts(base_rent_yen=-93_000)}, "base_rent"),
        ({"amounts": None}, "amounts: A resident agrees to a rent"),
        ({"amounts": None, "kind": OWNER, "deposit_yen": 0, "fees": [FEE]}, "amounts: Fees"),
        ({"kind": OWNER}, "depositYen: An owner resident"),
        ({"kind": GUEST, "contract_end_date": None}, "contractEndDate: A guest checks out after"),
        ({"kind": GUEST, "contract_end_date": date(2026, 12, 20)}, "checks out after 2026-12-20"),
        (
            {"kind": GUEST, "deposit_yen": 0, "contract_end_date": date(2027, 6, 19)},
            "2027-06-19 is 181 nights after 2026-12-20; a guest can stay at most 180 nights",
        ),
        ({"fees": [FEE, FEE]}, "The fee code 'cleaning' appears twice"),
        ({"discount": TEN_PERCENT, "contract_end_date": date(2027, 6, 16)}, "stay of 180 days"),
        ({"discount": TEN_PERCENT, "contract_end_date": None}, "stay of 180 days"),
        ({"name": "  "}, "name: enter the name of the contract holder"),
        ({"name": "あ" * 201}, "name: enter the name of the contract holder"),
        ({"email": "nobody"}, "email: 'nobody' is not an email address"),
        ({"note": "x" * 10_001}, "note: this has 10001 characters"),
        ({"co_occupants": [NamedPerson("")]}, "coOccupants: enter a name"),
        ({"co_occupants": [NamedPerson("x")] * 11}, "coOccupants: 11 people are more than 10"),
    ],
)
def test_bad_facts_are_refused_by_name_and_nothing_is_written(
    office: Office, room: str, given: dict[str, Any], saying: str
) -> None:
    with refused(office, saying, Refused):
        office.do(book, **facts(room, **given))
    with refused(office, saying, Refused):
        office.ask(preview_booking, office.clock, **facts(room, **given))


@pytest.mark.parametrize("unit_id", ["nowhere", "", "0" * 32])
def test_an_unknown_unit_is_not_found(office: Office, room: str, unit_id: str) -> None:
    with refused(office, "There is no unit", NotFound):
        office.do(book, **facts(unit_id))


def test_a_unit_of_another_workspace_is_not_found(office: Office, cast: Any) -> None:
    with refused(office, "There is no unit", Problem):
        office.do(book, **facts(cast.minato.free_room_id))


def test_a_refusal_comes_before_the_first_write_so_that_a_commit_keeps_nothing(
    office: Office, room: str
) -> None:
    office.book(room, "2026-12-01", "2027-05-31")
    before = office.counts()
    with office.database.writing(office.home.workspace_id) as session:
        for given in ({}, {"deposit_yen": -1}, {"unit_id": new_id()}):
            with pytest.raises(Problem):
                book(Work(session, office.clock, "staff"), **facts(room) | given)
        assert not session.new
        assert not session.dirty
    assert office.counts() == before
    assert Reservation.__tablename__ in before


@pytest.mark.differs("constraints")
def test_a_stay_of_one_day_holds_its_night(office: Office, room: str) -> None:
    one_day = facts(room, move_in_date=day("2027-01-10"), contract_end_date=day("2027-01-10"))
    booked = office.do(book, **one_day)
    row = office.row(booked.reservation_id)
    assert (row.starts_on, row.free_from) == (day("2027-01-10"), day("2027-01-11"))
    for beside in (one_day, facts(room, contract_end_date=day("2027-01-31"))):
        with pytest.raises(Refused, match="2027-01-10"):
            office.do(book, **beside)
    after = {"move_in_date": day("2027-01-11"), "contract_end_date": day("2027-03-31")}
    office.do(book, **facts(room, **after))
