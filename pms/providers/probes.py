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


def _build_payments_probe(access: Access) -> ProviderRequest:
    url = f"{access.address}/v1/checkout/sessions?limit=1"
    return ProviderRequest("GET", url, payment_headers(access))


def _build_line_probe(access: Access) -> ProviderRequest:
    return ProviderRequest("GET", f"{access.address}/v2/bot/info", bearer_header(access))


def _build_whatsapp_probe(access: Access) -> ProviderRequest:
    number = quote(access.account or "", safe="")
    url = f"{whatsapp_address(access)}/{number}?fields=display_phone_number"
    return ProviderRequest("GET", url, bearer_header(access))


def _build_assistant_probe(access: Access) -> ProviderRequest:
    return ProviderRequest("GET", f"{access.address}/models", bearer_header(access))


PROBES: Final[Mapping[IntegrationKind, Callable[[Access], ProviderRequest]]] = {
    IntegrationKind.PAYMENTS: _build_payments_probe,
    IntegrationKind.ESIGN: account_request,
    IntegrationKind.LINE: _build_line_probe,
    IntegrationKind.WHATSAPP: _build_whatsapp_probe,
    IntegrationKind.ASSISTANT: _build_assistant_probe,
}
"""These requests only read; the relay of booking sites has none."""
