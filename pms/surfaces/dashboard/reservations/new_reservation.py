"""Takes a booking: where and when, who, at which price, with what it will bill shown beside it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from datetime import date

from flask import Response, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from pms.arrivals.book_once import book_once
from pms.arrivals.booking import BookingFacts
from pms.arrivals.conflicting_stays import next_start
from pms.arrivals.offered_terms import OfferedTerms, offered_terms
from pms.arrivals.write_booking import Booked
from pms.availability.search_units import availability_of
from pms.contracts.merge_contract import refuse_endless
from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.days import ONE_DAY, add_months, read_day, readable
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.booking_form import BookingForm
from pms.surfaces.dashboard.reservations.booking_preview import previewed
from pms.surfaces.dashboard.reservations.place import choose_place
from pms.surfaces.hypermedia import go, is_part, page_or_block

_USUAL_MONTHS = 12


@dashboard.get("/reservations/new", roles=OFFICE)
def new_reservation() -> Response:
    """Show the form, filled in as far as the unit and the day say; without a unit, choose one."""
    unit_id = request.args.get("unitId")
    if not unit_id:
        return choose_place()
    terms = offered_terms(reading(), unit_id)
    asked_on = readable(read_day(request.args.get("moveInDate")))
    move_in_on = asked_on or _first_free_day(terms)
    end_on = readable(read_day(request.args.get("contractEndDate")))
    if "contractEndDate" not in request.args:
        end_on = _usual_end(terms, move_in_on)
    form = BookingForm.offered(terms, move_in_on, end_on, new_id())
    return _shown(terms, form)


@dashboard.post("/reservations/new/preview", roles=OFFICE)
def preview_reservation() -> Response:
    """Show what the form as typed so far would bill, or what stands against it."""
    terms, form = _typed(request.form)
    form.validate()
    # Who it is for is often typed last, and bills nothing.
    if not form.name.data:
        form.name.errors = ()
    return _shown(terms, form, block="preview")


@dashboard.post("/reservations/new", roles=OFFICE)
def book_reservation() -> Response:
    """Make the reservation; the same form sent again leads to the same reservation."""
    terms, form = _typed(request.form)
    return submitted(
        form,
        act=lambda session: _booked_once(session, form, form.facts(terms)),
        then=lambda booked: _booked(form.newReservationId.data or "", booked),
        again=lambda: _shown(terms, form),
    )


def _booked_once(
    session: WorkspaceSession, form: BookingForm, facts: BookingFacts
) -> Booked | None:
    refuse_endless(session, facts["kind"], facts.get("contract_end_date"))
    id_ = form.newReservationId.data or ""
    return book_once(session, clock(), actor(), new_reservation_id=id_, **facts)


def _typed(given: MultiDict[str, str]) -> tuple[OfferedTerms, BookingForm]:
    terms = offered_terms(reading(), given.get("unitId", ""))
    return terms, BookingForm.typed(given, terms)


def _booked(reservation_id: str, booked: Booked | None) -> Response:
    said = _("This booking was made already.") if booked is None else _("The unit is booked.")
    return go(url_for("dashboard.reservation", reservation_id=reservation_id), said=said)


def _shown(terms: OfferedTerms, form: BookingForm, block: str = "booking") -> Response:
    return page_or_block(
        "dashboard/reservations/new.html",
        block,
        terms=terms,
        form=form,
        preview=previewed(terms, form),
        presets=_presets(form.moveInDate.data),
        is_alone=block == "preview" and is_part(),
    )


def _first_free_day(terms: OfferedTerms) -> date:
    """Today, or the day of a notice that was filed."""
    free_on = availability_of(reading(), terms.unit_id, today()).move_in_from
    return max(free_on or today(), today())


def _usual_end(terms: OfferedTerms, move_in_on: date) -> date:
    """A year, or as long as the unit is free."""
    usual = add_months(move_in_on, _USUAL_MONTHS) - ONE_DAY
    following = next_start(reading(), terms.unit_id, move_in_on)
    return usual if following is None else min(usual, following - ONE_DAY)


def _presets(move_in_on: date | None) -> list[tuple[str, str]]:
    if move_in_on is None:
        return []
    words = {1: _("1 month"), 3: _("3 months"), 6: _("6 months"), 12: _("1 year")}
    return [
        (text, (add_months(move_in_on, months) - ONE_DAY).isoformat())
        for months, text in words.items()
    ]
