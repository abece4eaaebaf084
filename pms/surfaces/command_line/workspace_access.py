"""What every command of one workspace shares: its database, its day, and table or JSON."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from functools import wraps
from typing import Any, NamedTuple

import click

from pms.foundation.clock import Clock, FixedClock, SystemClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.logs import keep_off_output
from pms.foundation.readiness import BUDGET, DISK, WORKER, readiness
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.days import JAPAN
from pms.surfaces.command_line.listing import DAY, as_json
from pms.workspaces.queries import workspace_id_of


@contextmanager
def opened_database(
    settings: Settings | None = None, *, even_unready: bool = False
) -> Iterator[Database]:
    """Give the database of these settings, else of the environment's.

    One that is missing or not migrated is refused in a line, unless the command looks into that.
    """
    keep_off_output()
    database = Database(settings or Settings.from_environment())
    try:
        if not even_unready:
            # No command needs a running worker, those that ask for counts do without, and many only read.
            for finding in readiness(database, command_clock()):
                if not finding.is_well and finding.name not in (WORKER, BUDGET, DISK):
                    raise Refused(f"{finding.name}: {finding.detail}. {finding.remedy}")
        yield database
    finally:
        database.dispose()


ACTOR = "command line"

workspace = click.option(
    "--workspace", "-w", "slug", required=True, help="The slug of the workspace."
)
on_day = click.option(
    "--on",
    type=DAY,
    help="As of this day instead of today; saving this way is for development only.",
)
reservation_id = click.argument("reservation_id", metavar="RESERVATION")


class CommandWorkspace(NamedTuple):
    """Where and when a command works, and how it prints."""

    slug: str
    on: date | None
    as_json: bool


class OpenWorkspace(NamedTuple):
    """An open workspace: its database, its id and the clock of the command."""

    database: Database
    workspace_id: str
    clock: Clock


def of_workspace(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the workspace, the day and the choice of JSON, together as `at`."""

    @wraps(command)
    def placed(*, slug: str, on: date | None, as_json: bool, **value: Any) -> None:
        command(at=CommandWorkspace(slug, on, as_json), **value)

    for option in (as_json, on_day, workspace):
        placed = option(placed)
    return placed


@contextmanager
def open_workspace(at: CommandWorkspace) -> Iterator[OpenWorkspace]:
    """Open the workspace; raise `NotFound` for an unknown one."""
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            workspace_id = workspace_id_of(session, at.slug)
        yield OpenWorkspace(database, workspace_id, clock_on(at.on))


@contextmanager
def reading(at: CommandWorkspace) -> Iterator[tuple[Any, Clock]]:
    """Give a session of the workspace that writes nothing, and the clock."""
    with open_workspace(at) as found, found.database.reading(found.workspace_id) as session:
        yield session, found.clock


@contextmanager
def writing(at: CommandWorkspace) -> Iterator[Work]:
    """Give the work of a command in the workspace; it is committed at the end."""
    refuse_replay(at.on)
    with open_workspace(at) as found, found.database.writing(found.workspace_id) as session:
        yield Work(session, found.clock, ACTOR)


def command_clock() -> Clock:
    """Return the clock a command was given as click's `obj`, otherwise that of the machine.

    No other place of a command reads the time.
    """
    given: Clock | None = click.get_current_context().obj
    return SystemClock() if given is None else given


def clock_on(on: date | None) -> Clock:
    """Return the clock of the command, or one that stands at noon of a day in Japan."""
    if on is None:
        return command_clock()
    return FixedClock(datetime.combine(on, time(12), tzinfo=JAPAN))


def refuse_replay(on: date | None) -> None:
    """Refuse to write on another day in production: its ledger tells when things were written."""
    if on is not None and Settings.from_environment().is_production:
        raise Refused("--on: In production nothing can be saved as of another day. Leave out --on.")
