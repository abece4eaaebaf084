"""Who is signed in, for every surface with sign-in; read once a request from the cookie."""

from collections.abc import Callable
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, TypeVar

from flask import Flask, Response, current_app, g, request, session
from flask_login import LoginManager, UserMixin, current_user, login_user, logout_user

from pms.access import kept_forms, own_sessions, sessions
from pms.access.session_openings import OpenedSession
from pms.access.sessions import EVERY, AuthContext, FoundSession, Membership, Visitor
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer, new_token, token_hash
from pms.rules.addresses import folded_address
from pms.rules.enumerations import SignInEventKind, UserKind
from pms.surfaces.kept_fields import may_be_kept
from pms.surfaces.request_scope import ask_across_workspaces, clock, has_nul

# The first match is used: browsers also name those they descend from.
_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS X", "Mac"), ("CrOS", "Chromebook"), ("Linux", "Linux"),
)  # fmt: skip


def device_name() -> str:
    """Return the browser and system in words the owner recognises: Chrome, Windows."""
    agent = request.user_agent.string
    found = (
        next((name for mark, name in marks if mark in agent), None)
        for marks in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))


_NEIGHBOURS_BITS: Final = 64  # the usual IPv6 prefix of one household
_AROUND_BITS: Final = (24, 48)  # IPv4 and IPv6 prefixes of one customer's network at most


def client() -> str:
    """Return the client's address; for IPv6 its /64 network."""
    return _find_network(32, _NEIGHBOURS_BITS)


def neighbourhood() -> str:
    """Return the wider network around the client, since one party may have many addresses in it."""
    return _find_network(*_AROUND_BITS)


def _find_network(bits: int, bits_of_sixth: int) -> str:
    try:
        address = ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(ip_network((address, bits_of_sixth), strict=False))
        address = address.ipv4_mapped
    return str(address) if bits == 32 else str(ip_network((address, bits), strict=False))


Answer = TypeVar("Answer")
_AUTH_CONTEXT: Final = "pms.auth_context"
_CSRF: Final = "csrf_token"
login_manager = LoginManager()
login_manager.session_protection = None  # a phone changes its network all day


class User(UserMixin):
    """The holder of a live session; `id` is the kind of user and the session's token."""

    def __init__(self, id_: str, held: FoundSession) -> None:
        self.id = id_
        self.held = held

    @property
    def is_authenticated(self) -> bool:
        """Whether the session gives access: not while it waits for a second factor."""
        return not self.held.waits_for_factor


class StaffUser(User):
    """A member of staff, with the workspaces they belong to."""

    @property
    def is_authenticated(self) -> bool:
        """Whether the session belongs to a person and all required factors are proven."""
        return super().is_authenticated and self.held.person_id is not None

    @property
    def person_id(self) -> str:
        """The person's id; empty if there is none."""
        return self.held.person_id or ""

    @property
    def name(self) -> str:
        """The person's name."""
        return self.held.name or ""

    @property
    def email(self) -> str:
        """The email address they sign in with."""
        return self.held.address

    @property
    def memberships(self) -> tuple[Membership, ...]:
        """The workspaces they belong to, with their role in each."""
        return self.held.memberships


class PortalUser(User):
    """A resident or an owner, identified by an address in one workspace."""


def install(app: Flask, settings: Settings, database: Database, clock: Clock) -> None:
    """Set up the application's `AuthContext` and Flask-Login."""
    app.extensions[_AUTH_CONTEXT] = AuthContext(
        database, clock, Passwords(settings), Signer(settings.secret_key)
    )
    # Pages of links and of the manual have no user, so templates are not given `current_user`.
    login_manager.init_app(app, add_context_processor=False)


@login_manager.user_loader
def load_user(id_: str) -> User | None:
    """Return the holder of the live session named by the cookie, or None; called once a request."""
    g.presented = id_
    user_kind, _, token = id_.partition(":")
    if not token:
        return None
    now = clock().now()
    found = ask_across_workspaces(partial(sessions.find_session, token=token, now=now))
    if found is None or found.user_kind != user_kind:
        return None
    if found.is_idle(now):
        end_idle_session(found)
        return None
    now = clock().now()
    if now - found.last_seen_at >= EVERY:
        session.modified = True  # the cookie outlives the session, to store a last form
        auth_context().database.note_across_workspaces(
            lambda opened: sessions.note_session_use(opened, found, now)
        )
    return StaffUser(id_, found) if found.user_kind is UserKind.STAFF else PortalUser(id_, found)


def auth_context() -> AuthContext:
    """Return the tools for signing in and out."""
    found: AuthContext = current_app.extensions[_AUTH_CONTEXT]
    return found


def write_of_people(act: Callable[[WorkspaceSession], Answer]) -> Answer:
    """Run `act`, which writes rows of people, outside any workspace; return its result."""
    return auth_context().write(act)


def signed_in() -> StaffUser | None:
    """Return the signed-in member of staff, or `None`."""
    user: User = current_user
    return user if isinstance(user, StaffUser) and user.is_authenticated else None


def held_session(user_kind: UserKind) -> FoundSession | None:
    """Return the live session of this kind named by the request's cookie, or None."""
    user: User = current_user
    return user.held if isinstance(user, User) and user.held.user_kind is user_kind else None


def sign_in(opened: OpenedSession) -> None:
    """Set the browser's session, replacing the one before.

    The form token is kept if the same person signs in again, so that forms open in other tabs stay
    valid.
    """
    former = _presented_token()
    kept = session.get(_CSRF) if former and _is_of(former[1], opened.address) else None
    _forget_all()
    session.permanent = True
    if kept:
        session[_CSRF] = kept
    login_user(load_user(f"{opened.user_kind}:{opened.token}"))


def sign_out() -> None:
    """Clear the browser's session; ending the session row is a use case."""
    logout_user()
    _forget_all()


def _forget_all() -> None:
    session.clear()
    g.pop(_CSRF, None)  # it belonged to the cleared session


def kept_for_later() -> str | None:
    """Store the request's form until the same person signs in again; return the form's token.

    Only forms of the product's own pages are stored, only for a browser that held a session, and
    only the fields that `kept_fields` allows: no password, secret or code is ever stored.
    """
    former = _presented_token()
    if former is None or not _is_own_form():
        return None
    sent = [pair for pair in request.form.items(multi=True) if pair[0] != _CSRF]
    fields = [(name, text) for name, text in sent if may_be_kept(name)]
    if not fields or has_nul(request.form):
        return None
    return auth_context().write(
        lambda opened: kept_forms.keep_form(
            opened,
            clock(),
            ended_token=former[1],
            path=request.full_path if request.query_string else request.path,
            fields=fields,
            is_whole=len(fields) == len(sent) and not any(request.files.values()),
        )
    )


def _is_own_form() -> bool:
    # Behind a proxy that ends TLS the request does not know its own scheme.
    own = (request.host_url, f"{current_app.config['BASE_URL']}/")
    return f"{request.headers.get('Origin')}/" in own


def _presented_token() -> tuple[str, str] | None:
    """Return the kind of user and token named by the cookie, without checking them."""
    if current_user.is_anonymous and "presented" not in g:
        return None
    user_kind, colon, token = str(g.presented).partition(":")
    return (user_kind, token) if colon else None


def _is_of(token: str, address: str) -> bool:
    with auth_context().reading() as opened:
        return sessions.holder_of(opened, token) == address


def end_idle_session(found: FoundSession) -> None:
    """End a session that was idle for too long; it is refused even if this cannot be written."""
    by = Visitor(found.address, client(), device_name())
    auth_context().database.note_across_workspaces(
        lambda opened: own_sessions.sign_out(
            opened, clock(), found.id, by=by, kind=SignInEventKind.TIMED_OUT
        )
    )


_DEVICE: Final = "device"
_YEAR_SECONDS: Final = 365 * 24 * 60 * 60


def visitor(typed_address: str) -> Visitor:
    """Return the visitor with the typed address."""
    address = folded_address(typed_address)
    parts = auth_context().signer.read(_DEVICE, request.cookies.get(_cookie_name(), ""))
    is_known = parts is not None and len(parts) == 2 and parts[0] == token_hash(address)
    known_device = parts[1] if parts and is_known else ""
    return Visitor(address, client(), device_name(), known_device, neighbourhood())


def remember_device(response: Response, address: str) -> Response:
    """Set a cookie that marks this browser as one in which the address has signed in."""
    response.set_cookie(
        _cookie_name(),
        auth_context().signer.sign_parts(_DEVICE, token_hash(address), new_token()),
        max_age=_YEAR_SECONDS,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    return response


def _cookie_name() -> str:
    return "__Host-device" if current_app.config["SESSION_COOKIE_SECURE"] else _DEVICE
