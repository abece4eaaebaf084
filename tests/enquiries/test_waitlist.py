"""Who waits, what they wait for, and which units suit them; every step is taken once."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.enquiries.viewing_lists import openings
from pms.enquiries.waitlist import (
    CLOSED,
    OPEN,
    WaitlistWish,
    add_to_waitlist,
    close_waitlist_place,
    offer_waitlist_place,
    waitlist,
)
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from tests.cast import Cast

WANTED_ON = date(2026, 12, 1)
PAGE = Paging(1, 50)


def add(session: WorkspaceSession, clock: FixedClock, **given: Any) -> str:
    """Put somebody on the waitlist who wants to move in on 1 December."""
    usual: dict[str, Any] = {"name": "林 光", "email": "hikaru@example.jp"}
    wanted = WaitlistWish(**usual | {"wanted_from_on": WANTED_ON} | given)
    return add_to_waitlist(Work(session, clock, "office"), wanted=wanted)


def test_who_wants_to_move_in_first_stands_first(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        add(session, clock, name="後", wanted_from_on=date(2027, 1, 1))
        add(session, clock, name="先", unit_id=house.residents_room_id)
        add(session, clock, name="建物", building_id=house.building_id)
        found = waitlist(session, OPEN, PAGE)
    assert [person.name for person in found.people] == ["先", "建物", "後"]
    assert found.people[0].unit_name == "101"
    assert found.people[1].building.ja == "シェアハウス カワセミ荘"
    assert found.people[2].building_id is None


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"email": None}, "email"),
        ({"email": "nobody"}, "email"),
        ({"name": " "}, "name"),
        ({"wanted_from_on": date(2026, 11, 19)}, "wantedFrom"),
        ({"unit_id": "0" * 32}, "unitId"),
        ({"building_id": "elsewhere"}, "buildingId"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name(
    database: Database, clock: FixedClock, cast: Cast, given: dict[str, Any], field: str
) -> None:
    with (
        pytest.raises(Refused, match=f"^{field}:"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        add(session, clock, **given)


def test_an_expected_departure_makes_a_soft_day_for_the_waitlist(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        row = session.get_one(Reservation, (house.workspace_id, house.resident_id))
        row.expected_departure_date = date(2026, 12, 10)
        session.flush()
        found = {one.unit_name: one for one in openings(session, clock.today())}
        add(session, clock, unit_id=house.residents_room_id)
        add(session, clock, name="待てない", wanted_from_on=clock.today(), unit_id=None)
        people = waitlist(session, OPEN, PAGE).people
    assert found["102"].is_confirmed
    assert found["102"].on == clock.today()
    assert not found["101"].is_confirmed
    assert found["101"].on >= date(2026, 12, 10)
    assert "201" not in found, "an owner resident expects nobody else"
    impatient, resident_of_101 = people
    assert resident_of_101.suits(found["101"])
    assert not resident_of_101.suits(found["102"]), "another unit"
    assert impatient.suits(found["102"])
    late = found["102"]._replace(on=clock.today() + timedelta(days=32))
    assert not impatient.suits(late)


def test_a_place_is_offered_and_closed_once_each_and_the_audit_tells_who(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        place_id = add(session, clock)
        offer_waitlist_place(Work(session, clock, "office"), place_id=place_id)
        with pytest.raises(Refused, match="offered"):
            offer_waitlist_place(Work(session, clock, "office"), place_id=place_id)
        close_waitlist_place(Work(session, clock, "operator"), place_id=place_id)
        with pytest.raises(Refused, match="closed"):
            offer_waitlist_place(Work(session, clock, "office"), place_id=place_id)
        assert waitlist(session, OPEN, PAGE).total == 0
        (closed,) = waitlist(session, CLOSED, PAGE).people
        question = select(AuditRecord.audit_event).where(AuditRecord.subject_id == place_id)
        audit_events = set(session.scalars(question))
    assert closed.changed_by == "operator"
    assert audit_events == {
        AuditEvent.WAITLIST_PLACE_ADDED,
        AuditEvent.WAITLIST_PLACE_OFFERED,
        AuditEvent.WAITLIST_PLACE_CLOSED,
    }


def test_a_stranger_finds_neither_the_person_nor_the_place(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        place_id = add(session, clock)
    with database.writing(cast.minato.workspace_id) as session:
        assert waitlist(session, OPEN, PAGE).total == 0
        with pytest.raises(NotFound):
            close_waitlist_place(Work(session, clock, "stranger"), place_id=place_id)
        with pytest.raises(Refused, match="unitId"):
            add(session, clock, unit_id=cast.sumida.free_room_id)
