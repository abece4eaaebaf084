"""`pms worker`: the job worker alone, in this very process."""

import os

import click

from pms.foundation.settings import Settings
from pms.surfaces.command_line import preflight
from pms.surfaces.command_line.processes import WORKER


@click.command()
def worker() -> None:
    """Start a job worker; any number of them may run, each period of timed work runs once."""
    settings = Settings.from_environment()
    preflight.check_safe(settings)
    preflight.check_login(settings)
    preflight.check_folders(settings)
    os.execv(WORKER[0], WORKER)
