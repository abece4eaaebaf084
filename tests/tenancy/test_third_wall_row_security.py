"""The third wall: PostgreSQL shows and takes only rows of the workspace it was told about.

Everything here is raw SQL of the program's own role: no session, no criteria, no keys in the way.
"""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege
from sqlalchemy import Connection as EngineConnection
from sqlalchemy import func, select

from pms.catalogue.models import Unit
from pms.foundation.database import Database
from pms.foundation.db import APP_ROLE
from pms.tables import metadata
from tests.cast import Cast, House

pytestmark = pytest.mark.only_on("postgresql")

Link = Connection[tuple[object, ...]]


@pytest.fixture
def link(database: Database, cast: Cast) -> Iterator[Link]:
    """A connection as the program opens it, told about no workspace."""
    with psycopg.connect(database.settings.database_url.replace("+psycopg", "")) as link:
        link.execute(f"SET ROLE {APP_ROLE}")
        link.commit()
        yield link


def tell(link: Link, workspace_id: str) -> None:
    link.execute("SELECT set_config('app.workspace', %s, true)", (workspace_id,))


def tables_of_a_workspace() -> list[str]:
    return [table.name for table in metadata.sorted_tables if "workspace_id" in table.columns]


def count(link: Link, table: str) -> int:
    answer = link.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    assert answer is not None
    return int(str(answer[0]))


def test_the_program_is_neither_owner_nor_superuser(link: Link) -> None:
    answer = link.execute(
        "SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
    ).fetchone()
    assert answer == (APP_ROLE, False, False)
    owned = link.execute(
        "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user"
    ).fetchone()
    assert owned == (0,)


def test_told_nothing_every_table_is_empty(link: Link) -> None:
    assert {table: count(link, table) for table in tables_of_a_workspace()} == dict.fromkeys(
        tables_of_a_workspace(), 0
    )
    assert count(link, "workspace") == 0


def test_told_an_empty_text_every_table_is_empty(link: Link) -> None:
    tell(link, "")
    assert sum(count(link, table) for table in tables_of_a_workspace()) == 0


def test_told_of_ours_every_table_shows_ours_alone(link: Link, cast: Cast) -> None:
    tell(link, cast.sumida.workspace_id)
    for table in tables_of_a_workspace():
        found = link.execute(f'SELECT DISTINCT workspace_id FROM "{table}"').fetchall()
        assert {str(row[0]).replace("-", "") for row in found} <= {cast.sumida.workspace_id}
    assert count(link, "unit") == 4
    assert count(link, "workspace") == 1


def test_told_of_every_workspace_all_rows_are_there(link: Link) -> None:
    tell(link, "*")
    assert count(link, "unit") == 8
    assert count(link, "workspace") == 2


@pytest.mark.parametrize("text", ["ours", "nothing"])
def test_a_foreign_row_cannot_be_inserted(link: Link, cast: Cast, text: str) -> None:
    if text == "ours":
        tell(link, cast.sumida.workspace_id)
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        link.execute(
            "INSERT INTO owner (workspace_id, id, name, locale, created_at)"
            " VALUES (%s, gen_random_uuid(), '某', 'ja', now())",
            (cast.minato.workspace_id,),
        )


def test_foreign_rows_are_neither_changed_nor_deleted(link: Link, cast: Cast) -> None:
    tell(link, cast.sumida.workspace_id)
    theirs = (cast.minato.workspace_id,)
    changed = link.execute("UPDATE unit SET rent_yen = 1 WHERE workspace_id = %s", theirs)
    assert changed.rowcount == 0
    assert link.execute("UPDATE unit SET rent_yen = 1").rowcount == 4
    assert link.execute("DELETE FROM post WHERE workspace_id = %s", theirs).rowcount == 0
    assert link.execute("DELETE FROM post").rowcount == 1


def test_a_row_cannot_be_given_away(link: Link, cast: Cast) -> None:
    tell(link, cast.sumida.workspace_id)
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        link.execute("UPDATE post SET workspace_id = %s", (cast.minato.workspace_id,))


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE unit DISABLE ROW LEVEL SECURITY",
        "DROP POLICY workspace_wall ON unit",
        "TRUNCATE unit CASCADE",
        "CREATE TABLE shadow (n int)",
        "SET SESSION AUTHORIZATION postgres",
    ],
)
def test_the_program_cannot_take_the_wall_down(link: Link, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege):
        link.execute(statement)


def test_what_was_told_ends_with_the_transaction(link: Link, cast: Cast) -> None:
    tell(link, cast.sumida.workspace_id)
    link.commit()
    assert count(link, "unit") == 0
    tell(link, cast.sumida.workspace_id)
    link.rollback()
    assert count(link, "unit") == 0


def counted(connection: EngineConnection) -> int:
    return int(connection.exec_driver_sql("SELECT count(*) FROM unit").scalar_one())


def test_nothing_leaks_through_the_pool(database: Database, cast: Cast) -> None:
    ours: House = cast.sumida
    with database.writing(ours.workspace_id) as session:
        session.scalar(select(func.count(Unit.id)))
    with database.engine.connect() as connection:
        assert counted(connection) == 0
    with database.reading(ours.workspace_id) as session:
        assert counted(session.connection()) == 4
    with database.engine.connect() as connection:
        assert counted(connection) == 0
    with pytest.raises(ZeroDivisionError), database.writing(ours.workspace_id) as session:
        session.scalar(select(func.count(Unit.id)))
        raise ZeroDivisionError
    with database.engine.connect() as connection:
        assert counted(connection) == 0
    with database.across_workspaces_reading() as session:
        assert counted(session.connection()) == 8
    with database.connection_across_workspaces() as connection:
        assert counted(connection) == 8
    with database.engine.connect() as connection:
        assert counted(connection) == 0


def test_raw_sql_inside_a_session_meets_the_wall(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        assert counted(session.connection()) == 4
        tables = session.connection().execute(select(metadata.tables["unit"].c.workspace_id))
        assert {row[0] for row in tables} == {cast.sumida.workspace_id}


def test_a_commit_in_the_middle_of_a_session_keeps_its_workspace(
    database: Database, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        for end in (session.commit, session.rollback):
            end()
            assert counted(session.connection()) == 4


def test_a_session_on_an_open_connection_narrows_it(database: Database, cast: Cast) -> None:
    with (
        database.connection_across_workspaces() as connection,
        database.session_on(connection, cast.sumida.workspace_id) as session,
    ):
        assert session.scalar(select(func.count(Unit.id))) == 4
        assert counted(connection) == 4
