"""The dashboard's menu: eight areas and the inbox, each with its pages as a second row.

To add a page, add an entry to its area:

    Entry("payers", lazy_gettext("Payers"), lazy_gettext("payer names, aliases")),

The first text is shown in the second row. The second one has further words by which the command
palette finds the page; its translation has the Japanese words and their reading in kana. The roles
of the route decide who sees the entry. A page without an entry belongs to the area whose `below`
has the first part of its address.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from flask import current_app, g, request, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext

from pms.surfaces.dashboard.gate import WORKSPACE, current_member, may


class Entry(NamedTuple):
    """One page of the menu; `endpoint` is without its blueprint."""

    endpoint: str
    text: LazyString
    words: LazyString | str = ""
    parts: tuple[str, ...] = ()
    """Endpoints of pages that show the same second row, with this entry as the current one."""


class Area(NamedTuple):
    """An area of the menu: its pages, the worklist first, and the addresses of others below it."""

    name: str
    text: LazyString
    icon: str
    entries: tuple[Entry, ...]
    below: frozenset[str] = frozenset()


class Item(NamedTuple):
    """One link of the menu as it is shown."""

    href: str
    text: str
    is_current: bool


class Line(NamedTuple):
    """One area as it is shown, with its second row."""

    name: str
    href: str
    text: str
    icon: str
    is_current: bool
    items: Sequence[Item]


def _below(parts: str) -> frozenset[str]:
    return frozenset(parts.split())


INBOX: Final = "inbox"
AREAS: Final = (
    Area(
        "today",
        lazy_gettext("Today"),
        "today",
        (Entry("today", lazy_gettext("Today"), lazy_gettext("start, worklist, what is due")),),
    ),
    Area(
        INBOX,
        lazy_gettext("Inbox"),
        "mail",
        (
            Entry("inbox", lazy_gettext("Inbox"), lazy_gettext("what came in, to answer")),
            Entry(
                "conversations",
                lazy_gettext("All messages"),
                lazy_gettext("conversations by person, LINE, WhatsApp, mail"),
            ),
            Entry("tickets", lazy_gettext("Tickets"), lazy_gettext("residents' questions, portal")),
        ),
        _below("messages"),
    ),
    Area(
        "calendar",
        lazy_gettext("Calendar"),
        "calendar",
        (
            Entry("chart", lazy_gettext("Calendar"), lazy_gettext("chart, occupancy, timeline")),
            Entry("availability", lazy_gettext("Availability"), lazy_gettext("vacant, free rooms")),
            Entry(
                "calendar_conflicts",
                lazy_gettext("Overlapping dates"),
                lazy_gettext("calendar conflicts, double bookings"),
            ),
        ),
    ),
    Area(
        "residents",
        lazy_gettext("Residents & contracts"),
        "reservation",
        (
            Entry(
                "reservations",
                lazy_gettext("Residents"),
                lazy_gettext("reservations, tenancies, tenants, bookings"),
            ),
            Entry(
                "check_in_links",
                lazy_pgettext("stay", "Guests"),
                lazy_gettext("check-in links, guest register, short stays"),
            ),
            Entry(
                "condition_reports",
                lazy_gettext("Move-in checks"),
                lazy_gettext("condition reports, state of the room"),
            ),
        ),
        _below("contracts"),
    ),
    Area(
        "leasing",
        lazy_gettext("Leasing"),
        "key",
        (
            Entry("enquiries", lazy_gettext("Enquiries"), lazy_gettext("prospects, questions")),
            Entry(
                "rooms",
                lazy_gettext("Find a room"),
                lazy_gettext("vacancy, free room, search, move to another room"),
            ),
            Entry("viewings", lazy_gettext("Viewings"), lazy_gettext("showings, appointments")),
            Entry(
                "reservation_links",
                lazy_gettext("Offers"),
                lazy_gettext("offer links, applications for a room"),
            ),
            Entry("waitlist", lazy_gettext("Waitlist"), lazy_gettext("waiting for a room")),
            Entry(
                "content",
                lazy_gettext("Website"),
                lazy_gettext("content, posts, campaigns"),
                parts=("campaigns", "positions", "services"),
            ),
            Entry("website", lazy_gettext("Website texts"), lazy_gettext("texts of the website")),
            Entry(
                "leads", lazy_gettext("Job applications"), lazy_gettext("leads, applicants, jobs")
            ),
            Entry(
                "telemetry",
                lazy_gettext("Website visits"),
                lazy_gettext("telemetry, visits to the website"),
            ),
            Entry("assistant", lazy_gettext("Assistant"), lazy_gettext("chat, AI, answers")),
        ),
    ),
    Area(
        "money",
        lazy_gettext("Money"),
        "billing",
        (
            Entry("billing", lazy_gettext("Billing"), lazy_gettext("billing run, invoices, rent")),
            Entry(
                "bills", lazy_gettext("Invoices"), lazy_gettext("bills, invoice numbers, unpaid")
            ),
            Entry("payments", lazy_gettext("Payments"), lazy_gettext("money received, receipts")),
            Entry(
                "bank_day",
                lazy_gettext("Bank day"),
                lazy_gettext("transfers, bank statement, incoming payments"),
                parts=("debit_list", "mandate_list", "collection_list", "payout_list"),
            ),
            Entry("arrears", lazy_gettext("Arrears"), lazy_gettext("overdue, unpaid, reminders")),
            Entry(
                "remembered_payers", lazy_gettext("Payers"), lazy_gettext("payer names, aliases")
            ),
            Entry("deposit_report", lazy_gettext("Deposits"), lazy_gettext("deposit report")),
            Entry(
                "profit_and_loss",
                lazy_pgettext("report", "Income"),
                lazy_gettext("profit and loss, sales, report"),
            ),
            Entry(
                "journals",
                lazy_gettext("Journals"),
                lazy_gettext("accountant, accounts, freee, Money Forward, Yayoi, close a month"),
            ),
            Entry("occupancy", lazy_gettext("Occupancy"), lazy_gettext("occupancy rate, report")),
        ),
        _below("payments receipts receipt-corrections ledger-entries invoices"),
    ),
    Area(
        "upkeep",
        lazy_gettext("Upkeep"),
        "task",
        (
            Entry(
                "work",
                lazy_pgettext("work", "Work"),
                lazy_gettext("board, tasks, cleaning, jobs"),
                parts=("task_list",),
            ),
            Entry(
                "requests",
                lazy_gettext("Problem reports"),
                lazy_gettext("reports, defects, repairs wanted"),
            ),
            Entry(
                "report_problem",
                lazy_gettext("Report a problem"),
                lazy_gettext("new report, defect, damage"),
            ),
            Entry("projects", lazy_gettext("Projects"), lazy_gettext("repairs, PRJ")),
            Entry("visits", lazy_gettext("Visits"), lazy_gettext("trips, route, plan a visit")),
            Entry(
                "supplier_orders", lazy_gettext("Supplier orders"), lazy_gettext("purchases, parts")
            ),
            Entry(
                "inspections", lazy_gettext("To inspect"), lazy_gettext("inspection of cleanings")
            ),
        ),
        _below("tasks task-list share-links upkeep-photos"),
    ),
    Area(
        "owners",
        lazy_gettext("Owners & property"),
        "building",
        (
            Entry("buildings", lazy_gettext("Buildings"), lazy_gettext("houses, address, owner")),
            Entry("units", lazy_gettext("Units"), lazy_gettext("rooms, apartments, rent")),
            Entry("owners", lazy_gettext("Owners"), lazy_gettext("landlords")),
            Entry(
                "owner_statements",
                lazy_gettext("Owner statements"),
                lazy_gettext("payouts, monthly statements"),
            ),
        ),
        _below("blocks handbook photos published-statements calendar-feeds fee-invoices"),
    ),
    Area(
        "settings",
        lazy_gettext("Settings"),
        "settings",
        (
            Entry("all_settings", lazy_gettext("All settings"), lazy_gettext("settings, overview")),
            Entry(
                "settings",
                lazy_gettext("Workspace"),
                lazy_gettext("settings, name, logo"),
                parts=("office_bank_settings", "settings_logo"),
            ),
            Entry("policy", lazy_gettext("Policy"), lazy_gettext("figures, penalties, notice")),
            Entry("stay_terms", lazy_gettext("Short stays"), lazy_gettext("stay terms, check-in")),
            Entry("fees", lazy_gettext("Fees"), lazy_gettext("fee catalogue, charges")),
            Entry(
                "contract_templates",
                lazy_gettext("Contract templates"),
                lazy_gettext("contract forms, clauses"),
            ),
            Entry(
                "reply_templates", lazy_gettext("Reply templates"), lazy_gettext("answers, texts")
            ),
            Entry("checklists", lazy_gettext("Checklists"), lazy_gettext("points of a cleaning")),
            Entry("people", lazy_gettext("Team"), lazy_gettext("people, staff, invite, roles")),
            Entry(
                "sign_in_rules", lazy_gettext("Sign-in"), lazy_gettext("second factor, passwords")
            ),
            Entry(
                "people_sign_ins", lazy_gettext("Sign-ins"), lazy_gettext("who signed in, devices")
            ),
            Entry("keys", lazy_gettext("API keys"), lazy_gettext("developers, website key")),
            Entry(
                "integrations",
                lazy_gettext("Integrations"),
                lazy_gettext("providers, LINE, Stripe, webhooks"),
            ),
            Entry(
                "takeover",
                lazy_gettext("Taking over"),
                lazy_gettext("rent roll, Excel, moving in, go live"),
            ),
            Entry("import", lazy_gettext("Import"), lazy_gettext("sheets, Excel, CSV")),
            Entry("set_up", lazy_gettext("Set-up list"), lazy_gettext("first steps, go live")),
            Entry("runs", lazy_gettext("Activity"), lazy_gettext("runs, jobs, long work")),
            Entry("audit", lazy_gettext("Audit log"), lazy_gettext("history, who did what")),
        ),
        _below("checklist logo sample audit.csv inbound-events webhook-secrets"),
    ),
)
WITHOUT_AREA: Final = _below("me search gallery sync postcode")
"""First parts of the addresses of pages that belong to the person or to every area."""
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


def menu() -> Sequence[Line]:
    """Return the areas of this person, each with the pages they may open."""
    lines: Sequence[Line] | None = g.get("menu_lines")
    if lines is None:
        current, page = current_area(), _current_entry()
        shown = [_line(area, area is current, page) for area in AREAS if _reachable(area)]
        lines = g.menu_lines = shown
    return lines


def second_row() -> Sequence[Item]:
    """Return the pages of the current area if this page is one of several, else nothing."""
    line = next((one for one in menu() if one.is_current), None)
    is_listed = line is not None and any(item.is_current for item in line.items)
    return line.items if line is not None and is_listed and len(line.items) > 1 else ()


def whole_of(endpoint: str) -> str:
    """Return the menu page that the endpoint is a part of, else the endpoint itself."""
    found = (entry.endpoint for entry in _entries().values() if endpoint in entry.parts)
    return next(found, endpoint)


def bottom_menu() -> Sequence[Line]:
    """Return the four links of the bottom menu; a fifth button opens the whole menu."""
    if current_member().is_office:
        return [_shorten_area(line) for line in menu() if line.name in _OFFICE_BELOW]
    places = [endpoint for endpoint in _SITE_BELOW if may(endpoint)][:_PLACES_BELOW]
    current = _current_of(places)
    return [_place(endpoint, endpoint == current) for endpoint in places]


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
        own = (_first_part(_rule(entry.endpoint)) for entry in area.entries)
        heads[area.name] = area.below | frozenset(own)
    return heads[area.name]


def _rule(endpoint: str) -> str:
    return next(current_app.url_map.iter_rules(f"dashboard.{endpoint}")).rule


def _first_part(rule: str) -> str:
    """Return "units" of "/dashboard/<workspace>/units/<unit_id>"."""
    return rule.partition(f"<{WORKSPACE}>/")[2].partition("/")[0]


def _reachable(area: Area) -> bool:
    return any(may(entry.endpoint) for entry in area.entries)


def _current_entry() -> str:
    return (request.endpoint or "").rpartition(".")[2]


def _line(area: Area, is_current: bool, page: str) -> Line:
    entries = [entry for entry in area.entries if may(entry.endpoint)]
    items = [
        Item(_address(entry.endpoint), str(entry.text), page in (entry.endpoint, *entry.parts))
        for entry in entries
    ]
    return Line(area.name, items[0].href, str(area.text), area.icon, is_current, items)


def _shorten_area(line: Line) -> Line:
    """Return the area of residents with the shorter name of its first page, others unchanged."""
    return line._replace(text=line.items[0].text) if line.name == "residents" else line


def _current_of(places: Sequence[str]) -> str | None:
    """Return the link of the current page, or the one that opens its area."""
    page, area = _current_entry(), current_area()
    if page in places or area is None:
        return page
    return next((entry.endpoint for entry in area.entries if entry.endpoint in places), None)


def _place(endpoint: str, is_current: bool) -> Line:
    text = str(_entries()[endpoint].text)
    return Line(endpoint, _address(endpoint), text, _SITE_BELOW[endpoint], is_current, ())


@cache
def _entries() -> dict[str, Entry]:
    return {entry.endpoint: entry for area in AREAS for entry in area.entries}


def _address(endpoint: str) -> str:
    return url_for(f"dashboard.{endpoint}")
