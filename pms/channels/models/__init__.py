"""The room's tables."""

from pms.channels.models.conversations import (
    Conversation,
    ConversationHandle,
    GuestMessage,
    ReplyTemplate,
)
from pms.channels.models.events import InboundEvent
from pms.channels.models.orders import SupplierOrder, SupplierOrderLine

__all__ = [
    "Conversation",
    "ConversationHandle",
    "GuestMessage",
    "InboundEvent",
    "ReplyTemplate",
    "SupplierOrder",
    "SupplierOrderLine",
]
