"""Two workspaces without anything in them, and a short way to import into one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
from sqlalchemy import select

from pms.arrivals.catalogue_imports import import_residents, import_units
from pms.arrivals.rent_roll_imports import import_rent_roll
from pms.arrivals.sheet_imports import ImportReport
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.sheets.tables import Table, open_tables
from pms.workspaces.new_workspaces import open_workspace

Model = TypeVar("Model")


@dataclass(frozen=True)
class Importing:
    """Imports sheets into one workspace, each in a transaction of its own."""

    database: Database
    clock: FixedClock
    workspace_id: str

    def units(self, data: bytes, *, commit: bool = True, **given: Any) -> ImportReport:
        return self._run(import_units, open_tables(data), commit=commit, **given)

    def residents(self, data: bytes, *, commit: bool = True, **given: Any) -> ImportReport:
        return self._run(import_residents, open_tables(data), commit=commit, **given)

    def rent_roll(self, data: bytes, *, commit: bool = True, **given: Any) -> ImportReport:
        return self._run(import_rent_roll, open_tables(data), commit=commit, **given)

    def _run(
        self, use_case: Callable[..., ImportReport], tables: Sequence[Table], **given: Any
    ) -> ImportReport:
        with self.database.writing(self.workspace_id) as session:
            return use_case(Work(session, self.clock, "staff"), tables, **given)

    def all_of(self, model: type[Model]) -> list[Model]:
        """Every stored row of a table in this workspace."""
        with self.database.reading(self.workspace_id) as session:
            return list(session.scalars(select(model)))


@pytest.fixture
def ours(database: Database, clock: FixedClock) -> Importing:
    """An empty workspace."""
    return _opened(database, clock, "ours")


@pytest.fixture
def theirs(database: Database, clock: FixedClock) -> Importing:
    """Another one."""
    return _opened(database, clock, "theirs")


def _opened(database: Database, clock: FixedClock, slug: str) -> Importing:
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(session, clock, slug=slug, name=slug)
    return Importing(database, clock, workspace_id)
