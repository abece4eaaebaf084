"""The stored days of a reservation against the law of double booking.

The law says on a given day until when a stay holds its unit: at least until tomorrow while nobody
has filed, and turnover days longer. A row cannot know what day it will be asked about, nor the
policy, so it stores the part of the span that holds on every day. What the constraint refuses,
the law refuses too; what only the law refuses (today and tomorrow, turnover days), the use case
that books must check before it writes.
"""

from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from pms.foundation.database import Database
from pms.reservations.models import Reservation, occupancy_days
from pms.rules.days import ONE_DAY, CorruptDay, readable
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.unit_stays import Span, Stay, is_forced_open, known_end, overlaps, span_of
from tests.cast import LONG_AGO, reservation
from tests.rules.facts import TODAY, near_days, policies, stays
from tests.surfaces.agent_api.asking import empty_home, next_id

days = st.integers(-400, 400).map(lambda n: TODAY + timedelta(days=n))


def row_of(stay: Stay) -> dict[str, object]:
    return {
        "kind": stay.kind,
        "move_in_date": stay.start_on,
        "override_move_in_date": None,
        "contract_end_date": stay.end_on,
        "override_contract_end_date": None,
        "move_out_date": stay.move_out_on,
        "expected_departure_date": stay.expected_departure_on,
        "forced_on": TODAY if stay.is_forced else None,
    }


def stored_span(stay: Stay) -> Span | None:
    found = occupancy_days(row_of(stay))
    starts_on = found["starts_on"]
    return None if starts_on is None else Span(stay.id, starts_on, found["free_from"])


@given(stays, days, policies)
def test_the_stored_span_lies_inside_the_span_of_every_day(
    stay: Stay, today: date, policy: Policy
) -> None:
    stored, lawful = stored_span(stay), span_of(stay, today, policy)
    assert (stored is None) == (lawful is None)
    if stored is not None and lawful is not None:
        assert stored.first_on == lawful.first_on
        if stored.free_from_on is None or not is_forced_open(stay):
            assert (stored.free_from_on is None) == (lawful.free_from_on is None)
        if stored.free_from_on is not None and lawful.free_from_on is not None:
            assert stored.free_from_on <= lawful.free_from_on


@given(stays, stays, days, policies)
def test_whatever_the_constraint_refuses_the_law_refuses(
    one: Stay, other: Stay, today: date, policy: Policy
) -> None:
    stored, beside = stored_span(one), stored_span(other)
    if stored and beside and overlaps(stored, beside):
        lawful, lawful_beside = span_of(one, today, policy), span_of(other, today, policy)
        assert lawful is not None
        assert lawful_beside is not None
        assert overlaps(lawful, lawful_beside)


@given(stays, st.integers(1, 400), st.integers(1, 60))
def test_a_booking_from_tomorrow_on_is_judged_alike_without_turnover_unless_forced(
    stay: Stay, days_ahead: int, nights: int
) -> None:
    assume(not is_forced_open(stay))
    start_on = TODAY + timedelta(days=days_ahead)
    new = Stay("new", start_on, start_on + timedelta(days=nights))
    lawful, beside = (span_of(each, TODAY, DEFAULT_POLICY) for each in (new, stay))
    stored, stored_beside = stored_span(new), stored_span(stay)
    if lawful and beside and stored and stored_beside:
        assert overlaps(lawful, beside) == overlaps(stored, stored_beside)


@given(stays)
def test_the_known_end_is_stored_when_it_can_be_read(stay: Stay) -> None:
    found = occupancy_days(row_of(stay))
    assert found["ends_on"] == readable(known_end(stay))


@given(near_days, near_days)
def test_an_override_replaces_what_was_agreed_and_a_damaged_one_too(
    agreed_on: date, corrected_on: date
) -> None:
    stay = row_of(Stay("A", agreed_on, agreed_on))
    found = occupancy_days(
        stay | {"override_move_in_date": corrected_on, "override_contract_end_date": corrected_on}
    )
    assert (found["starts_on"], found["free_from"]) == (corrected_on, corrected_on + ONE_DAY)
    damaged = CorruptDay("?")
    found = occupancy_days(
        stay | {"override_move_in_date": damaged, "override_contract_end_date": damaged}
    )
    assert (found["starts_on"], found["free_from"]) == (None, None)


def test_the_database_refuses_exactly_the_stored_overlaps(database: Database) -> None:
    home = empty_home(database)
    first = TODAY
    ends = {None: None, "same day": 0, "a night": 1, "a week": 7}
    starts = (-8, -7, -1, 0, 1, 6, 7, 8)
    spans = [(first, end) for end in ends.values()]
    for here, (_, end) in enumerate(spans):
        for start in starts:
            for other_end in ends.values():
                unit_id = home.unit(next_id())
                one = booked(unit_id, TODAY, end)
                other = booked(unit_id, TODAY + timedelta(days=start), other_end)
                home.store(one)
                expected = overlaps(span_in(one), span_in(other))
                assert refuses(database, home.workspace_id, other) == expected, (here, start)


def booked(unit_id: str, start_on: date, nights: int | None) -> Reservation:
    end_on = None if nights is None else start_on + timedelta(days=nights)
    return reservation(
        id=next_id(), unit_id=unit_id, move_in_date=start_on, contract_end_date=end_on
    )


def span_in(row: Reservation) -> Span:
    found = occupancy_days(
        {
            "kind": row.kind,
            "move_in_date": row.move_in_date,
            "contract_end_date": row.contract_end_date,
        }
    )
    assert found["starts_on"] is not None
    return Span(row.id, found["starts_on"], found["free_from"])


def refuses(database: Database, workspace_id: str, row: Reservation) -> bool:
    try:
        with database.writing(workspace_id) as session:
            session.add(row)
            session.flush()
            session.rollback()
    except DBAPIError as failure:
        assert "reservation_no_overlap" in str(failure)
        return True
    return False


def test_a_cancelled_stay_and_a_damaged_start_meet_nobody(database: Database) -> None:
    home = empty_home(database)
    unit_id = home.unit("1")
    home.store(
        booked(unit_id, TODAY, None),
        reservation(unit_id=unit_id, cancelled_at=LONG_AGO),
        reservation(unit_id=unit_id, move_in_date=CorruptDay("2026-06-31")),
    )
    with pytest.raises(DBAPIError, match="reservation_no_overlap"):
        home.store(reservation(unit_id=unit_id))
