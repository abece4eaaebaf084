"""Leads: people who apply for a position or propose a partnership."""

from collections.abc import Iterable, Sequence
from typing import Final

from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.enquiries import enquiry_answers, lead_lists
from pms.enquiries import leads as enquiries_leads
from pms.enquiries.lead_lists import FoundLeads, LeadSearch, NamedPosition
from pms.foundation.work import Work
from pms.rules.enquiry_steps import (
    KEPT_DECLINED_MONTHS,
    OPEN_LEADS,
    may_move_lead,
    next_lead_states,
)
from pms.rules.message_words import LeadState
from pms.surfaces.dashboard.enquiry_actions import ActingForm, EnquiryActions
from pms.surfaces.dashboard.gate import OFFICE, actor, current_member, dashboard, reading
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.forms import TabbedForm, asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import file_answer, go, page, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database, files

_OPEN: Final = "open"
_TO_ANSWER: Final = "to_answer"


class LeadsForm(TabbedForm):
    """The filters of the leads; the state is in the tabs, by default all open ones."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()])
    search = TextField(lazy_gettext("Name, email, phone, text"), [Optional()])
    positionId = ChoiceField(lazy_gettext("Position"), [Optional()])

    def offer(self, positions: Iterable[NamedPosition]) -> None:
        """Fill the lists of the filters."""
        language = chosen_language()
        named = [
            (position.id, position.title.in_language(language) or "") for position in positions
        ]
        both = (
            (_OPEN, str(lazy_gettext("All open"))),
            (_TO_ANSWER, str(lazy_gettext("To answer"))),
        )
        self.state.choices = [*both, *choices(LeadState)]
        self.positionId.choices = [("", str(lazy_gettext("All"))), *named]

    @property
    def query(self) -> LeadSearch:
        """The search of a valid form."""
        return LeadSearch(
            states=self._chosen_states,
            is_to_answer=self.state.data == _TO_ANSWER,
            position_id=self.positionId.data or None,
            text=self.search.data or "",
        )

    @property
    def _chosen_states(self) -> Sequence[LeadState]:
        chosen = self.state.data or _OPEN
        return OPEN_LEADS if chosen in (_OPEN, _TO_ANSWER) else (LeadState(chosen),)


@dashboard.get("/leads", roles=OFFICE, is_secret=True, is_of_all_buildings=True)
def leads() -> Response:
    """Show one page of the leads."""
    form, paging = LeadsForm(request.args), asked_paging()
    form.offer(lead_lists.positions_applied_for(reading()))
    is_sound = form.validate()
    found = lead_lists.list_leads(reading(), form.query, paging) if is_sound else FoundLeads([], 0)
    response = page_or_block(
        "dashboard/leads/leads.html",
        "results",
        form=form,
        found=found,
        counts=lead_lists.count_leads(reading()),
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/leads/<lead_id>/forgetting", roles=OFFICE, is_of_all_buildings=True)
def check_forgetting(lead_id: str) -> Response:
    """Show what would be deleted."""
    return _render_forgetting(lead_id, FlaskForm())


@dashboard.post("/leads/<lead_id>/forgetting", roles=OFFICE, is_of_all_buildings=True)
def forget_lead(lead_id: str) -> Response:
    """Delete the lead and go back to the list."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: enquiries_leads.forget_lead(work, files(), lead_id=lead_id),
        then=lambda _none: go(url_for("dashboard.leads"), message=_("Application deleted.")),
        again=lambda: _render_forgetting(lead_id, form),
    )


def _render_forgetting(lead_id: str, form: Form) -> Response:
    record = lead_lists.lead_record(reading(), lead_id)
    return page("dashboard/leads/forgetting.html", record=record, lead=record.lead, form=form)


@dashboard.get("/leads/<lead_id>", roles=OFFICE, is_secret=True, is_of_all_buildings=True)
def lead(lead_id: str) -> Response:
    """Show the lead."""
    return render_lead(lead_id, ActingForm.fresh())


def render_lead(lead_id: str, form: ActingForm) -> Response:
    """Show the lead with the typed answer or note."""
    record = lead_lists.lead_record(reading(), lead_id)
    form.offer(record.lead.assignee_id)
    return page_or_block(
        "dashboard/leads/lead.html",
        "lead",
        record=record,
        lead=record.lead,
        form=form,
        steps=next_lead_states(record.lead.state),
        kept_months=KEPT_DECLINED_MONTHS,
    )


@dashboard.post("/leads/<lead_id>/resume", roles=OFFICE, is_of_all_buildings=True)
def open_resume(lead_id: str) -> Response:
    """Give the résumé as a download, never shown on this site; the audit records it first."""
    kept = database().write(
        current_member().workspace_id,
        lambda session: enquiries_leads.open_resume(
            Work(session, clock(), actor()), lead_id=lead_id
        ),
    )
    content = files().get(kept.key)
    if content is None:
        abort(404)
    return file_answer(content, kept.media_type, kept.name)


_ACTIONS: Final = EnquiryActions("lead", render_lead)


@dashboard.post("/leads/<lead_id>/answers", roles=OFFICE, is_of_all_buildings=True)
def answer_lead(lead_id: str) -> Response:
    """Mail an answer."""
    return _ACTIONS.reply(
        lead_id,
        lambda work, text, key: enquiry_answers.answer_lead(
            work, lead_id=lead_id, text=text, key=key
        ),
    )


@dashboard.post(
    "/leads/<lead_id>/answers/<lead_note_id>/retry", roles=OFFICE, is_of_all_buildings=True
)
def send_lead_again(lead_id: str, lead_note_id: str) -> Response:
    """Send an answer again that could not be sent."""
    return _ACTIONS.retry(
        lead_id,
        lambda work: enquiry_answers.send_lead_again(work, lead_id=lead_id, note_id=lead_note_id),
    )


@dashboard.post("/leads/<lead_id>/notes", roles=OFFICE, is_of_all_buildings=True)
def note_lead(lead_id: str) -> Response:
    """Store a note."""
    return _ACTIONS.note(
        lead_id,
        lambda work, text, key: enquiries_leads.note_lead(
            work, lead_id=lead_id, text=text, key=key
        ),
    )


@dashboard.post("/leads/<lead_id>/assignee", roles=OFFICE, is_of_all_buildings=True)
def assign_lead(lead_id: str) -> Response:
    """Assign the lead to a person, or to nobody."""
    return _ACTIONS.assign(
        lead_id,
        lambda work, person_id: enquiries_leads.assign_lead(
            work, lead_id=lead_id, person_id=person_id
        ),
    )


@dashboard.post("/leads/<lead_id>/state", roles=OFFICE, is_of_all_buildings=True)
def move_lead(lead_id: str) -> Response:
    """Change the state; the confirmation offers to undo it where that is possible."""
    return _ACTIONS.move(
        lead_id,
        lead_lists.lead_record(reading(), lead_id).lead.state,
        lambda work, into: enquiries_leads.move_lead(work, lead_id=lead_id, into=into),
        lambda into: _("Status of the application: %(state)s.", state=label_of(into)),
        may_move_lead,
    )
