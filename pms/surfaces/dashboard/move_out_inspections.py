"""The inspection of a home at move-out, on a phone: each place beside its photos from the arrival."""

from decimal import Decimal
from typing import Any, Final, NamedTuple, Self

from flask import Flask, Response, abort, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.arrivals import inspections
from pms.arrivals.inspections import ComparedPlace, InspectionRecord
from pms.deposits.restorations import RESTORATION_WORDS
from pms.foundation.errors import NotFound
from pms.foundation.work import Work
from pms.rules.enumerations import CheckedRoom, RoomVerdict
from pms.rules.wear import DeductionBearer, WornItem
from pms.surfaces.dashboard.gate import EVERYBODY, PHOTO_BYTES, dashboard, reading
from pms.surfaces.dashboard.task_taps import key_of_tap, submit_tap
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    LongTextField,
    Optional,
    PickField,
    Printable,
    QuantityField,
    Required,
    TextField,
)
from pms.surfaces.forms import PhotosForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import files, today

_KEPT: Final = "private, max-age=604800, immutable"
"""The picture at an address never changes; only the reader's own browser caches it."""


class InspectedRoomForm(FlaskForm):
    """How a place is compared with the arrival."""

    verdict = PickField(lazy_gettext("Compared with the arrival"), [Required()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        self.verdict.choices = choices(RoomVerdict)

    @classmethod
    def of(cls, place: ComparedPlace) -> Self:
        """Return the form filled with what is recorded of a place."""
        return cls(formdata=None, data={"verdict": place.verdict, "note": place.note})


class DamageForm(FlaskForm):
    """Something worse that costs money: a line of the settlement; the office sets the price."""

    item = ChoiceField(lazy_gettext("Item"), default=WornItem.OTHER.value)
    note = TextField(lazy_gettext("Description"), [Optional(), Printable()])
    quantity = QuantityField(lazy_gettext("Quantity"), [Optional()])
    bearer = ChoiceField(lazy_gettext("Paid by"), default=DeductionBearer.RESIDENT.value)
    fittedOn = DayField(lazy_gettext("Fitted on"), [Optional()])

    def __init__(self, *given: Any, **values: Any) -> None:
        super().__init__(*given, **values)
        language = chosen_language()
        self.item.choices = [
            (item.value, RESTORATION_WORDS[item].name.in_language(language) or "")
            for item in WornItem
        ]
        self.bearer.choices = choices(DeductionBearer)


class InspectionEndForm(FlaskForm):
    """The end of an inspection; why places are left out that were not recorded."""

    leftOutBecause = LongTextField(lazy_gettext("Why they are left out"), [Required()])


class PlaceForms(NamedTuple):
    """The forms of one place; those of an answer that was refused have what was typed."""

    verdict: Form
    photos: Form
    damage: Form
    is_refused: bool


@dashboard.get("/move-outs/<reservation_id>", roles=EVERYBODY)
def move_out_inspection(reservation_id: str) -> Response:
    """Show the places of a home, as on arrival and as now."""
    return _render_inspection(reservation_id)


def _render_inspection(
    reservation_id: str, room: str | None = None, sent: Form | None = None
) -> Response:
    found = inspections.move_out_inspection(reading(), reservation_id)
    return page(
        "dashboard/move_outs/inspection.html",
        found=found,
        forms={place.room: _forms_of(place, room, sent) for place in found.places},
        sent=sent,
        end_form=sent if isinstance(sent, InspectionEndForm) else InspectionEndForm(formdata=None),
        today=today(),
        words=RESTORATION_WORDS,
    )


def _forms_of(place: ComparedPlace, room: str | None, sent: Form | None) -> PlaceForms:
    own = sent if place.room == room else None
    forms = PlaceForms(
        own if isinstance(own, InspectedRoomForm) else InspectedRoomForm.of(place),
        own if isinstance(own, PhotosForm) else PhotosForm(formdata=None),
        own if isinstance(own, DamageForm) else DamageForm(formdata=None),
        own is not None,
    )
    # The same fields are on the page once for each place.
    for kind, form in zip(forms._fields, forms[:3], strict=False):
        for field in form:
            field.id = field.label.field_id = f"{place.room}-{kind}-{field.name}"
    return forms


def _room_of(name: str) -> CheckedRoom:
    for room in CheckedRoom:
        if room == name:
            return room
    raise NotFound("There is no place '{name}'.", name=name[:40])


def _return_to_place(reservation_id: str, room: str, message: str) -> Response:
    address = url_for(
        "dashboard.move_out_inspection", reservation_id=reservation_id, _anchor=f"place-{room}"
    )
    return go(address, message=message)


@dashboard.post("/move-outs/<reservation_id>/rooms/<room>", roles=EVERYBODY)
def record_inspected_room(reservation_id: str, room: str) -> Response:
    """Record how a place is compared with the arrival."""
    form, known, key = InspectedRoomForm(), _room_of(room), key_of_tap()

    def act(work: Work) -> dict[str, Any]:
        inspections.record_inspected_room(
            work,
            reservation_id=reservation_id,
            room=known,
            verdict=RoomVerdict(form.verdict.data),
            note=form.note.data,
            key=key,
        )
        return {}

    return submit_tap(
        form,
        act,
        lambda _answer: _return_to_place(reservation_id, room, _("Saved.")),
        lambda form: _render_inspection(reservation_id, room, form),
        lambda answer: answer,
    )


@dashboard.post(
    "/move-outs/<reservation_id>/rooms/<room>/photos", roles=EVERYBODY, most_bytes=PHOTO_BYTES
)
def add_inspection_photos(reservation_id: str, room: str) -> Response:
    """Store photos of a place; all are resized before anything is written."""
    form, known, key = PhotosForm(), _room_of(room), key_of_tap()

    def act(work: Work) -> dict[str, Any]:
        for number, sized in enumerate(form.sized):
            inspections.add_inspection_photo(
                work,
                reservation_id=reservation_id,
                room=known,
                sized=sized,
                key=f"{key} {number}" if key else None,
            )
        return {}

    return submit_tap(
        form,
        act,
        lambda _answer: _return_to_place(reservation_id, room, _("Photos added.")),
        lambda form: _render_inspection(reservation_id, room, form),
        lambda answer: answer,
    )


@dashboard.post("/move-outs/<reservation_id>/rooms/<room>/damages", roles=EVERYBODY)
def note_damage(reservation_id: str, room: str) -> Response:
    """Note something worse that costs money."""
    form, known, key = DamageForm(), _room_of(room), key_of_tap()

    def act(work: Work) -> dict[str, Any]:
        inspections.note_damage(
            work,
            reservation_id=reservation_id,
            room=known,
            item=WornItem(form.item.data or WornItem.OTHER),
            note=form.note.data,
            quantity=form.quantity.data or Decimal(1),
            bearer=DeductionBearer(form.bearer.data or DeductionBearer.RESIDENT),
            fitted_on=form.fittedOn.data,
            key=key,
        )
        return {}

    return submit_tap(
        form,
        act,
        lambda _answer: _return_to_place(reservation_id, room, _("Damage added.")),
        lambda form: _render_inspection(reservation_id, room, form),
        lambda answer: answer,
    )


@dashboard.post("/move-outs/<reservation_id>/parts/<inspection_part_id>/removal", roles=EVERYBODY)
def remove_inspection_part(reservation_id: str, inspection_part_id: str) -> Response:
    """Remove a photo or a damage of the inspection."""
    return submitted(
        FlaskForm(),
        act=lambda work: inspections.remove_inspection_part(
            work, reservation_id=reservation_id, part_id=inspection_part_id
        ),
        then=lambda room: _return_to_place(reservation_id, room, _("Removed.")),
        again=lambda: _render_inspection(reservation_id),
    )


@dashboard.post("/move-outs/<reservation_id>/end", roles=EVERYBODY)
def finish_inspection(reservation_id: str) -> Response:
    """Note that the inspection is done; places that were not recorded need a reason."""
    form = InspectionEndForm()
    if not inspections.move_out_inspection(reading(), reservation_id).unrecorded:
        del form.leftOutBecause
    return submitted(
        form,
        act=lambda work: inspections.finish_inspection(
            work, reservation_id=reservation_id, left_out_because=form.data.get("leftOutBecause")
        ),
        then=lambda _none: go(
            url_for("dashboard.move_out_inspection", reservation_id=reservation_id),
            message=_("Inspection finished."),
        ),
        again=lambda: _render_inspection(reservation_id, sent=form),
    )


@dashboard.get(
    "/move-outs/<reservation_id>/pictures/<compared_photo_id>/<int:width>", roles=EVERYBODY
)
def compared_photo(reservation_id: str, compared_photo_id: str, width: int) -> Response:
    """Give a photo of an inspected home, from arrival or move-out."""
    inspections.move_out_inspection(reading(), reservation_id)
    key = inspections.compared_photo_file(reading(), reservation_id, compared_photo_id, width)
    response = Response(files().get(key) or abort(404), mimetype="image/webp")
    response.headers["Cache-Control"] = _KEPT
    return response


def inspection_of(reservation_id: str) -> InspectionRecord | None:
    """Return the inspection of a reservation, for links to it; None where there is none."""
    try:
        return inspections.move_out_inspection(reading(), reservation_id)
    except NotFound:
        return None


def install(app: Flask) -> None:
    """Register `inspection_of(reservation_id)` for templates."""
    app.jinja_env.globals["inspection_of"] = inspection_of
