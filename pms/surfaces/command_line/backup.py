"""`pms backup` and `pms restore`: everything the service holds as one file, and back."""

from pathlib import Path

import click

from pms.foundation.backups import Manifest, back_up
from pms.foundation.backups import restore as restore_backup
from pms.foundation.clock import SystemClock
from pms.foundation.settings import Settings
from pms.surfaces.command_line import preflight
from pms.surfaces.command_line.opened import opened_database

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
def backup(file: Path) -> None:
    """Write database and files into FILE, also while the service runs.

    The secret key is not in it: keep PMS_SECRET_KEY apart, for what is encrypted opens with it
    alone.
    """
    with opened_database() as database:
        manifest = back_up(database, SystemClock(), file)
    click.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, {_summary(manifest)}.")
    click.echo(f"It needs the secret key with the id {manifest.key_ids[0]}, which is not in it.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--without-keys", is_flag=True, help="Also when a secret key is missing.")
def restore(file: Path, *, without_keys: bool) -> None:
    """Fill an empty installation with the backup in FILE; the service is stopped."""
    settings = Settings.from_environment()
    preflight.check_folders(settings)
    manifest = restore_backup(settings, SystemClock(), file, is_without_keys=without_keys)
    click.echo(f"Restored: {_summary(manifest)}. Start the service, and run `pms doctor`.")


def _summary(manifest: Manifest) -> str:
    made_at = manifest.made_at.strftime("%Y-%m-%d %H:%M UTC")
    return f"{manifest.kind} as of {made_at}, {manifest.files} files"
