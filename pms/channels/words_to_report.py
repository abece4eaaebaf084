"""What the person of a conversation said last, to be reported, and the stay beside it."""

from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.channels.conversation_in_hand import conversation_in_hand
from pms.channels.conversation_thread import conversation_thread
from pms.channels.inbox_reach import InboxReach
from pms.channels.known_handles import known_handles
from pms.rules.channel_words import MessageKind
from pms.rules.enumerations import TicketSide


class WordsToReport(NamedTuple):
    """Whose words; empty when the latest page of the thread holds none of theirs."""

    reservation_id: str | None
    text: str


def words_to_report(session: Session, conversation_id: str, reach: InboxReach) -> WordsToReport:
    """Return the last words of the person, no reaction and no picture alone.

    Raises `NotFound` for a conversation out of reach.
    """
    row = conversation_in_hand(session, conversation_id, reach, is_changed=False)
    thread = conversation_thread(session, row.id, known_handles(session, row), reach)
    for line in reversed(thread.lines):
        is_theirs = line.side == TicketSide.RESIDENT and line.kind is not MessageKind.REACTION
        if is_theirs and line.text:
            return WordsToReport(row.reservation_id, line.text)
    return WordsToReport(row.reservation_id, "")
