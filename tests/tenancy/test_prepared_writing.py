"""A transaction of prepared statements alone stays in its workspace and is all or nothing."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from sqlalchemy import bindparam, select, text, update
from sqlalchemy.exc import DBAPIError

from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.prepared_writes import PreparedChange, PreparedClaim, PreparedInsert
from pms.foundation.prepared_writing import (
    PreparedWriting,
    SessionNeededError,
    Writing,
    session_of,
)
from pms.foundation.sent_once import SentOnce
from pms.foundation.tenancy import WorkspaceSession
from pms.site.models import TelemetryOpenDay, TelemetryReport
from tests.cast import LONG_AGO, Cast

pytestmark = pytest.mark.differs("sessions and connections")

KEEP = PreparedInsert(TelemetryReport, "day_on", "told")
RAISED = PreparedChange(
    TelemetryOpenDay,
    update(TelemetryOpenDay)
    .where(TelemetryOpenDay.events >= bindparam("least"))
    .values(events=TelemetryOpenDay.events + bindparam("more"))
    .returning(TelemetryOpenDay.events),
)


CLAIM = PreparedClaim(SentOnce, "sender", "key", "at")


def claimed(writing: Writing, key: str) -> bool:
    return CLAIM.run(writing, id=new_id(), sender="person/1", key=key, at=LONG_AGO)


def keep(writing: Writing, told: str) -> None:
    KEEP.run(writing, id=new_id(), day_on=LONG_AGO.date(), told=told)


def told(database: Database, workspace_id: str) -> list[str]:
    with database.reading(workspace_id) as session:
        asked = select(TelemetryReport.told).order_by(TelemetryReport.id)
        return list(session.scalars(asked))


def test_a_session_stores_the_same_row(database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        keep(session, "/session")
    with database.writing_prepared(cast.sumida.workspace_id) as writing:
        keep(writing, "/prepared")
    assert told(database, cast.sumida.workspace_id) == ["/session", "/prepared"]


def test_an_error_takes_everything_back_and_the_next_works(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with pytest.raises(KeyError), database.writing_prepared(home) as writing:
        keep(writing, "/lost")
        raise KeyError
    with database.writing_prepared(home) as writing:
        keep(writing, "/kept")
    assert told(database, home) == ["/kept"]


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


def test_a_key_is_claimed_once_in_each_workspace(database: Database, cast: Cast) -> None:
    with database.writing_prepared(cast.sumida.workspace_id) as writing:
        assert claimed(writing, "tap")
        assert not claimed(writing, "tap")
        assert claimed(writing, "another tap")
    with database.writing(cast.sumida.workspace_id) as session:
        assert not claimed(session, "tap")
    with database.writing_prepared(cast.minato.workspace_id) as writing:
        assert claimed(writing, "tap")


def test_a_claim_that_is_taken_back_was_never_made(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with pytest.raises(KeyError), database.writing_prepared(home) as writing:
        assert claimed(writing, "tap")
        raise KeyError
    with database.writing_prepared(home) as writing:
        assert claimed(writing, "tap")


def test_a_claim_waits_for_who_is_just_making_it(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with ThreadPoolExecutor() as others, database.writing_prepared(home) as writing:
        assert claimed(writing, "tap")
        later = others.submit(
            lambda: database.write_quickly(home, lambda writing: claimed(writing, "tap"))
        )
        assert not wait([later], timeout=0.2).done
    assert not later.result()


def test_a_deed_that_needs_a_session_begins_anew_in_one(database: Database, cast: Cast) -> None:
    home, begun = cast.sumida.workspace_id, []

    def deed(writing: Writing) -> str:
        begun.append(type(writing))
        keep(writing, f"/{len(begun)}")
        asked = session_of(writing).scalar(select(TelemetryReport.told))
        return asked or ""

    assert database.write_quickly(home, deed) == "/2"
    assert begun == [PreparedWriting, WorkspaceSession]
    assert told(database, home) == ["/2"]


def test_a_refusal_keeps_the_connection_and_any_other_error_does_not(
    database: Database, cast: Cast
) -> None:
    home, met = cast.sumida.workspace_id, []
    for error in (Refused("name: no."), SessionNeededError(), KeyError(), Refused("name: no.")):
        with pytest.raises(type(error)), database.writing_prepared(home) as writing:
            met.append(writing.connection())
            keep(writing, "/lost")
            raise error
    assert [one is met[0] for one in met] == [True, True, True, False]
    assert told(database, home) == []


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
            keep(writing, "/")
        found = database.ask_across_workspaces(
            lambda connection: connection.scalars(select(TelemetryReport.told)).all()
        )
    assert found == ["/", "/"]
