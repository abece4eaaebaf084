"""One lead: who applies, with which résumé, what was said, and what becomes of it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, abort

from pms.enquiries.lead_record import lead_record
from pms.enquiries.office_people import office_people
from pms.enquiries.open_resume import open_resume as open_resume_verb
from pms.rules.lead_steps import KEPT_DECLINED_MONTHS, next_lead_states
from pms.surfaces.dashboard.desk import actor, clock, desk, reading
from pms.surfaces.dashboard.downloads import kept_file
from pms.surfaces.dashboard.enquiries.acting_form import ActingForm
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.request_scope import database, files


@dashboard.get("/leads/<lead_id>", roles=OFFICE)
def lead(lead_id: str) -> Response:
    """Show the lead."""
    return shown(lead_id, ActingForm.fresh())


def shown(lead_id: str, form: ActingForm) -> Response:
    """Show the lead with an answer or a note as far as it is typed."""
    record = lead_record(reading(), lead_id)
    form.offer(office_people(reading()), record.lead.assignee_id)
    return page_or_block(
        "dashboard/leads/lead.html",
        "lead",
        record=record,
        one=record.lead,
        form=form,
        steps=next_lead_states(record.lead.state),
        kept_months=KEPT_DECLINED_MONTHS,
    )


@dashboard.post("/leads/<lead_id>/resume", roles=OFFICE)
def open_resume(lead_id: str) -> Response:
    """Hand the résumé out to be saved, never to be shown here; the opening is written down first."""
    kept = database().write(
        desk().workspace_id,
        lambda session: open_resume_verb(session, clock(), actor(), lead_id=lead_id),
    )
    content = files().get(kept.key)
    if content is None:
        abort(404)
    return kept_file(content, kept.media_type, kept.name)
