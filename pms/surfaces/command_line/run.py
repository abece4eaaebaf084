"""`pms run`: everything on one machine, from an empty folder to running servers that are kept alive."""

import ctypes
import http.client
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

import click

from pms.access.opening_links import make_first_opening
from pms.demo.people import APPLICANT, OWNER, PASSWORD, RESIDENT, DemoAccount, PortalPerson
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.surfaces.command_line import __name__ as command_line
from pms.surfaces.command_line import installation
from pms.surfaces.command_line.demo import demo_key, demo_staff, has_own_workspace, is_empty, seed
from pms.surfaces.command_line.workspace_access import command_clock, opened_database

WEB = (sys.executable, "-m", "gunicorn", "-c", f"python:{command_line}.gunicorn_config", "wsgi:app")
# By name: the command line may start the jobs, and imports nothing of them.
WORKER = (sys.executable, "-m", "pms.jobs")


@click.command()
def web() -> None:
    """Start only the web server; migrate the database first."""
    settings = Settings.from_environment()
    installation.check_safe(settings)
    installation.check_login(settings)
    installation.check_folders(settings)
    installation.check_port(settings)
    os.execv(WEB[0], WEB)


@click.command()
def worker() -> None:
    """Start a job worker; several may run side by side, and timed work runs once."""
    settings = Settings.from_environment()
    installation.check_safe(settings)
    installation.check_login(settings)
    installation.check_folders(settings)
    os.execv(WORKER[0], WORKER)


@click.command()
@click.option("--demo/--no-demo", default=True, help="Fill an empty database with the demo.")
def run(demo: bool) -> None:
    """Migrate, seed the demo on first start, then run the web server and the job worker.

    Ctrl-C ends both; the data stays.
    """
    settings = Settings.from_environment()
    checks = (installation.check_safe, installation.check_login, installation.check_folders)
    for check in (*checks, installation.check_port):
        check(settings)
    migrate(settings)
    shown = _prepared_demo(settings) if demo and not settings.is_production else NOTHING
    shown = shown._replace(opening=_make_opening_token(settings))
    supervisor = Supervisor(
        (Child("web server", WEB), Child("job worker", WORKER)),
        say=click.echo,
        when_ready=lambda: answers(settings) and _print_greeting(settings, shown),
    )
    sys.exit(supervisor.run())


class DemoAccess(NamedTuple):
    """What every start prints about the demo: an API key and who signs in."""

    key: str | None
    staff: tuple[DemoAccount, ...]
    opening: str | None = None
    """The token of the one-time address that opens the first workspace of one's own."""


NOTHING = DemoAccess(None, ())


def _make_opening_token(settings: Settings) -> str | None:
    """Return a token while there is no workspace but those of the demo."""
    with opened_database(settings) as database:
        if has_own_workspace(database):
            return None
        return database.write_across_workspaces(
            lambda session: make_first_opening(session, command_clock())
        )


def _prepared_demo(settings: Settings) -> DemoAccess:
    clock = command_clock()
    with opened_database(settings) as database:
        if is_empty(database):
            click.echo("First start: creating the demo workspaces ...")
            seed(database, clock)
        key = demo_key(settings, database, clock)
        return DemoAccess(key, demo_staff(database, clock))


def _print_greeting(settings: Settings, shown: DemoAccess) -> bool:
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
        f"  Mail goes to {_describe_mail(settings)}",
        f"  Data lies in {settings.data_dir}",
    ]
    if opening is not None:
        lines += [
            "",
            "  Open a workspace of your own, once and within seven days, at",
            f"               {settings.base_url}/open/{opening}",
        ]
    if staff:
        demo_accounts = [
            "",
            f"  Demo staff   everyone's password is {PASSWORD}",
            *(f"               {_describe_account(account)}" for account in staff),
            "",
            "  Demo resident, who signs in by a code that is mailed",
            *(
                f"               {_at_the_portal(settings, account)}"
                for account in (RESIDENT, APPLICANT)
            ),
            "",
            "  Demo owner, who signs in the same way",
            f"               {_at_the_portal(settings, OWNER, 'owner')}",
        ]
        lines += demo_accounts
    if key is not None:
        url = f"{settings.base_url}/api/agent/properties?limit=3"
        lines += [
            "",
            f"  Demo key     {key}",
            "  Try",
            "",
            f"curl -H 'Authorization: Bearer {key}' '{url}'",
        ]
    return "\n".join([*lines, "", "  Ctrl-C stops everything.", ""])


def _describe_mail(settings: Settings) -> str:
    # The host alone: the address of the server holds its password.
    if settings.smtp_url:
        return f"the mail server {settings.smtp_url.rpartition('@')[2].rpartition('//')[2]}"
    page = "" if settings.is_production else f", shown at {settings.base_url}/mail"
    return f"files in {settings.mail_dir}{page}"


def _describe_account(account: DemoAccount) -> str:
    places = ", ".join(f"{role} of {slug}" for slug, role in account.places)
    return f"{account.email:27} {places}"


def _at_the_portal(settings: Settings, person: PortalPerson, user_kind: str = "resident") -> str:
    return f"{person.email:27} {settings.base_url}/{user_kind}/{person.slug}/"


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
        connection.request(
            "GET",
            "/healthz",
            headers={"Host": settings.base_url.partition("://")[2].partition("/")[0]},
        )
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


LOOK_SECONDS = 0.25
GRACE_SECONDS = 30.0
SETTLED_SECONDS = 30.0  # a child that ran this long is no longer counted as failing to start
MOST_FAILURES = 5
_PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """One process of the family, and how it has fared."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started_at: float = 0.0
    due_at: float = 0.0

    def start(self) -> None:
        # Its own session: Ctrl-C reaches the supervisor alone, which then ends each child gently.
        # The supervisor has one thread, so a function between fork and exec is safe.
        self.process = subprocess.Popen(
            self.command,
            start_new_session=True,
            preexec_fn=_die_with_parent(),  # noqa: PLW1509
        )
        self.started_at = monotonic()

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None


@dataclass
class Supervisor:
    """Starts the children, starts a dead one again, and ends the rest when it gives up."""

    children: Sequence[Child]
    say: Callable[[str], None]
    when_ready: Callable[[], bool] = lambda: True  # asked until it says yes
    _is_stopping: bool = field(default=False, init=False)

    def run(self) -> int:
        """Return 0 after Ctrl-C or SIGTERM, 1 when a child would not stay up."""
        with self._woken_by_signals() as wait:
            for child in self.children:
                child.start()
            is_ready = False
            while not self._is_stopping:
                is_ready = is_ready or self.when_ready()
                if not all(self._look_after(child) for child in self.children):
                    self._stop_children()
                    return 1
                wait(LOOK_SECONDS)
            self._stop_children()
            return 0

    def _look_after(self, child: Child) -> bool:
        """Start a dead child again after a while; tell whether to go on at all."""
        if child.is_running:
            return True
        if child.process is not None and not self._note_death(child, child.process):
            return False
        if monotonic() >= child.due_at:
            child.start()
        return True

    def _note_death(self, child: Child, process: subprocess.Popen[bytes]) -> bool:
        child.failures = (
            1 if monotonic() - child.started_at > SETTLED_SECONDS else (child.failures + 1)
        )
        child.process = None
        ended = f"The {child.name} stopped unexpectedly ({_exit_text(process.returncode)})"
        if child.failures >= MOST_FAILURES:
            self.say(
                f"{ended} {child.failures} times in a row; see its messages above for the reason."
            )
            return False
        seconds = 2 ** (child.failures - 1)
        child.due_at = monotonic() + seconds
        self.say(f"{ended}; starting it again in {seconds} s.")
        return True

    def _stop_children(self) -> None:
        """Ask every child to finish what it does, and kill what has not ended in time."""
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            process.terminate()
        limit = monotonic() + GRACE_SECONDS
        for process in running:
            try:
                process.wait(max(0.0, limit - monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.say("Stopped.")

    @contextmanager
    def _woken_by_signals(self) -> Iterator[Callable[[float], None]]:
        """Give a wait that ends early when a signal arrives: a stop, or a child's end."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        os.set_blocking(reading, False)
        before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        handlers = {
            number: signal.signal(number, self._note_signal)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
            # nohup asks to outlive the terminal.
            if (number, signal.getsignal(number)) != (signal.SIGHUP, signal.SIG_IGN)
        }
        try:
            yield lambda seconds: _wait_for_signal(reading, seconds)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(before)
            os.close(reading)
            os.close(writing)

    def _note_signal(self, number: int, _: object) -> None:
        if number != signal.SIGCHLD and not self._is_stopping:
            self._is_stopping = True
            self.say("Stopping ...")


def _wait_for_signal(reading: int, seconds: float) -> None:
    if select.select([reading], [], [], seconds)[0]:
        os.read(reading, 4096)


def _exit_text(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def _die_with_parent() -> Callable[[], None] | None:
    """Linux ends the child also when the supervisor is killed without a chance to do it."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
