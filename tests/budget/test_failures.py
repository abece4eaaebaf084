"""A storage that cannot count lets nothing pass, says so plainly, and works again afterwards."""

import multiprocessing
import os
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from pms.foundation.budget import open_storage
from pms.foundation.budget.postgresql import BUDGET_DDL
from pms.foundation.budget.rolling_window import BudgetUnavailable, RollingWindowStorage
from pms.foundation.clock import SystemClock
from pms.foundation.settings import Settings
from tests.budget.conftest import HOUR, settings_with
from tests.budget.tiny import tiny_app
from tests.servers.postgresql import APPLICATION, OWNER, PostgreSQL

CLOSED_PORT = 9  # "discard", served nowhere


@pytest.fixture
def opened() -> Iterator[Callable[[Settings], RollingWindowStorage]]:
    storages: list[RollingWindowStorage] = []

    def opening(settings: Settings) -> RollingWindowStorage:
        storages.append(open_storage(settings))
        return storages[-1]

    yield opening
    for storage in storages:
        storage.close()


Opened = Callable[[Settings], RollingWindowStorage]


@pytest.mark.parametrize(
    "given",
    [
        {"DATABASE_URL": f"postgresql://nobody@127.0.0.1:{CLOSED_PORT}/none"},
        {"REDIS_URL": f"redis://127.0.0.1:{CLOSED_PORT}/0"},
    ],
    ids=("postgresql", "valkey"),
)
def test_an_absent_server_lets_nothing_pass(
    given: dict[str, str], tmp_path: Path, opened: Opened
) -> None:
    storage = opened(settings_with(tmp_path, **given))
    with pytest.raises(BudgetUnavailable, match="try again"):
        storage.spend("key/k", 300, HOUR)
    with pytest.raises(BudgetUnavailable):
        storage.last_use("key/k")
    assert not storage.check()


def test_a_damaged_file_lets_nothing_pass(tmp_path: Path, opened: Opened) -> None:
    settings = settings_with(tmp_path)
    former = opened(settings)
    former.spend("key/k", 300, HOUR)
    former.close()
    (file,) = settings.budget_dir.iterdir()
    for damage in (b"this is no database " * 300, b"\xff" * 8_064):
        file.write_bytes(damage)
        storage = opened(settings)
        with pytest.raises(BudgetUnavailable):
            storage.spend("key/k", 300, HOUR)
    file.unlink()
    assert storage.spend("key/k", 300, HOUR).passed


def test_a_file_in_the_place_of_the_folder_lets_nothing_pass(
    tmp_path: Path, opened: Opened
) -> None:
    settings = settings_with(tmp_path)
    settings.budget_dir.write_text("in the way")
    storage = opened(settings)
    with pytest.raises(BudgetUnavailable):
        storage.spend("key/k", 300, HOUR)
    with pytest.raises(BudgetUnavailable):
        storage.last_use("key/k")
    assert not storage.check()


def test_a_file_held_by_someone_else_is_waited_for_and_then_refused(
    tmp_path: Path, opened: Opened
) -> None:
    settings = settings_with(tmp_path)
    storage = opened(settings)
    storage.spend("key/k", 300, HOUR)
    file = settings.budget_dir / "requests.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BudgetUnavailable):
            storage.spend("key/k", 300, HOUR)
    assert storage.spend("key/k", 300, HOUR).remaining == 298


def test_a_write_lock_on_the_tables_stalls_no_budget(tmp_path: Path, opened: Opened) -> None:
    storage = opened(settings_with(tmp_path))
    with closing(sqlite3.connect(tmp_path / "pms.sqlite3", isolation_level=None)) as tables:
        tables.execute("BEGIN EXCLUSIVE")
        assert storage.spend("key/k", 300, HOUR).passed


def test_on_a_full_disk_requests_are_counted_in_memory_until_there_is_room(
    tmp_path: Path,
) -> None:
    context = multiprocessing.get_context("spawn")
    found: SimpleQueue[str] = context.SimpleQueue()
    child = context.Process(target=fill_the_disk, args=(settings_with(tmp_path), found))
    child.start()
    child.join()
    assert found.get() == "some passed, some refused, then passed"


def fill_the_disk(settings: Settings, value: "SimpleQueue[str]") -> None:
    """A limit on the size of files stands for the disk; the write fails in the same way."""
    storage = open_storage(settings)
    storage.spend("key/k", 1_000, HOUR)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    passed = [storage.spend("key/k", 1_000, HOUR).passed for _ in range(2_000)]
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    later = storage.spend("key/k", 1_000, HOUR).passed
    while_full = "some passed, some refused" if any(passed) and not all(passed) else "not counted"
    value.put(f"{while_full}, then {'passed' if later else 'refused'}")


def test_the_client_is_told_to_come_back_and_nothing_of_the_cause(tmp_path: Path) -> None:
    settings = settings_with(tmp_path)
    settings.budget_dir.write_text("in the way")
    answer = tiny_app(settings, SystemClock()).test_client().get("/keys/k?budget=300")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert list(answer.get_json()) == ["error"]
    assert "sqlite" not in answer.text.lower()


def test_a_server_that_dropped_the_connection_is_asked_again(
    budget_database: str, tmp_path: Path, postgresql: PostgreSQL, opened: Opened
) -> None:
    storage = opened(settings_with(tmp_path, DATABASE_URL=budget_database))
    assert storage.spend("key/dropped", 300, HOUR).remaining == 299
    postgresql.run(
        sql.SQL("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}").format(
            sql.Literal(make_url(budget_database).database)
        )
    )
    assert storage.spend("key/dropped", 300, HOUR).remaining == 298


def test_the_program_s_role_needs_no_right_to_make_tables(
    postgresql: PostgreSQL, tmp_path: Path, opened: Opened
) -> None:
    name = f"pms_budget_roles_{os.getpid()}"
    postgresql.drop_database(name)
    postgresql.make_database(name)
    owner = postgresql.url(name, OWNER).replace("postgresql+psycopg", "postgresql")
    bare = opened(settings_with(tmp_path, DATABASE_URL=postgresql.url(name, APPLICATION)))
    with pytest.raises(BudgetUnavailable):
        bare.spend("key/k", 300, HOUR)
    with psycopg.connect(owner) as link:
        for statement in BUDGET_DDL:
            link.execute(statement)
        link.execute("GRANT SELECT, INSERT, DELETE ON request_budget TO pms_app")
    assert bare.spend("key/k", 300, HOUR).remaining == 299
    bare.close()
    postgresql.drop_database(name)
