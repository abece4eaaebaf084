"""Signing in for staff: password or code, second factor, invitations."""

from flask import Flask

from pms.foundation.settings import Settings
from pms.surfaces.auth import (  # noqa: F401 - importing a module adds its routes
    invitations,
    openings,
    sign_in,
)
from pms.surfaces.auth.blueprint import blueprint
from pms.surfaces.auth.invitations import SETTINGS


def install(app: Flask, settings: Settings) -> None:
    """Register the sign-in pages."""
    app.extensions[SETTINGS] = settings
    app.register_blueprint(blueprint)
