"""The figures of the law that the workspace sets for itself."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.settings.policy_form import PolicyForm
from pms.surfaces.hypermedia import go, page
from pms.workspaces.set_policy import set_policy as set_policy_verb
from pms.workspaces.settings_record import settings_record


@dashboard.get("/settings/figures", roles=OPERATOR)
def policy() -> Response:
    """Show the figures."""
    record = settings_record(reading())
    return _shown(Edit.of(PolicyForm.of(record.policy), record.policy_version))


@dashboard.post("/settings/figures", roles=OPERATOR)
def set_policy() -> Response:
    """Write the figures; what was issued and filed before keeps its own."""
    form = PolicyForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: Any) -> object:
        record = settings_record(session)
        now = Edit.of(PolicyForm.of(record.policy), record.policy_version)
        typed.merge(session, now, subject=("workspace", desk().workspace_id))
        return set_policy_verb(session, clock(), actor(), **form.figures)

    return submitted(
        form,
        act,
        then=lambda _row: go(url_for("dashboard.policy"), said=typed.said(_("Saved."))),
        again=lambda: _shown(typed),
    )


def _shown(edit: Edit) -> Response:
    return page("dashboard/settings/policy.html", form=edit.form, edit=edit)
