"""The list of reservations: find a tenancy."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from urllib.parse import urlencode

from flask import Response, request, url_for

from pms.arrivals.list_reservations import ListedReservation, list_reservations
from pms.catalogue.building_names import building_names
from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.reservations.list_form import Chip, ListForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/reservations", roles=OFFICE)
def reservations() -> Response:
    """Show one page of what the filters ask for; a filter that cannot be read is told, not left."""
    form = ListForm(request.args)
    language = chosen_language()
    form.offer((one.id, one.name.said(language) or "") for one in building_names(reading()))
    is_sound = form.validate()
    paging = asked_paging()
    found, total = _found(form, paging) if is_sound else ((), 0)
    response = page_or_block(
        "dashboard/reservations/list.html",
        "results",
        form=form,
        chips=[(chip.text, _without(chip)) for chip in form.chips()] if is_sound else (),
        reservations=found,
        total=total,
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def _found(form: ListForm, paging: Paging) -> tuple[Sequence[ListedReservation], int]:
    return list_reservations(reading(), form.search_for(), today(), paging)


def _without(chip: Chip) -> str:
    kept = {name: text for name, text in request.args.items() if name != "page" and text}
    changed = {**kept, **_cleared(), **chip.without}
    stays = {name: text for name, text in changed.items() if text is not None}
    return f"{url_for('dashboard.reservations')}?{urlencode(stays)}"


def _cleared() -> dict[str, str]:
    """The one filter that says something when it stands empty."""
    name = "excludeRecords"
    return {name: request.args[name]} if name in request.args else {}
