"""What a room or occupant change would do, shown beside its form."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from flask import Response

from pms.arrivals.amend import AmendedFacts
from pms.arrivals.conflicting_stays import conflicting_stays
from pms.arrivals.followed_residents import FollowedResident, residents_followed
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
    # What it does is shown before anybody agrees to anything.
    facts: AmendedFacts = {
        **form.facts(header, terms),
        "follows": [one.reservation_id for one in _followed(header, terms, form)],
    }
    return shown_or_refused(
        form,
        lambda: preview_amendment(
            reading(),
            clock(),
            reservation_id=header.id,
            last_on=form.last_on,
            moves_overpayment=form.movesOverpayment.data,
            **facts,
        ),
    )


def _followed(
    header: ReservationHeader, terms: OfferedTerms, form: AmendmentForm
) -> Sequence[FollowedResident]:
    from_on, end_on = form.fromOn.data, form.contractEndDate.data
    if from_on is None:
        return ()
    return residents_followed(
        reading(), terms.unit_id, from_on, end_on, today(), beside=(header.id,)
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
    followed = _followed(header, terms, form)
    form.ask_agreement(followed)
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
        followed=followed,
    )
