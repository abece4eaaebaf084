"""`pms run`, `web`, `worker` and `probe`: starting the service on one machine."""

import http.client
import os
import sys
from pathlib import Path
from typing import NamedTuple

import click

from pms.access import keys
from pms.demo.people import (
    ACCOUNTS,
    APPLICANT,
    OWNER,
    PASSWORD,
    RESIDENT,
    DemoAccount,
    PortalPerson,
    employ_staff,
)
from pms.foundation.clock import Clock, SystemClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.rules.scopes import PRESETS, Preset
from pms.surfaces.command_line import __name__ as command_line
from pms.surfaces.command_line import preflight
from pms.surfaces.command_line.supervisor import Child, Supervisor
from pms.surfaces.command_line.workspace_desk import ACTOR
from pms.surfaces.command_line.workspaces import opened_database
from pms.workspaces import queries

WEB = (sys.executable, "-m", "gunicorn", "-c", f"python:{command_line}.gunicorn_config", "wsgi:app")
# By name: the command line may start the jobs, and imports nothing of them.
WORKER = (sys.executable, "-m", "pms.jobs")


_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_PATIENCE_SECONDS = 5


@click.command()
def probe() -> None:
    """Ask /healthz of the web server on this machine; exit code 1 when nothing answers."""
    settings = Settings.from_environment()
    if not answers(settings):
        click.echo(f"Nothing answers on {settings.host} port {settings.port}.", err=True)
        sys.exit(1)


def answers(settings: Settings) -> bool:
    """Tell whether the web server answers; its host is named, for others may be refused."""
    host = _EVERYWHERE.get(settings.host, settings.host)
    connection = http.client.HTTPConnection(host, settings.port, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", "/healthz", headers={"Host": _served_host(settings)})
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _served_host(settings: Settings) -> str:
    return settings.base_url.partition("://")[2].partition("/")[0]


# Keys are stored hashed; the plaintext of this one lies in the data folder, readable by its owner
# alone, so that every start can print a line that works. Production never makes one.
NAME = "Demo key, printed at every start"
_OWNER_ALONE = 0o600


def is_empty(database: Database) -> bool:
    """Tell whether nobody has a workspace yet."""
    with database.across_workspaces_reading() as session:
        return not queries.all_workspaces(session)


def seed(database: Database, clock: Clock) -> None:
    """Make the demo workspaces."""
    from pms.demo.seed_demo import seed_demo

    seed_demo(database, Files(database.settings), clock.today(), clock)


def demo_staff(database: Database, clock: Clock) -> tuple[DemoAccount, ...]:
    """Return who signs in to the demo, also one made by an earlier version; nobody elsewhere."""
    employ_staff(database, clock)
    with database.across_workspaces_reading() as session:
        slugs = {workspace.slug for workspace in queries.all_workspaces(session)}
    return tuple(one for one in ACCOUNTS if any(slug in slugs for slug, _ in one.places))


def demo_key(settings: Settings, database: Database, clock: Clock) -> str | None:
    """Return a key of the first workspace that works; `None` when there is no workspace."""
    path = settings.data_dir / "demo-key"
    kept = path.read_text().strip() if path.exists() else ""
    with database.connection_across_workspaces() as connection:
        if kept and keys.find_key(connection, kept) is not None:
            return kept
    with database.across_workspaces_reading() as session:
        first = next(iter(queries.all_workspaces(session)), None)
    if first is None:
        return None
    with database.writing(first.id) as session:
        made = keys.issue_key(
            session, clock, ACTOR, name=NAME, scopes=PRESETS[Preset.READ]
        ).plaintext
    _keep(path, made)
    return made


def _keep(path: Path, key: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ALONE)
    with os.fdopen(descriptor, "w") as file:
        file.write(key + "\n")


@click.command()
@click.option("--demo/--no-demo", default=True, help="Seed an empty database with the demo.")
def run(demo: bool) -> None:
    """Migrate, seed the demo on first start, then run the web server and the job worker.

    Ctrl-C ends both; the data stays.
    """
    settings = Settings.from_environment()
    checks = (preflight.check_safe, preflight.check_login, preflight.check_folders)
    for check in (*checks, preflight.check_port):
        check(settings)
    migrate(settings)
    shown = _prepared_demo(settings) if demo and not settings.is_production else NOTHING
    supervisor = Supervisor(
        (Child("web server", WEB), Child("job worker", WORKER)),
        say=click.echo,
        when_ready=lambda: answers(settings) and _greeted(settings, shown),
    )
    sys.exit(supervisor.run())


class Shown(NamedTuple):
    """What of the demo is told at every start: a key, and who signs in."""

    key: str | None
    staff: tuple[DemoAccount, ...]


NOTHING = Shown(None, ())


def _prepared_demo(settings: Settings) -> Shown:
    clock = SystemClock()
    with opened_database(settings) as database:
        if is_empty(database):
            click.echo("First start: making the demo workspaces ...")
            seed(database, clock)
        key = demo_key(settings, database, clock)
        return Shown(key, demo_staff(database, clock))


def _greeted(settings: Settings, shown: Shown) -> bool:
    click.echo(greeting(settings, *shown))
    return True


def greeting(settings: Settings, key: str | None, staff: tuple[DemoAccount, ...] = ()) -> str:
    """Return what a person wants to know once everything runs."""
    lines = [
        "",
        f"  Running at   {settings.base_url}/",
        f"  Sign in      {settings.base_url}/sign-in",
        f"  Manual       {settings.base_url}/manual/",
        f"  Mail goes to {_mail(settings)}",
        f"  Data lies in {settings.data_dir}",
    ]
    if staff:
        lines += ["", f"  Demo staff   everyone's password is {PASSWORD}"]
        lines += [f"               {_account(one)}" for one in staff]
        lines += ["", "  Demo resident, who signs in by a PIN that is mailed"]
        lines += [
            f"               {_at_the_portal(settings, one)}" for one in (RESIDENT, APPLICANT)
        ]
        lines += ["", "  Demo owner, who signs in the same way"]
        lines += [f"               {_at_the_portal(settings, OWNER, 'owner')}"]
    if key is not None:
        lines += ["", f"  Demo key     {key}", "  Try", "", _curl(settings, key)]
    return "\n".join([*lines, "", "  Ctrl-C stops everything.", ""])


def _mail(settings: Settings) -> str:
    # The host alone: the address of the server holds its password.
    if settings.smtp_url:
        return f"the mail server {settings.smtp_url.rpartition('@')[2].rpartition('//')[2]}"
    page = "" if settings.is_production else f", shown at {settings.base_url}/mail"
    return f"files in {settings.mail_dir}{page}"


def _account(one: DemoAccount) -> str:
    places = ", ".join(f"{role} of {slug}" for slug, role in one.places)
    return f"{one.email:27} {places}"


def _at_the_portal(settings: Settings, one: PortalPerson, door: str = "resident") -> str:
    return f"{one.email:27} {settings.base_url}/{door}/{one.slug}/"


def _curl(settings: Settings, key: str) -> str:
    url = f"{settings.base_url}/api/agent/properties?limit=3"
    return f"curl -H 'Authorization: Bearer {key}' '{url}'"


@click.command()
def worker() -> None:
    """Start a job worker; any number of them may run, each period of timed work runs once."""
    settings = Settings.from_environment()
    preflight.check_safe(settings)
    preflight.check_login(settings)
    preflight.check_folders(settings)
    os.execv(WORKER[0], WORKER)


@click.command()
def web() -> None:
    """Start the web server alone; the database must be migrated already."""
    settings = Settings.from_environment()
    preflight.check_safe(settings)
    preflight.check_login(settings)
    preflight.check_folders(settings)
    preflight.check_port(settings)
    os.execv(WEB[0], WEB)
