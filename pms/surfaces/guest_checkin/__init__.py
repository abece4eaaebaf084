"""The surface of guests: a link opens one booking, on a phone, without an account."""

from flask import Flask

from pms.surfaces.guest_checkin import (  # noqa: F401 - importing a module adds its routes
    people,
    stay,
)
from pms.surfaces.guest_checkin.stay import GuestGate, blueprint
from pms.surfaces.link_gate import guard

guard(blueprint, GuestGate())


def install(app: Flask) -> None:
    """Register the pages of guests' links."""
    app.register_blueprint(blueprint)
