"""A resident tells the condition of the rooms around the arrival; the office reads it."""

import io
import re
from datetime import date
from typing import Any

import pytest

from pms.arrivals.condition_reports import ConditionRecord, condition_of_reservation
from pms.foundation.database import Database
from pms.reservations.models import Reservation
from pms.rules.resident_reports import condition_window, due_reminder
from tests.cast import Cast
from tests.sample_uploads import UPLOADS
from tests.staff import Browser


@pytest.fixture
def home(resident: Browser, database: Database, cast: Cast) -> str:
    """The tenancy of somebody who arrived two days ago, after the contract began."""
    arrives(database, cast, date(2026, 11, 18))
    resident.get("/?lang=en")
    return f"/{cast.sumida.resident_id}/condition"


def arrives(database: Database, cast: Cast, day: date) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.arrival_date = day


def report(database: Database, cast: Cast) -> ConditionRecord:
    with database.reading(cast.sumida.workspace_id) as session:
        return condition_of_reservation(session, cast.sumida.resident_id)


def saved(resident: Browser, home: str, room: str, **fields: Any) -> int:
    sent = resident.post(f"{home}/rooms/{room}", fields, content_type="multipart/form-data")
    return sent.status_code


def picture(name: str = "room_rotated_gps.jpg") -> tuple[io.BytesIO, str]:
    return (io.BytesIO((UPLOADS / name).read_bytes()), name)


def test_rooms_are_saved_as_one_goes_then_sent_and_only_read(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    kitchen = {"state": "marked", "note": "A scratch on the worktop", "photo": [picture()]}
    assert saved(resident, home, "kitchen", **kitchen) == 303
    assert saved(resident, home, "kitchen", **kitchen | {"photo": [picture()]}) == 303
    assert saved(resident, home, "bath", state="in_order") == 303
    found = report(database, cast)
    assert len(found.room("kitchen").photos) == 1, "the same picture is kept once"
    page = resident.get(home).text
    assert "2 / 8" in page and "A scratch on the worktop" in page
    assert resident.post(home, {"remark": "Otherwise fine"}).status_code == 303
    page = resident.get(home).text
    assert "Your report was sent" in page and "Otherwise fine" in page
    (photo,) = re.findall(r'src="([^"]+/400)"', page)
    assert resident.client.get(photo).mimetype == "image/webp"
    assert saved(resident, home, "bath", state="broken") == 422
    assert resident.post(home).status_code == 422
    assert report(database, cast).room("bath").state == "in_order"
    assert resident.get(f"{home}/rooms/bath").status_code == 303


def test_a_picture_is_taken_out_again_and_a_wrong_file_changes_nothing(
    resident: Browser, home: str, database: Database, cast: Cast
) -> None:
    saved(resident, home, "living", state="broken", photo=[picture("floor_plan.png")])
    photo = report(database, cast).room("living").photos[0]
    wrong = {"state": "in_order", "photo": [picture("html_renamed.jpg")]}
    assert saved(resident, home, "living", **wrong) == 422
    assert report(database, cast).room("living").state == "broken"
    assert resident.post(f"{home}/photos/{photo.id}/removal").status_code == 303
    assert resident.post(f"{home}/photos/{photo.id}/removal").status_code == 303
    assert not report(database, cast).room("living").photos


def test_nothing_is_sent_before_a_room_is_told(resident: Browser, home: str) -> None:
    answer = resident.post(home)
    assert answer.status_code == 422 and "at least one room" in answer.text
    assert saved(resident, home, "attic", state="broken") == 404
    assert saved(resident, home, "bath", state="haunted") == 422
    assert saved(resident, home, "bath") == 422


@pytest.mark.parametrize(
    "outside",
    [
        (date(2026, 11, 22), "Not open yet"),
        (date(2026, 11, 12), "The period for this check is over"),
    ],
)
def test_outside_the_window_it_says_when_it_is_or_was(
    resident: Browser,
    home: str,
    database: Database,
    cast: Cast,
    outside: tuple[date, str],
) -> None:
    arrival, said = outside
    arrives(database, cast, arrival)
    page = resident.get(home).text
    assert said in page
    assert saved(resident, home, "bath", state="in_order") == 422
    assert resident.get(f"{home}/rooms/bath").status_code == 303
    assert report(database, cast).id is None


def test_the_window_and_the_mails_agree() -> None:
    window = condition_window(None, date(2026, 11, 20))
    assert window is not None
    open_on = [day for day in range(15, 31) if window.is_open(date(2026, 11, day))]
    mailed = [day for day in range(15, 31) if due_reminder(window.arrival_on, date(2026, 11, day))]
    assert open_on == mailed == list(range(19, 28))
    moved = condition_window(date(2026, 12, 3), date(2026, 11, 20))
    assert moved is not None and moved.opens_on == date(2026, 12, 2)
    assert condition_window(None, None) is None
