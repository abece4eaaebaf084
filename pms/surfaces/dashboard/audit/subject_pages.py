"""Says what kind of thing a deed is about, and which page shows it."""

from collections.abc import Mapping
from typing import Any, Final

from flask import url_for
from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.surfaces.dashboard.desk import may

_KINDS: Final[Mapping[str, LazyString]] = {
    "reservation": worded("subject", "Reservation"),
    "unit": worded("subject", "Unit"),
    "building": worded("subject", "Building"),
    "owner": worded("subject", "Owner"),
    "handbook_page": worded("subject", "Handbook page"),
    "photo": worded("subject", "Picture"),
    "external_block": worded("subject", "Block"),
    "fee": worded("subject", "Fee"),
    "api_key": worded("subject", "API key"),
    "member": worded("subject", "Member"),
    "invitation": worded("subject", "Invitation"),
    "sent_sheet": worded("subject", "Sheet"),
    "run": worded("subject", "Run"),
    "waitlist_place": worded("subject", "Place on the waitlist"),
    "workspace": worded("subject", "Workspace"),
    "task": worded("subject", "Task"),
    "checklist_template": worded("subject", "Checklist"),
    "maintenance_request": worded("subject", "Report"),
    "maintenance_project": worded("subject", "Project"),
    "visit": worded("subject", "Visit"),
    "ticket": worded("subject", "Conversation"),
    "conversation": worded("subject", "Thread of the inbox"),
    "reply_template": worded("subject", "Reply template"),
    "share_link": worded("subject", "Share link"),
    "reservation_link": worded("subject", "Reservation link"),
    "enquiry": worded("subject", "Enquiry"),
    "viewing": worded("subject", "Viewing"),
    "lead": worded("subject", "Lead"),
    "supplier_order": worded("subject", "Supplier order"),
    "bank_transfer": worded("subject", "Transfer of the bank"),
    "inbound_event": worded("subject", "Event of a provider"),
    "post": worded("subject", "Post"),
    "campaign": worded("subject", "Campaign"),
    "position": worded("subject", "Position"),
    "service": worded("subject", "Service"),
    "site_configuration": worded("subject", "Website"),
}
_PAGES: Final[Mapping[str, tuple[str, str]]] = {
    "reservation": ("reservation", "reservation_id"),
    "unit": ("unit", "unit_id"),
    "building": ("building", "building_id"),
    "owner": ("owner", "owner_id"),
    "fee": ("fee", "fee_id"),
    "api_key": ("key", "key_id"),
    "run": ("run", "run_id"),
    "sent_sheet": ("sheet", "sheet_id"),
    "task": ("task", "task_id"),
    "maintenance_request": ("request", "request_id"),
    "maintenance_project": ("project", "project_id"),
    "visit": ("visit", "visit_id"),
    "inbound_event": ("inbound_event", "event_id"),
    "ticket": ("ticket", "ticket_id"),
    "conversation": ("conversation", "conversation_id"),
    "reply_template": ("reply_template", "reply_template_id"),
    "share_link": ("share_link", "share_link_id"),
    "reservation_link": ("reservation_link", "reservation_link_id"),
    "enquiry": ("enquiry", "enquiry_id"),
    "viewing": ("viewing", "viewing_id"),
    "lead": ("lead", "lead_id"),
    "supplier_order": ("supplier_order", "order_id"),
    "post": ("post", "post_id"),
    "campaign": ("campaign", "campaign_id"),
    "position": ("position", "position_id"),
    "service": ("service", "service_id"),
}


def kind_word(kind: str) -> str:
    """Return the word of a kind of thing."""
    return str(_KINDS.get(kind, kind))


def page_of(kind: str, id_: str) -> str | None:
    """Return the address of the thing's page, where this person may go there."""
    endpoint, argument = _PAGES.get(kind, ("", ""))
    place: dict[str, Any] = {argument: id_}
    return url_for(f"dashboard.{endpoint}", **place) if may(endpoint) else None
