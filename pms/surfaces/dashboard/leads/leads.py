"""The leads: who applies for what, and what is to be done."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request

from pms.enquiries.lead_list import (
    FoundLeads,
    count_leads,
    list_leads,
    positions_applied_for,
)
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.leads.leads_form import LeadsForm
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block


@dashboard.get("/leads", roles=OFFICE)
def leads() -> Response:
    """Show one page of the leads."""
    form, paging = LeadsForm(request.args), asked_paging()
    form.offer(positions_applied_for(reading()))
    is_sound = form.validate()
    found = list_leads(reading(), form.wanted, paging) if is_sound else FoundLeads([], 0)
    response = page_or_block(
        "dashboard/leads/leads.html",
        "results",
        form=form,
        found=found,
        counts=count_leads(reading()),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
