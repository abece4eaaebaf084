"""Changing one's own password; soon after a mailed PIN, without the one that was forgotten."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.change_password import change_password as change_password_verb, needs_current
from pms.access.find_session import FoundSession
from pms.foundation.errors import Unauthenticated
from pms.rules.enumerations import Door
from pms.surfaces.dashboard.me.acting import acted
from pms.surfaces.dashboard.me.own_form import PasswordForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import doorway, held_session
from pms.surfaces.visitor import visitor


@dashboard.get("/me/password", roles=EVERYBODY)
def password() -> Response:
    """Show the form."""
    return _page(PasswordForm())


@dashboard.post("/me/password", roles=EVERYBODY)
def change_password() -> Response:
    """Set the new password and end all other sessions."""
    form = PasswordForm(request.form)
    return acted(
        form,
        act=lambda: change_password_verb(
            doorway(),
            _held(),
            current=form.currentPassword.data,
            new=form.newPassword.data or "",
            by=visitor(_held().address),
        ),
        then=lambda __: go(
            url_for("dashboard.me"),
            said=_("The password is changed, and all other devices are signed out."),
        ),
        again=lambda: _page(form),
    )


def _held() -> FoundSession:
    held = held_session(Door.STAFF)
    if held is None:
        raise Unauthenticated("Nobody is signed in.")
    return held


def _page(form: PasswordForm) -> Response:
    wants_current = needs_current(_held(), doorway().clock)
    return page("dashboard/me/password.html", form=form, wants_current=wants_current)
