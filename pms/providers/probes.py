"""The harmless request that shows whether a provider accepts the address, account and secret."""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

from pms.foundation.provider_http import ProviderRequest
from pms.providers.authentication import Access, bearer_header
from pms.providers.esign import account_request
from pms.providers.payments import payment_headers
from pms.providers.whatsapp import whatsapp_address
from pms.rules.enumerations import IntegrationKind


def _payments(access: Access) -> ProviderRequest:
    url = f"{access.address}/v1/checkout/sessions?limit=1"
    return ProviderRequest("GET", url, payment_headers(access))


def _line(access: Access) -> ProviderRequest:
    return ProviderRequest("GET", f"{access.address}/v2/bot/info", bearer_header(access))


def _whatsapp(access: Access) -> ProviderRequest:
    number = quote(access.account or "", safe="")
    url = f"{whatsapp_address(access)}/{number}?fields=display_phone_number"
    return ProviderRequest("GET", url, bearer_header(access))


def _assistant(access: Access) -> ProviderRequest:
    return ProviderRequest("GET", f"{access.address}/models", bearer_header(access))


PROBES: Final[Mapping[IntegrationKind, Callable[[Access], ProviderRequest]]] = {
    IntegrationKind.PAYMENTS: _payments,
    IntegrationKind.ESIGN: account_request,
    IntegrationKind.LINE: _line,
    IntegrationKind.WHATSAPP: _whatsapp,
    IntegrationKind.ASSISTANT: _assistant,
}
"""These requests only read; the relay of booking sites has none."""
