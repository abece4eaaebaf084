"""Signing in by password, or by a mailed PIN."""

from datetime import timedelta

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from pms.access import code_sign_in, mailed_codes, passwords
from pms.access.code_sign_in import TriedCode
from pms.access.mailed_codes import Screen
from pms.rules.enumerations import Door
from pms.rules.sign_in_codes import read_code
from pms.surfaces.auth.blueprint import blueprint
from pms.surfaces.auth.invitations import arrive, asked_way_back, go_back
from pms.surfaces.auth.openings import may_sign_up
from pms.surfaces.code_screens import (
    AskingScreen,
    asking_screen,
    code_page,
    forget_screen,
    note_asked,
    open_screen,
    sent_again,
)
from pms.surfaces.fields import EmailField, HiddenField, PasswordField, PinForm, Required
from pms.surfaces.forms import QueryForm
from pms.surfaces.hypermedia import UNACCEPTED, go, page, safe_path
from pms.surfaces.labels.sign_in_codes import format_wait
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import doorway, signed_in, write_of_people
from pms.surfaces.visitor import visitor


def ask(typed_address: str, back: str | None) -> Response:
    """Request a PIN from a new screen; the answer is the same for an unknown address."""
    address = visitor(typed_address).address
    number, bound_to = open_screen(Door.STAFF, None, address, safe_path(back))
    _request(number, bound_to)
    return go(url_for("auth.pin", screen=number))


@blueprint.get("/sign-in/pin/<screen>", endpoint="pin")
def show_pin(screen: str) -> Response:
    """Return the page that waits for the PIN; it can be reloaded."""
    return _render_pin(asking_screen(screen, Door.STAFF, clock().now()), PinForm(formdata=None))


@blueprint.post("/sign-in/pin/<screen>")
def try_pin(screen: str) -> Response:
    """Try the PIN."""
    asking = asking_screen(screen, Door.STAFF, clock().now())
    form = PinForm()
    if asking is None:
        return _render_pin(None, form, status=UNACCEPTED)
    if not form.validate():
        return _render_pin(asking, form, status=UNACCEPTED)
    who, digits = visitor(asking.bound_to.address), read_code(form.pin.data or "") or ""
    tried = code_sign_in.sign_in_staff_with_code(doorway(), who, asking.bound_to.nonce_hash, digits)
    if tried.opened is not None:
        forget_screen(screen)
        return arrive(tried.opened, asking.back)
    return _render_pin(asking, form, status=UNACCEPTED, tried=tried)


@blueprint.post("/sign-in/pin/<screen>/again")
def ask_again(screen: str) -> Response:
    """Mail another PIN to the same screen."""
    asking = asking_screen(screen, Door.STAFF, clock().now())
    if asking is None:
        return _render_pin(None, PinForm(formdata=None), status=UNACCEPTED)
    wait = _request(screen, asking.bound_to)
    return go(url_for("auth.pin", screen=screen), message=None if wait else sent_again(asking))


def _request(number: str, bound_to: Screen) -> timedelta:
    asked = write_of_people(
        lambda session: mailed_codes.request_code(
            session, clock(), bound_to, visitor=visitor(bound_to.address), locale=chosen_language()
        )
    )
    again_at = asked.asked_at + asked.wait if asked.wait else None
    note_asked(number, asked.asked_at, again_at)
    return asked.wait


def _render_pin(
    asking: AskingScreen | None,
    form: PinForm,
    *,
    status: int = 200,
    tried: TriedCode | None = None,
) -> Response:
    return code_page("auth/pin.html", asking, form, status=status, tried=tried)


class SignInForm(QueryForm):
    """An address, with a password unless a PIN is to be mailed."""

    email = EmailField(lazy_gettext("Email address"), [Required()])
    password = PasswordField(lazy_gettext("Password"))
    next = HiddenField()
    kept = HiddenField()


@blueprint.get("/sign-in", endpoint="sign_in")
def show_sign_in() -> Response:
    """Return the page with address and password; a signed-in person is sent on."""
    if signed_in() is not None:
        return go_back(asked_way_back())
    return _render_sign_in(SignInForm(request.args))


@blueprint.post("/sign-in", endpoint="enter")
def submit_sign_in() -> Response:
    """Sign in by password, or mail a PIN."""
    form = SignInForm()
    wants_code = request.form.get("way") == "code"
    if not form.validate():
        return _again(form)
    address = form.email.data or ""
    if wants_code:
        return ask(address, asked_way_back())
    if not form.password.data:
        form.password.errors = [_("Enter your password, or get a PIN by email.")]
        return _again(form)
    answer = passwords.sign_in_with_password(doorway(), visitor(address), form.password.data)
    if answer.opened is not None:
        return arrive(answer.opened, asked_way_back())
    form.form_errors.append(_refusal(answer.wait))
    return _again(form)


def _refusal(wait: timedelta) -> str:
    if wait:
        message = _(
            "Too many tries. Wait %(wait)s and try again, or get a PIN by email.",
            wait=format_wait(wait),
        )
    else:
        message = _(
            "The email address or the password is wrong. Check both, or get a PIN by email."
        )
    return str(message)


def _again(form: SignInForm) -> Response:
    response = _render_sign_in(form)
    response.status_code = UNACCEPTED
    return response


def _render_sign_in(form: SignInForm) -> Response:
    return page("auth/sign_in.html", form=form, may_sign_up=may_sign_up())
