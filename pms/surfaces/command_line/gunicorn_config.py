"""What gunicorn is told, whoever starts it: `gunicorn -c python:<this module> wsgi:app`."""

import gc
import shutil
import subprocess
import sys
from pathlib import Path

from gunicorn.glogging import Logger

from pms.foundation.logs import logging_config
from pms.foundation.settings import Settings

settings = Settings.from_environment()
metrics_dir = settings.data_dir / "metrics"

chdir = str(Path(__file__).parents[3])
bind = (
    f"[{settings.host}]:{settings.port}"
    if ":" in settings.host
    else (f"{settings.host}:{settings.port}")
)
workers = settings.workers
# SQLite stepped from several threads of one process costs twice the work and more.
_worker = "PlainSyncWorker" if settings.is_sqlite else "PlainThreadWorker"
worker_class = f"pms.surfaces.command_line.server_refusals.{_worker}"
threads = 1 if settings.is_sqlite else 4
timeout = 60
graceful_timeout = 20
control_socket_disable = True
logger_class = "pms.surfaces.command_line.gunicorn_config.QuietLogger"
logconfig_dict = logging_config(is_production=settings.is_production)
# Read by prometheus_client when a worker first imports it.
raw_env = [f"PROMETHEUS_MULTIPROC_DIR={metrics_dir}"]


class QuietLogger(Logger):  # type: ignore[misc]  # gunicorn ships no annotations
    """Leaves the line of each request to the program, which writes one already."""

    @property
    def access_log_enabled(self) -> bool:
        """Put no second line together, only to drop it."""
        return False


def on_starting(_: object) -> None:
    """Forget the counts of the last run; they belong to processes that are gone."""
    shutil.rmtree(metrics_dir, ignore_errors=True)
    metrics_dir.mkdir(parents=True)


def when_ready(_: object) -> None:
    """Have the templates compiled beside the first requests, by a process that gives way to them."""
    work = "import os, wsgi; os.nice(10); wsgi.compile_templates(wsgi.app)"
    subprocess.Popen([sys.executable, "-c", work], cwd=chdir)


def post_fork(_: object, __: object) -> None:
    """Search for no garbage while the program is loaded: next to all it makes then stays."""
    gc.disable()


def post_worker_init(_: object) -> None:
    """Leave the loaded program out of every later search for garbage.

    A list of units makes thousands of objects that are gone without any search, so the search
    itself is rarer than it is by default.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
