"""What is slow to make is made once for a whole run, whichever of its processes needs it first."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(
    tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]
) -> Path:
    """Return the folder that `make` fills, made by the first process of the run that asks.

    The processes of one run (pytest-xdist) share the folder: they copy from it and never write
    to it. `make` is given the empty folder; when it returns, no file in it may be open any more.
    If it fails, the next process that asks starts afresh.
    """
    folder = shared_folder(tmp_path_factory) / name
    ready = folder.with_name(f"{name}.ready")
    with folder.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            ready.touch()
    return folder


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that every process of this run knows, and no other run."""
    own = tmp_path_factory.getbasetemp()
    # A process of pytest-xdist has a folder named after it inside the folder of the run. The
    # variable alone would not do: a run that a test starts inherits it.
    is_worker = own.name == f"popen-{os.environ.get('PYTEST_XDIST_WORKER')}"
    shared = (own.parent if is_worker else own) / "made-once"
    shared.mkdir(exist_ok=True)
    return shared
