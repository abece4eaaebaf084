"""Eight areas and the inbox: every page has its place, no more than two presses away, by role."""

import re

import pytest
from flask import Flask

from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.gate import dashboard
from pms.surfaces.dashboard.menu_areas import AREAS, WITHOUT_AREA
from pms.surfaces.dashboard.settings_index import GROUPS
from tests.staff import Browser

LINES = 9
OPERATORS = {
    "Today", "Inbox", "Calendar", "Residents &amp; contracts", "Leasing", "Money", "Upkeep",
    "Owners &amp; property", "Settings",
}  # fmt: skip


def lines_of(shown: str) -> dict[str, str]:
    """Return the areas in the side bar with their addresses."""
    nav = re.search(r'<nav class="side-nav".*?</nav>', shown, re.DOTALL)
    assert nav is not None
    own = re.findall(
        r'<li>\s*<a href="([^"]+)"[^>]*><svg.*?</svg>(.*?)(?: <b|</a>)', nav[0], re.DOTALL
    )
    return {text: href for href, text in own}


def pages_of(shown: str) -> set[str]:
    """Return the addresses in the second row of a page."""
    row = re.search(r'<nav class="tabs area-row".*?</nav>', shown, re.DOTALL)
    return set(re.findall(r'href="([^"]+)"', row[0])) if row else set()


def test_the_operator_has_eight_areas_and_the_inbox(operator: Browser) -> None:
    found = lines_of(operator.get("/?lang=en").text)
    assert set(found) == OPERATORS
    assert len(found) == LINES


def test_on_site_only_what_is_reached_is_shown(housekeeper: Browser, maintainer: Browser) -> None:
    assert set(lines_of(housekeeper.get("/?lang=en").text)) == {"Today", "Calendar", "Upkeep"}
    assert set(lines_of(maintainer.get("/?lang=en").text)) == {
        "Today", "Inbox", "Calendar", "Residents &amp; contracts", "Upkeep"
    }  # fmt: skip


def test_every_page_of_the_menu_is_two_presses_away(operator: Browser, app: Flask) -> None:
    front = operator.get("/?lang=en").text
    reached = set(lines_of(front).values())
    for href in lines_of(front).values():
        reached |= pages_of(operator.get(href.removeprefix("/dashboard/sumida")).text)
    with app.test_request_context("/dashboard/sumida/"):
        wanted = {
            app.url_for(f"dashboard.{entry.endpoint}", workspace="sumida")
            for area in AREAS
            for entry in area.entries
        }
    settings = operator.get("/settings/all").text.partition("<main")[2].partition("</main>")[0]
    reached |= set(re.findall(r'href="([^"]+)"', settings))
    assert wanted <= reached


def test_the_settings_are_grouped_and_each_page_shows_its_group(operator: Browser) -> None:
    grouped = [line.endpoint for group in GROUPS for line in group.settings if line.text is None]
    area = next(area for area in AREAS if area.name == "settings")
    assert sorted(["all_settings", *grouped]) == sorted(one.endpoint for one in area.entries)
    beside = {href.rpartition("/sumida")[2] for href in pages_of(operator.get("/people").text)}
    assert beside == {
        "/settings/all", "/people", "/people/sign-ins", "/settings/sign-in", "/audit"
    }  # fmt: skip


def test_every_setting_is_listed_with_what_it_holds(operator: Browser, office: Browser) -> None:
    shown = operator.get("/settings/all?lang=en").text
    own = re.findall(r'<li><a[^>]*>([^<]+)</a><p class="hint">([^<]+)</p>', shown)
    assert len(own) == sum(len(group.settings) for group in GROUPS)
    assert all(sentence.endswith(".") for _, sentence in own)
    for_the_office = office.get("/settings/all?lang=en").text
    assert "API keys" in shown and "API keys" not in for_the_office


@pytest.mark.parametrize(
    ("path", "beside"),
    [("/settings", "/settings/bank"), ("/content/website", "/content")],
)
def test_a_refused_form_keeps_the_row_of_its_page(
    operator: Browser, path: str, beside: str
) -> None:
    refused = operator.post(path, {"name": "", "address": "no address"})
    assert refused.status_code == 422
    assert pages_of(refused.text) == pages_of(operator.get(path).text)
    assert any(href.endswith(f"/sumida{beside}") for href in pages_of(refused.text))


def test_every_page_of_the_desk_has_one_place(app: Flask) -> None:
    heads = {
        rule.rule.split("/")[3]: rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("dashboard.") and "GET" in (rule.methods or ())
    }
    with app.test_request_context("/"):
        from pms.surfaces.dashboard.menu import heads_of

        places = {
            head: [area.name for area in AREAS if head in heads_of(area)]
            + (["none"] if head in WITHOUT_AREA else [])
            for head in heads
        }
    assert not {head: found for head, found in places.items() if len(found) != 1}


def test_every_entry_is_a_page_that_a_role_reaches() -> None:
    for area in AREAS:
        for entry in area.entries:
            assert dashboard.checks[entry.endpoint].roles <= frozenset(StaffRole)


@pytest.mark.parametrize(
    ("path", "area"),
    [("/reservations", "Residents &amp; contracts"), ("/units", "Owners &amp; property"),
     ("/settings/figures", "Settings"), ("/billing/charges", "Money")],
)  # fmt: skip
def test_a_page_says_its_area_in_its_title_and_marks_it(
    operator: Browser, path: str, area: str
) -> None:
    shown = operator.get(f"{path}?lang=en").text
    title = re.search(r"<title>(.*?)</title>", shown, re.DOTALL)
    assert title is not None
    assert area in title[1]
    marked = re.search(r'aria-current="(?:page|true)"><svg.*?</svg>([^<]+)', shown, re.DOTALL)
    assert marked is not None
    assert marked[1].strip() == area


def test_five_places_are_under_the_thumb(office: Browser, housekeeper: Browser) -> None:
    def below(browser: Browser) -> list[str]:
        bar = browser.get("/?lang=en").text.partition('<nav class="bottom-bar"')[2]
        return re.findall(r"</svg>([^<]+)</(?:a|button)>", bar.partition("</nav>")[0])

    assert below(office) == ["Today", "Calendar", "Residents", "Money", "More"]
    assert below(housekeeper) == ["Today", "Work", "Report a problem", "Calendar", "More"]
