"""`pms web` and `pms worker`: one process of the program alone, without a supervisor."""

import os
import sys

import click

from pms.foundation.settings import Settings
from pms.surfaces.command_line import __name__ as command_line
from pms.surfaces.command_line import preflight

WEB = (sys.executable, "-m", "gunicorn", "-c", f"python:{command_line}.gunicorn_config", "wsgi:app")
# By name: the command line may start the jobs, and imports nothing of them.
WORKER = (sys.executable, "-m", "pms.jobs")


@click.command()
def web() -> None:
    """Start only the web server; migrate the database first."""
    settings = Settings.from_environment()
    preflight.check_safe(settings)
    preflight.check_login(settings)
    preflight.check_folders(settings)
    preflight.check_port(settings)
    os.execv(WEB[0], WEB)


@click.command()
def worker() -> None:
    """Start a job worker; several may run side by side, and timed work runs once."""
    settings = Settings.from_environment()
    preflight.check_safe(settings)
    preflight.check_login(settings)
    preflight.check_folders(settings)
    os.execv(WORKER[0], WORKER)
