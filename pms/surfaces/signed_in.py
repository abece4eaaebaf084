"""Who is signed in, as every surface behind a door asks: read once a request from its cookie."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, TypeVar

from flask import Flask, current_app, g, request, session
from flask_login import LoginManager, UserMixin, login_user, logout_user

from pms.access import kept_forms, own_sessions, sessions
from pms.access.sessions import EVERY, Doorway, FoundSession, Membership, OpenedSession, Visitor
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.passwords import Passwords
from pms.foundation.settings import Settings
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Sealer
from pms.rules.enumerations import Door, Proof, SignInEventKind
from pms.surfaces.kept_fields import may_be_kept
from pms.surfaces.request_scope import ask_across_workspaces, clock

# The first that fits: browsers name those they descend from as well.
_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("Mac OS X", "Mac"), ("CrOS", "Chromebook"), ("Linux", "Linux"),
)  # fmt: skip


def device_name() -> str:
    """Return the browser in words its owner recognises: Chrome, Windows."""
    agent = request.user_agent.string
    found = (
        next((name for mark, name in marks if mark in agent), None)
        for marks in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))


_NEIGHBOURS_BITS: Final = 64  # one household has that many addresses of the sixth version
_AROUND_BITS: Final = (24, 48)  # one customer of a provider has at most that many networks


def client() -> str:
    """Return the address of the client, of the sixth version its network."""
    return _network(32, _NEIGHBOURS_BITS)


def neighbourhood() -> str:
    """Return the wider network around the client: whoever has one address there may have many."""
    return _network(*_AROUND_BITS)


def _network(bits: int, bits_of_sixth: int) -> str:
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
_DOORWAY: Final = "pms.doorway"
_USER: Final = "_user_id"  # where Flask-Login keeps the id
_CSRF: Final = "csrf_token"


@dataclass(frozen=True)
class SignedIn:
    """A member of staff, with the workspaces they work in."""

    person_id: str
    name: str
    email: str
    locale: str
    session_id: str
    proof: Proof
    memberships: tuple[Membership, ...]
    factor_demanded_by: Membership | None
    """The workspace that demands a second factor, of somebody who has none, from its day on."""


class _Holder(UserMixin):  # type: ignore[misc]  # the library ships no annotations
    """What Flask-Login holds: the id in the cookie, and the session it led to."""

    def __init__(self, id_: str, found: FoundSession | None = None) -> None:
        self.id = id_
        self.found = found


def install(app: Flask, settings: Settings, database: Database, clock: Clock) -> None:
    """Give the application its doorway, and Flask-Login without hooks on every answer."""
    app.extensions[_DOORWAY] = Doorway(
        database, clock, Passwords(settings), Sealer(settings.secret_key)
    )
    manager = LoginManager()
    manager.session_protection = None
    manager.user_loader(_load)
    # Not by init_app: its hook would read the session, and so vary by cookie, on every answer.
    app.login_manager = manager  # type: ignore[attr-defined]
    app.jinja_env.globals["signed_in"] = signed_in


def doorway() -> Doorway:
    """Return the tools of the doors."""
    found: Doorway = current_app.extensions[_DOORWAY]
    return found


def write_of_people(act: Callable[[WorkspaceSession], Answer]) -> Answer:
    """Return what `act` returns, which writes of people themselves, who belong to no workspace."""
    return doorway().write(act)


def signed_in() -> SignedIn | None:
    """Return the member of staff who asks; `None` for everyone else."""
    found = held_session(Door.STAFF)
    if found is None or found.waits_for_factor or found.person_id is None:
        return None
    return SignedIn(
        found.person_id,
        found.name or "",
        found.address,
        found.locale or "ja",
        found.id,
        found.proof,
        found.memberships,
        found.factor_demanded_by,
    )


def held_session(door: Door) -> FoundSession | None:
    """Return the live session of this door that the request's cookie leads to."""
    if "held_session" not in g:
        holder = _load(session.get(_USER) or "")
        g.held_session = holder.found if holder else None
        _note_use(g.held_session)
    found: FoundSession | None = g.held_session
    return found if found is not None and found.door is door else None


def sign_in(opened: OpenedSession) -> None:
    """Have the browser hold a session from now on; whatever it held before is forgotten.

    Forms that stand open in other tabs stay good when the same person comes back.
    """
    former = _presented()
    kept = session.get(_CSRF) if former and _is_of(former[1], opened.address) else None
    _forget_all()
    session.permanent = True
    if kept:
        session[_CSRF] = kept
    login_user(_Holder(f"{opened.door}:{opened.token}"))
    g.pop("held_session", None)


def sign_out() -> None:
    """Have the browser hold nothing any more; ending the session itself is a use case."""
    logout_user()
    _forget_all()
    g.held_session = None


def _forget_all() -> None:
    session.clear()
    g.pop(_CSRF, None)  # it belonged to what is forgotten now


def kept_for_later() -> str | None:
    """Keep what this request's form holds until the same person is back; return its token.

    Only a form of this program's own pages is kept, only for whoever held a session here, and of it
    only the fields that `kept_fields` allows: no password, secret or code is ever written down.
    """
    former = _presented()
    if former is None or not _is_own_form():
        return None
    sent = [pair for pair in request.form.items(multi=True) if pair[0] != _CSRF]
    fields = [(name, text) for name, text in sent if may_be_kept(name)]
    if not fields:
        return None
    return doorway().write(
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
    # Behind a proxy that ends TLS the request itself does not know its own scheme.
    own = (request.host_url, f"{current_app.config['BASE_URL']}/")
    return f"{request.headers.get('Origin')}/" in own


def _presented() -> tuple[str, str] | None:
    """Return door and token as the cookie names them, whatever they are worth."""
    door, colon, token = str(session.get(_USER) or "").partition(":")
    return (door, token) if colon else None


def _is_of(token: str, address: str) -> bool:
    with doorway().reading() as opened:
        return sessions.holder_of(opened, token) == address


def _load(id_: str) -> _Holder | None:
    door, _, token = id_.partition(":")
    if not token:
        return None
    found = ask_across_workspaces(partial(sessions.find_session, token=token, now=clock().now()))
    if found is None or found.door != door:
        return None
    if found.is_idle(clock().now()):
        _end_idle(found)
        return None
    return _Holder(id_, found)


def _end_idle(found: FoundSession) -> None:
    """End a session that stood idle for too long; where it cannot be written, it opens nothing."""
    by = Visitor(found.address, client(), device_name())
    doorway().database.note_across_workspaces(
        lambda opened: own_sessions.sign_out(
            opened, clock(), found.id, by=by, kind=SignInEventKind.TIMED_OUT
        )
    )


def _note_use(found: FoundSession | None) -> None:
    if found is None:
        return
    now = clock().now()
    if now - found.last_seen_at >= EVERY:
        session.modified = True  # the cookie outlives the session, for what was typed last
        doorway().database.note_across_workspaces(
            lambda opened: sessions.note_session_use(opened, found.id, now)
        )
