"""Photos of many rooms at once: assigned by their file names, the others by hand."""

from base64 import b64encode
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from wtforms import MultipleFileField
from wtforms.validators import StopValidation

from pms.catalogue import photos, units
from pms.catalogue.photos import LARGEST_BYTES, WIDTHS, SizedPhoto
from pms.foundation.audit import Subject
from pms.foundation.errors import Refused
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.room_names import room_in_name, room_key
from pms.surfaces.dashboard.gate import OFFICE, PHOTO_BYTES, current_member, dashboard, reading
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, Required
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import database, files

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

    def validate_photo(self, field: MultipleFileField) -> None:
        """Resize every photo; a file that is no picture is named in the error, and none is kept."""
        chosen = [each for each in field.data or () if getattr(each, "filename", "")]
        if not 0 < len(chosen) <= MOST_AT_ONCE:
            raise StopValidation(_("Choose 1 to %(most)s photos.", most=MOST_AT_ONCE))
        for each in chosen:
            try:
                sized = photos.size_photo(each.read(LARGEST_BYTES + 1), files())
            except Refused as problem:
                raise StopValidation(f"{each.filename[:60]}: {refusal_text(problem)}") from None
            self.sized.append((each.filename[:100], sized))


@dashboard.get("/photos/many", roles=OFFICE)
def new_photos() -> Response:
    """Show the form for the building and its photos."""
    return _render(ManyPhotosForm(data={"building": request.args.get("building")}))


@dashboard.post("/photos/many", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_photos() -> Response:
    """Add the photos whose file names tell their room, and show the others to assign by hand."""
    form = ManyPhotosForm()
    waiting: list[WaitingPhoto] = []

    def act(work: Work) -> int:
        waiting.clear()
        named = units.unit_names(work.session, form.building.data or "")
        rooms = {room_key(one.name): one.id for one in named}
        for name, sized in form.sized:
            unit_id = room_in_name(name, rooms)
            if unit_id is None:
                waiting.append(_waiting(name, sized))
            else:
                photos.add_photo(work, subject=("unit", unit_id), sized=sized)
        return len(form.sized) - len(waiting)

    return submitted(
        form,
        act=act,
        then=lambda count: _render(form, waiting, count) if waiting else _go_to_photos(count),
        again=lambda: _render(form),
    )


@dashboard.post("/photos/sorting", roles=OFFICE)
def sort_photos() -> Response:
    """Add the photos to their chosen rooms, and leave out those without one."""
    building_id = request.form.get("building", "")
    rooms = {one.id for one in units.unit_names(reading(), building_id)}
    wanted = [
        (subject, sized)
        for token, place in zip(
            request.form.getlist("token"), request.form.getlist("place"), strict=False
        )
        if (sized := _read(token)) and (subject := _subject(place, building_id, rooms))
    ]

    def act(work: Work) -> int:
        for subject, sized in wanted:
            photos.add_photo(work, subject=subject, sized=sized)
        return len(wanted)

    return submitted(
        FlaskForm(), act=act, then=_go_to_photos, again=lambda: go(url_for("dashboard.new_photos"))
    )


def _subject(place: str, building_id: str, rooms: set[str]) -> Subject | None:
    if place in rooms:
        return ("unit", place)
    return ("building", building_id) if place == "building" else None


def _go_to_photos(count: int) -> Response:
    message = ngettext("%(num)s photo added.", "%(num)s photos added.", count)
    return go(
        url_for("dashboard.new_photos", building=request.form.get("building")), message=message
    )


def _signer() -> Signer:
    return Signer(database().settings.secret_key)


def _waiting(name: str, sized: SizedPhoto) -> WaitingPhoto:
    parts = (current_member().workspace_id, str(sized.width), str(sized.height))
    keys = [sized.files[str(width)] for width in WIDTHS]
    small = files().get(keys[0]) or b""
    return WaitingPhoto(
        name,
        _signer().sign_parts(_WAITING, *parts, *keys),
        f"data:image/webp;base64,{b64encode(small).decode()}",
    )


def _read(token: str) -> SizedPhoto | None:
    """Return the photo that a token of this workspace names."""
    found = _signer().read(_WAITING, token)
    if not found or found[0] != current_member().workspace_id:
        return None
    _workspace_id, width, height, *keys = found
    stored = dict(zip(map(str, WIDTHS), keys, strict=True))
    return SizedPhoto(int(width), int(height), stored)


def _render(
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
