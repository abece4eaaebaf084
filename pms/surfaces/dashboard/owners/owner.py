"""One owner: how they are reached, what they own, whether they reach their portal."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.edit_owner import edit_owner as edit_owner_verb
from pms.catalogue.lists import buildings_owned
from pms.catalogue.records import owner_record
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.owners.owner_form import OwnerForm
from pms.surfaces.hypermedia import go, page


@dashboard.get("/owners/<owner_id>", roles=OFFICE)
def owner(owner_id: str) -> Response:
    """Show the owner."""
    owner = owner_record(reading(), owner_id)
    return page(
        "dashboard/owners/owner.html",
        owner=owner,
        buildings=buildings_owned(reading(), [owner_id]).get(owner_id, ()),
    )


@dashboard.get("/owners/<owner_id>/facts", roles=OFFICE)
def owner_facts(owner_id: str) -> Response:
    """Show the facts, ready to be corrected."""
    record = owner_record(reading(), owner_id)
    return _editing(owner_id, Edit.of(OwnerForm.of(record.written), record.version))


@dashboard.post("/owners/<owner_id>/facts", roles=OFFICE)
def edit_owner(owner_id: str) -> Response:
    """Save the facts, merged with what somebody else saved meanwhile."""
    form = OwnerForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = owner_record(session, owner_id)
        now = Edit.of(OwnerForm.of(record.written), record.version)
        edit.merge(session, now, subject=("owner", owner_id))
        return edit_owner_verb(
            session,
            clock(),
            actor(),
            owner_id=owner_id,
            version=record.version,
            written=form.written,
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(
            url_for("dashboard.owner", owner_id=owner_id), said=edit.said(_("Saved."))
        ),
        again=lambda: _editing(owner_id, edit),
    )


def _editing(owner_id: str, edit: Edit) -> Response:
    owner = owner_record(reading(), owner_id)
    return page("dashboard/owners/edit.html", form=edit.form, edit=edit, owner=owner)
