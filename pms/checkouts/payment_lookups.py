"""Asks a payment provider how a visit stands, for nothing is lost when nobody tells."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from pms.checkouts.payment_page import payment_headers
from pms.checkouts.queries import CheckoutRecord
from pms.foundation.provider_http import ProviderError, ProviderRequest
from pms.rules.enumerations import CheckoutState
from pms.workspaces.integrations import Access

FIRST_WAIT: Final = timedelta(minutes=1)
_WAIT_OF_WHO_IS_BACK: Final = timedelta(seconds=10)
_LONGEST_WAIT: Final = timedelta(hours=6)
_LOOKED_FOR: Final = timedelta(days=14)
_MOST_DOUBLINGS: Final = 12
_LONGEST_REFERENCE: Final = 255


class Told(NamedTuple):
    """How a visit stands; no outcome while its page is open."""

    outcome: CheckoutState | None
    payment_reference: str | None = None
    amount_yen: int | None = None


def is_looked_for(visit: CheckoutRecord, now: datetime) -> bool:
    """Tell whether money may still come by a visit."""
    is_over = visit.state in (CheckoutState.PAID, CheckoutState.EXPIRED)
    return not is_over and visit.reference is not None and now - visit.asked_at < _LOOKED_FOR


def wait_after(facts: Mapping[str, Any]) -> timedelta:
    """Return how long a visit is left alone after it was looked at once more."""
    first = _WAIT_OF_WHO_IS_BACK if facts.get("is_back") else FIRST_WAIT
    doublings: int = 2 ** min(facts.get("looks", 0), _MOST_DOUBLINGS)
    return min(first * doublings, _LONGEST_WAIT)


def payment_lookup_request(access: Access, visit: CheckoutRecord) -> ProviderRequest:
    """Return the question how a visit stands."""
    reference = quote(visit.reference or "", safe="")
    url = f"{access.address}/v1/checkout/sessions/{reference}"
    return ProviderRequest("GET", url, payment_headers(access))


def told_in(answer: Mapping[str, Any], visit: CheckoutRecord) -> Told:
    """Return what an answer tells of a visit; raise `ProviderError` for one about another."""
    if answer.get("id") != visit.reference:
        raise ProviderError("the answer is about another payment")
    status, payment = answer.get("status"), answer.get("payment_status")
    if status == "complete" and payment == "paid":
        return Told(CheckoutState.PAID, _payment(answer), _amount(answer))
    # Once the money was refused, a page that is done with takes no other card.
    is_over = status == "expired" or (status == "complete" and visit.state is CheckoutState.FAILED)
    if not is_over and status not in ("open", "complete"):
        raise ProviderError("the answer does not tell how the payment stands")
    return Told(CheckoutState.EXPIRED if is_over else None)


def _payment(answer: Mapping[str, Any]) -> str | None:
    """The provider's name of the money; without any the visit's own counts."""
    told = answer.get("payment_intent")
    is_usable = isinstance(told, str) and 0 < len(told) <= _LONGEST_REFERENCE
    return str(told) if is_usable and str(told).isprintable() else None


def _amount(answer: Mapping[str, Any]) -> int:
    amount, currency = answer.get("amount_total"), answer.get("currency", "jpy")
    if type(amount) is not int or currency != "jpy":
        raise ProviderError("the answer names no amount in yen")
    return amount
