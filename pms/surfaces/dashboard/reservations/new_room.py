"""Chooses the room of an amendment: a free one, one nobody holds from the day on, or the same."""

from datetime import timedelta

from flask import Response, request

from pms.arrivals.free_units import bookable_units
from pms.arrivals.reservation_header import ReservationHeader
from pms.catalogue.building_names import building_names
from pms.rules.days import readable
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.new_room_form import NewRoomForm
from pms.surfaces.hypermedia import UNACCEPTED
from pms.surfaces.reader_choice import chosen_language


def choose_room(header: ReservationHeader) -> Response:
    """Show the units of a building whose nights nobody holds from a day on."""
    tomorrow = today() + timedelta(days=1)
    form = NewRoomForm(
        request.args if "building" in request.args else None,
        data={"building": header.building_id, "fromOn": tomorrow},
    )
    language = chosen_language()
    form.building.choices = [
        (one.id, one.name.said(language) or "") for one in building_names(reading())
    ]
    is_sound = form.validate() if "building" in request.args else True
    units = None
    if is_sound:
        from_on, end_on = form.fromOn.data, readable(header.end_on)
        end_on = end_on if end_on and end_on >= from_on else None
        found = bookable_units(
            reading(), form.building.data, from_on, end_on, today(), beside=(header.id,)
        )
        units = [unit for unit in found if unit.id != header.unit_id]
    response = framed(
        header.id,
        "dashboard/reservations/new_room.html",
        tab="reservation",
        header=header,
        form=form,
        units=units,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
