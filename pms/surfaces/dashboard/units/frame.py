"""Puts a tab of a unit under its header."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext

from pms.catalogue.records import UnitRecord, unit_record
from pms.surfaces.dashboard.desk import may, reading
from pms.surfaces.hypermedia import page_or_block

_TABS: Final = (
    ("unit", lazy_gettext("Overview")),
    ("unit_reservations", lazy_gettext("Reservations")),
    ("unit_photos", lazy_gettext("Photos")),
    ("unit_blocks", lazy_gettext("Blocks")),
    ("unit_calendars", lazy_gettext("Calendars")),
)


class Tab(NamedTuple):
    """One tab as a link, in the order the macro of tabs takes."""

    text: LazyString
    href: str
    is_current: bool


def framed(
    unit_id: str,
    template: str,
    *,
    tab: str | None = None,
    unit: UnitRecord | None = None,
    block: str = "tab",
    **shown: Any,
) -> Response:
    """Show a template that extends `dashboard/units/frame.html`, or a block of it for htmx."""
    found = unit or unit_record(reading(), unit_id)
    tabs = tuple(_tabs(unit_id, tab or (request.endpoint or "").rpartition(".")[2]))
    current = next((each.text for each in tabs if each.is_current), "")
    return page_or_block(template, block, unit=found, tabs=tabs, tab_text=current, **shown)


def _tabs(unit_id: str, current: str) -> Iterator[Tab]:
    for endpoint, text in _TABS:
        if may(endpoint):
            href = url_for(f"dashboard.{endpoint}", unit_id=unit_id)
            yield Tab(text, href, endpoint == current)
