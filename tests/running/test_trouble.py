"""A full disk, a locked database and one that is gone: 503 with what is wrong, and reading goes on."""

import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pms.access.keys import issue_key
from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.migrating import migrate
from pms.foundation.readiness import DISK, LEAST_FREE_MEBIBYTES, WORKER, beat
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from tests.cast import Cast, introduce
from tests.databases import postgresql_settings
from tests.servers.absence import MissingServerError, give_up
from tests.servers.postgresql import start_postgresql
from tests.servers.process import fresh_folder
from tests.servers.served import Answered, Served, served
from tests.surfaces.agent_api.bodies import ENQUIRY

DISK_MEBIBYTES = 2 * LEAST_FREE_MEBIBYTES + 16
SCOPES = [Scope.PROPERTIES_READ, Scope.INQUIRIES_WRITE, Scope.OTA_INGEST]
UNAVAILABLE = 503


def key_of(database: Database, cast: Cast) -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        facts: dict[str, Any] = {"name": "website", "scopes": SCOPES, "budget_per_hour": 1_000}
        issued = issue_key(Work(session, SystemClock(), "staff"), **facts)
    with database.across_workspaces_writing() as session:
        beat(session, WORKER, SystemClock())
    return issued.plaintext


def listing(server: Served, key: str) -> Answered:
    return server.ask("/api/agent/properties", Authorization=f"Bearer {key}")


def enquiry(server: Served, key: str) -> Answered:
    facts = {"Authorization": f"Bearer {key}", "Content_Type": "application/json"}
    return server.ask("/api/agent/inquiries", "POST", json.dumps(ENQUIRY).encode(), **facts)


def message_of_a_guest(server: Served, key: str) -> Answered:
    facts = {"Authorization": f"Bearer {key}", "Content_Type": "application/json"}
    body = json.dumps({"eventId": "1", "threadId": "t", "text": "Hello"}).encode()
    return server.ask("/api/webhooks/ota-messages", "POST", body, **facts)


def a_page_that_writes(server: Served) -> Answered:
    """Whoever opens links that are none is counted."""
    return server.ask("/check-in/nothing", Accept_Language="en")


def said(page: Answered) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page.body.decode())
    return found[1] if found else ""


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """Give a folder on a disk of a few megabytes; nothing where none may be mounted."""
    folder = fresh_folder("pms-small-disk-")
    size = f"size={DISK_MEBIBYTES}m"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], check=False, capture_output=True
    )
    try:
        yield folder if mounted.returncode == 0 else None
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


def fill(folder: Path) -> Callable[[], None]:
    """Take the last byte of a disk; return what gives it back.

    The write-ahead log may have room in it that is used again: a small write would still succeed.
    It is cut off once more when the disk is full, for the server may write while it is filled.
    """
    ballast = folder / "ballast"
    for _ in range(2):
        with closing(sqlite3.connect(folder / "pms.sqlite3")) as log:
            log.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for size in (65_536, 1):
            with ballast.open("ab", buffering=0) as file, suppress(OSError):
                while file.write(b"\0" * size):
                    pass
    return ballast.unlink


def stop_growing(server: Served) -> Callable[[], None]:
    """Let no file of the server grow, as on a full disk; return what lets them again."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    everyone = [server.pid, *map(int, children)]

    def limit(size: int) -> None:
        for pid in everyone:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    limit(4096)
    return lambda: limit(resource.RLIM_INFINITY)


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    "by",
    [
        pytest.param(
            "a small disk", marks=pytest.mark.thorough("the same by a limit of the process")
        ),
        "a limit",
    ],
)
def test_on_a_full_disk_reading_goes_on_and_writing_is_told_why(
    settings: Settings, database: Database, cast: Cast, by: str
) -> None:
    key = key_of(database, cast)
    database.dispose()
    with small_disk() as folder:
        if folder is None and by == "a small disk":
            return  # the limit shows the same where nothing may be mounted
        is_mounted = folder is not None and by == "a small disk"
        kept = folder if folder is not None and is_mounted else settings.data_dir
        if is_mounted:
            shutil.copytree(settings.data_dir, kept, dirs_exist_ok=True)
        small = replace(settings, data_dir=kept, database_url=f"sqlite:///{kept}/pms.sqlite3")
        with served(small, workers=2) as server:
            assert enquiry(server, key).status == 201
            free = fill(kept) if is_mounted else stop_growing(server)
            # Each process counts what it answers: none may die of that.
            for _ in range(20):
                assert listing(server, key).status == 200
                assert server.ask("/sign-in").status == 200
            found = enquiry(server, key)
            assert (found.status, found.headers["Retry-After"]) == (UNAVAILABLE, "60")
            assert "disk is full" in json.loads(found.body)["error"]
            page = a_page_that_writes(server)
            for _ in range(5):
                if is_mounted and page.status != UNAVAILABLE:
                    # A file of the server that is gone has left room for one small write.
                    fill(kept)
                    page = a_page_that_writes(server)
            assert (page.status, said(page)) == (UNAVAILABLE, "Nothing can be saved right now")
            if is_mounted:
                checks = json.loads(server.ask("/readyz").body)["checks"]
                assert not checks[DISK]["ok"]
                assert "room" in checks[DISK]["remedy"]
            free()
            assert enquiry(server, key).status == 201
            assert a_page_that_writes(server).status == 404
            assert "SIGBUS" not in server.log()


@pytest.mark.thorough("waits until SQLite gives up")
@pytest.mark.only_on("sqlite")
def test_while_the_database_is_locked_reading_goes_on_and_writing_is_told_when_to_come_back(
    settings: Settings, database: Database, cast: Cast
) -> None:
    key = key_of(database, cast)
    with (
        served(settings) as server,
        closing(sqlite3.connect(settings.data_dir / "pms.sqlite3", isolation_level=None)) as other,
    ):
        assert listing(server, key).status == 200
        other.execute("BEGIN IMMEDIATE")
        found = enquiry(server, key)
        assert (found.status, found.headers["Retry-After"]) == (UNAVAILABLE, "5")
        assert listing(server, key).seconds < 1
        other.execute("ROLLBACK")
        assert enquiry(server, key).status == 201


@pytest.mark.only_on("postgresql")
def test_when_the_database_is_killed_every_surface_says_when_to_come_back(tmp_path: Path) -> None:
    if os.environ.get("PMS_TEST_DATABASE_URL"):
        pytest.skip("the given server belongs to others")
    try:
        own = start_postgresql()
    except MissingServerError as absent:
        give_up(str(absent))
    own.make_database("pms")
    settings = postgresql_settings(tmp_path, own, "pms")
    migrate(settings)
    database = Database(settings)
    cast = introduce(database)
    key = key_of(database, cast)
    database.dispose()
    with served(settings, PMS_OWNER_DATABASE_URL=settings.owner_database_url) as server:
        assert listing(server, key).status == 200
        assert server.ask("/sign-in").status == 200
        own.stop()
        for _ in range(3):
            for answer in (
                listing(server, key),
                enquiry(server, key),
                message_of_a_guest(server, key),
            ):
                assert answer.status == UNAVAILABLE, answer.body
                assert int(answer.headers["Retry-After"]) > 0
                assert json.loads(answer.body)["error"]
        page = a_page_that_writes(server)
        assert (page.status, page.headers["Retry-After"]) == (UNAVAILABLE, "10")
        assert said(page) == "The database cannot be reached"
        assert server.ask("/healthz").status == 200
        assert server.ask("/readyz").status == UNAVAILABLE
