"""`pms migrate`: brings the database to the newest migration."""

import click

from pms.foundation import migrating
from pms.foundation.settings import Settings
from pms.surfaces.command_line import preflight


@click.command()
@click.option("--to", "revision", default="head", help="Another revision; `base` empties it all.")
def migrate(revision: str) -> None:
    """Bring the database to the newest migration; several processes may ask at once."""
    settings = Settings.from_environment()
    preflight.check_folders(settings)
    migrating.migrate(settings, revision)
    click.echo(
        f"The database is at {revision if revision != 'head' else migrating.current_head()}."
    )
