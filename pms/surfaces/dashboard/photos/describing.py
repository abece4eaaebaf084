"""Says in words what a photo shows."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request
from flask_babel import gettext as _

from pms.catalogue.describe_photo import describe_photo as describe_photo_verb
from pms.catalogue.photos_hung import HungPhoto, photo_record
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.photos.frame import home_of
from pms.surfaces.dashboard.photos.photos_form import WordsForm
from pms.surfaces.hypermedia import go, page


@dashboard.get("/photos/<photo_id>/words", roles=OFFICE)
def photo_words(photo_id: str) -> Response:
    """Show a photo and the words for it."""
    return _shown(photo_id, _edit(photo_record(reading(), photo_id)))


@dashboard.post("/photos/<photo_id>/words", roles=OFFICE)
def describe_photo(photo_id: str) -> Response:
    """Save the words, merged with what somebody else saved meanwhile."""
    form = WordsForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> str:
        record = photo_record(session, photo_id)
        edit.merge(session, _edit(record), subject=("photo", photo_id))
        describe_photo_verb(
            session,
            clock(),
            actor(),
            photo_id=photo_id,
            alt_ja=form.altJa.data,
            alt_en=form.altEn.data,
            version=record.version,
        )
        return home_of(record.subject)

    return submitted(
        form,
        act=act,
        then=lambda home: go(home, said=edit.said(_("Saved."))),
        again=lambda: _shown(photo_id, edit),
    )


def _edit(record: HungPhoto) -> Edit:
    words = WordsForm(data={"altJa": record.alt.ja, "altEn": record.alt.en})
    return Edit.of(words, record.version)


def _shown(photo_id: str, edit: Edit) -> Response:
    record = photo_record(reading(), photo_id)
    return page(
        "dashboard/photos/words.html",
        form=edit.form,
        edit=edit,
        photo=record,
        home=home_of(record.subject),
    )
