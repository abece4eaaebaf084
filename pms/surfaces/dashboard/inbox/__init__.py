"""The inbox: one thread a person, whatever channel they write on."""

from typing import Final

from pms.surfaces.dashboard.inbox import (
    acting,
    answering,
    listing,
    media,
    merging,
    stay_choice,
    template_list,
    template_writing,
    thread,
)
from pms.surfaces.dashboard.routes import MAINTENANCE, OFFICE
_ONE: Final = "/inbox/<conversation_id>"
_MESSAGE: Final = f"{_ONE}/messages/<guest_message_id>"
_TEMPLATES: Final = "/reply-templates"
_TEMPLATE: Final = f"{_TEMPLATES}/<reply_template_id>"


