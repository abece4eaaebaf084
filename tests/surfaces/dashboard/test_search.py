"""A few words lead to people, units and buildings, as far as the role reaches."""

import pytest

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.cast import Cast
from tests.staff import Browser
from tests.upkeep.works import Works

pytestmark = pytest.mark.differs("search")


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def test_the_office_finds_a_person_by_half_width_kana(office: Browser) -> None:
    assert "佐藤 花子" in office.get("/search?q=ﾊﾅｺ").text


def test_residents_are_filed_under_residents(office: Browser) -> None:
    assert '<h2 id="found-people">入居者</h2>' in office.get("/search?q=花子&lang=ja").text


def test_a_unit_is_found_by_its_building_and_name(housekeeper: Browser) -> None:
    assert "/units/" in housekeeper.get("/search?q=カワセミ 101").text


def test_housekeeping_finds_nobody_by_name(housekeeper: Browser) -> None:
    found = housekeeper.get("/search?q=花子&lang=en").text
    assert "佐藤 花子" not in found
    assert "Looked through units and buildings." in found


def test_a_stranger_finds_nothing_of_ours(stranger: Browser) -> None:
    assert "/reservations/" not in stranger.get("/search?q=tsumugi").text


def test_a_project_is_found_by_its_number_by_those_who_may_see_it(
    maintainer: Browser, housekeeper: Browser, works: Works
) -> None:
    works.open("給湯器の交換")
    assert "PRJ-0001 給湯器の交換" in maintainer.get("/search?q=PRJ-1").text
    assert "PRJ-0001 給湯器の交換" in maintainer.get("/search?q=給湯器").text
    assert "給湯器" not in housekeeper.get("/search?q=PRJ-0001").text
