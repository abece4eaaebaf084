"""One conversation: its thread, its answers, and its assignee."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from pms.arrivals import reservation_headers
from pms.channels import (
    answer_templates,
    answers,
    conversation_lists,
    conversation_record,
    conversation_threads,
    inbox_items,
    outgoing,
)
from pms.channels.answer_templates import AnswerTemplateRecord
from pms.channels.answers import SentAnswer
from pms.channels.conversation_lists import InboxVisibility
from pms.channels.conversation_record import ConversationRecord
from pms.channels.conversation_threads import ThreadLine
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.enumerations import Locale, TicketSide
from pms.rules.message_words import Channel
from pms.surfaces.dashboard.gate import MAINTENANCE, OFFICE, current_member, dashboard, reading
from pms.surfaces.dashboard.record_choices import office_choices
from pms.surfaces.fields import ChoiceField, HiddenField, LongTextField, Optional, SeenField
from pms.surfaces.forms import asked_page, mark_unaccepted, place_problem, submitted
from pms.surfaces.hypermedia import Undo, go, is_part, page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.request_scope import clock, today

NOTHING_SEEN: Final = "0"


class ReplyForm(FlaskForm):
    """An answer and its channel; each action of the page reads its own field.

    The choices are read when the page is shown: an action reads nothing before it writes.
    """

    text = LongTextField(lazy_gettext("Your reply"))
    channel = ChoiceField(lazy_gettext("Send via"), [Optional()])
    templateId = ChoiceField(lazy_gettext("Reply template"), [Optional()])
    assigneeId = ChoiceField(lazy_gettext("Assigned to"), [Optional()])
    locale = ChoiceField(lazy_gettext("Language"))
    version = SeenField(validators=[Optional()], unread=0)
    seen = HiddenField(validators=[Optional()])
    ticketId = HiddenField(validators=[Optional()])
    key = HiddenField(validators=[Optional()])

    @classmethod
    def fresh(cls) -> Self:
        """Return an empty answer with a new key, so that sending it twice stores it once."""
        return cls(formdata=None, data={"key": new_id()})

    @classmethod
    def from_typed(cls, typed: MultiDict[str, str]) -> Self:
        """Return the form as it was sent; the action itself checks the choices."""
        form = cls(typed)
        for chosen in (form.channel, form.templateId, form.assigneeId, form.locale):
            chosen.choices = [(chosen.data, "")] if chosen.data else []
        return form

    def offer(
        self,
        templates: Iterable[AnswerTemplateRecord],
        colleagues: Iterable[tuple[str, str]],
        record: ConversationRecord,
    ) -> None:
        """Fill the lists of choices; the channel of the latest message comes first."""
        self.channel.choices = [(way.channel.value, label_of(way.channel)) for way in record.ways]
        named = [(template.id, template.name) for template in templates]
        self.templateId.choices = [("", str(lazy_gettext("Choose"))), *named]
        self.assigneeId.choices = [("", str(lazy_gettext("Unassigned"))), *colleagues]
        if not self.assigneeId.raw_data:
            self.assigneeId.data = record.assignee_id
        self.locale.choices = choices(Locale)
        if not self.locale.raw_data:
            self.locale.data = record.locale

    @property
    def way(self) -> Channel | None:
        """The chosen channel, or None; raises `Refused` for an unknown one."""
        given = self.channel.data
        if given and given not in list(Channel):
            raise Refused("channel: '{channel}' is not a channel.", channel=given[:40])
        return Channel(given) if given else None

    @property
    def ticket_seen(self) -> str | None:
        """The ticket that was shown, empty for none; None from a page without one."""
        return self.ticketId.data if self.ticketId.raw_data else None

    @property
    def seen_at(self) -> datetime | None:
        """The instant of the latest answer that was seen; None for an unreadable text."""
        given = self.seen.data or ""
        if given == NOTHING_SEEN:
            return datetime.min.replace(tzinfo=UTC)
        try:
            seen = datetime.fromisoformat(given)
        except ValueError:
            return None
        return seen if seen.tzinfo else None


def latest_answer(lines: Iterable[ThreadLine]) -> str:
    """Return the value by which a form says which answer was the latest on its page."""
    answers = [line.at for line in lines if line.side == TicketSide.STAFF and line.step is None]
    return max(answers).isoformat() if answers else NOTHING_SEEN


def inbox_visibility() -> InboxVisibility:
    """Return what this person may see: all for the office, own projects for maintenance."""
    return InboxVisibility.of_staff(current_member().role, current_member().person_id)


TEMPLATE: Final = "dashboard/inbox/thread.html"


@dashboard.get("/inbox/<conversation_id>", roles=MAINTENANCE)
def conversation(conversation_id: str) -> Response:
    """Show the conversation, or only its messages when the page refreshes them."""
    record = conversation_record.conversation_record(reading(), conversation_id, inbox_visibility())
    if record.id != conversation_id:
        return go(url_for("dashboard.conversation", conversation_id=record.id))
    block = "messages" if request.args.get("part") == "messages" else "conversation"
    return _render_block(record, ReplyForm.fresh(), block)


def render_conversation(
    conversation_id: str, form: ReplyForm, message: str | None = None
) -> Response:
    """Show the conversation with the typed answer; `message` confirms an action."""
    record = conversation_record.conversation_record(reading(), conversation_id, inbox_visibility())
    return _render_block(record, form, "conversation", message)


def _render_block(
    record: ConversationRecord, form: ReplyForm, block: str, message: str | None = None
) -> Response:
    page = asked_page()
    thread = conversation_threads.conversation_thread(
        reading(), record.id, record.handles, inbox_visibility(), page
    )
    is_office = current_member().is_office
    form.offer(
        answer_templates.reply_templates(reading()) if is_office else (),
        office_choices() if is_office else (),
        record,
    )
    # The stay of the person, for office staff only.
    stay = None
    if record.reservation_id is not None and is_office:
        stay = reservation_headers.reservation_header(reading(), record.reservation_id, today())
    return page_or_block(
        TEMPLATE,
        block,
        record=record,
        thread=thread,
        page=page,
        form=form,
        seen=latest_answer(thread.lines),
        now=clock().now(),
        message=message,
        stay=stay,
    )


@dashboard.post("/inbox/<conversation_id>/assignee", roles=OFFICE)
def assign_conversation(conversation_id: str) -> Response:
    """Assign the conversation to a person."""
    form = ReplyForm.from_typed(request.form)

    def act(work: Work) -> None:
        conversation_lists.assign_conversation(
            work, conversation_id=conversation_id, person_id=form.assigneeId.data or None
        )

    return _submit_action(conversation_id, act, _("Saved."))


@dashboard.post("/inbox/<conversation_id>/language", roles=OFFICE)
def set_conversation_language(conversation_id: str) -> Response:
    """Set the language in which the person is written to."""
    form = ReplyForm.from_typed(request.form)

    def act(work: Work) -> None:
        conversation_lists.set_conversation_language(
            work,
            conversation_id=conversation_id,
            locale=form.locale.data,
            version=form.version.seen_value,
        )

    return _submit_action(conversation_id, act, _("Saved."))


@dashboard.post("/inbox/<conversation_id>/closure", roles=OFFICE)
def close_conversation(conversation_id: str) -> Response:
    """Close the conversation."""
    undo = Undo(url_for("dashboard.reopen_conversation", conversation_id=conversation_id), {})

    def act(work: Work) -> None:
        conversation_lists.close_conversation(work, conversation_id=conversation_id)

    return _submit_action(
        conversation_id, act, _("Marked as done. A new message reopens it."), undo
    )


@dashboard.post("/inbox/<conversation_id>/reopening", roles=OFFICE)
def reopen_conversation(conversation_id: str) -> Response:
    """Reopen the conversation."""
    undo = Undo(url_for("dashboard.close_conversation", conversation_id=conversation_id), {})

    def act(work: Work) -> None:
        inbox_items.reopen_conversation(work, conversation_id=conversation_id)

    return _submit_action(conversation_id, act, _("Conversation reopened."), undo)


@dashboard.post("/inbox/<conversation_id>/messages/<guest_message_id>/retry", roles=OFFICE)
def send_again(conversation_id: str, guest_message_id: str) -> Response:
    """Send a failed message again."""

    def act(work: Work) -> None:
        outgoing.send_again(work, message_id=guest_message_id)

    return _submit_action(conversation_id, act, _("Sending again."))


@dashboard.post("/inbox/<conversation_id>/messages/<guest_message_id>/file", roles=OFFICE)
def fetch_again(conversation_id: str, guest_message_id: str) -> Response:
    """Fetch a file again that could not be fetched."""

    def act(work: Work) -> None:
        inbox_items.fetch_again(work, message_id=guest_message_id)

    return _submit_action(conversation_id, act, _("Fetching the file again."))


def _submit_action(
    conversation_id: str,
    act: Callable[[Work], None],
    message: str,
    undo: Undo | None = None,
) -> Response:
    form = ReplyForm.from_typed(request.form)
    return submitted(
        form,
        act=act,
        then=lambda _none: go(
            url_for("dashboard.conversation", conversation_id=conversation_id),
            message=message,
            undo=undo,
        ),
        again=lambda: render_conversation(conversation_id, form),
    )


@dashboard.post("/inbox/<conversation_id>/answers", roles=MAINTENANCE)
def answer_conversation(conversation_id: str) -> Response:
    """Send an answer."""
    form = ReplyForm.from_typed(request.form)
    return submitted(
        form,
        act=lambda work: answers.answer_conversation(
            work,
            conversation_id=conversation_id,
            text=form.text.data,
            channel=form.way,
            seen_at=form.seen_at,
            ticket_seen=form.ticket_seen,
            key=form.key.data or None,
            visibility=inbox_visibility(),
        ),
        then=lambda answered: _answer_sent(conversation_id, answered),
        again=lambda: render_conversation(conversation_id, form),
    )


@dashboard.post("/inbox/<conversation_id>/drafts", roles=OFFICE)
def fill_reply(conversation_id: str) -> Response:
    """Put a template below the text in the box; nothing is sent or stored."""
    form = ReplyForm.from_typed(request.form)
    try:
        text = answer_templates.fill_reply(
            reading(),
            conversation_id=conversation_id,
            template_id=form.templateId.data or "",
            visibility=inbox_visibility(),
        )
    except (Refused, NotFound):
        place_problem(form, Refused("templateId: choose a template."))
        return mark_unaccepted(render_conversation(conversation_id, form))
    form.text.data = "\n\n".join(part for part in (form.text.data, text) if part)
    form.templateId.data = ""
    return render_conversation(conversation_id, form)


def _answer_sent(conversation_id: str, answered: SentAnswer | None) -> Response:
    if answered is None:
        message = str(_("This reply was already sent. It will not be sent twice."))
    elif not answered.leaves:
        message = str(_("Saved. No email will be sent."))
    elif answered.channel is Channel.PORTAL:
        message = str(_("Shown in the resident portal and sent by email."))
    else:
        message = str(
            _("The reply is being sent via %(channel)s.", channel=label_of(answered.channel))
        )
    if is_part():
        return render_conversation(conversation_id, ReplyForm.fresh(), message=message)
    return go(url_for("dashboard.conversation", conversation_id=conversation_id), message=message)
