"""The share of days lived in, each day of a unit once."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.availability.occupancy import occupancy_months
from pms.availability.timeline import timeline
from pms.catalogue.models import Unit
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


def test_each_day_of_each_unit_is_counted_once(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        months = occupancy_months(session, TODAY)
        lived = _lived_days(session, months[0].month_on)
    assert sum(month.lived_days for month in months) == len(lived)
    for month in months:
        of_month = [
            day for _, day in lived if (day.year, day.month) == month.month_on.timetuple()[:2]
        ]
        assert month.lived_days == len(of_month)


def _lived_days(session: Session, from_on: date) -> set[tuple[str, date]]:
    unit_ids = session.scalars(select(Unit.id)).all()
    bars = timeline(session, unit_ids, from_on, TODAY, TODAY)
    days = [from_on + timedelta(days=past) for past in range((TODAY - from_on).days + 1)]
    return {
        (unit_id, day)
        for unit_id, of_unit in bars.items()
        for bar in of_unit
        for day in days
        if not bar.is_block and bar.first_on <= day and (bar.last_on is None or day < bar.last_on)
    }


def test_nobody_lives_anywhere_before_anybody_came(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        months = occupancy_months(session, date(2020, 5, 10))
    assert {month.lived_days for month in months} == {0}


def test_a_strangers_building_has_no_days(database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        months = occupancy_months(session, TODAY, building_id=cast.minato.building_id)
    assert months[-1].unit_days == 0
    assert months[-1].percent == 0
