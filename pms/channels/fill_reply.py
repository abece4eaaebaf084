"""Fills a reply template with what is known of the person of a conversation."""

from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.channels.reply_places import reply_values
from pms.channels.reply_templates import reply_template
from pms.foundation.errors import Refused
from pms.rules.template_places import fill_plainly


def fill_reply(
    session: Session, *, conversation_id: str, template_id: str, reach: InboxReach
) -> str:
    """Return the words in the person's language; what is not known of them stays a place.

    Raises `Refused` for a template that is archived: it may hold what is no longer true.
    """
    row = conversation_in_hand(session, conversation_id, reach, is_changed=False)
    template = reply_template(session, template_id)
    if template.archived_at is not None:
        raise Refused("templateId: this template is archived.")
    text, language = template.said(row.locale)
    return fill_plainly(text, reply_values(session, row, language))
