"""The doors of the staff: signing in by password or PIN, second factor, invitations."""

from flask import Blueprint, Flask
from flask_wtf.csrf import CSRFProtect

from pms.foundation.settings import Settings
from pms.surfaces.doors import (
    gate,
    invitations,
    kept_text,
    leaving,
    link,
    pin,
    second_factor,
    sign_in,
    workspaces,
)
from pms.surfaces.doors.arriving import SETTINGS

_ADDRESSES = (
    ("GET", "/sign-in", "sign_in", sign_in.show),
    ("POST", "/sign-in", "enter", sign_in.enter),
    ("GET", "/sign-in/pin/<screen>", "pin", pin.show),
    ("POST", "/sign-in/pin/<screen>", "try_pin", pin.enter),
    ("POST", "/sign-in/pin/<screen>/again", "ask_again", pin.ask_again),
    ("GET", "/sign-in/link/<token>", "sign_in_link", link.show),
    ("POST", "/sign-in/link/<token>", "use_sign_in_link", link.enter),
    ("GET", "/sign-in/second-factor", "second_factor", second_factor.show),
    ("POST", "/sign-in/second-factor", "try_second_factor", second_factor.enter),
    ("GET", "/sign-in/kept/<token>", "kept_text", kept_text.show),
    ("POST", "/sign-out", "sign_out", leaving.leave),
    ("GET", "/invitations/<token>", "invitation", invitations.show),
    ("POST", "/invitations/<token>", "accept_invitation", invitations.accept),
    ("GET", "/workspaces", "workspaces", workspaces.show),
)


def install(app: Flask, settings: Settings, csrf: CSRFProtect) -> None:
    """Give the application its doors."""
    app.extensions[SETTINGS] = settings
    blueprint = Blueprint("doors", __name__)
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    gate.guard(blueprint, csrf)
    app.register_blueprint(blueprint)
