"""`pms migrate`, `pms backup` and `pms restore`: the database as a whole."""

from pathlib import Path

import click

from pms.foundation import migrating
from pms.foundation.backups import Manifest, back_up
from pms.foundation.backups import restore as restore_backup
from pms.foundation.clock import SystemClock
from pms.foundation.database_logins import prepare_login
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.surfaces.command_line import doctor
from pms.surfaces.command_line.workspace_access import opened_database


@click.command()
@click.option(
    "--to", "revision", default="head", help="Another revision; `base` deletes everything."
)
@click.option("--yes", is_flag=True, help="Do not ask before going to an older revision.")
def migrate(revision: str, *, yes: bool) -> None:
    """Bring the database to the newest migration; safe to run in several processes.

    On PostgreSQL the login of PMS_OWNER_DATABASE_URL owns the tables. The one of PMS_DATABASE_URL
    is made if there is none, and owns nothing.
    """
    settings = Settings.from_environment()
    doctor.check_folders(settings)
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
            f"The database is newer than {revision}, and moving down deletes data, so it is not possible in"
            " production. Restore a backup with the release it was made by."
        )
    if not is_agreed:
        click.confirm(
            f"The database is newer than {revision}; data of later migrations will be deleted."
            " Continue?",
            abort=True,
            err=True,
        )


_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
def backup(file: Path) -> None:
    """Back up database and files into FILE; the service may keep running.

    The secret key is not in it: keep PMS_SECRET_KEY apart, for what is encrypted opens with it
    alone.
    """
    with opened_database() as database:
        manifest = back_up(database, SystemClock(), file)
    click.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, {_summary(manifest)}.")
    click.echo(
        f"To restore it you need the secret key with the id {manifest.key_ids[0]}, which it does not contain."
    )


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--without-keys", is_flag=True, help="Restore even if a secret key is missing.")
def restore(file: Path, *, without_keys: bool) -> None:
    """Restore the backup in FILE into an empty installation; stop the service first."""
    settings = Settings.from_environment()
    doctor.check_folders(settings)
    manifest = restore_backup(settings, SystemClock(), file, is_without_keys=without_keys)
    click.echo(f"Restored: {_summary(manifest)}. Start the service and run `pms doctor`.")


def _summary(manifest: Manifest) -> str:
    made_at = manifest.made_at.strftime("%Y-%m-%d %H:%M UTC")
    return f"{manifest.kind} as of {made_at}, {manifest.files} files"
