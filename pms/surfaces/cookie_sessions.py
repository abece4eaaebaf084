"""Opens the session that a cookie holds; a cookie that was unsealed once is not unsealed again.

A browser sends the same cookie for minutes. To check its seal each time takes as long as half the
questions that the page then asks of the database.
"""

from functools import lru_cache
from typing import Any, Final

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer

from pms.foundation.settings import Settings

_SEALS: Final = "pms.seals_of_cookies"
_MOST_KEPT: Final = 256
Held = dict[str, Any]


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
        sealed = request.cookies.get(self.get_cookie_name(app))
        if not sealed:
            return self.session_class()
        seals: _Seals = app.extensions.get(_SEALS) or self._bind(app)
        try:
            held, sealed_at = seals.open(sealed)
        except BadSignature:
            return self.session_class()
        # The seal stays good, the cookie grows old: its age is asked each time, as the library does.
        age = seals.now() - sealed_at
        if not 0 <= age <= app.permanent_session_lifetime.total_seconds():
            return self.session_class()
        # What one request does to its session must never be seen by the next.
        return self.session_class(held) if _is_flat(held) else super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        # A page says from the beginning that it varies by the cookie; most change nothing in it.
        is_said = ", Cookie" in response.headers.get("Vary", "")
        if not is_said or not session or self.should_set_cookie(app, session):
            super().save_session(app, session, response)

    def _bind(self, app: Flask) -> "_Seals":
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the settings always hold a secret key"
        found: _Seals = app.extensions.setdefault(_SEALS, _Seals(serializer))
        return found


class _Seals:
    """The seals of one application: those met lately, and the clock that they are made by."""

    def __init__(self, serializer: URLSafeTimedSerializer) -> None:
        self._serializer = serializer
        self.open = lru_cache(maxsize=_MOST_KEPT)(self._open)
        self.now = TimestampSigner(serializer.secret_key).get_timestamp

    def _open(self, sealed: str) -> tuple[Held, int]:
        held, sealed_at = self._serializer.loads(sealed, return_timestamp=True)
        return held, int(sealed_at.timestamp())


def _is_flat(held: Held) -> bool:
    """Whether a copy of the session shares nothing that can change; what is said once is a list."""
    return not any(isinstance(value, list | dict) for value in held.values())
