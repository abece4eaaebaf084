"""A booking of Sumida's free room, for the tests of what is done to one."""

from datetime import date

import pytest

from pms.arrivals.bookings import book
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.pricing.agreed_price import MonthlyAmounts
from pms.rules.enumerations import ReservationKind
from tests.cast import Cast

WHO = "person/test"


@pytest.fixture
def booked_id(database: Database, cast: Cast, clock: FixedClock) -> str:
    """A year in room 102 from 16 December, 93,000 a month, booked with its invoice."""
    with database.writing(cast.sumida.workspace_id) as session:
        booked = book(
            Work(session, clock, WHO),
            unit_id=cast.sumida.free_room_id,
            kind=ReservationKind.RESIDENT,
            name="高橋 翔",
            name_kana="タカハシ ショウ",
            email="sho@example.jp",
            move_in_date=date(2026, 12, 16),
            contract_end_date=date(2027, 12, 15),
            amounts=MonthlyAmounts(base_rent_yen=93_000),
            reservation_fee_yen=30_000,
            deposit_yen=93_000,
        )
    return booked.reservation_id
