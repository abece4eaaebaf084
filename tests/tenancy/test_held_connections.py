"""The connection kept for the hot paths answers before a workspace is known, and nothing else."""

from sqlalchemy import Connection, func, select, text

from pms.catalogue.models import Unit
from pms.foundation.database import Database
from tests.cast import Cast


def units(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(Unit)) or 0


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
    if not database.settings.is_sqlite:
        end = text("SELECT pg_terminate_backend(:pid)")
        pid = database.ask_across_workspaces(lambda c: c.scalar(text("SELECT pg_backend_pid()")))
        with database.connection_across_workspaces() as another:
            another.execute(end, {"pid": pid})
    assert database.ask_across_workspaces(units) == 8
