"""One enquiry: who asks for what, what was said, and what else is known of the person."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any, Final, NamedTuple

from flask import Response, current_app, url_for

from pms.availability.explain_unit import ExplainedUnit, explain_unit
from pms.enquiries.enquiry_record import EnquiryRecord, enquiry_record
from pms.enquiries.office_people import office_people
from pms.rules.enquiry_steps import CLOSED, next_states, reopened
from pms.rules.enumerations import EnquiryState
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.enquiries.acting_form import ActingForm
from pms.surfaces.dashboard.units.reasons import reason_words
from pms.surfaces.hypermedia import page_or_block

_OFFERING: Final = "dashboard.new_reservation_link"


class WantedUnit(NamedTuple):
    """The unit somebody asks for: its label, and the fact behind it in words."""

    explained: ExplainedUnit
    reason: str


@dashboard.get("/enquiries/<enquiry_id>", roles=OFFICE)
def enquiry(enquiry_id: str) -> Response:
    """Show the enquiry."""
    return shown(enquiry_id, ActingForm.fresh())


def shown(enquiry_id: str, form: ActingForm) -> Response:
    """Show the enquiry with an answer or a note as far as it is typed."""
    record = enquiry_record(reading(), enquiry_id)
    people = office_people(reading())
    form.offer(people, record.enquiry.assignee_id)
    unit = _unit(record)
    return page_or_block(
        "dashboard/enquiries/enquiry.html",
        "enquiry",
        record=record,
        one=record.enquiry,
        form=form,
        unit=unit,
        steps=_steps(record),
        offer_at=_offer_at(record, unit),
    )


def _steps(record: EnquiryRecord) -> tuple[EnquiryState, ...]:
    """Where it may be moved by a button: a closed one opens again where it stood, answered or not."""
    one = record.enquiry
    if one.state in CLOSED:
        return (reopened(was_answered=one.answered_at is not None),)
    return next_states(one.state)


def _unit(record: EnquiryRecord) -> WantedUnit | None:
    if record.enquiry.unit_id is None:
        return None
    explained = explain_unit(reading(), record.enquiry.unit_id, today())
    return WantedUnit(explained, reason_words(explained.reason))


def _offer_at(record: EnquiryRecord, unit: WantedUnit | None) -> str | None:
    """Where a unit is offered; the day to move in is filled in only when it is certain."""
    if _OFFERING not in current_app.view_functions:
        return None
    one = record.enquiry
    asked: dict[str, Any] = {"enquiryId": one.id, "name": one.name, "email": one.email}
    free_on = unit.explained.availability.move_in_from if unit else None
    if unit is not None:
        asked["unitId"] = one.unit_id
    if free_on is not None:
        asked["moveInDate"] = max(free_on, one.move_in_on or free_on).isoformat()
    return url_for(_OFFERING, **asked)
