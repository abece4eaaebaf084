"""Fixtures of the desk where deposits are settled."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.departures.desk import Desk, open_desk


@pytest.fixture
def desk(database: Database, clock: FixedClock) -> Desk:
    """A desk over an empty house."""
    return open_desk(database, clock)
