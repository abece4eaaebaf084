"""The inbox of reports: what came in, filtered, with others of the same unit counted."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request

from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.requests.inbox_form import InboxForm
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.upkeep.request_list import FoundRequests, open_twins, request_list
from pms.upkeep.upkeep_photos import REQUEST, photos_of


@dashboard.get("/requests", roles=MAINTENANCE)
def requests() -> Response:
    """Show one page of the reports; a filter that cannot be read is told."""
    form = InboxForm(request.args)
    form.offer()
    is_sound, paging = form.validate(), asked_paging()
    found = _found(form, paging) if is_sound else FoundRequests((), 0)
    response = page_or_block(
        "dashboard/requests/inbox.html",
        "results",
        form=form,
        found=found,
        twins=open_twins(reading(), found.requests),
        photos=photos_of(reading(), REQUEST, [one.id for one in found.requests]),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


def _found(form: InboxForm, paging: Paging) -> FoundRequests:
    return request_list(reading(), form.search_for, paging)
