"""Removes a piece of content, after asking once more."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.surfaces.dashboard.content.kinds import Kind
from pms.surfaces.dashboard.content.previews import address_of
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language


def check(kind: Kind, **ids: str) -> Response:
    """Ask once more: a text that is removed cannot be had back."""
    (id_,) = ids.values()
    return _check(kind, id_, Form())


def remove(kind: Kind, **ids: str) -> Response:
    """Take it away."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: kind.remove(session, clock(), actor(), id_),
        then=lambda _none: go(url_for(f"dashboard.{kind.tab}"), said=_("Removed.")),
        again=lambda: _check(kind, id_, form),
    )


def _check(kind: Kind, id_: str, form: Form) -> Response:
    record = kind.record(reading(), id_, today())
    address = address_of(kind, record.slug, chosen_language())
    return page(
        "dashboard/content/removal.html", kind=kind, record=record, form=form, address=address
    )
