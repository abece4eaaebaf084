"""Sessions in the browser's cookie, which requests of programs do without."""

from flask import Flask, Request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface

from pms.foundation.settings import Settings


def own_cookie(name: str, settings: Settings) -> str:
    """Return the name of a cookie that only this very host may set, over HTTPS.

    A browser takes `__Host-` from no neighbouring host, and over no unsafe connection.
    """
    return f"__Host-{name}" if settings.has_secure_cookies else name


class Sessions(SecureCookieSessionInterface):
    """Sessions are for people: a request with a key opens none."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if request.path.startswith("/api/"):
            return None
        return super().open_session(app, request)
