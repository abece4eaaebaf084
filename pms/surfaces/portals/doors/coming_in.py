"""Coming in to a portal: after the right digits, or by the link that was mailed instead."""

from flask import Response, url_for
from wtforms import Form

from pms.access.open_session import OpenedSession
from pms.access.sign_in_to_portal import sign_in_to_portal_with_link
from pms.access.sign_in_with_code import linked_account
from pms.rules.enumerations import Door
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.doors.known_addresses import is_known
from pms.surfaces.portals.doors.leaving import end_former_sessions
from pms.surfaces.portals.portal import portal
from pms.surfaces.safe_path import safe_path
from pms.surfaces.signed_in import doorway, sign_in
from pms.surfaces.visitor import remember_device, visitor

_GONE = 410


def come_in(opened: OpenedSession, back: str | None) -> Response:
    """Have the browser hold the session, and go on to where it wanted to be."""
    end_former_sessions()
    sign_in(opened)
    return remember_device(go(safe_path(back) or url_for(".home")), opened.address)


def show_link(token: str) -> Response:
    """The page a mailed link opens; only its button signs in, so no mail scanner uses it up."""
    at = portal()
    account = linked_account(doorway(), at.door, at.workspace_id, token)
    response = page(
        "portals/link.html",
        account=account,
        token=token,
        form=Form(),
        is_of_owners=at.door is Door.OWNER,
    )
    response.status_code = 200 if account else _GONE
    return response


def use_link(token: str) -> Response:
    """Sign in by the link, once."""
    at = portal()
    account = linked_account(doorway(), at.door, at.workspace_id, token)
    opened = account and sign_in_to_portal_with_link(
        doorway(),
        at.door,
        at.workspace_id,
        token,
        visitor=visitor(account.address),
        is_known=is_known(at.door),
    )
    return come_in(opened, None) if opened else show_link(token)
