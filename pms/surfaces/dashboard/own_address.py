"""The page on which a member of staff changes the address they sign in with."""

from typing import Final

from flask import Response, session, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext

from pms.access import address_changes, own_sessions, passwords
from pms.access.code_sign_in import TriedCode
from pms.rules.enumerations import UserKind
from pms.rules.sign_in_codes import CodeAnswer, read_code
from pms.surfaces.code_screens import (
    AskingScreen,
    asking_screen,
    code_page,
    forget_screen,
    open_screen,
)
from pms.surfaces.dashboard.gate import EVERYBODY, current_member, dashboard
from pms.surfaces.dashboard.me import ProofForm, answer_form, own_session
from pms.surfaces.fields import EmailField, Required
from pms.surfaces.forms import PinForm
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock
from pms.surfaces.signed_in import auth_context, remember_device, visitor

_SCREEN: Final = "new_address"
"""Names the screen that waits for the code, in the browser's session."""


class NewAddressForm(ProofForm):
    """A new address, and the current password unless a mailed code proved who is there."""

    email = EmailField(lazy_gettext("New email address"), [Required()])


@dashboard.get("/me/address", roles=EVERYBODY, is_secret=True)
def own_address() -> Response:
    """Show the form for a new address."""
    return _render_address(NewAddressForm(formdata=None))


@dashboard.post("/me/address", roles=EVERYBODY)
def ask_for_address() -> Response:
    """Mail a code to the new address; the answer is the same for one that has an account."""
    form = NewAddressForm()
    return answer_form(
        form,
        act=lambda: _ask_for_code(form),
        then=lambda __: go(url_for("dashboard.address_code")),
        again=lambda: _render_address(form),
    )


@dashboard.get("/me/address/code", roles=EVERYBODY, is_secret=True)
def address_code() -> Response:
    """Show the page that waits for the code from the new address."""
    asking = _find_screen()
    if asking is None:
        return go(url_for("dashboard.own_address"))
    return _render_code(asking, PinForm(formdata=None))


@dashboard.post("/me/address/code", roles=EVERYBODY)
def change_address() -> Response:
    """Change the address and end all other sessions."""
    asking, form = _find_screen(), PinForm()
    if asking is None:
        return go(url_for("dashboard.own_address"))
    if not form.validate():
        return _render_code(asking, form, status=UNACCEPTED)
    held, digits = own_session(), read_code(form.pin.data or "") or ""
    answer = address_changes.change_address(
        auth_context(), held, asking.bound_to, digits, by=visitor(held.address)
    )
    if answer is not CodeAnswer.OPENS:
        return _render_code(asking, form, status=UNACCEPTED, tried=TriedCode(answer))
    forget_screen(asking.number)
    address = asking.bound_to.address
    message = _(
        "You now sign in with %(address)s. All other devices have been signed out.",
        address=address,
    )
    return remember_device(go(url_for("dashboard.me"), message=message), address)


def _ask_for_code(form: NewAddressForm) -> None:
    held = own_session()
    address = address_changes.check_new_address(held, form.email.data or "")
    number, opened = open_screen(UserKind.STAFF, None, address, None)
    address_changes.ask_for_new_address(
        auth_context(),
        held,
        opened._replace(asker_hash="", person_id=held.person_id),
        current=form.currentPassword.data,
        by=visitor(held.address),
        locale=chosen_language(),
    )
    session[_SCREEN] = number


def _find_screen() -> AskingScreen | None:
    """Return the screen of this browser that waits for a code, bound to the person signed in."""
    found = asking_screen(session.get(_SCREEN, ""), UserKind.STAFF, clock().now())
    if found is None:
        return None
    bound_to = found.bound_to._replace(asker_hash="", person_id=own_session().person_id)
    return found._replace(bound_to=bound_to)


def _render_address(form: NewAddressForm) -> Response:
    with auth_context().reading() as opened:
        own = own_sessions.sign_in_means(opened, current_member().person_id)
    wants_current = passwords.needs_current(own_session(), auth_context().clock)
    return page("dashboard/me/address.html", form=form, own=own, wants_current=wants_current)


def _render_code(
    asking: AskingScreen,
    form: PinForm,
    *,
    status: int = 200,
    tried: TriedCode | None = None,
) -> Response:
    return code_page("dashboard/me/address_code.html", asking, form, status=status, tried=tried)
