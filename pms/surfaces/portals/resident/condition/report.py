"""The report as a whole: its rooms and how far it is, sending it, and reading it afterwards."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.condition_record import ConditionRecord, condition_of_reservation
from pms.arrivals.send_condition_report import send_condition_report
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.condition.condition_form import SendingForm


def show(reservation_id: str) -> Response:
    """Show the report as far as it is, or when it can be written."""
    return _shown(reservation_id, SendingForm())


def send(reservation_id: str) -> Response:
    """Send the report; from then on it is only read."""
    form = SendingForm(request.form)
    return submitted(
        form,
        act=lambda session: send_condition_report(
            session,
            clock(),
            own.actor(),
            reservation_id=reservation_id,
            remark=form.remark.data,
        ),
        then=lambda _id: go(
            url_for(".condition", reservation_id=reservation_id),
            said=_("Your report is sent. Thank you."),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def invitation(reservation_id: str) -> ConditionRecord | None:
    """Return the report that the home page leads to: one to be written, or one that was sent."""
    found = condition_of_reservation(reading(), reservation_id)
    is_open = found.window is not None and found.window.is_open(today())
    return found if is_open or found.sent_at else None


def _shown(reservation_id: str, form: SendingForm) -> Response:
    return page(
        "portals/resident/condition/report.html",
        tenancy=own.tenancy(reservation_id),
        report=condition_of_reservation(reading(), reservation_id),
        form=form,
        today=today(),
    )
