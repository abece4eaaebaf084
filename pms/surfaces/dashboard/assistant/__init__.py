"""The assistant of the website: how it is set, what it was asked, and trying it."""

from typing import Final

from pms.surfaces.dashboard.assistant import figures, transcripts, trying
from pms.surfaces.dashboard.reach import OFFICE, OPERATOR, Address

_ONE: Final = "/assistant/chats/<chat_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/assistant", "assistant", transcripts.index, OFFICE),
    Address(_ONE, "assistant_chat", transcripts.show, OFFICE),
    Address(_ONE, "answer_in_chat", trying.go_on, OFFICE, "POST"),
    Address("/assistant/trial", "try_assistant", trying.show, OFFICE),
    Address("/assistant/trial", "ask_assistant", trying.ask, OFFICE, "POST"),
    Address("/assistant/settings", "assistant_settings", figures.show, OPERATOR),
    Address("/assistant/settings", "set_assistant", figures.save, OPERATOR, "POST"),
)
