"""Moves a tenancy to another room or occupant: the old record ends, a new one goes on."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.amend import Amended, amend
from pms.arrivals.offered_terms import OfferedTerms
from pms.arrivals.reservation_header import ReservationHeader, reservation_header
from pms.rules.days import ONE_DAY, read_day, readable
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.amendment_form import AmendmentForm
from pms.surfaces.dashboard.reservations.amendment_preview import previewed, shown, terms_of
from pms.surfaces.dashboard.reservations.new_room import choose_room
from pms.surfaces.hypermedia import go


@dashboard.get("/reservations/<reservation_id>/amendment", roles=OFFICE)
def reservation_amendment(reservation_id: str) -> Response:
    """Show the change into the unit asked for, previewed; without one, the units to choose from."""
    header = reservation_header(reading(), reservation_id, today())
    unit_id = request.args.get("unitId")
    if not unit_id:
        return choose_room(header)
    terms = terms_of(header, unit_id)
    from_on = readable(read_day(request.args.get("fromOn"))) or today() + ONE_DAY
    form = AmendmentForm.begun(header, terms, from_on)
    # The same room needs another name first, so there is nothing to preview yet.
    is_room_change = terms.unit_id != header.unit_id
    return shown(header, terms, form, previewed(header, terms, form) if is_room_change else None)


@dashboard.post("/reservations/<reservation_id>/amendment/preview", roles=OFFICE)
def preview_amendment(reservation_id: str) -> Response:
    """Show what the change as typed would end, write and move."""
    header, terms, form = _typed(reservation_id)
    found = previewed(header, terms, form) if form.validate() else None
    return shown(header, terms, form, found, block="preview")


@dashboard.post("/reservations/<reservation_id>/amendment", roles=OFFICE)
def amend_reservation(reservation_id: str) -> Response:
    """End the old record and book the new one."""
    header, terms, form = _typed(reservation_id)
    return submitted(
        form,
        act=lambda session: amend(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            last_on=form.last_on,
            expected_version=form.seen,
            moves_overpayment=form.movesOverpayment.data,
            **form.facts(header, terms),
        ),
        then=_amended,
        again=lambda: shown(header, terms, form),
    )


def _typed(reservation_id: str) -> tuple[ReservationHeader, OfferedTerms, AmendmentForm]:
    header = reservation_header(reading(), reservation_id, today())
    terms = terms_of(header, request.form.get("unitId", ""))
    return header, terms, AmendmentForm.typed(request.form, terms)


def _amended(done: Amended) -> Response:
    new_id = done.booked.reservation_id
    said = (
        _("The tenancy goes on here; the deposit moved along.")
        if done.is_deposit_moved
        else _("The tenancy goes on here; its deposit moves on the first day.")
    )
    return go(url_for("dashboard.reservation", reservation_id=new_id), said=said)
