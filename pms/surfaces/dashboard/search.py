"""Jumping anywhere by a few words."""

from flask import Response, request

from pms.enquiries import enquiry_lists
from pms.statements import workspace_search
from pms.surfaces.dashboard.desk import desk, may, reading
from pms.surfaces.dashboard.routes import EVERYBODY, dashboard
from pms.surfaces.hypermedia import page_or_block

_MOST_CHARACTERS = 100
_MOST_ENQUIRIES = 8


@dashboard.get("/search", roles=EVERYBODY)
def search() -> Response:
    """Show the first few of each kind."""
    text = request.args.get("q", "")[:_MOST_CHARACTERS]
    found = workspace_search.search_workspace(
        reading(), text, with_people=desk().is_office, with_projects=may("project")
    )
    asked = (
        enquiry_lists.find_enquiries(reading(), text, _MOST_ENQUIRIES) if desk().is_office else ()
    )
    return page_or_block(
        "dashboard/search/page.html", "results", text=text, found=found, enquiries=asked
    )
