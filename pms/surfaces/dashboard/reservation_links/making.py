"""Makes an offer: for a unit that is confirmed free, filled in with what led here."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from datetime import date
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.offered_terms import OfferedTerms, offered_terms
from pms.availability.search_units import availability_of
from pms.enquiries.openings import openings
from pms.offers.create_reservation_link import CreatedLink, create_reservation_link as create_reservation_link_verb
from pms.offers.frozen_terms import usual_terms
from pms.offers.template_choices import template_choices
from pms.rules.availability import Availability
from pms.rules.days import ONE_DAY, add_months, read_day, readable
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservation_links.offer_form import OfferForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.signed_in import doorway

_USUAL_MONTHS: Final = 12
_KEPT: Final = ("moveInDate", "name", "email", "locale", "placeId", "enquiryId")


@dashboard.get("/reservation-links/new", roles=OFFICE)
def new_reservation_link() -> Response:
    """Show the form; without a unit, the units that may be offered."""
    unit_id = request.args.get("unitId")
    if not unit_id:
        return _choose()
    terms = offered_terms(reading(), unit_id)
    free = availability_of(reading(), terms.unit_id, today())
    first_on = max(free.move_in_from or today(), today())
    asked_on = readable(read_day(request.args.get("moveInDate"))) or first_on
    end_on = add_months(max(asked_on, first_on), _USUAL_MONTHS) - ONE_DAY
    return _form(OfferForm.known(request.args, first_on, end_on), terms)


@dashboard.post("/reservation-links/new", roles=OFFICE)
def create_reservation_link() -> Response:
    """Make the offer and go to its page, where its link is copied or sent."""
    form = OfferForm(request.form)
    terms = offered_terms(reading(), form.unitId.data or "")
    _offer_templates(form)
    return submitted(
        form,
        act=lambda session: create_reservation_link_verb(
            session, clock(), actor(), sealer=doorway().sealer, **form.offered
        ),
        then=_made,
        again=lambda: _form(form, terms),
    )


def _made(link: CreatedLink) -> Response:
    address = url_for("dashboard.reservation_link", reservation_link_id=link.id)
    return go(address, said=_("The offer is made. Copy its link or send it."))


def _form(form: OfferForm, terms: OfferedTerms) -> Response:
    _offer_templates(form)
    free: Availability = availability_of(reading(), terms.unit_id, today())
    return page(
        "dashboard/reservation_links/new.html",
        form=form,
        unit=terms,
        terms=usual_terms(terms),
        free=free,
        ends=_ends(form.moveInDate.data),
    )


def _offer_templates(form: OfferForm) -> None:
    form.offer_templates(template_choices(reading()), _("The usual one"))


def _choose() -> Response:
    wanted_on = readable(read_day(request.args.get("moveInDate")))
    kept = {name: request.args[name] for name in _KEPT if request.args.get(name)}
    return page(
        "dashboard/reservation_links/choose.html",
        units=[one for one in openings(reading(), today()) if one.is_confirmed],
        kept=kept,
        wanted_on=wanted_on,
    )


def _ends(move_in_on: date | None) -> list[tuple[str, str]]:
    if move_in_on is None:
        return []
    words = {3: _("3 months"), 6: _("6 months"), 12: _("1 year"), 24: _("2 years")}
    return [
        (text, (add_months(move_in_on, months) - ONE_DAY).isoformat())
        for months, text in words.items()
    ]
