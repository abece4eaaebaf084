"""Lists the reply templates, archives one, and brings it back."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.channels.archive_reply_template import archive_reply_template as archive_reply_template_verb
from pms.channels.reply_templates import reply_templates as reply_templates_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.hypermedia import Undo, go, page


@dashboard.get("/reply-templates", roles=OFFICE)
def reply_templates() -> Response:
    """Show the templates."""
    return _listed(Form())


@dashboard.post("/reply-templates/<reply_template_id>/archive", roles=OFFICE)
def archive_reply_template(reply_template_id: str) -> Response:
    """Archive one, or bring it back."""
    form, is_archived = Form(), request.form.get("back") != "1"
    here = url_for("dashboard.archive_reply_template", reply_template_id=reply_template_id)

    def then(name: str) -> Response:
        said = (
            _("%(name)s is archived.", name=name)
            if is_archived
            else _("%(name)s is back.", name=name)
        )
        undo = Undo(here, {"back": "1"}) if is_archived else None
        return go(url_for("dashboard.reply_templates"), said=said, undo=undo)

    return submitted(
        form,
        act=lambda session: archive_reply_template_verb(
            session, clock(), actor(), template_id=reply_template_id, is_archived=is_archived
        ),
        then=then,
        again=lambda: _listed(form),
    )


def _listed(form: Form) -> Response:
    found = reply_templates_verb(reading(), with_archived=True)
    return page("dashboard/inbox/templates.html", templates=found, form=form)
