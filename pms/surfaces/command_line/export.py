"""`pms export`: writes everything of a workspace as sheets and files."""

from pathlib import Path

import click

from pms.foundation.runs import long_work
from pms.surfaces.command_line.listing import show_record
from pms.surfaces.command_line.workspace_access import ACTOR, Place, of_workspace, open_workspace


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
