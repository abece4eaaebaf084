"""The payment provider: its signature, its pages and its requests."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote, urlencode

from pms.foundation.provider_http import ProviderError, ProviderRequest, check_page
from pms.providers.authentication import (
    MOST_SIGNATURES,
    TOLERANCE,
    Access,
    Delivery,
    hmacs_of,
    is_one_of,
)
from pms.rules.enumerations import CheckoutState

_PAYMENTS: Final = "stripe-signature"


_LONGEST_INSTANT: Final = 12


def is_signed_payment(delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Whether one of the `v1` signatures matches; several are sent while a secret is replaced."""
    parts = [part.strip().partition("=") for part in delivery.headers.get(_PAYMENTS, "").split(",")]
    instants = [value for name, _, value in parts if name == "t"]
    found = [value for name, _, value in parts if name == "v1"][:MOST_SIGNATURES]
    instant = instants[0] if len(instants) == 1 else ""
    wanted = [made.hex() for made in hmacs_of(instant.encode() + b"." + delivery.body, secrets)]
    return is_one_of(found, wanted) and _is_near(instant, delivery.at)


def _is_near(instant: str, at: datetime) -> bool:
    if not (instant.isascii() and instant.isdecimal() and len(instant) <= _LONGEST_INSTANT):
        return False
    return abs(int(at.timestamp()) - int(instant)) <= TOLERANCE.total_seconds()


class BillToPay(Protocol):
    """A bill that the provider is asked to collect."""

    @property
    def id(self) -> str: ...
    @property
    def entry_id(self) -> str: ...
    @property
    def amount_yen(self) -> int: ...


class CheckoutVisit(BillToPay, Protocol):
    """A checkout as the requests to the provider need it."""

    @property
    def return_path(self) -> str: ...
    @property
    def reference(self) -> str | None: ...
    @property
    def state(self) -> CheckoutState: ...


class PageTerms(NamedTuple):
    """The idempotency key of a page, and when it expires."""

    key: str
    closes_at: datetime


class PaymentPage(NamedTuple):
    """The provider's id of the checkout, and the address of its page."""

    reference: str
    url: str


class CheckoutPayer(NamedTuple):
    """The texts and language of the payment page, and the address for the receipt."""

    label: str
    locale: str
    email: str | None


def payment_page_request(
    access: Access, terms: PageTerms, visit: CheckoutVisit, payer: CheckoutPayer, base_url: str
) -> ProviderRequest:
    """Return the request for a page; repeats under the same key create no second one."""
    back = f"{base_url}{visit.return_path}"
    facts = {
        "mode": "payment",
        "success_url": back,
        "cancel_url": back,
        "client_reference_id": visit.id,
        "expires_at": str(int(terms.closes_at.timestamp())),
        "locale": payer.locale,
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": "jpy",
        # The yen has no smaller unit: the amount is in whole yen.
        "line_items[0][price_data][unit_amount]": str(visit.amount_yen),
        "line_items[0][price_data][product_data][name]": payer.label,
        "metadata[entryId]": visit.entry_id,
        "metadata[checkoutId]": visit.id,
        "payment_intent_data[metadata][entryId]": visit.entry_id,
        "payment_intent_data[metadata][checkoutId]": visit.id,
    }
    if payer.email:
        facts["customer_email"] = payer.email
    headers = {
        **payment_headers(access),
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": terms.key,
    }
    body = urlencode(facts).encode()
    return ProviderRequest("POST", f"{access.address}/v1/checkout/sessions", headers, body)


def payment_headers(access: Access) -> dict[str, str]:
    """Return the headers that authenticate a request to the payment provider."""
    account = {"Stripe-Account": access.account} if access.account else {}
    return {"Authorization": f"Bearer {access.secret}", **account}


def page_in(answer: Mapping[str, Any], *, allow_http: bool) -> PaymentPage:
    """Return the page of an answer; raise `ProviderError` if it has none."""
    reference, url = answer.get("id"), answer.get("url")
    if (
        not isinstance(reference, str)
        or not 0 < len(reference) <= 255
        or not reference.isprintable()
    ):
        raise ProviderError("the answer has no id")
    return PaymentPage(reference, check_page(url, allow_http=allow_http))


_LONGEST_REFERENCE: Final = 255


class CheckoutStatus(NamedTuple):
    """The state of a checkout; no outcome while its page is open."""

    outcome: CheckoutState | None
    payment_reference: str | None = None
    amount_yen: int | None = None


def payment_lookup_request(access: Access, visit: CheckoutVisit) -> ProviderRequest:
    """Return the request for the state of a checkout."""
    reference = quote(visit.reference or "", safe="")
    url = f"{access.address}/v1/checkout/sessions/{reference}"
    return ProviderRequest("GET", url, payment_headers(access))


def read_checkout(answer: Mapping[str, Any], visit: CheckoutVisit) -> CheckoutStatus:
    """Return the state in an answer; raise `ProviderError` if it is about another checkout."""
    if answer.get("id") != visit.reference:
        raise ProviderError("the answer is about another payment")
    status, payment = answer.get("status"), answer.get("payment_status")
    if status == "complete" and payment == "paid":
        intent = answer.get("payment_intent")
        is_usable = isinstance(intent, str) and 0 < len(intent) <= _LONGEST_REFERENCE
        payment_id = str(intent) if is_usable and str(intent).isprintable() else None
        amount, currency = answer.get("amount_total"), answer.get("currency", "jpy")
        if type(amount) is not int or currency != "jpy":
            raise ProviderError("the answer names no amount in yen")
        return CheckoutStatus(CheckoutState.PAID, payment_id, amount)
    # After the money was refused, a completed page takes no other card.
    is_over = status == "expired" or (status == "complete" and visit.state is CheckoutState.FAILED)
    if not is_over and status not in ("open", "complete"):
        raise ProviderError("the answer does not tell how the payment stands")
    return CheckoutStatus(CheckoutState.EXPIRED if is_over else None)
