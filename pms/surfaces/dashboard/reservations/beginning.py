"""Moves a booking on: confirms it, moves somebody in."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Callable
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.confirm_booking import confirm_booking
from pms.arrivals.move_in import move_in as let_move_in
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.hypermedia import go


@dashboard.post("/reservations/<reservation_id>/confirmation", roles=OFFICE)
def confirm_reservation(reservation_id: str) -> Response:
    """Confirm a booking whose contract is signed and whose invoice is paid."""
    return _moved_on(reservation_id, confirm_booking, _("The booking is confirmed."))


@dashboard.post("/reservations/<reservation_id>/move-in", roles=OFFICE)
def move_in_reservation(reservation_id: str) -> Response:
    """Let somebody live there from their start on."""
    return _moved_on(reservation_id, let_move_in, _("Moved in."))


def _moved_on(reservation_id: str, deed: Callable[..., Any], said: str) -> Response:
    form = VersionForm(request.form)
    return submitted(
        form,
        act=lambda session: deed(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            expected_version=form.seen,
        ),
        then=lambda _done: go(
            url_for("dashboard.reservation", reservation_id=reservation_id), said=said
        ),
        again=lambda: framed(
            reservation_id, "dashboard/reservations/refused.html", tab="reservation", form=form
        ),
    )
