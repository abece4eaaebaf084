"""The share of days lived in, each day of a unit once."""

from datetime import date

import pytest

from pms.availability.occupancy import occupancy_months
from pms.foundation.database import Database
from tests.cast import Cast

pytestmark = pytest.mark.differs("time")

TODAY = date(2026, 11, 20)


def test_the_present_month_counts_to_today(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        months = occupancy_months(session, TODAY)
    assert months[-1].month_on == date(2026, 11, 1)
    assert months[-1].unit_days % 20 == 0
    assert 0 < months[-1].lived_days <= months[-1].unit_days


def test_nobody_lives_anywhere_before_anybody_came(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        months = occupancy_months(session, date(2020, 5, 10))
    assert {month.lived_days for month in months} == {0}


def test_a_strangers_building_has_no_days(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        months = occupancy_months(session, TODAY, building_id=cast.minato.building_id)
    assert months[-1].unit_days == 0
    assert months[-1].percent == 0
