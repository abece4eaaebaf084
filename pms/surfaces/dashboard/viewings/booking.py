"""Books a viewing, with what is known of the unit beside the form."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from datetime import time
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.records import unit_record
from pms.enquiries.book_viewing import book_viewing as book_viewing_verb
from pms.enquiries.enquiry_record import enquiry_record
from pms.foundation.files import Files
from pms.rules.days import ONE_DAY, read_day, readable
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted, today
from pms.surfaces.dashboard.viewings.shown_unit import shown_unit
from pms.surfaces.dashboard.viewings.viewing_form import ViewingForm
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import database

_USUAL_TIME: Final = time(14, 0)
_USUAL_MINUTES: Final = 30


@dashboard.get("/viewings/new", roles=OFFICE)
def new_viewing() -> Response:
    """Show the form, filled in from the enquiry or the unit it comes from."""
    if request.args.get("part") == "unit":
        return _shown(ViewingForm(request.args), "unit")
    given: dict[str, Any] = {
        "onDay": readable(read_day(request.args.get("onDay"))) or today() + ONE_DAY,
        "atTime": _USUAL_TIME,
        "minutes": _USUAL_MINUTES,
        "hostId": desk().person_id,
        "locale": chosen_language(),
    }
    enquiry_id, unit_id = request.args.get("enquiryId"), request.args.get("unitId")
    if enquiry_id:
        given |= _of_enquiry(enquiry_id)
    if unit_id:
        unit = unit_record(reading(), unit_id)
        given |= {"buildingId": unit.building_id, "unit": unit.written.name}
    return _shown(ViewingForm(data=given))


@dashboard.post("/viewings", roles=OFFICE)
def book_viewing() -> Response:
    """Book it; the visitor is told by mail where there is an address."""
    form = ViewingForm(request.form)
    return submitted(
        form,
        act=lambda session: book_viewing_verb(
            session,
            clock(),
            actor(),
            Files(database().settings),
            wanted=form.wanted(session),
            may_overlap=form.mayOverlap.data,
        ),
        then=lambda viewing_id: go(
            url_for("dashboard.viewing", viewing_id=viewing_id),
            said=_("The viewing is booked. The visitor is mailed.")
            if form.email.data
            else _("The viewing is booked. No mail leaves."),
        ),
        again=lambda: _shown(form),
    )


def _of_enquiry(enquiry_id: str) -> dict[str, Any]:
    one = enquiry_record(reading(), enquiry_id).enquiry
    return {
        "enquiryId": one.id,
        "buildingId": one.building_id,
        "unit": one.unit_name,
        "name": one.name,
        "email": one.email,
        "phone": one.phone,
        "locale": one.locale,
    }


def _shown(form: ViewingForm, block: str = "booking") -> Response:
    unit_id = form.chosen_unit(reading())
    unit = shown_unit(unit_id) if unit_id else None
    return page_or_block("dashboard/viewings/new.html", block, form=form, unit=unit)
