"""What a booking as typed so far would bill, and what stands against it."""

from collections.abc import Sequence
from typing import NamedTuple

from pms.arrivals.booking import BookingFacts
from pms.arrivals.conflicting_stays import ConflictingStay, conflicting_stays
from pms.arrivals.followed_residents import FollowedResident, residents_followed
from pms.arrivals.offered_terms import OfferedTerms
from pms.arrivals.preview_booking import preview_booking
from pms.contracts.merge_contract import refuse_endless
from pms.foundation.errors import Refused
from pms.ledger.planned_entries import PlannedEntry
from pms.surfaces.dashboard.desk import clock, reading, today
from pms.surfaces.dashboard.reservations.booking_form import BookingForm
from pms.surfaces.refusal_wording import said


class BookingPreview(NamedTuple):
    """The move-in invoice, or why there is none; the stays in the way come with their names.

    `followed` are those before it who filed no notice, so that the unit is not free.
    """

    invoice: PlannedEntry | None
    refusal: str | None
    conflicts: Sequence[ConflictingStay]
    followed: Sequence[FollowedResident] = ()


def previewed(terms: OfferedTerms, form: BookingForm) -> BookingPreview:
    """Return the preview; a form whose days cannot be read has none."""
    first_on, last_on = form.moveInDate.data, form.contractEndDate.data
    if first_on is None:
        return BookingPreview(None, None, ())
    met = conflicting_stays(reading(), terms.unit_id, first_on, last_on, today())
    if met:
        return BookingPreview(None, None, met)
    followed = residents_followed(reading(), terms.unit_id, first_on, last_on, today())
    form.ask_agreement(followed)
    # What it bills is shown before anybody agrees to anything.
    facts: BookingFacts = {
        **form.facts(terms),
        "follows": [one.reservation_id for one in followed],
    }
    try:
        refuse_endless(reading(), facts["kind"], last_on)
        plan = preview_booking(reading(), clock(), **facts)
    except Refused as problem:
        return BookingPreview(None, said(problem), (), followed)
    return BookingPreview(plan.invoice, None, (), followed)
