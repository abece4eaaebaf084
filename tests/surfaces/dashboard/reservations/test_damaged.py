"""A reservation whose date cannot be read breaks no screen, and says what is wrong with it."""

import pytest

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.rules.days import CorruptDay
from pms.rules.enumerations import Lifecycle
from tests.cast import Cast, reservation
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.forms import fields_of

TABS = ("", "/dates", "/price", "/documents", "/people", "/departure", "/cancellation")


@pytest.fixture
def damaged_id(database: Database, cast: Cast) -> str:
    id_ = new_id()
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            reservation(
                id=id_,
                unit_id=cast.sumida.free_room_id,
                name="斉藤 真由",
                lifecycle=Lifecycle.BOOKED,
                move_in_date=CorruptDay("4月上旬"),
                contract_end_date=CorruptDay("未定"),
            )
        )
    return id_


@pytest.mark.parametrize("tab", TABS)
def test_no_tab_breaks(office: Browser, damaged_id: str, tab: str) -> None:
    shown = office.get(f"/reservations/{damaged_id}{tab}")
    assert shown.status_code == 200
    assert "4月上旬" in shown.text


def test_the_list_shows_it_as_it_was_recorded(office: Browser, damaged_id: str) -> None:
    for question in ("", "?monthToMonth=y", "?movingInDays=30", "?search=斉藤"):
        assert office.get(f"/reservations{question}").status_code == 200
    assert "4月上旬" in office.get("/reservations").text


def test_the_readable_dates_take_its_place(office: Browser, damaged_id: str) -> None:
    page = f"/reservations/{damaged_id}"
    typed = {
        **fields_of(office.get(f"{page}/dates").text, "/dates"),
        "overrideMoveInDate": "2027-04-03",
        "overrideContractEndDate": "2028-04-02",
    }
    assert office.post(f"{page}/dates", typed).status_code == 303
    assert "A date of this reservation cannot be read" not in office.get(page).text


def test_another_room_is_not_offered_before_the_date_is_mended(
    office: Browser, cast: Cast, damaged_id: str
) -> None:
    page = f"/reservations/{damaged_id}/amendment"
    shown = office.get(f"{page}?unitId={cast.sumida.guests_room_id}&fromOn=2027-01-01")
    assert shown.status_code == 200
    assert "Confirm change" not in shown.text
