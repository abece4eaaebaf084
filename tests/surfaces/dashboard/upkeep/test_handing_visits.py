"""A planned visit is handed to somebody else, with the tasks that were its visitor's."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole, TaskState
from pms.upkeep.models import Visit
from pms.upkeep.moves import move_task
from pms.upkeep.task_visibility import TaskVisibility, assign_task
from pms.upkeep.visit_changes import hand_visit, plan_visit
from pms.upkeep.visits import visit_record
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.dashboard.upkeep.test_visits_screen import ON, Trips

ALL = TaskVisibility.everything()
OFFICE = "person/office"


@pytest.fixture
def trips(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Trips:
    """Sumida's trips."""
    return Trips(database, clock, cast, staff)


def planned(trips: Trips, *tasks: str, person_id: str | None = None) -> str:
    with trips.database.writing(trips.house.workspace_id) as session:
        return plan_visit(
            Work(session, trips.clock, OFFICE),
            person_id=person_id or trips.staff.maintenance_id,
            building_id=trips.house.building_id,
            on_day=trips.clock.today() + timedelta(days=4),
            task_ids=tasks or [trips.task()],
        )


def hand(
    trips: Trips,
    visit_id: str,
    person_id: str | None = None,
    version: int = 1,
    visibility: TaskVisibility = ALL,
) -> None:
    with trips.database.writing(trips.house.workspace_id) as session:
        hand_visit(
            Work(session, trips.clock, OFFICE),
            visit_id=visit_id,
            person_id=person_id or trips.staff.housekeeping_id,
            version=version,
            visibility=visibility,
        )


def visitor(trips: Trips, visit_id: str) -> str:
    with trips.database.reading(trips.house.workspace_id) as session:
        return session.scalars(select(Visit.person_id).where(Visit.id == visit_id)).one()


def test_a_visit_and_its_visitors_tasks_are_handed_over(trips: Trips) -> None:
    own, anothers = trips.task("一"), trips.task("二")
    visit_id = planned(trips, own, anothers)
    staff, workspace_id = trips.staff, trips.house.workspace_id
    with trips.database.writing(workspace_id) as session:
        given = {"task_id": anothers, "assignee_id": staff.office_id, "visibility": ALL}
        assign_task(Work(session, trips.clock, OFFICE), **given)  # type: ignore[arg-type]
    hand(trips, visit_id)
    with trips.database.reading(workspace_id) as session:
        record = visit_record(session, visit_id, ALL)
        audit_event = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.VISIT_CHANGED.value)
        ).one()
    assert (record.visit.person_id, record.version) == (staff.housekeeping_id, 2)
    assert [card.id for card in record.cards] == [own, anothers], "in their order"
    assert [card.assignee_id for card in record.cards] == [staff.housekeeping_id, staff.office_id]
    assert audit_event.before == {"person_id": staff.maintenance_id}
    assert audit_event.after == {"person_id": staff.housekeeping_id}


def test_the_same_form_sent_twice_hands_once_and_an_old_one_collides(trips: Trips) -> None:
    visit_id = planned(trips)
    hand(trips, visit_id)
    hand(trips, visit_id)
    with pytest.raises(Collision):
        hand(trips, visit_id, trips.staff.office_id)
    assert visitor(trips, visit_id) == trips.staff.housekeeping_id


def test_who_goes_there_that_day_already_gets_no_second_visit(trips: Trips) -> None:
    visit_id = planned(trips)
    planned(trips, person_id=trips.staff.housekeeping_id)
    with pytest.raises(Refused, match="already") as refused:
        hand(trips, visit_id)
    assert refused.value.field == "personId"
    assert visitor(trips, visit_id) == trips.staff.maintenance_id


@pytest.mark.parametrize("state", [TaskState.DOING, TaskState.DONE])
def test_a_visit_that_has_begun_stays(trips: Trips, state: TaskState) -> None:
    task_id = trips.task()
    visit_id = planned(trips, task_id)
    with trips.database.writing(trips.house.workspace_id) as session:
        move_task(Work(session, trips.clock, OFFICE), task_id=task_id, to=state, visibility=ALL)
    with pytest.raises(Refused, match="has started"):
        hand(trips, visit_id)


def test_a_past_visit_nobody_and_strangers_are_refused(trips: Trips, clock: FixedClock) -> None:
    visit_id = planned(trips)
    for person_id in ("0" * 32, trips.staff.stranger_id):
        with pytest.raises(Refused) as refused:
            hand(trips, visit_id, person_id)
        assert refused.value.field == "personId"
    own = TaskVisibility.of_staff(StaffRole.MAINTENANCE, trips.staff.maintenance_id)
    with pytest.raises(Refused, match="office"):
        hand(trips, visit_id, visibility=own)
    with pytest.raises(NotFound):
        hand(trips, "0" * 32)
    clock.advance(timedelta(days=5))
    with pytest.raises(Refused, match="past"):
        hand(trips, visit_id)


def test_the_office_hands_a_visit_on_by_its_page(
    office: Browser, maintainer: Browser, trips: Trips
) -> None:
    visit_id, staff = planned(trips), trips.staff
    page = f"/visits/{visit_id}"
    shown = office.get(f"{page}?lang=en").text
    assert "Reassign" in shown
    assert f'value="{staff.housekeeping_id}"' in shown
    assert f'value="{staff.maintenance_id}"' not in shown, "who has it is not offered"
    assert "Reassign" not in maintainer.get(f"{page}?lang=en").text
    given = {"personId": staff.housekeeping_id, "version": "1"}
    assert maintainer.post(f"{page}/person", given).status_code == 403
    assert office.post(f"{page}/person", {**given, "personId": ""}).status_code == 422
    assert office.post(f"{page}/person", {**given, "version": "x"}).status_code == 422
    assert office.post(f"{page}/person", given).status_code == 303
    assert visitor(trips, visit_id) == staff.housekeeping_id
    assert maintainer.get(page).status_code == 404


def test_a_refusal_leads_to_the_visit_that_stands_there(office: Browser, trips: Trips) -> None:
    visit_id = planned(trips)
    standing_id = planned(trips, person_id=trips.staff.housekeeping_id)
    assert ON in office.get(f"/visits/{visit_id}").text
    given = {"personId": trips.staff.housekeeping_id, "version": "1"}
    answer = office.post(f"/visits/{visit_id}/person?lang=en", given)
    assert answer.status_code == 422
    assert "This person already goes there on that day." in answer.text
    assert f'/visits/{standing_id}"' in answer.text


def test_a_visit_is_handed_to_nobody_whose_id_is_none(office: Browser, trips: Trips) -> None:
    given = {"personId": "foo", "version": "1"}
    visit_id = planned(trips)
    assert office.post(f"/visits/{visit_id}/person", given).status_code == 422
    assert visitor(trips, visit_id) == trips.staff.maintenance_id
