"""The surface of guests: a link opens one booking, on a phone, without an account."""

from flask import Blueprint, Flask

from pms.surfaces.guest_checkin import people, stay
from pms.surfaces.guest_checkin.stay import GuestGate
from pms.surfaces.link_gate import TOKEN, guard

_PERSON = "/people/<int:position>"
_ADDRESSES = (
    ("GET", "", "stay", stay.show_stay),
    ("GET", "/people", "people", people.first),
    ("GET", _PERSON, "person", people.show),
    ("POST", _PERSON, "register_guest", people.register),
    ("POST", f"{_PERSON}/passport", "send_passport", people.send),
    ("GET", "/arrival", "arrival", stay.show_arrival),
    ("POST", "/arrival", "plan_arrival", stay.plan_arrival),
    ("GET", "/ready", "ready", stay.show_way_in),
    ("POST", "/ready/<page_id>", "reveal_code", stay.reveal_code),
    ("GET", "/<path:_rest>", "nothing", stay.nothing),
)


def install(app: Flask) -> None:
    """Give the application the pages of guests' links."""
    blueprint = Blueprint("guest_checkin", __name__, url_prefix=f"/check-in/<{TOKEN}>")
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    guard(blueprint, GuestGate())
    app.register_blueprint(blueprint)
