"""Browsers of the staff, one a role, for the tests of the dashboard."""

import pytest
from flask import Flask

from pms.foundation.clock import FixedClock
from pms.rules.enumerations import StaffRole
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser


@pytest.fixture
def operator(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    """Sumida's operator at the dashboard."""
    return open_browser(app, clock, staff.operator_id, cast.sumida.slug)


@pytest.fixture
def office(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    """Sumida's office worker at the dashboard."""
    return open_browser(app, clock, staff.office_id, cast.sumida.slug)


@pytest.fixture
def housekeeper(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    """Sumida's housekeeper at the dashboard."""
    return open_browser(app, clock, staff.of_role(StaffRole.HOUSEKEEPING), cast.sumida.slug)


@pytest.fixture
def maintainer(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    """Sumida's maintenance worker at the dashboard."""
    return open_browser(app, clock, staff.of_role(StaffRole.MAINTENANCE), cast.sumida.slug)


@pytest.fixture
def stranger(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    """Minato's operator, at the dashboard of Minato."""
    return open_browser(app, clock, staff.stranger_id, cast.minato.slug)
