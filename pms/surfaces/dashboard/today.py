"""The first page after signing in: what waits, the most urgent first."""

from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.availability import occupancy
from pms.foundation.runs import newest_run
from pms.ledger import debts
from pms.rules.contract_dates import billed_through_on
from pms.surfaces.dashboard.billing import KIND
from pms.surfaces.dashboard.blueprint import EVERYBODY, dashboard
from pms.surfaces.dashboard.current_member import current_member, reading
from pms.surfaces.dashboard.set_up import set_up_due
from pms.surfaces.dashboard.worklist import worklist
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.labels.formats import month, yen
from pms.surfaces.request_scope import today
from pms.workspaces import queries

_TEMPLATE: Final = "dashboard/today/page.html"


class Figure(NamedTuple):
    """One figure of the top line, and its page."""

    text: str
    value: str
    href: str


def _figures() -> list[Figure]:
    """Return the figures for office staff; those of zero are left out."""
    units = occupancy.occupied_units(reading(), today())
    owed = debts.overdue(reading(), today())
    through_on = billed_through_on(today(), queries.policy(reading()))
    run = newest_run(reading(), KIND, f"{through_on:%Y-%m}")
    found = []
    if units.units:
        message = _("%(count)s of %(all)s", count=units.occupied, all=units.units)
        found.append(Figure(_("Occupied"), message, url_for("dashboard.chart")))
    if owed.yen:
        found.append(Figure(_("Overdue"), yen(owed.yen), url_for("dashboard.arrears")))
    if run is None or run.finished_at is None:
        found.append(Figure(_("Months to bill"), month(through_on), url_for("dashboard.billing")))
    return found


@dashboard.get("/", roles=EVERYBODY, endpoint="today")
def show_today() -> Response:
    """Show the worklist of this person, cut to one screen unless all of it is asked for."""
    return page_or_block(
        _TEMPLATE,
        "worklist",
        today=today(),
        found=worklist(shows_all="all" in request.args),
        set_up_due=set_up_due,
        figures=_figures() if current_member().is_office else (),
    )
