"""Audit events are kept with what was before and after, once for good, each in its own workspace."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError

from pms.foundation.audit import (
    HIDDEN,
    AuditRecord,
    audit_events,
    facts_of,
    is_secret,
    last_change,
    note_audit_event,
    note_change,
    of_reservation,
)
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import CorruptDay
from pms.rules.enumerations import Lifecycle
from tests.cast import Cast

pytestmark = pytest.mark.differs("time")

STAFF = "person/0190000000007000800000000000aaaa"


def note(database: Database, clock: FixedClock, workspace_id: str, **given: Any) -> None:
    facts: dict[str, Any] = {
        "audit_event": AuditEvent.NOTICE_FILED,
        "subject": of_reservation("r1"),
    }
    with database.writing(workspace_id) as session:
        note_audit_event(Work(session, clock, given.pop("actor", STAFF)), **facts | given)


def kept(database: Database, workspace_id: str, **wanted: Any) -> list[Any]:
    with database.reading(workspace_id) as session:
        return list(audit_events(session, **wanted).audit_events)


def test_a_audit_event_tells_who_when_what_and_both_sides(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    note(
        database,
        clock,
        cast.sumida.workspace_id,
        before={"move_out_date": None},
        after={"move_out_date": date(2026, 12, 31), "penalty_yen": 93_000},
        via="run/1",
    )
    (done,) = kept(database, cast.sumida.workspace_id)
    assert (done.actor, done.at, done.audit_event) == (STAFF, clock.now(), "notice.filed")
    assert (done.subject_kind, done.subject_id, done.via) == ("reservation", "r1", "run/1")
    assert done.before == {"move_out_date": None}
    assert done.after == {"move_out_date": "2026-12-31", "penalty_yen": 93_000}


@pytest.mark.parametrize("change", ["update", "delete"])
def test_the_database_refuses_to_change_or_delete_a_audit_event(
    database: Database, cast: Cast, clock: FixedClock, change: str
) -> None:
    note(database, clock, cast.sumida.workspace_id)
    statement: Any = {
        "update": update(AuditRecord).values(actor="nobody"),
        "delete": delete(AuditRecord),
    }[change]
    with (
        pytest.raises(DBAPIError, match="written_once"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        session.execute(statement)
    assert len(kept(database, cast.sumida.workspace_id)) == 1


def test_another_workspace_does_not_see_a_audit_event(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    note(database, clock, cast.sumida.workspace_id)
    assert kept(database, cast.minato.workspace_id) == []


def test_what_is_rolled_back_was_not_done(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    class Broken(Exception):
        pass

    with (
        pytest.raises(Broken),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        note_audit_event(Work(session, clock, STAFF), AuditEvent.NOTICE_FILED, of_reservation("r1"))
        session.flush()
        raise Broken
    assert kept(database, cast.sumida.workspace_id) == []


SECRETS = [
    "password_hash",
    "key_hash",
    "hash",
    "token",
    "resetToken",
    "wifi_password",
    "door_code",
    "code",
    "totp_secret",
    "recovery_codes",
    "pin",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_never_kept_only_that_it_changed(
    database: Database, cast: Cast, clock: FixedClock, name: str
) -> None:
    note(
        database,
        clock,
        cast.sumida.workspace_id,
        before={name: None},
        after={name: "1234", "nested": {name: "1234"}},
    )
    with database.reading(cast.sumida.workspace_id) as session:
        row = session.scalars(select(AuditRecord)).one()
    assert row.before == {name: None}
    assert row.after == {name: HIDDEN, "nested": {name: HIDDEN}}


def test_no_column_that_holds_a_secret_is_told(database: Database) -> None:
    from pms.tables import metadata

    facts = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if any(word in column.name for word in ("hash", "secret", "token", "password"))
        and not is_secret(column.name)
    }
    assert facts == set()


@pytest.mark.parametrize("name", ["fee_code", "postal_code", "name", "spinning", "encoded"])
def test_what_only_looks_like_a_secret_is_told(name: str) -> None:
    assert not is_secret(name)


def test_every_kind_of_value_is_kept_as_plain_json(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    given = {
        "day": date(2026, 1, 31),
        "at": datetime(2026, 1, 31, 3, tzinfo=UTC),
        "yen": 93_000,
        "percent": Decimal("5.50"),
        "flag": True,
        "state": Lifecycle.LIVING,
        "damaged": CorruptDay("31.2.2026"),
        "words": ("a", "b"),
        "none": None,
    }
    note(database, clock, cast.sumida.workspace_id, after=given)
    (done,) = kept(database, cast.sumida.workspace_id)
    assert done.after == {
        "day": "2026-01-31",
        "at": "2026-01-31T03:00:00Z",
        "yen": 93_000,
        "percent": "5.50",
        "flag": True,
        "state": "living",
        "damaged": "31.2.2026",
        "words": ["a", "b"],
        "none": None,
    }


# What changed of a row


def test_only_the_columns_that_changed_are_told(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        name, row.name, row.phone = row.name, "佐藤 花", row.phone
        row.updated_by, row.version = STAFF, row.version + 1
        note_change(Work(session, clock, STAFF), AuditEvent.RESERVATION_IMPORTED, row)
    (done,) = kept(database, house.workspace_id)
    assert (done.subject_kind, done.subject_id) == ("reservation", house.resident_id)
    assert (done.before, done.after) == ({"name": name}, {"name": "佐藤 花"})


def test_a_change_that_was_flushed_is_told_from_what_was_seen_before(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        seen = facts_of(row)
        row.expected_departure_date = date(2027, 3, 31)
        session.flush()
        note_change(
            Work(session, clock, STAFF),
            AuditEvent.EXPECTED_DEPARTURE_RECORDED,
            row,
            since=seen,
            also={"told": 1},
        )
    (done,) = kept(database, house.workspace_id)
    assert done.before == {"expected_departure_date": None}
    assert done.after == {"expected_departure_date": "2027-03-31", "told": 1}


def test_without_a_change_there_was_no_audit_event(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.name, row.version = str(row.name), row.version + 1
        note_change(Work(session, clock, STAFF), AuditEvent.RESERVATION_IMPORTED, row)
    assert kept(database, house.workspace_id) == []


# Questions


def test_audit_events_are_found_by_person_audit_event_subject_and_days(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida.workspace_id
    note(database, clock, house)
    note(
        database,
        clock,
        house,
        actor="worker",
        audit_event=AuditEvent.RENT_BILLED,
        subject=("workspace", "w"),
    )
    clock.advance(timedelta(days=1))
    note(database, clock, house, subject=of_reservation("r2"))

    def subjects(**wanted: Any) -> list[str]:
        return [done.subject_id for done in kept(database, house, **wanted)]

    assert subjects() == ["r2", "w", "r1"]
    assert subjects(actor="worker") == ["w"]
    assert subjects(is_by_people=True) == ["r2", "r1"]
    assert subjects(audit_event=AuditEvent.RENT_BILLED) == ["w"]
    assert subjects(subject=of_reservation("r1")) == ["r1"]
    assert subjects(from_on=date(2026, 11, 21)) == ["r2"]
    assert subjects(through_on=date(2026, 11, 20)) == ["w", "r1"]
    assert subjects(from_on=date.min, through_on=date.max) == ["r2", "w", "r1"]


def test_days_are_days_in_japan(database: Database, cast: Cast, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=11, minutes=59, seconds=59))
    note(database, clock, cast.sumida.workspace_id)
    clock.advance(timedelta(seconds=1))
    note(database, clock, cast.sumida.workspace_id, subject=of_reservation("r2"))
    (late,) = kept(database, cast.sumida.workspace_id, through_on=date(2026, 11, 20))
    (early,) = kept(database, cast.sumida.workspace_id, from_on=date(2026, 11, 21))
    assert (late.subject_id, early.subject_id) == ("r1", "r2")


def test_a_page_tells_how_many_there_are_in_all(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    for number in range(5):
        note(database, clock, cast.sumida.workspace_id, subject=of_reservation(f"r{number}"))
    with database.reading(cast.sumida.workspace_id) as session:
        found = audit_events(session, page=2, limit=2)
    assert found.total == 5
    assert [done.subject_id for done in found.audit_events] == ["r2", "r1"]


def test_the_last_change_of_a_fact_is_known(
    database: Database, cast: Cast, clock: FixedClock
) -> None:
    house = cast.sumida.workspace_id
    note(database, clock, house, before={"a": 1}, after={"a": 2})
    clock.advance(timedelta(hours=1))
    note(database, clock, house, actor="worker", before={"b": 1}, after={"b": 2})
    with database.reading(house) as session:
        found = last_change(session, of_reservation("r1"), "a")
        assert last_change(session, of_reservation("r1"), "c") is None
        assert last_change(session, of_reservation("r2"), "a") is None
    assert found == (STAFF, clock.now() - timedelta(hours=1), 1, 2)
