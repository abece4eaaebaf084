"""Checks whether the service can work: its database, its worker, its last backup."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Select, String, create_engine, delete, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.budget import open_storage
from pms.foundation.budget.rolling_window import BudgetUnavailable
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.db import Base, Instant
from pms.foundation.migrating import current_head, database_head
from pms.foundation.settings import Settings
from pms.foundation.tenancy import OfEveryone


class Heartbeat(OfEveryone, Base):
    """When a kind of process last reported that it is alive."""

    __tablename__ = "heartbeat"

    name: Mapped[str] = mapped_column(String, primary_key=True)
    beat_at: Mapped[datetime] = mapped_column(Instant)


class JobSlot(OfEveryone, Base):
    """A period of a scheduled job that a worker has taken."""

    __tablename__ = "job_slot"

    schedule: Mapped[str] = mapped_column(String, primary_key=True)
    slot: Mapped[str] = mapped_column(String, primary_key=True)
    taken_at: Mapped[datetime] = mapped_column(Instant)
    done: Mapped[int | None]


def note_done(session: Session, schedule: str, done: int) -> None:
    """Note on the newest slot of a job how much it did; the session writes across workspaces."""
    slot = session.scalars(_newest_slots(schedule)).first()
    if slot is not None:
        slot.done = done


def last_done(session: Session, schedule: str) -> tuple[datetime, int] | None:
    """Return when a job last noted how much it did, and how much."""
    slot = session.scalars(_newest_slots(schedule).where(JobSlot.done.is_not(None))).first()
    return None if slot is None or slot.done is None else (slot.taken_at, slot.done)


def _newest_slots(schedule: str) -> Select[JobSlot]:
    newest_first = select(JobSlot).order_by(JobSlot.taken_at.desc())
    return newest_first.where(JobSlot.schedule == schedule).limit(1)


def beat(session: Session, name: str, clock: Clock) -> None:
    """Record a heartbeat of `name`."""
    session.merge(Heartbeat(name=name, beat_at=clock.now()))


def last_beat(session: Session, name: str) -> datetime | None:
    """Return the last heartbeat of `name`."""
    heartbeat = session.get(Heartbeat, name)
    return heartbeat.beat_at if heartbeat else None


def take_slot(database: Database, schedule: str, slot: str, clock: Clock) -> bool:
    """Whether this worker is the first to take the slot; each is taken once."""
    try:
        database.write_across_workspaces(
            lambda session: session.add(JobSlot(schedule=schedule, slot=slot, taken_at=clock.now()))
        )
    except IntegrityError:
        return False
    return True


def forget_slots(session: Session, clock: Clock, older_than: timedelta) -> None:
    """Delete slots taken longer ago; the session writes across workspaces."""
    session.execute(delete(JobSlot).where(JobSlot.taken_at < clock.now() - older_than))


WORKER = "worker"
SWEEP = "sweep_files"
"""The job that deletes files that no record names."""
BUDGET = "request budget"
DISK = "disk"
LEAST_FREE_MEBIBYTES = 16
_MEBIBYTE = 1024 * 1024
SQLITE_VERSION = sqlite3.sqlite_version
MOST_SILENCE = timedelta(seconds=90)


@dataclass(frozen=True)
class Finding:
    """The result of one check: what was checked, whether it passed, and the remedy when not."""

    name: str
    is_well: bool
    detail: str
    remedy: str = ""


def readiness(database: Database, clock: Clock) -> list[Finding]:
    """Return the checks that must pass before requests are sent to this process."""
    migration = _run_check("database", lambda: _check_migration(database))
    folder = database.settings.data_dir
    free = shutil.disk_usage(nearest_existing(folder)).free
    detail = f"{free // _MEBIBYTE} MiB free for {folder}"
    remedy = "Make room on this disk. Until then pages can be read, and nothing can be saved."
    disk = Finding(DISK, free >= LEAST_FREE_MEBIBYTES * _MEBIBYTE, detail, remedy)
    if not migration.is_well:
        return [migration, disk]
    return [
        Finding("database", True, "answers"),
        migration,
        _run_check("worker", lambda: _check_worker(database, clock)),
        *_check_budget(database.settings),
        disk,
    ]


def _check_budget(settings: Settings) -> Iterator[Finding]:
    """Check the server that stores the request budgets and the job queue."""
    if not settings.redis_url:
        return
    storage = open_storage(settings)
    try:
        storage.last_use("doctor")
        yield Finding(BUDGET, True, "Valkey answers")
    except BudgetUnavailable as failure:
        detail = f"Valkey does not answer: {_first_line(failure.__cause__)}"
        yield Finding(BUDGET, False, detail, "Check PMS_REDIS_URL and that server.")
    finally:
        storage.close()


def folder_findings(settings: Settings) -> Iterator[Finding]:
    """Check that the configured folders can be written, including those not created yet."""
    folders = {"data folder": settings.data_dir, "files": settings.files_dir}
    if not settings.smtp_url:
        folders["mail folder"] = settings.mail_dir
    for name, folder in folders.items():
        yield _check_folder(name, folder)


def powers_of_login(settings: Settings) -> str | None:
    """Say in words what lets the program's login bypass row security; `None` when nothing does.

    A server that does not answer gives no result here: another check reports that.
    """
    if settings.is_sqlite:
        return None
    engine = create_engine(settings.database_url)
    try:
        with engine.connect() as connection:
            asked = "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = session_user"
            is_superuser, passes_by = connection.exec_driver_sql(asked).one()
    except SQLAlchemyError:
        return None
    finally:
        engine.dispose()
    if is_superuser:
        return "a superuser"
    return "a role with BYPASSRLS" if passes_by else None


def nearest_existing(folder: Path) -> Path:
    """Return the folder, or its closest parent that exists."""
    return next(path for path in (folder, *folder.parents) if path.exists())


def _check_folder(name: str, folder: Path) -> Finding:
    ground = nearest_existing(folder)
    if ground.is_dir() and os.access(ground, os.W_OK | os.X_OK):
        return Finding(name, True, f"{folder} can be written")
    reason = "cannot be written" if ground.is_dir() else "is not a folder"
    remedy = "Give this user the right to write there, or set PMS_DATA_DIR to another folder."
    return Finding(name, False, f"{ground} {reason}", remedy)


def _run_check(name: str, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except SQLAlchemyError as error:
        return Finding(
            name,
            False,
            _first_line(getattr(error, "orig", error)),
            "Run `pms migrate`; else check PMS_DATABASE_URL and the server.",
        )


def _first_line(value: object) -> str:
    return str(value).strip().split("\n")[0]


def _check_migration(database: Database) -> Finding:
    with database.connection_across_workspaces() as connection:
        current, head = database_head(connection), current_head()
    if current == head:
        return Finding("migration", True, f"{head}, the newest")
    detail = f"the database is at {current or 'nothing'}, this program needs {head}"
    return Finding("migration", False, detail, "Run `pms migrate`.")


def _check_worker(database: Database, clock: Clock) -> Finding:
    with database.across_workspaces_reading() as session:
        seen_at = last_beat(session, WORKER)
    remedy = "Start `pms worker` (or `pms run`), and read its log."
    if seen_at is None:
        return Finding("worker", False, "no worker has ever been seen", remedy)
    silence = clock.now() - seen_at
    detail = f"last seen {int(silence.total_seconds())} s ago"
    return Finding("worker", silence <= MOST_SILENCE, detail, remedy)
