"""The inbox of this person: the number of waiting items of each kind, and their pages."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from flask import g, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext

from pms.channels.inbox_items import InboxScope, WaitingNumbers, inbox_counts, waiting_numbers
from pms.channels.inbox_sources import InboxItem, InboxKind, InboxSource
from pms.surfaces.dashboard.conversations import inbox_visibility
from pms.surfaces.dashboard.gate import current_member, may, reading
from pms.surfaces.request_scope import clock

_FAILED_FOR: Final = timedelta(days=14)
_MOST_SHOWN: Final = 99
_PAGE_BEHIND: Final[Mapping[InboxSource, str]] = {
    InboxSource.CONVERSATION: "conversation",
    InboxSource.REPORT: "request",
    InboxSource.LEAD: "lead",
    InboxSource.ORDER: "supplier_order",
    InboxSource.DISPUTE: "reservation_ledger",
    InboxSource.REFUND: "reservation_ledger",
    InboxSource.EVENT: "inbound_event",
    InboxSource.CALL: "integrations",
    InboxSource.MAIL: "reservations",
}
"""The page that opens an item; a person who may not open it does not see the item."""
_NAMED_BY: Final[Mapping[InboxSource, str]] = {
    InboxSource.CONVERSATION: "conversation_id",
    InboxSource.REPORT: "request_id",
    InboxSource.LEAD: "lead_id",
    InboxSource.ORDER: "order_id",
    InboxSource.DISPUTE: "reservation_id",
    InboxSource.REFUND: "reservation_id",
    InboxSource.EVENT: "event_id",
}
KIND_WORDS: Final[Mapping[InboxKind, LazyString]] = {
    InboxKind.MESSAGES: lazy_gettext("Messages"),
    InboxKind.TICKETS: lazy_gettext("Tickets"),
    InboxKind.ENQUIRIES: lazy_gettext("Enquiries"),
    InboxKind.REPORTS: lazy_gettext("Problem reports"),
    InboxKind.APPLICATIONS: lazy_gettext("Job applications"),
    InboxKind.ORDERS: lazy_gettext("Supplier orders"),
    InboxKind.PAYMENTS: lazy_pgettext("inbox", "Payments"),
    InboxKind.FAILED: lazy_gettext("Not delivered"),
}


def inbox_scope() -> InboxScope:
    """Return which items this person sees in the inbox."""
    sources = {source for source, page in _PAGE_BEHIND.items() if may(page)}
    if current_member().is_bound:
        sources.discard(InboxSource.MAIL)  # a mail does not say of which building it is
    return InboxScope(frozenset(sources), inbox_visibility(), clock().now() - _FAILED_FOR)


def counts_of_inbox() -> Mapping[InboxKind, int]:
    """Return the number of waiting items of each kind, read once per request."""
    counts: Mapping[InboxKind, int] | None = g.get("inbox_counts")
    if counts is None:
        counts = g.inbox_counts = inbox_counts(reading(), inbox_scope()) if may("inbox") else {}
    return counts


def waiting_in_inbox() -> int:
    """Return the number of items that wait in the inbox of this person.

    Every page shows it, and no number above 99: unless the page has counted all, it stops at 100.
    """
    counts: Mapping[InboxKind, int] | None = g.get("inbox_counts")
    return _waiting_numbers().items if counts is None else sum(counts.values())


def unread_notices() -> int:
    """Return the number of notices that this person has not read, up to 100."""
    return _waiting_numbers().notices


def _waiting_numbers() -> WaitingNumbers:
    waiting: WaitingNumbers | None = g.get("waiting_numbers")
    if waiting is None:
        scope = inbox_scope()
        if not may("inbox"):
            scope = replace(scope, sources=frozenset())
        person_id = current_member().person_id
        waiting = waiting_numbers(reading(), scope, person_id, _MOST_SHOWN + 1)
        g.waiting_numbers = waiting
    return waiting


def address_of_item(item: InboxItem) -> str:
    """Return the address of the page that answers or decides an item."""
    if item.source is InboxSource.CALL:
        return url_for("dashboard.integrations", _anchor=f"call-{item.id}")
    if item.source is InboxSource.MAIL:
        return url_for("dashboard.reservations", search=item.who, lifecycle="all")
    values: dict[str, Any] = {_NAMED_BY[item.source]: item.id}
    return url_for(f"dashboard.{_PAGE_BEHIND[item.source]}", **values)
