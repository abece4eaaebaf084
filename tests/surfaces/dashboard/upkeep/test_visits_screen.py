"""The screens of visits: planning, the week, one visit, and who sees whose."""

import re
from datetime import date

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind
from pms.upkeep.models import Task, Visit
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.visit_changes import plan_visit
from tests.cast import Cast, building
from tests.staff import Browser, Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements

ON = "2026-11-24"


class Trips:
    """Tasks of Kawasemi House, and what became of them."""

    def __init__(self, database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> None:
        self.database, self.clock, self.house, self.staff = database, clock, cast.sumida, staff

    def task(self, title: str = "電球の交換", assignee_id: str | None = None) -> str:
        wanted = WantedTask(
            kind=TaskKind.REPAIR,
            building_id=self.house.building_id,
            unit_id=self.house.free_room_id,
            title=title,
            assignee_id=assignee_id,
        )
        with self.database.writing(self.house.workspace_id) as session:
            return add_task(Work(session, self.clock, "staff"), wanted=wanted)

    def form(self, *tasks: str, person_id: str | None = None, **more: object) -> dict[str, object]:
        given = {"buildingId": self.house.building_id, "onDay": ON, "taskIds": list(tasks)}
        return {**given, "personId": person_id or self.staff.maintenance_id, **more}

    def visit_id(self) -> str:
        with self.database.reading(self.house.workspace_id) as session:
            return session.scalars(select(Visit.id)).one()

    def order(self) -> list[str | None]:
        with self.database.reading(self.house.workspace_id) as session:
            held = select(Task.title).where(Task.visit_id.is_not(None))
            return list(session.scalars(held.order_by(Task.visit_position)))


@pytest.fixture
def trips(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Trips:
    """Sumida's trips."""
    return Trips(database, clock, cast, staff)


def test_without_a_visit_the_week_names_the_next_step(office: Browser) -> None:
    text = office.get("/visits?lang=en").text
    assert "No visits in this period" in text
    assert "/visits/new" in text


def test_planning_begins_with_the_building_and_offers_its_tasks(
    office: Browser, trips: Trips
) -> None:
    first = office.get("/visits/new?lang=en").text
    assert "Which building?" in first
    assert f"buildingId={trips.house.building_id}" in first
    assert (
        "No open task"
        in office.get(f"/visits/new?buildingId={trips.house.building_id}&lang=en").text
    )
    task_id = trips.task()
    text = office.get(f"/visits/new?taskId={task_id}&lang=en").text
    assert "電球の交換" in text
    assert re.search(rf'value="{task_id}" checked', text), "chosen on the board before"


def test_a_visit_is_planned_and_stands_in_its_week(office: Browser, trips: Trips) -> None:
    task_id = trips.task()
    answer = office.post("/visits", trips.form(task_id, note="鍵は管理室"))
    assert answer.status_code == 303
    week = office.get(f"/visits?fromOn={ON}&lang=en").text
    assert "松本 剛" in week
    assert "0 of 1 tasks done" in week
    visit = office.get(f"/visits/{trips.visit_id()}?lang=en").text
    assert "鍵は管理室" in visit
    assert "https://www.google.com/maps/search/?api=1&amp;query=" in visit
    assert 'src="https://' not in visit, "the map is only linked to"


def test_what_is_refused_comes_again_with_everything_chosen(office: Browser, trips: Trips) -> None:
    task_id = trips.task()
    for wrong in ({"onDay": "2026-11-01"}, {"personId": ""}, {"onDay": "soon"}):
        answer = office.post("/visits?lang=en", {**trips.form(task_id, note="鍵"), **wrong})
        assert answer.status_code == 422
        assert "鍵</textarea>" in answer.text
        assert re.search(rf'value="{task_id}" checked', answer.text)
    assert office.post("/visits?lang=en", trips.form()).status_code == 422


def test_a_task_of_another_visit_is_told_and_taken_over_when_meant(
    office: Browser, trips: Trips
) -> None:
    held, other = trips.task(), trips.task("別の仕事")
    office.post("/visits", trips.form(held, other))
    offered = office.get(f"/visits/new?buildingId={trips.house.building_id}&lang=en").text
    assert "Part of the visit of 松本 剛 on 24 Nov" in offered
    again = trips.form(held, person_id=trips.staff.housekeeping_id)
    assert office.post("/visits", again).status_code == 422
    assert office.post("/visits", {**again, "takesOver": "y"}).status_code == 303


def test_a_day_with_another_building_is_warned_of(
    office: Browser, trips: Trips, database: Database, clock: FixedClock
) -> None:
    with database.writing(trips.house.workspace_id) as session:
        elsewhere = building(slug="second", name="第二荘", name_en="Second House")
        session.add(elsewhere)
        session.flush()
        wanted = WantedTask(kind=TaskKind.CLEANING, building_id=elsewhere.id)
        there = add_task(Work(session, clock, "staff"), wanted=wanted)
        plan_visit(
            Work(session, clock, "staff"),
            person_id=trips.staff.maintenance_id,
            building_id=elsewhere.id,
            on_day=clock.today().replace(day=24),
            task_ids=[there],
        )
    query = f"buildingId={trips.house.building_id}&personId={trips.staff.maintenance_id}&onDay={ON}"
    part = office.block(f"/visits/new?part=day&{query}&lang=en").text
    assert "松本 剛 also goes to Second House on this day." in part
    office.post("/visits", trips.form(trips.task()))
    week = office.get(f"/visits?fromOn={ON}&lang=en").text
    assert week.count("Several buildings this day") == 2


def test_tasks_move_by_buttons_come_and_go(office: Browser, trips: Trips) -> None:
    first, second = trips.task("一"), trips.task("二")
    office.post("/visits", trips.form(first, second))
    visit = f"/visits/{trips.visit_id()}"
    part = office.post(
        f"{visit}/order?lang=en", {"taskId": second, "way": "up"}, headers={"HX-Request": "true"}
    )
    assert part.text.lstrip().startswith("<div")
    assert 'data-say="Moved up."' in part.text
    assert trips.order() == ["二", "一"]
    assert office.post(f"{visit}/removals", {"taskId": second}).status_code == 303
    assert trips.order() == ["一"]
    assert "undo-bar" in office.get(visit).text
    assert office.post(f"{visit}/tasks", {"taskIds": [second]}).status_code == 303
    assert trips.order() == ["一", "二"]


def test_a_cancelled_visit_is_planned_anew_by_one_button(office: Browser, trips: Trips) -> None:
    tasks = [trips.task("一"), trips.task("二")]
    office.post("/visits", trips.form(*tasks))
    gone = office.post(f"/visits/{trips.visit_id()}/cancellation")
    assert gone.status_code == 303
    assert trips.order() == []
    assert "undo-bar" in office.get(f"/visits?fromOn={ON}").text
    undone = trips.form() | {"taskIds": ",".join(tasks)}
    assert office.post("/visits", undone).status_code == 303
    assert trips.order() == ["一", "二"]


def test_a_visit_is_moved_to_another_day(office: Browser, trips: Trips) -> None:
    office.post("/visits", trips.form(trips.task("一")))
    page = f"/visits/{trips.visit_id()}"
    assert office.post(f"{page}/day", {"onDay": "1999-01-01"}).status_code == 422
    moved = office.post(f"{page}/day", {"onDay": "2026-12-24"})
    assert moved.status_code == 303
    assert f"/visits/{trips.visit_id()}" in office.get("/visits?fromOn=2026-12-24").text
    assert trips.visit_id() not in office.get(f"/visits?fromOn={ON}").text


def test_who_works_on_site_plans_and_sees_their_own(
    housekeeper: Browser, office: Browser, trips: Trips
) -> None:
    theirs = trips.task("設備", trips.staff.maintenance_id)
    office.post("/visits", trips.form(theirs))
    other = f"/visits/{trips.visit_id()}"
    assert housekeeper.get(other).status_code == 404
    assert housekeeper.post(f"{other}/cancellation").status_code == 404
    assert "松本 剛" not in housekeeper.get(f"/visits?fromOn={ON}").text
    free = trips.task("掃除")
    offered = housekeeper.get(f"/visits/new?buildingId={trips.house.building_id}").text
    assert "掃除" in offered
    assert "設備" not in offered
    assert housekeeper.post("/visits", trips.form(free)).status_code == 422, "for somebody else"
    own = trips.form(free, person_id=trips.staff.housekeeping_id)
    assert housekeeper.post("/visits", own).status_code == 303
    assert "カワセミ荘" in housekeeper.get(f"/visits?fromOn={ON}&lang=ja").text


@pytest.mark.parametrize("query", ["fromOn=soon", "personId=nobody"])
def test_an_unknown_filter_is_told(office: Browser, query: str) -> None:
    assert office.get(f"/visits?{query}").status_code == 422


@pytest.mark.parametrize("day", ["0001-01-01", "1900-01-01", "9999-12-31", "2099-12-31"])
def test_no_day_breaks_the_week(office: Browser, day: str) -> None:
    assert office.get(f"/visits?fromOn={day}").status_code in {200, 422}


def test_a_full_week_asks_the_database_as_often_as_an_empty_one(
    office: Browser, trips: Trips, clock: FixedClock, database: Database
) -> None:
    def asked_with(days: range) -> int:
        for day in days:
            task_id = trips.task()
            with database.writing(trips.house.workspace_id) as session:
                plan_visit(
                    Work(session, clock, "staff"),
                    person_id=trips.staff.maintenance_id,
                    building_id=trips.house.building_id,
                    on_day=clock.today().replace(day=day),
                    task_ids=[task_id],
                )
        with statements() as sent:
            assert office.get(f"/visits?fromOn={ON}").status_code == 200
        return len(sent)

    asked_with(range(24, 25))
    assert asked_with(range(25, 26)) == asked_with(range(26, 30)) <= 12


def test_who_works_on_site_finds_their_visits_of_the_day_on_today(
    housekeeper: Browser, office: Browser, trips: Trips, clock: FixedClock
) -> None:
    assert "/visits/" not in housekeeper.get("/?lang=en").text
    planned = trips.form(trips.task(), person_id=trips.staff.housekeeping_id)
    office.post("/visits", planned | {"onDay": clock.today().isoformat()})
    today = housekeeper.get("/?lang=en").text
    assert "Kawasemi House" in today
    assert f"/visits/{trips.visit_id()}" in today
    assert f"/visits/{trips.visit_id()}" not in office.get("/?lang=en").text


def test_the_way_to_a_visit_stands_on_the_task_and_on_the_board_of_a_building(
    office: Browser, trips: Trips
) -> None:
    task_id = trips.task()
    assert f"/visits/new?taskId={task_id}" in office.get(f"/tasks/{task_id}").text
    of_house = f"buildingId={trips.house.building_id}"
    assert f"/visits/new?{of_house}" in office.get(f"/work?view=board&{of_house}").text
    assert "/visits/new" not in office.get("/work?view=board").text


def test_a_week_of_many_visits_comes_fifty_at_a_time(
    office: Browser, trips: Trips, clock: FixedClock
) -> None:
    with trips.database.writing(trips.house.workspace_id) as session:
        houses = [
            building(id=new_id(), name=f"棟 {n:02}", name_en=f"Block {n:02}", slug=f"b-{n}")
            for n in range(52)
        ]
        session.add_all(houses)
        session.flush()
        session.add_all(
            Visit(
                id=new_id(),
                building_id=house.id,
                person_id=trips.staff.maintenance_id,
                on_day=date.fromisoformat(ON),
                planned_at=clock.now(),
                planned_by="staff",
            )
            for house in houses
        )
    first = office.get(f"/visits?fromOn={ON}&lang=en").text
    second = office.get(f"/visits?fromOn={ON}&page=2&lang=en").text
    assert "1–50 of 52" in first
    assert ("Block 49" in first, "Block 50" in first) == (True, False)
    assert ("Block 49" in second, "Block 51" in second) == (False, True)
