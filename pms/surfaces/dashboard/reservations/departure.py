"""The departure of a reservation: notice, month to month, expected departure on one tab."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response

from pms.arrivals.reservation_header import reservation_header
from pms.departures.departure_facts import DepartureFacts, departure_facts
from pms.departures.preview_notice import NoticePreview, preview_notice
from pms.foundation.errors import Refused
from pms.rules.days import month_last, readable
from pms.surfaces.dashboard.desk import clock, reading, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.notice_form import ExpectedForm, NoticeForm
from pms.surfaces.dashboard.reservations.previewing import Shown
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.refusal_wording import said


@dashboard.get("/reservations/<reservation_id>/departure", roles=OFFICE)
def reservation_departure(reservation_id: str) -> Response:
    """Show how the tenancy ends as things stand, and what a notice of today would cost."""
    form = notice_form(departure_facts(reading(), reservation_id, today()))
    return departure(reservation_id, form, found=_begun(reservation_id, form))


def _begun(reservation_id: str, form: NoticeForm) -> Shown[NoticePreview]:
    """What the day the form begins with would cost; where none can be filed, nothing."""
    day = form.moveOutDate.data
    if day is None:
        return Shown()
    try:
        return Shown(
            preview_notice(reading(), clock(), reservation_id=reservation_id, move_out_on=day)
        )
    except Refused:
        return Shown()


def departure(
    reservation_id: str,
    form: NoticeForm | None = None,
    *,
    expected_form: ExpectedForm | None = None,
    state_form: VersionForm | None = None,
    found: Shown[NoticePreview] | None = None,
    block: str = "tab",
) -> Response:
    """Show the tab with its forms as they stand."""
    facts = departure_facts(reading(), reservation_id, today())
    state = facts.month_to_month
    shown: dict[str, Any] = {
        "header": reservation_header(reading(), reservation_id, today()),
        "facts": facts,
        "form": form or notice_form(facts),
        "expected_form": expected_form or _expected_form(facts),
        "state_form": state_form or VersionForm(data={"version": facts.version}),
        "unforceable": said(state.unforceable) if state and state.unforceable else None,
        "month_end": month_last(today()),
        "now_on": today(),
        "found": found or Shown(),
        "is_preview": block == "preview",
    }
    return framed(
        reservation_id,
        "dashboard/reservations/departure.html",
        tab="reservation_departure",
        block=block,
        **shown,
    )


def notice_form(facts: DepartureFacts) -> NoticeForm:
    """Return the form of a first notice, or of the edit of the one in force."""
    if facts.notice is None:
        return NoticeForm(data={"version": facts.version, "moveOutDate": facts.free_on})
    notice = facts.notice
    return NoticeForm(data={"version": notice.version, "moveOutDate": notice.move_out_on})


def _expected_form(facts: DepartureFacts) -> ExpectedForm:
    expected_on = readable(facts.expected_departure_on)
    return ExpectedForm(data={"version": facts.version, "expectedDepartureDate": expected_on})
