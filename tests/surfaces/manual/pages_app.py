"""Builds an application of the public pages alone, which need no database."""

from pathlib import Path

from flask import Flask

from pms.foundation.settings import Settings
from pms.surfaces import hypermedia, security_headers
from pms.surfaces.manual import blueprint as manual
from pms.surfaces.welcome import blueprint as welcome

ROOT = Path(__file__).parents[3]


def make_pages_app(**environ: str) -> Flask:
    """The start page, the manual and the error pages, as the whole application has them."""
    settings = Settings.from_environment({"PMS_ENV": "test", **environ})
    app = Flask("app", root_path=str(ROOT), static_folder=None)
    security_headers.install(app, settings)
    hypermedia.install(app, settings)
    app.register_blueprint(welcome)
    app.register_blueprint(manual)
    return app
