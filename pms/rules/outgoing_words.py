"""How long an answer may be on each channel, and whether a handle is one answers can go to."""

from collections.abc import Mapping
from typing import Final

from pms.rules.channel_words import Channel

LONGEST: Final[Mapping[Channel, int]] = {
    Channel.MAIL: 10_000,
    Channel.LINE: 5_000,
    Channel.WHATSAPP: 4_096,
    Channel.OTA: 10_000,
}
"""In characters; LINE counts as UTF-16 does, so that an emoji is two."""


def length_of(channel: Channel, text: str) -> int:
    """Return how long a text is as its channel counts."""
    return len(text.encode("utf-16-le")) // 2 if channel is Channel.LINE else len(text)
