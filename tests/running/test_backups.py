"""A backup holds everything, is made while the service works, and fills an empty installation."""

import hashlib
import os
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select

from pms.catalogue.checks import WrittenOwner
from pms.catalogue.owners import add_owner
from pms.foundation.backups import back_up, last_backup, restore
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import make_engine
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.tenancy import EVERY_WORKSPACE, announce
from pms.foundation.work import Work
from pms.jobs.resealing import seal_anew
from pms.tables import metadata
from tests.cast import Cast
from tests.databases import postgresql_settings, settings_of_a_test
from tests.ledger.full_ledger import fill
from tests.servers.postgresql import PostgreSQL
from tests.surfaces.command_line.conftest import Operator, operator

OF_THE_MOMENT = {"heartbeat", "job_slot", "bank_change", "bank_matching", "bank_verdict"}
OF_THE_MOMENT |= {"bank_verdict_payee", "bank_reading", "bank_reading_key", "kept_figure"}
__all__ = ["operator"]
LEDGER = {"ledger_entry", "ledger_line", "payment", "allocation"}
on_both = pytest.mark.differs("row security, and how a database is copied")


@pytest.fixture
def elsewhere(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Settings]:
    """An installation of the same kind where nothing is yet."""
    if settings.is_sqlite:
        yield settings_of_a_test(tmp_path / "elsewhere")
        return
    server: PostgreSQL = request.getfixturevalue("postgresql")
    name = f"pms_restored_{os.getpid()}"
    server.drop_database(name)
    server.make_database(name)
    yield postgresql_settings(tmp_path / "elsewhere", server, name)
    server.drop_database(name)


def hashes(settings: Settings) -> dict[str, str]:
    """The hash of every row of every table."""
    engine = make_engine(settings, as_owner=True)
    with engine.connect() as connection:
        if not settings.is_sqlite:
            announce(connection, EVERY_WORKSPACE)
        found = {
            table.name: hashlib.sha256(
                repr(
                    [
                        tuple(row)
                        for row in connection.execute(
                            select(table).order_by(*table.primary_key.columns)
                        )
                    ]
                ).encode()
            ).hexdigest()
            for table in metadata.sorted_tables
            if table.name not in OF_THE_MOMENT
        }
    engine.dispose()
    return found


@on_both
def test_a_restored_installation_is_the_same_to_the_last_row_and_file(
    settings: Settings,
    database: Database,
    cast: Cast,
    clock: FixedClock,
    elsewhere: Settings,
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        fill(session, buildings=1, units=2)
    key = Files(settings).put_alone(b"a passport", "webp")
    file = settings.data_dir / "backup.tar.gz"
    assert back_up(database, clock, file).files == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert last_backup(database) == clock.now()

    restore(elsewhere, clock, file)
    before, after = hashes(settings), hashes(elsewhere)
    assert {name for name in before if before[name] != after[name]} == set()
    assert Files(elsewhere).get(key) == b"a passport"
    empty = hashlib.sha256(b"[]").hexdigest()
    assert not {name for name in LEDGER if after[name] == empty}
    with pytest.raises(Refused, match="The database contains data"):
        restore(elsewhere, clock, file)


@on_both
def test_people_go_on_working_while_it_is_made(
    database: Database, cast: Cast, clock: FixedClock, elsewhere: Settings, tmp_path: Path
) -> None:
    begun, ended = Event(), Event()
    added: list[str] = []

    def work() -> None:
        while not ended.is_set():
            with database.writing(cast.sumida.workspace_id) as session:
                added.append(
                    add_owner(Work(session, clock, "x"), written=WrittenOwner(name="Ogawa"))
                )
            begun.set()

    worker = Thread(target=work)
    worker.start()
    begun.wait(10)
    try:
        back_up(database, clock, tmp_path / "backup.tar.gz")
    finally:
        ended.set()
        worker.join()
    restore(elsewhere, clock, tmp_path / "backup.tar.gz")
    other = Database(elsewhere)
    with other.reading(cast.sumida.workspace_id) as session:
        owners = (
            session.connection()
            .exec_driver_sql(
                "SELECT (SELECT count(*) FROM owner WHERE name = 'Ogawa'),"
                " (SELECT count(*) FROM audit_record WHERE deed = 'owner.added')"
            )
            .one()
        )
    other.dispose()
    assert owners[0] == owners[1]
    assert 1 <= owners[0] <= len(added)


@pytest.fixture
def made(database: Database, cast: Cast, clock: FixedClock, tmp_path: Path) -> Path:
    """The backup of an installation with the cast in it."""
    back_up(database, clock, tmp_path / "backup.tar.gz")
    return tmp_path / "backup.tar.gz"


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2000])


def without_manifest(path: Path) -> None:
    with tarfile.open(path, "w:gz"):
        pass


def with_a_way_out(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        archive.add(__file__, "files/../../outside")


@pytest.mark.parametrize("spoil", [cut, without_manifest, with_a_way_out])
def test_what_is_no_whole_backup_writes_nothing(
    spoil: Callable[[Path], None], made: Path, elsewhere: Settings, clock: FixedClock
) -> None:
    spoil(made)
    with pytest.raises(Refused, match=r"is not a( complete)? backup|not a complete backup"):
        restore(elsewhere, clock, made)
    assert list(elsewhere.data_dir.iterdir()) == []


def test_a_missing_secret_key_is_told_before_anything_is_written(
    made: Path, elsewhere: Settings, clock: FixedClock
) -> None:
    other = replace(elsewhere, secret_key="another")
    with pytest.raises(Refused, match="PMS_SECRET_KEY lacks the keys"):
        restore(other, clock, made)
    assert list(elsewhere.data_dir.iterdir()) == []
    restore(other, clock, made, is_without_keys=True)


def test_a_backup_of_before_a_new_secret_is_restored_and_sealed_under_it(
    settings: Settings, database: Database, clock: FixedClock, elsewhere: Settings, tmp_path: Path
) -> None:
    key = Files(settings).put_alone(b"a passport", "webp")
    file = tmp_path / "before.tar.gz"
    back_up(database, clock, file)
    new = "a-new-secret-key-of-many-different-letters-0123456789"
    rotated = replace(elsewhere, secret_key=f"{new},{settings.secret_key}")
    restore(rotated, clock, file)
    restored = Database(rotated)
    assert [one.done for one in seal_anew(restored).values()][-1] == 1
    restored.dispose()
    assert Files(replace(rotated, secret_key=new)).get(key) == b"a passport"


def test_a_backup_overwrites_nothing(database: Database, made: Path, clock: FixedClock) -> None:
    with pytest.raises(Refused, match="already exists"):
        back_up(database, clock, made)
    with pytest.raises(Refused, match="cannot be written"):
        back_up(database, clock, made.parent / "nowhere" / "backup.tar.gz")


@pytest.mark.only_on("sqlite")
def test_the_commands_say_what_they_did_and_the_doctor_knows_the_age(
    operator: Operator, elsewhere: Settings, tmp_path: Path
) -> None:
    assert "backup: no backup yet" in operator.types("doctor").out
    said = operator.types(f"backup {tmp_path / 'one.tar.gz'}")
    assert (said.code, "secret key with the id" in said.out) == (0, True), said.err
    assert "backup: the last one is 0 h old" in operator.types("doctor").out
    operator.monkeypatch.setenv("PMS_DATA_DIR", str(elsewhere.data_dir))
    operator.monkeypatch.setenv("PMS_DATABASE_URL", elsewhere.database_url)
    operator.monkeypatch.setenv("PMS_OWNER_DATABASE_URL", elsewhere.database_url)
    said = operator.types(f"restore {tmp_path / 'one.tar.gz'}")
    assert said.out.startswith("Restored: sqlite as of"), said.err
