"""The gate of contractors' links: the link itself is the credential, and its row decides."""

import hmac
from typing import Any, Final

from flask import Blueprint, Response, g, request, url_for
from werkzeug.exceptions import HTTPException

from pms.access.door_tries import Subject, count_try
from pms.foundation.errors import NotFound, Problem
from pms.rules.enumerations import ShareLinkState
from pms.rules.slowing import TRIES_OF_CLIENT
from pms.site.queries import contact_of_workspace
from pms.surfaces.client_address import client
from pms.surfaces.contractor_links.holder import Holder, clock, shown
from pms.surfaces.reader_choice import RECORD_LANGUAGE
from pms.surfaces.request_scope import database, reading_session, today
from pms.surfaces.signed_in import doorway
from pms.upkeep.opened_link import (
    NamedLink,
    OpenedLink,
    is_opening_due,
    named_link,
    note_link_opened,
    opened_link,
)
from pms.workspaces.queries import branding

TOKEN: Final = "token"
_FORM: Final = "contractor-form"
_MOST_BYTES: Final = 50 * 1024 * 1024
"""Photos come with the forms of this surface."""


def guard(blueprint: Blueprint) -> None:
    """Let nobody in but the holder of a live link, and only into its project."""

    @blueprint.url_value_preprocessor
    def take_token(_: str | None, values: dict[str, Any] | None) -> None:
        g.link_token = values.pop(TOKEN) if values else ""

    @blueprint.url_defaults
    def give_token(_: str, values: dict[str, Any]) -> None:
        values.setdefault(TOKEN, g.get("link_token", ""))

    @blueprint.before_request
    def enter() -> Response | None:
        named = named_link(doorway().sealer, g.link_token)
        link = _opened(named) if named else None
        if named is None or link is None:
            return _unknown()
        g.workspace_id = named.workspace_id
        setattr(g, RECORD_LANGUAGE, link.locale)
        _introduce(named)
        if link.state is not ShareLinkState.LIVE:
            return _ended(link)
        g.link_holder = Holder(link, named.workspace_id, _form_token(named))
        if is_opening_due(link, clock().now()):
            with database().writing(named.workspace_id) as session:
                note_link_opened(session, link.id, clock().now())
        request.max_content_length = _MOST_BYTES
        return None if _is_own_form() else _stale()

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
        return _notice("missing", 404)

    @blueprint.errorhandler(HTTPException)
    def tell_error(error: HTTPException) -> Response:
        status = error.code or 500
        return _notice("missing" if status == 404 else "refused", status)


def _opened(named: NamedLink) -> OpenedLink | None:
    return opened_link(reading_session(named.workspace_id), today(), named)


def _introduce(named: NamedLink) -> None:
    """Remember how the workspace shows itself and whom to phone, for every page of the link."""
    session = reading_session(named.workspace_id)
    g.link_workspace = branding(session)
    g.link_contact = contact_of_workspace(session)


def _form_token(named: NamedLink) -> str:
    """What the forms of this link carry: nobody without the link can work it out.

    No cookie and no referrer is asked for: the browser tells neither of them here.
    """
    return doorway().sealer.derived(_FORM, *named).hex()[:32]


def _is_own_form() -> bool:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return True
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        return False
    sent = request.form.get("csrf_token", "")
    return hmac.compare_digest(sent.encode(), g.link_holder.form_token.encode())


def _unknown() -> Response:
    """The same answer for every text that is no link, whatever is wrong with it."""
    tries = Subject("unknown share link", client(), TRIES_OF_CLIENT)
    with doorway().writing() as session:
        wait = count_try(session, clock(), [tries])
    if not wait:
        return _notice("unknown", 404)
    response = _notice("too_many", 429)
    response.headers["Retry-After"] = str(int(wait.total_seconds()) + 1)
    return response


def _ended(link: OpenedLink) -> Response:
    return _notice("ended", 410, link=link)


def _stale() -> Response:
    return _notice("stale", 400, home=url_for("contractor_links.project"))


def _notice(kind: str, status: int, **facts: object) -> Response:
    response = shown("notice", kind=kind, **facts)
    response.status_code = status
    return response
