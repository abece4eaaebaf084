"""The doors of the staff: signing in by password or PIN, second factor, invitations."""

from flask import Blueprint, Flask
from flask_wtf.csrf import CSRFProtect

from pms.foundation.settings import Settings
from pms.surfaces.doors import invitations, sessions, sign_in
from pms.surfaces.doors.invitations import SETTINGS

_ADDRESSES = (
    ("GET", "/sign-in", "sign_in", sign_in.show_sign_in),
    ("POST", "/sign-in", "enter", sign_in.submit_sign_in),
    ("GET", "/sign-in/pin/<screen>", "pin", sign_in.show_pin),
    ("POST", "/sign-in/pin/<screen>", "try_pin", sign_in.try_pin),
    ("POST", "/sign-in/pin/<screen>/again", "ask_again", sign_in.ask_again),
    ("GET", "/sign-in/link/<token>", "sign_in_link", invitations.show_sign_in_link),
    ("POST", "/sign-in/link/<token>", "use_sign_in_link", invitations.use_sign_in_link),
    ("GET", "/sign-in/second-factor", "second_factor", invitations.show_second_factor),
    ("POST", "/sign-in/second-factor", "try_second_factor", invitations.try_second_factor),
    ("GET", "/sign-in/kept/<token>", "kept_text", sessions.show_kept_text),
    ("POST", "/sign-out", "sign_out", sessions.leave),
    ("GET", "/invitations/<token>", "invitation", invitations.show_invitation),
    ("POST", "/invitations/<token>", "accept_invitation", invitations.accept_invitation),
    ("GET", "/workspaces", "workspaces", sessions.show_workspaces),
)


def install(app: Flask, settings: Settings, csrf: CSRFProtect) -> None:
    """Give the application its doors."""
    app.extensions[SETTINGS] = settings
    blueprint = Blueprint("doors", __name__)
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    sessions.guard(blueprint, csrf)
    app.register_blueprint(blueprint)
