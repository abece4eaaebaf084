"""One viewing: who comes, where, when, and what may be said about the unit."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.enquiries.viewing_list import viewing_record
from pms.rules.viewing_steps import may_change, may_end
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.viewings.result_form import ResultForm
from pms.surfaces.dashboard.viewings.shown_unit import shown_unit
from pms.surfaces.hypermedia import page


@dashboard.get("/viewings/<viewing_id>", roles=OFFICE)
def viewing(viewing_id: str) -> Response:
    """Show the viewing."""
    return shown(viewing_id, None)


def shown(viewing_id: str, form: ResultForm | None) -> Response:
    """Show the viewing with a result as far as it is typed."""
    one = viewing_record(reading(), viewing_id)
    return page(
        "dashboard/viewings/viewing.html",
        one=one,
        form=form or ResultForm(data={"result": one.status.value, "note": one.note}),
        unit=shown_unit(one.unit_id),
        may_change=may_change(one.status),
        may_end=may_end(one.status, one.starts_at, today()),
    )
