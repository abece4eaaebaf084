"""How the assistant is set: whether it answers, by what, and what it may cost."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import IntegrationKind
from pms.site.assistant_figures import assistant_figures
from pms.site.set_assistant import set_assistant as set_assistant_verb
from pms.surfaces.dashboard.assistant.figures_form import FiguresForm
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page
from pms.workspaces.integrations import integrations

_UNSET = 0


@dashboard.get("/assistant/settings", roles=OPERATOR)
def assistant_settings() -> Response:
    """Show how it is set, the defaults before it is."""
    now = assistant_figures(reading())
    return _shown(Edit.of(FiguresForm.of(now), now.version or _UNSET))


@dashboard.post("/assistant/settings", roles=OPERATOR)
def set_assistant() -> Response:
    """Set it, merged with what somebody else set meanwhile."""
    form = FiguresForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> object:
        now = assistant_figures(session)
        current = Edit.of(FiguresForm.of(now), now.version or _UNSET)
        typed.merge(session, current, subject=("workspace", desk().workspace_id))
        return set_assistant_verb(
            session, clock(), actor(), stated=form.stated, expected_version=now.version
        )

    return submitted(
        form,
        act,
        then=lambda _row: go(url_for("dashboard.assistant"), said=typed.said(_("Saved."))),
        again=lambda: _shown(typed),
    )


def _shown(edit: Edit) -> Response:
    model = integrations(reading()).get(IntegrationKind.ASSISTANT)
    return page("dashboard/assistant/settings.html", form=edit.form, edit=edit, model=model)
