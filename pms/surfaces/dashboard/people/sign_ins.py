"""The record of sign-ins as operators read it: of the members, and of addresses at the portals."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Final

from flask import Flask, Response, request

from pms.access.sign_in_events import (
    Account,
    EventPage,
    ShownEvent,
    portal_events,
    staff_events,
)
from pms.foundation.paging import Paging
from pms.rules.addresses import folded_address
from pms.rules.enumerations import Door
from pms.surfaces.dashboard.desk import clock, desk, may, reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.people.sign_ins_form import SignInsForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block

_LATEST: Final = 5


@dashboard.get("/people/sign-ins", roles=OPERATOR)
def people_sign_ins() -> Response:
    """Show one page of what happened to the accounts of the members."""
    form = SignInsForm(request.args)
    is_sound, paging = form.validate(), asked_paging()
    found = staff_events(reading(), clock(), paging, **form.asked()) if is_sound else _NONE
    response = page_or_block(
        "dashboard/people/sign_ins.html",
        "results",
        form=form,
        sign_ins=found,
        paging=paging,
        is_filtered=any(field.data for field in form),
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def install(app: Flask) -> None:
    """Give templates what happened lately to an address at a portal."""
    app.jinja_env.globals["portal_sign_ins"] = _portal_sign_ins


def _portal_sign_ins(door: str, email: str | None) -> list[ShownEvent]:
    if not email or not may("people_sign_ins"):
        return []
    account = Account(Door(door), desk().workspace_id, folded_address(email))
    return list(portal_events(reading(), account, Paging(1, _LATEST)).events)


_NONE: Final = EventPage((), 0)
