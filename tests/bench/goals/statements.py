"""P15: ten times the rows take no statement more."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

from sqlalchemy import Engine, event

from app import create_app
from tests.bench.agreement import PROPERTIES, RESIDENTS
from tests.bench.data import Data, Size, seed
from tests.bench.rounds import Figure, Spread
from tests.bench.stage import Stage

_SMALL = Size(60, 400, 1)


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
        more = float(many - few)
        yield Figure(
            "P15",
            f"{what}: statements more at ten times the rows",
            Spread(more, more, more),
            0,
            0,
            "",
            note=f"{few} and {many}",
        )


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
