"""Asks which file of a message is to be fetched, and from which provider."""

from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import GuestMessage
from pms.rules.channel_words import Channel, MessageKind
from pms.rules.enumerations import IntegrationKind

_PROVIDERS: Final = {
    Channel.LINE: IntegrationKind.LINE,
    Channel.WHATSAPP: IntegrationKind.WHATSAPP,
}


class WantedMedia(NamedTuple):
    """A file that a provider keeps and that is not here yet."""

    provider: IntegrationKind
    kind: MessageKind
    media_id: str


def wanted_media(session: Session, message_id: str) -> WantedMedia | None:
    """Return the file that is missing; nothing when it is here or was taken back."""
    message = session.scalar(select(GuestMessage).where(GuestMessage.id == message_id))
    if message is None or message.taken_back_at is not None or message.media_key is not None:
        return None
    provider = _PROVIDERS.get(message.channel)
    if provider is None or message.media_id is None:
        return None
    return WantedMedia(provider, message.kind, message.media_id)
