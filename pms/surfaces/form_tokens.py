"""Checks the token of a form; one whose seal was found good once is compared without unsealing it."""

from functools import lru_cache
from hmac import compare_digest
from typing import Any, Final

from flask import Flask, Request, current_app, g, request, session
from flask_wtf.csrf import CSRFProtect, generate_csrf, same_origin
from itsdangerous import BadData, URLSafeTimedSerializer

# Checks the token of a form; one whose seal was found good once is compared without unsealing it.
#
# A page sends its token with every tap. What decides is the comparison with the session, which is
# made each time; the seal of the same text stays the same.

_NAME: Final = "csrf_token"
_HEADER: Final = "X-CSRFToken"
_SALT: Final = "wtf-csrf-token"
_MOST_KEPT: Final = 1024


def is_of_another_site(asked: Request, *, tells_origin: bool = True) -> bool:
    """Whether a browser says that what it sends comes from a page of another site.

    Pages that forbid to tell where one comes from send an origin of "null": `tells_origin` is
    false for them. What names no origin at all is no browser of today; its token decides.
    """
    if asked.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        return True
    origin = asked.headers.get("Origin")
    if origin is None or (origin == "null" and not tells_origin):
        return False
    # Behind a proxy that ends TLS the request itself does not know its own scheme.
    own = (
        f"{asked.scheme}://{asked.host}",
        f"https://{asked.host}",
        current_app.config["BASE_URL"],
    )
    return origin not in own


def form_token() -> str:
    """Return the token that the forms of this answer carry."""
    return str(g.get(_NAME) or generate_csrf())


class FormTokens(CSRFProtect):  # type: ignore[misc]  # the library ships no annotations
    """The library's protection, which still answers whatever is not known to be good."""

    def __init__(self, app: Flask) -> None:
        super().__init__(app)
        if app.config["WTF_CSRF_TIME_LIMIT"] is not None:
            raise ValueError("A token that grows old has to be unsealed each time.")
        self._methods = frozenset(app.config["WTF_CSRF_METHODS"])
        # The library signs with the last, so does Flask-WTF with the secret key of the program.
        keys = [*reversed(app.config["SECRET_KEY_FALLBACKS"] or ()), str(app.secret_key)]
        sealer = URLSafeTimedSerializer(keys, salt=_SALT)
        self._unsealed = lru_cache(maxsize=_MOST_KEPT)(sealer.loads)

        # Jinja's globals hold it already, and so reach into components too.
        app.template_context_processors[None].pop()
        app.jinja_env.globals[_NAME] = form_token

    def protect(self, apply_exemptions: bool = False) -> None:
        """Refuse a form (400) that carries no token of this session."""
        if request.method not in self._methods:
            return
        if is_of_another_site(request):
            self._error_response("The form comes from another site.")
        sent = self._get_csrf_token()
        if apply_exemptions or not self._is_good(sent):
            super().protect(apply_exemptions)
        elif request.is_secure:
            self._refuse_other_sites()
        # Forms of the answer carry the token that was sent, rather than one made anew.
        g.csrf_token = sent

    def _get_csrf_token(self) -> str | None:
        sent = request.form.get(_NAME) or request.headers.get(_HEADER)
        return sent or super()._get_csrf_token()

    def _is_good(self, sent: str | None) -> bool:
        kept = session.get(_NAME)
        if not sent or not kept:
            return False
        try:
            raw: Any = self._unsealed(sent)
        except BadData:
            return False
        return isinstance(raw, str) and compare_digest(kept, raw)

    def _refuse_other_sites(self) -> None:
        referrer = request.referrer
        if not referrer:
            self._error_response("The referrer header is missing.")
        if not same_origin(referrer, f"https://{request.host}/"):
            self._error_response("The referrer does not match the host.")
