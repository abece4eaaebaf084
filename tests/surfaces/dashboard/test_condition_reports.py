"""The office reads what residents found on arrival, and sees of whom nothing came."""

import re
from datetime import date

import pytest

from pms.arrivals.condition_reports import save_condition_room, send_condition_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckedRoom, ConditionState
from tests.cast import Cast, reservation, unit
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.surfaces.dashboard.condition_records import sent_report

ARRIVED = date(2026, 11, 18)
WORDS = "天板に傷があります。"


@pytest.fixture
def report_id(database: Database, clock: FixedClock, cast: Cast) -> str:
    """Hanako Sato's report of two days after her arrival."""
    return sent_report(database, clock, cast.sumida, ARRIVED)


def test_an_unread_report_is_read_with_its_photo_and_marked(
    office: Browser, report_id: str, cast: Cast
) -> None:
    listed = office.get("/condition-reports?lang=en").text
    assert "佐藤 花子" in listed and "1 issue" in listed
    page = office.get(f"/condition-reports/{report_id}").text
    assert WORDS in page and "Marks or wear" in page and "Not answered:" in page
    (photo,) = re.findall(r'src="([^"]+/400)"', page)
    assert office.client.get(photo).mimetype == "image/webp"
    overview = office.get(f"/reservations/{cast.sumida.resident_id}").text
    assert f"/condition-reports/{report_id}" in overview
    for _ in range(2):
        assert office.post(f"/condition-reports/{report_id}/reading").status_code == 303
    assert "All reports read" in office.get("/condition-reports").text
    assert "岡田 誠" in office.get(f"/condition-reports/{report_id}").text
    assert report_id in office.get("/condition-reports?state=all").text


def test_who_arrived_and_sent_none_is_missing(
    office: Browser, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.arrival_date = date(2026, 11, 5)
    listed = office.get("/condition-reports?lang=en").text
    assert "佐藤 花子" in listed and "closed" in listed


def test_maintenance_reads_the_rooms_and_no_name(
    maintainer: Browser, housekeeper: Browser, stranger: Browser, report_id: str
) -> None:
    for path in ("/condition-reports", f"/condition-reports/{report_id}"):
        page = maintainer.get(f"{path}?lang=en").text
        assert "Kawasemi House 101" in page and "佐藤" not in page
        assert housekeeper.get(path).status_code == 403
    assert WORDS in maintainer.get(f"/condition-reports/{report_id}").text
    assert maintainer.post(f"/condition-reports/{report_id}/reading").status_code == 403
    assert stranger.get(f"/condition-reports/{report_id}").status_code == 404


def test_a_longer_list_asks_no_more_questions(
    office: Browser, database: Database, clock: FixedClock, cast: Cast, report_id: str
) -> None:
    office.get("/condition-reports")
    with statements() as few:
        office.get("/condition-reports")
    with database.writing(cast.sumida.workspace_id) as session:
        for number in range(5):
            room, tenancy = new_id(), new_id()
            session.add(
                unit(
                    id=room,
                    building_id=cast.sumida.building_id,
                    name=f"30{number}",
                    slug=f"kawasemi-30{number}",
                )
            )
            session.flush()
            session.add(reservation(id=tenancy, unit_id=room, arrival_date=ARRIVED))
            session.flush()
            if number % 2:
                save_condition_room(
                    session,
                    clock,
                    reservation_id=tenancy,
                    room=CheckedRoom.BATH,
                    state=ConditionState.IN_ORDER,
                )
                send_condition_report(Work(session, clock, "x"), reservation_id=tenancy)
    with statements() as many:
        page = office.get("/condition-reports").text
    assert page.count("row-link") == 6
    assert len(many) == len(few)
    assert report_id in page
