"""`pms run` starts everything, tells where it is, and leaves nothing behind when it ends."""

import http.client
import json
import re
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from time import monotonic

import pytest

from pms.foundation.tokens import new_key
from tests.running.watching import PATIENCE_SECONDS, Running, is_alive
from tests.servers.ports import free_port
from tests.servers.postgresql import APPLICATION, OWNER, PostgreSQL

COMMAND = [sys.executable, "-u", "-c", "from pms.surfaces.command_line import main; main()"]
another_start = pytest.mark.thorough("another start of the whole program")
PLANTED = "planted-secret-0123456789-abcdefghij"
HOST = "pms.example.jp"


class Service:
    """A started service and the way to talk to it."""

    def __init__(self, running: Running, port: int) -> None:
        self.running = running
        self.port = port

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        connection.request("GET", path, headers={"Host": HOST} | headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def wait_until_ready(self) -> None:
        limit = monotonic() + PATIENCE_SECONDS
        while self.get("/readyz")[0] != HTTPStatus.OK:
            assert monotonic() < limit, self.get("/readyz")

    def count_of_missing_pages(self) -> float:
        result = self.get("/metrics")[1]
        found = re.search(r'pms_requests_total\{\S*route="none",status="404"\} (\S+)', result)
        return float(found[1]) if found else 0

    def ended_by(self, number: signal.Signals) -> int:
        self.running.send(number)
        return self.running.ended()


@contextmanager
def service(folder: Path, **settings: str) -> Iterator[Service]:
    port = free_port()
    environment = {"PMS_DATA_DIR": str(folder), "PMS_PORT": str(port), "PMS_WORKERS": "2"}
    with Running([*COMMAND, "run", "--no-demo"], environment | settings) as running:
        running.wait_for("Ctrl-C stops everything")
        yield Service(running, port)


def descendants(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    children = [int(child) for child in listed.read_text().split()] if listed.exists() else []
    return [*children, *(grandchild for child in children for grandchild in descendants(child))]


@dataclass(frozen=True)
class Seen:
    """What was seen of one run, from its greeting to its end."""

    port: int
    printed: str
    inode: int
    counted_at_first: float
    counted_at_last: float
    family: list[int]
    survivors: list[int]
    exit_code: int


def one_run(folder: Path, end_by: signal.Signals) -> Seen:
    with service(folder, PMS_WORKERS="3") as started:
        started.wait_until_ready()
        at_first = started.count_of_missing_pages()
        with ThreadPoolExecutor(8) as crowd:
            list(crowd.map(lambda _: started.get("/nowhere"), range(60)))
        at_last = started.count_of_missing_pages()
        family = descendants(started.running.pid)
        code = started.ended_by(end_by)
        return Seen(
            port=started.port,
            printed=started.running.printed,
            inode=(folder / "pms.sqlite3").stat().st_ino,
            counted_at_first=at_first,
            counted_at_last=at_last,
            family=family,
            survivors=[pid for pid in family if is_alive(pid)],
            exit_code=code,
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service") / "data"


@pytest.fixture(scope="module")
def first(folder: Path) -> Seen:
    return one_run(folder, signal.SIGINT)


@pytest.fixture(scope="module")
def second(first: Seen, folder: Path) -> Seen:
    return one_run(folder, signal.SIGTERM)


def test_it_says_where_it_is_and_where_mail_appears(first: Seen, folder: Path) -> None:
    assert f"http://127.0.0.1:{first.port}/" in first.printed
    assert f"files in {folder / 'mail'}" in first.printed
    assert f"Data lies in {folder}" in first.printed


def test_what_it_keeps_is_for_its_own_user_alone(first: Seen, folder: Path) -> None:
    assert folder.stat().st_mode & 0o077 == 0


def test_ctrl_c_ends_it_cleanly_and_leaves_nothing_behind(first: Seen) -> None:
    assert first.exit_code == 0
    assert len(first.family) >= (5 if sys.platform == "linux" else 0)
    assert first.survivors == []
    assert first.printed.endswith("Stopping ...\nStopped.\n")
    assert "Traceback" not in first.printed


@another_start
def test_being_told_to_terminate_ends_it_as_cleanly(second: Seen) -> None:
    assert (second.exit_code, second.survivors) == (0, [])
    assert "Traceback" not in second.printed


@another_start
def test_the_second_start_finds_the_data_of_the_first(first: Seen, second: Seen) -> None:
    assert second.inode == first.inode


def test_what_several_workers_counted_is_added_up(first: Seen) -> None:
    assert (first.counted_at_first, first.counted_at_last) == (0, 60)


@another_start
def test_counts_of_an_earlier_run_are_forgotten(second: Seen) -> None:
    assert (second.counted_at_first, second.counted_at_last) == (0, 60)


def test_it_runs_on_postgresql_and_valkey_as_roles_of_production(
    tmp_path: Path, postgresql: PostgreSQL, postgresql_database: str, valkey_url: str
) -> None:
    settings = {
        "PMS_DATABASE_URL": postgresql.url(postgresql_database, APPLICATION),
        "PMS_OWNER_DATABASE_URL": postgresql.url(postgresql_database, OWNER),
        "PMS_REDIS_URL": valkey_url,
    }
    with service(tmp_path, **settings) as started:
        started.wait_until_ready()
        with ThreadPoolExecutor(8) as crowd:
            asked = list(crowd.map(lambda _: started.get("/api/agent/properties"), range(24)))
        assert {status for status, _ in asked} == {HTTPStatus.UNAUTHORIZED}
        assert started.ended_by(signal.SIGTERM) == 0
        assert "Traceback" not in started.running.printed
    assert not (tmp_path / "pms.sqlite3").exists()
    assert not (tmp_path / "jobs.sqlite3").exists()


@another_start
def test_production_logs_json_and_never_a_secret(tmp_path: Path) -> None:
    key = new_key()
    settings = {
        "PMS_ENV": "production",
        "PMS_BASE_URL": f"https://{HOST}",
        "PMS_TRUSTED_HOSTS": HOST,
        "PMS_SECRET_KEY": PLANTED,
        "PMS_METRICS_TOKEN": PLANTED,
        "PMS_SMTP_URL": f"smtp://pms:{PLANTED}@127.0.0.1:{free_port()}",
    }
    with service(tmp_path, **settings) as started:
        for path in (f"/api/agent/properties?key={key}", f"/reserve/{PLANTED}", f"/nowhere/{key}"):
            started.get(path, Authorization=f"Bearer {key}", Cookie=f"session={PLANTED}")
        assert started.get("/metrics", Authorization=f"Bearer {PLANTED}")[0] == HTTPStatus.OK
        assert started.get("/", Host="elsewhere.example")[0] == HTTPStatus.BAD_REQUEST
        assert started.ended_by(signal.SIGTERM) == 0
        printed = started.running.printed
    assert PLANTED not in printed
    assert key not in printed
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    paths = [line["path"] for line in lines if line.get("event") == "request"]
    assert paths[0] == "/api/agent/properties"
    assert len(paths) == 4
