"""The production set-up of the README, step by step, on a new server of PostgreSQL."""

import hashlib
import hmac
import re
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from pms.foundation.database import Database
from pms.foundation.database_logins import login_findings, prepare_login
from pms.foundation.errors import Refused
from pms.foundation.migrating import migrate
from pms.foundation.settings import Settings
from pms.jobs.worker import open_queue
from tests.cast import introduce
from tests.databases import settings_of_a_test
from tests.running.watching import ROOT
from tests.servers.absence import MissingServerError, give_up
from tests.servers.postgresql import PostgreSQL, programs_of_the_wheel, start_postgresql


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    """A server where nobody has done anything yet."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("PMS_TEST_DATABASE_URL", raising=False)
        try:
            started = start_postgresql(programs_of_the_wheel(), with_roles=False)
        except MissingServerError as missing:
            give_up(str(missing))
    block = re.search(r"```sql\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block is not None
    for statement in block[1].split(";"):
        if statement.strip():
            started.run(sql.SQL(statement).format())
    yield started
    started.stop()


@pytest.fixture
def production(server: PostgreSQL, tmp_path: Path) -> Settings:
    """The settings of the README's third step."""
    return settings_of_a_test(
        tmp_path,
        PMS_DATABASE_URL=server.url("pms", "pms_program").replace(
            "pms_program@", "pms_program:x%25y@"
        ),
        PMS_OWNER_DATABASE_URL=server.url("pms", "pms_owner"),
    )


def test_one_command_with_the_owners_login_makes_everything_the_program_needs(
    server: PostgreSQL, production: Settings
) -> None:
    migrate(production)
    assert prepare_login(production) == "pms_program"
    assert prepare_login(production) == "pms_program", "a second release changes nothing"

    alone = replace(production, owner_database_url=production.database_url, env="production")
    database = Database(alone)
    cast = introduce(database)
    with database.reading(cast.sumida.workspace_id) as session:
        seen = session.connection().exec_driver_sql("SELECT session_user, count(*) FROM unit")
        assert tuple(seen.one()) == ("pms_program", 4)
    (finding,) = login_findings(database)
    assert (finding.is_well, finding.detail.split(" ")[0]) == (True, "pms_program")
    queue = open_queue(alone)
    queue.storage.enqueue(b"a task")
    assert queue.storage.dequeue() == b"a task"
    queue.storage.close()
    database.dispose()
    kept = "SELECT rolpassword FROM pg_authid WHERE rolname = 'pms_program'"
    superuser = server.url("pms", "postgres").replace("+psycopg", "")
    with psycopg.connect(superuser) as link:
        assert scram_fits("x%y", str((link.execute(kept).fetchone() or ("",))[0]))
    plain = server.url("pms", "pms_program").replace("+psycopg", "")
    with psycopg.connect(plain) as link, pytest.raises(psycopg.errors.InsufficientPrivilege):
        link.execute("ALTER TABLE unit DISABLE ROW LEVEL SECURITY")


def scram_fits(password: str, kept: str) -> bool:
    """Whether PostgreSQL keeps this password: its stored key follows from it."""
    _, made, keys = kept.split("$")
    iterations, salt = made.split(":")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), b64decode(salt), int(iterations))
    client = hmac.new(salted, b"Client Key", hashlib.sha256).digest()
    return b64decode(keys.split(":")[0]) == hashlib.sha256(client).digest()


@pytest.mark.parametrize(
    ("login", "what"), [("postgres", "is a superuser"), ("pms_owner", "owns the tables")]
)
def test_the_doctor_tells_a_login_that_row_security_does_not_bind(
    login: str, what: str, server: PostgreSQL, production: Settings
) -> None:
    migrate(production)
    free = replace(production, database_url=server.url("pms", login), env="production")
    database = Database(free)
    (finding,) = login_findings(database)
    database.dispose()
    assert not finding.is_well
    assert what in finding.detail
    assert "PMS_OWNER_DATABASE_URL" in finding.remedy


def test_an_owner_who_may_make_no_login_is_told_what_to_run(
    server: PostgreSQL, production: Settings
) -> None:
    migrate(production)
    server.run(sql.SQL("CREATE ROLE modest LOGIN").format())
    modest = replace(
        production,
        owner_database_url=server.url("pms", "modest"),
        database_url=server.url("pms", "another"),
    )
    with pytest.raises(Refused, match="CREATE ROLE another LOGIN NOSUPERUSER"):
        prepare_login(modest)
