"""The migrated schema itself keeps workspaces apart and tenancies from overlapping."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import Engine, make_url, update
from sqlalchemy.exc import IntegrityError

from pms.foundation.database import Database
from pms.foundation.db import make_engine
from pms.foundation.errors import Refused
from pms.foundation.settings import Settings
from pms.reservations.models import Reservation
from pms.rules.enumerations import ReservationKind
from pms.surfaces.command_line import installation
from pms.tables import metadata
from tests.cast import Cast, external_block, reservation
from tests.servers.postgresql import PostgreSQL

NOT_OF_A_WORKSPACE = {"heartbeat", "job_slot"} | {
    "person",
    "auth_session",
    "sign_in_code",
    "auth_tries",
    "workspace_opening",
    "kept_form",
    "sign_in_event",
}
MAY, JUNE, JULY = date(2028, 5, 1), date(2028, 6, 1), date(2028, 7, 1)


pytestmark = pytest.mark.differs("constraints and row security")


@pytest.fixture
def engine(settings: Settings) -> Engine:
    return make_engine(settings, as_owner=True)


def question(engine: Engine, sql: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        answers = [tuple(row) for row in connection.exec_driver_sql(sql)]
    engine.dispose()
    return answers


@pytest.mark.only_on("postgresql")
def test_every_table_of_a_workspace_has_row_security_even_for_its_owner(engine: Engine) -> None:
    walled = question(
        engine,
        "SELECT relname FROM pg_class JOIN pg_policy ON polrelid = pg_class.oid"
        " WHERE relkind = 'r' AND relrowsecurity AND relforcerowsecurity AND polcmd = '*'",
    )
    tables = {table.name for table in metadata.sorted_tables} - NOT_OF_A_WORKSPACE
    assert {row[0] for row in walled} == tables


@pytest.mark.only_on("postgresql")
def test_no_table_has_a_second_policy_that_widens_the_first(engine: Engine) -> None:
    policies = question(engine, "SELECT tablename, policyname, permissive FROM pg_policies")
    assert {row[1:] for row in policies} == {("workspace_wall", "PERMISSIVE")}
    assert len({row[0] for row in policies}) == len(policies)


@pytest.mark.only_on("postgresql")
def test_overlap_is_an_exclusion_constraint_on_postgresql(engine: Engine) -> None:
    constraints = question(engine, "SELECT conname FROM pg_constraint WHERE contype = 'x'")
    assert constraints == [("reservation_no_overlap",)]


@pytest.mark.only_on("sqlite")
def test_overlap_is_a_pair_of_triggers_on_sqlite(engine: Engine) -> None:
    triggers = question(
        engine, "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'reservation'"
    )
    assert {row[0] for row in triggers} >= {
        "reservation_no_overlap_insert",
        "reservation_no_overlap_update",
    }


# No double booking


def book(database: Database, cast: Cast, start: date | None, end: date | None) -> Reservation:
    with database.writing(cast.sumida.workspace_id) as session:
        booked = reservation(
            unit_id=cast.sumida.free_room_id, move_in_date=start, contract_end_date=end
        )
        session.add(booked)
    return booked


OVERLAPS = {
    "the same days": (MAY, JUNE),
    "one day too early": (date(2028, 5, 31), JULY),
    "one day too late": (date(2028, 4, 1), date(2028, 5, 2)),
    "inside": (date(2028, 5, 10), date(2028, 5, 20)),
    "around": (date(2028, 4, 1), JULY),
    "open to the end": (date(2028, 4, 1), None),
}


@pytest.mark.parametrize("days", OVERLAPS)
def test_overlapping_tenancies_of_a_unit_are_refused(
    database: Database, cast: Cast, days: str
) -> None:
    book(database, cast, MAY, JUNE)
    with pytest.raises(IntegrityError, match="reservation_no_overlap"):
        book(database, cast, *OVERLAPS[days])


def test_an_open_tenancy_refuses_every_later_one(database: Database, cast: Cast) -> None:
    book(database, cast, MAY, None)
    with pytest.raises(IntegrityError, match="reservation_no_overlap"):
        book(database, cast, date(2035, 1, 1), date(2035, 2, 1))
    book(database, cast, date(2028, 4, 1), MAY)


def test_touching_tenancies_stay_allowed(database: Database, cast: Cast) -> None:
    book(database, cast, MAY, JUNE)
    book(database, cast, JUNE, JULY)
    book(database, cast, date(2028, 4, 1), MAY)


def test_cancelled_and_undated_tenancies_do_not_count(database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            reservation(
                unit_id=cast.sumida.free_room_id,
                move_in_date=MAY,
                contract_end_date=JUNE,
                cancelled_at=datetime(2028, 1, 1, tzinfo=UTC),
            )
        )
    book(database, cast, None, None)
    book(database, cast, MAY, JUNE)


def test_taking_a_cancellation_back_is_checked_again(database: Database, cast: Cast) -> None:
    first = book(database, cast, MAY, JUNE)
    cancel = update(Reservation).where(Reservation.id == first.id)
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(cancel.values(cancelled_at=datetime(2028, 1, 1, tzinfo=UTC)))
    book(database, cast, MAY, JUNE)
    with (
        pytest.raises(IntegrityError, match="reservation_no_overlap"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        session.execute(cancel.values(cancelled_at=None))


def test_moving_days_or_the_unit_is_checked_too(database: Database, cast: Cast) -> None:
    book(database, cast, MAY, JUNE)
    later = book(database, cast, JUNE, JULY)
    with (
        pytest.raises(IntegrityError, match="reservation_no_overlap"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        moved = session.get_one(Reservation, (later.workspace_id, later.id))
        moved.override_move_in_date = date(2028, 5, 31)
    with (
        pytest.raises(IntegrityError, match="reservation_no_overlap"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        moved = session.get_one(Reservation, (later.workspace_id, later.id))
        moved.override_move_in_date = date(2026, 12, 1)
        moved.unit_id = cast.sumida.residents_room_id


def test_a_filed_move_out_lets_the_next_tenancy_in(database: Database, cast: Cast) -> None:
    first = book(database, cast, MAY, JULY)
    with database.writing(cast.sumida.workspace_id) as session:
        session.get_one(Reservation, (first.workspace_id, first.id)).move_out_date = JUNE
    book(database, cast, JUNE, JULY)


def test_the_same_room_of_the_other_workspace_is_another_room(
    database: Database, cast: Cast
) -> None:
    book(database, cast, MAY, JUNE)
    with database.writing(cast.minato.workspace_id) as session:
        session.add(
            reservation(unit_id=cast.minato.free_room_id, move_in_date=MAY, contract_end_date=JUNE)
        )


def test_external_blocks_and_guests_in_other_rooms_never_meet_the_check(
    database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(external_block(unit_id=cast.sumida.free_room_id, first_on=MAY, last_on=JULY))
    book(database, cast, MAY, JUNE)
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(
            reservation(
                unit_id=cast.sumida.guests_room_id,
                kind=ReservationKind.GUEST,
                move_in_date=MAY,
                contract_end_date=JUNE,
            )
        )


@pytest.mark.only_on("postgresql")
def test_production_refuses_a_login_above_row_security(
    settings: Settings, postgresql: PostgreSQL
) -> None:
    served = replace(settings, env="production")
    installation.check_login(served)
    name = make_url(settings.database_url).database
    url = postgresql.superuser_url.set(database=name).render_as_string(hide_password=False)
    with pytest.raises(Refused, match="PMS_DATABASE_URL: the login is a superuser"):
        installation.check_login(replace(served, database_url=url))
    installation.check_login(replace(settings, database_url=url))
