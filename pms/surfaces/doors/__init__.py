"""The doors of the staff: signing in by password or PIN, second factor, invitations."""

from flask import Blueprint, Flask
from flask_wtf.csrf import CSRFProtect

from pms.foundation.settings import Settings
from pms.surfaces.doors import invitations, leaving, pin
from pms.surfaces.doors import invitations as link
from pms.surfaces.doors import invitations as second_factor
from pms.surfaces.doors import leaving as gate
from pms.surfaces.doors import leaving as kept_text
from pms.surfaces.doors import leaving as workspaces
from pms.surfaces.doors import pin as sign_in
from pms.surfaces.doors.invitations import SETTINGS

_ADDRESSES = (
    ("GET", "/sign-in", "sign_in", sign_in.show_sign_in),
    ("POST", "/sign-in", "enter", sign_in.submit_sign_in),
    ("GET", "/sign-in/pin/<screen>", "pin", pin.show),
    ("POST", "/sign-in/pin/<screen>", "try_pin", pin.enter),
    ("POST", "/sign-in/pin/<screen>/again", "ask_again", pin.ask_again),
    ("GET", "/sign-in/link/<token>", "sign_in_link", link.show),
    ("POST", "/sign-in/link/<token>", "use_sign_in_link", link.enter),
    ("GET", "/sign-in/second-factor", "second_factor", second_factor.show_second_factor),
    ("POST", "/sign-in/second-factor", "try_second_factor", second_factor.try_second_factor),
    ("GET", "/sign-in/kept/<token>", "kept_text", kept_text.show),
    ("POST", "/sign-out", "sign_out", leaving.leave),
    ("GET", "/invitations/<token>", "invitation", invitations.show_invitation),
    ("POST", "/invitations/<token>", "accept_invitation", invitations.accept),
    ("GET", "/workspaces", "workspaces", workspaces.show_workspaces),
)


def install(app: Flask, settings: Settings, csrf: CSRFProtect) -> None:
    """Give the application its doors."""
    app.extensions[SETTINGS] = settings
    blueprint = Blueprint("doors", __name__)
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    gate.guard(blueprint, csrf)
    app.register_blueprint(blueprint)
