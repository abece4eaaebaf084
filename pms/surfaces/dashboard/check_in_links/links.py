"""Stays with a check-in link: who is coming, what the register lacks, when they arrive."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request
from wtforms import Form

from pms.stays.listed_links import listed_links, unlinked_stays
from pms.stays.stay_terms import stay_terms
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import page


@dashboard.get("/check-in-links", roles=OFFICE)
def check_in_links() -> Response:
    """Show the stays to come and under way, or those that are past."""
    return shown(Form())


def shown(form: Form) -> Response:
    """Show the list with what a deed on it was refused for."""
    is_past = request.args.get("state") == "past"
    paging, terms = asked_paging(), stay_terms(reading())
    return page(
        "dashboard/check_in_links/list.html",
        form=form,
        is_past=is_past,
        found=listed_links(reading(), terms, today(), paging, is_past=is_past),
        without=[] if is_past else unlinked_stays(reading(), today()),
        terms=terms,
        paging=paging,
    )
