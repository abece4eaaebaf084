"""Writes down an enquiry that came by telephone, by mail or at the desk."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.records import unit_record
from pms.enquiries.receive_enquiry import receive_enquiry as receive_enquiry_verb
from pms.rules.enumerations import EnquirySource
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.enquiries.enquiry_form import EnquiryForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/enquiries/new", roles=OFFICE)
def new_enquiry() -> Response:
    """Show the empty form; a unit that was chosen stands in it."""
    given: dict[str, object] = {
        "locale": chosen_language(),
        "source": EnquirySource.PHONE.value,
    }
    unit_id = request.args.get("unitId")
    if unit_id:
        unit = unit_record(reading(), unit_id)
        given |= {"buildingId": unit.building_id, "unit": unit.written.name}
    return _shown(EnquiryForm(data=given))


@dashboard.post("/enquiries", roles=OFFICE)
def receive_enquiry() -> Response:
    """Keep it and show it; an earlier one of the same person stands beside it."""
    form = EnquiryForm(request.form)
    return submitted(
        form,
        act=lambda session: receive_enquiry_verb(
            session, clock(), actor(), enquiry=form.written(session)
        ),
        then=lambda enquiry_id: go(
            url_for("dashboard.enquiry", enquiry_id=enquiry_id), said=_("The enquiry is kept.")
        ),
        again=lambda: _shown(form),
    )


def _shown(form: EnquiryForm) -> Response:
    return page("dashboard/enquiries/new.html", form=form)
