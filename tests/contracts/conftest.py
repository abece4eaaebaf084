"""An office with a booking whose contract is to be signed."""

import pytest

from pms.foundation.database import Database
from tests.arrivals.office import Office, open_office


@pytest.fixture
def office(database: Database) -> Office:
    """An office on 20 November 2026 with one free room."""
    return open_office(database)


@pytest.fixture
def booking(office: Office) -> str:
    """田中 一郎 comes to room 101 in December, for four months."""
    return office.book(
        office.home.unit("101"),
        "2026-12-01",
        "2027-03-31",
        email="tanaka@example.jp",
        name_kana="タナカ イチロウ",
    )
