"""The address at which others read a unit's calendar: made, renewed, ended."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue.end_unit_calendar import end_unit_calendar as end_unit_calendar_verb
from pms.catalogue.make_unit_calendar import make_unit_calendar as make_unit_calendar_verb
from pms.catalogue.unit_calendar import given_calendar
from pms.surfaces.dashboard.calendars.of_unit import home
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.units.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.post("/units/<unit_id>/calendar-address", roles=OFFICE)
def make_unit_calendar(unit_id: str) -> Response:
    """Make the address, or another one in its place."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: make_unit_calendar_verb(session, clock(), actor(), unit_id=unit_id),
        then=lambda _none: go(
            home(unit_id), said=_("The address is made. Copy it to the channel.")
        ),
        again=lambda: go(home(unit_id)),
    )


@dashboard.get("/units/<unit_id>/calendar-address/renewal", roles=OFFICE)
def unit_calendar_renewal(unit_id: str) -> Response:
    """Show what another address means."""
    return _confirming(
        unit_id,
        question=_("Make a new address?"),
        consequence=_("The present address opens nothing any more. Give the new one to everyone."),
        text=_("Make a new address"),
        action=url_for("dashboard.make_unit_calendar", unit_id=unit_id),
    )


@dashboard.get("/units/<unit_id>/calendar-address/end", roles=OFFICE)
def unit_calendar_end(unit_id: str) -> Response:
    """Show what the end of the address means."""
    return _confirming(
        unit_id,
        question=_("End the address of this calendar?"),
        consequence=_("Whoever reads it finds nothing from then on; channels may show free days."),
        text=_("End the address"),
        action=url_for("dashboard.end_unit_calendar", unit_id=unit_id),
    )


@dashboard.post("/units/<unit_id>/calendar-address/end", roles=OFFICE)
def end_unit_calendar(unit_id: str) -> Response:
    """End the address."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: end_unit_calendar_verb(session, clock(), actor(), unit_id=unit_id),
        then=lambda _none: go(home(unit_id), said=_("The address opens nothing any more.")),
        again=lambda: go(home(unit_id)),
    )


def _confirming(
    unit_id: str, *, question: str, consequence: str, text: str, action: str
) -> Response:
    return framed(
        unit_id,
        "dashboard/calendars/confirm_address.html",
        tab="unit_calendars",
        given=given_calendar(reading(), unit_id),
        back=home(unit_id),
        question=question,
        consequence=consequence,
        text=text,
        action=action,
    )
