"""Reports fold into numbered projects; projects end, are called off and are taken up again."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Problem, Refused
from pms.foundation.lists import Paging
from pms.foundation.work import Work
from pms.inbox.models import Ticket, TicketMessage
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory, ProjectState, RequestState, TaskKind, TicketStep
from pms.upkeep.project_lines import project_hours, project_purchases, remove_hours, remove_purchase
from pms.upkeep.project_lists import ProjectSearch, project_cost, project_list
from pms.upkeep.projects import edit_project, end_project, list_open_tasks, reopen_project
from pms.upkeep.reported_words import close_request, unfold_request
from pms.upkeep.request_lists import RequestSearch, open_twins, request_list
from pms.upkeep.tasks import WantedTask, add_task
from tests.cast import Cast
from tests.upkeep.works import ACTOR, Works

PAGE = Paging(1, 50)
AT_ONCE = 4


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def end(works: Works, project_id: str, into: ProjectState = ProjectState.DONE) -> None:
    with works.writing() as session:
        end_project(Work(session, works.clock, ACTOR), project_id=project_id, into=into)


def unfold(works: Works, request_id: str) -> None:
    with works.writing() as session:
        unfold_request(Work(session, works.clock, ACTOR), request_id=request_id)


def reopen(works: Works, project_id: str) -> None:
    with works.writing() as session:
        reopen_project(Work(session, works.clock, ACTOR), project_id=project_id)


def close(works: Works, request_id: str, because: str | None = "重複") -> None:
    with works.writing() as session:
        close_request(Work(session, works.clock, ACTOR), request_id=request_id, because=because)


def at_once(works: Works, audit_event: Any) -> list[Any]:
    """Let several do the same at once; return what each got, or its refusal."""
    barrier = Barrier(AT_ONCE)

    def run(_: int) -> Any:
        barrier.wait()
        try:
            return audit_event()
        except Problem as refusal:
            return refusal

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


def test_one_report_folds_into_a_project_named_by_its_first_line(works: Works) -> None:
    request_id = works.report("蛇口から水が漏れる\n昨日から")
    project = works.project(works.fold(request_id))
    assert project.name == "PRJ-0001"
    assert project.title == "蛇口から水が漏れる"
    assert project.unit_id == works.house.residents_room_id
    request = works.request(request_id)
    assert request.state == RequestState.FOLDED
    assert request.project_name == "PRJ-0001"


def test_a_report_folded_by_mistake_comes_out_again(works: Works) -> None:
    request_id, other = works.report(), works.report("別の漏れ")
    project_id = works.fold(request_id, other)
    unfold(works, request_id)
    found = works.request(request_id)
    assert (found.state, found.project_id) == (RequestState.REPORTED, None)
    assert works.request(other).project_id == project_id
    with pytest.raises(Collision, match="no project"):
        unfold(works, request_id)
    end(works, project_id)
    with pytest.raises(Problem):
        unfold(works, other)
    assert works.fold(request_id) != project_id


def test_reports_of_several_units_fold_into_a_project_of_the_building(works: Works) -> None:
    ids = [works.report(), works.report(unit_id=works.house.free_room_id)]
    project = works.project(works.fold(*ids, title="配管の更新"))
    assert project.title == "配管の更新"
    assert project.unit_id is None


def test_a_report_joins_a_project_that_is_open_and_stays_when_sent_again(works: Works) -> None:
    project_id, request_id = works.open(), works.report()
    assert works.fold(request_id, project_id=project_id) == project_id
    assert works.fold(request_id, project_id=project_id) == project_id
    with pytest.raises(Collision):
        works.fold(request_id)


def test_a_report_joins_no_project_of_another_building_and_none_that_is_over(
    works: Works, database: Database, cast: Cast
) -> None:
    project_id, request_id = works.open(), works.report()
    end(works, project_id)
    with pytest.raises(Refused, match="Reopen it first"):
        works.fold(request_id, project_id=project_id)
    stranger = Works(database, works.clock, cast.minato)
    with pytest.raises(NotFound):
        works.fold(request_id, project_id=stranger.open())
    with pytest.raises(NotFound):
        stranger.fold(request_id)


def test_two_who_fold_the_same_report_at_once_open_one_project(works: Works) -> None:
    request_id = works.report()
    got = at_once(works, lambda: works.fold(request_id))
    assert sum(isinstance(answer, Collision) for answer in got) == AT_ONCE - 1
    with works.writing() as session:
        assert project_list(session, ProjectSearch(), PAGE).total == 1


def test_projects_opened_at_once_have_numbers_of_their_own(works: Works) -> None:
    ids = at_once(works, works.open)
    assert sorted(works.project(id_).number for id_ in ids) == [1, 2, 3, 4]


def test_every_workspace_counts_for_itself(works: Works, database: Database, cast: Cast) -> None:
    works.open()
    stranger = Works(database, works.clock, cast.minato)
    assert stranger.project(stranger.open()).name == "PRJ-0001"


def test_done_closes_the_reports_and_reopening_brings_them_back(works: Works) -> None:
    request_id = works.report()
    project_id = works.fold(request_id)
    end(works, project_id)
    assert works.project(project_id).ended_by == ACTOR
    assert works.request(request_id).state == RequestState.CLOSED
    reopen(works, project_id)
    assert works.request(request_id).state == RequestState.FOLDED
    assert works.project(project_id).is_open


def test_a_cancelled_project_gives_its_reports_back_to_the_inbox(works: Works) -> None:
    request_id, other_id = works.report(), works.report()
    project_id = works.fold(request_id, other_id)
    end(works, project_id, ProjectState.CANCELLED)
    assert works.request(request_id).state == RequestState.REPORTED
    assert works.request(request_id).project_name == "PRJ-0001", "it says where it was"
    close(works, other_id)
    again = works.fold(request_id)
    reopen(works, project_id)
    assert works.request(request_id).project_id == again, "what went elsewhere stays there"
    assert works.request(other_id).state == RequestState.CLOSED


def test_a_project_is_not_done_while_a_task_is_left(works: Works) -> None:
    project_id = works.open()
    wanted = WantedTask(
        kind=TaskKind.REPAIR,
        building_id=works.house.building_id,
        project_id=project_id,
        title="元栓を閉める",
    )
    with works.writing() as session:
        add_task(Work(session, works.clock, ACTOR), wanted=wanted)
    with pytest.raises(Refused, match="not done yet"):
        end(works, project_id)
    end(works, project_id, ProjectState.CANCELLED)
    with works.writing() as session:
        assert not list_open_tasks(session, project_id), "called off, and off the board"


def test_ending_twice_changes_nothing_and_ending_otherwise_is_refused(works: Works) -> None:
    project_id = works.open()
    end(works, project_id)
    version = works.project(project_id).version
    end(works, project_id)
    assert works.project(project_id).version == version
    with pytest.raises(Refused, match="Reopen"):
        end(works, project_id, ProjectState.CANCELLED)
    with pytest.raises(Refused, match="project can only end as done or cancelled"):
        end(works, works.open(), ProjectState.OPEN)


def test_a_report_is_closed_once_with_a_reason(works: Works) -> None:
    request_id = works.report()
    with pytest.raises(Refused, match=r"^because:"):
        close(works, request_id, " ")
    close(works, request_id, "入居者が直した")
    assert works.request(request_id).closed_because == "入居者が直した"
    with pytest.raises(Collision):
        close(works, request_id)
    folded = works.report()
    works.fold(folded)
    with pytest.raises(Refused, match="belongs to a project"):
        close(works, folded)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"what": " "}, "what"),
        ({"building_id": "x", "unit_id": None}, "buildingId"),
        ({"building_id": None, "unit_id": None}, "buildingId"),
        ({"unit_id": "0" * 32}, "unitId"),
        ({"reservation_id": "0" * 32}, "reservationId"),
    ],
)
def test_a_report_that_cannot_be_kept_is_refused_by_name(
    works: Works, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused, match=f"^{field}:"):
        works.report(**given)


def test_a_residents_report_opens_a_ticket_that_follows_the_work(works: Works) -> None:
    request_id = works.report("お湯が出ません", reservation_id=works.house.resident_id)
    project_id = works.fold(request_id)
    end(works, project_id)
    with works.writing() as session:
        ticket = session.scalars(select(Ticket)).one()
        steps = list(
            session.scalars(
                select(TicketMessage.step)
                .where(TicketMessage.ticket_id == ticket.id, TicketMessage.step.is_not(None))
                .order_by(TicketMessage.at, TicketMessage.id)
            )
        )
    assert ticket.subject == "お湯が出ません"
    assert ticket.request_id == request_id
    assert steps == [TicketStep.RECEIVED, TicketStep.PLANNED, TicketStep.DONE]


def test_open_reports_of_the_same_unit_are_counted_as_twins(works: Works) -> None:
    ids = [works.report(), works.report(), works.report(unit_id=None)]
    with works.writing() as session:
        found = request_list(session, RequestSearch(), PAGE).requests
        twins = open_twins(session, found)
    assert [twins.get(id_, 0) for id_ in ids] == [1, 1, 0]


def test_projects_are_found_by_number_words_place_and_state(works: Works) -> None:
    boiler, roof = works.open("給湯器の交換"), works.open("Roof leak")
    end(works, roof)

    def found(**asked: Any) -> list[str]:
        with works.writing() as session:
            search = ProjectSearch(**{"state": None} | asked)
            return [one.id for one in project_list(session, search, PAGE).projects]

    assert found(text="prj-2") == [roof]
    assert found(text="給湯器") == [boiler]
    assert found(text="ROOF 100%") == []
    assert found(text="roof") == [roof]
    assert found(state=ProjectState.OPEN) == [boiler]
    assert found(building_id=works.house.building_id) == [roof, boiler]


def test_hours_and_purchases_add_up_and_what_is_taken_back_counts_no_more(works: Works) -> None:
    project_id = works.open()
    hours_id = works.work(project_id, 90, 4_000)
    purchase_id = works.buy(project_id, 3_200, shop="ホームセンター")
    with works.writing() as session:
        cost = project_cost(session, project_id)
    assert cost.by_category == {FeeCategory.REPAIR: 9_200}
    with works.writing() as session:
        for _ in range(2):
            remove_hours(
                Work(session, works.clock, ACTOR), project_id=project_id, hours_id=hours_id
            )
            remove_purchase(
                Work(session, works.clock, ACTOR), project_id=project_id, purchase_id=purchase_id
            )
        assert project_cost(session, project_id).total_yen == 0
        assert not project_hours(session, project_id)
        assert not project_purchases(session, project_id)
        events = session.scalars(
            select(AuditRecord.audit_event).where(AuditRecord.subject_id == project_id)
        ).all()
    assert sorted(events) == sorted(
        [
            AuditEvent.PROJECT_OPENED,
            AuditEvent.HOURS_LOGGED,
            AuditEvent.PURCHASE_ADDED,
            AuditEvent.HOURS_REMOVED,
            AuditEvent.PURCHASE_REMOVED,
        ]
    )


def test_only_their_own_lines_are_found_by_those_who_may_touch_no_other(works: Works) -> None:
    project_id = works.open()
    hours_id, purchase_id = works.work(project_id, 60), works.buy(project_id, 100)
    with works.writing() as session:
        named: dict[str, Any] = {"project_id": project_id, "only_own": True}
        with pytest.raises(NotFound):
            remove_hours(Work(session, works.clock, "contractor/x"), hours_id=hours_id, **named)
        with pytest.raises(NotFound):
            remove_purchase(
                Work(session, works.clock, "contractor/x"), purchase_id=purchase_id, **named
            )


def test_a_tap_that_arrives_twice_counts_once(works: Works) -> None:
    project_id = works.open()
    assert works.work(project_id, 60, key="tap-1")
    assert not works.work(project_id, 60, key="tap-1")
    assert works.buy(project_id, 500, key="tap-2")
    assert not works.buy(project_id, 500, key="tap-2")
    with works.writing() as session:
        assert project_cost(session, project_id).minutes == 60
        assert project_cost(session, project_id).total_yen == 500


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"minutes": 0}, "minutes"),
        ({"minutes": 1_441}, "minutes"),
        ({"minutes": 60, "hourly_yen": -1}, "hourlyYen"),
        ({"minutes": 60, "task_id": "0" * 32}, "taskId"),
        ({"minutes": 60, "note": "x" * 300}, "note"),
    ],
)
def test_hours_that_cannot_be_are_refused_by_name(
    works: Works, given: dict[str, Any], field: str
) -> None:
    project_id = works.open()
    with pytest.raises(Refused, match=f"^{field}:"):
        works.work(project_id, **given)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"amount_yen": 0}, "amountYen"),
        ({"amount_yen": True}, "amountYen"),
        ({"amount_yen": 1, "what": ""}, "what"),
        ({"amount_yen": 1, "category": FeeCategory.RENT}, "category"),
    ],
)
def test_a_purchase_that_cannot_be_is_refused_by_name(
    works: Works, given: dict[str, Any], field: str
) -> None:
    project_id = works.open()
    with pytest.raises(Refused, match=f"^{field}:"):
        works.buy(project_id, **given)


def test_nothing_is_logged_for_a_day_to_come_or_a_project_that_is_over(works: Works) -> None:
    project_id = works.open()
    tomorrow = works.clock.today() + timedelta(days=1)
    with pytest.raises(Refused, match=r"^workedOn:"):
        works.work(project_id, 60, worked_on=tomorrow)
    with pytest.raises(Refused, match=r"^boughtOn:"):
        works.buy(project_id, 1, bought_on=tomorrow)
    end(works, project_id)
    with pytest.raises(Refused, match="Reopen"):
        works.work(project_id, 60)
    with pytest.raises(Refused, match="Reopen"):
        works.buy(project_id, 1)


def test_an_edit_of_what_somebody_else_changed_meanwhile_is_a_collision(works: Works) -> None:
    project_id = works.open()
    given: dict[str, Any] = {"project_id": project_id, "title": "屋根", "description": "北側"}
    given |= {"unit_id": None}
    with works.writing() as session:
        assert edit_project(Work(session, works.clock, ACTOR), version=1, **given) == 2
    with pytest.raises(Collision), works.writing() as session:
        edit_project(Work(session, works.clock, ACTOR), version=1, **given)
