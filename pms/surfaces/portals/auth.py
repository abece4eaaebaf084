"""Signing in to a portal: an address, then the code that was mailed to it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.access import code_sign_in, own_sessions
from pms.access.code_sign_in import TriedCode
from pms.access.session_openings import OpenedSession
from pms.access.sign_in_events import SignInAccount, portal_events
from pms.catalogue import owners
from pms.foundation.lists import Paging
from pms.reservations import own_tenancies
from pms.rules.addresses import folded_address
from pms.rules.enumerations import UserKind
from pms.rules.sign_in_codes import read_code
from pms.surfaces.code_screens import (
    AskingScreen,
    asking_screen,
    code_page,
    forget_screen,
    message_of_new_code,
    open_screen,
    request_code,
)
from pms.surfaces.fields import EmailField, HiddenField, Required
from pms.surfaces.forms import PinForm, QueryForm, mark_unaccepted
from pms.surfaces.hypermedia import UNACCEPTED, go, page, safe_path
from pms.surfaces.portals.portal import portal
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import (
    auth_context,
    held_session,
    remember_device,
    sign_in,
    sign_out,
    visitor,
    write_of_people,
)


class PortalAddressForm(QueryForm):
    """An email address; there is no password."""

    email = EmailField(lazy_gettext("Email address"), [Required()])
    next = HiddenField()


def show() -> Response:
    """Return the page that asks for the address; a signed-in person is sent on."""
    if portal().address:
        return go(safe_path(request.args.get("next")) or url_for(".home"))
    return page("portals/sign_in.html", form=PortalAddressForm(request.args))


def ask() -> Response:
    """Request a code from a new screen; the answer is the same for an unknown address."""
    form = PortalAddressForm()
    if not form.validate():
        return mark_unaccepted(page("portals/sign_in.html", form=form))
    at, address = portal(), folded_address(form.email.data or "")
    number, bound_to = open_screen(
        at.user_kind, at.workspace_id, address, safe_path(form.next.data)
    )
    request_code(number, bound_to)
    return go(url_for(".code", screen=number))


Known = Callable[..., bool]
"""Called with a session, a workspace and an address: whether the address may sign in."""

_KNOWN: Final[Mapping[UserKind, Known]] = {
    UserKind.RESIDENT: own_tenancies.is_residents_address,
    UserKind.OWNER: owners.is_owners_address,
}


def is_known(user_kind: UserKind) -> Known:
    """Return the function that checks whether an address may sign in as this kind."""
    return _KNOWN[user_kind]


def leave() -> Response:
    """End this session; the answer is the same without one."""
    end_former_sessions(is_asked=True)
    sign_out()
    response = go(url_for(".sign_in"), message=_("You are signed out."))
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


_MOST_EVENTS: Final = 8


def sign_out_elsewhere() -> str:
    """End every other session of this address; return the message that says how many."""
    at = portal()
    ended = write_of_people(
        lambda session: own_sessions.end_other_sessions(
            session,
            clock(),
            user_kind=at.user_kind,
            workspace_id=at.workspace_id,
            by=visitor(at.address),
            but=at.session_id,
        )
    )
    return str(
        ngettext(
            "Signed out on %(num)d other device.", "Signed out on %(num)d other devices.", ended
        )
    )


def own_sign_ins() -> dict[str, Any]:
    """Return the live sessions of this address and its latest sign-ins, for the profile page."""
    at = portal()
    account = SignInAccount(at.user_kind, at.workspace_id, at.address)
    with auth_context().reading() as session:
        sessions = own_sessions.portal_sessions(
            session,
            clock(),
            user_kind=at.user_kind,
            workspace_id=at.workspace_id,
            address=at.address,
        )
        sign_ins = portal_events(session, account, Paging(1, _MOST_EVENTS)).events
    return {"sessions": sessions, "current_session_id": at.session_id, "sign_ins": sign_ins}


def end_former_sessions(*, is_asked: bool = False) -> None:
    """End the sessions this browser holds, which nothing can reach once they are replaced.

    Only a sign-out that was asked for is written to the sign-in record.
    """
    for user_kind in UserKind:
        former = held_session(user_kind)
        if former is not None:
            by = visitor(former.address) if is_asked else None
            write_of_people(
                partial(own_sessions.sign_out, clock=clock(), session_id=former.id, by=by)
            )


_GONE = 410


def come_in(opened: OpenedSession, back: str | None) -> Response:
    """Set the browser's session and redirect to the page it wanted."""
    end_former_sessions()
    sign_in(opened)
    return remember_device(go(safe_path(back) or url_for(".home")), opened.address)


def show_link(token: str) -> Response:
    """Return the page of a mailed link; only its button signs in, so no mail scanner uses it up."""
    at = portal()
    account = code_sign_in.linked_account(auth_context(), at.user_kind, at.workspace_id, token)
    response = page(
        "portals/link.html",
        account=account,
        token=token,
        form=FlaskForm(),
        is_of_owners=at.user_kind is UserKind.OWNER,
    )
    response.status_code = 200 if account else _GONE
    return response


def use_link(token: str) -> Response:
    """Sign in by the link, once."""
    at = portal()
    account = code_sign_in.linked_account(auth_context(), at.user_kind, at.workspace_id, token)
    opened = account and code_sign_in.sign_in_to_portal_with_link(
        auth_context(),
        at.user_kind,
        at.workspace_id,
        token,
        visitor=visitor(account.address),
        is_known=is_known(at.user_kind),
    )
    return come_in(opened, None) if opened else show_link(token)


def show_code(screen: str) -> Response:
    """Return the page that waits for the code; it can be reloaded."""
    asking = _find_asking_screen(screen)
    if portal().address:
        return go(safe_path(asking.back if asking else None) or url_for(".home"))
    return _render_code_page(asking, PinForm(formdata=None))


def enter(screen: str) -> Response:
    """Try the code."""
    asking, form = _find_asking_screen(screen), PinForm()
    if asking is None or not form.validate():
        return _render_code_page(asking, form, status=UNACCEPTED)
    tried = code_sign_in.sign_in_to_portal(
        auth_context(),
        asking.bound_to,
        read_code(form.pin.data or "") or "",
        visitor=visitor(asking.bound_to.address),
        is_known=is_known(portal().user_kind),
    )
    if tried.opened is None:
        return _render_code_page(asking, form, status=UNACCEPTED, tried=tried)
    forget_screen(screen)
    return come_in(tried.opened, asking.back)


def ask_again(screen: str) -> Response:
    """Mail another code to the same screen."""
    asking = _find_asking_screen(screen)
    if asking is None:
        return _render_code_page(None, PinForm(formdata=None), status=UNACCEPTED)
    wait = request_code(screen, asking.bound_to)
    return go(
        url_for(".code", screen=screen), message=None if wait else message_of_new_code(asking)
    )


def _find_asking_screen(screen: str) -> AskingScreen | None:
    asking = asking_screen(screen, portal().user_kind, clock().now())
    is_here = asking is not None and asking.bound_to.workspace_id == portal().workspace_id
    return asking if is_here else None


def _render_code_page(
    asking: AskingScreen | None,
    form: PinForm,
    *,
    status: int = 200,
    tried: TriedCode | None = None,
) -> Response:
    is_of_owners = portal().user_kind is UserKind.OWNER
    return code_page(
        "portals/code.html", asking, form, status=status, tried=tried, is_of_owners=is_of_owners
    )


OPEN_TO_ALL: Final = frozenset(
    {"sign_in", "ask_for_code", "code", "try_code", "ask_again"}
    | {"sign_in_link", "use_sign_in_link", "sign_out"}
)
"""The endpoints that need no session."""


def add_routes(blueprint: Blueprint) -> None:
    """Add the sign-in pages to a portal."""
    blueprint.get("/sign-in", endpoint="sign_in")(show)
    blueprint.post("/sign-in", endpoint="ask_for_code")(ask)
    blueprint.get("/sign-in/pin/<screen>", endpoint="code")(show_code)
    blueprint.post("/sign-in/pin/<screen>", endpoint="try_code")(enter)
    blueprint.post("/sign-in/pin/<screen>/again", endpoint="ask_again")(ask_again)
    blueprint.get("/sign-in/link/<token>", endpoint="sign_in_link")(show_link)
    blueprint.post("/sign-in/link/<token>", endpoint="use_sign_in_link")(use_link)
    blueprint.post("/sign-out", endpoint="sign_out")(leave)
