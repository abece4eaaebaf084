"""`pms run`: everything on one machine, from an empty folder to a running service."""

import sys

import click

from pms.foundation.clock import SystemClock
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.surfaces.command_line import demo_access, preflight
from pms.surfaces.command_line.opened import opened_database
from pms.surfaces.command_line.probe import answers
from pms.surfaces.command_line.processes import WEB, WORKER
from pms.surfaces.command_line.supervisor import Child, Supervisor


@click.command()
@click.option("--demo/--no-demo", default=True, help="Seed an empty database with the demo.")
def run(demo: bool) -> None:
    """Migrate, seed the demo on first start, then run the web server and the job worker.

    Ctrl-C ends both; the data stays.
    """
    settings = Settings.from_environment()
    for check in (preflight.check_safe, preflight.check_folders, preflight.check_port):
        check(settings)
    migrate(settings)
    key = _prepared_demo(settings) if demo and not settings.is_production else None
    supervisor = Supervisor(
        (Child("web server", WEB), Child("job worker", WORKER)),
        say=click.echo,
        when_ready=lambda: answers(settings) and _greeted(settings, key),
    )
    sys.exit(supervisor.run())


def _prepared_demo(settings: Settings) -> str | None:
    clock = SystemClock()
    with opened_database(settings) as database:
        if demo_access.is_empty(database):
            click.echo("First start: making the demo workspaces ...")
            demo_access.seed(database, clock)
        return demo_access.demo_key(settings, database, clock)


def _greeted(settings: Settings, key: str | None) -> bool:
    click.echo(greeting(settings, key))
    return True


def greeting(settings: Settings, key: str | None) -> str:
    """Return what a person wants to know once everything runs."""
    lines = [
        "",
        f"  Running at   {settings.base_url}/",
        f"  Manual       {settings.base_url}/manual/",
        f"  Mail goes to {_mail(settings)}",
        f"  Data lies in {settings.data_dir}",
    ]
    if key is not None:
        lines += ["", f"  Demo key     {key}", "  Try", "", _curl(settings, key)]
    return "\n".join([*lines, "", "  Ctrl-C stops everything.", ""])


def _mail(settings: Settings) -> str:
    # The host alone: the address of the server holds its password.
    if settings.smtp_url:
        return f"the mail server {settings.smtp_url.rpartition('@')[2].rpartition('//')[2]}"
    return f"files in {settings.mail_dir}"


def _curl(settings: Settings, key: str) -> str:
    url = f"{settings.base_url}/api/agent/properties?limit=3"
    return f"curl -H 'Authorization: Bearer {key}' '{url}'"
