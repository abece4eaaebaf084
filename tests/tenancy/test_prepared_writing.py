"""A transaction of prepared statements alone stays in its workspace and is all or nothing."""

from typing import Any

import pytest
from sqlalchemy import bindparam, select, text, update
from sqlalchemy.exc import DBAPIError

from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.prepared_writes import PreparedChange, PreparedRows
from pms.rules.enumerations import TelemetryType
from pms.site.models import TelemetryEvent, TelemetryOpenDay
from tests.cast import LONG_AGO, Cast

ROWS = PreparedRows(
    TelemetryEvent,
    *("day_on", "type", "path", "name", "campaign", "referrer", "visitor", "occurred_at"),
)
RAISED = PreparedChange(
    TelemetryOpenDay,
    update(TelemetryOpenDay)
    .where(TelemetryOpenDay.events >= bindparam("least"))
    .values(events=TelemetryOpenDay.events + bindparam("more"))
    .returning(TelemetryOpenDay.events),
)


def row(path: str) -> tuple[Any, ...]:
    return LONG_AGO.date(), TelemetryType.EVENT, path, "", "", "", "", LONG_AGO


def paths(database: Database, workspace_id: str) -> list[str]:
    with database.reading(workspace_id) as session:
        asked = select(TelemetryEvent.path).order_by(TelemetryEvent.id)
        return list(session.scalars(asked))


@pytest.mark.parametrize("count", [1, 3, 100, 101, 250])
def test_rows_are_stored_in_their_order_whatever_their_number(
    database: Database, cast: Cast, count: int
) -> None:
    named = [f"/{number}" for number in range(count)]
    with database.writing_prepared(cast.sumida.workspace_id) as writing:
        ROWS.run(writing, [row(path) for path in named])
    assert paths(database, cast.sumida.workspace_id) == named
    assert paths(database, cast.minato.workspace_id) == []


def test_a_session_stores_the_same_rows(database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        ROWS.run(session, [row("/session")])
    with database.writing_prepared(cast.sumida.workspace_id) as writing:
        ROWS.run(writing, [row("/prepared")])
    assert paths(database, cast.sumida.workspace_id) == ["/session", "/prepared"]


def test_an_error_takes_everything_back_and_the_next_works(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with pytest.raises(KeyError), database.writing_prepared(home) as writing:
        ROWS.run(writing, [row("/lost")])
        raise KeyError
    with database.writing_prepared(home) as writing:
        ROWS.run(writing, [row("/kept")])
    assert paths(database, home) == ["/kept"]


def test_a_change_meets_rows_of_its_own_workspace_alone(database: Database, cast: Cast) -> None:
    houses = cast.sumida, cast.minato
    for house in houses:
        with database.writing(house.workspace_id) as session:
            session.add(TelemetryOpenDay(day_on=LONG_AGO.date(), salt="s"))
    with database.writing_prepared(cast.sumida.workspace_id) as writing:
        assert RAISED.run(writing, least=0, more=1) == [(1,)]
    for house, events in zip(houses, (1, 0), strict=True):
        with database.reading(house.workspace_id) as session:
            assert session.scalar(select(TelemetryOpenDay.events)) == events


def test_row_security_is_told_of_the_workspace_and_forgets_it(
    database: Database, cast: Cast
) -> None:
    if database.settings.is_sqlite:
        return  # two walls stand there
    stranger = (new_id(), cast.minato.workspace_id)
    asked = "UPDATE telemetry_open_day SET salt = %s WHERE workspace_id = %s"
    with pytest.raises(DBAPIError), database.writing_prepared(cast.sumida.workspace_id) as writing:
        writing.connection().exec_driver_sql(
            "INSERT INTO telemetry_open_day (id, workspace_id, day_on, salt, events, counted)"
            " VALUES (%s, %s, now(), '', 0, 0)",
            stranger,
        )
    with database.writing_prepared(cast.sumida.workspace_id) as writing:
        assert writing.connection().exec_driver_sql(asked, stranger).rowcount == 0
        told = text("SELECT current_setting('app.workspace', true)")
        assert writing.connection().execute(told).scalar() == cast.sumida.workspace_id
    connection = database._held_to_write.take()
    assert not connection.execute(told).scalar()
    connection.close()


def test_look_ups_before_a_workspace_is_known_go_on(database: Database, cast: Cast) -> None:
    for _ in range(2):
        with database.writing_prepared(cast.sumida.workspace_id) as writing:
            ROWS.run(writing, [row("/")])
        found = database.ask_across_workspaces(
            lambda connection: connection.scalars(select(TelemetryEvent.path)).all()
        )
    assert found == ["/", "/"]
