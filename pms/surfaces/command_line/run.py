"""`pms run`: everything on one machine, from an empty folder to a running service."""

import http.client
import os
import sys
from typing import NamedTuple

import click

from pms.access.workspace_openings import make_first_opening
from pms.demo.people import APPLICANT, OWNER, PASSWORD, RESIDENT, DemoAccount, PortalPerson
from pms.foundation.clock import SystemClock
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.surfaces.command_line import __name__ as command_line
from pms.surfaces.command_line import doctor
from pms.surfaces.command_line.demo import demo_key, demo_staff, has_own_workspace, is_empty, seed
from pms.surfaces.command_line.supervisor import Child, Supervisor
from pms.surfaces.command_line.workspace_access import opened_database

WEB = (sys.executable, "-m", "gunicorn", "-c", f"python:{command_line}.gunicorn_config", "wsgi:app")
# By name: the command line may start the jobs, and imports nothing of them.
WORKER = (sys.executable, "-m", "pms.jobs")


@click.command()
def web() -> None:
    """Start only the web server; migrate the database first."""
    settings = Settings.from_environment()
    doctor.check_safe(settings)
    doctor.check_login(settings)
    doctor.check_folders(settings)
    doctor.check_port(settings)
    os.execv(WEB[0], WEB)


@click.command()
def worker() -> None:
    """Start a job worker; several may run side by side, and timed work runs once."""
    settings = Settings.from_environment()
    doctor.check_safe(settings)
    doctor.check_login(settings)
    doctor.check_folders(settings)
    os.execv(WORKER[0], WORKER)


@click.command()
@click.option("--demo/--no-demo", default=True, help="Fill an empty database with the demo.")
def run(demo: bool) -> None:
    """Migrate, seed the demo on first start, then run the web server and the job worker.

    Ctrl-C ends both; the data stays.
    """
    settings = Settings.from_environment()
    checks = (doctor.check_safe, doctor.check_login, doctor.check_folders)
    for check in (*checks, doctor.check_port):
        check(settings)
    migrate(settings)
    shown = _prepared_demo(settings) if demo and not settings.is_production else NOTHING
    shown = shown._replace(opening=_opening(settings))
    supervisor = Supervisor(
        (Child("web server", WEB), Child("job worker", WORKER)),
        say=click.echo,
        when_ready=lambda: answers(settings) and _greet(settings, shown),
    )
    sys.exit(supervisor.run())


class Shown(NamedTuple):
    """What of the demo is told at every start: a key, and who signs in."""

    key: str | None
    staff: tuple[DemoAccount, ...]
    opening: str | None = None
    """The token of the one-time address that opens the first workspace of one's own."""


NOTHING = Shown(None, ())


def _opening(settings: Settings) -> str | None:
    """Return a token while there is no workspace but those of the demo."""
    with opened_database(settings) as database:
        if has_own_workspace(database):
            return None
        return database.write_across_workspaces(
            lambda session: make_first_opening(session, SystemClock())
        )


def _prepared_demo(settings: Settings) -> Shown:
    clock = SystemClock()
    with opened_database(settings) as database:
        if is_empty(database):
            click.echo("First start: creating the demo workspaces ...")
            seed(database, clock)
        key = demo_key(settings, database, clock)
        return Shown(key, demo_staff(database, clock))


def _greet(settings: Settings, shown: Shown) -> bool:
    click.echo(greeting(settings, *shown))
    return True


def greeting(
    settings: Settings,
    key: str | None,
    staff: tuple[DemoAccount, ...] = (),
    opening: str | None = None,
) -> str:
    """Return what a person wants to know once everything runs."""
    lines = [
        "",
        f"  Running at   {settings.base_url}/",
        f"  Sign in      {settings.base_url}/sign-in",
        f"  Manual       {settings.base_url}/manual/",
        f"  Mail goes to {_mail(settings)}",
        f"  Data lies in {settings.data_dir}",
    ]
    if opening is not None:
        lines += [
            "",
            "  Open a workspace of your own, once and within seven days, at",
            f"               {settings.base_url}/open/{opening}",
        ]
    if staff:
        lines += _demo_accounts(settings, staff)
    if key is not None:
        lines += ["", f"  Demo key     {key}", "  Try", "", _curl(settings, key)]
    return "\n".join([*lines, "", "  Ctrl-C stops everything.", ""])


def _demo_accounts(settings: Settings, staff: tuple[DemoAccount, ...]) -> list[str]:
    return [
        "",
        f"  Demo staff   everyone's password is {PASSWORD}",
        *(f"               {_account(account)}" for account in staff),
        "",
        "  Demo resident, who signs in by a PIN that is mailed",
        *(
            f"               {_at_the_portal(settings, account)}"
            for account in (RESIDENT, APPLICANT)
        ),
        "",
        "  Demo owner, who signs in the same way",
        f"               {_at_the_portal(settings, OWNER, 'owner')}",
    ]


def _mail(settings: Settings) -> str:
    # The host alone: the address of the server holds its password.
    if settings.smtp_url:
        return f"the mail server {settings.smtp_url.rpartition('@')[2].rpartition('//')[2]}"
    page = "" if settings.is_production else f", shown at {settings.base_url}/mail"
    return f"files in {settings.mail_dir}{page}"


def _account(account: DemoAccount) -> str:
    places = ", ".join(f"{role} of {slug}" for slug, role in account.places)
    return f"{account.email:27} {places}"


def _at_the_portal(settings: Settings, person: PortalPerson, user_kind: str = "resident") -> str:
    return f"{person.email:27} {settings.base_url}/{user_kind}/{person.slug}/"


def _curl(settings: Settings, key: str) -> str:
    url = f"{settings.base_url}/api/agent/properties?limit=3"
    return f"curl -H 'Authorization: Bearer {key}' '{url}'"


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
