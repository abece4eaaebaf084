"""Forces a tenancy month to month or clears that, and notes an expected departure."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Callable
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.departures.departure_facts import departure_facts
from pms.departures.record_expected_departure import record_expected_departure
from pms.reservations.clear_forced_month_to_month import clear_forced_month_to_month
from pms.reservations.force_month_to_month import force_month_to_month as force_month_to_month_verb
from pms.rules.days import readable
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.departure import departure
from pms.surfaces.dashboard.reservations.notice_form import ExpectedForm
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.hypermedia import Undo, go


@dashboard.post("/reservations/<reservation_id>/forced-month-to-month", roles=OFFICE)
def force_month_to_month(reservation_id: str) -> Response:
    """Bill full months open-ended from today on, and hold the unit."""
    said = _("The tenancy is month to month until the flag is cleared.")
    return _set(reservation_id, force_month_to_month_verb, said, "clear_month_to_month")


@dashboard.post("/reservations/<reservation_id>/followed-dates", roles=OFFICE)
def clear_month_to_month(reservation_id: str) -> Response:
    """Let the tenancy follow its dates again."""
    said = _("The tenancy follows its dates again.")
    return _set(reservation_id, clear_forced_month_to_month, said, "force_month_to_month")


@dashboard.post("/reservations/<reservation_id>/expected-departure", roles=OFFICE)
def expect_departure(reservation_id: str) -> Response:
    """Note when the resident said they will leave, or take it back."""
    form = ExpectedForm(request.form)
    before = readable(departure_facts(reading(), reservation_id, today()).expected_departure_on)
    fields = {"expectedDepartureDate": before.isoformat() if before else ""}
    undo = Undo(url_for("dashboard.expect_departure", reservation_id=reservation_id), fields)
    return submitted(
        form,
        act=lambda session: record_expected_departure(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            expected_departure_on=form.expectedDepartureDate.data,
            expected_version=form.seen,
        ),
        then=lambda _done: _back(reservation_id, _("The expected departure is saved."), undo),
        again=lambda: departure(reservation_id, expected_form=form),
    )


def _set(
    reservation_id: str, deed: Callable[..., Any], said: str, opposite_endpoint: str
) -> Response:
    form = VersionForm(request.form)
    opposite = url_for(f"dashboard.{opposite_endpoint}", reservation_id=reservation_id)
    return submitted(
        form,
        act=lambda session: deed(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            expected_version=form.seen,
        ),
        then=lambda _done: _back(reservation_id, said, Undo(opposite, {})),
        again=lambda: departure(reservation_id, state_form=form),
    )


def _back(reservation_id: str, said: str, undo: Undo) -> Response:
    address = url_for("dashboard.reservation_departure", reservation_id=reservation_id)
    return go(address, said=said, undo=undo)
