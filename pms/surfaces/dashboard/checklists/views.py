"""The checklists on screens: one list for every kind of task, and those of buildings."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.foundation.errors import NotFound
from pms.rules.enumerations import TaskKind
from pms.surfaces.dashboard.checklists.checklist_form import ChecklistForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.upkeep.checklists import checklist_record, listed_checklists
from pms.upkeep.remove_checklist import remove_checklist as remove_checklist_verb
from pms.upkeep.write_checklist import write_checklist as write_checklist_verb


@dashboard.get("/checklists", roles=OFFICE)
def checklists() -> Response:
    """Show what tasks of each kind begin with, and which buildings have their own list."""
    return page("dashboard/checklists/index.html", checklists=listed_checklists(reading()))


@dashboard.get("/checklist", roles=OFFICE)
def checklist() -> Response:
    """Show one checklist to edit it; the turnover's when no kind is named."""
    record = checklist_record(reading(), _kind(), _building_id())
    return _shown(Edit.of(ChecklistForm.of(record.points), record.version))


@dashboard.post("/checklist", roles=OFFICE)
def write_checklist() -> Response:
    """Write the list; a press on a step shows it as it would be, and writes nothing."""
    form = ChecklistForm(request.form)
    edit = Edit.typed(form, request.form)
    if form.points.take_step(request.form.get("step", "")):
        return _shown(edit)
    kind, building_id = _kind(), _building_id()

    def act(session: Any) -> int:
        record = checklist_record(session, kind, building_id)
        now = Edit.of(ChecklistForm.of(record.points), record.version)
        edit.merge(session, now, subject=("checklist_template", record.id))
        return write_checklist_verb(
            session,
            clock(),
            actor(),
            kind=kind,
            building_id=building_id,
            points=form.written,
            version=record.version,
        )

    return submitted(
        form,
        act,
        then=lambda _version: go(url_for("dashboard.checklists"), said=edit.said(_("Saved."))),
        again=lambda: _shown(edit),
    )


@dashboard.post("/checklist/removal", roles=OFFICE)
def remove_checklist() -> Response:
    """Take a list back: the one above it counts again."""
    kind, building_id = _kind(), _building_id()
    return submitted(
        Form(),
        act=lambda session: remove_checklist_verb(
            session, clock(), actor(), kind=kind, building_id=building_id
        ),
        then=lambda _none: go(url_for("dashboard.checklists"), said=_("Taken back.")),
        again=checklist,
    )


def _shown(edit: Edit) -> Response:
    record = checklist_record(reading(), _kind(), _building_id())
    return page_or_block(
        "dashboard/checklists/checklist.html",
        "points",
        checklist=record,
        edit=edit,
        form=edit.form,
        buildings=[] if record.building_id else building_names(reading()),
    )


def _kind() -> TaskKind:
    asked = request.values.get("kind") or TaskKind.TURNOVER.value
    try:
        return TaskKind(asked)
    except ValueError as unknown:
        raise NotFound("There is no kind of task '{kind}'.", kind=asked[:60]) from unknown


def _building_id() -> str | None:
    return request.values.get("buildingId") or None
