"""A small desk of upkeep: reports, projects and costs with the usual facts filled in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.upkeep.project_lines import add_purchase, log_hours
from pms.upkeep.project_lists import ProjectRecord, project_record
from pms.upkeep.projects import WantedProject, open_project
from pms.upkeep.request_folding import fold_requests
from pms.upkeep.request_lists import RequestRecord, request_record
from pms.upkeep.requests import ReportedProblem, report_problem
from tests.cast import House

ACTOR = "person/maintenance"


@dataclass(frozen=True)
class Works:
    """What is done in one house; every audit event is a transaction of its own."""

    database: Database
    clock: FixedClock
    house: House

    @contextmanager
    def writing(self) -> Iterator[WorkspaceSession]:
        """Open a transaction in the house's workspace."""
        with self.database.writing(self.house.workspace_id) as session:
            yield session

    def report(self, what: str = "水が漏れています", **given: Any) -> str:
        """Report a problem in room 101."""
        usual = {"building_id": self.house.building_id, "unit_id": self.house.residents_room_id}
        reported = ReportedProblem(**usual | {"what": what} | given)
        with self.writing() as session:
            return report_problem(Work(session, self.clock, ACTOR), reported=reported)

    def fold(self, *request_ids: str, **given: Any) -> str:
        """Fold reports into a project."""
        with self.writing() as session:
            return fold_requests(Work(session, self.clock, ACTOR), request_ids=request_ids, **given)

    def open(self, title: str = "給湯器の交換", **given: Any) -> str:
        """Open a project of the house."""
        usual = {"building_id": self.house.building_id, "title": title}
        with self.writing() as session:
            return open_project(
                Work(session, self.clock, ACTOR), wanted=WantedProject(**usual | given)
            )

    def work(
        self, project_id: str, minutes: int, hourly_yen: int | None = None, **more: Any
    ) -> str:
        """Log hours of today."""
        today = self.clock.today()
        given = {"minutes": minutes, "hourly_yen": hourly_yen, "worked_on": today, **more}
        with self.writing() as session:
            made = log_hours(Work(session, self.clock, ACTOR), project_id=project_id, **given)
        return made or ""

    def buy(self, project_id: str, amount_yen: int, **more: Any) -> str:
        """Buy something today."""
        given = {
            "what": "パッキン",
            "bought_on": self.clock.today(),
            "amount_yen": amount_yen,
            **more,
        }
        with self.writing() as session:
            made = add_purchase(Work(session, self.clock, ACTOR), project_id=project_id, **given)
        return made or ""

    def project(self, project_id: str) -> ProjectRecord:
        """Return a project as it stands."""
        with self.writing() as session:
            return project_record(session, project_id)

    def request(self, request_id: str) -> RequestRecord:
        """Return a report as it stands."""
        with self.writing() as session:
            return request_record(session, request_id)
