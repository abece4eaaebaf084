"""Sessions in the browser's cookie, which requests of programs do without."""

from typing import Final

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

from pms.foundation.settings import Settings


def own_cookie(name: str, settings: Settings) -> str:
    """Return the name of a cookie that only this very host may set, over HTTPS.

    A browser takes `__Host-` from no neighbouring host, and over no unsafe connection.
    """
    return f"__Host-{name}" if settings.has_secure_cookies else name


_WITHOUT_SESSION: Final = (
    *("/api/", "/assets/", "/photos/", "/calendar/", "/healthz", "/readyz", "/metrics"),
    *("/contractor/", "/check-in/", "/reserve/", "/llms"),
)
"""Where no answer depends on who is signed in: a key or a link says who asks, or nobody does."""


class Sessions(SecureCookieSessionInterface):
    """Sessions are for people: programs, pictures and links open none.

    Flask-Login looks at the session after every request, and an answer that looked at a session is
    kept by no cache for others.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if request.path.startswith(_WITHOUT_SESSION):
            return None
        return super().open_session(app, request)
