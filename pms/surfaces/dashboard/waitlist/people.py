"""Those who wait, beside the units that are free or may become free."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.enquiries.close_waitlist_place import close_waitlist_place as close_waitlist_place_verb
from pms.enquiries.offer_waitlist_place import offer_waitlist_place as offer_waitlist_place_verb
from pms.enquiries.openings import Opening, openings
from pms.enquiries.waitlist import CLOSED, OPEN, WaitingPerson, waitlist as waitlist_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import go, page_or_block

_TEMPLATE: Final = "dashboard/waitlist/page.html"
_MOST_MATCHES: Final = 3
_OFFERING: Final = "dashboard.new_reservation_link"


@dashboard.get("/waitlist", roles=OFFICE)
def waitlist() -> Response:
    """Show who waits, each with the units that suit; the closed ones when asked for."""
    return _shown(Form())


@dashboard.post("/waitlist/<place_id>/offer", roles=OFFICE)
def offer_waitlist_place(place_id: str) -> Response:
    """Note that a unit was offered."""
    return _moved(offer_waitlist_place_verb, place_id, _("Noted as offered."))


@dashboard.post("/waitlist/<place_id>/closure", roles=OFFICE)
def close_waitlist_place(place_id: str) -> Response:
    """Take somebody off the waitlist."""
    return _moved(close_waitlist_place_verb, place_id, _("Taken off the waitlist."))


def _moved(deed: Callable[..., None], place_id: str, said: str) -> Response:
    form = Form()
    return submitted(
        form,
        act=lambda session: deed(session, clock(), actor(), place_id=place_id),
        then=lambda _none: go(url_for("dashboard.waitlist"), said=said),
        again=lambda: _shown(form),
    )


def _shown(form: Form) -> Response:
    is_closed = request.args.get("state") == "closed"
    paging = asked_paging()
    found = waitlist_verb(reading(), CLOSED if is_closed else OPEN, paging)
    free = [] if is_closed else openings(reading(), today())
    return page_or_block(
        _TEMPLATE,
        "people",
        form=form,
        is_closed=is_closed,
        found=found,
        matches=_matches(found.people, free),
        soft=[one for one in free if not one.is_confirmed],
        confirmed=[one for one in free if one.is_confirmed],
        paging=paging,
        offer_at=_offer_at,
    )


def _offer_at(person: WaitingPerson, opening: Opening) -> str | None:
    """Where a unit is offered by a link; a day that is only soft is never filled in."""
    if _OFFERING not in current_app.view_functions or not opening.is_confirmed:
        return None
    return url_for(
        _OFFERING,
        unitId=opening.unit_id,
        moveInDate=max(opening.on, person.wanted_from_on).isoformat(),
        name=person.name,
        email=person.email,
        placeId=person.id,
    )


def _matches(
    people: Sequence[WaitingPerson], free: Sequence[Opening]
) -> Mapping[str, Sequence[Opening]]:
    """The few units that suit each best, the earliest first."""
    return {
        person.id: [one for one in free if person.suits(one)][:_MOST_MATCHES] for person in people
    }
