"""Starts a server as a child that cannot outlive the tests, and waits until it answers."""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 120.0
PR_SET_PDEATHSIG = 1


def unprivileged() -> Mapping[str, Any]:
    """Popen arguments: PostgreSQL refuses to run as root, so root becomes nobody."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def fresh_folder(prefix: str, parent: Path | None = None) -> Path:
    """A short path, because a unix socket's address holds about a hundred characters.

    What killed tests left under the same prefix goes first: it may be gigabytes.
    """
    parent = parent or Path("/tmp" if Path("/tmp").is_dir() else tempfile.gettempdir())
    for left in parent.glob(f"{prefix}*-*"):
        pid = left.name.removeprefix(prefix).partition("-")[0]
        if pid.isdigit() and not _runs(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=parent))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def hand_over(folder: Path) -> None:
    """Gives the folder to whoever runs the unprivileged server."""
    owner = unprivileged()
    if owner:
        os.chown(folder, owner["user"], owner["group"])


class Server:
    """One child process with a folder of its own."""

    def __init__(
        self,
        folder: Path,
        command: Sequence[str | Path],
        stop_by: signal.Signals,
        run_as: Mapping[str, Any] | None = None,
    ) -> None:
        self.folder = folder
        self._stop_by = stop_by
        self._log = (folder / "server.log").open("wb")
        self._child = subprocess.Popen(
            command,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            start_new_session=True,
            # Safe here: the hook only makes one system call, and no test thread runs yet.
            preexec_fn=_die_with_parent(stop_by),  # noqa: PLW1509
            **(run_as or {}),
        )

    @property
    def pid(self) -> int:
        return self._child.pid

    def wait_until(self, answers: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE_SECONDS
        while not answers():
            if self._child.poll() is not None or time.monotonic() > limit:
                raise RuntimeError(f"server did not start:\n{self.log()}")
            time.sleep(0.02)

    def log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")

    def stop(self) -> None:
        if self._child.poll() is None:
            self._child.send_signal(self._stop_by)
            try:
                self._child.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _die_with_parent(stop_by: signal.Signals) -> Callable[[], None] | None:
    """Linux ends the child when the tests are killed; elsewhere only a tidy end stops it."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, int(stop_by), 0, 0, 0)
