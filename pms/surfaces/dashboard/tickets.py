"""Conversations with residents about problems: the inbox, one thread, opening and closing."""

from collections.abc import Callable
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals import reservation_headers
from pms.foundation.ids import new_id
from pms.rules.enumerations import TicketSide, TicketState
from pms.surfaces.dashboard.gate import MAINTENANCE, OFFICE, current_member, dashboard, reading
from pms.surfaces.fields import (
    ChoiceField,
    HiddenField,
    LongTextField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import Undo, go, is_part, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import today
from pms.upkeep import ticket_lists, ticket_threads, ticket_updates
from pms.upkeep import tickets as upkeep_tickets
from pms.upkeep.ticket_lists import Tickets, TicketSearch
from pms.upkeep.tickets import TicketVisibility


class StaffAnswerForm(FlaskForm):
    """An answer to the resident; the key recognizes one that was sent twice."""

    text = LongTextField(lazy_gettext("Your reply"), [Required()])
    key = HiddenField(validators=[Optional()])


def ticket_visibility() -> TicketVisibility:
    """Return what this person may see: all for the office, own projects for maintenance."""
    return TicketVisibility.of_staff(current_member().role, current_member().person_id)


TEMPLATE: Final = "dashboard/tickets/thread.html"


@dashboard.get("/tickets/<ticket_id>", roles=MAINTENANCE)
def ticket(ticket_id: str) -> Response:
    """Show the conversation, or only its messages when the page refreshes them."""
    block = "messages" if request.args.get("part") == "messages" else "conversation"
    return render_ticket(ticket_id, fresh_form(), block)


def render_ticket(
    ticket_id: str, form: StaffAnswerForm, block: str = "conversation", message: str | None = None
) -> Response:
    """Show the conversation with the typed answer; `message` confirms an action."""
    ticket = ticket_threads.ticket_record(reading(), ticket_id, ticket_visibility())
    return page_or_block(TEMPLATE, block, ticket=ticket, form=form, message=message)


def fresh_form() -> StaffAnswerForm:
    """Return an empty answer with a new key, so that sending it twice stores it once."""
    return StaffAnswerForm(formdata=None, data={"key": new_id()})


@dashboard.post("/tickets/<ticket_id>/messages", roles=MAINTENANCE)
def answer_ticket(ticket_id: str) -> Response:
    """Send an answer to the resident."""
    form = StaffAnswerForm()
    return submitted(
        form,
        act=lambda work: upkeep_tickets.answer_ticket(
            work,
            ticket_id=ticket_id,
            text=form.text.data,
            visibility=ticket_visibility(),
            key=form.key.data or None,
        ),
        then=lambda is_mailed: _answer_sent(ticket_id, is_mailed),
        again=lambda: render_ticket(ticket_id, form),
    )


@dashboard.post("/tickets/<ticket_id>/closure", roles=MAINTENANCE)
def close_ticket(ticket_id: str) -> Response:
    """Close the conversation."""
    undo = Undo(url_for("dashboard.reopen_ticket", ticket_id=ticket_id), {})
    return _move_ticket(upkeep_tickets.close_ticket, ticket_id, _("Conversation closed."), undo)


@dashboard.post("/tickets/<ticket_id>/reopening", roles=MAINTENANCE)
def reopen_ticket(ticket_id: str) -> Response:
    """Reopen the conversation."""
    undo = Undo(url_for("dashboard.close_ticket", ticket_id=ticket_id), {})
    return _move_ticket(upkeep_tickets.reopen_ticket, ticket_id, _("Conversation reopened."), undo)


def _answer_sent(ticket_id: str, is_mailed: bool) -> Response:
    message = _("Sent by email.") if is_mailed else _("Saved. No email will be sent.")
    if is_part():
        return render_ticket(ticket_id, fresh_form(), message=message)
    return go(url_for("dashboard.ticket", ticket_id=ticket_id), message=message)


def _move_ticket(verb: Callable[..., None], ticket_id: str, message: str, undo: Undo) -> Response:
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: verb(work, ticket_id=ticket_id, visibility=ticket_visibility()),
        then=lambda _none: go(
            url_for("dashboard.ticket", ticket_id=ticket_id), message=message, undo=undo
        ),
        again=lambda: render_ticket(ticket_id, fresh_form()),
    )


class TicketFilterForm(QueryForm):
    """The filters of the conversations: open or closed, and whose turn it is."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()], choices=choices(TicketState))
    awaits = ChoiceField(lazy_gettext("Next to reply"), [Optional()], choices=choices(TicketSide))

    @property
    def query(self) -> TicketSearch:
        """The search of a valid form; without a state, the open conversations."""
        state = TicketState(self.state.data or TicketState.OPEN)
        awaits = TicketSide(self.awaits.data) if self.awaits.data else None
        return TicketSearch(state, awaits)


@dashboard.get("/tickets", roles=MAINTENANCE)
def tickets() -> Response:
    """Show one page of the filtered conversations that this person may see."""
    form, paging, visibility = TicketFilterForm(request.args), asked_paging(), ticket_visibility()
    is_sound = form.validate()
    search = form.query if is_sound else TicketSearch()
    response = page_or_block(
        "dashboard/tickets/inbox.html",
        "results",
        form=form,
        search=search,
        found=ticket_lists.list_tickets(reading(), search, paging, visibility)
        if is_sound
        else Tickets([], 0),
        turns=ticket_lists.count_turns(reading(), visibility),
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)


class NewTicketForm(FlaskForm):
    """The resident, the subject, and the first message."""

    reservationId = HiddenField()
    projectId = HiddenField()
    subject = TextField(lazy_gettext("Subject"), [Required()])
    text = LongTextField(lazy_gettext("Message"), [Required()])


@dashboard.get("/tickets/new", roles=OFFICE)
def new_ticket() -> Response:
    """Show the empty form for the resident of the query."""
    asked = {name: request.args.get(name) for name in ("reservationId", "projectId", "subject")}
    return _render_opening(NewTicketForm(data=asked))


@dashboard.post("/tickets", roles=OFFICE)
def open_ticket() -> Response:
    """Open the conversation and show it."""
    form = NewTicketForm()
    return submitted(
        form,
        act=lambda work: ticket_updates.open_ticket(
            work,
            reservation_id=form.reservationId.data or "",
            subject=form.subject.data,
            text=form.text.data,
            project_id=form.projectId.data or None,
            side=TicketSide.STAFF,
        ),
        then=lambda ticket_id: go(
            url_for("dashboard.ticket", ticket_id=ticket_id), message=_("Conversation started.")
        ),
        again=lambda: _render_opening(form),
    )


def _render_opening(form: NewTicketForm) -> Response:
    asked = form.reservationId.data
    resident = reservation_headers.reservation_header(reading(), asked, today()) if asked else None
    return page_or_block("dashboard/tickets/new.html", "opening", form=form, resident=resident)
