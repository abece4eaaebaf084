"""The demo is in the middle of a day's work: cleanings, repairs, visits and conversations."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select

from pms.catalogue.models import Building
from pms.catalogue.photo_sizes import SizedPhoto
from pms.demo.repairs import keep_upkeep
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.foundation.tokens import Signer
from pms.inbox.models import TicketMessage
from pms.rules.enumerations import ProjectState, RequestState, TaskKind, TaskState
from pms.statements.models import OwnerDeduction, ProjectCharge
from pms.statements.owner_money import uncharged_costs
from pms.statements.owner_months import StatementState, owner_month
from pms.upkeep.models import (
    MaintenanceProject,
    MaintenanceRequest,
    ShareLink,
    Task,
    TaskItem,
    UpkeepPhoto,
    Visit,
)
from pms.upkeep.moves import awaiting_inspection
from pms.upkeep.turnovers import heal_turnovers
from tests.demo.test_demo_workspaces import Seeded


def test_there_is_work_in_every_state_in_both_workspaces(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            assert set(session.scalars(select(Task.state))) == set(TaskState)
            assert set(session.scalars(select(MaintenanceProject.state))) >= {
                ProjectState.OPEN,
                ProjectState.DONE,
            }
            assert set(session.scalars(select(MaintenanceRequest.state))) == set(RequestState)
            assert awaiting_inspection(session, clock)
            for model in (UpkeepPhoto, Visit, TicketMessage):
                assert session.scalar(select(func.count()).select_from(model))
            revoked = [at is not None for at in session.scalars(select(ShareLink.revoked_at))]
            assert sorted(revoked) == [False, True]
            ticked = session.scalars(select(TaskItem.ticked_at.is_not(None)))
            assert set(ticked) == {True, False}


def test_a_months_statement_has_a_projects_cost_and_warns_of_anothers(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            (building_id,) = session.scalars(
                select(OwnerDeduction.building_id)
                .distinct()
                .where(OwnerDeduction.id.in_(select(ProjectCharge.deduction_id)))
            )
            month = owner_month(session, building_id, clock.today(), clock.today())
            assert month.state == StatementState.UNPUBLISHED
            assert any("PRJ-0001" in line.label_ja for line in month.figures.deductions)
            buildings = session.scalars(select(Building.id)).all()
            assert uncharged_costs(session, buildings, clock.today())


def test_every_coming_departure_has_its_cleaning_already(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.writing(workspace.id) as session:
            assert heal_turnovers(session, clock).done == 0
            coming = Task.kind == TaskKind.TURNOVER, Task.opens_on > clock.today()
            assert len(session.scalars(select(Task.id).where(*coming)).all()) > 3


def test_nobody_finds_the_demos_conversations_in_the_post(
    database: Database, seeded: Seeded
) -> None:
    with database.reading(seeded[0].id) as session:
        waiting = select(func.count()).select_from(OutboxMail).where(OutboxMail.due_at.is_not(None))
        assert session.scalar(waiting) == 0


@pytest.mark.parametrize("hour", [15, 22])
def test_the_day_is_told_at_any_hour(database: Database, seeded: Seeded, hour: int) -> None:
    """Also just after midnight in Japan, when what was done an hour ago was done yesterday."""
    now = datetime(2026, 11, 20, hour, 5, tzinfo=UTC)
    photo = SizedPhoto(1600, 1200, {"400": f"{1:064}.webp"})
    with database.writing(seeded[1].id) as session:
        keep_upkeep(session, now, {"lounge": photo}, Signer("secret"))
