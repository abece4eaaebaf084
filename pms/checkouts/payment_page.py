"""Speaks to a payment provider: asks for the page on which one visit is paid."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from pms.checkouts.queries import CheckoutRecord
from pms.foundation.provider_http import ProviderError, ProviderRequest, checked_page
from pms.workspaces.integrations import Access

PAGE_LIVES: Final = timedelta(minutes=46)
"""How long a page may be paid on at most; providers ask for half an hour at least."""
_ROUND: Final = timedelta(minutes=15)


class PageTerms(NamedTuple):
    """Under which key a page is asked for, and when it closes."""

    key: str
    closes_at: datetime


class PaymentPage(NamedTuple):
    """What the provider calls the visit, and where it is paid."""

    reference: str
    url: str


class Payer(NamedTuple):
    """What the payment page says and in which language, and the address for the receipt."""

    label: str
    locale: str
    email: str | None


def page_terms(call_id: str, written_at: datetime, now: datetime) -> PageTerms:
    """Return the terms of a try; tries close to each other have the same and make one page.

    A later one asks for a page of its own: nobody was ever led to that of a try before.
    """
    rounds = max((now - written_at) // _ROUND, 0)
    key = call_id if rounds == 0 else f"{call_id}-{rounds}"
    return PageTerms(key, written_at + rounds * _ROUND + PAGE_LIVES)


def payment_page_request(
    access: Access, terms: PageTerms, visit: CheckoutRecord, payer: Payer, base_url: str
) -> ProviderRequest:
    """Return the question for a page; asked again under the same key it makes no second one."""
    back = f"{base_url}{visit.return_path}"
    told = {
        "mode": "payment",
        "success_url": back,
        "cancel_url": back,
        "client_reference_id": visit.id,
        "expires_at": str(int(terms.closes_at.timestamp())),
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
        **payment_headers(access),
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": terms.key,
    }
    body = urlencode(told).encode()
    return ProviderRequest("POST", f"{access.address}/v1/checkout/sessions", headers, body)


def payment_headers(access: Access) -> dict[str, str]:
    """Return who asks, as a payment provider is told it."""
    account = {"Stripe-Account": access.account} if access.account else {}
    return {"Authorization": f"Bearer {access.secret}", **account}


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
