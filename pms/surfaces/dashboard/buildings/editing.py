"""Edits the facts of a building, merged with what somebody else saved meanwhile."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.edit_building import edit_building as edit_building_verb
from pms.catalogue.records import building_record
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.buildings.building_form import BuildingForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page


@dashboard.get("/buildings/<building_id>/facts", roles=OFFICE)
def building_facts(building_id: str) -> Response:
    """Show the facts, ready to be corrected."""
    record = building_record(reading(), building_id)
    return _shown(building_id, Edit.of(BuildingForm.of(record.written), record.version))


@dashboard.post("/buildings/<building_id>/facts", roles=OFFICE)
def edit_building(building_id: str) -> Response:
    """Save the facts."""
    form = BuildingForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = building_record(session, building_id)
        now = Edit.of(BuildingForm.of(record.written), record.version)
        edit.merge(session, now, subject=("building", building_id))
        return edit_building_verb(
            session,
            clock(),
            actor(),
            building_id=building_id,
            version=record.version,
            written=form.written,
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(
            url_for("dashboard.building", building_id=building_id), said=edit.said(_("Saved."))
        ),
        again=lambda: _shown(building_id, edit),
    )


def _shown(building_id: str, edit: Edit) -> Response:
    building = building_record(reading(), building_id)
    return page("dashboard/buildings/edit.html", form=edit.form, edit=edit, building=building)
