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
from pms.surfaces.dashboard.reach import MAINTENANCE, OFFICE, Address

_ONE: Final = "/inbox/<conversation_id>"
_MESSAGE: Final = f"{_ONE}/messages/<guest_message_id>"
_TEMPLATES: Final = "/reply-templates"
_TEMPLATE: Final = f"{_TEMPLATES}/<reply_template_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/inbox", "inbox", listing.show, MAINTENANCE),
    Address(_ONE, "conversation", thread.show, MAINTENANCE),
    Address(f"{_ONE}/answers", "answer_conversation", answering.answer, MAINTENANCE, "POST"),
    Address(f"{_ONE}/drafts", "fill_reply", answering.fill, OFFICE, "POST"),
    Address(f"{_ONE}/assignee", "assign_conversation", acting.assign, OFFICE, "POST"),
    Address(f"{_ONE}/language", "set_conversation_language", acting.set_language, OFFICE, "POST"),
    Address(f"{_ONE}/closure", "close_conversation", acting.close, OFFICE, "POST"),
    Address(f"{_ONE}/reopening", "reopen_conversation", acting.reopen, OFFICE, "POST"),
    Address(f"{_ONE}/reservation", "stay_of_conversation", stay_choice.show, OFFICE),
    Address(f"{_ONE}/reservation", "link_conversation", stay_choice.link, OFFICE, "POST"),
    Address(f"{_ONE}/merging", "same_person", merging.show, OFFICE),
    Address(f"{_ONE}/merging", "merge_conversations", merging.merge, OFFICE, "POST"),
    Address("/messages/<guest_message_id>/file", "message_file", media.show, OFFICE),
    Address(f"{_MESSAGE}/file", "fetch_again", acting.fetch_again, OFFICE, "POST"),
    Address(f"{_MESSAGE}/retry", "send_again", acting.send_again, OFFICE, "POST"),
    Address(_TEMPLATES, "reply_templates", template_list.show, OFFICE),
    Address(f"{_TEMPLATES}/new", "new_reply_template", template_writing.new, OFFICE),
    Address(_TEMPLATES, "add_reply_template", template_writing.add, OFFICE, "POST"),
    Address(_TEMPLATE, "reply_template", template_writing.show, OFFICE),
    Address(_TEMPLATE, "write_reply_template", template_writing.write, OFFICE, "POST"),
    Address(
        f"{_TEMPLATE}/archive", "archive_reply_template", template_list.archive, OFFICE, "POST"
    ),
)
