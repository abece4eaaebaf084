"""Writes a reply template, a new one or one that is there."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.channels.reply_places import PLACES
from pms.channels.reply_templates import reply_template
from pms.channels.write_reply_template import write_reply_template
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.inbox.template_form import TemplateForm
from pms.surfaces.hypermedia import go, page


def new() -> Response:
    """Show the form of a new template."""
    return _shown(None, TemplateForm())


def add() -> Response:
    """Store a template."""
    return _written(None)


def show(reply_template_id: str) -> Response:
    """Show one template, ready to be changed."""
    return _shown(reply_template_id, TemplateForm.of(reply_template(reading(), reply_template_id)))


def write(reply_template_id: str) -> Response:
    """Write it anew."""
    reply_template(reading(), reply_template_id)
    return _written(reply_template_id)


def _written(template_id: str | None) -> Response:
    form = TemplateForm(request.form)
    return submitted(
        form,
        act=lambda session: write_reply_template(
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
    record = reply_template(reading(), template_id) if template_id else None
    return page("dashboard/inbox/template.html", record=record, form=form, places=PLACES)
