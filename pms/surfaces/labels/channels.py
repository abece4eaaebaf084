"""The labels of incoming messages: where they come from, and their state."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.rules.message_words import (
    AnsweredBy,
    Channel,
    ContentState,
    ConversationState,
    InboundState,
    LeadState,
    LeafletKind,
    MessageKind,
    MessageState,
    OrderDoubt,
    OrderState,
    SecretPurpose,
    WebhookSource,
)

CHANNEL_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    AnsweredBy: {
        AnsweredBy.RETRIEVAL: worded("answer", "By search"),
        AnsweredBy.MODEL: worded("answer", "Written by the model"),
    },
    ContentState: {
        ContentState.DRAFT: worded("content state", "Draft"),
        ContentState.SCHEDULED: worded("content state", "Scheduled"),
        ContentState.PUBLIC: worded("content state", "Public"),
        ContentState.OVER: worded("content state", "Ended"),
    },
    LeafletKind: {
        LeafletKind.POSITION: worded("leaflet kind", "Position"),
        LeafletKind.SERVICE: worded("leaflet kind", "Service"),
    },
    Channel: {
        Channel.PORTAL: worded("channel", "Resident portal"),
        Channel.MAIL: worded("channel", "Email"),
        Channel.LINE: worded("channel", "LINE"),
        Channel.WHATSAPP: worded("channel", "WhatsApp"),
        Channel.OTA: worded("channel", "Booking site"),
    },
    LeadState: {
        LeadState.NEW: worded("lead state", "New"),
        LeadState.IN_TALKS: worded("lead state", "In talks"),
        LeadState.TAKEN_ON: worded("lead state", "Accepted"),
        LeadState.DECLINED: worded("lead state", "Declined"),
    },
    OrderState: {
        OrderState.NEW: worded("order state", "To match"),
        OrderState.MATCHED: worded("order state", "Matched"),
        OrderState.SET_ASIDE: worded("order state", "Set aside"),
    },
    OrderDoubt: {
        OrderDoubt.NO_NUMBER: worded("order doubt", "No project number."),
        OrderDoubt.UNKNOWN_NUMBER: worded("order doubt", "No project has this number."),
        OrderDoubt.DONE: worded("order doubt", "The project is done."),
        OrderDoubt.CANCELLED: worded("order doubt", "The project is cancelled."),
        OrderDoubt.ELSEWHERE: worded("order doubt", "The project is in another building."),
        OrderDoubt.REPEATED: worded("order doubt", "The same order was received before."),
    },
    WebhookSource: {
        WebhookSource.OTA: worded("webhook", "Messages of booking sites"),
        WebhookSource.LINE: worded("webhook", "LINE"),
        WebhookSource.WHATSAPP: worded("webhook", "WhatsApp"),
        WebhookSource.PAYMENTS: worded("webhook", "Payments"),
        WebhookSource.ESIGN: worded("webhook", "Electronic signatures"),
        WebhookSource.MAIL: worded("webhook", "Mailbox"),
    },
    SecretPurpose: {
        SecretPurpose.SIGNATURE: worded("webhook", "Checks signatures"),
        SecretPurpose.HANDSHAKE: worded("webhook", "Answers the connection check"),
    },
    InboundState: {
        InboundState.WAITING: worded("webhook", "Waiting"),
        InboundState.DONE: worded("webhook", "Done"),
        InboundState.UNUSED: worded("webhook", "Stored only"),
        InboundState.UNMATCHED: worded("webhook", "To be assigned"),
        InboundState.SET_ASIDE: worded("webhook", "Set aside"),
        InboundState.FAILED: worded("webhook", "Failed"),
    },
    ConversationState: {
        ConversationState.OPEN: worded("conversation state", "Open"),
        ConversationState.DONE: worded("conversation state", "Done"),
    },
    MessageKind: {
        MessageKind.TEXT: worded("message kind", "Text"),
        MessageKind.IMAGE: worded("message kind", "Picture"),
        MessageKind.VIDEO: worded("message kind", "Video"),
        MessageKind.AUDIO: worded("message kind", "Voice message"),
        MessageKind.FILE: worded("message kind", "File"),
        MessageKind.STICKER: worded("message kind", "Sticker"),
        MessageKind.LOCATION: worded("message kind", "Place on a map"),
        MessageKind.REACTION: worded("message kind", "Reaction"),
        MessageKind.UNSUPPORTED: worded("message kind", "Content the channel cannot show"),
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
