"""Words what is asked of a provider so that a message of ours reaches somebody."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.models import GuestMessage
from pms.channels.sending_tries import current_try
from pms.channels.whatsapp_addresses import whatsapp_address
from pms.foundation.errors import NotFound
from pms.foundation.provider_http import ProviderError, ProviderRequest
from pms.rules.channel_words import Channel, MessageState
from pms.rules.enumerations import TicketSide
from pms.rules.ota_handles import ota_address
from pms.rules.provider_json import name_within, objects_within
from pms.workspaces.integrations import Access

_WAITS: Final = frozenset({MessageState.WAITING, MessageState.FAILED})


class Outgoing(NamedTuple):
    """A message of ours as its provider is told it."""

    id: str
    channel: Channel
    handle: str
    text: str
    is_wanted: bool
    """Whether it still waits: one that arrived is not sent again."""
    reply_to: str | None
    """What the channel calls the last message of whoever it goes to."""
    mark: str
    """What this try of sending it is called."""


def outgoing(session: Session, message_id: str) -> Outgoing:
    """Return a message of ours; raise `NotFound` when it is gone."""
    message = session.scalar(select(GuestMessage).where(GuestMessage.id == message_id))
    if message is None:
        raise NotFound("There is no message '{message_id}'.", message_id=message_id[:60])
    last = (
        select(GuestMessage.external_id)
        .where(
            GuestMessage.conversation_id == message.conversation_id,
            GuestMessage.channel == message.channel,
            GuestMessage.handle == message.handle,
            GuestMessage.side == TicketSide.RESIDENT,
        )
        .order_by(GuestMessage.sent_at.desc(), GuestMessage.id.desc())
        .limit(1)
    )
    return Outgoing(
        message.id,
        message.channel,
        message.handle or "",
        message.text,
        message.state in _WAITS,
        session.scalar(last),
        current_try(session, message.id).mark,
    )


def line_push_request(access: Access, call_id: str, message: Outgoing) -> ProviderRequest:
    """Push words to a person, a group or a room; the key keeps a repeated call single."""
    told = {"to": message.handle, "messages": [{"type": "text", "text": message.text}]}
    url = f"{access.address}/v2/bot/message/push"
    return _post(access, url, told, {"X-Line-Retry-Key": str(UUID(call_id))})


def line_id_in(answer: Mapping[str, Any]) -> str | None:
    """Return what LINE calls the message it took."""
    return _first_id(answer, "sentMessages")


def whatsapp_request(access: Access, _: str, message: Outgoing) -> ProviderRequest:
    """Send words; the mark of the try comes back with every status, should the answer be lost."""
    # Whoever hides their number is written to under the id WhatsApp gave them for us.
    to = "to" if message.handle.isdigit() else "recipient"
    told = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        to: message.handle,
        "type": "text",
        "text": {"body": message.text, "preview_url": False},
        "biz_opaque_callback_data": message.mark,
    }
    url = f"{whatsapp_address(access)}/{quote(access.account or '', safe='')}/messages"
    return _post(access, url, told)


def whatsapp_id_in(answer: Mapping[str, Any]) -> str | None:
    """Return what WhatsApp calls the message it took."""
    return _first_id(answer, "messages")


def ota_request(access: Access, _: str, message: Outgoing) -> ProviderRequest:
    """Hand words to the relay; it knows by the message's id that a repeat is one."""
    address = ota_address(message.handle)
    if address is None:
        raise ProviderError("nothing tells the relay whom this goes to", for_good=True)
    told = {"id": message.id, "channel": address.channel, address.field: address.value}
    _, _, last = (message.reply_to or "").partition(":")
    if last:
        told["inReplyTo"] = last
    url = f"{access.address}/messages"
    return _post(access, url, {**told, "text": message.text}, {"Idempotency-Key": message.id})


def _first_id(answer: Mapping[str, Any], name: str) -> str | None:
    return next((name_within(one, "id") for one in objects_within(answer, name)), None)


def _post(
    access: Access, url: str, told: Mapping[str, Any], more: Mapping[str, str] | None = None
) -> ProviderRequest:
    headers = {
        "Authorization": f"Bearer {access.secret}",
        "Content-Type": "application/json; charset=utf-8",
        **(more or {}),
    }
    return ProviderRequest("POST", url, headers, json.dumps(told, ensure_ascii=False).encode())
