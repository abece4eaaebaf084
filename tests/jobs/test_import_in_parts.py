"""An import writes part after part: what is written stays, and every row is told."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.sheet_answers import read_sent_sheet, send_sheet
from pms.arrivals.sheet_imports import ImportReport
from pms.catalogue.models import Building, Unit
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision
from pms.foundation.files import Files
from pms.foundation.runs import Run, ask_run, ask_to_stop, run_record
from pms.foundation.work import Work
from pms.jobs.bulk_runs import import_run
from pms.rules.enumerations import RunState, SheetKind
from tests.cast import Cast

STAFF = "person/aoi"
HEAD = "物件名,部屋番号,種別,賃料,住所\n"
HOUSES = ("みなと荘", "かもめ荘", "つばめ荘")


def sheet_of(rooms: int) -> str:
    """Three houses with so many rooms each, their rows in turns, and one row nobody can read; the head counts as passed over."""
    rows = [
        f"{house},{101 + room},シェアハウス,52000,{house}町{room}番\n"
        for room in range(rooms)
        for house in HOUSES
    ]
    return HEAD + "".join(rows) + "みなと荘,999,シェアハウス,abc,\n"


class Office:
    """Sends one sheet of units and has it imported in parts of two rows."""

    def __init__(self, database: Database, clock: FixedClock, workspace_id: str) -> None:
        self.database, self.clock, self.workspace_id = database, clock, workspace_id
        with database.writing(workspace_id) as session:
            self.sheet_id = send_sheet(
                Work(session, clock, STAFF),
                Files(database.settings),
                kind=SheetKind.UNITS,
                name="units.csv",
                content=sheet_of(2).encode(),
                is_workbook=False,
            )

    def ask(self) -> str:
        with self.database.writing(self.workspace_id) as session:
            about = {"kind": "import", "subject": self.sheet_id}
            return ask_run(Work(session, self.clock, STAFF), **about).id

    def run(self, run_id: str) -> Run:
        import_run(self.database, self.clock, STAFF, self.workspace_id, run_id=run_id, part=2)
        return self.record(run_id)

    def record(self, run_id: str) -> Run:
        with self.database.reading(self.workspace_id) as session:
            return run_record(session, run_id)

    def rooms(self) -> list[tuple[str, str]]:
        with self.database.reading(self.workspace_id) as session:
            found = session.execute(
                select(Building.name, Unit.name)
                .join(Unit.building)
                .where(Building.name.in_(HOUSES))
                .order_by(Building.name, Unit.name)
            )
            return [(building, unit) for building, unit in found]


@pytest.fixture
def office(database: Database, clock: FixedClock, cast: Cast) -> Office:
    return Office(database, clock, cast.sumida.workspace_id)


def between(monkeypatch: pytest.MonkeyPatch, verb: Callable[[Any, frozenset[int]], None]) -> None:
    """Have something happen inside every part, before it is written."""

    def read(work: Work, *facts: Any, **how: Any) -> ImportReport:
        if how.get("lines") is not None:
            verb(work.session, how["lines"])
        return read_sent_sheet(work, *facts, **how)

    monkeypatch.setattr("pms.arrivals.sheet_answers.read_sent_sheet", read)


def test_all_rows_are_written_and_counted_once(office: Office) -> None:
    run = office.run(office.ask())
    assert len(office.rooms()) == 6
    assert (run.state, run.done, run.total) == (RunState.FINISHED_WITH_PROBLEMS, 8, 8)
    assert run.result["counts"]["accepted"] == 6
    assert [each["row"] for each in run.result["refused"]] == [8]


def test_a_second_run_finds_every_row_as_it_is(office: Office) -> None:
    office.run(office.ask())
    rooms = office.rooms()
    again = office.run(office.ask())
    assert again.result["counts"] | {"refused": 1} == again.result["counts"]
    assert again.result["counts"]["unchanged"] == 6
    assert again.result["counts"]["changed"] == again.result["counts"]["accepted"] == 0
    assert office.rooms() == rooms


def test_stopped_between_parts_it_keeps_what_is_written_and_goes_on_later(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = office.ask()
    between(monkeypatch, lambda session, _: stop(session, office, run_id))
    stopped = office.run(run_id)
    assert (stopped.state, stopped.done) == (RunState.STOPPED, 4)
    assert [house for house, _ in office.rooms()] == ["みなと荘", "みなと荘"]
    monkeypatch.undo()
    assert office.ask() == run_id
    finished = office.run(run_id)
    assert (finished.done, finished.total) == (8, 8)
    assert finished.result["counts"]["accepted"] == 6
    assert len(office.rooms()) == 6


@pytest.mark.differs("savepoints")
def test_rows_the_database_refuses_are_told_and_the_rest_is_written(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The rows of the second house are lines 3 and 6.
    between(monkeypatch, lambda _, lines: refuse(lines, 3, Collision("Somebody was quicker.")))
    run = office.run(office.ask())
    assert run.state is RunState.FINISHED_WITH_PROBLEMS
    assert [each["row"] for each in run.result["refused"]] == [8, 3, 6]
    assert run.result["counts"]["refused"] == 3
    assert {house for house, _ in office.rooms()} == {"みなと荘", "つばめ荘"}


def test_a_failure_nobody_foresaw_keeps_the_earlier_parts_and_names_the_row(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = office.ask()
    between(monkeypatch, lambda _, lines: refuse(lines, 3, RuntimeError("no disk")))
    with pytest.raises(RuntimeError):
        office.run(run_id)
    assert office.record(run_id).result["failed_at"] == 3
    assert {house for house, _ in office.rooms()} == {"みなと荘"}
    monkeypatch.undo()
    assert office.run(run_id).result["failed_at"] is None
    assert len(office.rooms()) == 6


def stop(session: Any, office: Office, run_id: str) -> None:
    ask_to_stop(Work(session, office.clock, STAFF), run_id)


def refuse(lines: frozenset[int], line: int, failure: Exception) -> None:
    if line in lines:
        raise failure
