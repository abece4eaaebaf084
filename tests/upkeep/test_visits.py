"""Visits: one person, one building, one day, tasks in order."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.catalogue.models import Building
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.models import Ticket
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole, TaskKind, TaskState, TicketStep
from pms.upkeep.models import Task, Visit
from pms.upkeep.moves import move_task
from pms.upkeep.task_days import building_of_tasks, plannable_tasks
from pms.upkeep.task_visibility import TaskVisibility
from pms.upkeep.ticket_threads import messages_of
from pms.upkeep.visit_changes import add_to_visit, cancel_visit, move_visit, plan_visit
from pms.upkeep.visit_order import order_visit, remove_from_visit
from pms.upkeep.visits import list_visits, visit_record, visits_of_day
from tests.cast import Cast, building
from tests.staff import Staff
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.task_desk import added
from tests.upkeep.works import Works

pytestmark = pytest.mark.differs("locks")

OFFICE = "person/office"
ALL = TaskVisibility.everything()
ON = date(2026, 11, 24)


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Sumida's house."""
    return Works(database, clock, cast.sumida)


def task(works: Works, **given: Any) -> str:
    return added(works.database, works.clock, works.house, **given)


def plan(session: WorkspaceSession, works: Works, person_id: str, *tasks: str, **given: Any) -> str:
    usual: dict[str, Any] = {"building_id": works.house.building_id, "on_day": ON}
    usual |= {"person_id": person_id, "task_ids": tasks}
    return plan_visit(Work(session, works.clock, OFFICE), **usual | given)


def order(session: WorkspaceSession, visit_id: str) -> Sequence[str]:
    return [card.id for card in visit_record(session, visit_id, ALL).cards]


def another_building(works: Works) -> str:
    with works.writing() as session:
        row = building(slug="second", name="第二荘")
        session.add(row)
        session.flush()
        return row.id


def steps(session: WorkspaceSession, request_id: str) -> Sequence[TicketStep | None]:
    ticket_id = session.scalars(select(Ticket.id).where(Ticket.request_id == request_id)).one()
    return [said.step for said in messages_of(session, ticket_id) if said.step]


def test_the_tasks_stand_in_the_order_chosen_and_are_given_to_the_visitor(
    works: Works, staff: Staff
) -> None:
    first, second = task(works), task(works, unit_id=works.house.residents_room_id)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, second, first)
        assert order(session, visit_id) == [second, first]
        found = visit_record(session, visit_id, ALL).visit
        assert (found.person, found.tasks, found.done) == ("松本 剛", 2, 0)
        assert {card.assignee_id for card in visit_record(session, visit_id, ALL).cards} == {
            staff.maintenance_id
        }


def test_planning_the_same_visit_again_adds_to_it(works: Works, staff: Staff) -> None:
    first, second = task(works), task(works)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, first, note="鍵は管理室")
        again = plan(session, works, staff.maintenance_id, first, second)
        assert again == visit_id
        assert order(session, visit_id) == [first, second]
        assert visit_record(session, visit_id, ALL).visit.note == "鍵は管理室"
        audit_events = session.scalars(
            select(AuditRecord.audit_event).where(AuditRecord.subject_kind == "visit")
        ).all()
    assert list(audit_events) == [AuditEvent.VISIT_PLANNED, AuditEvent.VISIT_CHANGED]


def test_two_who_plan_the_same_visit_at_once_make_one(works: Works, staff: Staff) -> None:
    tasks, ready = [task(works), task(works)], Barrier(2)

    def planned(task_id: str) -> str:
        ready.wait()
        with works.writing() as session:
            return plan(session, works, staff.maintenance_id, task_id)

    with ThreadPoolExecutor(2) as pool:
        made = set(pool.map(planned, tasks))
    assert len(made) == 1
    with works.writing() as session:
        assert sorted(order(session, made.pop())) == sorted(tasks)
        assert session.scalar(select(func.count(Visit.id))) == 1


def test_a_task_of_another_visit_is_taken_over_only_when_that_is_meant(
    works: Works, staff: Staff
) -> None:
    held, other = task(works), task(works)
    with works.writing() as session:
        was = plan(session, works, staff.maintenance_id, held, other)
    with pytest.raises(Collision), works.writing() as session:
        plan(session, works, staff.housekeeping_id, held)
    with works.writing() as session:
        assert session.scalar(select(func.count(Visit.id))) == 1, "what is refused leaves nothing"
        now = plan(session, works, staff.housekeeping_id, held, may_take_over=True)
        assert order(session, now) == [held]
        assert order(session, was) == [other]
        assert plan(session, works, staff.housekeeping_id, other, may_take_over=True) == now
        with pytest.raises(NotFound):
            visit_record(session, was, ALL)


@pytest.mark.parametrize("way", ["up", "down"])
def test_a_task_moves_a_place_and_stops_at_the_end(works: Works, staff: Staff, way: Any) -> None:
    first, second, third = task(works), task(works), task(works)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, first, second, third)
        facts: dict[str, Any] = {
            "visit_id": visit_id,
            "task_id": second,
            "way": way,
            "visibility": ALL,
        }
        order_visit(Work(session, works.clock, OFFICE), **facts)
        moved = [second, first, third] if way == "up" else [first, third, second]
        assert order(session, visit_id) == moved
        order_visit(Work(session, works.clock, OFFICE), **facts)
        assert order(session, visit_id) == moved


def test_a_task_comes_in_and_goes_out_but_the_last_one_stays(works: Works, staff: Staff) -> None:
    first, second = task(works), task(works)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, first)
        of: dict[str, Any] = {"visit_id": visit_id, "visibility": ALL}
        assert add_to_visit(Work(session, works.clock, OFFICE), task_ids=[second], **of) == 1
        assert add_to_visit(Work(session, works.clock, OFFICE), task_ids=[second], **of) == 0
        remove_from_visit(Work(session, works.clock, OFFICE), task_id=first, **of)
        assert order(session, visit_id) == [second]
        row = session.get_one(Task, (works.house.workspace_id, first))
        assert (row.visit_id, row.visit_position) == (None, None)
        assert row.assignee_id == staff.maintenance_id
        with pytest.raises(Refused, match="Cancel the visit"):
            remove_from_visit(Work(session, works.clock, OFFICE), task_id=second, **of)
        with pytest.raises(NotFound):
            remove_from_visit(Work(session, works.clock, OFFICE), task_id=first, **of)


def test_a_visit_called_off_gives_its_tasks_back(works: Works, staff: Staff) -> None:
    first, second = task(works), task(works)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, first, second)
        gone: dict[str, Any] = {"visit_id": visit_id, "visibility": ALL}
        was = cancel_visit(Work(session, works.clock, OFFICE), **gone)
        assert (was.on_day, was.task_ids) == (ON, [first, second])
        assert not list_visits(session, ON, ON, ALL)
        with pytest.raises(NotFound):
            cancel_visit(Work(session, works.clock, OFFICE), **gone)
        assert plan(session, works, staff.maintenance_id, *was.task_ids), "and can be planned anew"


def test_a_visit_moved_to_another_day_joins_the_one_that_stands_there(
    works: Works, staff: Staff
) -> None:
    first, second = task(works), task(works)
    after = ON + timedelta(days=1)
    with works.writing() as session:
        standing = plan(session, works, staff.maintenance_id, second, on_day=after)
        visit_id = plan(session, works, staff.maintenance_id, first, note="鍵は管理室")
        moved = move_visit(
            Work(session, works.clock, OFFICE), visit_id=visit_id, on_day=after, visibility=ALL
        )
        assert moved == standing
        assert order(session, moved) == [second, first]
        assert visit_record(session, moved, ALL).visit.note == "鍵は管理室"
        assert not list_visits(session, ON, ON, ALL)
        with pytest.raises(Refused, match="past"):
            move_visit(
                Work(session, works.clock, OFFICE),
                visit_id=moved,
                on_day=date(2026, 11, 19),
                visibility=ALL,
            )
        assert order(session, moved) == [second, first]


def test_the_resident_is_told_the_day_and_that_it_falls_away(works: Works, staff: Staff) -> None:
    request_id = works.report(reservation_id=works.house.resident_id)
    project_id = works.fold(request_id)
    task_id = task(works, kind=TaskKind.REPAIR, title="修理", project_id=project_id)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, task_id)
        assert steps(session, request_id)[-1] == TicketStep.VISIT_PLANNED
        cancel_visit(Work(session, works.clock, OFFICE), visit_id=visit_id, visibility=ALL)
        assert steps(session, request_id) == [
            TicketStep.RECEIVED,
            TicketStep.PLANNED,
            TicketStep.VISIT_PLANNED,
            TicketStep.PLANNED,
        ]


def test_one_person_in_two_buildings_on_a_day_is_told(works: Works, staff: Staff) -> None:
    elsewhere = another_building(works)
    here, there = task(works), task(works, building_id=elsewhere, unit_id=None)
    with works.writing() as session:
        visit_id = plan(session, works, staff.maintenance_id, here)
        assert not visit_record(session, visit_id, ALL).others
        plan(session, works, staff.maintenance_id, there, building_id=elsewhere)
        assert [one.building.ja for one in visit_record(session, visit_id, ALL).others] == [
            "第二荘"
        ]
        assert all(one.is_one_of_several for one in list_visits(session, ON, ON, ALL))
        assert len(visits_of_day(session, staff.maintenance_id, ON)) == 2
        assert not visits_of_day(session, staff.housekeeping_id, ON)


def test_who_works_on_site_plans_and_sees_their_own_visits_alone(
    works: Works, staff: Staff
) -> None:
    own = TaskVisibility.of_staff(StaffRole.HOUSEKEEPING, staff.housekeeping_id)
    anybodys, theirs = task(works), task(works, assignee_id=staff.maintenance_id)
    with works.writing() as session:
        other = plan(session, works, staff.maintenance_id, theirs)
        with pytest.raises(Refused) as refused:
            plan(session, works, staff.maintenance_id, anybodys, visibility=own)
        assert refused.value.field == "personId"
        with pytest.raises(Refused) as refused:
            plan(session, works, staff.housekeeping_id, theirs, visibility=own, may_take_over=True)
        assert refused.value.field == "taskIds"
        visit_id = plan(session, works, staff.housekeeping_id, anybodys, visibility=own)
        assert [one.id for one in list_visits(session, ON, ON, own)] == [visit_id]
        with pytest.raises(NotFound):
            visit_record(session, other, own)
        with pytest.raises(NotFound):
            cancel_visit(Work(session, works.clock, OFFICE), visit_id=other, visibility=own)
        assert visit_record(session, visit_id, own).visit.person_id == staff.housekeeping_id


def test_what_does_not_fit_is_refused_beside_its_field(works: Works, staff: Staff) -> None:
    done, elsewhere = task(works), another_building(works)
    there = task(works, building_id=elsewhere, unit_id=None)
    with works.writing() as session:
        move_task(
            Work(session, works.clock, OFFICE), task_id=done, to=TaskState.DONE, visibility=ALL
        )
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"task_ids": []}, "taskIds"),
        ({"task_ids": ["0" * 32]}, "taskIds"),
        ({"task_ids": ["elsewhere"]}, "taskIds"),
        ({"task_ids": [done]}, "taskIds"),
        ({"task_ids": [there]}, "taskIds"),
        ({"person_id": None}, "personId"),
        ({"person_id": "0" * 32}, "personId"),
        ({"person_id": staff.stranger_id}, "personId"),
        ({"building_id": "elsewhere"}, "buildingId"),
        ({"on_day": date(2026, 11, 19)}, "onDay"),
    ]
    for given, field in wrong:
        with works.writing() as session, pytest.raises(Refused) as refused:
            usual: dict[str, Any] = {"person_id": staff.maintenance_id, "task_ids": [there]}
            usual |= {"building_id": works.house.building_id, "on_day": ON}
            plan_visit(Work(session, works.clock, OFFICE), **usual | given)
        assert refused.value.field == field, given


def test_what_may_be_planned_names_who_goes_already(works: Works, staff: Staff) -> None:
    free, held, done = task(works), task(works), task(works)
    with works.writing() as session:
        move_task(
            Work(session, works.clock, OFFICE), task_id=done, to=TaskState.DONE, visibility=ALL
        )
        plan(session, works, staff.maintenance_id, held)
        found = plannable_tasks(session, works.house.building_id, ALL, [held])
        assert [one.card.id for one in found] == [held, free]
        assert (found[0].held_by, found[0].held_on) == ("松本 剛", ON)
        assert found[1].held_by is None
        place, chosen = building_of_tasks(session, [done, free, "junk"], None, ALL)
        assert (place, list(chosen)) == (works.house.building_id, [free])
        assert building_of_tasks(session, [], None, ALL) == (None, [])
        assert session.scalar(select(func.count(Building.id))) == 1


def test_a_week_is_asked_as_often_for_many_visits_as_for_few(works: Works, staff: Staff) -> None:
    def asked_with(people: Sequence[str]) -> int:
        for person_id in people:
            task_id = task(works)
            with works.writing() as session:
                plan(session, works, person_id, task_id)
        with works.writing() as session, statements() as sent:
            list_visits(session, ON, date(2026, 11, 30), ALL)
        return len(sent)

    few = asked_with([staff.maintenance_id])
    assert few == asked_with([staff.housekeeping_id, staff.office_id, staff.operator_id]) <= 3
