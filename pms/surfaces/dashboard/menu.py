"""The dashboard's menu, as the roles of the routes let a person see it."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from flask import current_app, g, request, url_for

from pms.surfaces.dashboard.gate import WORKSPACE, current_member, may
from pms.surfaces.dashboard.menu_areas import AREAS, Area, MenuPage


class Item(NamedTuple):
    """One link of the menu as it is shown."""

    href: str
    text: str
    is_current: bool


class MenuArea(NamedTuple):
    """One area as it is shown, with its second row."""

    name: str
    href: str
    text: str
    icon: str
    is_current: bool
    items: Sequence[Item]


_OFFICE_BELOW: Final = ("today", "calendar", "residents", "money")
_SITE_BELOW: Final = {
    "today": "today",
    "work": "task",
    "inbox": "mail",
    "report_problem": "warning",
    "chart": "calendar",
}
"""The bottom menu of staff on site, with icons; the first four that they may open are shown."""
_PLACES_BELOW: Final = 4


def menu() -> Sequence[MenuArea]:
    """Return the areas of this person, each with the pages they may open."""
    lines: Sequence[MenuArea] | None = g.get("menu_lines")
    if lines is None:
        current, page = current_area(), page_endpoint()
        shown: list[MenuArea] = []
        for area in AREAS:
            if any(may(entry.endpoint) for entry in area.entries):
                is_current = area is current
                entries = [entry for entry in area.entries if may(entry.endpoint)]
                items = [
                    Item(
                        page_address(entry.endpoint),
                        str(entry.text),
                        page in (entry.endpoint, *entry.parts),
                    )
                    for entry in entries
                ]
                shown.append(
                    MenuArea(area.name, items[0].href, str(area.text), area.icon, is_current, items)
                )
        lines = g.menu_lines = shown
    return lines


def second_row() -> Sequence[Item]:
    """Return the pages of the current area if this page is one of several, else nothing."""
    line = next((item for item in menu() if item.is_current), None)
    is_listed = line is not None and any(item.is_current for item in line.items)
    return line.items if line is not None and is_listed and len(line.items) > 1 else ()


def whole_of(endpoint: str) -> str:
    """Return the menu page that the endpoint is a part of, else the endpoint itself."""
    found = (
        entry.endpoint for entry in _map_entries_by_endpoint().values() if endpoint in entry.parts
    )
    return next(found, endpoint)


def bottom_menu() -> Sequence[MenuArea]:
    """Return the four links of the bottom menu; a fifth button opens the whole menu."""
    if current_member().is_office:
        # The area of residents with the shorter name of its first page, others unchanged.
        return [
            (line._replace(text=line.items[0].text) if line.name == "residents" else line)
            for line in menu()
            if line.name in _OFFICE_BELOW
        ]
    places = [endpoint for endpoint in _SITE_BELOW if may(endpoint)][:_PLACES_BELOW]
    page, area = page_endpoint(), current_area()
    current: str | None = page
    if page not in places and area is not None:
        current = next((entry.endpoint for entry in area.entries if entry.endpoint in places), None)
    bottom_lines: list[MenuArea] = []
    for endpoint in places:
        is_current = endpoint == current
        text = str(_map_entries_by_endpoint()[endpoint].text)
        bottom_lines.append(
            MenuArea(endpoint, page_address(endpoint), text, _SITE_BELOW[endpoint], is_current, ())
        )
    return bottom_lines


def current_area() -> Area | None:
    """Return the area of the current page."""
    head = _first_part(request.url_rule.rule if request.url_rule else "")
    return next((area for area in AREAS if head in heads_of(area)), None)


def area_title() -> str:
    """Return the title of the current page's area, empty without an area."""
    area = current_area()
    return str(area.text) if area else ""


def heads_of(area: Area) -> frozenset[str]:
    """Return the first parts of the addresses of an area."""
    heads: dict[str, frozenset[str]] = current_app.extensions.setdefault("dashboard_heads", {})
    if area.name not in heads:
        own = (
            _first_part(next(current_app.url_map.iter_rules(f"dashboard.{entry.endpoint}")).rule)
            for entry in area.entries
        )
        heads[area.name] = area.below | frozenset(own)
    return heads[area.name]


def _first_part(rule: str) -> str:
    """Return "units" of "/dashboard/<workspace>/units/<unit_id>"."""
    return rule.partition(f"<{WORKSPACE}>/")[2].partition("/")[0]


def page_endpoint() -> str:
    """Return the endpoint of the page at this address, also when its form was refused."""
    endpoint = (request.endpoint or "").rpartition(".")[2]
    if request.url_rule is None or request.method == "GET":
        return endpoint
    pages: dict[str, str] = current_app.extensions.setdefault("dashboard_pages", {})
    if not pages:
        pages |= {
            rule.rule: rule.endpoint.rpartition(".")[2]
            for rule in current_app.url_map.iter_rules()
            if "GET" in (rule.methods or ())
        }
    return pages.get(request.url_rule.rule, endpoint)


@cache
def _map_entries_by_endpoint() -> dict[str, MenuPage]:
    return {entry.endpoint: entry for area in AREAS for entry in area.entries}


def page_address(endpoint: str) -> str:
    """Return the address of a page of the dashboard that is about no record."""
    return url_for(f"dashboard.{endpoint}")
