"""Builds an application of the public pages alone, which need no database."""

from pathlib import Path

from flask import Flask

from pms.foundation.clock import SystemClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.surfaces import auth, cookie_sessions, dev_mail, hypermedia, signed_in
from pms.surfaces.manual import blueprint as manual
from pms.surfaces.welcome import blueprint as welcome

ROOT = Path(__file__).parents[3]


def make_pages_app(**environ: str) -> Flask:
    """The start page, the manual and the error pages, as the whole application has them."""
    settings = Settings.from_environment(
        {"PMS_ENV": "test", "PMS_PASSWORD_MEMORY_KIB": "8", **environ}
    )
    app = Flask("app", root_path=str(ROOT), static_folder=None)
    app.secret_key = settings.secret_key
    hypermedia.add_security_headers(app, settings)
    hypermedia.install(app, settings)
    signed_in.install(app, settings, Database(settings), SystemClock())
    auth.install(app, settings)
    dev_mail.install(app, settings)
    app.register_blueprint(welcome)
    app.register_blueprint(manual)
    cookie_sessions.check_forms(app)
    return app
