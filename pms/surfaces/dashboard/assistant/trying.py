"""Asks the assistant as a visitor would; it counts as the staff's own key would."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for

from pms.foundation.errors import ScopeLacking, TooMany
from pms.site.chat_transcripts import transcript
from pms.site.talk_to_visitor import Reply, Visitor, talk_to_visitor
from pms.surfaces.assistance import assistance
from pms.surfaces.dashboard.assistant.transcripts import chat_page
from pms.surfaces.dashboard.assistant.trying_form import QuestionForm
from pms.surfaces.dashboard.desk import clock, desk, place, reading
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.request_scope import database


@dashboard.get("/assistant/trial", roles=OFFICE)
def try_assistant() -> Response:
    """Show the box to ask in."""
    return _shown(QuestionForm())


@dashboard.post("/assistant/trial", roles=OFFICE)
def ask_assistant() -> Response:
    """Begin a conversation of the staff."""
    form = QuestionForm(request.form)
    told = _told(form, None)
    return _unaccepted(_shown(form)) if told is None else _gone_to(told)


@dashboard.post("/assistant/chats/<chat_id>", roles=OFFICE)
def answer_in_chat(chat_id: str) -> Response:
    """Go on with a conversation of the staff; what visitors said is not gone on with."""
    chat, form = transcript(reading(), chat_id), QuestionForm(request.form)
    if chat.key_id is not None:
        return _unaccepted(chat_page(chat_id, QuestionForm()))
    told = _told(form, chat_id)
    return _unaccepted(chat_page(chat_id, form)) if told is None else _gone_to(told)


def _told(form: QuestionForm, chat_id: str | None) -> Reply | None:
    if not form.validate():
        return None
    try:
        return talk_to_visitor(
            database(),
            clock(),
            assistance(),
            visitor=Visitor(desk().workspace_id, None, chat_id),
            message=form.message.data or "",
        )
    except (TooMany, ScopeLacking) as problem:
        place(form, problem)
        return None


def _shown(form: QuestionForm) -> Response:
    return page("dashboard/assistant/trial.html", form=form)


def _gone_to(told: Reply) -> Response:
    return go(url_for("dashboard.assistant_chat", chat_id=told.conversation_id))


def _unaccepted(response: Response) -> Response:
    response.status_code = UNACCEPTED
    return response
