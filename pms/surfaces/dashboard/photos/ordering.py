"""Puts photos in order, takes one down, hangs it again."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Callable

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue.move_photo import move_photo as move_photo_verb
from pms.catalogue.photos_hung import photo_record
from pms.catalogue.put_back_photo import put_back_photo as put_back_photo_verb
from pms.catalogue.remove_photo import remove_photo as remove_photo_verb
from pms.foundation.audit import Subject
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.photos.frame import home_of, hung
from pms.surfaces.fields import PickField, Required
from pms.surfaces.hypermedia import Undo, go


class PlaceForm(Form):
    """Which way a photo moves."""

    way = PickField(validators=[Required()], choices=[("earlier", ""), ("later", "")])


@dashboard.post("/photos/<photo_id>/place", roles=OFFICE)
def move_photo(photo_id: str) -> Response:
    """Move a photo one place."""
    form = PlaceForm(request.form)
    subject = photo_record(reading(), photo_id).subject
    places = -1 if form.way.data == "earlier" else 1
    return _done(
        form,
        subject,
        lambda session: move_photo_verb(session, clock(), actor(), photo_id=photo_id, places=places),
        lambda: go(home_of(subject), said=_("Photo moved.")),
    )


@dashboard.post("/photos/<photo_id>/removal", roles=OFFICE)
def remove_photo(photo_id: str) -> Response:
    """Take a photo down; it can be hung again."""
    subject = photo_record(reading(), photo_id).subject
    undo = Undo(url_for("dashboard.put_back_photo", photo_id=photo_id), {})
    return _done(
        Form(request.form),
        subject,
        lambda session: remove_photo_verb(session, clock(), actor(), photo_id=photo_id),
        lambda: go(home_of(subject), said=_("Photo removed."), undo=undo),
    )


@dashboard.post("/photos/<photo_id>/return", roles=OFFICE)
def put_back_photo(photo_id: str) -> Response:
    """Hang a photo again that was taken down."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: put_back_photo_verb(session, clock(), actor(), photo_id=photo_id),
        then=lambda subject: go(home_of(subject), said=_("The photo is back.")),
        again=lambda: go(url_for("dashboard.units")),
    )


def _done(
    form: Form,
    subject: Subject,
    act: Callable[[WorkspaceSession], Subject],
    then: Callable[[], Response],
) -> Response:
    return submitted(form, act=act, then=lambda _subject: then(), again=lambda: hung(subject, form))
