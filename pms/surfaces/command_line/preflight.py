"""Checks before a start, and the commands `backup`, `restore` and `migrate`."""

import socket
from contextlib import suppress
from pathlib import Path

import click

from pms.foundation import migrating
from pms.foundation.backups import Manifest, back_up
from pms.foundation.backups import restore as restore_backup
from pms.foundation.clock import SystemClock
from pms.foundation.database_logins import prepare_login
from pms.foundation.errors import Refused
from pms.foundation.readiness import folder_findings, powers_of_login
from pms.foundation.settings import Settings
from pms.surfaces.command_line.workspaces import opened_database


def check_safe(settings: Settings) -> None:
    """Refuse a production that would be unsafe, and development that other machines reach."""
    reasons = settings.unsafe_reasons()
    if reasons:
        kind = settings.env.capitalize()
        raise Refused(f"{kind} does not start with these settings:\n  " + "\n  ".join(reasons))


def check_login(settings: Settings) -> None:
    """Refuse a production whose login at PostgreSQL no wall between workspaces binds."""
    powers = powers_of_login(settings) if settings.is_production else None
    if powers:
        raise Refused(
            f"PMS_DATABASE_URL: the login is {powers}, whom no wall between workspaces binds. Give"
            " the program a login of its own, which may only take on the role pms_app."
        )


def check_folders(settings: Settings) -> None:
    """Make the data folder; refuse when data could not be written."""
    for finding in folder_findings(settings):
        if not finding.is_well:
            raise Refused(f"{finding.detail}. {finding.remedy}")
    try:
        # It will hold residents' names and dates: for this user's eyes alone.
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(
            f"{settings.data_dir} cannot be made: {reason}. Set PMS_DATA_DIR to another folder."
        ) from error
    _close_to_others(settings)


def _close_to_others(settings: Settings) -> None:
    """Take from group and others what an earlier release, or another umask, let them read."""
    own = (
        settings.files_dir,
        settings.budget_dir,
        settings.mail_dir,
        settings.data_dir / "metrics",
    )
    databases = (*settings.data_dir.glob("*.sqlite3"), *settings.data_dir.glob("*.sqlite3-*"))
    for path in (*own, *databases):
        with suppress(OSError):  # not there, or somebody else's
            path.chmod(path.stat().st_mode & 0o700)


def check_port(settings: Settings) -> None:
    """Refuse when somebody else listens on the port already, or nobody may."""
    try:
        address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(address[0], address[1]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refused(
            f"Cannot listen on {settings.host} port {settings.port}: {reason}. "
            "Stop the other program, or choose another port: PMS_PORT=8001 make run"
        ) from error


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
    click.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, {_told(manifest)}.")
    click.echo(f"It needs the secret key with the id {manifest.key_ids[0]}, which is not in it.")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--without-keys", is_flag=True, help="Also when a secret key is missing.")
def restore(file: Path, *, without_keys: bool) -> None:
    """Fill an empty installation with the backup in FILE; the service is stopped."""
    settings = Settings.from_environment()
    check_folders(settings)
    manifest = restore_backup(settings, SystemClock(), file, is_without_keys=without_keys)
    click.echo(f"Restored: {_told(manifest)}. Start the service, and run `pms doctor`.")


def _told(manifest: Manifest) -> str:
    made_at = manifest.made_at.strftime("%Y-%m-%d %H:%M UTC")
    return f"{manifest.kind} as of {made_at}, {manifest.files} files"


@click.command()
@click.option("--to", "revision", default="head", help="Another revision; `base` empties it all.")
@click.option("--yes", is_flag=True, help="Do not ask before an older revision.")
def migrate(revision: str, *, yes: bool) -> None:
    """Bring the database to the newest migration; several processes may ask at once.

    On PostgreSQL the login of PMS_OWNER_DATABASE_URL owns the tables. The one of PMS_DATABASE_URL
    is made if there is none, and owns nothing.
    """
    settings = Settings.from_environment()
    check_folders(settings)
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
