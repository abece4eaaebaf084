"""The command palette and the search page: pages, actions and records by a few words."""

from flask import Response, request

from pms.contracts.queries import contracts_of_people
from pms.enquiries import enquiry_lists
from pms.statements import workspace_search
from pms.statements.workspace_search import Found
from pms.surfaces.dashboard.gate import EVERYBODY, current_member, dashboard, may, reading
from pms.surfaces.dashboard.palette import (
    acts_for,
    first_choices,
    found_acts,
    found_pages,
    parted,
)
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.reader_choice import chosen_language

_MOST_CHARACTERS = 100
_MOST_ENQUIRIES = 8


@dashboard.get("/search", roles=EVERYBODY)
def search() -> Response:
    """Show the first results of each kind; `palette` also requests the field, for the drawer."""
    text = request.args.get("q", "")[:_MOST_CHARACTERS]
    asked = (
        enquiry_lists.find_enquiries(reading(), text, _MOST_ENQUIRIES)
        if current_member().is_office
        else ()
    )
    acts, name = parted(text)
    found = _found(text)
    ids = [one.reservation_id for one in found.people]
    return page_or_block(
        "dashboard/search/page.html",
        "palette" if "palette" in request.args else "results",
        text=text,
        found=found,
        contracts=contracts_of_people(reading(), ids, _MOST_ENQUIRIES) if ids else (),
        enquiries=asked,
        pages=found_pages(text),
        acts=[
            *acts_for(acts, _found(name).people, chosen_language()),
            *(found_acts(text) if text.strip() else first_choices()),
        ],
    )


def _found(text: str) -> Found:
    return workspace_search.search_workspace(
        reading(), text, with_people=current_member().is_office, with_projects=may("project")
    )
