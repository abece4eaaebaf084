"""Who lives with a resident: read here, changed by the office, asked for in a conversation."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.reservations.co_occupants import co_occupants
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.profile.profile_form import PeopleForm
from pms.upkeep.open_ticket import open_ticket


def show(reservation_id: str) -> Response:
    """Show who is named, and ask what should change."""
    return _shown(reservation_id, PeopleForm())


def ask(reservation_id: str) -> Response:
    """Tell the office what should change."""
    form = PeopleForm(request.form)
    return submitted(
        form,
        act=lambda session: open_ticket(
            session,
            clock(),
            own.actor(),
            reservation_id=reservation_id,
            subject=_("Who lives in my home"),
            text=form.text.data,
        ),
        then=lambda ticket_id: go(
            url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id),
            said=_("Sent to the office."),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def _shown(reservation_id: str, form: PeopleForm) -> Response:
    return page(
        "portals/resident/people.html",
        tenancy=own.tenancy(reservation_id),
        form=form,
        people=co_occupants(reading(), reservation_id),
    )
