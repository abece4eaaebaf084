"""The assistant of the website: how it is set, what it was asked, and trying it."""

from typing import Final

from pms.surfaces.dashboard.assistant import figures, transcripts, trying
from pms.surfaces.dashboard.routes import OFFICE, OPERATOR
_ONE: Final = "/assistant/chats/<chat_id>"


