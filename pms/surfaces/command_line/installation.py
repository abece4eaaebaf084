"""The installation as a whole: `pms migrate`, `backup` and `restore`; `pms doctor` finds what is wrong."""

import platform
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, fields
from datetime import timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from pms.foundation import migrating
from pms.foundation.backups import Manifest, back_up, last_backup
from pms.foundation.backups import restore as restore_backup
from pms.foundation.database import Database
from pms.foundation.database_logins import login_findings, prepare_login
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.logs import mask_secrets
from pms.foundation.readiness import (
    BUDGET,
    DISK,
    SQLITE_VERSION,
    WORKER,
    Finding,
    folder_findings,
    powers_of_login,
    readiness,
)
from pms.foundation.runs import long_work
from pms.foundation.settings import DEVELOPMENT_SECRET, Settings
from pms.surfaces.command_line.listing import as_json, json_text, table
from pms.surfaces.command_line.workspace_access import command_clock, opened_database

LIBRARIES = ("flask", "gunicorn", "huey", "sqlalchemy", "alembic", "psycopg", "redis")
OLDEST_BACKUP = timedelta(hours=48)
_PROXY_DUTIES = (
    "A proxy ends TLS; sets Host, X-Forwarded-For and X-Forwarded-Proto itself, whatever the client"
    " sent; takes a request whole before it passes it on (nginx does: proxy_request_buffering on);"
    " limits the connections of one client and cuts those that are slow; takes bodies of up to"
    " 100 MB; and waits 60 s for an answer."
)
_WHOLLY_SECRET = {"secret_key", "metrics_token"}


@click.command()
@as_json
def doctor(as_json: bool) -> None:
    """Show versions, settings, database and problems; exit code 1 if there are any."""
    settings = Settings.from_environment()
    findings = examine(settings)
    if as_json:
        facts = {"versions": versions(), "settings": shown_settings(settings)}
        click.echo(json_text({**facts, "findings": [asdict(finding) for finding in findings]}))
    else:
        click.echo(" ".join(f"{name} {number}" for name, number in versions().items()) + "\n")
        click.echo(
            table([{"setting": k, "value": v} for k, v in shown_settings(settings).items()]) + "\n"
        )
        for finding in findings:
            mark = "ok   " if finding.is_well else "WRONG"
            remedy = "" if finding.is_well else f"\n        {finding.remedy}"
            click.echo(f"{mark}  {finding.name}: {finding.detail}{remedy}")
    sys.exit(0 if all(finding.is_well for finding in findings) else 1)


def examine(settings: Settings) -> list[Finding]:
    """Look at everything that can be wrong with these settings on this machine."""
    unsafe = [
        Finding("settings", False, reason, "Set it in the environment of every process.")
        for reason in settings.unsafe_reasons()
    ]
    with opened_database(settings, even_unready=True) as database:
        return [
            *(unsafe or [Finding("settings", True, f"fit for {settings.env}")]),
            proxy_finding(settings),
            *folder_findings(settings),
            *_of_the_database(database),
        ]


def _of_the_database(database: Database) -> list[Finding]:
    findings = readiness(database, command_clock())
    if all(finding.is_well for finding in findings if finding.name not in (WORKER, BUDGET, DISK)):
        findings += [
            *login_findings(database),
            *_check_all_sealing(database),
            _check_backup(database),
        ]
    return findings


def _check_backup(database: Database) -> Finding:
    made_at = last_backup(database)
    if made_at is None:
        detail = "no backup yet"
    else:
        detail = f"the last one is {_spoken_age(command_clock().now() - made_at)} old"
    is_fresh = made_at is not None and command_clock().now() - made_at <= OLDEST_BACKUP
    remedy = "Run `pms backup FILE` every day, and keep the file elsewhere."
    return Finding("backup", is_fresh or not database.settings.is_production, detail, remedy)


def _spoken_age(age: timedelta) -> str:
    return f"{age.days} days" if age.days > 1 else f"{int(age.total_seconds() // 3600)} h"


def _check_all_sealing(database: Database) -> Iterator[Finding]:
    yield _check_sealing(
        "sealed texts", database, long_work("resealing", "count_unsealed")(database)
    )
    yield _check_sealing("sealed files", database, Files(database.settings).count_unsealed())


def _check_sealing(name: str, database: Database, others: int) -> Finding:
    key_id = database.signer.key_ids[0]
    if not others:
        return Finding(name, True, f"all are under the first secret key, {key_id}")
    detail = f"{others} are not under the first key of PMS_SECRET_KEY, {key_id}"
    return Finding(name, False, detail, "Run `pms keys rotate-secret`.")


def proxy_finding(settings: Settings) -> Finding:
    """Tell what a proxy in front of this server must do; it is never wrong by itself."""
    detail = f"{settings.proxies} in front" if settings.proxies else "none in front (PMS_PROXIES)"
    return Finding("proxy", True, f"{detail}. {_PROXY_DUTIES}")


def versions() -> dict[str, str]:
    """Return what runs here."""
    found = {"pms": version("pms"), "python": platform.python_version(), "sqlite": SQLITE_VERSION}
    return {**found, **{name: version(name) for name in LIBRARIES}}


def shown_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings as they may be shown to anybody."""
    return {field.name: _shown_value(field.name, settings) for field in fields(settings)}


def _shown_value(name: str, settings: Settings) -> Any:
    value = getattr(settings, name)
    if name in _WHOLLY_SECRET and value is not None:
        count = len(settings.secret_keys) if name == "secret_key" else 1
        detail = "set" if count == 1 else f"set, {count} keys"
        return "the development one" if value == DEVELOPMENT_SECRET else detail
    if isinstance(value, bool | int | None):
        return value
    return list(value) if isinstance(value, tuple) else mask_secrets(str(value))


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
            f"PMS_DATABASE_URL: the login is {powers}, so workspaces are not separated. Give"
            " the program its own login that may only take on the role pms_app."
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
    check_folders(settings)
    if migrating.is_older(settings, revision):
        _confirm_moving_down(settings, revision, is_agreed=yes)
    migrating.migrate(settings, revision)
    login = prepare_login(settings) if revision == "head" else None
    click.echo(
        f"The database is at {revision if revision != 'head' else migrating.current_head()}."
    )
    if login is not None:
        click.echo(f"The program logs in as {login}, which owns nothing.")


def _confirm_moving_down(settings: Settings, revision: str, *, is_agreed: bool) -> None:
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
        manifest = back_up(database, command_clock(), file)
    click.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, {_describe_manifest(manifest)}.")
    click.echo(
        f"To restore it you need the secret key with the id {manifest.key_ids[0]}, which it does not contain."
    )


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--without-keys", is_flag=True, help="Restore even if a secret key is missing.")
def restore(file: Path, *, without_keys: bool) -> None:
    """Restore the backup in FILE into an empty installation; stop the service first."""
    settings = Settings.from_environment()
    check_folders(settings)
    manifest = restore_backup(settings, command_clock(), file, is_without_keys=without_keys)
    click.echo(f"Restored: {_describe_manifest(manifest)}. Start the service and run `pms doctor`.")


def _describe_manifest(manifest: Manifest) -> str:
    made_at = manifest.made_at.strftime("%Y-%m-%d %H:%M UTC")
    return f"{manifest.kind} as of {made_at}, {manifest.files} files"
