"""Every tab of a reservation stands under its header and says what is recorded."""

import pytest
from sqlalchemy import select

from pms.foundation.database import Database
from pms.reservations.models import Reservation
from tests.cast import Cast
from tests.staff import Browser

TABS = ("", "/documents", "/people", "/messages", "/history")


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_stands_under_the_header(office: Browser, cast: Cast, tab: str) -> None:
    shown = office.get(f"/reservations/{cast.sumida.resident_id}{tab}")
    assert shown.status_code == 200
    assert "佐藤 花子" in shown.text
    assert "サトウ ハナコ" in shown.text


@pytest.mark.parametrize("tab", TABS)
def test_a_part_of_a_tab_comes_without_its_page(office: Browser, cast: Cast, tab: str) -> None:
    shown = office.block(f"/reservations/{cast.sumida.resident_id}{tab}")
    assert shown.status_code == 200
    assert "<html" not in shown.text


def test_the_overview_shows_the_payment_reference(
    database: Database, office: Browser, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        wanted = select(Reservation).where(Reservation.id == cast.sumida.resident_id)
        session.scalars(wanted).one().payment_reference = "400013"
    shown = office.get(f"/reservations/{cast.sumida.resident_id}?lang=en").text
    assert "Payment reference" in shown
    assert "400013" in shown
