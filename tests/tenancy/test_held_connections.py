"""The connection kept for the hot paths answers before a workspace is known, and nothing else."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, bindparam, event, func, literal, select, text
from sqlalchemy.orm import aliased

from pms.catalogue.models import Unit
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.prepared import PreparedInWorkspace, PreparedStatement, among
from pms.foundation.tenancy import WallTouchedError
from tests.cast import LONG_AGO, Cast, unit

pytestmark = pytest.mark.differs("sessions and connections")


def units(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(Unit)) or 0


_counted = PreparedStatement(select(func.count()).select_from(Unit))


def prepared_units(connection: Connection) -> int:
    row = _counted.first(connection)
    assert row is not None
    return int(row[0])


def test_it_sees_every_workspace_and_stays_open(database: Database, cast: Cast) -> None:
    seen = [database.ask_across_workspaces(lambda connection: connection) for _ in range(2)]
    assert seen[0] is seen[1]
    assert database.ask_across_workspaces(units) == 8


def test_no_session_ever_gets_what_it_may_see(database: Database, cast: Cast) -> None:
    database.ask_across_workspaces(units)
    database.dispose()
    for _ in range(3):
        with database.reading(cast.sumida.workspace_id) as session:
            assert session.scalar(select(func.count(Unit.id))) == 4


def test_it_sees_at_once_what_others_write(database: Database, cast: Cast) -> None:
    database.ask_across_workspaces(units)
    with database.writing(cast.sumida.workspace_id) as session:
        session.delete(session.get_one(Unit, (cast.sumida.workspace_id, cast.sumida.free_room_id)))
    assert database.ask_across_workspaces(units) == 7


@pytest.mark.parametrize("ask", [units, prepared_units])
def test_a_verb_that_fails_after_a_look_up_leaves_nothing(
    database: Database, cast: Cast, ask: Callable[[Connection], int]
) -> None:
    """However the look-up was asked, what follows on the same connection is one transaction."""
    home = cast.sumida.workspace_id
    for _ in range(2):
        database.ask_across_workspaces(ask)
        with pytest.raises(KeyError), database.writing(home) as session:
            session.add(unit(id=new_id(), building_id=cast.sumida.building_id, name="999"))
            session.flush()
            raise KeyError
    assert database.ask_across_workspaces(ask) == 8


def test_a_lost_connection_is_replaced_unnoticed(database: Database, cast: Cast) -> None:
    for ask in (units, prepared_units):
        database.ask_across_workspaces(ask)
        end_the_held_connection(database)
        assert database.ask_across_workspaces(ask) == 8


def end_the_held_connection(database: Database) -> None:
    if database.settings.is_sqlite:  # a file has nobody who could end it
        return
    end, own = text("SELECT pg_terminate_backend(:pid)"), text("SELECT pg_backend_pid()")
    pid = database.ask_across_workspaces(lambda connection: connection.scalar(own))
    with database.connection_across_workspaces() as another:
        another.execute(end, {"pid": pid})


def test_a_prepared_statement_reads_its_columns_by_their_types(
    database: Database, cast: Cast
) -> None:
    wanted = PreparedStatement(
        select(Unit.id, Unit.features, Unit.rent_yen, Unit.created_at).where(
            Unit.id == bindparam("id", type_=Unit.id.type)
        )
    )
    for id_, found in ((cast.sumida.free_room_id, True), ("0" * 32, False)):
        row = database.ask_across_workspaces(partial(wanted.first, id=id_))
        assert row == ((id_, ["エアコン"], 93_000, LONG_AGO) if found else None)


def test_a_prepared_statement_is_seen_by_whoever_watches(database: Database, cast: Cast) -> None:
    seen: list[str] = []

    def watch(*given: Any) -> None:
        seen.append(given[2])

    database.ask_across_workspaces(prepared_units)
    event.listen(Engine, "before_cursor_execute", watch)
    database.ask_across_workspaces(prepared_units)
    event.remove(Engine, "before_cursor_execute", watch)
    database.ask_across_workspaces(prepared_units)
    assert len(seen) == 1 and "count" in seen[0]


def test_a_prepared_statement_carries_the_wall_of_the_session(
    database: Database, cast: Cast
) -> None:
    other = aliased(Unit)
    beside = select(func.count(other.id)).where(other.rent_yen.is_not(None)).scalar_subquery()
    wanted = PreparedInWorkspace(select(Unit.id, beside).where(among(Unit.id, "ids")))
    everyones = [house.free_room_id for house in (cast.sumida, cast.minato)]
    for house in (cast.sumida, cast.minato):
        with database.reading(house.workspace_id) as session:
            assert wanted.all(session, ids=everyones) == [(house.free_room_id, 4)]
    with database.across_workspaces_reading() as session, pytest.raises(WallTouchedError):
        wanted.all(session, ids=everyones)
    bare = PreparedInWorkspace(select(literal(1)))
    with database.reading(cast.sumida.workspace_id) as session, pytest.raises(WallTouchedError):
        bare.all(session)


def test_a_prepared_statement_sees_what_its_session_is_about_to_write(
    database: Database, cast: Cast
) -> None:
    named = PreparedInWorkspace(select(Unit.name).where(among(Unit.id, "ids")))
    with database.writing(cast.sumida.workspace_id) as session:
        unit = session.get_one(Unit, (cast.sumida.workspace_id, cast.sumida.free_room_id))
        unit.name = "103"
        assert named.all(session, ids=[unit.id]) == [("103",)]
