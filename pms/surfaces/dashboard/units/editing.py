"""Edits the facts of a unit, merged with what somebody else saved meanwhile."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.edit_unit import edit_unit as edit_unit_verb
from pms.catalogue.records import unit_record
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.units.unit_form import UnitForm
from pms.surfaces.hypermedia import go, page

_COLUMNS = {"sizeSqm": "size_centi_sqm"}


@dashboard.get("/units/<unit_id>/facts", roles=OFFICE)
def unit_facts(unit_id: str) -> Response:
    """Show the facts, ready to be corrected."""
    record = unit_record(reading(), unit_id)
    return _shown(unit_id, Edit.of(UnitForm.of(record.written), record.version))


@dashboard.post("/units/<unit_id>/facts", roles=OFFICE)
def edit_unit(unit_id: str) -> Response:
    """Save the facts."""
    form = UnitForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = unit_record(session, unit_id)
        now = Edit.of(UnitForm.of(record.written), record.version)
        edit.merge(session, now, subject=("unit", unit_id), columns=_COLUMNS)
        return edit_unit_verb(
            session,
            clock(),
            actor(),
            unit_id=unit_id,
            version=record.version,
            written=form.written,
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(
            url_for("dashboard.unit", unit_id=unit_id), said=edit.said(_("Saved."))
        ),
        again=lambda: _shown(unit_id, edit),
    )


def _shown(unit_id: str, edit: Edit) -> Response:
    unit = unit_record(reading(), unit_id)
    return page("dashboard/units/edit.html", form=edit.form, edit=edit, unit=unit)
