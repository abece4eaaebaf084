"""Writes a reply template, a new one or one that is there."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.channels.reply_places import PLACES
from pms.channels.reply_templates import reply_template as reply_template_verb
from pms.channels.write_reply_template import write_reply_template as write_reply_template_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.inbox.template_form import TemplateForm
from pms.surfaces.hypermedia import go, page


@dashboard.get("/reply-templates/new", roles=OFFICE)
def new_reply_template() -> Response:
    """Show the form of a new template."""
    return _shown(None, TemplateForm())


@dashboard.post("/reply-templates", roles=OFFICE)
def add_reply_template() -> Response:
    """Store a template."""
    return _written(None)


@dashboard.get("/reply-templates/<reply_template_id>", roles=OFFICE)
def reply_template(reply_template_id: str) -> Response:
    """Show one template, ready to be changed."""
    return _shown(reply_template_id, TemplateForm.of(reply_template_verb(reading(), reply_template_id)))


@dashboard.post("/reply-templates/<reply_template_id>", roles=OFFICE)
def write_reply_template(reply_template_id: str) -> Response:
    """Write it anew."""
    reply_template_verb(reading(), reply_template_id)
    return _written(reply_template_id)


def _written(template_id: str | None) -> Response:
    form = TemplateForm(request.form)
    return submitted(
        form,
        act=lambda session: write_reply_template_verb(
            session,
            clock(),
            actor(),
            template_id=template_id,
            name=form.name.data,
            text_ja=form.textJa.data,
            text_en=form.textEn.data,
            version=form.seen,
        ),
        then=lambda _id: go(url_for("dashboard.reply_templates"), said=_("Saved.")),
        again=lambda: _shown(template_id, form),
    )


def _shown(template_id: str | None, form: TemplateForm) -> Response:
    record = reply_template_verb(reading(), template_id) if template_id else None
    return page("dashboard/inbox/template.html", record=record, form=form, places=PLACES)
