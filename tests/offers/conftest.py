"""Fixtures of an office with a free room to offer."""

import pytest

from pms.foundation.database import Database
from tests.arrivals.office import Office, open_office
from tests.offers.letting import Letting


@pytest.fixture
def office(database: Database) -> Office:
    """An office on 20 November 2026."""
    return open_office(database)


@pytest.fixture
def letting(office: Office) -> Letting:
    """The same office, offering."""
    return Letting(office)


@pytest.fixture
def room(office: Office) -> str:
    """The id of a free room: 93,000 a month, 30,000 and 93,000 once."""
    return office.home.unit("101")
