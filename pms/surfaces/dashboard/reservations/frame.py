"""Puts a tab of a reservation under its header; other features frame their tabs with it too."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from flask import Response, current_app, request, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext

from pms.arrivals.reservation_header import ReservationHeader, reservation_header
from pms.contracts.outdated_papers import outdated_paper_of
from pms.surfaces.dashboard.desk import may, reading, today
from pms.surfaces.hypermedia import is_part, page_or_block
from pms.surfaces.refusal_wording import said

_TABS: Final = (
    ("reservation", lazy_gettext("Overview")),
    ("reservation_dates", lazy_gettext("Dates")),
    ("reservation_price", lazy_gettext("Price")),
    ("reservation_ledger", lazy_gettext("Ledger")),
    ("reservation_deposit", lazy_gettext("Deposit")),
    ("reservation_documents", lazy_gettext("Documents")),
    ("reservation_people", lazy_pgettext("reservation", "People")),
    ("reservation_messages", lazy_gettext("Messages")),
    ("reservation_departure", lazy_gettext("Departure")),
    ("reservation_history", lazy_gettext("History")),
)


class Tab(NamedTuple):
    """One tab as a link, in the order the macro of tabs takes."""

    text: LazyString
    href: str
    is_current: bool


def framed(
    reservation_id: str,
    template: str,
    *,
    tab: str | None = None,
    header: ReservationHeader | None = None,
    block: str = "tab",
    **shown: Any,
) -> Response:
    """Show a template that extends `dashboard/reservations/frame.html`, or its `tab` block.

    `tab` is the endpoint of the tab a page belongs to, where the page has one of its own, and
    `block` what htmx gets, where that is less than the tab.
    """
    found = header or reservation_header(reading(), reservation_id, today())
    tabs = tabs_of(reservation_id, tab or (request.endpoint or "").rpartition(".")[2])
    current = next((each.text for each in tabs if each.is_current), "")
    damaged = said(found.damaged) if found.damaged else None
    told = {"header": found, "damaged": damaged, "tabs": tabs, "tab_text": current}
    if not is_part():
        told["outdated"] = outdated_paper_of(reading(), reservation_id)
    return page_or_block(template, block, **told, **shown)


def tabs_of(reservation_id: str, current: str) -> tuple[Tab, ...]:
    """Return the tabs that are there and that this person may open."""
    return tuple(_tabs(reservation_id, current))


def _tabs(reservation_id: str, current: str) -> Iterator[Tab]:
    for endpoint, text in _TABS:
        if f"dashboard.{endpoint}" in current_app.view_functions and may(endpoint):
            href = url_for(f"dashboard.{endpoint}", reservation_id=reservation_id)
            yield Tab(text, href, endpoint == current)
