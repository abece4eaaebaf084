"""What the providers share: the credentials of a call, and how a message is sent."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pms.foundation.provider_http import ProviderRequest
from pms.rules.message_words import Channel
from pms.rules.provider_json import name_within, objects_within


class Access(NamedTuple):
    """The address and credentials for calling a provider; they never leave the worker."""

    address: str
    account: str | None
    secret: str


class Outgoing(NamedTuple):
    """An outgoing message as the provider needs it."""

    id: str
    channel: Channel
    handle: str
    text: str
    is_wanted: bool
    """Whether it still has to be sent: not if it was sent already."""
    reply_to: str | None
    """The channel's id of the recipient's last message."""
    mark: str
    """The id of this try."""


def first_id(answer: Mapping[str, Any], name: str) -> str | None:
    """Return the id of the first object of a list in an answer."""
    return next((name_within(member, "id") for member in objects_within(answer, name)), None)


def post_request(
    access: Access, url: str, facts: Mapping[str, Any], more: Mapping[str, str] | None = None
) -> ProviderRequest:
    """Return a request that posts JSON; `more` are further headers."""
    headers = {
        "Authorization": f"Bearer {access.secret}",
        "Content-Type": "application/json; charset=utf-8",
        **(more or {}),
    }
    return ProviderRequest("POST", url, headers, json.dumps(facts, ensure_ascii=False).encode())


def bearer_header(access: Access) -> dict[str, str]:
    """Return the header that carries the secret."""
    return {"Authorization": f"Bearer {access.secret}"}
