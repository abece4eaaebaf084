"""One report: what is wrong and where, its pictures, and what became of it."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from typing import Any

from flask import Response

from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.requests.conversations import conversations_about
from pms.surfaces.dashboard.requests.picture_form import PicturesForm
from pms.surfaces.hypermedia import page
from pms.upkeep.request_list import RequestSearch, request_list
from pms.upkeep.request_record import RequestRecord, request_record
from pms.upkeep.upkeep_photos import REQUEST, photos_of


@dashboard.get("/requests/<request_id>", roles=MAINTENANCE)
def request(request_id: str) -> Response:
    """Show the report."""
    return shown(request_id, PicturesForm())


def shown(request_id: str, form: Any) -> Response:
    """Show the report with the form for more pictures."""
    found = request_record(reading(), request_id)
    return page(
        "dashboard/requests/request.html",
        found=found,
        form=form,
        twins=[one for one in _of_unit(found) if one.id != found.id],
        photos=photos_of(reading(), REQUEST, [found.id]).get(found.id, ()),
        tickets=conversations_about(request_id=found.id),
    )


def _of_unit(found: RequestRecord) -> list[RequestRecord]:
    if not found.unit_id:
        return []
    search = RequestSearch(unit_id=found.unit_id)
    return list(request_list(reading(), search, Paging(1, 6)).requests)
