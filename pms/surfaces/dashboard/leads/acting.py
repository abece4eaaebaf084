"""Answers a lead, notes something, gives it to a colleague, moves it on."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.enquiries.answer_lead import answer_lead as answer_lead_verb
from pms.enquiries.assign_lead import assign_lead as assign_lead_verb
from pms.enquiries.lead_record import lead_record
from pms.enquiries.move_lead import move_lead as move_lead_verb
from pms.enquiries.note_lead import note_lead as note_lead_verb
from pms.enquiries.office_people import office_people
from pms.enquiries.send_lead_again import send_lead_again as send_lead_again_verb
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.channel_words import Channel, LeadState
from pms.rules.lead_steps import may_move_lead
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.enquiries.acting_form import ActingForm
from pms.surfaces.dashboard.leads.lead import shown
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import Undo, go


@dashboard.post("/leads/<lead_id>/answers", roles=OFFICE)
def answer_lead(lead_id: str) -> Response:
    """Mail an answer."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: answer_lead_verb(
            session,
            clock(),
            actor(),
            lead_id=lead_id,
            text=form.text.data,
            key=form.key.data or None,
        ),
        then=lambda _none: _back(
            lead_id, _("The answer leaves by %(channel)s.", channel=word(Channel.MAIL))
        ),
        again=lambda: shown(lead_id, form),
    )


@dashboard.post("/leads/<lead_id>/answers/<lead_note_id>/retry", roles=OFFICE)
def send_lead_again(lead_id: str, lead_note_id: str) -> Response:
    """Have an answer sent again that could not be sent."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: send_lead_again_verb(
            session, clock(), actor(), lead_id=lead_id, note_id=lead_note_id
        ),
        then=lambda _none: _back(lead_id, _("It is sent again.")),
        again=lambda: shown(lead_id, form),
    )


@dashboard.post("/leads/<lead_id>/notes", roles=OFFICE)
def note_lead(lead_id: str) -> Response:
    """Keep a note."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: note_lead_verb(
            session,
            clock(),
            actor(),
            lead_id=lead_id,
            text=form.note.data,
            key=form.key.data or None,
        ),
        then=lambda _none: _back(lead_id, _("The note is kept.")),
        again=lambda: shown(lead_id, form),
    )


@dashboard.post("/leads/<lead_id>/assignee", roles=OFFICE)
def assign_lead(lead_id: str) -> Response:
    """Give it to somebody."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: assign_lead_verb(
            session,
            clock(),
            actor(),
            lead_id=lead_id,
            person_id=form.assigneeId.data or None,
        ),
        then=lambda _none: _back(lead_id, _("Saved.")),
        again=lambda: shown(lead_id, form),
    )


@dashboard.post("/leads/<lead_id>/state", roles=OFFICE)
def move_lead(lead_id: str) -> Response:
    """Move it on, with the way back where there is one."""
    form, before = _typed(), lead_record(reading(), lead_id).lead.state
    given = request.form.get("state", "")

    def act(session: WorkspaceSession) -> LeadState:
        if given not in list(LeadState):
            raise Refused("state: '{state}' is no state of a lead.", state=given[:40])
        into = LeadState(given)
        move_lead_verb(session, clock(), actor(), lead_id=lead_id, into=into)
        return into

    return submitted(
        form,
        act=act,
        then=lambda into: _moved(lead_id, before, into),
        again=lambda: shown(lead_id, form),
    )


def _moved(lead_id: str, before: LeadState, into: LeadState) -> Response:
    undo = None
    if may_move_lead(into, before):
        back = url_for("dashboard.move_lead", lead_id=lead_id)
        undo = Undo(back, {"state": before.value})
    return _back(lead_id, _("The lead is now: %(state)s.", state=word(into)), undo)


def _typed() -> ActingForm:
    form = ActingForm(request.form)
    form.offer(office_people(reading()), None)
    return form


def _back(lead_id: str, said: str, undo: Undo | None = None) -> Response:
    return go(url_for("dashboard.lead", lead_id=lead_id), said=said, undo=undo)
