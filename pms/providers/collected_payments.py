"""The payment provider without its page: kept cards, charges, numbers for paying at stores."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote, urlencode

from pms.foundation.provider_http import ProviderError, ProviderRequest
from pms.providers.authentication import Access
from pms.providers.payments import BillToPay, payment_headers
from pms.rules.enumerations import CollectionState, PaymentWay
from pms.rules.provider_json import instant_of

_LONGEST_NAME: Final = 255
_LONGEST_CODE: Final = 40
_STORES: Final = ("familymart", "lawson", "ministop", "seicomart")
_DECLINED: Final = frozenset({"card_error"})


class CardToKeep(NamedTuple):
    """The card that is to be entered on the provider's page; `key` makes repeats idempotent."""

    key: str
    choice_id: str
    return_path: str
    locale: str
    email: str | None


class KeptCard(NamedTuple):
    """A card by the provider's id; only the last four digits of its number are known."""

    customer: str
    method: str
    brand: str
    last_digits: str
    expires: str


class CollectedPayer(NamedTuple):
    """The payer as shown by a store or on a card's statement."""

    name: str
    email: str | None
    label: str


class Charge(BillToPay, Protocol):
    """A collection as it is requested from the provider."""

    @property
    def way(self) -> PaymentWay: ...
    @property
    def intent(self) -> str | None: ...


class ChargeAnswer(NamedTuple):
    """The state of a collection at the provider; `stores` are the payment numbers by store."""

    state: CollectionState
    intent: str
    charge: str | None = None
    amount_yen: int = 0
    reason: str | None = None
    stores: Mapping[str, Mapping[str, str]] | None = None
    url: str | None = None
    expires_at: datetime | None = None


def card_page_request(access: Access, card: CardToKeep, base_url: str) -> ProviderRequest:
    """Return the request for the page on which a card is entered and kept."""
    back = f"{base_url}{card.return_path}"
    fields = {
        "mode": "setup",
        "currency": "jpy",
        "payment_method_types[0]": "card",
        "customer_creation": "always",
        "success_url": back,
        "cancel_url": back,
        "client_reference_id": card.choice_id,
        "locale": card.locale,
        "metadata[choiceId]": card.choice_id,
    }
    if card.email:
        fields["customer_email"] = card.email
    return _build_post_request(access, "/v1/checkout/sessions", fields, card.key)


def card_lookup_request(access: Access, reference: str) -> ProviderRequest:
    """Return the request for the card that was entered on a page."""
    path = f"/v1/checkout/sessions/{quote(reference, safe='')}"
    query = urlencode({"expand[]": "setup_intent.payment_method"})
    return ProviderRequest("GET", f"{access.address}{path}?{query}", payment_headers(access))


def card_in(answer: Mapping[str, Any], reference: str) -> KeptCard | None:
    """Return the card of an answer, or `None` while none was entered.

    Raises `ProviderError` for an answer about another page, one that expired, or one without a
    card.
    """
    if answer.get("id") != reference:
        raise ProviderError("the answer is about another payment")
    status = answer.get("status")
    if status == "open":
        return None
    if status != "complete":
        raise ProviderError("no card was entered", for_good=True)
    intent = _require_object(answer, "setup_intent")
    method = _require_object(intent, "payment_method")
    card = _require_object(method, "card")
    expires = f"{int(card.get('exp_month') or 0):02d}/{int(card.get('exp_year') or 0)}"
    return KeptCard(
        _require_name(answer, "customer"),
        _require_name(method, "id"),
        str(card.get("brand") or "")[:20],
        str(card.get("last4") or "")[:4],
        expires,
    )


def card_removal_request(access: Access, method: str, key: str) -> ProviderRequest:
    """Return the request to delete a card."""
    return _build_post_request(
        access, f"/v1/payment_methods/{quote(method, safe='')}/detach", {}, key
    )


def charge_request(
    access: Access, charge: Charge, card: KeptCard, payer: CollectedPayer
) -> ProviderRequest:
    """Return the request to charge a kept card; repeats charge the same collection once."""
    fields = {
        **_charge_fields(charge, payer),
        "customer": card.customer,
        "payment_method": card.method,
        "payment_method_types[0]": "card",
        "off_session": "true",
    }
    return _build_post_request(access, "/v1/payment_intents", fields, charge.id)


def store_number_request(
    access: Access, charge: Charge, payer: CollectedPayer, expires_at: datetime
) -> ProviderRequest:
    """Return the request for the numbers with which stores take the payment."""
    fields = {
        **_charge_fields(charge, payer),
        "payment_method_types[0]": "konbini",
        "payment_method_data[type]": "konbini",
        "payment_method_data[billing_details][name]": payer.name,
        "payment_method_data[billing_details][email]": payer.email or "",
        "payment_method_options[konbini][expires_at]": str(int(expires_at.timestamp())),
        "payment_method_options[konbini][product_description]": payer.label[:22],
    }
    return _build_post_request(access, "/v1/payment_intents", fields, charge.id)


def charge_search_request(access: Access, charge: Charge) -> ProviderRequest:
    """Return the search for a collection of an earlier try whose answer was lost."""
    query = urlencode({"query": f"metadata['collectionId']:'{charge.id}'"})
    url = f"{access.address}/v1/payment_intents/search?{query}"
    return ProviderRequest("GET", url, payment_headers(access))


def charge_lookup_request(access: Access, charge: Charge) -> ProviderRequest:
    """Return the request for the state of a collection."""
    intent = quote(charge.intent or "", safe="")
    url = f"{access.address}/v1/payment_intents/{intent}"
    return ProviderRequest("GET", url, payment_headers(access))


def charge_cancel_request(access: Access, intent: str, key: str) -> ProviderRequest:
    """Return the request to cancel a collection."""
    return _build_post_request(
        access, f"/v1/payment_intents/{quote(intent, safe='')}/cancel", {}, key
    )


def found_charge(answer: Mapping[str, Any]) -> ChargeAnswer | None:
    """Return the collection that a search found, or None."""
    found = answer.get("data")
    if not isinstance(found, list):
        raise ProviderError("the answer lacks what is needed")
    return charge_in(found[0]) if found and isinstance(found[0], Mapping) else None


def declined_charge(failure: ProviderError) -> ChargeAnswer | None:
    """Return the answer for a declined card from a failed request; `None` for any other failure."""
    error = failure.answer.get("error")
    if not isinstance(error, Mapping) or error.get("type") not in _DECLINED:
        return None
    intent = error.get("payment_intent")
    name = intent.get("id") if isinstance(intent, Mapping) else None
    reason = error.get("message") or error.get("decline_code") or error.get("code")
    return ChargeAnswer(
        CollectionState.FAILED,
        name if isinstance(name, str) else "",
        reason=" ".join(str(reason or "").split())[:500] or None,
    )


def charge_in(answer: Mapping[str, Any]) -> ChargeAnswer:
    """Return the state of a collection; raise `ProviderError` for an answer without one."""
    intent, status = _require_name(answer, "id"), answer.get("status")
    if answer.get("currency", "jpy") != "jpy":
        raise ProviderError("the answer names no amount in yen")
    if status == "succeeded":
        amount, charge = answer.get("amount_received"), answer.get("latest_charge")
        if type(amount) is not int:
            raise ProviderError("the answer names no amount in yen")
        known = charge if isinstance(charge, str) else None
        return ChargeAnswer(CollectionState.PAID, intent, known, amount)
    if status == "requires_action":
        return _read_store_numbers(intent, answer)
    if status in ("requires_payment_method", "canceled"):
        error = answer.get("last_payment_error")
        reason = error.get("message") if isinstance(error, Mapping) else None
        state = CollectionState.CANCELLED if status == "canceled" else CollectionState.FAILED
        return ChargeAnswer(state, intent, reason=str(reason)[:500] if reason else None)
    if status == "processing":
        return ChargeAnswer(CollectionState.ASKED, intent)
    raise ProviderError("the answer does not tell how the payment stands")


def _read_store_numbers(intent: str, answer: Mapping[str, Any]) -> ChargeAnswer:
    """Return the numbers for stores; a card that requires confirmation has none and is declined."""
    action = answer.get("next_action")
    details = action.get("konbini_display_details") if isinstance(action, Mapping) else None
    if not isinstance(details, Mapping):
        reason = "The card needs its holder's confirmation."
        return ChargeAnswer(CollectionState.FAILED, intent, reason=reason)
    named = details.get("stores")
    stores = {
        store: {
            "payment": str(codes.get("payment_code") or "")[:_LONGEST_CODE],
            "confirmation": str(codes.get("confirmation_number") or "")[:_LONGEST_CODE],
        }
        for store in _STORES
        if isinstance(named, Mapping) and isinstance(codes := named.get(store), Mapping)
    }
    url, until = details.get("hosted_voucher_url"), details.get("expires_at")
    return ChargeAnswer(
        CollectionState.WAITING,
        intent,
        stores=stores,
        url=url if isinstance(url, str) and url.startswith(("https://", "http://")) else None,
        expires_at=instant_of(until) if type(until) is int else None,
    )


def _charge_fields(charge: Charge, payer: CollectedPayer) -> dict[str, str]:
    # The yen has no smaller unit: the amount is in whole yen.
    return {
        "amount": str(charge.amount_yen),
        "currency": "jpy",
        "confirm": "true",
        "description": payer.label,
        "metadata[entryId]": charge.entry_id,
        "metadata[collectionId]": charge.id,
    }


def _build_post_request(
    access: Access, path: str, fields: Mapping[str, str], key: str
) -> ProviderRequest:
    headers = {
        **payment_headers(access),
        "Content-Type": "application/x-www-form-urlencoded",
        "Idempotency-Key": key,
    }
    return ProviderRequest("POST", f"{access.address}{path}", headers, urlencode(fields).encode())


def _require_object(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = answer.get(name)
    if not isinstance(value, Mapping):
        raise ProviderError("the answer lacks what is needed")
    return value


def _require_name(answer: Mapping[str, Any], name: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_NAME or not value.isprintable():
        raise ProviderError("the answer lacks what is needed")
    return value
