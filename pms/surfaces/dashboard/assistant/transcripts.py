"""What the assistant was asked and answered, and what that costs today."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request

from pms.site.assistant_figures import assistant_figures
from pms.site.chat_transcripts import (
    FoundConversations,
    costs_of_day,
    keys_that_asked,
    list_transcripts,
    transcript,
)
from pms.surfaces.dashboard.assistant.transcripts_form import TranscriptsForm
from pms.surfaces.dashboard.assistant.trying_form import QuestionForm
from pms.surfaces.dashboard.assistant.words import cost_words, failure_words
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, page, page_or_block


@dashboard.get("/assistant", roles=OFFICE)
def assistant() -> Response:
    """Show one page of the conversations, and what each key asked today."""
    form, paging = TranscriptsForm(request.args), asked_paging()
    form.offer(keys_that_asked(reading()))
    is_sound = form.validate()
    found = (
        list_transcripts(reading(), form.wanted, paging) if is_sound else FoundConversations([], 0)
    )
    response = page_or_block(
        "dashboard/assistant/index.html",
        "results",
        form=form,
        found=found,
        paging=paging,
        figures=assistant_figures(reading()),
        costs=costs_of_day(reading(), today()),
        cost_words=cost_words,
    )
    if not is_sound:
        response.status_code = UNACCEPTED
    return response


@dashboard.get("/assistant/chats/<chat_id>", roles=OFFICE)
def assistant_chat(chat_id: str) -> Response:
    """Show one conversation whole."""
    return chat_page(chat_id, QuestionForm())


def chat_page(chat_id: str, form: QuestionForm) -> Response:
    """Return the page of a conversation; what the staff began can be gone on with."""
    return page(
        "dashboard/assistant/chat.html",
        chat=transcript(reading(), chat_id),
        form=form,
        cost_words=cost_words,
        failure_words=failure_words,
    )
