"""The inbox: who waits for a word, on which channel, and since when."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request

from pms.channels.inbox_list import FoundConversations, InboxSearch, inbox_counts, inbox_list
from pms.enquiries.office_people import office_people
from pms.surfaces.dashboard.desk import desk, reading
from pms.surfaces.dashboard.inbox.listing_form import ListingForm
from pms.surfaces.dashboard.inbox.reaching import inbox_reach
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block


@dashboard.get("/inbox", roles=MAINTENANCE)
def inbox() -> Response:
    """Show one page of the conversations within reach that the filters ask for."""
    form, paging, reach = ListingForm(request.args), asked_paging(), inbox_reach()
    form.offer(office_people(reading()) if desk().is_office else (), desk().person_id)
    is_sound = form.validate()
    search = form.wanted if is_sound else InboxSearch()
    if not desk().is_office:
        # Names and words are not theirs to read, so they are not theirs to search either.
        search = search._replace(text="", assignee_id=None, is_nobodys=False)
    response = page_or_block(
        "dashboard/inbox/listing.html",
        "results",
        form=form,
        search=search,
        found=inbox_list(reading(), search, paging, reach)
        if is_sound
        else FoundConversations([], 0),
        counts=inbox_counts(reading(), reach),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
