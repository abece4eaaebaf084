"""Taking in a full report of visits, against a hand that writes a row for each and nothing else."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from pms.access.keys import MOST_PER_HOUR, issue_key
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.rules.telemetry import MOST_EVENTS
from pms.site.visits import read_events
from tests.bench.data import Data
from tests.bench.rounds import Figure, Side, ratio
from tests.bench.serving import question
from tests.bench.stage import Stage

_PATH = "/api/agent/analytics"
_TABLE = """
CREATE TABLE IF NOT EXISTS visit_by_hand (
  workspace_id CHAR(32) NOT NULL REFERENCES workspace (id), id CHAR(32) NOT NULL,
  day_on DATE NOT NULL, type TEXT NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL,
  campaign TEXT NOT NULL, referrer TEXT NOT NULL, visitor TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id))
"""
_INDEX = "CREATE INDEX IF NOT EXISTS by_day ON visit_by_hand (workspace_id, day_on)"
_WRITE = "INSERT INTO visit_by_hand VALUES (?,?,?,?,?,?,?,?,?)"
_READ = "SELECT day_on, told FROM telemetry_report WHERE workspace_id = ? ORDER BY id DESC LIMIT 1"
_FORGET = "UPDATE telemetry_open_day SET events = 0"
_TIMES = 2
Step = Callable[[], None]


def take_in(stage: Stage) -> Iterable[Figure]:
    """The whole answer: key, budget, reading, hashing, writing; the hand begins, writes, commits.

    The hand writes as those do who keep a row for each event: what was just taken in.

    One report at a time: two writers would wait for one another, not work.
    """
    report, workspace_id = _report(stage.data), stage.largest.id
    answer = stage.product.ask(report)
    assert answer.startswith(b"HTTP/1.1 202"), answer
    with closing(sqlite3.connect(stage.data.path, isolation_level=None)) as raw:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            raw.execute(f"PRAGMA {pragma}")
        raw.execute(_TABLE)
        raw.execute(_INDEX)
        day, found = raw.execute(_READ, (workspace_id,)).fetchone()
        rows = [(day, *event) for event in read_events(found)]
        assert len(rows) == MOST_EVENTS

        def ours() -> None:
            raw.execute(_FORGET)  # a day takes in only so many
            for _ in range(count):
                stage.product.ask(report)

        def theirs() -> None:
            for _ in range(count):
                _write(raw, workspace_id, rows)

        count = stage.requests * _TIMES
        for step in (ours, theirs):
            step()
        yield _rate(ours, theirs, stage.rounds)
        ours_cpu = _cost(ours, stage.product.cpu_seconds)
        yield _cpu(ours_cpu, _cost(theirs, time.process_time), stage.rounds, count)


def _rate(ours: Step, theirs: Step, rounds: int) -> Figure:
    mine, floor = (_speed(_cost(step, time.perf_counter)) for step in (ours, theirs))
    found, *_ = ratio(mine, floor, rounds)
    what = f"{MOST_EVENTS} visits taken in, rate against executemany"
    return Figure("visits", what, found, 0.5, 0.7, more_is_better=True)


def _cpu(ours: Side, theirs: Side, rounds: int, count: int) -> Figure:
    found, mine, floor = ratio(ours, theirs, rounds)
    note = f"{1e6 * mine.median / count:.0f} µs against {1e6 * floor.median / count:.0f}"
    return Figure("visits", "the same, CPU against executemany", found, note=note)


def _cost(step: Step, clock: Side) -> Side:
    def measure() -> float:
        began = clock()
        step()
        return clock() - began

    return measure


def _report(data: Data) -> bytes:
    """Return a report as a website sends it, with a key of the largest workspace."""
    database, clock = Database(data.settings), SystemClock()
    with database.writing(data.workspaces[0].id) as session:
        key = issue_key(
            Work(session, clock, "staff"),
            name="Visits",
            scopes=[Scope.ANALYTICS_WRITE],
            budget_per_hour=MOST_PER_HOUR,
        )
    database.dispose()
    now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    events = [
        {
            "type": "page_view",
            "path": f"/units/kawasemi-{number}?utm_campaign=autumn",
            "occurredAt": now,
            "visitorId": f"visitor-{number % 20}",
            "referrer": "https://www.google.com/",
        }
        for number in range(MOST_EVENTS)
    ]
    body = json.dumps({"events": events}, separators=(",", ":")).encode()
    kind = {"Content_Type": "application/json", "Content_Length": str(len(body))}
    return question(_PATH, key.plaintext, **kind).replace(b"GET ", b"POST ", 1) + body


def _write(raw: sqlite3.Connection, workspace_id: str, rows: Sequence[tuple[object, ...]]) -> None:
    raw.execute("BEGIN IMMEDIATE")
    raw.executemany(_WRITE, [(workspace_id, new_id(), *row) for row in rows])
    raw.execute("COMMIT")


def _speed(cost: Side) -> Side:
    return lambda: 1 / cost()
