"""Speaks to a payment provider: asks for the page on which one visit is paid."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pms.checkouts.queries import CheckoutRecord
from pms.foundation.provider_http import ProviderError, ProviderRequest, checked_page
from pms.workspaces.integrations import Access


class PaymentPage(NamedTuple):
    """What the provider calls the visit, and where it is paid."""

    reference: str
    url: str


class Payer(NamedTuple):
    """What the payment page says and in which language, and the address for the receipt."""

    label: str
    locale: str
    email: str | None


def payment_page_request(
    access: Access, call_id: str, visit: CheckoutRecord, payer: Payer, base_url: str
) -> ProviderRequest:
    """Return the question for a page; asked again under the same call it makes no second one."""
    back = f"{base_url}{visit.return_path}"
    told = {
        "mode": "payment",
        "success_url": back,
        "cancel_url": back,
        "client_reference_id": visit.id,
        "locale": payer.locale,
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": "jpy",
        # Yen have no smaller unit: the amount is whole yen as it is.
        "line_items[0][price_data][unit_amount]": str(visit.amount_yen),
        "line_items[0][price_data][product_data][name]": payer.label,
        "metadata[entryId]": visit.entry_id,
        "metadata[checkoutId]": visit.id,
        "payment_intent_data[metadata][entryId]": visit.entry_id,
        "payment_intent_data[metadata][checkoutId]": visit.id,
    }
    if payer.email:
        told["customer_email"] = payer.email
    headers = {
        "Authorization": f"Bearer {access.secret}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": call_id,
    }
    if access.account:
        headers["Stripe-Account"] = access.account
    body = urlencode(told).encode()
    return ProviderRequest("POST", f"{access.address}/v1/checkout/sessions", headers, body)


def page_in(answer: Mapping[str, Any], *, allow_http: bool) -> PaymentPage:
    """Return the page of an answer; raise `ProviderError` when it names none."""
    reference, url = answer.get("id"), answer.get("url")
    if (
        not isinstance(reference, str)
        or not 0 < len(reference) <= 255
        or not reference.isprintable()
    ):
        raise ProviderError("the answer has no id")
    return PaymentPage(reference, checked_page(url, allow_http=allow_http))
