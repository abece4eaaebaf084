"""S2: the cold list of units against the frameworks a team might have chosen."""

import subprocess
import venv
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.bench.data import CATALOGUE
from tests.bench.rounds import Figure, Spread, ratio
from tests.bench.serving import Served
from tests.bench.stage import Stage, cold_cpu_of

_PACKAGES = (
    "django",
    "djangorestframework",
    "fastapi",
    "uvicorn",
    "gunicorn",
    "flask",
    "msgspec",
    "sqlalchemy",
)


class _Framework(NamedTuple):
    name: str
    what: str
    worker_class: str
    must: float
    stretch: float


_FRAMEWORKS = (
    _Framework("Django REST", "tests.bench.frameworks.django_rest:app", "sync", 0.35, 0.12),
    _Framework(
        "FastAPI with models",
        "tests.bench.frameworks.fastapi_models:app",
        "uvicorn.workers.UvicornWorker",
        0.20,
        0.10,
    ),
)


def against_frameworks(stage: Stage) -> Iterable[Figure]:
    """Not run unless it was asked for: it installs frameworks this program does not need."""
    python = _installed(stage.folder / "frameworks") if stage.with_frameworks else None
    for one in _FRAMEWORKS:
        found = _measured(stage, one, python) if python else None
        note = "" if found else "ask with --with-frameworks"
        what = f"cold after a catalogue edit, CPU against {one.name}"
        yield Figure("S2", what, found, one.must, one.stretch, note=note)


def _installed(folder: Path) -> str:
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *_PACKAGES], check=True)
    return python


def _measured(stage: Stage, one: _Framework, python: str) -> Spread:
    change = partial(stage.data.raise_version, stage.largest, CATALOGUE)
    with Served(
        one.what, stage.data, ready=stage.catalogue, python=python, worker_class=one.worker_class
    ) as served:
        ours = cold_cpu_of(stage.product, stage.catalogue, stage.requests, change)
        theirs = cold_cpu_of(served, stage.catalogue, max(3, stage.requests // 4), change)
        found, *_ = ratio(ours, theirs, min(stage.rounds, 5))
        return found
