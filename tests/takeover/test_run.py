"""A rent roll is taken over whole, and what it leaves open is named and left out."""

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.running import Answers, TakeOverRun, run_take_over
from pms.catalogue.models import Building, Unit
from pms.deposits.deposit_report import deposit_report
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.debts import debts
from pms.rules.days import JAPAN
from pms.workspaces.new_workspaces import open_workspace
from tests.commands import run_command

SHEETS = Path(__file__).parent / "sheets"
SAMPLES = Path(__file__).parents[1] / "samples" / "takeover"
TODAY = datetime(2026, 11, 20, 12, tzinfo=JAPAN).astimezone(UTC)


class Desk:
    """A new operator with an empty workspace."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock = database, FixedClock(TODAY)
        with database.across_workspaces_writing() as session:
            self.workspace_id = open_workspace(session, self.clock, slug="new", name="新しい")

    def run(self, name: str, answers: Answers | None = None) -> TakeOverRun:
        return self.run_sheet(SAMPLES / name, answers)

    def run_sheet(self, sheet: Path, answers: Answers | None = None) -> TakeOverRun:
        read = read_takeover(sheet.read_bytes(), sheet.name, date(2026, 11, 20))
        with self.database.writing(self.workspace_id) as session:
            return run_take_over(Work(session, self.clock, "staff"), read, answers=answers)


@pytest.fixture
def desk(database: Database) -> Desk:
    return Desk(database)


def test_a_house_is_taken_over_and_its_next_bill_is_what_the_sheet_says(desk: Desk) -> None:
    run = desk.run("heights_aoba.xlsx")
    assert (run.units, run.tenancies, len(run.refused)) == (60, 51, 1)
    assert run.refused[0].at == "レントロール!19"
    assert (run.deposit_held_yen, run.unpaid_yen) == (4_201_500 - 67_000, 174_000)
    with desk.database.reading(desk.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(Unit)) == 60
        report = deposit_report(session, date(2026, 11, 20))
        assert report.total.held_yen == run.deposit_held_yen
        assert sum(debt.unpaid_yen for debt in debts(session, date(2026, 11, 20))) == 174_000
    with desk.database.writing(desk.workspace_id) as session:
        billed = bill_month(Work(session, desk.clock, "staff"), through_on=date(2026, 12, 31))
    assert not billed.problems
    # The sheet's sum without the room that waits for an answer (67,000 and 3,000).
    assert billed.total_yen == 3_955_000 - 70_000


def test_the_same_file_again_changes_nothing(desk: Desk) -> None:
    desk.run("serials_and_notes.xlsx")
    again = desk.run("serials_and_notes.xlsx")
    assert (again.units, again.tenancies, again.unchanged) == (0, 0, 7)


def test_the_command_takes_over_and_names_what_it_leaves_out(
    desk: Desk, settings: Settings
) -> None:
    path = str(SAMPLES / "three_buildings.xlsx")
    lines = ["takeover", "run", path, "--workspace", "new", "--json"]
    ran = run_command([*lines, "--billed-through", "2026-10-31"], desk.clock, settings)
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert (found["units"], found["tenancies"]) == (12, 7)
    assert {one["room"] for one in found["refused"]} == {"202", "302"}


def test_what_the_file_does_not_say_is_told_beside_it(desk: Desk) -> None:
    asked = desk.run("three_rooms.tsv")
    assert (asked.tenancies, len(asked.refused)) == (0, 2)
    found = Answers(billed_through_on=date(2026, 11, 30), building="菊池荘")
    run = desk.run("three_rooms.tsv", found)
    assert (run.units, run.tenancies) == (3, 1)
    assert [one.why for one in run.refused] == ["A deposit is held. How much is it?"]


def test_the_command_takes_the_reading_of_a_building_in_kanji(
    desk: Desk, settings: Settings
) -> None:
    line = ["takeover", "run", str(SAMPLES / "three_rooms.tsv"), "--workspace", "new"]
    line += ["--billed-through", "2026-11-30", "--building", "菊池荘"]
    with pytest.raises(Refused, match="not a reading in hiragana or katakana"):
        run_command([*line, "--reading", "菊池荘=菊池"], desk.clock, settings)
    ran = run_command([*line, "--reading", "菊池荘=きくちそう"], desk.clock, settings)
    assert ran.exit_code == 0, ran.output
    with desk.database.reading(desk.workspace_id) as session:
        found = session.execute(select(Building.slug, Building.name_kana)).one()
    assert tuple(found) == ("kikuchiso", "キクチソウ")


def test_a_file_without_contract_starts_waits_for_one(desk: Desk) -> None:
    sheet = SHEETS / "over_and_short_checked.csv"
    assert [one.why for one in desk.run_sheet(sheet).refused] == [
        "When did the contract begin? Enter one day for the whole file."
    ] * 3
    found = desk.run_sheet(sheet, Answers(start_on=date(2024, 4, 1)))
    assert (found.tenancies, found.unpaid_yen, found.overpaid_yen) == (3, 12_000, 7_000)
