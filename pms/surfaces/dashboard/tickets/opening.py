"""Begins a conversation with the resident of a reservation."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.reservation_header import reservation_header
from pms.rules.enumerations import TicketSide
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.tickets.opening_form import OpeningForm
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.open_ticket import open_ticket as open_ticket_verb


@dashboard.get("/tickets/new", roles=OFFICE)
def new_ticket() -> Response:
    """Show the empty form for the resident named in the address."""
    asked = {name: request.args.get(name) for name in ("reservationId", "projectId", "subject")}
    return _shown(OpeningForm(data=asked))


@dashboard.post("/tickets", roles=OFFICE)
def open_ticket() -> Response:
    """Open the conversation and show it."""
    form = OpeningForm(request.form)
    return submitted(
        form,
        act=lambda session: open_ticket_verb(
            session,
            clock(),
            actor(),
            reservation_id=form.reservationId.data or "",
            subject=form.subject.data,
            text=form.text.data,
            project_id=form.projectId.data or None,
            side=TicketSide.STAFF,
        ),
        then=lambda ticket_id: go(
            url_for("dashboard.ticket", ticket_id=ticket_id), said=_("The conversation is open.")
        ),
        again=lambda: _shown(form),
    )


def _shown(form: OpeningForm) -> Response:
    asked = form.reservationId.data
    resident = reservation_header(reading(), asked, today()) if asked else None
    return page_or_block("dashboard/tickets/new.html", "opening", form=form, resident=resident)
