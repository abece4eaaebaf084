"""Chooses the unit of a new booking: a building, the nights, and the units that are free then."""

from collections.abc import Sequence

from flask import Response, request

from pms.arrivals.free_units import FreeUnit, free_units
from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.place_form import PlaceForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language


def choose_place() -> Response:
    """Show the free units of the building asked for, or ask for one."""
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
        units=_free(form) if is_sound else None,
    )
    if is_asked and not is_sound:
        response.status_code = UNACCEPTED
    return response


def _free(form: PlaceForm) -> Sequence[FreeUnit]:
    first_on, last_on = form.moveInDate.data, form.contractEndDate.data
    return free_units(reading(), form.building.data, first_on, last_on, today())
