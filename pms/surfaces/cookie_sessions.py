"""Cookie sessions of people, and the check of their forms: from this site, with the session's token.

No session is opened for requests of programs, links and files.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Final, Generic, TypeVar

from flask import Blueprint, Flask, Request, Response, abort, current_app, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_wtf.csrf import CSRFError, CSRFProtect

from pms.foundation.settings import Settings
from pms.surfaces.request_scope import has_nul


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


csrf = CSRFProtect()
Gate = TypeVar("Gate", bound=Callable[[], Response | None])
_EXEMPT: set[str] = set()


def check_forms(app: Flask) -> None:
    """Check every form that is not exempt; called after the gates, which must run first."""
    app.before_request(refuse_other_sites)
    csrf.init_app(app)


def exempt_from_tokens(blueprint: Blueprint) -> None:
    """Require no token: requests of this surface are authenticated by a key, signature or link."""
    csrf.exempt(blueprint)
    _EXEMPT.add(blueprint.name)


def gate(blueprint: Blueprint) -> Callable[[Gate], Gate]:
    """Decorate the function that admits requests to a blueprint; it runs before form checks.

    A caller without access is redirected or gets 403 or 404, whether or not the form is valid.
    """

    def decorate(enter: Gate) -> Gate:
        @blueprint.before_app_request
        def enter_here() -> Response | None:
            return enter() if request.blueprint == blueprint.name else None

        return enter

    return decorate


def refuse_other_sites() -> None:
    """Refuse a form (400) with a NUL, or if the browser says it comes from another site's page."""
    if request.method not in current_app.config["WTF_CSRF_METHODS"]:
        return
    if request.blueprint is None or request.blueprint in _EXEMPT:
        return
    if request.is_json:
        abort(415)  # Flask-WTF would read its values as form fields
    if is_of_another_site(request):
        raise CSRFError("The form comes from another site.")
    if has_nul(request.form):
        abort(400)  # nobody types one, and PostgreSQL takes none in a text


def is_of_another_site(asked: Request, *, tells_origin: bool = True) -> bool:
    """Whether the browser says that the request comes from a page of another site.

    Pages with the policy `no-referrer` send "null" as their origin: pass `tells_origin=False` for
    them. A request without an origin does not come from a current browser; its token decides.
    """
    if asked.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        return True
    origin = asked.headers.get("Origin")
    if origin is None or (origin == "null" and not tells_origin):
        return False
    # Behind a proxy that ends TLS the request does not know its own scheme.
    own = (
        f"{asked.scheme}://{asked.host}",
        f"https://{asked.host}",
        current_app.config["BASE_URL"],
    )
    return origin not in own


Check = TypeVar("Check")


class CheckedBlueprint(Blueprint, Generic[Check]):
    """A blueprint that takes the parameters of `check` as options of its routes.

    A parameter without a default is required: a route that omits it raises `TypeError` at start-up.
    `rule_options` are options of Werkzeug's rules that all routes share.
    """

    def __init__(
        self,
        name: str,
        import_name: str,
        check: Callable[..., Check],
        rule_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(name, import_name, **options)
        self._check, self._rule_options = check, rule_options or {}
        self.checks: dict[str, Check] = {}
        """The checks by endpoint, without the blueprint's name."""

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: Any,
    ) -> None:
        """Add the route and store its check."""
        if view_func is None:
            raise TypeError(f"{rule}: a route of {self.name} needs a view")
        names = signature(self._check).parameters
        given = {name: options.pop(name) for name in names if name in options}
        self.checks[endpoint or view_func.__name__] = self._check(**given)
        options = {**self._rule_options, **options}
        super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)
