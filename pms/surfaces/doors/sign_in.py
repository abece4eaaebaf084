"""Signing in by address: with a password, or with a PIN that is mailed."""

from datetime import timedelta

from flask import Response, request
from flask_babel import gettext as _

from pms.access.sign_in_with_password import sign_in_with_password
from pms.surfaces.doors import pin
from pms.surfaces.doors.arriving import arrive
from pms.surfaces.doors.sign_in_form import SignInForm
from pms.surfaces.doors.way_back import asked_way_back, go_back
from pms.surfaces.hypermedia import UNACCEPTED, page
from pms.surfaces.signed_in import doorway, signed_in
from pms.surfaces.visitor import visitor
from pms.surfaces.waiting import said_wait


def show() -> Response:
    """The page with address and password; whoever is in already goes on."""
    if signed_in() is not None:
        return go_back(asked_way_back())
    return _page(SignInForm(request.args))


def enter() -> Response:
    """Sign in by password, or have a PIN mailed."""
    form = SignInForm(request.form)
    wants_code = request.form.get("way") == "code"
    if not form.validate():
        return _again(form)
    address = form.email.data or ""
    if wants_code:
        return pin.ask(address, asked_way_back())
    if not form.password.data:
        form.password.errors = [_("Please fill this in, or have a PIN mailed.")]
        return _again(form)
    answer = sign_in_with_password(doorway(), visitor(address), form.password.data)
    if answer.opened is not None:
        return arrive(answer.opened, asked_way_back())
    form.form_errors.append(_refusal(answer.wait))
    return _again(form)


def _refusal(wait: timedelta) -> str:
    if wait:
        told = _(
            "Too many tries. Wait %(wait)s and try again, or have a PIN mailed.",
            wait=said_wait(wait),
        )
    else:
        told = _("Address and password do not belong together. Check both, or have a PIN mailed.")
    return str(told)


def _again(form: SignInForm) -> Response:
    response = _page(form)
    response.status_code = UNACCEPTED
    return response


def _page(form: SignInForm) -> Response:
    return page("doors/sign_in.html", form=form)
