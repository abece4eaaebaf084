"""Books a short stay with its check-in link, or makes the link of a booking that stands."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from typing import TypeVar

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.arrivals.free_units import BookableUnit, free_units
from pms.catalogue.building_names import building_names
from pms.foundation.ids import new_id
from pms.rules.days import ONE_DAY
from pms.rules.enumerations import Locale
from pms.stays.create_check_in_link import create_check_in_link as create_check_in_link_verb
from pms.stays.link_stay import link_stay as link_stay_verb
from pms.stays.stay_links import link_of_reservation
from pms.surfaces.dashboard.check_in_links.links import shown as shown_list
from pms.surfaces.dashboard.check_in_links.making_form import NightsForm, StayForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.reader_choice import chosen_language

Asked = TypeVar("Asked", bound=NightsForm)


@dashboard.get("/check-in-links/new", roles=OFFICE)
def new_check_in_link() -> Response:
    """Ask where and when; then show the units that are free, and ask who comes."""
    is_asked = "building" in request.args
    usual = {"checkIn": today(), "checkOut": today() + ONE_DAY}
    nights = _with_buildings(NightsForm(request.args if is_asked else None, data=usual))
    if not is_asked:
        return _shown(nights, None)
    if not nights.validate():
        response = _shown(nights, None)
        response.status_code = UNACCEPTED
        return response
    begun = {"guests": 1, "locale": Locale.EN.value, "newReservationId": new_id()}
    return _shown(nights, _with_buildings(StayForm(data={**nights.data, **begun})))


@dashboard.post("/check-in-links/new", roles=OFFICE)
def create_check_in_link() -> Response:
    """Make the booking and its link."""
    form = _with_buildings(StayForm(request.form))
    form.offer(_free(form))
    return submitted(
        form,
        act=lambda session: create_check_in_link_verb(
            session,
            clock(),
            actor(),
            unit_id=form.unitId.data,
            check_in=form.checkIn.data,
            check_out=form.checkOut.data,
            guest_name=form.guestName.data or "",
            guests=form.guests.data,
            email=form.email.data,
            locale=form.locale.data,
            new_reservation_id=form.newReservationId.data,
        ),
        then=lambda link_id: _made(link_id, form.newReservationId.data or ""),
        again=lambda: _shown(form, form),
    )


@dashboard.post("/reservations/<reservation_id>/check-in-link", roles=OFFICE)
def link_stay(reservation_id: str) -> Response:
    """Make the link of a guest's booking that has none."""
    form = Form()
    return submitted(
        form,
        act=lambda session: link_stay_verb(session, clock(), actor(), reservation_id=reservation_id),
        then=lambda link_id: _made(link_id, reservation_id),
        again=lambda: shown_list(form),
    )


def _made(link_id: str | None, reservation_id: str) -> Response:
    if link_id is None:
        # This form booked it before; the first answer may have come after this page was read.
        known = link_of_reservation(reading(), reservation_id, today())
        if known is None:
            return go(url_for("dashboard.check_in_links"), said=_("The check-in link is made."))
        link_id = known.id
    address = url_for("dashboard.check_in_link", check_in_link_id=link_id)
    return go(address, said=_("The check-in link is made."))


def _with_buildings(form: Asked) -> Asked:
    language = chosen_language()
    names = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
    form.building.choices = names if len(names) == 1 else [("", ""), *names]
    return form


def _free(form: NightsForm) -> Sequence[BookableUnit]:
    if not (form.building.data and form.checkIn.data and form.checkOut.data):
        return ()
    return free_units(reading(), form.building.data, form.checkIn.data, form.checkOut.data, today())


def _shown(nights: NightsForm, form: StayForm | None) -> Response:
    units = _free(nights) if form else ()
    if form:
        form.offer(units)
    return page(
        "dashboard/check_in_links/new.html",
        nights=nights,
        form=form or nights,
        stay=form,
        units=units,
    )
