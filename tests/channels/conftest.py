"""Fixtures of those who push something in."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from tests.cast import Cast
from tests.channels.intake import Intake


@pytest.fixture
def ours(database: Database, settings: Settings, clock: FixedClock, cast: Cast) -> Intake:
    """The workspace the samples are pushed into."""
    return Intake(database, settings, clock, cast.sumida)


@pytest.fixture
def theirs(database: Database, settings: Settings, clock: FixedClock, cast: Cast) -> Intake:
    """Another workspace, in the same database."""
    return Intake(database, settings, clock, cast.minato)
