"""Data for measuring: the figures asked for, one tenancy of a unit at a time, a real mix."""

from collections import Counter
from datetime import UTC, date, datetime, time

import pytest
from sqlalchemy import func, select

from pms.availability.units import UnitSearch, search_units
from pms.catalogue.models import Photo, Unit
from pms.demo.rows import Album
from pms.demo.seed_measuring import seed_measuring, share_out
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.ledger.billing import Unbillable, bill_month
from pms.reservations.models import Reservation
from pms.rules.days import add_months
from pms.rules.enumerations import AvailabilityState, Lifecycle
from pms.rules.policy import DEFAULT_POLICY
from pms.rules.unit_stays import conflicts, read_spans
from tests.demo.test_demo_workspaces import everything, stays_by_unit


def test_the_largest_of_twenty_workspaces_has_600_units_and_4000_reservations() -> None:
    units, reservations = share_out(5_000, 20, 0.12), share_out(40_000, 20, 0.1)
    assert (units[0], reservations[0]) == (600, 4_000)
    assert (sum(units), sum(reservations)) == (5_000, 40_000)
    assert max(units[1:]) - min(units[1:]) <= 1


@pytest.mark.parametrize("workspaces", [1, 2, 3, 7])
def test_every_total_is_shared_out_whole(workspaces: int) -> None:
    parts = share_out(100, workspaces, 0.12)
    assert sum(parts) == 100
    assert len(parts) == workspaces
    assert parts[0] == max(parts)


def test_the_figures_asked_for_are_made(database: Database, album: Album, today: date) -> None:
    made = seed_measuring(database, today, 200, 1_000, 4, album=album)
    assert [(one.units, one.reservations) for one in made] == [
        (50, 250), (50, 250), (50, 250), (50, 250)
    ]  # fmt: skip
    with database.across_workspaces_reading() as session:
        assert session.scalar(select(func.count(Unit.id))) == 200
        assert session.scalar(select(func.count(Reservation.id))) == 1_000
        assert session.scalars(select(func.count(Photo.id))).one() > 600


def test_the_mix_is_real_and_nothing_overlaps(
    database: Database, album: Album, today: date
) -> None:
    (made,) = seed_measuring(database, today, 150, 700, 1, album=album)
    reservations = everything(database, Reservation)
    for stays in stays_by_unit(reservations).values():
        assert not conflicts(read_spans(stays, today, DEFAULT_POLICY).spans)
    assert set(Counter(row.lifecycle for row in reservations)) == set(Lifecycle)
    with database.reading(made.id) as session:
        found = search_units(session, UnitSearch(excluded=()), today)
    assert {unit.availability.state for unit in found.units} == set(AvailabilityState)


def test_a_month_of_it_can_be_billed(database: Database, album: Album, today: date) -> None:
    (made,) = seed_measuring(database, today, 40, 200, 1, album=album)
    later = FixedClock(datetime.combine(add_months(today, 1), time(3), UTC))
    with database.writing(made.id) as session:
        billed = bill_month(Work(session, later, "test"))
    assert billed.reservations > 10
    reasons = {problem.reason for problem in billed.problems}
    assert reasons <= {Unbillable.DAMAGED_DATES}


@pytest.mark.differs("writes rows of every table the way each database takes many")
def test_a_second_measurement_wants_an_empty_database(
    database: Database, album: Album, today: date
) -> None:
    seed_measuring(database, today, 10, 40, 1, album=album)
    with pytest.raises(Refused):
        seed_measuring(database, today, 10, 40, 1, album=album)


@pytest.mark.parametrize(("units", "reservations"), [(1, 100), (100, 10)])
def test_figures_that_fit_no_workspace_are_refused(
    database: Database, album: Album, today: date, units: int, reservations: int
) -> None:
    with pytest.raises(Refused):
        seed_measuring(database, today, units, reservations, 2, album=album)
