"""The second factor, asked of those who set one up, after password or PIN."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.check_second_factor import check_second_factor
from pms.access.find_session import FoundSession
from pms.rules.enumerations import Door
from pms.surfaces.doors.arriving import arrive
from pms.surfaces.doors.factor_form import FactorForm
from pms.surfaces.doors.way_back import remembered_way_back
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.signed_in import doorway, held_session
from pms.surfaces.visitor import visitor
from pms.surfaces.waiting import said_wait


def show() -> Response:
    """The page that waits for the digits of the app."""
    if _waiting() is None:
        return go(url_for("doors.sign_in"))
    return page("doors/second_factor.html", form=FactorForm())


def enter() -> Response:
    """Try the digits, or a recovery code."""
    waiting, form = _waiting(), FactorForm(request.form)
    if waiting is None:
        return go(url_for("doors.sign_in"))
    if form.validate():
        answer = check_second_factor(
            doorway(), visitor(waiting.address), waiting.id, form.code.data or ""
        )
        if answer.opened is not None:
            return arrive(answer.opened, remembered_way_back())
        form.code.errors = [
            _("Too many tries. Wait %(wait)s and try again.", wait=said_wait(answer.wait))
            if answer.wait
            else _("These are not the digits the app shows now. Each works once.")
        ]
    response = page("doors/second_factor.html", form=form)
    response.status_code = UNACCEPTED
    return response


def _waiting() -> FoundSession | None:
    found = held_session(Door.STAFF)
    return found if found is not None and found.waits_for_factor else None
