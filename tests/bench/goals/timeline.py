"""P12: the chart's data over a year of many units, against one raw question and a sweep."""

import math
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date, timedelta

from sqlalchemy.orm import Session

from pms.availability.timeline import timeline
from pms.catalogue.units import charted_units
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.run_records import Paging
from tests.bench.data import Data, Size, seed
from tests.bench.rounds import Figure, Side, ratio, spread
from tests.bench.stage import Stage

_UNITS, _DAYS = 500, 365
_TIMES = 5
_ONE_QUERY = """
SELECT unit_id, id, starts_on, coalesce(ends_on, '9999-12-31') FROM reservation
WHERE workspace_id = ?1 AND cancelled_at IS NULL AND starts_on <= ?3
  AND coalesce(ends_on, '9999-12-31') >= ?2 AND unit_id IN (SELECT value FROM json_each(?4))
ORDER BY unit_id, starts_on
"""
_Window = tuple[date, date]


def measure(stage: Stage) -> Iterable[Figure]:
    """The data step of 500 units and twelve months, and how it grows with the stays."""
    window = _window()
    with _Asked(stage.data, window, _UNITS) as ours, _Raw(stage.data, window) as theirs:
        assert set(ours.bars()) == set(theirs.bars())
        found, one, _ = ratio(_cpu(ours.step), _cpu(theirs.step), stage.rounds)
    note = f"{one.median * 1e3:.1f} ms"
    yield Figure("P12", "chart of a year, data against one raw question", found, 5, 2, note=note)
    yield _growth(stage, window)


def _growth(stage: Stage, window: _Window) -> Figure:
    few, many = (500, 5_000) if stage.is_quick else (500, 50_000)
    costs = []
    for stays in (few, many):
        data = seed(stage.folder / f"chart-{stays}", Size(stays // 8, stays, 1))
        with _Asked(data, window, most_units=stays) as ours:
            step = _cpu(ours.step)
            costs.append([step() for _ in range(stage.rounds)])
    times = math.log(many / few)
    grown = [math.log(high / low) / times for low, high in zip(*costs, strict=True)]
    return Figure(
        "P12", "growth of the data step, exponent", spread(grown), 1.35, note=f"{few} to {many}"
    )


def _window() -> _Window:
    today = SystemClock().today()
    return today - timedelta(days=_DAYS // 2), today + timedelta(days=_DAYS // 2)


class _Asked:
    """The program's own step over the largest workspace."""

    def __init__(self, data: Data, window: _Window, most_units: int) -> None:
        self._database = Database(data.settings)
        self._opened = self._database.reading(data.workspaces[0].id)
        self._session: Session = self._opened.__enter__()
        found = charted_units(
            self._session, building_id=None, text="", paging=Paging(1, most_units)
        )
        self._ids = [unit.id for unit in found.units]
        self._window = window

    def __enter__(self) -> "_Asked":
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.__exit__(None, None, None)
        self._database.dispose()

    def step(self) -> object:
        return timeline(self._session, self._ids, *self._window)

    def bars(self) -> Iterable[str]:
        found = timeline(self._session, self._ids, *self._window)
        return [bar.reservation_id for bars in found.values() for bar in bars if bar.reservation_id]


class _Raw:
    """What a careful hand would write: one question, one pass."""

    def __init__(self, data: Data, window: _Window) -> None:
        self._connection = sqlite3.connect(data.path, isolation_level=None)
        workspace = data.workspaces[0].id
        ids = self._connection.execute(
            "SELECT unit.id FROM unit JOIN building ON building.workspace_id = unit.workspace_id"
            " AND building.id = unit.building_id WHERE unit.workspace_id = ?"
            " ORDER BY building.name, building.id, unit.name_key, unit.id LIMIT ?",
            (workspace, _UNITS),
        ).fetchall()
        wanted = "[" + ",".join(f'"{row[0]}"' for row in ids) + "]"
        self._values = (workspace, *(day.isoformat() for day in window), wanted)

    def __enter__(self) -> "_Raw":
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    def step(self) -> dict[str, list[tuple[str, date, date]]]:
        found: defaultdict[str, list[tuple[str, date, date]]] = defaultdict(list)
        for unit_id, id_, first, last in self._connection.execute(_ONE_QUERY, self._values):
            found[unit_id].append((id_, date.fromisoformat(first), date.fromisoformat(last)))
        return found

    def bars(self) -> Iterable[str]:
        return [id_ for bars in self.step().values() for id_, _, _ in bars]


def _cpu(step: Callable[[], object]) -> Side:
    def measure_one() -> float:
        began = time.process_time()
        for _ in range(_TIMES):
            step()
        return (time.process_time() - began) / _TIMES

    measure_one()
    return measure_one
