"""The closed sets of words of channels: who writes where, what a provider tells, what is ordered."""

from enum import StrEnum


class WebhookSource(StrEnum):
    """Who pushes events into a workspace (Inbound webhooks)."""

    OTA = "ota"
    LINE = "line"
    WHATSAPP = "whatsapp"
    PAYMENTS = "payments"
    ESIGN = "esign"


class SecretPurpose(StrEnum):
    """What a webhook secret is for: to check signatures, or to answer a provider's handshake."""

    SIGNATURE = "signature"
    HANDSHAKE = "handshake"


class InboundState(StrEnum):
    """How far an inbound event is: `unused` is of a kind that changes nothing here."""

    WAITING = "waiting"
    DONE = "done"
    UNUSED = "unused"
    UNMATCHED = "unmatched"
    SET_ASIDE = "set_aside"
    FAILED = "failed"


class Channel(StrEnum):
    """Where words of a person come from and answers go to."""

    PORTAL = "portal"
    MAIL = "mail"
    LINE = "line"
    WHATSAPP = "whatsapp"
    OTA = "ota"


class ConversationState(StrEnum):
    """Whether anything of a conversation is still open."""

    OPEN = "open"
    DONE = "done"


class MessageKind(StrEnum):
    """What a message holds; `unsupported` is what the channel itself could not pass on."""

    TEXT = "text"
    IMAGE = "image"
    VIDEO = "video"
    AUDIO = "audio"
    FILE = "file"
    STICKER = "sticker"
    LOCATION = "location"
    REACTION = "reaction"
    UNSUPPORTED = "unsupported"


class MessageState(StrEnum):
    """How far a message is; what comes in is `received`, what goes out begins as `waiting`."""

    RECEIVED = "received"
    WAITING = "waiting"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"


class OrderState(StrEnum):
    """Where a supplier's order stands."""

    NEW = "new"
    MATCHED = "matched"
    SET_ASIDE = "set_aside"


class OrderDoubt(StrEnum):
    """Why a supplier's order waits for a person instead of becoming cost by itself."""

    NO_NUMBER = "no_number"
    UNKNOWN_NUMBER = "unknown_number"
    DONE = "done"
    CANCELLED = "cancelled"
    ELSEWHERE = "elsewhere"
    REPEATED = "repeated"


class LeadState(StrEnum):
    """Where somebody who applies, or offers to work together, stands."""

    NEW = "new"
    IN_TALKS = "in_talks"
    TAKEN_ON = "taken_on"
    DECLINED = "declined"


class LeafletKind(StrEnum):
    """What a leaflet of the website is about: a job on offer, or a service."""

    POSITION = "position"
    SERVICE = "service"


class ContentState(StrEnum):
    """Whether the website shows a piece of content: not yet, at its time, now, or no longer."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLIC = "public"
    OVER = "over"


class AnsweredBy(StrEnum):
    """What wrote an answer of the assistant."""

    RETRIEVAL = "retrieval"
    MODEL = "model"
