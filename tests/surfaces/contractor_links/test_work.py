"""What a contractor does through a link: moves, hours, purchases, photos, and looks at codes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from pms.foundation.audit import audit_events
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import HoldReason, TaskState
from pms.upkeep.moves import move_task
from pms.upkeep.photos import PURCHASE, REQUEST, TASK, photos_of
from pms.upkeep.project_lines import project_hours, project_purchases
from pms.upkeep.request_lists import RequestSearch, request_list
from pms.upkeep.share_links import share_project
from pms.upkeep.task_record import TaskRecord, task_record
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.tasks import cancel_task
from tests.cast import CONTRACTOR, Cast
from tests.surfaces.contractor_links.conftest import (
    ENTRANCE_CODE,
    OFFICE,
    STAFF_CODE,
    UNIT_CODE,
    Phone,
    Site,
    made_site,
)

HOURS = {"minutes": "2", "workedOn": "2026-11-20"}
PART = {"what": "パッキン", "amountYen": "3,200", "boughtOn": "2026-11-20"}


def picture() -> tuple[BytesIO, str]:
    content = BytesIO()
    Image.new("RGB", (640, 480), "teal").save(content, "JPEG")
    content.seek(0)
    return content, "receipt.jpg"


@pytest.fixture
def session(database: Database, cast: Cast, phone: Phone) -> Iterator[WorkspaceSession]:
    """What is stored, read anew at each question."""
    with database.reading(cast.sumida.workspace_id) as session:
        yield session


def task(database: Database, cast: Cast, site: Site) -> TaskRecord:
    with database.reading(cast.sumida.workspace_id) as session:
        return task_record(session, site.task_id, TaskVisibility.everything())


def actors(database: Database, cast: Cast, audit_event: AuditEvent) -> Sequence[str]:
    with database.reading(cast.sumida.workspace_id) as session:
        return [
            done.actor.partition("/")[0]
            for done in audit_events(session, audit_event=audit_event).audit_events
        ]


def test_hours_are_logged_at_the_price_of_the_link(phone: Phone, session: WorkspaceSession) -> None:
    answer = phone.post("/hours", HOURS | {"taskId": phone.site.task_id, "note": "止水"})
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("?message=hours#hours")
    (logged,) = project_hours(session, phone.site.project_id)
    assert (logged.minutes, logged.hourly_yen, logged.yen) == (120, 3_500, 7_000)
    assert (logged.task_id, logged.note) == (phone.site.task_id, "止水")
    assert logged.logged_by.startswith("contractor/")
    shown = phone.get("?told=hours&lang=en").text
    assert "Hours saved." in shown
    assert "2 h" in shown
    assert CONTRACTOR in shown


def test_a_link_without_a_price_logs_hours_without_one(
    app: Flask, client: FlaskClient, clock: FixedClock, cast: Cast, database: Database
) -> None:
    site = made_site(app, clock, cast.sumida, hourly_yen=None)
    Phone(client, site).post("/hours", HOURS | {"hourlyYen": "99999"})
    with database.reading(cast.sumida.workspace_id) as session:
        assert [each.hourly_yen for each in project_hours(session, site.project_id)] == [None]


def test_a_purchase_comes_with_its_receipt(phone: Phone, session: WorkspaceSession) -> None:
    answer = phone.post("/purchases", PART | {"photo": picture()})
    assert answer.status_code == 303
    (bought,) = project_purchases(session, phone.site.project_id)
    assert (bought.what, bought.amount_yen) == ("パッキン", 3_200)
    (receipt,) = photos_of(session, PURCHASE, [bought.id])[bought.id]
    seen = phone.get(f"/photos/{receipt.id}/400")
    assert (seen.status_code, seen.mimetype) == (200, "image/webp")
    assert seen.headers["Cache-Control"] == "no-store"
    assert phone.get(f"/photos/{receipt.id}/401").status_code == 404


def test_prices_and_receipts_are_shown_only_to_who_bought(
    app: Flask, clock: FixedClock, cast: Cast, phone: Phone, session: WorkspaceSession
) -> None:
    phone.post("/purchases", PART | {"photo": picture()})
    database: Database = app.extensions["pms.database"]
    with database.writing(cast.sumida.workspace_id) as writing:
        token = share_project(
            Work(writing, clock, "staff"),
            project_id=phone.site.project_id,
            contractor_name="別の業者",
            hourly_yen=None,
            expires_on=None,
            signer=Signer(str(app.secret_key)),
        )
    colleague = Phone(app.test_client(), replace(phone.site, token=token))
    colleague.post("/purchases", PART | {"what": "テープ", "amountYen": "450"})
    (bought,) = [
        each
        for each in project_purchases(session, phone.site.project_id)
        if each.what == "パッキン"
    ]
    (receipt,) = photos_of(session, PURCHASE, [bought.id])[bought.id]
    seen = colleague.get("").text
    assert "パッキン" in seen
    assert "3,200" not in seen
    assert "¥450" in seen
    assert receipt.id not in seen
    assert colleague.get(f"/photos/{receipt.id}/400").status_code == 404
    assert "3,200" in phone.get("").text


def test_a_picture_of_another_project_is_none(
    phone: Phone, next_door: Site, session: WorkspaceSession
) -> None:
    neighbour = Phone(phone.client, next_door)
    neighbour.post("/purchases", PART | {"photo": picture()})
    (bought,) = project_purchases(session, next_door.project_id)
    (receipt,) = photos_of(session, PURCHASE, [bought.id])[bought.id]
    assert neighbour.get(f"/photos/{receipt.id}/400").status_code == 200
    assert phone.get(f"/photos/{receipt.id}/400").status_code == 404
    assert phone.post(f"/purchases/{bought.id}/removal").status_code == 404


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/hours", HOURS | {"minutes": ""}),
        ("/hours", HOURS | {"minutes": "25"}),
        ("/hours", HOURS | {"minutes": "soon"}),
        ("/hours", HOURS | {"workedOn": "2026-11-21"}),
        ("/purchases", PART | {"amountYen": "3200.5"}),
        ("/purchases", PART | {"amountYen": "0"}),
        ("/purchases", PART | {"what": " "}),
        ("/purchases", PART | {"boughtOn": "2026-11-21"}),
        ("/purchases", PART | {"photo": b"no picture"}),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_kept(
    phone: Phone, session: WorkspaceSession, path: str, fields: dict[str, object]
) -> None:
    if isinstance(picture := fields.get("photo"), bytes):
        fields = fields | {"photo": (BytesIO(picture), "a.jpg")}
    answer = phone.post(path, fields)
    assert answer.status_code == 422
    assert "error-summary" in answer.text
    assert "aria-invalid" in answer.text
    if fields.get("what") == "パッキン":
        assert 'value="パッキン"' in answer.text
    assert not project_hours(session, phone.site.project_id)
    assert not project_purchases(session, phone.site.project_id)


def test_a_form_sent_twice_counts_once(phone: Phone, session: WorkspaceSession) -> None:
    for path, fields in (("/hours", HOURS), ("/purchases", PART)):
        shown = phone.get(path).text
        once = re.findall(r'name="once"[^>]* value="([0-9a-f]{32})"', shown)[0]
        for _ in range(3):
            assert phone.post(path, fields | {"once": once}).status_code == 303
    assert len(project_hours(session, phone.site.project_id)) == 1
    assert len(project_purchases(session, phone.site.project_id)) == 1


def test_only_what_one_logged_oneself_is_taken_back(
    app: Flask, phone: Phone, session: WorkspaceSession
) -> None:
    phone.post("/hours", HOURS)
    phone.post("/purchases", PART)
    (logged,) = project_hours(session, phone.site.project_id)
    (bought,) = project_purchases(session, phone.site.project_id)
    assert phone.post(f"/hours/{logged.id}/removal").status_code == 303
    assert phone.post(f"/purchases/{bought.id}/removal").status_code == 303
    session.rollback()
    assert not project_hours(session, phone.site.project_id)
    assert not project_purchases(session, phone.site.project_id)


def test_a_task_is_started_and_done_by_the_contractors_name(
    phone: Phone, database: Database, cast: Cast
) -> None:
    path = f"/tasks/{phone.site.task_id}"
    for state in (TaskState.DOING, TaskState.DONE):
        moves = str(task(database, cast, phone.site).moves)
        answer = phone.post(path, {"state": state, "moves": moves})
        assert answer.status_code == 303
        assert answer.headers["Location"].endswith(f"?message=moved#task-{phone.site.task_id}")
        assert task(database, cast, phone.site).state is state
    assert actors(database, cast, AuditEvent.TASK_MOVED) == ["contractor", "contractor"]


def test_on_hold_asks_why(phone: Phone, database: Database, cast: Cast) -> None:
    path = f"/tasks/{phone.site.task_id}"
    assert phone.post(path, {"state": "on_hold", "moves": "0"}).status_code == 422
    assert task(database, cast, phone.site).state is TaskState.TODO
    fields = {"state": "on_hold", "moves": "0", "holdReason": "parts", "note": "来週届きます"}
    assert phone.post(path, fields).status_code == 303
    found = task(database, cast, phone.site)
    assert (found.state, found.hold_reason) == (TaskState.ON_HOLD, HoldReason.PARTS)
    assert [note.text for note in found.notes] == ["来週届きます"]


def test_a_task_that_somebody_else_moved_meanwhile_is_told(
    phone: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        move_task(
            Work(session, clock, OFFICE),
            task_id=phone.site.task_id,
            to=TaskState.DONE,
            visibility=TaskVisibility.everything(),
        )
    answer = phone.post(f"/tasks/{phone.site.task_id}", {"state": "doing", "moves": "0"})
    assert answer.status_code == 422
    assert task(database, cast, phone.site).state is TaskState.DONE
    for wrong in ({}, {"state": "sleeping"}, {"state": "doing", "moves": "x"}):
        assert phone.post(f"/tasks/{phone.site.task_id}", dict(wrong)).status_code == 422


def test_pictures_of_the_work_stand_with_the_task(phone: Phone, session: WorkspaceSession) -> None:
    path = f"/tasks/{phone.site.task_id}"
    assert phone.post(f"{path}/photos", {"photo": [picture(), picture()]}).status_code == 303
    taken = photos_of(session, TASK, [phone.site.task_id])[phone.site.task_id]
    assert len(taken) == 2
    shown = phone.get(path).text
    assert all(f"/photos/{photo.id}/400" in shown for photo in taken)
    assert phone.post(f"{path}/photos").status_code == 422


def test_the_handbook_is_of_the_unit_and_the_building_and_for_contractors(phone: Phone) -> None:
    shown = phone.get("/handbook?lang=en").text
    assert "Entrance" in shown
    assert "Key box" in shown
    assert "Safe of the office" not in shown
    assert shown.count("<h2>Key box") == 1, "the key box of the other room is not told of"


def test_a_code_shows_by_tap_and_the_tap_is_written_down(
    phone: Phone, database: Database, cast: Cast
) -> None:
    site = phone.site
    assert actors(database, cast, AuditEvent.CODE_REVEALED) == []
    for page_id, code in ((site.entrance_id, ENTRANCE_CODE), (site.heater_id, UNIT_CODE)):
        answer = phone.post(f"/handbook/{page_id}")
        assert answer.status_code == 200
        assert code in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
    assert actors(database, cast, AuditEvent.CODE_REVEALED) == ["contractor", "contractor"]
    for page_id in (site.staff_page_id, site.others_page_id, "nonsense"):
        refused = phone.post(f"/handbook/{page_id}")
        assert refused.status_code == 404
        assert STAFF_CODE not in refused.text
    assert ENTRANCE_CODE not in phone.get("/handbook").text, "a page asked for again hides it again"


def test_another_problem_is_reported_once_and_left_to_the_office(
    phone: Phone, database: Database, cast: Cast
) -> None:
    shown = phone.get("/reports?lang=ja").text
    once = re.findall(r'name="once"[^>]* value="([0-9a-f]{32})"', shown)[0]
    filled = {"what": "廊下の電球が切れている", "isOutside": "y", "once": once}
    answer = phone.post("/reports", filled | {"photo": picture()})
    assert answer.headers["Location"].endswith("?message=reported")
    assert phone.post("/reports", filled | {"photo": picture()}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        (report,) = request_list(session, RequestSearch(), Paging(1, 50)).requests
        assert (report.what, report.unit_id, report.project_id) == (filled["what"], None, None)
        assert report.reported_by.startswith("contractor/")
        assert len(photos_of(session, REQUEST, [report.id])[report.id]) == 1


def test_a_report_with_something_else_than_a_picture_is_refused_whole(
    phone: Phone, session: WorkspaceSession
) -> None:
    hostile = (BytesIO(b"<html>"), "a.jpg")
    refused = phone.post("/reports?lang=en", {"what": "漏れ", "photo": hostile})
    assert refused.status_code == 422
    assert "a.jpg" in refused.text
    assert "漏れ" in refused.text
    assert not request_list(session, RequestSearch(), Paging(1, 50)).requests


def test_why_the_office_cancelled_a_task_is_not_told(
    phone: Phone, database: Database, clock: FixedClock, cast: Cast
) -> None:
    about = {"task_id": phone.site.task_id, "visibility": TaskVisibility.everything()}
    with database.writing(cast.sumida.workspace_id) as session:
        cancel_task(Work(session, clock, OFFICE), **about, reason="別の業者に頼んだ")  # type: ignore[arg-type]  # the two facts above
    page = phone.get(f"/tasks/{phone.site.task_id}?lang=en").text
    assert "Cancelled" in page
    assert "別の業者に頼んだ" not in page
