"""Changes of payments at the provider."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeGuard

from pms.rules.enumerations import CheckoutState
from pms.rules.provider_json import ProviderEvent, instant_of
from pms.rules.yen import LARGEST_YEN

CHECKOUT_CHANGES: Final[Mapping[CheckoutState, frozenset[CheckoutState]]] = {
    CheckoutState.ASKED: frozenset(
        {CheckoutState.OPEN, CheckoutState.PAID, CheckoutState.FAILED, CheckoutState.EXPIRED}
    ),
    CheckoutState.OPEN: frozenset(
        {CheckoutState.PAID, CheckoutState.FAILED, CheckoutState.EXPIRED}
    ),
    # A card that was refused may be followed by another, and money may arrive late.
    CheckoutState.FAILED: frozenset({CheckoutState.PAID, CheckoutState.EXPIRED}),
    CheckoutState.EXPIRED: frozenset({CheckoutState.PAID}),
    CheckoutState.PAID: frozenset(),
}


def checkout_state_after(state: CheckoutState, event: CheckoutState) -> CheckoutState:
    """The state once an event asks for another; a late or repeated event changes nothing."""
    return event if event in CHECKOUT_CHANGES[state] else state


_LONGEST_NAME: Final = 255
_LONGEST_REASON: Final = 500
_SECRETS: Final = frozenset({"client_secret"})


class PaymentEvent(StrEnum):
    """The kinds that change something here, by the provider's own words."""

    SUCCEEDED = "payment_intent.succeeded"
    FAILED = "payment_intent.payment_failed"
    REFUNDED = "charge.refunded"
    DISPUTED = "charge.dispute.created"


class PaymentTold(NamedTuple):
    """One event as the ledger needs it; amounts in the currency's smallest unit, whole yen of yen.

    Of money that went back `amount` is the running total.
    """

    event: PaymentEvent
    intent: str
    charge: str | None
    amount: int
    currency: str
    entry_id: str | None
    checkout_id: str | None
    reason: str | None


def split_payment(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the one event of a delivery; raise `ValueError` for one that names none."""
    key, kind = _name(body, "id"), _name(body, "type")
    about = _about(body)
    kept = {name: value for name, value in about.items() if name not in _SECRETS}
    stored = {**body, "data": {**body["data"], "object": kept}}
    return [ProviderEvent(key, kind, stored, _instant(body.get("created")))]


def payment_told(body: Mapping[str, Any]) -> PaymentTold | None:
    """Return what an event tells, `None` for a kind that changes nothing here.

    Raises `ValueError` where an event of a known kind lacks what it is about.
    """
    kind = body.get("type")
    if kind not in list(PaymentEvent):
        return None
    return _READERS[PaymentEvent(kind)](_about(body))


def _paid(about: Mapping[str, Any]) -> PaymentTold:
    return _of_intent(PaymentEvent.SUCCEEDED, about, _amount(about, "amount_received"), None)


def _failed(about: Mapping[str, Any]) -> PaymentTold:
    error = about.get("last_payment_error")
    reason = _reason(error.get("message") or error.get("code")) if _is_object(error) else None
    return _of_intent(PaymentEvent.FAILED, about, _amount(about, "amount"), reason)


def _refunded(about: Mapping[str, Any]) -> PaymentTold:
    amount = _amount(about, "amount_refunded")
    return _of_charge(PaymentEvent.REFUNDED, about, _name(about, "id"), amount, None)


def _disputed(about: Mapping[str, Any]) -> PaymentTold:
    reason = _reason(about.get("reason"))
    amount = _amount(about, "amount")
    return _of_charge(PaymentEvent.DISPUTED, about, _name(about, "charge"), amount, reason)


_READERS: Final = {
    PaymentEvent.SUCCEEDED: _paid,
    PaymentEvent.FAILED: _failed,
    PaymentEvent.REFUNDED: _refunded,
    PaymentEvent.DISPUTED: _disputed,
}


def _of_intent(
    event: PaymentEvent, about: Mapping[str, Any], amount: int, reason: str | None
) -> PaymentTold:
    charge = about.get("latest_charge")
    named = _ids(about)
    return PaymentTold(
        event,
        _name(about, "id"),
        charge if isinstance(charge, str) and 0 < len(charge) <= _LONGEST_NAME else None,
        amount,
        _currency(about),
        named.get("entryId"),
        named.get("checkoutId"),
        reason,
    )


def _of_charge(
    event: PaymentEvent, about: Mapping[str, Any], charge: str, amount: int, reason: str | None
) -> PaymentTold:
    named = _ids(about)
    intent = about.get("payment_intent")
    return PaymentTold(
        event,
        intent if isinstance(intent, str) and 0 < len(intent) <= _LONGEST_NAME else "",
        charge,
        amount,
        _currency(about),
        named.get("entryId"),
        named.get("checkoutId"),
        reason,
    )


def _about(body: Mapping[str, Any]) -> Mapping[str, Any]:
    data = body.get("data")
    about = data.get("object") if _is_object(data) else None
    if not _is_object(about):
        raise ValueError("data.object: an object is needed")
    return about


def _ids(about: Mapping[str, Any]) -> dict[str, str]:
    """What the metadata names, ids as this program writes them: without hyphens."""
    metadata = about.get("metadata")
    named = metadata if _is_object(metadata) else {}
    return {
        name: value.replace("-", "").lower()
        for name, value in named.items()
        if isinstance(value, str)
    }


def _amount(about: Mapping[str, Any], name: str) -> int:
    amount = about.get(name)
    if type(amount) is not int or not 0 <= amount <= LARGEST_YEN:
        raise ValueError(f"{name}: a whole number is needed, {LARGEST_YEN} at most")
    return amount


def _currency(about: Mapping[str, Any]) -> str:
    return str(about.get("currency") or "")[:10].lower()


def _name(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_NAME or not value.isprintable():
        raise ValueError(f"{name}: a name of 1 to {_LONGEST_NAME} characters is needed")
    return value


def _reason(told: object) -> str | None:
    return " ".join(told.split())[:_LONGEST_REASON] if isinstance(told, str) else None


def _instant(seconds: object) -> datetime | None:
    return instant_of(seconds) if type(seconds) is int else None


def _is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)
