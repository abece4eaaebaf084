"""One room of the report: saved as one goes, with its pictures."""

from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.arrivals.condition_record import (
    RoomFound,
    condition_of_reservation,
    condition_photo_file,
)
from pms.arrivals.remove_condition_photo import remove_condition_photo
from pms.arrivals.save_condition_room import save_condition_room
from pms.rules.enumerations import ConditionState
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.condition.condition_form import RoomForm
from pms.surfaces.portals.resident.pictures import sent
from pms.surfaces.request_scope import files


def show(reservation_id: str, room: str) -> Response:
    """Show what was said of a room, to be changed until the report is sent."""
    found = _room(reservation_id, room)
    told = {"state": found.state, "note": found.note}
    return _shown(reservation_id, room, RoomForm(data=told).offer())


def save(reservation_id: str, room: str) -> Response:
    """Keep what was said of a room and go on to the next one that is empty."""
    found, form = _room(reservation_id, room), RoomForm(sent()).offer()
    return submitted(
        form,
        act=lambda session: save_condition_room(
            session,
            clock(),
            reservation_id=reservation_id,
            room=found.room,
            state=ConditionState(form.state.data),
            note=form.note.data,
            photos=form.sized,
        ),
        then=lambda _none: _on(reservation_id),
        again=lambda: _shown(reservation_id, room, form),
    )


def remove_picture(reservation_id: str, photo_id: str) -> Response:
    """Take a picture out and come back to its room."""
    report = condition_of_reservation(reading(), reservation_id)
    room = next((one.room for one in report.rooms for p in one.photos if p.id == photo_id), None)
    if room is None:
        return go(url_for(".condition", reservation_id=reservation_id))
    return submitted(
        Form(),
        act=lambda session: remove_condition_photo(
            session, clock(), reservation_id=reservation_id, photo_id=photo_id
        ),
        then=lambda _none: go(
            url_for(".condition_room", reservation_id=reservation_id, room=room),
            said=_("The photo is removed."),
        ),
        again=lambda: show(reservation_id, room),
    )


def picture(reservation_id: str, photo_id: str, width: int) -> Response:
    """Give one picture of the own report."""
    key = condition_photo_file(reading(), photo_id, width, reservation_id=reservation_id)
    content = files().get(key)
    if content is None:
        abort(404)
    return Response(content, mimetype="image/webp")


def _room(reservation_id: str, room: str) -> RoomFound:
    return condition_of_reservation(reading(), reservation_id).room(room)


def _on(reservation_id: str) -> Response:
    return go(
        url_for(".condition", reservation_id=reservation_id, _anchor="rooms"), said=_("Saved.")
    )


def _shown(reservation_id: str, room: str, form: RoomForm) -> Response:
    report = condition_of_reservation(reading(), reservation_id)
    is_open = report.window is not None and report.window.is_open(today())
    if request.method == "GET" and (report.sent_at or not is_open):
        return go(url_for(".condition", reservation_id=reservation_id))
    return page(
        "portals/resident/condition/room.html",
        tenancy=own.tenancy(reservation_id),
        found=report.room(room),
        form=form,
    )
