"""The workspace's own words: names, language, colour, papers."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.settings.workspace_form import WorkspaceForm
from pms.surfaces.hypermedia import go, page
from pms.workspaces.describe_workspace import describe_workspace as describe_workspace_verb
from pms.workspaces.settings_record import settings_record


@dashboard.get("/settings", roles=OPERATOR)
def settings() -> Response:
    """Show what the workspace says of itself."""
    record = settings_record(reading())
    return _shown(Edit.of(WorkspaceForm.of(record), record.version))


@dashboard.post("/settings", roles=OPERATOR)
def describe_workspace() -> Response:
    """Write it anew."""
    form = WorkspaceForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: Any) -> object:
        record = settings_record(session)
        now = Edit.of(WorkspaceForm.of(record), record.version)
        typed.merge(session, now, subject=("workspace", desk().workspace_id))
        return describe_workspace_verb(
            session, clock(), actor(), expected_version=record.version, **form.facts
        )

    return submitted(
        form,
        act,
        then=lambda _row: go(url_for("dashboard.settings"), said=typed.said(_("Saved."))),
        again=lambda: _shown(typed),
    )


def _shown(edit: Edit) -> Response:
    return page("dashboard/settings/workspace.html", form=edit.form, edit=edit)
