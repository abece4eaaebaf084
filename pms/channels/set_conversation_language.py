"""Corrects the language of a conversation: templates and mails go by it from then on."""

from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.inbox_reach import InboxReach
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import Locale


def set_conversation_language(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    conversation_id: str,
    locale: str | None,
    version: int | None = None,
) -> None:
    """Write the language and by whom, so that nothing that comes in later changes it.

    One that stands there already is left, also for a page that is older. Raises `Refused` for
    another than Japanese and English, `Collision` when it is not as it was seen.
    """
    row = conversation_in_hand(session, conversation_id, InboxReach.everything())
    if locale not in list(Locale):
        raise Refused("locale: choose Japanese or English.")
    if locale == row.locale:
        return
    if version is not None and row.version != version:
        raise Collision(
            "locale: somebody else changed this conversation meanwhile: look at it again."
        )
    row.locale, row.locale_by = Locale(locale).value, actor
    row.version += 1
    note_change(session, clock, actor, Deed.CONVERSATION_LANGUAGE_SET, row)
    session.flush()
