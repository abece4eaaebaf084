"""The photos of units and buildings: of one, and of many rooms at once by their file names."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import Form, MultipleFileField
from wtforms.validators import StopValidation

from pms.catalogue import photos, records, units
from pms.catalogue.photo_sizes import LARGEST_BYTES, WIDTHS, PhotoSizes, SizedPhoto, size_photo
from pms.catalogue.photos import HungPhoto
from pms.foundation.audit import Subject
from pms.foundation.errors import Problem
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.room_names import room_in_name, room_key
from pms.surfaces.dashboard.gate import OFFICE, PHOTO_BYTES, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.units import render_unit_tab
from pms.surfaces.fields import ChoiceField, Optional, PickField, Required, TextField
from pms.surfaces.forms import PhotosForm, submitted
from pms.surfaces.hypermedia import Undo, go, page, page_or_block
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import database, files


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
    return _render_words(photo_id, _build_edit(photos.photo_record(reading(), photo_id)))


@dashboard.post("/photos/<photo_id>/words", roles=OFFICE)
def describe_photo(photo_id: str) -> Response:
    """Save the alternative text, merged with changes that others saved meanwhile."""
    form = WordsForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> str:
        record = photos.photo_record(work.session, photo_id)
        edit.merge(work, _build_edit(record), subject=("photo", photo_id))
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


def _build_edit(record: HungPhoto) -> Edit:
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
    return _add_subject_photos(("unit", records.unit_record(reading(), unit_id).id))


@dashboard.post("/buildings/<building_id>/photos", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_building_photos(building_id: str) -> Response:
    """Add photos to a building."""
    return _add_subject_photos(("building", records.building_record(reading(), building_id).id))


def _add_subject_photos(subject: Subject) -> Response:
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


class PhotoOrderForm(FlaskForm):
    """The direction in which a photo moves."""

    way = PickField(validators=[Required()], choices=[("earlier", ""), ("later", "")])


@dashboard.post("/photos/<photo_id>/place", roles=OFFICE)
def move_photo(photo_id: str) -> Response:
    """Move a photo one place."""
    form = PhotoOrderForm()
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


MOST_AT_ONCE: Final = 20
_WAITING: Final = "photo-waiting"


class WaitingPhoto(NamedTuple):
    """A stored photo that belongs to no room yet; its signed token names its files."""

    name: str
    token: str
    preview: str


class ManyPhotosForm(FlaskForm):
    """The photos, and the building whose rooms they show."""

    building = ChoiceField(lazy_gettext("Building"), [Required()])
    photo = MultipleFileField(lazy_gettext("Photos"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = building_choices()
        self.building.choices = [("", _("Choose a building")), *named]
        if len(named) == 1:
            self.building.data = self.building.data or named[0][0]
        self.sized: list[tuple[str, SizedPhoto]] = []
        self._unstored: list[tuple[str, PhotoSizes]] = []

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Whether the form is valid; only then its photos are stored."""
        if not super().validate(extra_validators):
            return False
        self.sized += [(name, photo.store(files())) for name, photo in self._unstored]
        self._unstored.clear()
        return True

    def validate_photo(self, field: MultipleFileField) -> None:
        """Resize every photo; a file that is no picture is named in the error, and none is kept."""
        chosen = [each for each in field.data or () if getattr(each, "filename", "")]
        if not 0 < len(chosen) <= MOST_AT_ONCE:
            raise StopValidation(_("Choose 1 to %(most)s photos.", most=MOST_AT_ONCE))
        for each in chosen:
            try:
                sized = size_photo(each.read(LARGEST_BYTES + 1))
            except Problem as problem:
                raise StopValidation(f"{each.filename[:60]}: {refusal_text(problem)}") from None
            self._unstored.append((each.filename[:100], sized))


@dashboard.get("/photos/many", roles=OFFICE)
def new_photos() -> Response:
    """Show the form for the building and its photos."""
    return _render_many_photos(ManyPhotosForm(data={"building": request.args.get("building")}))


@dashboard.post("/photos/many", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_photos() -> Response:
    """Add the photos whose file names tell their room, and show the others to assign by hand."""
    form = ManyPhotosForm()
    waiting: list[WaitingPhoto] = []

    def act(work: Work) -> int:
        waiting.clear()
        named = units.unit_names(work.session, form.building.data or "")
        rooms = {room_key(unit.name): unit.id for unit in named}
        for name, sized in form.sized:
            unit_id = room_in_name(name, rooms)
            if unit_id is None:
                waiting.append(_build_waiting_photo(name, sized))
            else:
                photos.add_photo(work, subject=("unit", unit_id), sized=sized)
        return len(form.sized) - len(waiting)

    return submitted(
        form,
        act=act,
        then=lambda count: (
            _render_many_photos(form, waiting, count) if waiting else _go_to_photos(count)
        ),
        again=lambda: _render_many_photos(form),
    )


@dashboard.post("/photos/sorting", roles=OFFICE)
def sort_photos() -> Response:
    """Add the photos to their chosen rooms, and leave out those without one."""
    building_id = request.form.get("building", "")
    rooms = {unit.id for unit in units.unit_names(reading(), building_id)}
    wanted = [
        (subject, sized)
        for token, place in zip(
            request.form.getlist("token"), request.form.getlist("place"), strict=False
        )
        if (sized := _read_waiting_photo(token))
        and (subject := _find_subject(place, building_id, rooms))
    ]

    def act(work: Work) -> int:
        for subject, sized in wanted:
            photos.add_photo(work, subject=subject, sized=sized)
        return len(wanted)

    return submitted(
        FlaskForm(), act=act, then=_go_to_photos, again=lambda: go(url_for("dashboard.new_photos"))
    )


def _find_subject(place: str, building_id: str, rooms: set[str]) -> Subject | None:
    if place in rooms:
        return ("unit", place)
    return ("building", building_id) if place == "building" else None


def _go_to_photos(count: int) -> Response:
    message = ngettext("%(num)s photo added.", "%(num)s photos added.", count)
    return go(
        url_for("dashboard.new_photos", building=request.form.get("building")), message=message
    )


def _build_signer() -> Signer:
    return Signer(database().settings.secret_key)


def _build_waiting_photo(name: str, sized: SizedPhoto) -> WaitingPhoto:
    parts = (current_member().workspace_id, str(sized.width), str(sized.height))
    keys = [sized.files[str(width)] for width in WIDTHS]
    small = files().get(keys[0]) or b""
    return WaitingPhoto(
        name,
        _build_signer().sign_parts(_WAITING, *parts, *keys),
        f"data:image/webp;base64,{b64encode(small).decode()}",
    )


def _read_waiting_photo(token: str) -> SizedPhoto | None:
    """Return the photo that a token of this workspace names."""
    found = _build_signer().read(_WAITING, token)
    if not found or found[0] != current_member().workspace_id:
        return None
    _workspace_id, width, height, *keys = found
    stored = dict(zip(map(str, WIDTHS), keys, strict=True))
    # What no row names is deleted after some days.
    if not files().renew(stored.values()):
        return None
    return SizedPhoto(int(width), int(height), stored)


def _render_many_photos(
    form: ManyPhotosForm, waiting: list[WaitingPhoto] | None = None, hung: int = 0
) -> Response:
    rooms = units.unit_names(reading(), form.building.data or "") if waiting else ()
    return page(
        "dashboard/photos/many.html",
        form=form,
        waiting=waiting or (),
        rooms=rooms,
        hung=hung,
        most=MOST_AT_ONCE,
    )
