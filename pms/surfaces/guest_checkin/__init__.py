"""The surface of guests: a link opens one booking, on a phone, without an account."""

from flask import Blueprint, Flask

from pms.surfaces.guest_checkin import holder as arrival
from pms.surfaces.guest_checkin import holder as ready
from pms.surfaces.guest_checkin import holder as stay
from pms.surfaces.guest_checkin import people
from pms.surfaces.guest_checkin.holder import GuestGate
from pms.surfaces.link_gate import TOKEN, guard

_PERSON = "/people/<int:position>"
_ADDRESSES = (
    ("GET", "", "stay", stay.show),
    ("GET", "/people", "people", people.first),
    ("GET", _PERSON, "person", people.show),
    ("POST", _PERSON, "register_guest", people.register),
    ("POST", f"{_PERSON}/passport", "send_passport", people.send),
    ("GET", "/arrival", "arrival", arrival.show_arrival),
    ("POST", "/arrival", "plan_arrival", arrival.plan),
    ("GET", "/ready", "ready", ready.show_way_in),
    ("POST", "/ready/<page_id>", "reveal_code", ready.reveal),
    ("GET", "/<path:_rest>", "nothing", stay.nothing),
)


def install(app: Flask) -> None:
    """Give the application the pages of guests' links."""
    blueprint = Blueprint("guest_checkin", __name__, url_prefix=f"/check-in/<{TOKEN}>")
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    guard(blueprint, GuestGate())
    app.register_blueprint(blueprint)
