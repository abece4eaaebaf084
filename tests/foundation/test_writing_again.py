"""What only met other writers is done again, from its start, before anybody is told."""

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier, Timer

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

import pms
from pms.catalogue.models import Unit
from pms.foundation.database import MOST_TRIES, Database, Failure, failure_of
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.workspaces.models import Workspace
from tests.cast import Cast

PATIENCE_SECONDS = 30.0
_PMS = Path(pms.__file__).parent


@pytest.mark.only_on("postgresql")
def test_two_that_wait_for_each_other_both_come_to_their_end(
    database: Database, cast: Cast
) -> None:
    house, met = cast.sumida, Barrier(2)
    rooms = (house.residents_room_id, house.free_room_id)
    tries = {0: 0, 1: 0}

    def crossing(number: int) -> str:
        def act(session: WorkspaceSession) -> str:
            tries[number] += 1
            order = rooms if number == 0 else rooms[::-1]
            for room in order:
                locked = select(Unit).where(Unit.id == room).with_for_update()
                unit = session.scalars(locked).one()
                if tries[number] == 1 and room == order[0]:
                    met.wait(PATIENCE_SECONDS)
                unit.name = f"{unit.name}+{number}"
            return unit.name

        return database.write(house.workspace_id, act)

    with ThreadPoolExecutor(2) as threads:
        done = [one.result() for one in [threads.submit(crossing, n) for n in (0, 1)]]
    assert len(done) == 2
    assert sorted(tries.values()) == [1, 2]
    with database.reading(house.workspace_id) as session:
        names = session.scalars(select(Unit.name).where(Unit.id.in_(rooms))).all()
    # Each wrote each room once: the try that was given up left nothing.
    assert all(name.count("+0") == name.count("+1") == 1 for name in names)


@pytest.mark.only_on("postgresql")
def test_after_five_tries_the_conflict_is_told(database: Database, cast: Cast) -> None:
    tries = []

    def act(session: WorkspaceSession) -> None:
        tries.append(1)
        session.connection().exec_driver_sql(
            "DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$"
        )

    with pytest.raises(OperationalError) as met:
        database.write(cast.sumida.workspace_id, act)
    assert failure_of(met.value) is Failure.CONFLICT
    assert len(tries) == MOST_TRIES == 5


@pytest.mark.differs("locks")
def test_a_refusal_is_told_at_once(database: Database, cast: Cast) -> None:
    tries = []

    def act(_: WorkspaceSession) -> None:
        tries.append(1)
        raise Refused("name: no.")

    with pytest.raises(Refused):
        database.write(cast.sumida.workspace_id, act)
    assert len(tries) == 1


@contextmanager
def locked(database: Database) -> Iterator[sqlite3.Connection]:
    """Hold SQLite's lock for writers."""
    path = database.settings.data_dir / "pms.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


@pytest.mark.only_on("sqlite")
def test_a_writer_waits_for_the_one_before_it(database: Database, cast: Cast) -> None:
    hasty = Database(database.settings, patience_seconds=0.05)
    with locked(database) as other:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            hasty.write(cast.sumida.workspace_id, lambda session: session.connection())
        hasty.dispose()
        freeing = Timer(0.3, lambda: other.execute("ROLLBACK"))
        freeing.start()
        name = database.write(
            cast.sumida.workspace_id, lambda session: session.scalars(select(Workspace.slug)).one()
        )
        freeing.join()
    assert name == "sumida"


@pytest.mark.only_on("sqlite")
def test_what_an_answer_does_not_hang_on_waits_for_nobody(database: Database, cast: Cast) -> None:
    done = []
    with locked(database):
        database.note(cast.sumida.workspace_id, lambda _: done.append(1))
    assert not done
    database.note(cast.sumida.workspace_id, lambda _: done.append(1))
    assert done


def test_requests_and_jobs_write_in_the_way_that_is_tried_again() -> None:
    rooms = [*_PMS.glob("surfaces/**/*.py"), *_PMS.glob("jobs/*.py")]
    rooms += [*_PMS.glob("access/*.py"), *_PMS.glob("site/*.py")]
    blocks = re.compile(r"\.(?:writing|across_workspaces_writing)\(")
    found = [
        path.relative_to(_PMS).as_posix()
        for path in rooms
        if "command_line" not in path.parts and blocks.search(path.read_text())
    ]
    assert not found, "call Database.write instead (docs/decisions/locks-and-retries.md)"
