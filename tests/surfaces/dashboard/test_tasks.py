"""The page of a task: moved, ticked, noted, pictured, given away; codes only where one works."""

import io
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select

from pms.catalogue.models import HandbookPage
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskState
from pms.upkeep.models import UpkeepPhoto
from tests.cast import Cast, House, reservation
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.task_desk import added, move, read


@dataclass(frozen=True)
class Place:
    """Sumida's house, who works there, and the time."""

    database: Database
    clock: FixedClock
    house: House
    staff: Staff


JSON = {"Accept": "application/json", "Idempotency-Key": "tap-1"}


@pytest.fixture
def place(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Place:
    return Place(database, clock, cast.sumida, staff)


@pytest.fixture
def task_id(database: Database, clock: FixedClock, cast: Cast) -> str:
    """A cleaning of room 102 that nobody has."""
    return added(database, clock, cast.sumida)


def picture() -> io.BytesIO:
    content = io.BytesIO()
    Image.new("RGB", (640, 480), "navy").save(content, "JPEG")
    content.seek(0)
    return content


def code_page(place: Place) -> str:
    with place.database.reading(place.house.workspace_id) as session:
        found = select(HandbookPage.id).where(HandbookPage.guarded_code.is_not(None))
        return session.scalars(found).one()


def test_a_task_is_started_and_finished_in_two_taps_and_each_can_be_taken_back(
    housekeeper: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    assert "102" in housekeeper.get(f"/tasks/{task_id}?lang=en").text
    path = f"/tasks/{task_id}/moves"
    assert housekeeper.post(path, {"state": "doing", "moves": "0"}).status_code == 303
    assert housekeeper.post(path, {"state": "done", "moves": "1"}).status_code == 303
    page = housekeeper.get(f"/tasks/{task_id}?lang=en").text
    assert "Undo" in page
    assert housekeeper.post(path, {"state": "doing", "moves": "2"}).status_code == 303
    task = read(database, cast.sumida, task_id)
    assert (task.state, task.moves) == (TaskState.DOING, 3)


def test_a_reason_chip_puts_it_on_hold_with_what_was_written(
    maintainer: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    maintainer.post(
        f"/tasks/{task_id}/moves",
        {"state": "on_hold", "moves": "0", "holdReason": "parts", "note": "蛇口の部品を注文"},
    )
    page = maintainer.get(f"/tasks/{task_id}?lang=en").text
    assert "On hold: Waiting for parts" in page
    assert "蛇口の部品を注文" in page


def test_an_undo_of_a_hold_brings_its_reason_back(
    maintainer: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    path = f"/tasks/{task_id}/moves"
    maintainer.post(path, {"state": "on_hold", "holdReason": "parts"})
    maintainer.post(path, {"state": "done"})
    page = maintainer.get(f"/tasks/{task_id}").text
    assert 'name="holdReason" value="parts"' in page


def test_a_late_tap_is_shown_who_was_there_before(
    housekeeper: Browser, place: Place, task_id: str
) -> None:
    other = f"person/{place.staff.maintenance_id}"
    with place.database.writing(place.house.workspace_id) as session:
        move(session, place.clock, task_id, TaskState.DONE, actor=other)
    tap = {"state": "doing", "moves": "0", "note": "まだ途中"}
    answer = housekeeper.post(f"/tasks/{task_id}/moves?lang=en", tap)
    assert answer.status_code == 422
    assert "松本 剛 set this task to done" in answer.text
    assert "まだ途中" in answer.text, "what was typed stays"
    waited = housekeeper.post(f"/tasks/{task_id}/moves?lang=en", tap, headers=JSON)
    assert waited.status_code == 409
    body = waited.get_json()
    assert (body["by"], body["state"], body["moves"]) == ("松本 剛", "Done", 1)
    assert body["at"].startswith("2026-11-20T03:00:00")
    assert "Check it again" in body["error"]


def test_a_tap_that_waited_is_answered_in_short_and_counts_once(
    housekeeper: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    for _again in range(2):
        answer = housekeeper.post(
            f"/tasks/{task_id}/moves", {"state": "done", "moves": "0"}, headers=JSON
        )
        assert (answer.status_code, answer.get_json()) == (200, {"state": "done", "moves": 1})
    for _again in range(2):
        note = housekeeper.post(
            f"/tasks/{task_id}/notes", {"text": "終了"}, headers=JSON | {"Idempotency-Key": "n"}
        )
        assert (note.status_code, note.get_json()["state"]) == (200, "done")
    assert [note.text for note in read(database, cast.sumida, task_id).notes] == ["終了"]
    refused = housekeeper.post(f"/tasks/{task_id}/notes", {"text": ""}, headers=JSON)
    assert refused.status_code == 422
    assert refused.get_json()["error"]


@pytest.mark.parametrize(
    "fields", [{}, {"state": "flying"}, {"state": "on_hold", "holdReason": "?"}]
)
def test_a_state_that_is_none_is_refused(
    housekeeper: Browser, task_id: str, fields: dict[str, str]
) -> None:
    assert housekeeper.post(f"/tasks/{task_id}/moves", fields).status_code == 422


def test_a_point_is_ticked_and_taken_back_and_htmx_gets_the_list_alone(
    housekeeper: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    point = read(database, cast.sumida, task_id).points[0]
    path = f"/tasks/{task_id}/points/{point.id}"
    part = housekeeper.post(path, {"ticked": "1"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert 'id="checklist"' in part.text
    assert "<html" not in part.text
    assert read(database, cast.sumida, task_id).ticked_count == 1
    assert housekeeper.post(path, {"ticked": ""}).status_code == 303
    assert read(database, cast.sumida, task_id).ticked_count == 0
    assert (
        housekeeper.post(f"/tasks/{task_id}/points/{task_id}", {"ticked": "1"}).status_code == 404
    )


def test_a_picture_is_kept_shown_to_whom_it_is_for_and_taken_away(
    housekeeper: Browser, maintainer: Browser, office: Browser, stranger: Browser, place: Place
) -> None:
    own = {"assignee_id": place.staff.housekeeping_id}
    task_id = added(place.database, place.clock, place.house, **own)
    sent: dict[str, Any] = {"photo": (picture(), "a.jpg")}
    assert housekeeper.post(f"/tasks/{task_id}/photos", sent).status_code == 303
    for _again in range(2):
        sent = {"photo": (picture(), "b.jpg")}
        assert housekeeper.post(f"/tasks/{task_id}/photos", sent, headers=JSON).status_code == 200
    with place.database.reading(place.house.workspace_id) as session:
        first, second = session.scalars(select(UpkeepPhoto.id).order_by(UpkeepPhoto.id))
    shown = housekeeper.get(f"/upkeep-photos/{first}/400")
    assert (shown.status_code, shown.mimetype) == (200, "image/webp")
    assert shown.headers["Cache-Control"].startswith("private")
    assert housekeeper.get(f"/upkeep-photos/{first}/401").status_code == 404
    assert office.get(f"/upkeep-photos/{first}/1600").status_code == 200
    assert maintainer.get(f"/upkeep-photos/{first}/400").status_code == 404, "another's task"
    assert stranger.get(f"/upkeep-photos/{first}/400").status_code == 404
    assert f"/upkeep-photos/{second}/400" in housekeeper.get(f"/tasks/{task_id}").text
    assert housekeeper.post(f"/tasks/{task_id}/photos/{first}/removal").status_code == 303
    assert f"/upkeep-photos/{first}/" not in housekeeper.get(f"/tasks/{task_id}").text


def test_what_is_no_picture_is_refused(housekeeper: Browser, task_id: str) -> None:
    answer = housekeeper.post(f"/tasks/{task_id}/photos", {"photo": (io.BytesIO(b"no"), "a.jpg")})
    assert answer.status_code == 422


def test_on_site_one_takes_a_task_and_gives_it_back_and_gives_it_to_nobody_else(
    housekeeper: Browser, maintainer: Browser, staff: Staff, task_id: str
) -> None:
    path = f"/tasks/{task_id}/assignee"
    other = {"assigneeId": staff.maintenance_id}
    assert housekeeper.post(path, other).status_code == 422
    assert housekeeper.post(path, {"assigneeId": staff.housekeeping_id}).status_code == 303
    assert maintainer.get(f"/tasks/{task_id}").status_code == 404
    assert housekeeper.post(path, {"assigneeId": ""}).status_code == 303
    assert maintainer.get(f"/tasks/{task_id}").status_code == 200


def test_the_office_gives_a_task_to_anybody_on_the_staff(
    office: Browser, database: Database, cast: Cast, staff: Staff, task_id: str
) -> None:
    path = f"/tasks/{task_id}/assignee"
    assert office.post(path, {"assigneeId": staff.maintenance_id}).status_code == 303
    assert office.post(path, {"assigneeId": staff.stranger_id}).status_code == 422
    assert read(database, cast.sumida, task_id).assignee_id == staff.maintenance_id


def test_a_task_is_added_after_its_building_was_chosen(
    office: Browser, database: Database, cast: Cast
) -> None:
    house = cast.sumida
    page = office.get(f"/tasks/new?buildingId={house.building_id}&lang=en").text
    assert "102" in page
    fields = {"buildingId": house.building_id, "kind": "repair", "unitId": house.free_room_id}
    refused = office.post("/tasks?lang=en", fields)
    assert refused.status_code == 422
    fields |= {"title": "蛇口の水漏れ", "opensOn": "2026-11-21", "dueOn": "2026-11-25"}
    made = office.post("/tasks", fields)
    assert made.status_code == 303
    task = read(database, house, made.headers["Location"].rpartition("/")[2])
    assert (task.title, task.due_on) == ("蛇口の水漏れ", date(2026, 11, 25))


def test_two_who_edit_at_once_merge_or_choose(
    office: Browser, operator: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    path = f"/tasks/{task_id}/edit"
    was = {"version": "1", "was.title": "", "was.note": "", "was.opensOn": "", "was.dueOn": ""}
    assert office.post(path, {**was, "title": "窓も"}).status_code == 303
    assert operator.post(path, {**was, "note": "鍵は受付"}).status_code == 303
    task = read(database, cast.sumida, task_id)
    assert (task.title, task.note) == ("窓も", "鍵は受付")
    again = operator.post(f"{path}?lang=en", {**was, "title": "床も"})
    assert again.status_code == 422
    assert "Keep theirs" in again.text
    assert "窓も" in again.text


def test_a_page_that_never_asked_for_the_unit_leaves_it(
    office: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    old = {"version": "1", "was.title": "", "title": "窓も"}
    assert office.post(f"/tasks/{task_id}/edit", old).status_code == 303
    task = read(database, cast.sumida, task_id)
    assert (task.title, task.place.unit_id) == ("窓も", cast.sumida.free_room_id)
    away = {"version": "2", "was.unitId": cast.sumida.free_room_id, "unitId": ""}
    assert office.post(f"/tasks/{task_id}/edit", away).status_code == 303
    assert read(database, cast.sumida, task_id).place.unit_id is None, "it was chosen"


def test_a_unit_that_others_changed_meanwhile_is_kept(
    office: Browser, database: Database, cast: Cast, task_id: str
) -> None:
    house, path = cast.sumida, f"/tasks/{task_id}/edit"
    seen = {"version": "1", "was.title": "", "was.unitId": house.free_room_id}
    moved = {**seen, "unitId": house.residents_room_id}
    assert office.post(path, moved).status_code == 303
    titled = {**seen, "unitId": house.free_room_id, "title": "窓も"}
    assert office.post(path, titled).status_code == 303
    task = read(database, house, task_id)
    assert (task.title, task.place.unit_id) == ("窓も", house.residents_room_id)


def test_a_surname_is_told_only_where_somebody_arrives(
    housekeeper: Browser, database: Database, clock: FixedClock, cast: Cast, task_id: str
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        session.add(
            reservation(
                unit_id=house.free_room_id,
                name="木村 拓",
                email="kimura@example.jp",
                phone="090-1111-2222",
                move_in_date=date(2026, 11, 22),
                contract_end_date=date(2027, 5, 31),
            )
        )
    repair = added(database, clock, house, kind="repair", title="蛇口")
    page = housekeeper.get(f"/tasks/{task_id}?lang=en").text
    assert "木村 arrives" in page
    for hidden in ("拓", "kimura@example.jp", "090-1111-2222", "93,000", "¥"):
        assert hidden not in page
    assert "木村" not in housekeeper.get(f"/tasks/{repair}").text


def test_codes_are_shown_on_site_only_with_a_task_of_ones_own_that_day(
    housekeeper: Browser, place: Place, task_id: str
) -> None:
    house, own_id = place.house, place.staff.housekeeping_id
    path = f"/handbook/{code_page(place)}/code"
    later = {"assignee_id": own_id, "opens_on": date(2026, 11, 25)}
    added(place.database, place.clock, house, **later)
    assert housekeeper.post(path).status_code == 403, "the task of nobody, and one of another day"
    assert path not in housekeeper.get(f"/tasks/{task_id}").text
    assert path not in housekeeper.get(f"/buildings/{house.building_id}").text
    housekeeper.post(f"/tasks/{task_id}/assignee", {"assigneeId": own_id})
    assert path in housekeeper.get(f"/tasks/{task_id}").text
    page = housekeeper.get(f"/buildings/{house.building_id}").text
    assert path in page
    assert "4729#" not in page
    assert "4729#" in housekeeper.post(path).text
    with place.database.reading(house.workspace_id) as session:
        looked = select(AuditRecord.actor).where(
            AuditRecord.audit_event == AuditEvent.CODE_REVEALED
        )
        assert session.scalars(looked).all() == [f"person/{own_id}"]


def test_ten_times_the_points_and_notes_ask_the_database_as_often(
    housekeeper: Browser, database: Database, clock: FixedClock, cast: Cast, task_id: str
) -> None:
    def asked() -> int:
        with statements() as sent:
            assert housekeeper.get(f"/tasks/{task_id}").status_code == 200
        return len(sent)

    asked()
    few = asked()
    with database.writing(cast.sumida.workspace_id) as session:
        for number in range(20):
            state = TaskState.DOING if number % 2 else TaskState.TODO
            move(session, clock, task_id, state, note=f"{number}")
    assert asked() == few <= 16
