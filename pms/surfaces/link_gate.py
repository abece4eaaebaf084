"""The gate of surfaces whose links are the credential: the link's row decides who comes in."""

import hmac
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from flask import Blueprint, Response, g, request
from werkzeug.exceptions import HTTPException

from pms.access.door_tries import Subject, count_try
from pms.foundation.errors import NotFound, Problem
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import LinkKind, NamedLink, named_link
from pms.rules.request_budget import TRIES_OF_CLIENT
from pms.site.queries import contact_of_workspace
from pms.surfaces.form_tokens import exempt, is_of_another_site
from pms.surfaces.hypermedia import page
from pms.surfaces.reader_choice import speak_as_record
from pms.surfaces.request_scope import clock, reading_session
from pms.surfaces.signed_in import client, doorway
from pms.workspaces.queries import branding

TOKEN: Final = "token"
Link = TypeVar("Link")


class LinkHolder(Protocol):
    """Who holds a live link, as every surface of links knows them."""

    @property
    def actor(self) -> str:
        """Who acts, as the audit keeps it."""


class LinkGate(ABC, Generic[Link]):
    """What one surface of links tells its gate: which links, how they open, how it speaks.

    The answers on the way are notices, each named by a word: `unknown`, `too_many`, `missing`,
    `refused`, `stale`. None of them tells what stands behind a link.
    """

    kind: ClassVar[LinkKind]
    """Which links open it."""
    templates: ClassVar[str]
    """The folder of its templates, with the page of its notices."""
    most_bytes: ClassVar[int]
    """The largest form; photos may come with it."""

    @abstractmethod
    def find(self, named: NamedLink) -> Link | None:
        """Return the link's row as it is now, `None` when its nonce is another one."""

    @abstractmethod
    def language(self, link: Link) -> str:
        """Return the language of its record."""

    @abstractmethod
    def admit(self, link: Link, workspace_id: str) -> LinkHolder | Response:
        """Return who comes in; for a link that opens nothing any more, the answer that says so."""

    def notice(self, kind: str, status: int, **facts: object) -> Response:
        """Return the page that says why nothing is shown."""
        response = page(f"{self.templates}/notice.html", kind=kind, **facts)
        response.status_code = status
        return response


def guard(blueprint: Blueprint, gate: LinkGate[Any]) -> None:
    """Let nobody in but the holder of a live link, and only into what it opens."""
    blueprint.record(lambda setup: setup.app.jinja_env.globals.update(link_form_token=form_token))

    @blueprint.url_value_preprocessor
    def take_token(_: str | None, values: dict[str, Any] | None) -> None:
        g.link_token = values.pop(TOKEN) if values else ""

    @blueprint.url_defaults
    def give_token(_: str, values: dict[str, Any]) -> None:
        values.setdefault(TOKEN, g.get("link_token", ""))

    exempt(blueprint)

    @blueprint.before_request
    def enter() -> Response | None:
        named = named_link(doorway().reading, doorway().signer, gate.kind, g.link_token)
        link = gate.find(named) if named else None
        if named is None or link is None:
            return _unknown(gate)
        _introduce(named)
        speak_as_record(gate.language(link))
        admitted = gate.admit(link, named.workspace_id)
        if isinstance(admitted, Response):
            return admitted
        g.link_holder, g.actor = admitted, admitted.actor
        g.link_form_tokens = _form_tokens(gate, named)
        request.max_content_length = gate.most_bytes
        return None if _is_own_form() else gate.notice("stale", 400)

    @blueprint.after_request
    def keep_secret(response: Response) -> Response:
        # The address is the key: no cache keeps it, no other site is told it, no engine finds it.
        if "max-age" not in response.headers.get("Cache-Control", ""):
            response.headers["Cache-Control"] = "no-store"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return response

    @blueprint.errorhandler(NotFound)
    def tell_missing(_: Problem) -> Response:
        return gate.notice("missing", 404)

    @blueprint.errorhandler(HTTPException)
    def tell_error(error: HTTPException) -> Response:
        status = error.code or 500
        return gate.notice("missing" if status == 404 else "refused", status)


def reading() -> WorkspaceSession:
    """Return the request's session for questions, bound to the link's workspace."""
    return reading_session(g.workspace_id)


def form_token() -> str:
    """Return what the forms of the request's link carry: without the link nobody works it out."""
    tokens: tuple[str, ...] = g.link_form_tokens
    return tokens[0]


def _introduce(named: NamedLink) -> None:
    """Remember how the workspace shows itself and whom to phone, for every page of the link."""
    session = reading_session(named.workspace_id)
    g.workspace_id = named.workspace_id
    g.link_workspace = branding(session)
    g.link_contact = contact_of_workspace(session)


def _form_tokens(gate: LinkGate[Any], named: NamedLink) -> tuple[str, ...]:
    """Return one for each secret key: a page that stands open while a new key comes stays good."""
    # No cookie and no referrer is asked for: the browser tells neither of them here.
    made = doorway().signer.derived_from_each(f"{gate.kind.purpose}-form", *named)
    return tuple(token.hex()[:32] for token in made)


def _is_own_form() -> bool:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return True
    if is_of_another_site(request, tells_origin=False):
        return False
    sent = request.form.get("csrf_token", "")
    met = [hmac.compare_digest(sent.encode(), one.encode()) for one in g.link_form_tokens]
    return any(met)


def _unknown(gate: LinkGate[Any]) -> Response:
    """The same answer for every text that is no link, whatever is wrong with it."""
    tries = Subject("unknown link", client(), TRIES_OF_CLIENT)
    wait = doorway().write(lambda session: count_try(session, clock(), [tries]))
    if not wait:
        return gate.notice("unknown", 404)
    response = gate.notice("too_many", 429)
    response.headers["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return response
