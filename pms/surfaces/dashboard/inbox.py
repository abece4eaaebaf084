"""The inbox of waiting items, and conversations: the list, files, templates and merging."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self
from urllib.parse import quote

from flask import Response, abort, redirect, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import Form

from pms.arrivals import reservation_lists
from pms.arrivals.reservation_lists import ListedReservation, ReservationSearch
from pms.channels import (
    answer_templates,
    answers,
    conversation_lists,
    conversation_merges,
    conversation_record,
    inbox_items,
    message_files,
    received_mails,
)
from pms.channels.answer_templates import AnswerTemplateRecord
from pms.channels.answers import PLACES
from pms.channels.conversation_lists import ConversationPage, InboxSearch
from pms.foundation.lists import Paging
from pms.reservations.residents import ResidentSearch
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import Channel, ConversationState
from pms.surfaces.dashboard.conversations import inbox_visibility
from pms.surfaces.dashboard.gate import MAINTENANCE, OFFICE, current_member, dashboard, reading
from pms.surfaces.dashboard.inbox_list import KIND_WORDS, counts_of_inbox, inbox_scope
from pms.surfaces.dashboard.record_choices import office_choices
from pms.surfaces.dashboard.worklist import line_of_item
from pms.surfaces.fields import (
    ChoiceField,
    Either,
    LongTextField,
    Optional,
    Required,
    SeenField,
    TextField,
)
from pms.surfaces.forms import (
    QueryForm,
    asked_paging,
    mark_unaccepted,
    part_of,
    submit_archiving,
    submitted,
)
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import files, today

_ANYTHING: Final = "application/octet-stream"


@dashboard.get("/messages/<guest_message_id>/file", roles=OFFICE)
def message_file(guest_message_id: str) -> Response:
    """Show a picture in the browser; any other file is downloaded, never opened on this site."""
    file = message_files.message_file(reading(), guest_message_id)
    content = files().get(file.key)
    if content is None:
        abort(404)
    if file.is_picture:
        return _answer_file(content, file.media_type, "inline")
    return _answer_file(content, _ANYTHING, f"attachment; filename*=UTF-8''{quote(file.name)}")


@dashboard.get("/messages/<guest_message_id>/original", roles=OFFICE)
def message_original(guest_message_id: str) -> Response:
    """Download a mail as it came in, with what it quotes; it is never opened on this site."""
    key = received_mails.original_key(reading(), guest_message_id)
    content = None if key is None else files().get(key)
    if content is None:
        abort(404)
    return _answer_file(content, _ANYTHING, "attachment; filename=mail.eml")


def _answer_file(content: bytes, media_type: str, disposition: str) -> Response:
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": disposition,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return Response(content, headers=headers)


_NOBODY: Final = "nobody"


class ListingForm(QueryForm):
    """The filters: state, whose turn, words, channel and assignee."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()], choices=choices(ConversationState))
    awaits = ChoiceField(lazy_gettext("Next to reply"), [Optional()], choices=choices(TicketSide))
    search = TextField(lazy_gettext("Name, unit or text"), [Optional()])
    channel = ChoiceField(lazy_gettext("Channel"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])

    def offer(self, staff: Iterable[tuple[str, str]], own_id: str) -> None:
        """Fill the lists of channels and of office staff; the reader comes first."""
        self.channel.choices = [("", str(lazy_gettext("Any channel"))), *choices(Channel)]
        others = [choice for choice in staff if choice[0] != own_id]
        self.assigneeId.choices = [
            ("", str(lazy_gettext("Anyone"))),
            (own_id, str(lazy_gettext("Me"))),
            (_NOBODY, str(lazy_gettext("Unassigned"))),
            *others,
        ]

    @property
    def query(self) -> InboxSearch:
        """The search of a valid form; without a state, the open conversations."""
        whose = self.assigneeId.data or ""
        return InboxSearch(
            state=ConversationState(self.state.data or ConversationState.OPEN),
            awaits=TicketSide(self.awaits.data) if self.awaits.data else None,
            channel=Channel(self.channel.data) if self.channel.data else None,
            assignee_id=whose if whose not in ("", _NOBODY) else None,
            is_nobodys=whose == _NOBODY,
            text=self.search.data or "",
        )

    @property
    def narrowing(self) -> Mapping[str, Any]:
        """The query arguments of the filters besides the tabs."""
        narrowed = (self.search, self.channel, self.assigneeId)
        return {field.name: field.data for field in narrowed if field.data}


@dashboard.get("/conversations", roles=MAINTENANCE)
def conversations() -> Response:
    """Show one page of the filtered conversations that this person may see."""
    form, paging, visibility = ListingForm(request.args), asked_paging(), inbox_visibility()
    form.offer(office_choices() if current_member().is_office else (), current_member().person_id)
    is_sound = form.validate()
    search = form.query if is_sound else InboxSearch()
    if not current_member().is_office:
        # This person may not read names and messages, so they cannot search them either.
        search = search._replace(text="", assignee_id=None, is_nobodys=False)
    response = page_or_block(
        "dashboard/inbox/listing.html",
        "results",
        form=form,
        search=search,
        found=conversation_lists.inbox_list(reading(), search, paging, visibility)
        if is_sound
        else ConversationPage([], 0),
        counts=conversation_lists.inbox_counts(reading(), visibility),
        paging=paging,
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/reply-templates", roles=OFFICE)
def reply_templates() -> Response:
    """Show the reply templates."""
    return _list_inbox(FlaskForm())


@dashboard.post(
    "/reply-templates/<reply_template_id>/archive", roles=OFFICE, is_of_all_buildings=True
)
def archive_reply_template(reply_template_id: str) -> Response:
    """Archive a reply template, or restore it."""
    return submit_archiving(
        lambda work, is_archived: answer_templates.archive_reply_template(
            work, template_id=reply_template_id, is_archived=is_archived
        ),
        _list_inbox,
        address=url_for("dashboard.archive_reply_template", reply_template_id=reply_template_id),
        list_address=url_for("dashboard.reply_templates"),
    )


def _list_inbox(form: Form) -> Response:
    found = answer_templates.reply_templates(reading(), with_archived=True)
    return page("dashboard/inbox/templates.html", found=part_of(found, "page", 50), form=form)


class StayChoiceForm(QueryForm):
    """The words to find a reservation by."""

    search = TextField(lazy_gettext("Name, unit or email"), [Optional()])


class PersonChoiceForm(QueryForm):
    """The words to find another conversation by."""

    search = TextField(lazy_gettext("Name, unit or text"), [Optional()])


_FEW: Final = 20


@dashboard.get("/inbox/<conversation_id>/merging", roles=OFFICE)
def same_person(conversation_id: str) -> Response:
    """Show the conversations that match the words; at first the words are the person's name."""
    record = conversation_record.conversation_record(reading(), conversation_id, inbox_visibility())
    form = PersonChoiceForm(request.args)
    if "search" not in request.args:
        form.search.data = record.name
    return _render_person_choice(conversation_id, form)


@dashboard.post("/inbox/<conversation_id>/merging", roles=OFFICE)
def merge_conversations(conversation_id: str) -> Response:
    """Merge another conversation into this one, with its messages and its handles."""
    form, other = PersonChoiceForm(formdata=None), request.form.get("otherId", "")
    return submitted(
        form,
        act=lambda work: conversation_merges.merge_conversations(
            work, conversation_id=other, into_id=conversation_id
        ),
        then=lambda _none: go(
            url_for("dashboard.conversation", conversation_id=conversation_id),
            message=_("The conversations have been merged."),
        ),
        again=lambda: _render_person_choice(conversation_id, form),
    )


def _render_person_choice(conversation_id: str, form: PersonChoiceForm) -> Response:
    record = conversation_record.conversation_record(reading(), conversation_id, inbox_visibility())
    words = form.search.data if form.validate() else None
    return page_or_block(
        "dashboard/inbox/merging.html",
        "results",
        record=record,
        form=form,
        found=conversation_lists.find_conversations(
            reading(), words or "", _FEW, apart_from=record.id
        ),
    )


@dashboard.get("/inbox/<conversation_id>/reservation", roles=OFFICE)
def stay_of_conversation(conversation_id: str) -> Response:
    """Show the reservations that match the words; at first the words are the person's name."""
    record = conversation_record.conversation_record(reading(), conversation_id, inbox_visibility())
    form = StayChoiceForm(request.args)
    if "search" not in request.args:
        form.search.data = record.name
    return _render_stay_choice(conversation_id, form)


@dashboard.post("/inbox/<conversation_id>/reservation", roles=OFFICE)
def link_conversation(conversation_id: str) -> Response:
    """Link the conversation to the chosen reservation, or remove its link."""
    form, chosen = StayChoiceForm(formdata=None), request.form.get("reservationId") or None
    message = _("Reservation linked.") if chosen else _("Reservation unlinked.")
    return submitted(
        form,
        act=lambda work: conversation_lists.link_conversation(
            work, conversation_id=conversation_id, reservation_id=chosen
        ),
        then=lambda _none: go(
            url_for("dashboard.conversation", conversation_id=conversation_id), message=message
        ),
        again=lambda: _render_stay_choice(conversation_id, form),
    )


def _render_stay_choice(conversation_id: str, form: StayChoiceForm) -> Response:
    record = conversation_record.conversation_record(reading(), conversation_id, inbox_visibility())
    rows: Sequence[ListedReservation] = ()
    total = 0
    if form.validate() and form.search.data:
        search = ReservationSearch(residents=ResidentSearch(search=form.search.data))
        rows, total = reservation_lists.list_reservations(
            reading(), search, today(), Paging(1, _FEW)
        )
    return page_or_block(
        "dashboard/inbox/stay_choice.html",
        "results",
        record=record,
        form=form,
        found=rows,
        total=total,
    )


class AnswerTemplateForm(FlaskForm):
    """The name, the text in both languages, and the version that was seen."""

    name = TextField(lazy_gettext("Name"), [Required()])
    textJa = LongTextField(lazy_gettext("Text in Japanese"), [Either()])
    textEn = LongTextField(lazy_gettext("Text in English"), [Either()])
    version = SeenField(unread=0)

    @classmethod
    def of(cls, record: AnswerTemplateRecord) -> Self:
        """Return the form filled with a template."""
        return cls(
            formdata=None,
            data={
                "name": record.name,
                "textJa": record.text_ja,
                "textEn": record.text_en,
                "version": str(record.version),
            },
        )


@dashboard.get("/reply-templates/new", roles=OFFICE, is_of_all_buildings=True)
def new_reply_template() -> Response:
    """Show the form of a new template."""
    return _render_template(None, AnswerTemplateForm())


@dashboard.post("/reply-templates", roles=OFFICE, is_of_all_buildings=True)
def add_reply_template() -> Response:
    """Store a template."""
    return _submit_reply_template(None)


@dashboard.get("/reply-templates/<reply_template_id>", roles=OFFICE, is_of_all_buildings=True)
def reply_template(reply_template_id: str) -> Response:
    """Show the form of a reply template."""
    return _render_template(
        reply_template_id,
        AnswerTemplateForm.of(answer_templates.reply_template(reading(), reply_template_id)),
    )


@dashboard.post("/reply-templates/<reply_template_id>", roles=OFFICE, is_of_all_buildings=True)
def write_reply_template(reply_template_id: str) -> Response:
    """Save a reply template."""
    answer_templates.reply_template(reading(), reply_template_id)
    return _submit_reply_template(reply_template_id)


def _submit_reply_template(template_id: str | None) -> Response:
    form = AnswerTemplateForm()
    return submitted(
        form,
        act=lambda work: answers.write_reply_template(
            work,
            template_id=template_id,
            name=form.name.data,
            text_ja=form.textJa.data,
            text_en=form.textEn.data,
            version=form.version.seen_value,
        ),
        then=lambda _id: go(url_for("dashboard.reply_templates"), message=_("Saved.")),
        again=lambda: _render_template(template_id, form),
    )


def _render_template(template_id: str | None, form: AnswerTemplateForm) -> Response:
    record = answer_templates.reply_template(reading(), template_id) if template_id else None
    return page("dashboard/inbox/template.html", record=record, form=form, places=PLACES)


_OF_CONVERSATIONS: Final = frozenset({"state", "awaits", "search", "channel", "assigneeId"})


@dashboard.get("/inbox", roles=MAINTENANCE)
def inbox() -> AnyResponse:
    """Show the waiting items of one or all kinds; old addresses redirect to the conversations."""
    if not _OF_CONVERSATIONS.isdisjoint(request.args):
        asked: dict[str, Any] = request.args.to_dict()
        return redirect(url_for("dashboard.conversations", **asked))
    scope, counts, paging = inbox_scope(), counts_of_inbox(), asked_paging()
    kinds = inbox_items.kinds_of(scope.sources)
    kind = next((known for known in kinds if known == request.args.get("kind")), None)
    return page_or_block(
        "dashboard/inbox/waiting.html",
        "results",
        lines=[
            line_of_item(item) for item in inbox_items.inbox_items(reading(), scope, kind, paging)
        ],
        total=counts.get(kind, 0) if kind else sum(counts.values()),
        counts=counts,
        kinds=kinds,
        kind=kind,
        kind_words=KIND_WORDS,
        paging=paging,
    )
