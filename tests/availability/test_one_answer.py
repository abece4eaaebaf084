"""Unit page, list, API, find-a-room, calendar and published calendar answer one question."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from sqlalchemy import delete

from pms.catalogue.models import CalendarFeed, ExternalBlock, Unit
from pms.foundation.database import Database
from pms.reservations.models import Reservation
from tests.availability.surfaces import differing_answers
from tests.availability.test_the_database_agrees_with_the_law import settle, units
from tests.rules.facts import TODAY
from tests.surfaces.agent_api.asking import empty_home

pytestmark = pytest.mark.differs("text and dates in SQL")


def test_every_surface_says_the_same_of_any_history(database: Database) -> None:
    home = empty_home(database)

    @settings(
        max_examples=20,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(units)
    def compared(drawn: Any) -> None:
        with database.writing(home.workspace_id) as session:
            session.execute(delete(ExternalBlock))
            session.execute(delete(CalendarFeed))
            session.execute(delete(Reservation))
            session.execute(delete(Unit))
            found = settle(session, home, drawn)
        with database.reading(home.workspace_id) as session:
            assert differing_answers(session, list(found), TODAY) == []

    compared()
