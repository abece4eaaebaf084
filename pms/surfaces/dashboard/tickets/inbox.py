"""The inbox: who waits for a word, about what, and since when."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request

from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.dashboard.tickets.inbox_form import InboxForm
from pms.surfaces.dashboard.tickets.reaching import ticket_reach
from pms.surfaces.hypermedia import UNACCEPTED, page_or_block
from pms.upkeep.tickets import Tickets, TicketSearch, count_turns, list_tickets


@dashboard.get("/tickets", roles=MAINTENANCE)
def tickets() -> Response:
    """Show one page of the conversations within reach that the filters ask for."""
    form, paging, reach = InboxForm(request.args), asked_paging(), ticket_reach()
    is_sound = form.validate()
    search = form.wanted if is_sound else TicketSearch()
    response = page_or_block(
        "dashboard/tickets/inbox.html",
        "results",
        form=form,
        search=search,
        found=list_tickets(reading(), search, paging, reach) if is_sound else Tickets([], 0),
        turns=count_turns(reading(), reach),
        paging=paging,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response
