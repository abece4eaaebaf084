"""Gives a conversation to a colleague, corrects its language, ends it, takes it up again, sends again what failed."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Callable

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.channels.assign_conversation import assign_conversation as assign_conversation_verb
from pms.channels.close_conversation import close_conversation as close_conversation_verb
from pms.channels.fetch_again import fetch_again as fetch_file_again
from pms.channels.reopen_conversation import reopen_conversation as reopen_conversation_verb
from pms.channels.send_again import send_again as send_words_again
from pms.channels.set_conversation_language import set_conversation_language as set_conversation_language_verb
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.inbox.reply_form import ReplyForm
from pms.surfaces.dashboard.inbox.thread import shown
from pms.surfaces.hypermedia import Undo, go


@dashboard.post("/inbox/<conversation_id>/assignee", roles=OFFICE)
def assign_conversation(conversation_id: str) -> Response:
    """Give it to somebody."""
    form = ReplyForm.sent(request.form)

    def act(session: WorkspaceSession) -> None:
        assign_conversation_verb(
            session,
            clock(),
            actor(),
            conversation_id=conversation_id,
            person_id=form.assigneeId.data or None,
        )

    return _done(conversation_id, act, _("Saved."))


@dashboard.post("/inbox/<conversation_id>/language", roles=OFFICE)
def set_conversation_language(conversation_id: str) -> Response:
    """Correct in which language they are written to."""
    form = ReplyForm.sent(request.form)

    def act(session: WorkspaceSession) -> None:
        set_conversation_language_verb(
            session,
            clock(),
            actor(),
            conversation_id=conversation_id,
            locale=form.locale.data,
            version=form.version_seen,
        )

    return _done(conversation_id, act, _("Saved."))


@dashboard.post("/inbox/<conversation_id>/closure", roles=OFFICE)
def close_conversation(conversation_id: str) -> Response:
    """End the conversation."""
    undo = Undo(url_for("dashboard.reopen_conversation", conversation_id=conversation_id), {})

    def act(session: WorkspaceSession) -> None:
        close_conversation_verb(session, clock(), actor(), conversation_id=conversation_id)

    return _done(conversation_id, act, _("Done. New words open it again."), undo)


@dashboard.post("/inbox/<conversation_id>/reopening", roles=OFFICE)
def reopen_conversation(conversation_id: str) -> Response:
    """Take the conversation up again."""
    undo = Undo(url_for("dashboard.close_conversation", conversation_id=conversation_id), {})

    def act(session: WorkspaceSession) -> None:
        reopen_conversation_verb(session, clock(), actor(), conversation_id=conversation_id)

    return _done(conversation_id, act, _("The conversation is open again."), undo)


@dashboard.post("/inbox/<conversation_id>/messages/<guest_message_id>/retry", roles=OFFICE)
def send_again(conversation_id: str, guest_message_id: str) -> Response:
    """Have a message that failed sent again."""

    def act(session: WorkspaceSession) -> None:
        send_words_again(session, clock(), actor(), message_id=guest_message_id)

    return _done(conversation_id, act, _("It is sent again."))


@dashboard.post("/inbox/<conversation_id>/messages/<guest_message_id>/file", roles=OFFICE)
def fetch_again(conversation_id: str, guest_message_id: str) -> Response:
    """Have a file fetched again that could not be had."""

    def act(session: WorkspaceSession) -> None:
        fetch_file_again(session, clock(), actor(), message_id=guest_message_id)

    return _done(conversation_id, act, _("The file is asked for again."))


def _done(
    conversation_id: str,
    act: Callable[[WorkspaceSession], None],
    said: str,
    undo: Undo | None = None,
) -> Response:
    form = ReplyForm.sent(request.form)
    return submitted(
        form,
        act=act,
        then=lambda _none: go(
            url_for("dashboard.conversation", conversation_id=conversation_id),
            said=said,
            undo=undo,
        ),
        again=lambda: shown(conversation_id, form),
    )
