"""Checks that a form comes from a page of this site and carries the token of its session."""

from flask import Flask, Request, current_app, request
from flask_wtf.csrf import CSRFError, CSRFProtect


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


class FormTokens(CSRFProtect):  # type: ignore[misc]  # the library ships no annotations
    """Flask-WTF's protection, which refuses forms of another site too."""

    def __init__(self, app: Flask) -> None:
        # itsdangerous signs with the last key of a list and opens with each.
        fallbacks = app.config["SECRET_KEY_FALLBACKS"] or ()
        app.config["WTF_CSRF_SECRET_KEY"] = [*reversed(fallbacks), app.config["SECRET_KEY"]]
        super().__init__(app)

    def protect(self, apply_exemptions: bool = False) -> None:
        """Refuse a form (400) of another site, or one without a token of this session."""
        if request.method in current_app.config["WTF_CSRF_METHODS"] and is_of_another_site(request):
            raise CSRFError("The form comes from another site.")
        super().protect(apply_exemptions)
