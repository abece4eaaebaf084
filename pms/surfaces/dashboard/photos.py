"""The photos of units and buildings."""

from collections.abc import Callable
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.catalogue import photos, records
from pms.catalogue.photos import HungPhoto
from pms.foundation.audit import Subject
from pms.foundation.work import Work
from pms.surfaces.dashboard.gate import OFFICE, PHOTO_BYTES, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.units import render_unit_tab
from pms.surfaces.fields import Optional, PickField, Required, TextField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import Undo, go, page, page_or_block
from pms.surfaces.photo_forms import PhotosForm


def home_of(subject: Subject) -> str:
    """Return the address of the page with the photos of a unit or a building."""
    kind, id_ = subject
    if kind == "unit":
        return url_for("dashboard.unit_photos", unit_id=id_)
    return url_for("dashboard.building_photos", building_id=id_)


def hung(subject: Subject, form: Any) -> Response:
    """Show the photos of a unit or a building, with the form to add some."""
    kind, id_ = subject
    if kind == "unit":
        unit = records.unit_record(reading(), id_)
        shown = _gallery_facts(subject, form)
        return render_unit_tab(
            id_, "dashboard/photos/unit.html", tab="unit_photos", unit=unit, **shown
        )
    building = records.building_record(reading(), id_)
    shown = _gallery_facts(subject, form)
    return page_or_block("dashboard/photos/building.html", "tab", building=building, **shown)


def _gallery_facts(subject: Subject, form: Any) -> dict[str, Any]:
    return {
        "form": form,
        "home": home_of(subject),
        "photos": photos.photos_hung(reading(), subject),
    }


class WordsForm(FlaskForm):
    """The alternative text of a photo, for people who cannot see it."""

    altJa = TextField(lazy_gettext("Photo description in Japanese"), [Optional()])
    altEn = TextField(lazy_gettext("Photo description in English"), [Optional()])


@dashboard.get("/photos/<photo_id>/words", roles=OFFICE)
def photo_words(photo_id: str) -> Response:
    """Show a photo with the form of its alternative text."""
    return _render_words(photo_id, _edit(photos.photo_record(reading(), photo_id)))


@dashboard.post("/photos/<photo_id>/words", roles=OFFICE)
def describe_photo(photo_id: str) -> Response:
    """Save the alternative text, merged with changes that others saved meanwhile."""
    form = WordsForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> str:
        record = photos.photo_record(work.session, photo_id)
        edit.merge(work, _edit(record), subject=("photo", photo_id))
        photos.describe_photo(
            work,
            photo_id=photo_id,
            alt_ja=form.altJa.data,
            alt_en=form.altEn.data,
            version=record.version,
        )
        return home_of(record.subject)

    return submitted(
        form,
        act=act,
        then=lambda home: go(home, message=edit.message(_("Saved."))),
        again=lambda: _render_words(photo_id, edit),
    )


def _edit(record: HungPhoto) -> Edit:
    words = WordsForm(formdata=None, data={"altJa": record.alt.ja, "altEn": record.alt.en})
    return Edit.of(words, record.version)


def _render_words(photo_id: str, edit: Edit) -> Response:
    record = photos.photo_record(reading(), photo_id)
    return page(
        "dashboard/photos/words.html",
        form=edit.form,
        edit=edit,
        photo=record,
        home=home_of(record.subject),
    )


@dashboard.get("/units/<unit_id>/photos", roles=OFFICE)
def unit_photos(unit_id: str) -> Response:
    """Show a unit's photos."""
    return hung(("unit", unit_id), PhotosForm())


@dashboard.get("/buildings/<building_id>/photos", roles=OFFICE)
def building_photos(building_id: str) -> Response:
    """Show a building's photos."""
    return hung(("building", building_id), PhotosForm())


@dashboard.post("/units/<unit_id>/photos", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_unit_photos(unit_id: str) -> Response:
    """Add photos to a unit."""
    return _add(("unit", records.unit_record(reading(), unit_id).id))


@dashboard.post("/buildings/<building_id>/photos", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_building_photos(building_id: str) -> Response:
    """Add photos to a building."""
    return _add(("building", records.building_record(reading(), building_id).id))


def _add(subject: Subject) -> Response:
    form = PhotosForm()

    def act(work: Work) -> int:
        for sized in form.sized:
            photos.add_photo(work, subject=subject, sized=sized)
        return len(form.sized)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            home_of(subject),
            message=ngettext("%(num)s photo added.", "%(num)s photos added.", count),
        ),
        again=lambda: hung(subject, form),
    )


class PlaceForm(FlaskForm):
    """The direction in which a photo moves."""

    way = PickField(validators=[Required()], choices=[("earlier", ""), ("later", "")])


@dashboard.post("/photos/<photo_id>/place", roles=OFFICE)
def move_photo(photo_id: str) -> Response:
    """Move a photo one place."""
    form = PlaceForm()
    subject = photos.photo_record(reading(), photo_id).subject
    places = -1 if form.way.data == "earlier" else 1
    return _submit_photos(
        form,
        subject,
        lambda work: photos.move_photo(work, photo_id=photo_id, places=places),
        lambda: go(home_of(subject), message=_("Photo moved.")),
    )


@dashboard.post("/photos/<photo_id>/removal", roles=OFFICE)
def remove_photo(photo_id: str) -> Response:
    """Remove a photo; this can be undone."""
    subject = photos.photo_record(reading(), photo_id).subject
    undo = Undo(url_for("dashboard.put_back_photo", photo_id=photo_id), {})
    return _submit_photos(
        FlaskForm(),
        subject,
        lambda work: photos.remove_photo(work, photo_id=photo_id),
        lambda: go(home_of(subject), message=_("Photo removed."), undo=undo),
    )


@dashboard.post("/photos/<photo_id>/return", roles=OFFICE)
def put_back_photo(photo_id: str) -> Response:
    """Restore a removed photo."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: photos.put_back_photo(work, photo_id=photo_id),
        then=lambda subject: go(home_of(subject), message=_("Photo restored.")),
        again=lambda: go(url_for("dashboard.units")),
    )


def _submit_photos(
    form: Form,
    subject: Subject,
    act: Callable[[Work], Subject],
    then: Callable[[], Response],
) -> Response:
    return submitted(form, act=act, then=lambda _subject: then(), again=lambda: hung(subject, form))
