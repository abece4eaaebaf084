"""Availability of many units, asked of the database, is what the law says of each one alone."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pms.availability.units import UnitSearch, availability_of, search_units
from pms.catalogue.models import Unit
from pms.foundation.database import Database
from pms.reservations.models import Reservation
from pms.rules.availability import (
    Availability,
    decide,
    is_shown,
    matches_available_now,
    matches_move_in_by,
)
from pms.rules.contract_dates import effective_day
from pms.rules.days import CorruptDay, RecordedDay, read_day
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Stay
from pms.workspaces.models import PolicyRow
from tests.cast import LONG_AGO, external_block, reservation, unit
from tests.rules.facts import TODAY
from tests.surfaces.agent_api.asking import Home, empty_home, next_id

pytestmark = pytest.mark.differs("constraints")

Facts = Mapping[str, Any]

near = st.integers(-12, 12).map(lambda n: TODAY + timedelta(days=n))
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
damaged = st.one_of(
    st.sampled_from(["2026-02-30", "0000-00-00", "soon", "2026-6-1", "20260610", "２０２６-06-10"]),
    texts.filter(lambda text: isinstance(read_day(text), CorruptDay)),
).map(CorruptDay)
recorded: st.SearchStrategy[RecordedDay] = st.one_of(
    st.none(), near, near, near, damaged, st.just(CorruptDay(""))
)
facts_of_a_stay = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(ReservationKind),
        "lifecycle": st.sampled_from([Lifecycle.LIVING, Lifecycle.CONFIRMED, Lifecycle.BOOKED]),
        "move_in_date": recorded,
        "override_move_in_date": st.none() | recorded,
        "contract_end_date": recorded,
        "override_contract_end_date": st.none() | recorded,
        "move_out_date": st.none() | recorded,
        "expected_departure_date": st.none() | recorded,
        "forced_on": st.none() | st.none() | near,
        "cancelled_at": st.sampled_from([None, None, None, LONG_AGO]),
    }
)
facts_of_a_block = st.fixed_dictionaries({"first_on": recorded, "last_on": recorded})
units = st.lists(
    st.tuples(st.lists(facts_of_a_stay, max_size=3), st.lists(facts_of_a_block, max_size=2)),
    min_size=4,
    max_size=10,
)


def known(day: RecordedDay) -> RecordedDay:
    """What comes back of a day that was stored."""
    return None if day == CorruptDay("") else day


def stay_of(row: Reservation) -> Stay:
    start, override = known(row.move_in_date), known(row.override_move_in_date)
    end, override_end = known(row.contract_end_date), known(row.override_contract_end_date)
    return Stay(
        row.id,
        effective_day(start, override),
        effective_day(end, override_end),
        known(row.move_out_date),
        known(row.expected_departure_date),
        row.forced_on is not None,
        row.kind,
        row.cancelled_at is not None,
        row.lifecycle == Lifecycle.BOOKED and row.kind == ReservationKind.RESIDENT,
    )


def stored(session: Session, row: Any) -> bool:
    """Store a row unless the constraint against double booking refuses it."""
    try:
        with session.begin_nested():
            session.add(row)
    except DBAPIError as failure:
        assert "reservation_no_overlap" in str(failure)
        return False
    return True


def settle(
    session: Session, home: Home, drawn: Sequence[tuple[Sequence[Facts], Sequence[Facts]]]
) -> dict[str, tuple[list[Stay], list[Block]]]:
    """Store the units that were drawn and return what the law is to read of each."""
    found: dict[str, tuple[list[Stay], list[Block]]] = {}
    for number, (stays, blocks) in enumerate(drawn):
        unit_id = next_id()
        name = str(number)
        session.add(unit(id=unit_id, building_id=home.building_id, name=name, slug=unit_id))
        session.flush()
        rows = [reservation(id=next_id(), unit_id=unit_id, **facts) for facts in stays]
        session.add_all(external_block(unit_id=unit_id, **facts) for facts in blocks)
        lawful = [Block(known(facts["first_on"]), known(facts["last_on"])) for facts in blocks]
        found[unit_id] = [stay_of(row) for row in rows if stored(session, row)], lawful
    return found


def expected(
    found: Mapping[str, tuple[list[Stay], list[Block]]], search: UnitSearch, policy: Policy
) -> dict[str, Availability]:
    """The law's answer for every unit that the search keeps."""
    answers = {
        unit_id: decide(stays, blocks, TODAY, policy)
        for unit_id, (stays, blocks) in found.items()
        if is_shown(stays, search.excluded, TODAY, policy)
    }
    return {
        unit_id: answer
        for unit_id, answer in answers.items()
        if not (search.available_now and not matches_available_now(answer))
        and not (search.move_in_by and not matches_move_in_by(answer, search.move_in_by))
    }


def test_a_search_answers_as_the_law_does_unit_by_unit(database: Database) -> None:
    home = empty_home(database)
    home.store(PolicyRow(id=home.workspace_id))

    @settings(
        max_examples=25,
        deadline=None,
        # Every example stores units: making a failing one smaller would take minutes.
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(
        units,
        st.integers(0, 3),
        st.sampled_from([(), (ReservationKind.OWNER_RESIDENT,), tuple(ReservationKind)]),
        st.booleans(),
        st.none() | near,
    )
    def asked(
        drawn: Any,
        turnover: int,
        excluded: tuple[ReservationKind, ...],
        available_now: bool,
        move_in_by: date | None,
    ) -> None:
        policy = Policy(turnover_days=turnover)
        with database.writing(home.workspace_id) as session:
            session.execute(delete(Reservation))
            session.execute(delete(Unit))
            row = session.get_one(PolicyRow, (home.workspace_id, home.workspace_id))
            row.turnover_days = turnover
            found = settle(session, home, drawn)
        search = UnitSearch(available_now=available_now, move_in_by=move_in_by, excluded=excluded)
        everything = expected(found, UnitSearch(excluded=()), policy)
        with database.reading(home.workspace_id) as session:
            result = search_units(session, search, TODAY)
            assert dict(result.units) == (answers := expected(found, search, policy))
            assert result.confirmed == sum(each.is_confirmed for each in answers.values())
            assert result.possible == sum(each.is_possible for each in answers.values())
            for unit_id, answer in everything.items():
                assert availability_of(session, unit_id, TODAY) == answer

    asked()


def test_many_units_are_asked_about_as_few_are(database: Database) -> None:
    """Beyond some number of units, stays are read for all of them instead of by name."""
    home = empty_home(database)
    with database.writing(home.workspace_id) as session:
        drawn = [([{"move_out_date": TODAY + timedelta(days=n % 7)}], ()) for n in range(120)]
        found = settle(session, home, drawn)
    with database.reading(home.workspace_id) as session:
        result = search_units(session, UnitSearch(), TODAY)
    assert dict(result.units) == expected(found, UnitSearch(), Policy())
    assert len(result.units) == 120
