"""What the worker does: `pms job ...` runs a daily job by hand for a day, `pms mail ...` sends a test."""

from datetime import date

import click

from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.mail_addresses import check_address
from pms.foundation.outbox import put_mail
from pms.foundation.runs import long_work
from pms.foundation.settings import Settings
from pms.foundation.translations import translate_both
from pms.surfaces.command_line.listing import DAY, as_json, show
from pms.surfaces.command_line.workspace_access import (
    ACTOR,
    clock_on,
    command_clock,
    opened_database,
)
from pms.workspaces.queries import all_workspaces, workspace_id_of


@click.group()
def job() -> None:
    """List the worker's jobs, and run one of them for a day."""


@job.command("list")
@as_json
def list_all(as_json: bool) -> None:
    """List the worker's jobs and their times."""
    show([row._asdict() for row in long_work("worker", "list_jobs")()], as_json=as_json)


@job.command("run")
@click.argument("name")
@click.option(
    "--on", type=DAY, help="Run for this day instead of today; in production only an earlier day."
)
@click.option("--workspace", "-w", "slug", help="Only in this workspace.")
@click.option("--again", is_flag=True, help="Run again even if it was done for that day.")
@as_json
def run(name: str, on: date | None, slug: str | None, again: bool, as_json: bool) -> None:
    """Run the daily job NAME in every workspace, once for the day."""
    # In production a day that was missed is made up for; one to come is not anticipated.
    today = command_clock().today()
    if on is not None and on > today and Settings.from_environment().is_production:
        raise Refused(f"--on: {on} is in the future. Choose {today} or earlier.")
    with opened_database() as database:
        with database.across_workspaces_reading() as session:
            slugs = (
                {workspace_id_of(session, slug): slug}
                if slug is not None
                else {row.id: row.slug for row in all_workspaces(session)}
            )
        outcome = long_work("worker", "run_job")(
            database, clock_on(on), ACTOR, name, list(slugs), again=again
        )
        rows = [
            {
                "workspace": slugs[row.workspace_id],
                "state": "was done before" if row.was_done else "done",
                "did": row.done,
                "problems": row.problems,
            }
            for row in outcome
        ]
    show(rows, as_json=as_json, empty="There is no workspace yet.")


@click.group()
def mail() -> None:
    """Test outgoing email."""


@mail.command("test")
@click.argument("address")
@click.option("--workspace", "-w", "slug", help="The sending workspace; the first one by default.")
def send_test(address: str, slug: str | None) -> None:
    """Queue a test email to ADDRESS; the worker sends it within seconds."""
    address = check_address("ADDRESS", address)
    settings = Settings.from_environment()
    with (
        opened_database(settings) as database,
        database.writing(_find_sender_workspace(database, slug)) as session,
    ):
        put_mail(session, command_clock(), recipient=address, subject=_SUBJECT, text=_TEXT)
    where = "to the mail server" if settings.smtp_url else f"as a file to {settings.mail_dir}"
    click.echo(f"Queued. A running worker sends it {where} within seconds.")


def _find_sender_workspace(database: Database, slug: str | None) -> str:
    with database.across_workspaces_reading() as session:
        if slug is not None:
            return workspace_id_of(session, slug)
        first = next(iter(all_workspaces(session)), None)
    if first is None:
        raise Refused("There is no workspace yet. Run `pms demo` to create samples.")
    return first.id


_SUBJECT = " ".join(filter(None, translate_both("Test mail")))
_TEXT = "\n\n".join(filter(None, translate_both("This mail arrived, so mail works."))) + "\n"
