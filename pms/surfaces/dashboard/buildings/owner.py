"""Names who owns a building."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.catalogue.lists import owner_choices
from pms.catalogue.name_building_owner import name_building_owner as name_building_owner_verb
from pms.catalogue.records import building_record
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.hypermedia import go, page


class OwnerForm(Form):
    """One of the owners, or nobody yet."""

    owner = ChoiceField(lazy_gettext("Owner"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(one.id, one.name) for one in owner_choices(reading())]
        self.owner.choices = [("", lazy_gettext("Nobody named")), *named]


@dashboard.get("/buildings/<building_id>/owner", roles=OFFICE)
def building_owner(building_id: str) -> Response:
    """Show who owns the building, ready to be changed."""
    record = building_record(reading(), building_id)
    form = OwnerForm(data={"owner": record.owner_id})
    return _shown(building_id, Edit.of(form, record.version))


@dashboard.post("/buildings/<building_id>/owner", roles=OFFICE)
def name_building_owner(building_id: str) -> Response:
    """Give the building its owner."""
    form = OwnerForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = building_record(session, building_id)
        now = Edit.of(OwnerForm(data={"owner": record.owner_id}), record.version)
        edit.merge(session, now, subject=("building", building_id), columns={"owner": "owner_id"})
        return name_building_owner_verb(
            session,
            clock(),
            actor(),
            building_id=building_id,
            owner_id=form.owner.data,
            version=record.version,
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
    return page("dashboard/buildings/owner.html", form=edit.form, edit=edit, building=building)
