"""Several workers of a real server keep one budget, and a restart keeps it too."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from signal import SIGTERM
from socket import AF_UNIX, socket

import pytest

from pms.foundation.settings import Settings
from tests.budget.conftest import settings_of_kind
from tests.servers.process import Server, fresh_folder

ROOT = Path(__file__).parents[2]
WORKERS = 3
CLIENTS = 8
another_storage = pytest.mark.thorough("two more servers to start; processes race for it anyway")


class Local(HTTPConnection):
    """A connection through a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket(AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


Ask = Callable[[str], int]


@contextmanager
def served(settings: Settings) -> Iterator[Ask]:
    folder = fresh_folder("pms-budget-")
    socket_path = folder / "socket"
    given = {
        "PMS_DATA_DIR": str(settings.data_dir),
        "PMS_DATABASE_URL": settings.database_url,
        "PMS_REDIS_URL": settings.redis_url or "",
    }
    environ = [part for item in given.items() for part in ("--env", "=".join(item))]
    gunicorn = [sys.executable, "-m", "gunicorn", "--workers", str(WORKERS), *environ]
    command = [*gunicorn, "--no-control-socket", "--chdir", str(ROOT)]
    command += ["--bind", f"unix:{socket_path}", "tests.budget.tiny:serve()"]
    server = Server(folder, command, SIGTERM)
    try:
        server.wait_until(lambda: answers(socket_path))
        yield lambda path: status(socket_path, path)
    finally:
        server.stop()


def status(socket_path: Path, path: str) -> int:
    connection = Local(socket_path)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def answers(socket_path: Path) -> bool:
    try:
        return status(socket_path, "/free") == 200
    except OSError:
        return False


@pytest.fixture(
    scope="module",
    params=[
        "files",
        pytest.param("postgresql", marks=another_storage),
        pytest.param("valkey", marks=another_storage),
    ],
)
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_of_kind(request.param, request, tmp_path_factory.mktemp("budget"))


def test_three_workers_admit_exactly_the_budget_also_after_a_restart(
    settings: Settings, new_bucket: Callable[[], str]
) -> None:
    greedy, modest = (new_bucket().replace("/", "-") for _ in range(2))
    with served(settings) as ask, ThreadPoolExecutor(CLIENTS) as clients:
        flood = Counter(clients.map(ask, [f"/keys/{greedy}?budget=300"] * 700))
        beside = Counter(clients.map(ask, [f"/keys/{modest}?budget=5"] * 20))
    assert flood == {200: 300, 429: 400}
    assert beside == {200: 5, 429: 15}
    with served(settings) as ask:
        assert ask(f"/keys/{greedy}?budget=300") == 429
        assert ask(f"/keys/{modest}?budget=5") == 429
