"""Refuses forms of other sites and forms without the token of their session (Flask-WTF)."""

from collections.abc import Callable
from typing import TypeVar

from flask import Blueprint, Flask, Request, Response, abort, current_app, request
from flask_wtf.csrf import CSRFError, CSRFProtect

csrf = CSRFProtect()
Gate = TypeVar("Gate", bound=Callable[[], Response | None])
_EXEMPT: set[str] = set()


def install(app: Flask) -> None:
    """Have every form checked that is not exempt; called after the gates, which come first."""
    app.before_request(refuse_other_sites)
    csrf.init_app(app)


def exempt(blueprint: Blueprint) -> None:
    """Ask for no token: a key, a signature or a link lets requests of this surface in."""
    csrf.exempt(blueprint)
    _EXEMPT.add(blueprint.name)


def gate(blueprint: Blueprint) -> Callable[[Gate], Gate]:
    """Decorate what lets a request into a surface, before anything is read of a form it carries.

    Who may not enter is sent away or told 403 or 404, whatever the form is worth.
    """

    def decorate(enter: Gate) -> Gate:
        @blueprint.before_app_request
        def enter_here() -> Response | None:
            return enter() if request.blueprint == blueprint.name else None

        return enter

    return decorate


def refuse_other_sites() -> None:
    """Refuse a form (400) that a browser says comes from a page of another site."""
    if request.method not in current_app.config["WTF_CSRF_METHODS"]:
        return
    if request.blueprint is None or request.blueprint in _EXEMPT:
        return
    if request.is_json:
        abort(415)  # Flask-WTF would take its values for those of fields
    if is_of_another_site(request):
        raise CSRFError("The form comes from another site.")


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
