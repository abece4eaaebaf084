"""Answers an enquiry, notes something, gives it to a colleague, moves it on."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.enquiries.answer_enquiry import answer_enquiry as answer_enquiry_verb
from pms.enquiries.assign_enquiry import assign_enquiry as assign_enquiry_verb
from pms.enquiries.enquiry_record import enquiry_record
from pms.enquiries.move_enquiry import move_enquiry as move_enquiry_verb
from pms.enquiries.note_enquiry import note_enquiry as note_enquiry_verb
from pms.enquiries.office_people import office_people
from pms.enquiries.send_enquiry_again import send_enquiry_again as send_enquiry_again_verb
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.channel_words import Channel
from pms.rules.enquiry_steps import may_move
from pms.rules.enumerations import EnquiryState
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.enquiries.acting_form import ActingForm
from pms.surfaces.dashboard.enquiries.enquiry import shown
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import Undo, go


@dashboard.post("/enquiries/<enquiry_id>/answers", roles=OFFICE)
def answer_enquiry(enquiry_id: str) -> Response:
    """Mail an answer."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: answer_enquiry_verb(
            session,
            clock(),
            actor(),
            enquiry_id=enquiry_id,
            text=form.text.data,
            key=form.key.data or None,
        ),
        then=lambda _none: _back(
            enquiry_id, _("The answer leaves by %(channel)s.", channel=word(Channel.MAIL))
        ),
        again=lambda: shown(enquiry_id, form),
    )


@dashboard.post("/enquiries/<enquiry_id>/answers/<enquiry_note_id>/retry", roles=OFFICE)
def send_enquiry_again(enquiry_id: str, enquiry_note_id: str) -> Response:
    """Have an answer sent again that could not be sent."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: send_enquiry_again_verb(
            session, clock(), actor(), enquiry_id=enquiry_id, note_id=enquiry_note_id
        ),
        then=lambda _none: _back(enquiry_id, _("It is sent again.")),
        again=lambda: shown(enquiry_id, form),
    )


@dashboard.post("/enquiries/<enquiry_id>/notes", roles=OFFICE)
def note_enquiry(enquiry_id: str) -> Response:
    """Keep a note."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: note_enquiry_verb(
            session,
            clock(),
            actor(),
            enquiry_id=enquiry_id,
            text=form.note.data,
            key=form.key.data or None,
        ),
        then=lambda _none: _back(enquiry_id, _("The note is kept.")),
        again=lambda: shown(enquiry_id, form),
    )


@dashboard.post("/enquiries/<enquiry_id>/assignee", roles=OFFICE)
def assign_enquiry(enquiry_id: str) -> Response:
    """Give it to somebody."""
    form = _typed()
    return submitted(
        form,
        act=lambda session: assign_enquiry_verb(
            session,
            clock(),
            actor(),
            enquiry_id=enquiry_id,
            person_id=form.assigneeId.data or None,
        ),
        then=lambda _none: _back(enquiry_id, _("Saved.")),
        again=lambda: shown(enquiry_id, form),
    )


@dashboard.post("/enquiries/<enquiry_id>/state", roles=OFFICE)
def move_enquiry(enquiry_id: str) -> Response:
    """Move it on, with the way back where there is one."""
    form, before = _typed(), enquiry_record(reading(), enquiry_id).enquiry.state
    given = request.form.get("state", "")

    def act(session: WorkspaceSession) -> EnquiryState:
        if given not in list(EnquiryState):
            raise Refused("state: '{state}' is no state of an enquiry.", state=given[:40])
        into = EnquiryState(given)
        move_enquiry_verb(session, clock(), actor(), enquiry_id=enquiry_id, into=into)
        return into

    return submitted(
        form,
        act=act,
        then=lambda into: _moved(enquiry_id, before, into),
        again=lambda: shown(enquiry_id, form),
    )


def _moved(enquiry_id: str, before: EnquiryState, into: EnquiryState) -> Response:
    undo = None
    if may_move(into, before):
        back = url_for("dashboard.move_enquiry", enquiry_id=enquiry_id)
        undo = Undo(back, {"state": before.value})
    return _back(enquiry_id, _("The enquiry is now: %(state)s.", state=word(into)), undo)


def _typed() -> ActingForm:
    form = ActingForm(request.form)
    form.offer(office_people(reading()), None)
    return form


def _back(enquiry_id: str, said: str, undo: Undo | None = None) -> Response:
    return go(url_for("dashboard.enquiry", enquiry_id=enquiry_id), said=said, undo=undo)
