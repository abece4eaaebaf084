"""What projects cost and nobody charged: asked in one question, charged into a month at once."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from sqlalchemy import select

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.work import Work
from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import hours_cost
from pms.statements.models import OwnerDeduction, OwnerStatement
from pms.statements.owner_figures import read
from pms.statements.owner_money import (
    UnchargedCost,
    charge_into_month,
    charge_project,
    charges_of_project,
    uncharged_cost,
    uncharged_costs,
)
from pms.statements.owner_publishing import publish_statement
from pms.upkeep.project_lines import remove_purchase
from pms.upkeep.project_lists import project_cost
from tests.cast import Cast
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.works import ACTOR, Works

REPAIR, CLEANING = FeeCategory.REPAIR, FeeCategory.CLEANING
OCTOBER, LAST = date(2026, 10, 1), date(2026, 10, 31)
SINCE = date(2026, 11, 5)
Seen = Mapping[str, Mapping[FeeCategory, int]]


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida, which Yamamoto owns."""
    return Works(database, clock, cast.sumida)


def uncharged(works: Works, through_on: date = LAST) -> list[UnchargedCost]:
    with works.writing() as session:
        found = uncharged_costs(session, [works.house.building_id], through_on)
    return list(found.get(works.house.building_id, ()))


def seen(works: Works) -> Seen:
    return {one.project_id: one.due for one in uncharged(works)}


def charge(works: Works, given: Seen, month_on: date = OCTOBER) -> int:
    with works.writing() as session:
        return charge_into_month(
            Work(session, works.clock, "person/office"),
            building_id=works.house.building_id,
            month_on=month_on,
            seen=given,
        )


def publish(works: Works, month_on: date = OCTOBER) -> None:
    with works.writing() as session:
        publish_statement(
            Work(session, works.clock, "person/office"),
            building_id=works.house.building_id,
            month_on=month_on,
        )


def test_every_log_is_rounded_in_the_database_as_the_rule_rounds_it(works: Works) -> None:
    project_id = works.open()
    assert hours_cost(1, 30) == 1, "half a yen"
    for minutes, hourly_yen in ((1, 30), (10, 4_000), (20, 3_001), (30, 3_001), (1_440, 100_000)):
        works.work(project_id, minutes, hourly_yen)
        with works.writing() as session:
            due = uncharged_cost(session, project_id)
            assert due == project_cost(session, project_id).by_category
    works.work(project_id, 600)
    with works.writing() as session:
        assert uncharged_cost(session, project_id) == project_cost(session, project_id).by_category


def test_a_month_lacks_its_own_cost_and_that_of_earlier_ones_alone(works: Works) -> None:
    boiler, roof, done = works.open("給湯器の交換"), works.open("屋根"), works.open("窓")
    works.buy(boiler, 3_000, bought_on=LAST)
    works.buy(boiler, 500, bought_on=SINCE)
    works.buy(boiler, 800, bought_on=OCTOBER, category=CLEANING)
    works.buy(roof, 9_000, bought_on=SINCE)
    works.buy(done, 700, bought_on=LAST)
    with works.writing() as session:
        charge_project(Work(session, works.clock, "person/office"), project_id=done)
    (one,) = uncharged(works)
    assert (one.name, one.title, one.total_yen) == ("PRJ-0001", "給湯器の交換", 3_800)
    assert one.due == {REPAIR: 3_000, CLEANING: 800}
    assert [one.total_yen for one in uncharged(works, works.clock.today())] == [4_300, 9_000]


def test_many_buildings_and_projects_are_one_question(works: Works, cast: Cast) -> None:
    for number in range(5):
        works.buy(works.open(f"窓 {number}"), 1_000, bought_on=LAST)
    house = works.house
    with works.writing() as session, statements() as asked:
        found = uncharged_costs(session, [house.building_id, cast.minato.building_id], LAST)
    assert [one.number for one in found[house.building_id]] == [1, 2, 3, 4, 5]
    assert len([one for one in asked if "maintenance_project" in one]) == 1


def test_all_is_charged_on_the_last_day_of_the_month_once(works: Works) -> None:
    boiler, roof = works.open("給湯器の交換"), works.open("屋根")
    works.buy(boiler, 3_000, bought_on=LAST)
    works.buy(boiler, 500, bought_on=SINCE)
    works.buy(roof, 9_000, bought_on=LAST, category=CLEANING)
    shown = seen(works)
    assert charge(works, shown) == 12_000
    with works.writing() as session:
        lines = [*charges_of_project(session, boiler), *charges_of_project(session, roof)]
    assert [(one.category, one.amount_yen, one.deducted_on) for one in lines] == [
        (REPAIR, 3_000, LAST),
        (CLEANING, 9_000, LAST),
    ]
    with pytest.raises(Collision):
        charge(works, shown)
    assert uncharged(works) == []
    publish(works)
    with works.writing() as session:
        assert uncharged_cost(session, boiler) == {REPAIR: 500}, "of November"
        (row,) = session.scalars(select(OwnerStatement)).all()
    assert [line.yen for line in read(row.figures).figures.deductions] == [3_000, 9_000]


def test_what_was_taken_back_is_given_back_in_the_month(works: Works) -> None:
    project_id = works.open()
    purchase_id = works.buy(project_id, 3_000, bought_on=LAST)
    charge(works, seen(works))
    with works.writing() as session:
        remove_purchase(
            Work(session, works.clock, ACTOR), project_id=project_id, purchase_id=purchase_id
        )
    assert charge(works, seen(works)) == -3_000


def test_another_amount_than_was_seen_charges_nothing_at_all(works: Works) -> None:
    boiler, roof = works.open("給湯器の交換"), works.open("屋根")
    works.buy(boiler, 3_000, bought_on=LAST)
    shown = seen(works)
    works.buy(roof, 9_000, bought_on=LAST)
    for given in (shown, {**seen(works), boiler: {REPAIR: 1}}, {}):
        with pytest.raises(Collision):
            charge(works, given)
    with works.writing() as session:
        assert session.scalars(select(OwnerDeduction)).all() == []


def test_a_month_that_is_published_or_passed_over_takes_no_charge(works: Works) -> None:
    works.buy(works.open(), 3_000, bought_on=date(2026, 9, 30))
    publish(works)
    shown = seen(works)
    for month_on in (OCTOBER, date(2026, 9, 1)):
        with pytest.raises(Refused, match="is already published"):
            charge(works, shown, month_on)
    with pytest.raises(Refused, match="has not started"):
        charge(works, shown, date(2026, 12, 1))
    assert charge(works, shown, date(2026, 11, 1)) == 3_000, "the next month that is open"
    with works.writing() as session:
        (line,) = session.scalars(select(OwnerDeduction)).all()
    assert line.deducted_on == works.clock.today()


def test_two_who_charge_at_once_charge_once(works: Works) -> None:
    for number in range(3):
        works.buy(works.open(f"窓 {number}"), 1_000, bought_on=LAST)
    shown, barrier = seen(works), Barrier(4)

    def run(_: int) -> bool:
        barrier.wait()
        try:
            return charge(works, shown) == 3_000
        except Collision:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(run, range(4))) == [False, False, False, True]
    with works.writing() as session:
        assert len(session.scalars(select(OwnerDeduction)).all()) == 3


def test_a_stranger_sees_and_charges_nothing(works: Works, database: Database, cast: Cast) -> None:
    project_id = works.open()
    works.buy(project_id, 3_000, bought_on=LAST)
    shown = seen(works)
    with database.writing(cast.minato.workspace_id) as session:
        assert uncharged_costs(session, [works.house.building_id], LAST) == {}
        assert uncharged_cost(session, project_id) == {}
        with pytest.raises((Collision, NotFound)):
            charge_into_month(
                Work(session, works.clock, "person/stranger"),
                building_id=works.house.building_id,
                month_on=OCTOBER,
                seen=shown,
            )
    assert seen(works) == shown
