"""The resident's report of the home's condition on arrival."""

from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals import condition_reports
from pms.arrivals.condition_reports import ConditionRecord, RoomFound
from pms.rules.enumerations import ConditionState
from pms.surfaces.fields import LongTextField, Optional, PickField, Required
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.portals.resident.pictures import MOST_BYTES, PicturesForm
from pms.surfaces.request_scope import clock, files, today


class RoomConditionForm(PicturesForm):
    """The condition of a room, a note, and more pictures."""

    state = PickField(lazy_gettext("What condition is it in?"), [Required()])
    note = LongTextField(lazy_gettext("What did you notice?"), [Optional()])

    def offer(self) -> "RoomConditionForm":
        """Set the form's choices in the reader's language."""
        self.state.choices = choices(ConditionState)
        return self


class ConditionSendingForm(FlaskForm):
    """A closing note before the report is sent."""

    remark = LongTextField(lazy_gettext("Anything else?"), [Optional()])


@blueprint.get("/<reservation_id>/condition", endpoint="condition")
def show(reservation_id: str) -> Response:
    """Show the report so far, or when it can be written."""
    return _render_condition(reservation_id, ConditionSendingForm(formdata=None))


@blueprint.post("/<reservation_id>/condition", endpoint="send_condition")
def send(reservation_id: str) -> Response:
    """Send the report; it cannot be changed afterwards."""
    form = ConditionSendingForm()
    return submitted(
        form,
        act=lambda work: condition_reports.send_condition_report(
            work, reservation_id=reservation_id, remark=form.remark.data
        ),
        then=lambda _id: go(
            url_for(".condition", reservation_id=reservation_id),
            message=_("Your report has been sent. Thank you."),
        ),
        again=lambda: _render_condition(reservation_id, form),
    )


def invitation(reservation_id: str) -> ConditionRecord | None:
    """Return the report linked from the home page: one to be written, or one that was sent."""
    found = condition_reports.condition_of_reservation(reading(), reservation_id)
    is_open = found.window is not None and found.window.is_open(today())
    return found if is_open or found.sent_at else None


def _render_condition(reservation_id: str, form: ConditionSendingForm) -> Response:
    return page(
        "portals/resident/condition/report.html",
        tenancy=own.tenancy(reservation_id),
        report=condition_reports.condition_of_reservation(reading(), reservation_id),
        form=form,
        today=today(),
    )


@blueprint.get("/<reservation_id>/condition/rooms/<room>", endpoint="condition_room")
def show_room(reservation_id: str, room: str) -> Response:
    """Show what was entered for a room; it can be changed until the report is sent."""
    found = _find_room(reservation_id, room)
    facts = {"state": found.state, "note": found.note}
    return _render_room(reservation_id, room, RoomConditionForm(formdata=None, data=facts).offer())


@blueprint.post(
    "/<reservation_id>/condition/rooms/<room>",
    endpoint="save_condition_room",
    most_bytes=MOST_BYTES,
)
def save(reservation_id: str, room: str) -> Response:
    """Save what was entered for a room and go on to the next empty one."""
    found, form = _find_room(reservation_id, room), RoomConditionForm().offer()
    return submitted(
        form,
        act=lambda work: condition_reports.save_condition_room(
            work.session,
            clock(),
            reservation_id=reservation_id,
            room=found.room,
            state=ConditionState(form.state.data),
            note=form.note.data,
            photos=form.sized,
        ),
        then=lambda _none: go(
            url_for(".condition", reservation_id=reservation_id, _anchor="rooms"),
            message=_("Saved."),
        ),
        again=lambda: _render_room(reservation_id, room, form),
    )


@blueprint.post(
    "/<reservation_id>/condition/photos/<photo_id>/removal", endpoint="remove_condition_photo"
)
def remove_picture(reservation_id: str, photo_id: str) -> Response:
    """Remove a picture and return to its room."""
    report = condition_reports.condition_of_reservation(reading(), reservation_id)
    room = next((each.room for each in report.rooms for p in each.photos if p.id == photo_id), None)
    if room is None:
        return go(url_for(".condition", reservation_id=reservation_id))
    return submitted(
        FlaskForm(),
        act=lambda work: condition_reports.remove_condition_photo(
            work.session, clock(), reservation_id=reservation_id, photo_id=photo_id
        ),
        then=lambda _none: go(
            url_for(".condition_room", reservation_id=reservation_id, room=room),
            message=_("Photo removed."),
        ),
        again=lambda: show_room(reservation_id, room),
    )


@blueprint.get(
    "/<reservation_id>/condition/photos/<photo_id>/<int:width>", endpoint="condition_photo"
)
def picture(reservation_id: str, photo_id: str, width: int) -> Response:
    """Send a picture of the resident's own report."""
    key = condition_reports.condition_photo_file(
        reading(), photo_id, width, reservation_id=reservation_id
    )
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


def _find_room(reservation_id: str, room: str) -> RoomFound:
    return condition_reports.condition_of_reservation(reading(), reservation_id).room(room)


def _render_room(reservation_id: str, room: str, form: RoomConditionForm) -> Response:
    report = condition_reports.condition_of_reservation(reading(), reservation_id)
    is_open = report.window is not None and report.window.is_open(today())
    if request.method == "GET" and (report.sent_at or not is_open):
        return go(url_for(".condition", reservation_id=reservation_id))
    return page(
        "portals/resident/condition/room.html",
        tenancy=own.tenancy(reservation_id),
        found=report.room(room),
        form=form,
    )
