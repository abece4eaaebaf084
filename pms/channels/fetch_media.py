"""Has the file of a message fetched by the worker, and keeps it, or why there is none."""

from typing import Final
from urllib.parse import quote, urlsplit

from sqlalchemy.orm import Session

from pms.channels.models import GuestMessage
from pms.channels.whatsapp_addresses import whatsapp_address
from pms.foundation.clock import Clock
from pms.foundation.provider_calls import put_call
from pms.foundation.provider_http import ProviderRequest
from pms.workspaces.integrations import Access

FETCHING: Final = "channels.file"
MOST_BYTES: Final = 10 * 1024 * 1024
_LINE_HOST: Final = "api.line.me"
_LINE_DATA_HOST: Final = "api-data.line.me"


def ask_for_media(session: Session, clock: Clock, message: GuestMessage) -> None:
    """Have the file fetched, if the message has one; its provider keeps it for some days only."""
    if message.media_id is not None:
        put_call(session, clock, kind=FETCHING, subject_id=message.id)


def line_file_request(access: Access, media_id: str) -> ProviderRequest:
    """Ask LINE for a file; files have a host of their own there."""
    address = access.address
    if urlsplit(address).hostname == _LINE_HOST:
        address = address.replace(_LINE_HOST, _LINE_DATA_HOST, 1)
    url = f"{address}/v2/bot/message/{quote(media_id, safe='')}/content"
    return ProviderRequest("GET", url, _told(access))


def whatsapp_place_request(access: Access, media_id: str) -> ProviderRequest:
    """Ask WhatsApp where a file is; what a delivery itself says of that is never followed."""
    url = f"{whatsapp_address(access)}/{quote(media_id, safe='')}"
    return ProviderRequest("GET", url, _told(access))


def whatsapp_file_request(access: Access, url: str) -> ProviderRequest:
    """Ask for a file where WhatsApp said it is."""
    return ProviderRequest("GET", url, _told(access))


def _told(access: Access) -> dict[str, str]:
    return {"Authorization": f"Bearer {access.secret}"}
