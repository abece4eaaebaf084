"""The last calls of a key are noted without anybody waiting, and kept: the newest hundred."""

import contextlib
import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from pms.access.key_calls import KeyCall, key_calls
from pms.access.keys import IssuedKey, issue_key, revoke_key
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.last_calls import KEPT, LastCalls
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.worker import TIMETABLE, record_key_calls
from pms.rules.scopes import PRESETS, Preset
from tests.cast import Cast, House
from tests.running.test_jobs import tools_of

UNITS = "/api/agent/properties"


def key_of(database: Database, clock: FixedClock, house: House, budget: int = 300) -> IssuedKey:
    with database.writing(house.workspace_id) as session:
        return issue_key(
            Work(session, clock, "staff"),
            name="Website",
            scopes=PRESETS[Preset.READ],
            budget_per_hour=budget,
        )


def ask(client: FlaskClient, key: IssuedKey, path: str, **headers: str) -> int:
    facts = {"Authorization": f"Bearer {key.plaintext}", **headers}
    return client.get(path, headers=facts).status_code


def noted(database: Database, house: House, key: IssuedKey) -> list[KeyCall]:
    with database.reading(house.workspace_id) as session:
        return list(key_calls(session, key.id))


def folder(settings: Settings) -> Path:
    return settings.data_dir / "calls"


def test_no_file_is_given_back_while_a_line_is_being_written_to_it(
    settings: Settings, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of a file that is given back is soon another file's, or a connection's."""
    monkeypatch.setattr("pms.foundation.last_calls._MOST_OPEN", 2)
    calls, slow, others = LastCalls(settings, clock), new_id(), [new_id() for _ in range(3)]
    folder(settings).mkdir(parents=True)
    full = folder(settings) / f"{slow}.calls"
    os.mkfifo(full)
    drain = os.open(full, os.O_RDWR | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(drain, b"." * 4_096)
    with ThreadPoolExecutor(2) as pool:
        stuck = pool.submit(calls.note, slow, "GET", "/slow", 200, 0.001)
        while open_files(full) < 2:
            assert not stuck.done()
        rest = pool.submit(note_each, calls, others)
        try:
            wait([rest], 0.5)
            assert open_files(full) == 2
        finally:
            while not (stuck.done() and rest.done()):
                with contextlib.suppress(BlockingIOError):
                    os.read(drain, 4_096)
    os.close(drain)
    calls.close()
    assert open_files(full) == 0
    assert [[call.path for call in calls.newest(key_id)] for key_id in others] == [["/"]] * 3


def note_each(calls: LastCalls, key_ids: list[str]) -> None:
    """Note a call of each key."""
    for key_id in key_ids:
        calls.note(key_id, "GET", "/", 200, 0.001)


def open_files(path: Path) -> int:
    """How often this process has a file open."""
    links = list(Path("/proc/self/fd").iterdir())
    return sum(os.path.realpath(link) == str(path) for link in links)


def test_every_call_of_a_key_is_noted_by_its_address_and_answer(
    client: FlaskClient, settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    house, tools = cast.sumida, tools_of(settings, database, clock)
    key = key_of(database, clock, house)
    for path in (
        f"{UNITS}?search=secret",
        f"{UNITS}?search=secret",
        f"{UNITS}/{house.free_room_id}",
        f"{UNITS}?limit=none",
        "/api/agent/residents",
        "/api/agent/nowhere/secret",
    ):
        ask(client, key, path)
        clock.advance(timedelta(seconds=1))
    record_key_calls(tools)
    calls = noted(database, house, key)
    assert [(call.status, call.path) for call in reversed(calls)] == [
        (200, UNITS),
        (200, UNITS),
        (200, f"{UNITS}/<unit_id>"),
        (400, UNITS),
        (403, "/api/agent/residents"),
        (404, "?"),
    ]
    assert {call.method for call in calls} == {"GET"}
    assert [call.is_refused for call in calls] == [True, True, True, False, False, False]
    kept = "".join(path.read_text() for path in folder(settings).iterdir())
    assert "secret" not in kept
    assert house.free_room_id not in kept


def test_an_unchanged_poll_and_a_spent_budget_are_noted_too(
    client: FlaskClient, settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key = key_of(database, clock, cast.sumida, budget=3)
    first = client.get(UNITS, headers={"Authorization": f"Bearer {key.plaintext}"})
    ask(client, key, UNITS)
    ask(client, key, UNITS, **{"If-None-Match": first.headers["ETag"]})
    ask(client, key, UNITS)
    record_key_calls(tools_of(settings, database, clock))
    statuses = sorted(call.status for call in noted(database, cast.sumida, key))
    assert statuses == [200, 200, 304, 429]


def test_noting_twice_keeps_each_call_once_and_only_the_newest_hundred(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key, tools = key_of(database, clock, cast.sumida), tools_of(settings, database, clock)
    files = LastCalls(settings, clock)
    for number in range(KEPT + 30):
        files.note(key.id, "GET", UNITS, 200, number / 1000)
        clock.advance(timedelta(seconds=1))
        if number % 40 == 0:
            record_key_calls(tools)
            record_key_calls(tools)
    record_key_calls(tools)
    calls = noted(database, cast.sumida, key)
    assert [call.milliseconds for call in calls] == list(range(KEPT + 29, 29, -1))
    files.close()


def test_a_revoked_key_keeps_its_calls_and_a_key_that_is_gone_loses_its_file(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key, tools = key_of(database, clock, cast.sumida), tools_of(settings, database, clock)
    files, gone = LastCalls(settings, clock), "0" * 32
    for key_id in (key.id, gone):
        files.note(key_id, "GET", UNITS, 200, 0.001)
    with database.writing(cast.sumida.workspace_id) as session:
        revoke_key(Work(session, clock, "staff"), key.id)
    record_key_calls(tools)
    assert len(noted(database, cast.sumida, key)) == 1
    assert [path.stem for path in folder(settings).iterdir()] == [key.id]
    assert noted(database, cast.minato, key) == []
    files.close()


def test_a_file_never_grows_beyond_what_is_kept_for_long(
    settings: Settings, clock: FixedClock
) -> None:
    files, key_id = LastCalls(settings, clock), "0" * 32
    for number in range(5_000):
        files.note(key_id, "GET", UNITS, 200, number / 1000)
    assert (folder(settings) / f"{key_id}.calls").stat().st_size < 64 * 1024
    newest = files.newest(key_id)
    assert [call.milliseconds for call in newest] == list(range(4_900, 5_000))
    files.close()


def test_lines_of_many_writers_stay_whole_and_torn_ones_are_passed_over(
    settings: Settings, clock: FixedClock
) -> None:
    key_id, writers = "0" * 32, [LastCalls(settings, clock) for _ in range(4)]

    def write(files: LastCalls) -> None:
        for number in range(20):
            files.note(key_id, "GET", UNITS, 200, number / 1000)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, writers))
    assert len(writers[0].newest(key_id)) == 80
    with (folder(settings) / f"{key_id}.calls").open("ab") as torn:
        torn.write(b"17 2\nGET /x 200\n")
    assert len(writers[0].newest(key_id)) == 80
    for files in writers:
        files.close()


def test_more_keys_than_files_may_be_open_are_noted(settings: Settings, clock: FixedClock) -> None:
    files = LastCalls(settings, clock)
    for number in range(300):
        files.note(f"{number:032x}", "GET", UNITS, 200, 0.001)
    assert len(list(files.noted_keys())) == 300
    files.close()


def test_a_folder_that_takes_nothing_costs_no_answer(
    client: FlaskClient, settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key = key_of(database, clock, cast.sumida)
    folder(settings).write_text("in the way")
    assert ask(client, key, UNITS) == 200
    assert ask(client, key, UNITS) == 200
    folder(settings).unlink()


def test_a_write_lock_of_the_database_is_not_waited_for(
    client: FlaskClient, settings: Settings, database: Database, clock: FixedClock, cast: Cast
) -> None:
    if not settings.is_sqlite:
        return  # PostgreSQL has no such lock
    key = key_of(database, clock, cast.sumida)
    ask(client, key, UNITS)
    path = settings.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert ask(client, key, UNITS) == 200
        writer.execute("ROLLBACK")
    assert len(LastCalls(settings, clock).newest(key.id)) == 2


def test_the_worker_of_each_machine_does_it_every_minute() -> None:
    (entry,) = [each for each in TIMETABLE if each.work is record_key_calls]
    assert entry.every == timedelta(minutes=1)
    assert not entry.once, "each machine has files of its own"
