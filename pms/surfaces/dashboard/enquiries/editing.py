"""Corrects what is written of an enquiry."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.enquiries.edit_enquiry import edit_enquiry as edit_enquiry_verb
from pms.enquiries.enquiry_record import enquiry_record
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.enquiries.enquiry_form import EnquiryForm
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page


@dashboard.get("/enquiries/<enquiry_id>/facts", roles=OFFICE)
def enquiry_facts(enquiry_id: str) -> Response:
    """Show the facts, ready to be corrected."""
    record = enquiry_record(reading(), enquiry_id)
    return _editing(enquiry_id, Edit.of(EnquiryForm.of(record), record.version))


@dashboard.post("/enquiries/<enquiry_id>/facts", roles=OFFICE)
def edit_enquiry(enquiry_id: str) -> Response:
    """Save the facts, merged with what somebody else saved meanwhile."""
    enquiry_record(reading(), enquiry_id)
    form = EnquiryForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = enquiry_record(session, enquiry_id)
        edit.merge(
            session,
            Edit.of(EnquiryForm.of(record), record.version),
            subject=("enquiry", enquiry_id),
            columns={"unit": "unit_id", "moveInDate": "move_in_on"},
        )
        return edit_enquiry_verb(
            session,
            clock(),
            actor(),
            enquiry_id=enquiry_id,
            version=record.version,
            written=form.written(session),
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(
            url_for("dashboard.enquiry", enquiry_id=enquiry_id), said=edit.said(_("Saved."))
        ),
        again=lambda: _editing(enquiry_id, edit),
    )


def _editing(enquiry_id: str, edit: Edit) -> Response:
    record = enquiry_record(reading(), enquiry_id)
    return page("dashboard/enquiries/edit.html", form=edit.form, edit=edit, record=record)
