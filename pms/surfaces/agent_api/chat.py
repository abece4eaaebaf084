"""`POST /api/agent/chat`: what a visitor of a website asks the assistant, and its answer."""

from typing import Final

from flask import Response

from pms.rules.enumerations import Locale
from pms.site.talk_to_visitor import Visitor, talk_to_visitor
from pms.surfaces.agent_api.answers import private_answer
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.assistance import assistance
from pms.surfaces.request_scope import clock, database

LONGEST_MESSAGE: Final = 2_000


def ask_assistant() -> Response:
    """Answer a message; the conversation goes on with the id that is answered."""
    body, key = JsonBody.read(), known_key()
    message = body.text("message", LONGEST_MESSAGE, needed=True)
    conversation_id = body.identity("conversationId")
    locale = body.choice("locale", Locale)
    body.finish()
    told = talk_to_visitor(
        database(),
        clock(),
        assistance(),
        visitor=Visitor(key.workspace_id, key.id, conversation_id, locale),
        message=message,
    )
    return private_answer(
        {
            "conversationId": told.conversation_id,
            "reply": told.reply,
            "sources": [source._asdict() for source in told.sources],
        }
    )
