"""Lists the templates, makes one the default, and archives one."""

from pms.surfaces.dashboard.routes import OFFICE, OPERATOR, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.contracts.archive_template import archive_template
from pms.contracts.choose_template import choose_template
from pms.contracts.templates import contract_templates as contract_templates_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.hypermedia import Undo, go, page


@dashboard.get("/contract-templates", roles=OFFICE)
def contract_templates() -> Response:
    """Show the templates and which one is used."""
    return _listed(Form())


@dashboard.post("/contract-templates/<template_id>/default", roles=OPERATOR)
def choose_contract_template(template_id: str) -> Response:
    """Make one the default."""
    form = Form()
    return submitted(
        form,
        act=lambda session: choose_template(session, clock(), actor(), template_id=template_id),
        then=lambda name: go(
            url_for("dashboard.contract_templates"),
            said=_("New contracts are written with %(name)s.", name=name),
        ),
        again=lambda: _listed(form),
    )


@dashboard.post("/contract-templates/<template_id>/archive", roles=OPERATOR)
def archive_contract_template(template_id: str) -> Response:
    """Archive one, or bring it back."""
    form, is_archived = Form(), request.form.get("back") != "1"
    here = url_for("dashboard.archive_contract_template", template_id=template_id)

    def then(name: str) -> Response:
        said = (
            _("%(name)s is archived.", name=name)
            if is_archived
            else _("%(name)s is back.", name=name)
        )
        undo = Undo(here, {"back": "1"}) if is_archived else None
        return go(url_for("dashboard.contract_templates"), said=said, undo=undo)

    return submitted(
        form,
        act=lambda session: archive_template(
            session, clock(), actor(), template_id=template_id, is_archived=is_archived
        ),
        then=then,
        again=lambda: _listed(form),
    )


def _listed(form: Form) -> Response:
    found = contract_templates_verb(reading())
    return page("dashboard/contract_templates/index.html", templates=found, form=form)
