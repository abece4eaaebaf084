"""The dashboard's menu: what stands where, of what this person may reach."""

from typing import Final, NamedTuple

from flask import request, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext

from pms.surfaces.dashboard.desk import desk, may


class Entry(NamedTuple):
    """One screen as the menu names it; `endpoint` is without its blueprint."""

    endpoint: str
    text: LazyString
    icon: str


class Item(NamedTuple):
    """One line of the menu as it is shown."""

    href: str
    text: str
    icon: str
    is_current: bool


class Group(NamedTuple):
    """Lines under one heading; the first group has none."""

    title: str
    items: tuple[Item, ...]


_TODAY = Entry("today", lazy_gettext("Today"), "today")
_CHART = Entry("chart", lazy_gettext("Chart"), "chart")
_RESERVATIONS = Entry("reservations", lazy_gettext("Reservations"), "reservation")
_BILLING = Entry("billing", lazy_gettext("Billing"), "billing")
_UNITS = Entry("units", lazy_gettext("Units"), "unit")
_WORK = Entry("work", lazy_pgettext("work", "Work"), "task")
_VISITS = Entry("visits", lazy_gettext("Visits"), "route")
_REPORT = Entry("report_problem", lazy_gettext("Report a problem"), "warning")
_TICKETS = Entry("tickets", lazy_gettext("Messages"), "mail")

_GROUPS: Final = (
    (
        "",
        (
            _TODAY,
            _CHART,
            Entry("availability", lazy_gettext("Availability"), "calendar"),
            Entry("inbox", lazy_gettext("Inbox"), "mail"),
        ),
    ),
    (
        lazy_gettext("Tenancies"),
        (
            _RESERVATIONS,
            Entry("enquiries", lazy_gettext("Enquiries"), "message"),
            Entry("viewings", lazy_gettext("Viewings"), "clock"),
            Entry("check_in_links", lazy_pgettext("stay", "Guests"), "lock"),
            Entry("reservation_links", lazy_gettext("Offers"), "link"),
            Entry("waitlist", lazy_gettext("Waitlist"), "waitlist"),
        ),
    ),
    (
        lazy_gettext("Upkeep"),
        (
            _WORK,
            _VISITS,
            _REPORT,
            Entry("requests", lazy_gettext("Reports"), "message"),
            Entry("projects", lazy_gettext("Projects"), "wrench"),
            Entry("supplier_orders", lazy_gettext("Supplier orders"), "import"),
            _TICKETS,
            Entry("condition_reports", lazy_gettext("Condition reports"), "photo"),
            Entry("inspections", lazy_gettext("To inspect"), "eye"),
            Entry("checklists", lazy_gettext("Checklists"), "check"),
        ),
    ),
    (
        lazy_gettext("Money"),
        (
            _BILLING,
            Entry("bank_day", lazy_gettext("Bank day"), "swap"),
            Entry("arrears", lazy_gettext("Arrears"), "arrears"),
            Entry("deposit_report", lazy_gettext("Deposits"), "deposit"),
            Entry("profit_and_loss", lazy_gettext("Profit and loss"), "report"),
            Entry("occupancy", lazy_gettext("Occupancy"), "chart"),
            Entry("owner_statements", lazy_gettext("Owner statements"), "statement"),
            Entry("fees", lazy_gettext("Fees"), "fee"),
        ),
    ),
    (
        lazy_gettext("Property"),
        (
            _UNITS,
            Entry("buildings", lazy_gettext("Buildings"), "building"),
            Entry("owners", lazy_gettext("Owners"), "owner"),
        ),
    ),
    (
        lazy_gettext("Website"),
        (
            Entry("content", lazy_gettext("Content"), "statement"),
            Entry("leads", lazy_gettext("Leads"), "people"),
            Entry("telemetry", lazy_gettext("Visits to the website"), "chart"),
            Entry("assistant", lazy_gettext("Assistant"), "message"),
        ),
    ),
    (
        lazy_gettext("Workspace"),
        (
            Entry("import", lazy_gettext("Import"), "import"),
            Entry("runs", lazy_gettext("Runs"), "job"),
            Entry("keys", lazy_gettext("API keys"), "key"),
            Entry("people", lazy_gettext("People"), "people"),
            Entry("contract_templates", lazy_gettext("Contract templates"), "statement"),
            Entry("integrations", lazy_gettext("Integrations"), "swap"),
            Entry("settings", lazy_gettext("Settings"), "settings"),
            Entry("audit", lazy_gettext("Audit"), "audit"),
        ),
    ),
)
_BOTTOM_OF_THE_OFFICE: Final = (_TODAY, _CHART, _RESERVATIONS, _BILLING, _WORK)
_BOTTOM_ON_SITE: Final = (
    _TODAY,
    _WORK,
    _REPORT,
    _TICKETS,
    Entry("me", lazy_gettext("Me"), "person"),
)


def menu() -> tuple[Group, ...]:
    """Return the side menu of this person."""
    shown = ((title, _items(entries)) for title, entries in _GROUPS)
    return tuple(Group(str(title), items) for title, items in shown if items)


def bottom_menu() -> tuple[Item, ...]:
    """Return the five of the phone's bottom bar."""
    return _items(_BOTTOM_OF_THE_OFFICE if desk().is_office else _BOTTOM_ON_SITE)


def _items(entries: tuple[Entry, ...]) -> tuple[Item, ...]:
    return tuple(_item(entry) for entry in entries if may(entry.endpoint))


def _item(entry: Entry) -> Item:
    href = url_for(f"dashboard.{entry.endpoint}")
    return Item(href, str(entry.text), entry.icon, _is_current(entry.endpoint, href))


def _is_current(endpoint: str, href: str) -> bool:
    # A page below a list belongs to the list.
    return request.endpoint == f"dashboard.{endpoint}" or request.path.startswith(f"{href}/")
