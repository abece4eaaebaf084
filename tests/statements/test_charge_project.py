"""What an owner bears of a project: by category, once, corrected when something is taken back."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import select

from pms.catalogue.models import Building
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.work import Work
from pms.rules.enumerations import FeeCategory
from pms.statements.models import OwnerDeduction
from pms.statements.owner_figures import owner_figures
from pms.statements.owner_money import charge_project, charges_of_project, uncharged_cost
from pms.upkeep.project_lines import remove_purchase
from tests.cast import Cast
from tests.upkeep.works import ACTOR, Works

REPAIR, CLEANING = FeeCategory.REPAIR, FeeCategory.CLEANING
AT_ONCE = 4


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida, which Yamamoto owns."""
    return Works(database, clock, cast.sumida)


def charge(works: Works, project_id: str, **given: Any) -> Any:
    with works.writing() as session:
        return charge_project(
            Work(session, works.clock, "person/office"), project_id=project_id, **given
        )


def charged(works: Works, project_id: str) -> list[tuple[FeeCategory, int]]:
    with works.writing() as session:
        lines = charges_of_project(session, project_id)
        return [(line.category, line.amount_yen) for line in lines]


def test_the_cost_reaches_the_owners_month_by_category_to_the_yen(works: Works) -> None:
    project_id = works.open("給湯器の交換")
    works.work(project_id, 90, 4_001)  # 6,001.50: 6,002 yen
    works.buy(project_id, 3_200)
    works.buy(project_id, 800, category=CLEANING)
    assert charge(works, project_id) == {REPAIR: 9_202, CLEANING: 800}
    with works.writing() as session:
        figures = owner_figures(
            session, works.house.building_id, date(2026, 11, 1), works.clock.today()
        )
    lines = {line.label_ja: line.yen for line in figures.deductions}
    assert lines == {"修繕費 PRJ-0001 給湯器の交換": 9_202, "清掃費 PRJ-0001 給湯器の交換": 800}
    assert figures.deducted_yen == 10_002


def test_charging_again_posts_nothing_and_only_what_came_since(works: Works) -> None:
    project_id = works.open()
    works.buy(project_id, 3_200)
    charge(works, project_id)
    assert charge(works, project_id) == {}
    works.buy(project_id, 500)
    assert charge(works, project_id) == {REPAIR: 500}
    assert charged(works, project_id) == [(REPAIR, 3_200), (REPAIR, 500)]


def test_what_was_taken_back_is_given_back_to_the_owner(works: Works) -> None:
    project_id = works.open()
    purchase_id = works.buy(project_id, 3_200)
    works.buy(project_id, 100)
    charge(works, project_id)
    with works.writing() as session:
        remove_purchase(
            Work(session, works.clock, ACTOR), project_id=project_id, purchase_id=purchase_id
        )
    assert charge(works, project_id) == {REPAIR: -3_200}
    with works.writing() as session:
        rows = session.scalars(select(OwnerDeduction).order_by(OwnerDeduction.id)).all()
    assert sum(row.amount_yen for row in rows) == 100
    assert rows[-1].label_ja.startswith("修繕費の訂正 PRJ-0001")


def test_what_nobody_saw_is_not_charged(works: Works) -> None:
    project_id = works.open()
    works.buy(project_id, 3_200)
    works.buy(project_id, 800, category=CLEANING)
    with pytest.raises(Collision):
        charge(works, project_id, seen={REPAIR: 3_000})
    assert charge(works, project_id, seen={REPAIR: 3_200}) == {REPAIR: 3_200}
    with works.writing() as session:
        assert uncharged_cost(session, project_id) == {CLEANING: 800}, "left for the operator"
    with pytest.raises(Collision):
        charge(works, project_id, seen={REPAIR: 3_200})


def test_two_who_charge_at_once_charge_once(works: Works) -> None:
    project_id = works.open()
    works.buy(project_id, 3_200)
    barrier = Barrier(AT_ONCE)

    def run(_: int) -> Any:
        barrier.wait()
        return charge(works, project_id)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        got = list(pool.map(run, range(AT_ONCE)))
    assert sorted(len(posted) for posted in got) == [0, 0, 0, 1]
    assert charged(works, project_id) == [(REPAIR, 3_200)]


def test_a_building_without_an_owner_is_charged_to_nobody(works: Works) -> None:
    project_id = works.open()
    assert charge(works, project_id) == {}, "nothing to charge"
    works.buy(project_id, 3_200)
    with works.writing() as session:
        building = session.scalars(
            select(Building).where(Building.id == works.house.building_id)
        ).one()
        building.owner_id = None
    with pytest.raises(Refused, match="no owner"):
        charge(works, project_id)


def test_a_stranger_charges_nothing(works: Works, database: Database, cast: Cast) -> None:
    project_id = works.open()
    works.buy(project_id, 3_200)
    with pytest.raises(NotFound):
        charge(Works(database, works.clock, cast.minato), project_id)
