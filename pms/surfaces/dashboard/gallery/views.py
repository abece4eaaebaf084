"""The gallery: one page, no data of the workspace."""

from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from flask import Response
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from pms.foundation.paging import Paging
from pms.surfaces.dashboard.desk import today
from pms.surfaces.dashboard.gallery.specimen_form import SpecimenForm
from pms.surfaces.dashboard.gallery.specimens import MONTHS, OCCUPANCY, RESULT, RUNS
from pms.surfaces.hypermedia import Undo, page

_REFUSED = {
    "name": "",
    "amountYen": "86,00.5",
    "moveOutDate": "2026-13-40",
    "code": "12 34",
    "percent": "140",
    "building": "nowhere",
    "reason": "nothing",
}


@dashboard.get("/gallery", roles=EVERYBODY)
def gallery() -> Response:
    """Show every component in every state."""
    refused = SpecimenForm(MultiDict(_REFUSED))
    refused.validate()
    refused.form_errors.append(_("The unit was let to someone else a moment ago."))
    filled = SpecimenForm(data={"amountYen": 93_000, "moveOutDate": today(), "reason": "work"})
    return page(
        "dashboard/gallery/page.html",
        empty_form=SpecimenForm(prefix="empty-"),
        filled_form=filled,
        refused_form=refused,
        months=MONTHS,
        result=RESULT,
        occupancy=OCCUPANCY,
        runs=RUNS,
        paging=Paging(page=3, limit=50),
        undo=Undo(action="#", fields={"version": "3"}),
        on=today(),
    )
