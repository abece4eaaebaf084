"""Puts somebody on the waitlist."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import building_names
from pms.catalogue.records import unit_record
from pms.enquiries.add_to_waitlist import add_to_waitlist as add_to_waitlist_verb
from pms.enquiries.enquiry_record import enquiry_record
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.waitlist.place_form import PlaceForm
from pms.surfaces.hypermedia import go, page_or_block


@dashboard.get("/waitlist/new", roles=OFFICE)
def new_waitlist_place() -> Response:
    """Show the form, with whoever asked in an enquiry; a unit that was chosen is named above it."""
    given: dict[str, Any] = {"unitId": request.args.get("unitId"), "wantedFrom": today()}
    enquiry_id = request.args.get("enquiryId")
    if enquiry_id:
        given |= _of_enquiry(enquiry_id)
    return _shown(PlaceForm(data=given))


@dashboard.post("/waitlist", roles=OFFICE)
def add_to_waitlist() -> Response:
    """Add them and show the waitlist."""
    form = PlaceForm(request.form)
    form.offer(building_names(reading()))
    return submitted(
        form,
        act=lambda session: add_to_waitlist_verb(session, clock(), actor(), wanted=form.wanted),
        then=lambda _id: go(
            url_for("dashboard.waitlist"),
            said=_("%(name)s is on the waitlist.", name=form.name.data),
        ),
        again=lambda: _shown(form),
    )


def _of_enquiry(enquiry_id: str) -> dict[str, Any]:
    one = enquiry_record(reading(), enquiry_id).enquiry
    return {
        "unitId": one.unit_id,
        "buildingId": one.building_id,
        "wantedFrom": max(one.move_in_on or today(), today()),
        "name": one.name,
        "email": one.email,
        "phone": one.phone,
    }


def _shown(form: PlaceForm) -> Response:
    form.offer(building_names(reading()))
    unit = unit_record(reading(), form.unitId.data) if form.unitId.data else None
    return page_or_block("dashboard/waitlist/new.html", "adding", form=form, unit=unit)
