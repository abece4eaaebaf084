"""The JSON API for websites, assistants and suppliers: its address book."""

from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

from flask import Blueprint, Flask, Response, request

from pms.foundation.last_calls import LastCalls
from pms.rules.enumerations import Scope
from pms.surfaces.agent_api import answers, leads, properties, residents, writes
from pms.surfaces.agent_api.answers import BODIES, Bodies, bind_refusals
from pms.surfaces.agent_api.gate import ROOT, enter, note_calls
from pms.surfaces.agent_api.site import content, units
from pms.surfaces.agent_api.unit_bodies import PIECES, UnitPieces
from pms.surfaces.limits import apply_headers
from pms.surfaces.request_scope import clock, database


class Address(NamedTuple):
    """An address below the root, the view that answers it and the scope it takes.

    `most_bytes` is the largest body, where it is another one than everywhere.
    """

    path: str
    view: Callable[..., Response]
    scope: Scope
    method: str = "GET"
    most_bytes: int | None = None


ADDRESSES = (
    Address("/properties", properties.list_properties, Scope.PROPERTIES_READ),
    Address("/properties/<unit_id>", properties.show_property, Scope.PROPERTIES_READ),
    Address("/residents", residents.list_residents, Scope.RESIDENTS_READ),
    Address("/residents/<reservation_id>", residents.show_resident, Scope.RESIDENTS_READ),
    Address("/showings", answers.list_showings, Scope.SHOWINGS_READ),
    Address("/site/units", units.list_units, Scope.PROPERTIES_READ),
    Address("/site/units/<slug>", units.show_unit, Scope.PROPERTIES_READ),
    Address("/site/buildings", units.list_buildings, Scope.PROPERTIES_READ),
    Address("/site/buildings/<slug>", units.show_building, Scope.PROPERTIES_READ),
    Address("/site/posts", content.list_posts, Scope.CONTENT_READ),
    Address("/site/posts/<slug>", content.show_post, Scope.CONTENT_READ),
    Address("/site/campaigns", content.list_campaigns, Scope.CONTENT_READ),
    Address("/site/positions", content.list_positions, Scope.CONTENT_READ),
    Address("/site/services", content.list_services, Scope.CONTENT_READ),
    Address("/site/config", content.show_config, Scope.CONTENT_READ),
    Address("/site/sitemap", content.show_sitemap, Scope.CONTENT_READ),
    Address("/site/redirects", content.list_redirects, Scope.PROPERTIES_READ),
    Address("/analytics", writes.report_visits, Scope.ANALYTICS_WRITE, "POST"),
    Address("/chat", answers.ask_assistant, Scope.CHAT_INVOKE, "POST"),
    Address("/inquiries", writes.submit_inquiry, Scope.INQUIRIES_WRITE, "POST"),
    Address("/check-in-links", writes.make_check_in_link, Scope.CHECK_IN_LINKS_WRITE, "POST"),
    Address(
        "/reservation-links",
        writes.make_reservation_link,
        Scope.RESERVATION_LINKS_WRITE,
        "POST",
    ),
    Address("/leads", leads.submit_lead, Scope.LEADS_WRITE, "POST", leads.MOST_SENT),
    Address("/purchases", writes.send_order, Scope.PURCHASES_WRITE, "POST"),
)


def _answering(address: Address) -> Callable[..., Response]:
    """Return the view, with room for the body that its address takes."""
    if address.most_bytes is None:
        return address.view

    @wraps(address.view)
    def with_room(**values: str) -> Response:
        request.max_content_length = request.max_form_memory_size = address.most_bytes
        return address.view(**values)

    return with_room


blueprint = Blueprint("agent_api", __name__, url_prefix=ROOT)
_NEEDED = {f"{blueprint.name}.{address.view.__name__}": address.scope for address in ADDRESSES}
_PATHS = {f"{blueprint.name}.{address.view.__name__}": ROOT + address.path for address in ADDRESSES}
_WRITTEN_TO = frozenset(ROOT + address.path for address in ADDRESSES if address.method == "POST")
for _address in ADDRESSES:
    # A doubled slash is another address, not a reason to send a program elsewhere.
    blueprint.add_url_rule(
        _address.path,
        _address.view.__name__,
        _answering(_address),
        methods=[_address.method],
        merge_slashes=False,
    )
bind_refusals(blueprint)


def install(app: Flask) -> None:
    """Put the API, its gate and its kept bodies into the application."""
    app.extensions[BODIES] = Bodies()
    app.extensions[PIECES] = UnitPieces()
    writes.install(app, _WRITTEN_TO)
    app.before_request(lambda: enter(_NEEDED))
    app.after_request(apply_headers)
    with app.app_context():
        calls = LastCalls(database().settings, clock())
    note_calls(app, calls, _PATHS)
    app.register_blueprint(blueprint)
