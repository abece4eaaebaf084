"""Cookie sessions, which are not opened for requests of programs, links and files."""

from typing import Final

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

from pms.foundation.settings import Settings


def own_cookie(name: str, settings: Settings) -> str:
    """Return the name of a cookie that only this host may set, over HTTPS.

    Browsers accept the prefix `__Host-` only from the host itself over a secure connection.
    """
    return f"__Host-{name}" if settings.has_secure_cookies else name


_WITHOUT_SESSION: Final = (
    *("/api/", "/assets/", "/photos/", "/calendar/", "/healthz", "/readyz", "/metrics"),
    *("/contractor/", "/check-in/", "/reserve/", "/llms"),
)
"""Paths whose answers do not depend on who is signed in: a key or link decides, or nothing."""


class Sessions(SecureCookieSessionInterface):
    """Open a session only for people: not for programs, pictures and links.

    Flask-Login reads the session after every request, and an answer for which a session was read is
    not stored by shared caches.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if request.path.startswith(_WITHOUT_SESSION):
            return None
        return super().open_session(app, request)
