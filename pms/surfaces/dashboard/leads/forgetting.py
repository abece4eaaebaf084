"""Deletes a lead with everything it sent, after a look at what exactly goes."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.enquiries.forget_lead import forget_lead as forget_lead_verb
from pms.enquiries.lead_record import lead_record
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import files


@dashboard.get("/leads/<lead_id>/forgetting", roles=OFFICE)
def check_forgetting(lead_id: str) -> Response:
    """Show what would go."""
    return _shown(lead_id, Form())


@dashboard.post("/leads/<lead_id>/forgetting", roles=OFFICE)
def forget_lead(lead_id: str) -> Response:
    """Delete it and go back to the others."""
    form = Form()
    return submitted(
        form,
        act=lambda session: forget_lead_verb(session, clock(), actor(), files(), lead_id=lead_id),
        then=lambda _none: go(url_for("dashboard.leads"), said=_("The lead is deleted.")),
        again=lambda: _shown(lead_id, form),
    )


def _shown(lead_id: str, form: Form) -> Response:
    record = lead_record(reading(), lead_id)
    return page("dashboard/leads/forgetting.html", record=record, one=record.lead, form=form)
