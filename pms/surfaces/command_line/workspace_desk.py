"""What every command of one workspace shares, and the commands `job` and `billing`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from functools import wraps
from typing import Any, NamedTuple

import click

from pms.foundation.clock import Clock, FixedClock, SystemClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.long_work import long_work
from pms.foundation.settings import Settings
from pms.rules.days import JAPAN
from pms.surfaces.command_line.listing import as_json, show
from pms.surfaces.command_line.money_listing import show_record
from pms.surfaces.command_line.typed_values import DAY, MONTH
from pms.surfaces.command_line.workspaces import opened_database
from pms.workspaces import queries

ACTOR = "command line"

workspace = click.option(
    "--workspace", "-w", "slug", required=True, help="The slug of the workspace."
)
on_day = click.option(
    "--on", type=DAY, help="As of this day instead of today; writing so is for development only."
)
reservation_id = click.argument("reservation_id", metavar="RESERVATION")


class Place(NamedTuple):
    """Where and when a command works, and how it prints."""

    slug: str
    on: date | None
    as_json: bool


class Desk(NamedTuple):
    """An open workspace: its database, its id and the clock of the command."""

    database: Database
    workspace_id: str
    clock: Clock


def of_workspace(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the workspace, the day and the choice of JSON, together as `at`."""

    @wraps(command)
    def placed(*, slug: str, on: date | None, as_json: bool, **told: Any) -> None:
        command(at=Place(slug, on, as_json), **told)

    for option in (as_json, on_day, workspace):
        placed = option(placed)
    return placed


@contextmanager
def desk(at: Place) -> Iterator[Desk]:
    """Open the workspace; raise `NotFound` for an unknown one."""
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            workspace_id = queries.workspace_id_of(session, at.slug)
        yield Desk(database, workspace_id, clock_on(at.on))


@contextmanager
def reading(at: Place) -> Iterator[tuple[Any, Clock]]:
    """Give a session of the workspace that writes nothing, and the clock."""
    with desk(at) as found, found.database.reading(found.workspace_id) as session:
        yield session, found.clock


@contextmanager
def writing(at: Place) -> Iterator[tuple[Any, Clock]]:
    """Give a session of the workspace whose work is committed at the end, and the clock."""
    refuse_replay(at.on)
    with desk(at) as found, found.database.writing(found.workspace_id) as session:
        yield session, found.clock


def clock_on(on: date | None) -> Clock:
    """Return the clock of the machine, or one that stands at noon of a day in Japan."""
    if on is None:
        return SystemClock()
    return FixedClock(datetime.combine(on, time(12), tzinfo=JAPAN))


def refuse_replay(on: date | None) -> None:
    """Refuse to write on another day in production: its ledger tells when things were written."""
    if on is not None and Settings.from_environment().is_production:
        raise Refused("--on: in production nothing is written as of another day.")


@click.group()
def job() -> None:
    """List the worker's jobs, and run one of them for a day."""


@job.command("list")
@as_json
def list_all(as_json: bool) -> None:
    """List what the worker does, and when."""
    show([row._asdict() for row in long_work("worker", "list_jobs")()], as_json=as_json)


@job.command("run")
@click.argument("name")
@click.option("--on", type=DAY, help="For this day instead of today; in production an earlier one.")
@click.option("--workspace", "-w", "slug", help="Only in this workspace.")
@click.option("--again", is_flag=True, help="Also where it was done for that day.")
@as_json
def run(name: str, on: date | None, slug: str | None, again: bool, as_json: bool) -> None:
    """Run the daily job NAME in every workspace, once for the day."""
    _refuse_later(on)
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            slugs = (
                {queries.workspace_id_of(session, slug): slug}
                if slug is not None
                else {row.id: row.slug for row in queries.all_workspaces(session)}
            )
        told = long_work("worker", "run_job")(
            database, clock_on(on), ACTOR, name, list(slugs), again=again
        )
        rows = [
            {
                "workspace": slugs[row.workspace_id],
                "state": "was done before" if row.was_done else "done",
                "did": row.done,
                "problems": row.problems,
            }
            for row in told
        ]
    show(rows, as_json=as_json, empty="There is no workspace yet.")


def _refuse_later(on: date | None) -> None:
    """In production a day that was missed is made up for; one to come is not anticipated."""
    today = SystemClock().today()
    if on is not None and on > today and Settings.from_environment().is_production:
        raise Refused(f"--on: {on} has not come yet; today is {today}.")


through = click.option(
    "--through", type=MONTH, help="The last month to bill; by default the one that is due."
)


@click.group()
def billing() -> None:
    """Bill the rent that is missing: look first, then run; running again bills nothing twice."""


@billing.command("preview")
@of_workspace
@through
@click.option("--all", "with_same", is_flag=True, help="Also those billed as the month before.")
def preview(*, at: Place, through: date | None, with_same: bool) -> None:
    """Show what a run would bill, exceptions first; write nothing."""
    with desk(at) as found:
        told = long_work("billing_run", "billing_preview")(
            found.database, found.clock, found.workspace_id, through_on=through
        )
    rows = [_previewed(row) for row in told.rows]
    shown = rows if with_same or at.as_json else [row for row in rows if row["look"] != "same"]
    show_record(_totals(told.through_on, rows), as_json=at.as_json, reservations=shown)


@billing.command("run")
@of_workspace
@through
def run_billing(*, at: Place, through: date | None) -> None:
    """Bill all that is missing; started again it goes on, and bills nothing twice."""
    refuse_replay(at.on)
    with desk(at) as found:
        done = long_work("billing_run")(
            found.database, found.clock, ACTOR, found.workspace_id, through_on=through
        )
    facts = {
        "month": done.subject,
        "run": done.number,
        "reservations_looked_at": done.done,
        "reservations_billed": done.result.get("reservations", 0),
        "entries": done.result.get("entries", 0),
        "total_yen": done.result.get("total_yen", 0),
        "not_billed": done.problems,
    }
    show_record(facts, as_json=at.as_json, not_billed_because=done.result.get("unbilled", []))


def _previewed(row: Any) -> dict[str, Any]:
    return {
        "look": row.look.name.lower(),
        "unit": row.unit,
        "name": row.name,
        "to_issue_yen": row.to_issue_yen,
        "month_yen": row.month_yen,
        "before_yen": row.month_before_yen,
        "difference_yen": row.difference_yen,
        "about": row.about,
        "reservation": row.reservation_id,
    }


def _totals(through_on: date, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    of_kind = {row["look"] for row in rows}
    counts = [
        f"{sum(r['look'] == kind for r in rows)} {kind}" for kind in _ORDER if kind in of_kind
    ]
    total = {name: sum(row[name] for row in rows) for name in _SUMMED}
    return {"month": f"{through_on:%Y-%m}", "counted": ", ".join(counts) or "nobody", **total}


_ORDER = ("problem", "missed", "ended", "new", "changed", "same")
_SUMMED = ("to_issue_yen", "month_yen", "before_yen", "difference_yen")
