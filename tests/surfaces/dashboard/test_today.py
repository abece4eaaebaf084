"""Today shows each role what waits for it."""

from datetime import date

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast
from tests.staff import Browser
from tests.upkeep.task_desk import added


def test_the_office_sees_every_card(office: Browser) -> None:
    shown = office.get("/?lang=en")
    assert shown.status_code == 200
    for title in ("Arrivals", "Departures", "Notices this week", "Overdue", "Deposits to settle"):
        assert title in shown.text


def test_housekeeping_sees_rooms_and_nobodys_money(housekeeper: Browser) -> None:
    shown = housekeeper.get("/?lang=en").text
    assert "Departures" in shown
    assert "Overdue" not in shown
    assert "Emma Wilson" not in shown


def test_a_card_is_asked_for_alone(office: Browser) -> None:
    part = office.block("/?card=arrivals&lang=en").text
    assert part.lstrip().startswith("<section")
    assert "Deposits to settle" not in part


def test_going_back_asks_for_no_page_again_unless_it_shows_a_secret(operator: Browser) -> None:
    for path in ("/", "/reservations", "/arrears", "/search?q=x"):
        assert operator.get(path).headers["Cache-Control"] == "private, no-cache", path
    for path in ("/keys/new", "/integrations", "/me/second-factor", "/nowhere"):
        assert operator.get(path).headers["Cache-Control"] == "no-store", path


def test_who_works_on_site_sees_their_own_work_first(
    housekeeper: Browser, office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    late = added(
        database, clock, cast.sumida, due_on=date(2026, 11, 18), opens_on=date(2026, 11, 17)
    )
    shown = housekeeper.get("/?lang=en").text
    assert shown.index(late) < shown.index("Arrivals")
    part = housekeeper.block("/?card=own_work&lang=en").text
    assert part.lstrip().startswith("<section")
    assert late in part
    assert late in office.block("/?card=work&lang=en").text
    assert "Work late" not in shown
