"""Corrects the dates of a contract, with what that bills known before it is saved."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.correct_dates import correct_dates as correct_dates_verb
from pms.arrivals.preview_dates import DatesPreview, preview_dates as preview_dates_verb
from pms.arrivals.reservation_facts import ReservationFacts, reservation_facts
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.reservations.dates_form import DatesForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.previewing import Shown, shown_or_refused
from pms.surfaces.hypermedia import go

_TEMPLATE = "dashboard/reservations/dates.html"


@dashboard.get("/reservations/<reservation_id>/dates", roles=OFFICE)
def reservation_dates(reservation_id: str) -> Response:
    """Show the dates, ready to be corrected."""
    facts = reservation_facts(reading(), reservation_id, today())
    return _shown(reservation_id, facts, Edit.of(DatesForm.of(facts), facts.version))


@dashboard.post("/reservations/<reservation_id>/dates/preview", roles=OFFICE)
def preview_dates(reservation_id: str) -> Response:
    """Show what the dates as typed would add, remove and reprice."""
    form = DatesForm(request.form)
    edit = Edit.typed(form, request.form)
    facts = reservation_facts(reading(), reservation_id, today())
    found = Shown[DatesPreview]()
    if form.validate():
        found = shown_or_refused(
            form,
            lambda: preview_dates_verb(
                reading(), clock(), reservation_id=reservation_id, **form.corrections(facts)
            ),
        )
    return _shown(reservation_id, facts, edit, found, block="preview")


@dashboard.post("/reservations/<reservation_id>/dates", roles=OFFICE)
def correct_dates(reservation_id: str) -> Response:
    """Correct the dates and everything that was billed by the wrong ones."""
    form = DatesForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> None:
        now = reservation_facts(session, reservation_id, today())
        recorded = Edit.of(DatesForm.of(now), now.version)
        edit.merge(session, recorded, subject=("reservation", reservation_id))
        correct_dates_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            expected_version=now.version,
            **form.corrections(now),
        )

    return submitted(
        form,
        act=act,
        then=lambda _done: go(
            url_for("dashboard.reservation_dates", reservation_id=reservation_id),
            said=edit.said(_("The dates are corrected.")),
        ),
        again=lambda: _shown(
            reservation_id, reservation_facts(reading(), reservation_id, today()), edit
        ),
    )


def _shown(
    reservation_id: str,
    facts: ReservationFacts,
    edit: Edit,
    found: Shown[DatesPreview] | None = None,
    block: str = "tab",
) -> Response:
    return framed(
        reservation_id,
        _TEMPLATE,
        tab="reservation_dates",
        block=block,
        is_preview=block == "preview",
        facts=facts,
        edit=edit,
        form=edit.form,
        found=found or Shown(),
    )
