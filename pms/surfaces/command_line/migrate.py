"""`pms migrate`: brings the database to the newest migration, and makes the program's login."""

import click

from pms.foundation import migrating
from pms.foundation.database_logins import prepare_login
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.surfaces.command_line import preflight


@click.command()
@click.option("--to", "revision", default="head", help="Another revision; `base` empties it all.")
@click.option("--yes", is_flag=True, help="Do not ask before an older revision.")
def migrate(revision: str, *, yes: bool) -> None:
    """Bring the database to the newest migration; several processes may ask at once.

    On PostgreSQL the login of PMS_OWNER_DATABASE_URL owns the tables. The one of PMS_DATABASE_URL
    is made if there is none, and owns nothing.
    """
    settings = Settings.from_environment()
    preflight.check_folders(settings)
    if migrating.is_older(settings, revision):
        _ask(settings, revision, is_agreed=yes)
    migrating.migrate(settings, revision)
    login = prepare_login(settings) if revision == "head" else None
    click.echo(
        f"The database is at {revision if revision != 'head' else migrating.current_head()}."
    )
    if login is not None:
        click.echo(f"The program logs in as {login}, which owns nothing.")


def _ask(settings: Settings, revision: str, *, is_agreed: bool) -> None:
    """Moving down deletes what later migrations keep; production does it by a backup instead."""
    if settings.is_production:
        raise Refused(
            f"The database is newer than {revision}, and moving down deletes data: refused in"
            " production. Restore a backup with the release of its time instead."
        )
    if not is_agreed:
        click.confirm(
            f"The database is newer than {revision}; what later migrations keep will be deleted."
            " Go on?",
            abort=True,
            err=True,
        )
