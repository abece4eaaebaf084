"""Backs an installation up to one file and restores an installation from such a file.

The file is a compressed tar: the stored files, the database (SQLite's own copy, or PostgreSQL's
tables as COPY writes them), and last `manifest.json`. It can be written while the service runs:
first the database as of one instant, then the files, so that every file the database names is
included. The secret keys are not in it, only the ids of those that open what is sealed.
"""

import os
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, make_url
from sqlalchemy.exc import OperationalError

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.db import READ_ONLY, make_engine
from pms.foundation.errors import Refused
from pms.foundation.migrating import MIGRATIONS, database_head, migrate
from pms.foundation.phrases import join_with_commas
from pms.foundation.readiness import MOST_SILENCE, WORKER, beat, last_beat
from pms.foundation.settings import Settings
from pms.foundation.tenancy import EVERY_WORKSPACE, announce
from pms.foundation.tokens import Signer

BACKUP: Final = "backup"
"""The name under which the last backup is recorded among the heartbeats."""
_FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_SQLITE: Final = "pms.sqlite3"
_VERDICTS: Final = ("bank_change", "bank_matching", "bank_reading", "bank_verdict")
_MADE_ANEW: Final = ("entry_total", "kept_figure", *_VERDICTS)
_OF_THE_MOMENT: Final = ("alembic_version", "request_budget", "huey", *_MADE_ANEW)
"""Prefixes of tables that are not backed up: revision, request counts, queue and what is made anew."""
_LEFT_BY_A_START: Final = ("heartbeat", "job_slot")
_PIECE: Final = 1 << 20
_BROKEN: Final = (tarfile.TarError, EOFError, OSError, zlib.error, msgspec.DecodeError)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup says about itself; `tables` are in the order in which they can be filled."""

    format: int
    made_at: datetime
    kind: str
    revision: str
    key_ids: list[str]
    tables: dict[str, list[str]]
    files: int


def back_up(database: Database, clock: Clock, target: Path) -> Manifest:
    """Write a backup to a new file that only this user can read."""
    if target.exists():
        raise Refused("{file} already exists. Choose another name.", file=str(target))
    part = target.with_name(f"{target.name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as raw:
            with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=3) as archive:
                manifest = _write_archive(database, clock, archive, target.parent)
            raw.flush()
            os.fsync(raw.fileno())
        part.rename(target)
    except OSError as failure:
        reason = (failure.strerror or str(failure)).lower()
        raise Refused(
            "{file} cannot be written: {reason}.", file=str(target), reason=reason
        ) from failure
    finally:
        part.unlink(missing_ok=True)
    with database.across_workspaces_writing() as session:
        beat(session, BACKUP, clock)
    return manifest


def restore(
    settings: Settings, clock: Clock, source: Path, *, is_without_keys: bool = False
) -> Manifest:
    """Fill an empty installation from a backup and migrate it to the newest revision.

    Raises `Refused` before anything is written: for a file that is no complete backup, that comes
    from the other kind of database or a newer release, or that needs a missing key, and for an
    installation with data or a running worker.
    """
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="restoring-", dir=settings.data_dir) as name:
        folder = Path(name)
        manifest = _unpack_archive(source, folder)
        _check_manifest(settings, manifest, is_without_keys=is_without_keys)
        _refuse_data(settings, clock)
        for path in (folder / "files").glob("*/*"):
            place = settings.files_dir / path.parent.name
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.chmod(0o600)
            path.replace(place / path.name)
        if settings.is_sqlite:
            copy = folder / _SQLITE
            target = Path(str(make_url(settings.database_url).database))
            for end in ("-wal", "-shm"):
                target.with_name(target.name + end).unlink(missing_ok=True)
            copy.chmod(0o600)
            shutil.move(copy, target)
        else:
            migrate(settings, manifest.revision)
            _restore_postgresql(settings, manifest, folder / "tables")
    migrate(settings)
    return manifest


def last_backup(database: Database) -> datetime | None:
    """Return when the last backup was made, `None` before the first."""
    with database.across_workspaces_reading() as session:
        return last_beat(session, BACKUP)


def _write_archive(
    database: Database, clock: Clock, archive: tarfile.TarFile, scratch: Path
) -> Manifest:
    settings, made_at = database.settings, clock.now()
    with TemporaryDirectory(prefix=".pms-backup-", dir=scratch) as name:
        dump = _dump_sqlite if settings.is_sqlite else _dump_postgresql
        revision, tables = dump(settings, archive, Path(name))
        files = 0
        for path in sorted(settings.files_dir.glob("*/*")):
            try:
                archive.add(path, f"files/{path.parent.name}/{path.name}", recursive=False)
            except FileNotFoundError:
                continue  # deleted meanwhile; no lock prevents that
            files += 1
        manifest = Manifest(
            format=_FORMAT,
            made_at=made_at,
            kind=_database_kind(settings),
            revision=revision,
            key_ids=list(database.signer.key_ids),
            tables=tables,
            files=files,
        )
        (Path(name) / _MANIFEST).write_bytes(msgspec.json.encode(manifest))
        archive.add(Path(name) / _MANIFEST, _MANIFEST)
    return manifest


def _database_kind(settings: Settings) -> str:
    return "sqlite" if settings.is_sqlite else "postgresql"


def _dump_sqlite(
    settings: Settings, archive: tarfile.TarFile, scratch: Path
) -> tuple[str, dict[str, list[str]]]:
    copy = scratch / _SQLITE
    engine = make_engine(settings).execution_options(**{READ_ONLY: True})
    with _open_connection(engine) as connection:
        revision = database_head(connection)
        driver: Any = connection.connection.driver_connection
        with closing(sqlite3.connect(copy)) as target:
            driver.backup(target)
    archive.add(copy, _SQLITE)
    return _known_revision(revision), {}


def _dump_postgresql(
    settings: Settings, archive: tarfile.TarFile, scratch: Path
) -> tuple[str, dict[str, list[str]]]:
    """Copy each table from one snapshot, with row security set to every workspace."""
    engine = make_engine(settings).execution_options(isolation_level="REPEATABLE READ")
    with _open_connection(engine) as connection:
        announce(connection, EVERY_WORKSPACE, read_only=True)
        revision = _known_revision(database_head(connection))
        tables = _columns_by_table(connection)
        driver: Any = connection.connection.driver_connection
        for table, columns in tables.items():
            path = scratch / table
            copying = f'COPY "{table}" ({_list_columns(columns)}) TO STDOUT'
            with path.open("wb") as out, driver.cursor() as cursor, cursor.copy(copying) as rows:
                for part in rows:
                    out.write(part)
            archive.add(path, f"tables/{table}")
            path.unlink()
    return revision, tables


def _columns_by_table(connection: Connection) -> dict[str, list[str]]:
    """Return the columns to copy of every table, referenced tables first."""
    asked = inspect(connection)
    found: dict[str, list[str]] = {}
    for table, _ in asked.get_sorted_table_and_fkc_names():
        if table is not None and not table.startswith(_OF_THE_MOMENT):
            columns = asked.get_columns(table)
            found[table] = [str(column["name"]) for column in columns if "computed" not in column]
    return found


def _list_columns(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)


def _known_revision(revision: str | None) -> str:
    if revision is None:
        raise Refused("There is nothing to back up: the database is empty.")
    return revision


def _unpack_archive(source: Path, folder: Path) -> Manifest:
    try:
        with tarfile.open(source, "r:gz") as archive:
            for member in archive:
                if not member.isfile() or not _is_own(member.name):
                    raise Refused("{file} is not a backup of this program.", file=str(source))
                archive.extract(member, folder, filter="data")
        manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=Manifest)
    except _BROKEN as failure:
        raise Refused("{file} is damaged or not a complete backup.", file=str(source)) from failure
    if len(list((folder / "files").glob("*/*"))) != manifest.files:
        raise Refused("{file} is damaged or not a complete backup.", file=str(source))
    return manifest


def _is_own(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return parts in ((_MANIFEST,), (_SQLITE,)) or (
        ".." not in parts and (parts[0], len(parts)) in (("files", 3), ("tables", 2))
    )


def _check_manifest(settings: Settings, manifest: Manifest, *, is_without_keys: bool) -> None:
    if manifest.format != _FORMAT:
        raise Refused("The backup was made by a newer release.")
    if manifest.kind != _database_kind(settings):
        raise Refused(
            "The backup was made on {made}, but PMS_DATABASE_URL is {named}.",
            made=manifest.kind,
            named=_database_kind(settings),
        )
    known = {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if manifest.revision not in known:
        raise Refused("The backup was made by a newer release.")
    missing = [
        key_id for key_id in manifest.key_ids if key_id not in Signer(settings.secret_key).key_ids
    ]
    if missing and not is_without_keys:
        raise Refused(
            "PMS_SECRET_KEY lacks the keys {keys} that the backup needs. Add them after the "
            "first one, separated by commas, or restore --without-keys.",
            keys=join_with_commas(missing),
        )


def _refuse_data(settings: Settings, clock: Clock) -> None:
    database = Database(settings)
    try:
        with database.connection_across_workspaces() as connection:
            if database_head(connection) is None:
                return
            there = inspect(connection).get_table_names()
            asked = [name for name in ("workspace", "person") if name in there]
            for name in asked:
                if connection.exec_driver_sql(f"SELECT 1 FROM {name} LIMIT 1").first() is not None:
                    raise Refused("The database contains data. Restore into an empty one.")
        with database.across_workspaces_reading() as session:
            seen_at = last_beat(session, WORKER)
    except OperationalError:
        return  # there is no database yet
    finally:
        database.dispose()
    if seen_at is not None and clock.now() - seen_at < MOST_SILENCE + timedelta(seconds=1):
        raise Refused("A worker is running. Stop the service first.")


def _restore_postgresql(settings: Settings, manifest: Manifest, folder: Path) -> None:
    with _open_connection(make_engine(settings, as_owner=True)) as connection:
        announce(connection, EVERY_WORKSPACE)
        for table in _LEFT_BY_A_START:
            connection.exec_driver_sql(f"DELETE FROM {table}")
        known = _columns_by_table(connection)
        driver: Any = connection.connection.driver_connection
        for table, columns in manifest.tables.items():
            if table not in known or not set(columns) <= set(known[table]):
                raise Refused("The backup contains an unknown table {table}.", table=table)
            with driver.cursor() as cursor:
                _fill_table(cursor, table, _list_columns(columns), folder / table)
        connection.commit()


def _fill_table(cursor: Any, table: str, columns: str, source: Path) -> None:
    """Copy the rows through a temporary table: COPY cannot write where row security applies."""
    run = cursor.execute
    run(f'CREATE TEMPORARY TABLE taken ON COMMIT DROP AS SELECT {columns} FROM "{table}" LIMIT 0')
    with source.open("rb") as content, cursor.copy(f"COPY taken ({columns}) FROM STDIN") as rows:
        while part := content.read(_PIECE):
            rows.write(part)
    run(f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM taken')
    run("DROP TABLE taken")


@contextmanager
def _open_connection(engine: Engine) -> Iterator[Connection]:
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()
