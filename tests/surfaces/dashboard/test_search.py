"""A few words lead to people, units and buildings, as far as the role reaches."""

import pytest
from flask import Flask

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.surfaces.dashboard.menu import heads_of
from pms.surfaces.dashboard.menu_areas import AREAS
from pms.surfaces.dashboard.search import ACTS, PAGES_APART
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.reservations.test_questions import asked
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


def test_the_office_finds_a_person_by_romaji(office: Browser) -> None:
    assert "佐藤 花子" in office.get("/search?q=hanako").text
    assert "佐藤 花子" not in office.get("/search?q=hanakoo").text


@pytest.mark.parametrize("words", ["arrears", "滞納", "たいのう", "ﾀｲﾉｳ", "tainou", "overdue"])
def test_a_page_is_found_in_either_language_by_reading_and_romaji(
    office: Browser, words: str
) -> None:
    for language in ("ja", "en"):
        found = office.get(f"/search?q={words}&lang={language}").text.partition('id="found"')[2]
        assert '/arrears"' in found.partition("</main>")[0]


# They are steps of another page, on which something is chosen before.
STEPS = {"check_charges", "check_reminders", "checklist", "confirm_mailbox_removal"}


def test_the_palette_knows_every_page_of_money_and_of_the_settings(
    app: Flask, operator: Browser
) -> None:
    with app.test_request_context():
        heads = {
            head for area in AREAS if area.name in {"money", "settings"} for head in heads_of(area)
        }
    pages = set()
    for rule in app.url_map.iter_rules():
        endpoint = rule.endpoint.removeprefix("dashboard.")
        is_page = "GET" in (rule.methods or ()) and set(rule.arguments) == {"workspace"}
        head = rule.rule.removeprefix("/dashboard/<workspace>").strip("/").partition("/")[0]
        if not is_page or head not in heads or endpoint in STEPS:
            continue
        if operator.get(rule.rule.removeprefix("/dashboard/<workspace>")).mimetype == "text/html":
            pages.add(endpoint)
    assert len(pages) > 40
    named = {entry.endpoint for area in AREAS for entry in area.entries}
    named |= {entry.endpoint for entry in (*ACTS, *PAGES_APART)}
    assert pages - named == set()


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("mandates", "/bank/mandates"),
        ("口座振替", "/bank/mandates"),
        ("kanjou", "/reports/accounts"),
        ("logo", "/settings/logo"),
        ("コンビニ", "/bank/collections"),
    ],
)
def test_a_page_that_hangs_on_another_is_found(operator: Browser, words: str, page: str) -> None:
    found = operator.get(f"/search?q={words}").text
    assert f'href="/dashboard/sumida{page}"' in found


def test_an_act_for_somebody_names_them(office: Browser) -> None:
    found = office.block("/search?q=payment 花子&lang=en").text
    assert "Record payment: 佐藤 花子" in found
    assert "/payments/new" in found


@pytest.mark.parametrize("words", ["nyukin", "nyuukin", "にゅうきんをき", "ﾆｭｳｷﾝ", "nyuk"])
def test_an_act_is_found_by_its_reading_while_one_types(office: Browser, words: str) -> None:
    assert "入金を記録" in office.block(f"/search?q={words}&lang=ja").text
    assert "入金を記録: 佐藤 花子" in office.block(f"/search?q={words} hanako&lang=ja").text


def test_acts_are_offered_before_anything_is_typed(office: Browser) -> None:
    shown = office.block("/search?palette=y&lang=en").text
    assert 'name="q"' in shown
    assert "New reservation" in shown


def test_pages_and_acts_are_those_of_the_role(housekeeper: Browser) -> None:
    found = housekeeper.block("/search?q=payment&lang=en").text
    assert "Record payment" not in found
    assert "/bank" not in found
    assert "/arrears" not in housekeeper.block("/search?q=arrears").text


def test_a_unit_is_found_by_its_building_and_name(housekeeper: Browser) -> None:
    assert "/units/" in housekeeper.get("/search?q=カワセミ 101").text


def test_housekeeping_finds_nobody_by_name(housekeeper: Browser) -> None:
    found = housekeeper.get("/search?q=花子&lang=en").text
    assert "佐藤 花子" not in found
    assert "Searched units and buildings." in found


def test_a_stranger_finds_nothing_of_ours(stranger: Browser) -> None:
    assert "/reservations/" not in stranger.get("/search?q=tsumugi").text


def test_a_project_is_found_by_its_number_by_those_who_may_see_it(
    maintainer: Browser, housekeeper: Browser, works: Works
) -> None:
    works.open("給湯器の交換")
    assert "PRJ-0001 給湯器の交換" in maintainer.get("/search?q=PRJ-1").text
    assert "PRJ-0001 給湯器の交換" in maintainer.get("/search?q=給湯器").text
    assert "給湯器" not in housekeeper.get("/search?q=PRJ-0001").text


def test_only_what_may_be_a_number_is_looked_for_among_invoices_and_nothing_is_counted(
    office: Browser,
) -> None:
    with asked() as statements:
        office.get("/search?q=hanako")
    assert not any("FROM invoice" in statement for statement in statements)
    assert not any("SELECT count(*) AS count_1 \nFROM maintenance_project" in s for s in statements)
    assert any("FROM maintenance_project" in statement for statement in statements)
    with asked() as statements:
        office.get("/search?q=2026-000001")
    assert any("FROM invoice" in statement for statement in statements)
