"""Words of what others write in: where words come from, how far a message is."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.rules.channel_words import Channel, ConversationState, MessageKind, MessageState

WORDS_OF_CHANNELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    Channel: {
        Channel.PORTAL: worded("channel", "Portal"),
        Channel.MAIL: worded("channel", "Mail"),
        Channel.LINE: worded("channel", "LINE"),
        Channel.WHATSAPP: worded("channel", "WhatsApp"),
        Channel.OTA: worded("channel", "Booking site"),
    },
    ConversationState: {
        ConversationState.OPEN: worded("conversation state", "Open"),
        ConversationState.DONE: worded("conversation state", "Done"),
    },
    MessageKind: {
        MessageKind.TEXT: worded("message kind", "Words"),
        MessageKind.IMAGE: worded("message kind", "Picture"),
        MessageKind.VIDEO: worded("message kind", "Video"),
        MessageKind.AUDIO: worded("message kind", "Voice message"),
        MessageKind.FILE: worded("message kind", "File"),
        MessageKind.STICKER: worded("message kind", "Sticker"),
        MessageKind.LOCATION: worded("message kind", "Place on a map"),
        MessageKind.REACTION: worded("message kind", "Reaction"),
        MessageKind.UNSUPPORTED: worded("message kind", "Something the channel cannot pass on"),
    },
    MessageState: {
        MessageState.RECEIVED: worded("message state", "Received"),
        MessageState.WAITING: worded("message state", "Being sent"),
        MessageState.SENT: worded("message state", "Sent"),
        MessageState.DELIVERED: worded("message state", "Delivered"),
        MessageState.READ: worded("message state", "Read"),
        MessageState.FAILED: worded("message state", "Not sent"),
    },
}
