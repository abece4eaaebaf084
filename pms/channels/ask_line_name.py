"""Has LINE asked for the name of somebody who wrote, since a delivery does not tell it."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy.orm import Session

from pms.channels.find_conversation import LONGEST_NAME
from pms.channels.models import Conversation
from pms.channels.note_message import locked_conversations
from pms.foundation.clock import Clock
from pms.foundation.provider_calls import put_call
from pms.foundation.provider_http import ProviderRequest
from pms.rules.enumerations import IntegrationKind
from pms.rules.provider_json import storable, text_within
from pms.workspaces.integrations import Access, has_integration

NAMING: Final = "channels.line_name"
_GROUP: Final = "C"
_ROOM: Final = "R"
_SHOWN: Final = 4
_FIRST: Final = 2
"""The version of a conversation that was begun and then told of its first message."""


def unnamed(handle: str) -> str:
    """Return how a person of LINE is called until LINE was asked."""
    return f"LINE …{handle[-_SHOWN:]}"


def ask_line_name(session: Session, clock: Clock, row: Conversation, handle: str) -> None:
    """Have the name asked for, once, if nobody knows it and LINE can be asked."""
    is_first = row.version == _FIRST and row.name == unnamed(handle)
    if is_first and not handle.startswith(_ROOM) and has_integration(session, IntegrationKind.LINE):
        put_call(session, clock, kind=NAMING, subject_id=row.id, facts={"handle": handle})


def line_name_request(access: Access, handle: str) -> ProviderRequest:
    """Ask for the profile of a person, or for what a group is called."""
    name = quote(handle, safe="")
    path = f"group/{name}/summary" if handle.startswith(_GROUP) else f"profile/{name}"
    headers = {"Authorization": f"Bearer {access.secret}"}
    return ProviderRequest("GET", f"{access.address}/v2/bot/{path}", headers)


def line_name_in(answer: Mapping[str, Any]) -> str | None:
    """Return the name LINE answered with."""
    told = text_within(answer, "displayName") or text_within(answer, "groupName")
    return " ".join(str(storable(told)).split())[:LONGEST_NAME] if told else None


def note_line_name(session: Session, *, conversation_id: str, handle: str, name: str) -> None:
    """Call a conversation by the name, unless somebody knew better meanwhile."""
    row = locked_conversations(session, [conversation_id]).get(conversation_id)
    if row is not None and row.name == unnamed(handle):
        row.name, row.version = name, row.version + 1
