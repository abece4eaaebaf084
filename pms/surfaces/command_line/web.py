"""`pms web`: the web server alone, in this very process."""

import os

import click

from pms.foundation.settings import Settings
from pms.surfaces.command_line import preflight
from pms.surfaces.command_line.processes import WEB


@click.command()
def web() -> None:
    """Start the web server alone; the database must be migrated already."""
    settings = Settings.from_environment()
    preflight.check_safe(settings)
    preflight.check_login(settings)
    preflight.check_folders(settings)
    preflight.check_port(settings)
    os.execv(WEB[0], WEB)
