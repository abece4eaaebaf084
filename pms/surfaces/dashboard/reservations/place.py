"""Chooses the unit of a new booking: a building, the nights, and the units free or not held then."""

from collections.abc import Sequence

from flask import Response, request

from pms.arrivals.free_units import BookableUnit, bookable_units
from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.place_form import PlaceForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language


def choose_place() -> Response:
    """Show the units of the building asked for that can be booked, or ask for one."""
    is_asked = "building" in request.args
    form = PlaceForm(request.args if is_asked else None, data={"moveInDate": today()})
    language = chosen_language()
    names = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
    form.building.choices = names if len(names) == 1 else [("", ""), *names]
    is_sound = is_asked and form.validate()
    response = page_or_block(
        "dashboard/reservations/place.html",
        "place",
        form=form,
        units=_bookable(form) if is_sound else None,
    )
    if is_asked and not is_sound:
        response.status_code = UNACCEPTED
    return response


def _bookable(form: PlaceForm) -> Sequence[BookableUnit]:
    first_on, last_on = form.moveInDate.data, form.contractEndDate.data
    return bookable_units(reading(), form.building.data, first_on, last_on, today())
