"""S15: ten times the rows take no statement more."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from itertools import cycle, islice
from typing import Any

from sqlalchemy import Engine, event, select

from app import create_app
from pms.catalogue.models import Building, Unit
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.rules.enumerations import TaskKind, TaskState
from pms.upkeep.models import Task
from tests.bench.agreement import PROPERTIES, RESIDENTS
from tests.bench.data import Data, Size, operator_of, seed
from tests.bench.rounds import Figure, Spread
from tests.bench.stage import Stage
from tests.staff import open_browser

_SMALL = Size(60, 400, 1)
_FEW_TASKS = 40


def count(stage: Stage) -> Iterable[Figure]:
    """Statements of a cold answer over the largest workspace and over one a tenth its size."""
    small = seed(stage.folder / "small", _SMALL)
    for what, path, key in (
        ("list of units", f"{PROPERTIES}?limit=500", "read_key"),
        ("residents", f"{RESIDENTS}?limit=50", "residents_key"),
    ):
        few, many = (
            _statements(data, path, getattr(data.workspaces[0], key))
            for data in (small, stage.data)
        )
        yield _figure(what, few, many)
    board = seed(stage.folder / "board", _SMALL)
    operator_id = operator_of(board)
    _add_tasks(board, _FEW_TASKS)
    few = _board_statements(board, operator_id)
    _add_tasks(board, 9 * _FEW_TASKS)
    yield _figure("board of tasks", few, _board_statements(board, operator_id))


def _figure(what: str, few: int, many: int) -> Figure:
    more = float(many - few)
    said = f"{what}: statements more at ten times the rows"
    return Figure("S15", said, Spread(more, more, more), 0, 0, "", note=f"{few} and {many}")


def _add_tasks(data: Data, count: int) -> None:
    """Store tasks in the largest workspace, as many in each column of the board."""
    database, clock = Database(data.settings), SystemClock()
    with database.writing(data.workspaces[0].id) as session:
        rooms = session.execute(select(Building.id, Unit.id).join(Unit.building).limit(count)).all()
        places = islice(cycle(rooms), count)
        session.add_all(
            Task(
                kind=TaskKind.CLEANING,
                building_id=building_id,
                unit_id=unit_id,
                state=state,
                state_since=clock.now(),
                state_by="staff",
                created_at=clock.now(),
                created_by="staff",
            )
            for (building_id, unit_id), state in zip(places, cycle(TaskState), strict=False)
        )
    database.dispose()


def _board_statements(data: Data, person_id: str) -> int:
    slug = data.workspaces[0].slug
    with _counted() as seen, redirect_stdout(StringIO()):
        app = create_app(data.settings)
        browser = open_browser(app, SystemClock(), person_id, slug, is_secure=True)
        browser.get("/work?view=board")  # what a first visit asks besides
        seen.clear()
        assert browser.get("/work?view=board").status_code == 200
        asked = len(seen)
        app.extensions["pms.database"].dispose()
    return asked


def _statements(data: Data, path: str, key: str) -> int:
    with _counted() as seen:
        app = create_app(data.settings)
        client, headers = app.test_client(), {"Authorization": f"Bearer {key}"}
        with redirect_stdout(StringIO()):
            client.get("/healthz")
            seen.clear()
            assert client.get(path, headers=headers).status_code == 200
        asked = len(seen)
        app.extensions["pms.database"].dispose()
    return asked


@contextmanager
def _counted() -> Iterator[list[str]]:
    seen: list[str] = []

    def note(driver: Any, _record: Any) -> None:
        # At the driver itself, where prepared statements are seen as well.
        driver.set_trace_callback(lambda sql: seen.append(sql) if "SELECT" in sql else None)

    event.listen(Engine, "connect", note)
    yield seen
    event.remove(Engine, "connect", note)
