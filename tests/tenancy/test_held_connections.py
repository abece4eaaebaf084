"""The connection kept for the hot paths answers before a workspace is known, and nothing else."""

from functools import partial

from sqlalchemy import Connection, bindparam, func, select, text

from pms.catalogue.models import Unit
from pms.foundation.database import Database
from pms.foundation.prepared import Prepared
from tests.cast import LONG_AGO, Cast


def units(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(Unit)) or 0


_counted = Prepared(select(func.count()).select_from(Unit))


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
    wanted = Prepared(
        select(Unit.id, Unit.features, Unit.rent_yen, Unit.created_at).where(
            Unit.id == bindparam("id", type_=Unit.id.type)
        )
    )
    for id_, found in ((cast.sumida.free_room_id, True), ("0" * 32, False)):
        row = database.ask_across_workspaces(partial(wanted.first, id=id_))
        assert row == ((id_, ["エアコン"], 93_000, LONG_AGO) if found else None)
