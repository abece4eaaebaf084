"""A conversation with every kind of message in it, and a visit of several tasks."""

from datetime import date, timedelta

from sqlalchemy import select

from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.inbox.models import Ticket
from pms.rules.enumerations import StaffRole, TaskKind, TicketSide, TicketStep
from pms.upkeep.request_folding import fold_requests
from pms.upkeep.requests import ReportedProblem, report_problem
from pms.upkeep.tasks import WantedTask, add_task
from pms.upkeep.ticket_updates import tell_tickets
from pms.upkeep.tickets import answer_ticket
from pms.upkeep.visit_changes import plan_visit
from tests.screens.world import LIVED_IN, World

_ACTOR = "person/nobody"


def talked_about(world: World) -> str:
    """Have a resident report a leak and talk with the office about it; return the ticket's id."""
    resident = world.any_id("reservation", "lifecycle=living&kind=resident")
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        unit_id, building_id = _home(world, resident)
        reported = ReportedProblem(
            building_id=building_id,
            unit_id=unit_id,
            reservation_id=resident,
            what="洗面台の下から水が漏れています。\nバケツで受けていますが、一晩でいっぱいになります。",
            may_enter=True,
        )
        request_id = report_problem(
            Work(session, world.clock, f"reservation/{resident}"), reported=reported
        )
        ticket_id = session.scalars(select(Ticket.id).where(Ticket.request_id == request_id)).one()
        project_id = fold_requests(Work(session, world.clock, _ACTOR), request_ids=[request_id])
        _talk(session, world, ticket_id, project_id)
        return ticket_id


def planned_trip(world: World) -> str:
    """Plan a visit of three tasks and return its id."""
    building_id = world.any_id("building")
    with world.database.writing(world.workspace_ids[LIVED_IN]) as session:
        tasks = [
            add_task(
                Work(session, world.clock, _ACTOR),
                wanted=WantedTask(
                    kind=TaskKind.REPAIR,
                    building_id=building_id,
                    title=title,
                    due_on=world.clock.today() + timedelta(days=4),
                ),
            )
            for title in ("廊下の電球の交換", "エアコンのフィルターの清掃", "網戸の張り替え")
        ]
        return plan_visit(
            Work(session, world.clock, _ACTOR),
            person_id=world.people[StaffRole.MAINTENANCE],
            building_id=building_id,
            on_day=date(2026, 11, 24),
            task_ids=tasks,
            note="鍵は管理室にあります。",
        )


def _home(world: World, reservation_id: str) -> tuple[str, str]:
    unit_id = world.value_of("reservation", reservation_id, "unit_id")
    return unit_id, world.value_of("unit", unit_id, "building_id")


def _talk(session: WorkspaceSession, world: World, ticket_id: str, project_id: str) -> None:
    answer_ticket(
        Work(session, world.clock, f"person/{world.people[StaffRole.OFFICE]}"),
        ticket_id=ticket_id,
        text="火曜日の午前中に伺ってもよろしいでしょうか。",
    )
    tell_tickets(
        Work(session, world.clock, _ACTOR),
        step=TicketStep.VISIT_PLANNED,
        project_id=project_id,
        on=date(2026, 11, 24),
    )
    answer_ticket(
        Work(session, world.clock, _ACTOR),
        ticket_id=ticket_id,
        text="はい、お願いします。",
        side=TicketSide.RESIDENT,
    )
