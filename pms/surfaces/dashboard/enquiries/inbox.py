"""The enquiries: who asked, for what, and what is to be done."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request

from pms.availability.unit_labels import unit_labels
from pms.catalogue.building_names import building_names
from pms.enquiries.enquiry_list import (
    EnquirySearch,
    FoundEnquiries,
    count_enquiries,
    list_enquiries,
)
from pms.enquiries.office_people import office_people
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.enquiries.inbox_form import InboxForm
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block


@dashboard.get("/enquiries", roles=OFFICE)
def enquiries() -> Response:
    """Show one page of the enquiries, each with the label of the unit it is about."""
    form, paging = InboxForm(request.args), asked_paging()
    form.offer(office_people(reading()), building_names(reading()))
    is_sound = form.validate()
    search = form.wanted if is_sound else EnquirySearch()
    found = list_enquiries(reading(), search, paging) if is_sound else FoundEnquiries([], 0)
    unit_ids = sorted({one.unit_id for one in found.enquiries if one.unit_id})
    response = page_or_block(
        "dashboard/enquiries/inbox.html",
        "results",
        form=form,
        found=found,
        counts=count_enquiries(reading()),
        labels=unit_labels(reading(), unit_ids, today()),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
