"""Builds the web application: settings, ground, and every surface."""

from datetime import timedelta
from pathlib import Path

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from pms.foundation.clock import Clock, SystemClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.surfaces import (
    agent_api,
    assistance,
    auth,
    calendars,
    contractor_links,
    cookie_sessions,
    dashboard,
    dev_mail,
    guest_checkin,
    hypermedia,
    manual,
    offline,
    operations,
    photos,
    portals,
    purpose_of_use,
    request_log,
    reservation_links,
    settlement_links,
    signed_in,
    webhooks,
    welcome,
)
from pms.surfaces.cookie_sessions import Sessions, own_cookie
from pms.surfaces.labels import enumerations, formats
from pms.surfaces.manual.rendering import passages_for_visitors
from pms.surfaces.request_scope import bind_scope

MOST_BODY_BYTES = 1024 * 1024


def create_app(
    settings: Settings | None = None, clock: Clock | None = None, database: Database | None = None
) -> Flask:
    """Return the application; connections open with the first request, so after a fork."""
    settings = settings or Settings.from_environment()
    clock = clock or SystemClock()
    database = database or Database(settings)
    app = Flask("app", root_path=str(Path(__file__).parent), static_folder=None)
    app.session_interface = Sessions()
    _configure(app, settings)
    if settings.proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies
        )
    hypermedia.compress_pages(app)
    request_log.install(app, settings, clock)
    bind_scope(app, database, clock)
    hypermedia.add_security_headers(app, settings)
    hypermedia.install(app, settings)
    formats.install(app)
    enumerations.install(app)
    purpose_of_use.install(app)
    signed_in.install(app, settings, database, clock)
    agent_api.install(app, settings, clock)
    assistance.install(app, settings, passages_for_visitors)
    webhooks.install(app)
    app.register_blueprint(operations.make_blueprint(settings, database, clock))
    app.register_blueprint(manual.blueprint)
    app.register_blueprint(photos.make_blueprint(settings))
    dashboard.install(app)
    offline.install(app)
    contractor_links.install(app)
    guest_checkin.install(app)
    reservation_links.install(app)
    settlement_links.install(app)
    calendars.install(app)
    portals.install(app)
    app.register_blueprint(welcome.blueprint)
    auth.install(app, settings)
    dev_mail.install(app, settings)
    cookie_sessions.check_forms(app)
    return app


def _configure(app: Flask, settings: Settings) -> None:
    app.config.update(
        SECRET_KEY=settings.secret_keys[0],
        SECRET_KEY_FALLBACKS=list(settings.secret_keys[1:]),
        DEBUG=settings.debug,
        MAX_CONTENT_LENGTH=MOST_BODY_BYTES,
        # A form without files may be as large: what is too long is told beside its field.
        MAX_FORM_MEMORY_SIZE=MOST_BODY_BYTES,
        TRUSTED_HOSTS=list(settings.trusted_hosts) or None,
        SESSION_COOKIE_SECURE=settings.has_secure_cookies,
        SESSION_COOKIE_NAME=own_cookie("session", settings),
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=7),
        # Else every picture and script would set the cookie, and no cache could keep them;
        # who is signed in has it renewed once a minute.
        SESSION_REFRESH_EACH_REQUEST=False,
        WTF_CSRF_TIME_LIMIT=None,
        # itsdangerous signs with the last key of a list and opens with each.
        WTF_CSRF_SECRET_KEY=list(reversed(settings.secret_keys)),
    )
