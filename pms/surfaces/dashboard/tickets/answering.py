"""Answers a conversation, closes it, and opens it again."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from collections.abc import Callable

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.tickets.answer_form import AnswerForm
from pms.surfaces.dashboard.tickets.reaching import ticket_reach
from pms.surfaces.dashboard.tickets.thread import fresh_form, shown
from pms.surfaces.hypermedia import Undo, go, is_part
from pms.upkeep.answer_ticket import answer_ticket as answer_ticket_verb
from pms.upkeep.close_ticket import close_ticket as close_ticket_verb
from pms.upkeep.reopen_ticket import reopen_ticket as reopen_ticket_verb


@dashboard.post("/tickets/<ticket_id>/messages", roles=MAINTENANCE)
def answer_ticket(ticket_id: str) -> Response:
    """Say something to the resident."""
    form = AnswerForm(request.form)
    return submitted(
        form,
        act=lambda session: answer_ticket_verb(
            session,
            clock(),
            actor(),
            ticket_id=ticket_id,
            text=form.text.data,
            reach=ticket_reach(),
            key=form.key.data or None,
        ),
        then=lambda is_mailed: _answered(ticket_id, is_mailed),
        again=lambda: shown(ticket_id, form),
    )


@dashboard.post("/tickets/<ticket_id>/closure", roles=MAINTENANCE)
def close_ticket(ticket_id: str) -> Response:
    """End the conversation."""
    undo = Undo(url_for("dashboard.reopen_ticket", ticket_id=ticket_id), {})
    return _moved(close_ticket_verb, ticket_id, _("The conversation is closed."), undo)


@dashboard.post("/tickets/<ticket_id>/reopening", roles=MAINTENANCE)
def reopen_ticket(ticket_id: str) -> Response:
    """Take the conversation up again."""
    undo = Undo(url_for("dashboard.close_ticket", ticket_id=ticket_id), {})
    return _moved(reopen_ticket_verb, ticket_id, _("The conversation is open again."), undo)


def _answered(ticket_id: str, is_mailed: bool) -> Response:
    told = _("Sent by mail.") if is_mailed else _("Kept here. No mail leaves.")
    if is_part():
        return shown(ticket_id, fresh_form(), said=told)
    return go(url_for("dashboard.ticket", ticket_id=ticket_id), said=told)


def _moved(deed: Callable[..., None], ticket_id: str, said: str, undo: Undo) -> Response:
    form = Form()
    return submitted(
        form,
        act=lambda session: deed(
            session, clock(), actor(), ticket_id=ticket_id, reach=ticket_reach()
        ),
        then=lambda _none: go(
            url_for("dashboard.ticket", ticket_id=ticket_id), said=said, undo=undo
        ),
        again=lambda: shown(ticket_id, fresh_form()),
    )
