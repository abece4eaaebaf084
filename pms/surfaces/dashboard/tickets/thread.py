"""One conversation: what was said, how the work moved, and what is known of the resident."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from typing import Final

from flask import Response, request

from pms.foundation.ids import new_id
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.tickets.answer_form import AnswerForm
from pms.surfaces.dashboard.tickets.reaching import ticket_reach
from pms.surfaces.hypermedia import page_or_block
from pms.upkeep.ticket_record import ticket_record

TEMPLATE: Final = "dashboard/tickets/thread.html"


@dashboard.get("/tickets/<ticket_id>", roles=MAINTENANCE)
def ticket(ticket_id: str) -> Response:
    """Show the conversation; what was said alone, when the page asks for it again."""
    block = "messages" if request.args.get("part") == "messages" else "conversation"
    return shown(ticket_id, fresh_form(), block)


def shown(
    ticket_id: str, form: AnswerForm, block: str = "conversation", said: str | None = None
) -> Response:
    """Show the conversation with an answer as far as it is typed; `said` tells of a deed."""
    ticket = ticket_record(reading(), ticket_id, ticket_reach())
    return page_or_block(TEMPLATE, block, ticket=ticket, form=form, said=said)


def fresh_form() -> AnswerForm:
    """Return an empty answer under a key of its own, so that it arrives once."""
    return AnswerForm(data={"key": new_id()})
