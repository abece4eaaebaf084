"""Which points a task begins with: the building's own, the workspace's, else the first ones."""

from typing import Any

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import TaskKind
from pms.upkeep.checklists import checklist_points, points_of_buildings
from pms.upkeep.models import ChecklistTemplate
from tests.cast import Cast


def write(session: WorkspaceSession, clock: FixedClock, **given: Any) -> None:
    """Store a checklist of one point."""
    usual: dict[str, Any] = {"kind": TaskKind.TURNOVER, "updated_by": "office"}
    session.add(ChecklistTemplate(**usual | {"updated_at": clock.now()} | given))
    session.flush()


@pytest.mark.parametrize(
    "kind", [TaskKind.TURNOVER, TaskKind.CLEANING, TaskKind.INSPECTION, TaskKind.REPAIR]
)
def test_a_workspace_begins_with_points_in_both_languages(
    database: Database, cast: Cast, kind: TaskKind
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        points = checklist_points(session, kind, cast.sumida.building_id)
    assert len(points) >= 4
    assert all(point.ja and point.en for point in points)


def test_other_work_begins_without_points(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        assert not checklist_points(session, TaskKind.OTHER, None)


def test_a_buildings_own_list_stands_before_the_workspaces(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        write(session, clock, points=[{"ja": "全館", "en": "Everywhere"}])
        everywhere = checklist_points(session, TaskKind.TURNOVER, house.building_id)
        own = [{"ja": "ここだけ", "en": None}]
        write(session, clock, building_id=house.building_id, points=own)
        asked = points_of_buildings(session, TaskKind.TURNOVER, [house.building_id, None])
    assert [point.en for point in everywhere] == ["Everywhere"]
    assert [point.ja for point in asked[house.building_id]] == ["ここだけ"]
    assert [point.ja for point in asked[None]] == ["全館"]


def test_a_list_emptied_on_purpose_stays_empty(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        write(session, clock, points=[])
        assert not checklist_points(session, TaskKind.TURNOVER, cast.sumida.building_id)
