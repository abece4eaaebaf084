"""`pms workspaces ...` lists the workspaces and opens new ones; `pms export` writes one out."""

from pathlib import Path

import click

from pms.access.workspace_openings import LIFE, make_opening
from pms.foundation.clock import SystemClock
from pms.foundation.runs import long_work
from pms.surfaces.command_line.listing import as_json, show, show_record
from pms.surfaces.command_line.workspace_access import (
    ACTOR,
    Place,
    of_workspace,
    open_workspace,
    opened_database,
)
from pms.workspaces import queries


@click.group()
def workspaces() -> None:
    """List the workspaces and open new ones; each belongs to one operator."""


@workspaces.command("list")
@as_json
def list_workspaces(as_json: bool) -> None:
    """List the workspaces by slug."""
    with opened_database() as database, database.across_workspaces_reading() as session:
        rows = [
            {"slug": row.slug, "name": row.name, "name_en": row.name_en, "opened": row.created_at}
            for row in queries.all_workspaces(session)
        ]
    show(rows, as_json=as_json, empty="No workspaces yet. Open one or run `pms demo`.")


@workspaces.command("invite")
@as_json
def invite(as_json: bool) -> None:
    """Print a one-time address to open a workspace; it is valid for seven days."""
    with opened_database() as database:
        token = database.write_across_workspaces(
            lambda session: make_opening(session, SystemClock(), made_by=ACTOR)
        )
        row = {"address": f"{database.settings.base_url}/open/{token}", "days": LIFE.days}
    show([row], as_json=as_json)


@workspaces.command("open")
@click.argument("slug")
@click.option("--name", required=True, help="The operator's name in Japanese.")
@click.option("--name-en", help="The operator's name in English.")
def open_one(slug: str, name: str, name_en: str | None) -> None:
    """Open a workspace with the default policy; SLUG is its permanent name in addresses."""
    with opened_database() as database, database.across_workspaces_writing() as session:
        queries.open_workspace(session, SystemClock(), slug=slug, name=name, name_en=name_en)
    click.echo(f"The workspace '{slug}' is open. Next: pms people add, pms import.")


@click.command()
@of_workspace
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder for the files; created if missing.",
)
def export(*, at: Place, folder: Path) -> None:
    """Export a workspace: one .xlsx, the same as CSV in a zip, and documents in zips.

    The sheet of contracts is read by `pms takeover run`.
    """
    with open_workspace(at) as found:
        written = long_work("workspace_export", "export_to_folder")(
            found.database, found.clock, ACTOR, found.workspace_id, folder=folder, tell=_tell
        )
    show_record({"folder": str(folder), "files": len(written)}, as_json=at.as_json, written=written)


def _tell(done: int, of: int) -> None:
    click.echo(f"{done} of {of}", err=True)
