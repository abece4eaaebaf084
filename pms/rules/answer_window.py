"""Until when a person may be answered freely on a channel; WhatsApp allows it for a day."""

from datetime import datetime, timedelta
from typing import Final

from pms.rules.channel_words import Channel

_FREE: Final = {Channel.WHATSAPP: timedelta(hours=24)}


def answers_end_at(channel: Channel, last_heard_at: datetime | None) -> datetime | None:
    """The instant after which free words are no longer passed on; none where they always are.

    Of somebody who never wrote on such a channel nothing is known, so nothing is said.
    """
    free = _FREE.get(channel)
    return None if free is None or last_heard_at is None else last_heard_at + free
