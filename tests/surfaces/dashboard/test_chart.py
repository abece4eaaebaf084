"""The chart shows each stay where it lies, and the list says the same in words."""

import gzip
import re
from datetime import date

import pytest
from flask import Flask

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.reservations.models import Reservation
from pms.rules.days import CorruptDay
from pms.rules.enumerations import ReservationKind
from tests.cast import Cast, House, building, reservation, unit
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements

PAGE = 80
MOST_BYTES = 30 * 1024
MOST_ELEMENTS = 2_500
MOST_STATEMENTS = 14


def build_up(database: Database, house: House, houses: int, rooms: int) -> None:
    """More buildings of rooms: each lived in, every second one changing hands within the month."""
    with database.writing(house.workspace_id) as session:
        for floor in range(houses):
            key = new_id()
            slug, name = f"tower-{key}", f"塔 {key[-12:]}"
            tower = building(id=key, slug=slug, name=name, name_en=name)
            session.add(tower)
            session.flush()
            for room in range(rooms):
                name = f"{room:03}"
                home = unit(id=new_id(), building_id=tower.id, name=name, slug=f"{slug}-{name}")
                session.add(home)
                session.flush()
                session.add_all(_stays(home.id, floor * rooms + room))


def _stays(unit_id: str, number: int) -> list[object]:
    if number % 2:
        return [reservation(unit_id=unit_id, name=f"住人 {number} 花子")]
    return [
        reservation(
            unit_id=unit_id,
            name=f"先の住人 {number}",
            move_out_date=date(2026, 11, 25),
            email=f"a{number}@example.com",
        ),
        reservation(
            unit_id=unit_id,
            name=f"後の住人 {number}",
            move_in_date=date(2026, 11, 28),
            contract_end_date=date(2027, 11, 27),
            email=f"b{number}@example.com",
        ),
    ]


def asked(browser: Browser, path: str) -> int:
    """How many questions a page asks the database."""
    with statements() as sent:
        assert browser.get(path).status_code == 200
    return len(sent)


def test_the_chart_names_who_lives_where(office: Browser, cast: Cast) -> None:
    shown = office.get("/chart")
    assert shown.status_code == 200
    assert "佐藤 花子" in shown.text
    assert f"/reservations/{cast.sumida.resident_id}" in shown.text


def test_without_scripts_a_bar_leads_to_its_reservation_and_a_plus_to_the_form(
    office: Browser, cast: Cast
) -> None:
    text = office.get("/chart").text
    assert f'href="{office.home}/reservations/{cast.sumida.resident_id}"' in text
    assert f'href="{office.home}/reservations/new?unitId={cast.sumida.free_room_id}"' in text


@pytest.mark.parametrize("path", ["/chart", "/availability"])
def test_those_who_clean_and_mend_see_neither_names_nor_ways_to_a_reservation(
    housekeeper: Browser, maintainer: Browser, path: str
) -> None:
    for browser in (housekeeper, maintainer):
        text = browser.get(path).text
        assert "101" in text
        for hidden in ("佐藤", "山本", "Emma", "/reservations", "data-new", "¥"):
            assert hidden not in text


def test_what_an_owner_lives_in_is_never_drawn_as_becoming_free(
    office: Browser, database: Database, cast: Cast
) -> None:
    """A dashed bar says that the unit may become free."""
    query = "/chart?q=201&startDate=2026-11-17"
    for who, is_dashed in (
        (ReservationKind.RESIDENT, True),
        (ReservationKind.OWNER_RESIDENT, False),
    ):
        with database.writing(cast.sumida.workspace_id) as session:
            key = cast.sumida.workspace_id, cast.sumida.owner_resident_id
            row = session.get_one(Reservation, key)
            row.kind, row.contract_end_date = who, date(2026, 12, 1)
        assert ('class="bar bar-soft l' in office.get(query).text) is is_dashed, who


def test_an_owner_s_unit_is_not_drawn_free_before_the_owner_has_left(
    office: Browser, database: Database, cast: Cast
) -> None:
    bar, later = "/reservations/" + cast.sumida.owner_resident_id, "/chart?q=201&startDate="
    for left_on, is_drawn in ((date(2026, 12, 1), True), (date(2026, 11, 19), False)):
        with database.writing(cast.sumida.workspace_id) as session:
            key = cast.sumida.workspace_id, cast.sumida.owner_resident_id
            session.get_one(Reservation, key).move_out_date = left_on
        for first_on in ("2026-11-20", "2027-01-10"):
            assert (bar in office.get(later + first_on).text) is is_drawn, (left_on, first_on)


def test_the_list_leaves_owner_residents_out_unless_they_are_asked_for(
    office: Browser, cast: Cast
) -> None:
    owners_room = f"/units/{cast.sumida.owners_room_id}"
    assert owners_room not in office.get("/availability").text
    assert owners_room not in office.get("/availability?q=201").text
    assert owners_room in office.get("/availability?excludeRecords=").text


def test_eighty_units_over_four_weeks_stay_light(
    app: Flask, database: Database, cast: Cast, operator: Browser
) -> None:
    build_up(database, cast.sumida, houses=5, rooms=20)
    shown = operator.get("/chart?days=28&lang=ja")
    assert shown.text.count('class="chart-track') == PAGE
    assert len(gzip.compress(shown.data)) <= MOST_BYTES
    assert len(re.findall(r"<[a-z]", shown.text)) <= MOST_ELEMENTS


def test_ten_times_the_rows_ask_the_database_as_often(
    database: Database, cast: Cast, office: Browser
) -> None:
    build_up(database, cast.sumida, houses=1, rooms=7)
    asked(office, "/chart")  # what a first visit asks besides
    few = asked(office, "/chart")
    build_up(database, cast.sumida, houses=7, rooms=10)
    asked(office, "/chart")  # the order of the units is found once after a change
    assert asked(office, "/chart") == few <= MOST_STATEMENTS


def test_an_arrival_on_another_day_than_the_start_is_marked(
    database: Database, office: Browser, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.move_in_date, stay.arrival_date = date(2026, 12, 1), date(2026, 12, 4)
    shown = office.get("/chart?days=28&lang=ja").text
    assert "12/4到着" in shown
    assert shown.count('class="chart-arrival') == 1
    assert "到着" in office.block(f"/reservations/{house.resident_id}/card?lang=ja").text


def test_a_stay_whose_start_cannot_be_read_is_drawn_from_today_and_named_so(
    database: Database, office: Browser, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        stay = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        stay.move_in_date = CorruptDay("2026-13-01")
    shown = office.get("/chart?lang=en&startDate=2026-11-15").text
    assert "佐藤 花子, start date unreadable – no end date" in shown
    (bar,) = re.findall(r'<li class="bar [^"]*"[^>]*>\s*<a href="[^"]*' + house.resident_id, shown)
    assert " f12 " in bar, "from the noon of today, the sixth day shown"
    assert "佐藤 花子" not in office.get("/chart?lang=en&startDate=2026-09-01").text


def test_a_stay_at_a_glance_says_who_when_and_what_is_owed(office: Browser, cast: Cast) -> None:
    path = f"/reservations/{cast.sumida.resident_id}"
    text = office.block(f"{path}/card?lang=en").text
    assert "Kawasemi House 101" in text
    assert "Balance due" in text
    assert f'href="{office.home}{path}/ledger"' in text
    assert "/rooms?movingId=" in text
    assert "<h1" not in text
    assert "<h1" in office.get(f"{path}/card").text


def test_a_guest_is_not_moved_from_here(office: Browser, cast: Cast) -> None:
    assert "movingId" not in office.get(f"/reservations/{cast.sumida.guest_id}/card").text


def test_a_free_day_opens_the_form_with_the_day_and_the_unit(office: Browser, cast: Cast) -> None:
    unit_id = cast.sumida.free_room_id
    text = office.block(f"/reservations/new?unitId={unit_id}&moveInDate=2026-12-05").text
    assert 'value="2026-12-05"' in text
    assert unit_id in text
    assert "<h1" not in text


def test_months_begin_with_their_first_day_and_move_by_months(office: Browser) -> None:
    month = office.get("/chart?days=31&startDate=2026-12-15&lang=en").text
    assert 'data-first="2026-12-01"' in month
    assert "startDate=2027-01-01" in month
    quarter = office.get("/chart?days=92&startDate=2026-12-15").text
    assert quarter.count("<li") > 92
    assert "startDate=2027-03-01" in quarter
    assert "startDate=2026-09-01" in quarter


def test_a_stay_is_drawn_over_whole_days_in_a_quarter(office: Browser) -> None:
    text = office.get("/chart?days=92&startDate=2026-11-01&lang=en").text
    lines = [int(line) for line in re.findall(r'class="bar [^"]*t(\d+)', text)]
    assert lines
    assert max(lines) <= 93


def test_a_free_unit_says_its_rent_to_the_office(office: Browser, housekeeper: Browser) -> None:
    query = "/chart?q=102&lang=en&startDate=2030-01-01"
    assert "¥93,000" in office.get(query).text
    assert "¥" not in housekeeper.get(query).text


def test_more_units_come_while_one_scrolls_and_by_a_link(
    database: Database, cast: Cast, operator: Browser
) -> None:
    build_up(database, cast.sumida, houses=5, rooms=20)
    first = operator.get("/chart").text
    more = re.search(r'class="chart-more" hx-get="([^"]+)" hx-trigger="intersect once"', first)
    assert more
    rest = operator.block(more[1].replace("&amp;", "&").removeprefix(operator.home)).text
    assert rest.count('class="chart-track') > 0
    assert "chart-more" not in rest
