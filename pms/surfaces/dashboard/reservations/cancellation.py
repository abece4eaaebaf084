"""Cancels a booking after showing what that does."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.cancel_booking import cancel_booking
from pms.arrivals.preview_cancellation import CancellationPreview, preview_cancellation
from pms.arrivals.reservation_header import reservation_header
from pms.foundation.errors import Refused
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.hypermedia import go
from pms.surfaces.refusal_wording import said


@dashboard.get("/reservations/<reservation_id>/cancellation", roles=OFFICE)
def reservation_cancellation(reservation_id: str) -> Response:
    """Show what cancelling would do."""
    return _shown(reservation_id, VersionForm())


@dashboard.post("/reservations/<reservation_id>/cancellation", roles=OFFICE)
def cancel_reservation(reservation_id: str) -> Response:
    """Cancel the booking."""
    form = VersionForm(request.form)
    return submitted(
        form,
        act=lambda session: cancel_booking(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            expected_version=form.seen,
        ),
        then=lambda _done: go(
            url_for("dashboard.reservation", reservation_id=reservation_id),
            said=_("The booking is cancelled."),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def _shown(reservation_id: str, form: VersionForm) -> Response:
    header = reservation_header(reading(), reservation_id, today())
    preview: CancellationPreview | None = None
    refusal = None
    try:
        preview = preview_cancellation(reading(), clock(), header)
    except Refused as problem:
        refusal = said(problem)
    return framed(
        reservation_id,
        "dashboard/reservations/cancellation.html",
        tab="reservation",
        header=header,
        form=form,
        preview=preview,
        refusal=refusal,
    )
