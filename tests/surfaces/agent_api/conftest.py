"""What every test of the JSON API may ask for."""

import pytest
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast
from tests.surfaces.agent_api.asking import PEOPLE, Asker, Home, asker, empty_home


@pytest.fixture
def website(client: FlaskClient, database: Database, clock: FixedClock, cast: Cast) -> Asker:
    """Sumida's website, whose key carries every scope but residents."""
    return asker(client, database, clock, cast.sumida.workspace_id)


@pytest.fixture
def office(client: FlaskClient, database: Database, clock: FixedClock, cast: Cast) -> Asker:
    """Sumida's office, whose key reads residents alone."""
    return asker(client, database, clock, cast.sumida.workspace_id, PEOPLE)


@pytest.fixture
def home(database: Database) -> Home:
    """A workspace of its own with one building and nothing in it."""
    return empty_home(database)


@pytest.fixture
def visitor(client: FlaskClient, database: Database, clock: FixedClock, home: Home) -> Asker:
    """Who asks about that workspace's listings."""
    return asker(client, database, clock, home.workspace_id)


@pytest.fixture
def clerk(client: FlaskClient, database: Database, clock: FixedClock, home: Home) -> Asker:
    """Who asks about that workspace's residents."""
    return asker(client, database, clock, home.workspace_id, PEOPLE)
