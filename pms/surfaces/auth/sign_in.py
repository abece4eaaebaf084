"""Signing in by password or by a mailed code, the list of workspaces, and signing out."""

from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf.csrf import CSRFError

from pms.access import code_sign_in, kept_forms, own_sessions, password_sign_in
from pms.access.code_sign_in import TriedCode
from pms.rules.enumerations import UserKind
from pms.rules.sign_in_codes import read_code
from pms.surfaces.auth.blueprint import blueprint
from pms.surfaces.auth.invitations import arrive, asked_way_back, go_back
from pms.surfaces.auth.openings import may_sign_up
from pms.surfaces.code_screens import (
    AskingScreen,
    asking_screen,
    code_page,
    forget_screen,
    format_wait,
    message_of_new_code,
    open_screen,
    request_code,
)
from pms.surfaces.fields import EmailField, HiddenField, PasswordField, Required
from pms.surfaces.forms import PinForm, QueryForm, mark_unaccepted
from pms.surfaces.hypermedia import UNACCEPTED, go, page, safe_path
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import (
    auth_context,
    held_session,
    sign_out,
    signed_in,
    visitor,
    write_of_people,
)


def ask(typed_address: str, back: str | None) -> Response:
    """Request a code from a new screen; the answer is the same for an unknown address."""
    address = visitor(typed_address).address
    number, bound_to = open_screen(UserKind.STAFF, None, address, safe_path(back))
    request_code(number, bound_to)
    return go(url_for("auth.pin", screen=number))


@blueprint.get("/sign-in/pin/<screen>", endpoint="pin")
def show_pin(screen: str) -> Response:
    """Return the page that waits for the code; it can be reloaded."""
    return _render_pin(asking_screen(screen, UserKind.STAFF, clock().now()), PinForm(formdata=None))


@blueprint.post("/sign-in/pin/<screen>")
def try_pin(screen: str) -> Response:
    """Try the code."""
    asking = asking_screen(screen, UserKind.STAFF, clock().now())
    form = PinForm()
    if asking is None:
        return _render_pin(None, form, status=UNACCEPTED)
    if not form.validate():
        return _render_pin(asking, form, status=UNACCEPTED)
    who, digits = visitor(asking.bound_to.address), read_code(form.pin.data or "") or ""
    tried = code_sign_in.sign_in_staff_with_code(
        auth_context(), who, asking.bound_to.nonce_hash, digits
    )
    if tried.opened is not None:
        forget_screen(screen)
        return arrive(tried.opened, asking.back)
    return _render_pin(asking, form, status=UNACCEPTED, tried=tried)


@blueprint.post("/sign-in/pin/<screen>/again")
def ask_again(screen: str) -> Response:
    """Mail another code to the same screen."""
    asking = asking_screen(screen, UserKind.STAFF, clock().now())
    if asking is None:
        return _render_pin(None, PinForm(formdata=None), status=UNACCEPTED)
    wait = request_code(screen, asking.bound_to)
    return go(
        url_for("auth.pin", screen=screen), message=None if wait else message_of_new_code(asking)
    )


def _render_pin(
    asking: AskingScreen | None,
    form: PinForm,
    *,
    status: int = 200,
    tried: TriedCode | None = None,
) -> Response:
    return code_page("auth/pin.html", asking, form, status=status, tried=tried)


class StaffSignInForm(QueryForm):
    """An address, with a password unless a code is to be mailed."""

    email = EmailField(lazy_gettext("Email address"), [Required()])
    password = PasswordField(lazy_gettext("Password"))
    next = HiddenField()
    kept = HiddenField()


@blueprint.get("/sign-in", endpoint="sign_in")
def show_sign_in() -> Response:
    """Return the page with address and password; a signed-in person is sent on."""
    if signed_in() is not None:
        return go_back(asked_way_back())
    return _render_sign_in(StaffSignInForm(request.args))


@blueprint.post("/sign-in", endpoint="enter")
def submit_sign_in() -> Response:
    """Sign in by password, or mail a code."""
    form = StaffSignInForm()
    wants_code = request.form.get("way") == "code"
    if not form.validate():
        return _show_again(form)
    address = form.email.data or ""
    if wants_code:
        return ask(address, asked_way_back())
    if not form.password.data:
        form.password.errors = [_("Enter your password, or get a code by email.")]
        return _show_again(form)
    answer = password_sign_in.sign_in_with_password(
        auth_context(), visitor(address), form.password.data
    )
    if answer.opened is not None:
        return arrive(answer.opened, asked_way_back())
    if answer.wait:
        message = _(
            "Too many tries. Wait %(wait)s and try again, or get a code by email.",
            wait=format_wait(answer.wait),
        )
    else:
        message = _(
            "The email address or the password is wrong. Check both, or get a code by email."
        )
    form.form_errors.append(str(message))
    return _show_again(form)


def _show_again(form: StaffSignInForm) -> Response:
    return mark_unaccepted(_render_sign_in(form))


def _render_sign_in(form: StaffSignInForm) -> Response:
    return page("auth/sign_in.html", form=form, may_sign_up=may_sign_up())


@blueprint.errorhandler(CSRFError)
def tell_stale(_: CSRFError) -> Response:
    """Answer a stale form."""
    response = page("auth/stale.html")
    response.status_code = 400
    return response


@blueprint.after_request
def keep_private(response: Response) -> Response:
    """Forbid caching of the sign-in pages."""
    response.headers["Cache-Control"] = "no-store"
    return response


_SHOWN = 8


@blueprint.get("/sign-in/kept/<token>", endpoint="kept_text")
def show_kept_text(token: str) -> Response:
    """Return the page with the stored form, ready to be sent."""
    person = signed_in()
    if person is None:
        return go(url_for("auth.sign_in", kept=token))
    with auth_context().reading() as session:
        kept = kept_forms.kept_form(session, clock(), token=token, person_id=person.person_id)
    if kept is None or safe_path(kept.path) is None:
        return go(url_for("auth.workspaces"))
    texts = [text for _, text in kept.fields if text.strip()]
    # If the form is incomplete, its texts are shown to be copied, longest first.
    shown = texts if kept.is_whole else sorted(texts, key=len, reverse=True)
    return page("auth/kept_text.html", kept=kept, texts=shown[:_SHOWN])


@blueprint.get("/workspaces", endpoint="workspaces")
def show_workspaces() -> Response:
    """Redirect to the only workspace, or show a list to choose from."""
    person = signed_in()
    if person is None:
        return go(url_for("auth.sign_in"))
    if len(person.memberships) == 1:
        return go(url_for("dashboard.today", workspace=person.memberships[0].slug))
    return page("auth/workspaces.html", person=person)


_WAITING: Final = "waiting"  # the script of the pages of work writes how many taps wait


@blueprint.post("/sign-out", endpoint="sign_out")
def leave() -> Response:
    """End this session; the answer is the same without one."""
    held = held_session(UserKind.STAFF)
    cookie = request.cookies.get(_WAITING, "")
    waiting = int(cookie) if cookie.isascii() and cookie.isdigit() and len(cookie) < 6 else 0
    if held is not None and waiting and "anyway" not in request.form:
        return mark_unaccepted(page("auth/leaving.html", waiting=waiting))
    if held is not None:
        write_of_people(
            lambda session: own_sessions.sign_out(
                session, clock(), held.id, by=visitor(held.address)
            )
        )
    sign_out()
    response = go(url_for("auth.sign_in"), message=_("You are signed out."))
    # The browser's stored copies of pages and its waiting taps are deleted too.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    response.delete_cookie(_WAITING)
    return response
