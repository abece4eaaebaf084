"""Chooses the reservation that belongs beside a conversation."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.list_reservations import ListedReservation, list_reservations
from pms.arrivals.reservation_search import ReservationSearch
from pms.channels.conversation_record import conversation_record
from pms.channels.link_conversation import link_conversation as link_conversation_verb
from pms.foundation.paging import Paging
from pms.reservations.list_residents import ResidentSearch
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.inbox.choosing_form import StayChoiceForm
from pms.surfaces.dashboard.inbox.reaching import inbox_reach
from pms.surfaces.hypermedia import go, page_or_block

_FEW: Final = 20


@dashboard.get("/inbox/<conversation_id>/reservation", roles=OFFICE)
def stay_of_conversation(conversation_id: str) -> Response:
    """Show the reservations that the words find; the person's own name is looked for first."""
    record = conversation_record(reading(), conversation_id, inbox_reach())
    form = StayChoiceForm(request.args)
    if "search" not in request.args:
        form.search.data = record.name
    return _shown(conversation_id, form)


@dashboard.post("/inbox/<conversation_id>/reservation", roles=OFFICE)
def link_conversation(conversation_id: str) -> Response:
    """Put the reservation beside it, or take away the one that is there."""
    form, chosen = StayChoiceForm(), request.form.get("reservationId") or None
    said = _("The reservation stands beside it now.") if chosen else _("The reservation is gone.")
    return submitted(
        form,
        act=lambda session: link_conversation_verb(
            session, clock(), actor(), conversation_id=conversation_id, reservation_id=chosen
        ),
        then=lambda _none: go(
            url_for("dashboard.conversation", conversation_id=conversation_id), said=said
        ),
        again=lambda: _shown(conversation_id, form),
    )


def _shown(conversation_id: str, form: StayChoiceForm) -> Response:
    record = conversation_record(reading(), conversation_id, inbox_reach())
    rows: Sequence[ListedReservation] = ()
    total = 0
    if form.validate() and form.search.data:
        search = ReservationSearch(residents=ResidentSearch(search=form.search.data))
        rows, total = list_reservations(reading(), search, today(), Paging(1, _FEW))
    return page_or_block(
        "dashboard/inbox/stay_choice.html",
        "results",
        record=record,
        form=form,
        found=rows,
        total=total,
    )
