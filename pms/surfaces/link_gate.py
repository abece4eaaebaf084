"""The gate of surfaces whose links are the credential: the link's row decides who may enter."""

import hmac
from abc import ABC, abstractmethod
from datetime import datetime
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from flask import Blueprint, Response, abort, g, request
from werkzeug.exceptions import HTTPException

from pms.access.auth_tries import Subject, count_try
from pms.foundation.errors import NotFound
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import (
    LinkKind,
    NamedLink,
    is_opening_due,
    named_link,
    note_link_opened,
)
from pms.rules.request_budget import TRIES_OF_CLIENT
from pms.site.queries import contact_of_workspace
from pms.surfaces.cookie_sessions import exempt_from_tokens, is_of_another_site
from pms.surfaces.hypermedia import page
from pms.surfaces.reader_choice import speak_as_record
from pms.surfaces.request_scope import clock, database, reading_session, refuse_nul
from pms.surfaces.signed_in import auth_context, client
from pms.workspaces.queries import branding

TOKEN: Final = "token"
Link = TypeVar("Link")


class LinkHolder(Protocol):
    """The holder of a live link, as every surface with links uses it."""

    @property
    def actor(self) -> str:
        """The actor written to the audit."""


class LinkGate(ABC, Generic[Link]):
    """What one surface gives its gate: the kind of its links, how to look them up, and its notices.

    The notices are named `unknown`, `too_many`, `missing`, `refused` and `stale`. None of them
    reveals what a link gives access to.
    """

    kind: ClassVar[LinkKind]
    """The kind of link that this gate accepts."""
    templates: ClassVar[str]
    """The folder of the surface's templates, including the notice page."""
    most_bytes: ClassVar[int]
    """The largest request body, in bytes, including photos."""

    @abstractmethod
    def find(self, named: NamedLink) -> Link | None:
        """Return the link's current row, or `None` if its nonce has changed."""

    @abstractmethod
    def language(self, link: Link) -> str:
        """Return the language of the link's record."""

    @abstractmethod
    def admit(self, link: Link, workspace_id: str) -> LinkHolder | Response:
        """Return the holder; for a link that no longer gives access, the answer that says so."""

    def find_most_bytes(self) -> int:
        """Return the largest body of this request."""
        return self.most_bytes

    def note_opening(
        self, workspace_id: str, link_id: str, last_opened_at: datetime | None
    ) -> None:
        """Record that a link was opened, at most once a minute."""
        now = clock().now()
        if is_opening_due(last_opened_at, now):
            database().note(
                workspace_id,
                lambda session: note_link_opened(session, self.kind, link_id, now),
            )

    def notice(self, kind: str, status: int, **facts: object) -> Response:
        """Return the page that says why nothing is shown."""
        response = page(f"{self.templates}/notice.html", kind=kind, **facts)
        response.status_code = status
        return response


def guard(blueprint: Blueprint, gate: LinkGate[Any]) -> None:
    """Admit only the holder of a live link, and only to what the link gives access to."""
    blueprint.record(lambda setup: setup.app.jinja_env.globals.update(link_form_token=form_token))

    blueprint.url_value_preprocessor(_take_token)
    blueprint.url_defaults(_give_token)
    exempt_from_tokens(blueprint)
    blueprint.before_request(lambda: _enter_by_link(gate))
    blueprint.after_request(_keep_secret)
    blueprint.add_url_rule("/<path:_rest>", "nothing", lambda _rest: abort(404))
    blueprint.register_error_handler(NotFound, lambda _: gate.notice("missing", 404))
    blueprint.register_error_handler(HTTPException, lambda error: _tell_error(gate, error))


def _take_token(_: str | None, values: dict[str, Any] | None) -> None:
    g.link_token = values.pop(TOKEN) if values else ""


def _give_token(_: str, values: dict[str, Any]) -> None:
    values.setdefault(TOKEN, g.get("link_token", ""))


def _enter_by_link(gate: LinkGate[Any]) -> Response | None:
    named = named_link(auth_context().reading, auth_context().signer, gate.kind, g.link_token)
    link = gate.find(named) if named else None
    if named is None or link is None:
        return _answer_unknown(gate)
    session = reading_session(named.workspace_id)
    g.workspace_id = named.workspace_id
    g.link_workspace = branding(session)
    g.link_contact = contact_of_workspace(session)
    speak_as_record(gate.language(link))
    admitted = gate.admit(link, named.workspace_id)
    if isinstance(admitted, Response):
        return admitted
    g.link_holder, g.actor = admitted, admitted.actor
    # A token for each secret key, so that open pages stay valid when the key is rotated.
    # Not bound to a session or referrer: these pages have no session and send no referrer.
    made = auth_context().signer.derived_from_each(f"{gate.kind.purpose}-form", *named)
    g.link_form_tokens = tuple(token.hex()[:32] for token in made)
    refuse_nul()
    request.max_content_length = gate.find_most_bytes()
    return None if _is_own_form() else gate.notice("stale", 400)


def _keep_secret(response: Response) -> Response:
    # The address is the credential: not cached, not sent as a referrer, not indexed.
    if "max-age" not in response.headers.get("Cache-Control", ""):
        response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _tell_error(gate: LinkGate[Any], error: HTTPException) -> Response:
    status = error.code or 500
    return gate.notice("missing" if status == 404 else "refused", status)


def reading() -> WorkspaceSession:
    """Return the request's session for reading, bound to the link's workspace."""
    return reading_session(g.workspace_id)


def form_token() -> str:
    """Return the form token of the request's link; it cannot be computed without the link."""
    tokens: tuple[str, ...] = g.link_form_tokens
    return tokens[0]


def _is_own_form() -> bool:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return True
    if is_of_another_site(request, tells_origin=False):
        return False
    sent = request.form.get("csrf_token", "")
    matches = [hmac.compare_digest(sent.encode(), token.encode()) for token in g.link_form_tokens]
    return any(matches)


def _answer_unknown(gate: LinkGate[Any]) -> Response:
    """Return the same answer for every invalid link, whatever the reason, and count the try."""
    tries = Subject("unknown link", client(), TRIES_OF_CLIENT)
    wait = auth_context().write(lambda session: count_try(session, clock(), [tries]))
    if not wait:
        return gate.notice("unknown", 404)
    response = gate.notice("too_many", 429)
    response.headers["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return response
