"""What a room or occupant change would do, shown beside its form."""

from dataclasses import replace
from datetime import date

from flask import Response

from pms.arrivals.conflicting_stays import conflicting_stays
from pms.arrivals.offered_terms import OfferedTerms, offered_terms
from pms.arrivals.preview_amendment import AmendmentPreview, preview_amendment
from pms.arrivals.price_history import price_history
from pms.arrivals.reservation_header import ReservationHeader
from pms.surfaces.dashboard.desk import clock, reading, today
from pms.surfaces.dashboard.reservations.amendment_form import AmendmentForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.previewing import Shown, shown_or_refused


def terms_of(header: ReservationHeader, unit_id: str) -> OfferedTerms:
    """The terms of another unit, or those in force where the room stays the same."""
    terms = offered_terms(reading(), unit_id)
    if terms.unit_id != header.unit_id:
        return terms
    history = price_history(reading(), header.id, today())
    return replace(terms, amounts=history.amounts, fees=history.offered)


def previewed(
    header: ReservationHeader, terms: OfferedTerms, form: AmendmentForm
) -> Shown[AmendmentPreview]:
    """Return what the change would do, or place its refusal in the form."""
    return shown_or_refused(
        form,
        lambda: preview_amendment(
            reading(),
            clock(),
            reservation_id=header.id,
            last_on=form.last_on,
            **form.facts(header, terms),
        ),
    )


def shown(
    header: ReservationHeader,
    terms: OfferedTerms,
    form: AmendmentForm,
    found: Shown[AmendmentPreview] | None = None,
    block: str = "tab",
) -> Response:
    """Show the form, what it would do, and who is in the way."""
    from_on: date | None = form.fromOn.data
    end_on = form.contractEndDate.data
    met = (
        conflicting_stays(reading(), terms.unit_id, from_on, end_on, today(), beside=(header.id,))
        if from_on
        else ()
    )
    return framed(
        header.id,
        "dashboard/reservations/amendment.html",
        tab="reservation",
        header=header,
        block=block,
        is_preview=block == "preview",
        terms=terms,
        form=form,
        found=found or Shown(),
        conflicts=met,
    )
