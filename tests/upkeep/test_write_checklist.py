"""The office writes what tasks begin with; who was seen wins, whoever comes late is told."""

import pytest
from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.rules.enumerations import TaskKind
from pms.upkeep.checklists import (
    FIRST_CHECKLISTS,
    MOST_POINTS,
    checklist_points,
    checklist_record,
    listed_checklists,
    remove_checklist,
    write_checklist,
)
from tests.cast import Cast, House

FLOOR, WINDOW = Bilingual("床", "Floor"), Bilingual("窓", None)
CLEANING = TaskKind.CLEANING


class Writing:
    """An office that writes checklists of cleanings."""

    def __init__(self, database: Database, clock: FixedClock, house: House) -> None:
        self.database, self.clock, self.house = database, clock, house

    def write(self, *points: Bilingual, building_id: str | None = None, version: int = 0) -> int:
        with self.database.writing(self.house.workspace_id) as session:
            facts = {"building_id": building_id, "points": points, "version": version}
            return write_checklist(Work(session, self.clock, "office"), kind=CLEANING, **facts)  # type: ignore[arg-type]

    def remove(self, building_id: str | None = None) -> None:
        with self.database.writing(self.house.workspace_id) as session:
            facts = {"kind": CLEANING, "building_id": building_id}
            remove_checklist(Work(session, self.clock, "office"), **facts)  # type: ignore[arg-type]

    def points(self, building_id: str | None = None) -> list[Bilingual]:
        with self.database.reading(self.house.workspace_id) as session:
            return list(checklist_points(session, CLEANING, building_id))


@pytest.fixture
def writing(database: Database, clock: FixedClock, cast: Cast) -> Writing:
    return Writing(database, clock, cast.sumida)


def test_points_are_kept_in_their_order_and_empty_ones_left_out(writing: Writing) -> None:
    assert writing.write(WINDOW, Bilingual(" ", None), FLOOR) == 1
    assert writing.points() == [WINDOW, FLOOR]
    assert writing.write(FLOOR, WINDOW, version=1) == 2
    assert writing.points(writing.house.building_id) == [FLOOR, WINDOW]


def test_a_building_has_its_own_list_until_it_is_taken_back(writing: Writing) -> None:
    building_id = writing.house.building_id
    writing.write(FLOOR)
    writing.write(WINDOW, building_id=building_id)
    assert (writing.points(), writing.points(building_id)) == ([FLOOR], [WINDOW])
    writing.remove(building_id)
    assert writing.points(building_id) == [FLOOR]
    writing.remove()
    assert writing.points() == list(FIRST_CHECKLISTS[CLEANING])


def test_who_saw_an_earlier_version_is_told(writing: Writing) -> None:
    writing.write(FLOOR)
    with pytest.raises(Collision):
        writing.write(WINDOW)
    assert writing.points() == [FLOOR]


def test_the_same_points_again_are_no_change(writing: Writing) -> None:
    writing.write(FLOOR)
    assert writing.write(FLOOR, version=1) == 1
    with writing.database.reading(writing.house.workspace_id) as session:
        events = session.scalars(select(AuditRecord).order_by(AuditRecord.id)).all()
    assert [one.audit_event for one in events] == ["checklist.written"]
    assert events[0].after is not None
    assert events[0].after["points"] == ["床 / Floor"]


@pytest.mark.parametrize("points", [[Bilingual("床" * 201, None)], [FLOOR] * (MOST_POINTS + 1)])
def test_what_is_too_long_is_refused(writing: Writing, points: list[Bilingual]) -> None:
    with pytest.raises(Refused, match="points"):
        writing.write(*points)


def test_another_workspaces_building_is_not_met(writing: Writing, cast: Cast) -> None:
    with pytest.raises(NotFound):
        writing.write(FLOOR, building_id=cast.minato.building_id)


def test_the_list_of_lists_names_the_buildings_with_their_own(writing: Writing) -> None:
    writing.write(WINDOW, building_id=writing.house.building_id)
    with writing.database.reading(writing.house.workspace_id) as session:
        found = {one.kind: one for one in listed_checklists(session)}
        record = checklist_record(session, CLEANING, writing.house.building_id)
    assert [own.size for own in found[CLEANING].own] == [1]
    assert not found[CLEANING].is_written
    assert found[TaskKind.OTHER].points == ()
    assert (record.version, record.points) == (1, [WINDOW])
