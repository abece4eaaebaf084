"""Fixtures of the office that books and changes reservations."""

import pytest

from pms.foundation.database import Database
from tests.arrivals.office import Office, open_office


@pytest.fixture
def office(database: Database) -> Office:
    """An office on 20 November 2026 with one free room."""
    return open_office(database)


@pytest.fixture
def room(office: Office) -> str:
    """The id of a free room."""
    return office.home.unit("101")


@pytest.fixture
def other_room(office: Office) -> str:
    """The id of another free room."""
    return office.home.unit("102")
