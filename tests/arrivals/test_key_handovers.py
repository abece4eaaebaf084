"""Keys handed over are recorded: who lacks them, who never did, and what a move-out takes back."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.arrivals.amendments import amend
from pms.arrivals.key_handovers import (
    HandedKeys,
    hand_over_keys,
    handovers_in_force,
    keys_of_tenancy,
    withdraw_handover,
)
from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking, move_in
from pms.arrivals.reservation_headers import reservation_header
from pms.arrivals.taking_over import take_over
from pms.arrivals.tenancy_ways import ReservationWay, WayRecord, reservation_ways
from pms.foundation.audit import audit_events, of_reservation
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.tenancy_way import Because, Party, TenancyStep
from tests.arrivals.office import GUEST, OWNER, RENT, Office, day, refused
from tests.ledger.conftest import Books, books

__all__ = ["books"]


def way_of(office: Office, id_: str) -> ReservationWay:
    with office.database.reading(office.home.workspace_id) as session:
        header = reservation_header(session, id_, office.clock.today())
        return reservation_ways(session, [header.way_record], header.today)[id_]


def lacks_keys(office: Office, id_: str) -> bool:
    return TenancyStep.KEYS in {each.step for each in way_of(office, id_).missing}


def hand_over(office: Office, id_: str, on: str, *keys: Any, **facts: Any) -> str:
    handed = HandedKeys(day(on), *keys, **facts)
    return office.do(hand_over_keys, reservation_id=id_, keys=handed).id


@pytest.mark.differs("a new table")
def test_a_resident_lacks_keys_until_they_are_recorded_and_again_after_a_withdrawal(
    office: Office, room: str
) -> None:
    id_ = office.house(room, "2026-11-20", "2027-05-31")
    assert lacks_keys(office, id_)
    first = hand_over(office, id_, "2026-11-20", 2, "宅配ボックスのカード", "田中 花", "予備")
    assert not lacks_keys(office, id_)
    hand_over(office, id_, "2026-11-20", 1)
    assert office.ask(keys_of_tenancy, id_).key_count == 3
    for handover in office.ask(handovers_in_force, id_):
        facts = {"handover_id": handover.id}
        office.do(withdraw_handover, **facts, because="別の部屋の鍵でした")
        with refused(office, "withdrawn already", Refused):
            office.do(withdraw_handover, **facts, because="もう一度")
    assert lacks_keys(office, id_)
    keys = office.ask(keys_of_tenancy, id_)
    assert (len(keys.handovers), keys.in_force, keys.key_count) == (2, [], None)
    (kept,) = (each for each in keys.handovers if each.id == first)
    assert (kept.items, kept.handed_to, kept.note) == ("宅配ボックスのカード", "田中 花", "予備")
    assert (kept.written_by, kept.withdrawn_because) == ("staff", "別の部屋の鍵でした")
    noted = [
        each.audit_event
        for each in office.ask(audit_events, subject=of_reservation(id_)).audit_events
    ]
    assert noted.count(AuditEvent.KEYS_HANDED_OVER) == 2
    assert noted.count(AuditEvent.KEY_HANDOVER_WITHDRAWN) == 2


def test_the_move_in_can_take_the_keys_along(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-11-20", "2027-05-31")
    office.do(move_in, reservation_id=id_, keys=HandedKeys(day("2026-11-20")))
    assert not lacks_keys(office, id_)
    (handover,) = office.ask(handovers_in_force, id_)
    assert handover.key_count is None, "a number that nobody noted is not guessed"
    assert office.ask(keys_of_tenancy, id_).key_count is None


def test_keys_handed_over_before_the_start_are_not_asked_for_on_that_day(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-01", "2027-05-31")
    hand_over(office, id_, "2026-11-20", 2)
    office.go_to("2026-12-01")
    office.do(move_in, reservation_id=id_)
    assert not lacks_keys(office, id_)


def test_who_arrives_later_gets_the_keys_on_that_day(office: Office, room: str) -> None:
    id_ = office.house(room, "2026-11-20", "2027-05-31", arrival_date=day("2026-11-24"))
    (keys,) = (each for each in way_of(office, id_).missing if each.step is TenancyStep.KEYS)
    assert (keys.waits_for, keys.because, keys.on) == (
        Party.DAY,
        Because.ARRIVES_LATER,
        day("2026-11-24"),
    )
    office.go_to("2026-11-24")
    assert Because.NO_KEYS in {each.because for each in way_of(office, id_).missing}


def test_who_lived_there_when_taken_over_has_keys_and_who_comes_later_gets_them(
    books: Books,
) -> None:
    books.at(date(2026, 11, 20))
    started = {
        books.resident(start, None): start for start in (date(2026, 4, 1), date(2026, 12, 1))
    }
    for id_ in started:
        books.do(take_over, reservation_id=id_, billed_through_on=date(2026, 11, 30))
    with books.reading() as session:
        rows = session.scalars(select(Reservation).where(Reservation.id.in_(started))).all()
        assert {row.starts_on: row.has_earlier_keys for row in rows} == {
            date(2026, 4, 1): True,
            date(2026, 12, 1): False,
        }
        ways = reservation_ways(session, map(WayRecord.of_row, rows), date(2026, 12, 1))
    lacking = {
        id_ for id_, way in ways.items() if TenancyStep.KEYS in {each.step for each in way.missing}
    }
    assert [started[id_] for id_ in lacking] == [date(2026, 12, 1)]


@pytest.mark.differs("a walk over amendments")
def test_who_goes_on_in_the_same_unit_keeps_the_keys_and_another_unit_has_its_own(
    office: Office, room: str, other_room: str
) -> None:
    id_ = office.house(room, "2026-11-01", "2027-04-30")
    hand_over(office, id_, "2026-11-20", 2)
    new = office.do(
        amend, reservation_id=id_, last_on=day("2026-11-19"), name="田中 花", amounts=RENT
    )
    same = new.booked.reservation_id
    office.do(move_in, reservation_id=same)
    assert not lacks_keys(office, same)
    hand_over(office, same, "2026-11-20", 1)
    assert office.ask(keys_of_tenancy, same).key_count == 3, "those of the unit since the start"
    with refused(office, "has ended", Refused):
        hand_over(office, id_, "2026-11-20", 1)

    office.go_to("2026-11-25")
    moved = office.do(
        amend, reservation_id=same, last_on=day("2026-11-24"), unit_id=other_room, amounts=RENT
    )
    there = moved.booked.reservation_id
    assert lacks_keys(office, there)
    assert office.ask(keys_of_tenancy, there).handovers == []


def test_what_cannot_be_handed_over_is_refused(office: Office, room: str, other_room: str) -> None:
    id_ = office.house(room, "2026-11-20", "2027-05-31")
    for facts, words in (
        ({}, "how many keys"),
        ({"key_count": 0}, "'0' is not possible"),
        ({"key_count": 100}, "from 1 to 99"),
    ):
        with refused(office, words, Refused):
            hand_over(office, id_, "2026-11-20", **facts)
    with refused(office, "is still to come", Refused):
        hand_over(office, id_, "2026-11-21", 1)
    with refused(office, "The reservation changed", Collision):
        keys = HandedKeys(day("2026-11-20"), 1)
        office.do(hand_over_keys, reservation_id=id_, keys=keys, expected_version=99)
    guest = office.book(
        other_room, "2026-11-20", "2026-11-25", kind=GUEST, deposit_yen=0, reservation_fee_yen=0
    )
    with refused(office, "gets codes", Refused):
        hand_over(office, guest, "2026-11-20", 1)
    office.do(cancel_booking, reservation_id=guest)
    with refused(office, "no handover", NotFound):
        office.do(withdraw_handover, handover_id=new_id(), because="x")


def test_an_owner_has_the_keys_of_the_own_unit(office: Office, room: str) -> None:
    id_ = office.book(
        room, "2026-11-20", None, kind=OWNER, amounts=None, deposit_yen=0, reservation_fee_yen=0
    )
    office.do(advance_lifecycles)
    assert not lacks_keys(office, id_)
    hand_over(office, id_, "2026-11-20", 1)
