"""How each provider signs a delivery with a workspace's secret, and how it is split into events.

The bytes are verified as they came. Every secret is compared with every signature in constant time,
so that the time of an answer reveals neither their number nor how close a guess was.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pms.providers.esign import is_signed_document, split_envelope
from pms.providers.line import is_signed_line, split_line
from pms.providers.payments import is_signed_payment, split_payment
from pms.providers.signatures import (
    Delivery,
)
from pms.providers.whatsapp import is_signed_whatsapp, split_whatsapp
from pms.rules.message_words import WebhookSource
from pms.rules.provider_json import ProviderEvent


def is_signed(source: WebhookSource, delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Whether a delivery has a signature made with one of the secrets (Inbound webhooks)."""
    return _WAYS[source](delivery, secrets)


_WAYS: Final[Mapping[WebhookSource, Callable[[Delivery, Sequence[str]], bool]]] = {
    WebhookSource.LINE: is_signed_line,
    WebhookSource.WHATSAPP: is_signed_whatsapp,
    WebhookSource.PAYMENTS: is_signed_payment,
    WebhookSource.ESIGN: is_signed_document,
}

Splitter = Callable[[Mapping[str, Any]], list[ProviderEvent]]
SPLITTERS: Final[Mapping[WebhookSource, Splitter]] = {
    WebhookSource.LINE: split_line,
    WebhookSource.WHATSAPP: split_whatsapp,
    WebhookSource.PAYMENTS: split_payment,
    WebhookSource.ESIGN: split_envelope,
}
"""The function that splits a delivery into events, by source."""
