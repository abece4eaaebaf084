"""Events of the payment provider: what each kind tells, by the provider's names."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard

from pms.rules.enumerations import MoneyBackState
from pms.rules.provider_json import ProviderEvent, instant_of
from pms.rules.yen import LARGEST_YEN

_LONGEST_NAME: Final = 255


_LONGEST_REASON: Final = 500


_SECRETS: Final = frozenset({"client_secret"})


class PaymentEvent(StrEnum):
    """The event kinds that change something here, by the provider's names."""

    SUCCEEDED = "payment_intent.succeeded"
    FAILED = "payment_intent.payment_failed"
    CHARGED = "charge.succeeded"
    CAPTURED = "charge.captured"
    REFUNDED = "charge.refunded"
    REFUND_CREATED = "refund.created"
    REFUND_UPDATED = "refund.updated"
    REFUND_FAILED = "refund.failed"
    CHARGE_REFUND_UPDATED = "charge.refund.updated"
    DISPUTED = "charge.dispute.created"
    DISPUTE_UPDATED = "charge.dispute.updated"
    DISPUTE_CLOSED = "charge.dispute.closed"
    FUNDS_WITHDRAWN = "charge.dispute.funds_withdrawn"
    FUNDS_REINSTATED = "charge.dispute.funds_reinstated"
    PAYOUT_CREATED = "payout.created"
    PAYOUT_UPDATED = "payout.updated"
    PAYOUT_PAID = "payout.paid"
    PAYOUT_FAILED = "payout.failed"
    PAYOUT_CANCELED = "payout.canceled"
    PAYOUT_RECONCILED = "payout.reconciliation_completed"


MONEY_RECEIVED: Final = frozenset(
    {PaymentEvent.SUCCEEDED, PaymentEvent.CHARGED, PaymentEvent.CAPTURED}
)
"""The events that say that money arrived; the last two repeat the first for its charge."""


class RefundNews(NamedTuple):
    """What an event tells of one refund: its id, its state and when it was made."""

    reference: str
    state: MoneyBackState
    made_at: datetime | None


class DisputeNews(NamedTuple):
    """What an event tells of a dispute: its id, its state, and when evidence is due."""

    reference: str
    state: MoneyBackState
    respond_by: datetime | None


class PaymentNews(NamedTuple):
    """An event as the ledger needs it; amounts in the currency's smallest unit, for yen whole yen.

    For `charge.refunded`, `amount` is the running total, and `total_before` the one before it where
    the event tells it. For payouts `intent` is the payout's id.
    """

    event: PaymentEvent
    intent: str
    charge: str | None
    amount: int
    currency: str
    entry_id: str | None
    checkout_id: str | None
    reason: str | None
    collection_id: str | None = None
    total_before: int | None = None
    refund: RefundNews | None = None
    dispute: DisputeNews | None = None
    is_undone: bool = False
    """Whether a payout failed or was canceled: its money is not on the operator's account."""


def split_payment(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the event of a delivery; raise `ValueError` if it names none."""
    key, kind = _require_name(body, "id"), _require_name(body, "type")
    about = _require_object(body)
    kept = {name: value for name, value in about.items() if name not in _SECRETS}
    stored = {**body, "data": {**body["data"], "object": kept}}
    return [ProviderEvent(key, kind, stored, _read_instant(body.get("created")))]


_MONEY_MOVES: Final = ("charge.", "refund.", "payout.")
_NO_MONEY_MOVES: Final = frozenset(
    {"charge.expired", "charge.failed", "charge.pending", "charge.updated"}
)


def is_unknown_money(kind: str) -> bool:
    """Whether an event that is not read here is about money that moved, by the provider's name."""
    return kind.startswith(_MONEY_MOVES) and kind not in (*PaymentEvent, *_NO_MONEY_MOVES)


def read_payment_event(body: Mapping[str, Any]) -> PaymentNews | None:
    """Return the facts of an event, or `None` for a kind that changes nothing here.

    Raises `ValueError` if an event of a known kind lacks its subject.
    """
    kind = body.get("type")
    if kind not in list(PaymentEvent):
        return None
    return _READERS[PaymentEvent(kind)](PaymentEvent(kind), body)


def _success_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews:
    about = _require_object(body)
    return _of_intent(event, about, _require_amount(about, "amount_received"), None)


def _failure_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews:
    about = _require_object(body)
    error = about.get("last_payment_error")
    reason = _read_reason(error.get("message") or error.get("code")) if _is_object(error) else None
    return _of_intent(event, about, _require_amount(about, "amount"), reason)


def _charge_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews | None:
    """Return the money of a charge; None while it is only reserved, and where no intent has it."""
    about = _require_object(body)
    news = _of_charge(
        event,
        about,
        _require_name(about, "id"),
        _require_amount(about, "amount_captured" if "amount_captured" in about else "amount"),
        None,
    )
    return news if news.intent and about.get("captured") is not False else None


def _total_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews:
    about = _require_object(body)
    before = body["data"].get("previous_attributes")
    before_yen = before.get("amount_refunded") if _is_object(before) else None
    news = _of_charge(
        event, about, _require_name(about, "id"), _require_amount(about, "amount_refunded"), None
    )
    return news._replace(total_before=before_yen if type(before_yen) is int else None)


_REFUND_STATES: Final = {
    "succeeded": MoneyBackState.SUCCEEDED,
    "failed": MoneyBackState.FAILED,
    "canceled": MoneyBackState.CANCELED,
}


def _refund_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews:
    about = _require_object(body)
    status = "failed" if event is PaymentEvent.REFUND_FAILED else about.get("status")
    state = _REFUND_STATES.get(str(status), MoneyBackState.PENDING)
    charge, reason = about.get("charge"), _read_reason(about.get("failure_reason"))
    refund = RefundNews(_require_name(about, "id"), state, _read_instant(about.get("created")))
    news = _of_charge(event, about, _id_or_none(charge), _require_amount(about, "amount"), reason)
    return news._replace(refund=refund)


_DISPUTE_STATES: Final = {
    "won": MoneyBackState.WON,
    "lost": MoneyBackState.LOST,
    "warning_closed": MoneyBackState.CLOSED,
    "charge_refunded": MoneyBackState.CLOSED,
    "prevented": MoneyBackState.CLOSED,
}


def _dispute_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews:
    about = _require_object(body)
    evidence = about.get("evidence_details")
    dispute = DisputeNews(
        _require_name(about, "id"),
        _DISPUTE_STATES.get(str(about.get("status")), MoneyBackState.OPEN),
        _read_instant(evidence.get("due_by")) if _is_object(evidence) else None,
    )
    reason, amount = _read_reason(about.get("reason")), _require_amount(about, "amount")
    news = _of_charge(event, about, _require_name(about, "charge"), amount, reason)
    return news._replace(dispute=dispute)


def _payout_news(event: PaymentEvent, body: Mapping[str, Any]) -> PaymentNews:
    about = _require_object(body)
    reason = _read_reason(about.get("failure_message") or about.get("failure_code"))
    is_undone = event in (PaymentEvent.PAYOUT_FAILED, PaymentEvent.PAYOUT_CANCELED)
    return PaymentNews(
        event,
        _require_name(about, "id"),
        None,
        _require_amount(about, "amount"),
        _read_currency(about),
        None,
        None,
        reason,
        is_undone=is_undone or about.get("status") in ("failed", "canceled"),
    )


_Reader: TypeAlias = Callable[[PaymentEvent, Mapping[str, Any]], PaymentNews | None]
_READERS: Final[Mapping[PaymentEvent, _Reader]] = {
    PaymentEvent.SUCCEEDED: _success_news,
    PaymentEvent.FAILED: _failure_news,
    PaymentEvent.CHARGED: _charge_news,
    PaymentEvent.CAPTURED: _charge_news,
    PaymentEvent.REFUNDED: _total_news,
    PaymentEvent.REFUND_CREATED: _refund_news,
    PaymentEvent.REFUND_UPDATED: _refund_news,
    PaymentEvent.REFUND_FAILED: _refund_news,
    PaymentEvent.CHARGE_REFUND_UPDATED: _refund_news,
    PaymentEvent.DISPUTED: _dispute_news,
    PaymentEvent.DISPUTE_UPDATED: _dispute_news,
    PaymentEvent.DISPUTE_CLOSED: _dispute_news,
    PaymentEvent.FUNDS_WITHDRAWN: _dispute_news,
    PaymentEvent.FUNDS_REINSTATED: _dispute_news,
    PaymentEvent.PAYOUT_CREATED: _payout_news,
    PaymentEvent.PAYOUT_UPDATED: _payout_news,
    PaymentEvent.PAYOUT_PAID: _payout_news,
    PaymentEvent.PAYOUT_FAILED: _payout_news,
    PaymentEvent.PAYOUT_CANCELED: _payout_news,
    PaymentEvent.PAYOUT_RECONCILED: _payout_news,
}


def _of_intent(
    event: PaymentEvent, about: Mapping[str, Any], amount: int, reason: str | None
) -> PaymentNews:
    named = _read_metadata_ids(about)
    return PaymentNews(
        event,
        _require_name(about, "id"),
        _id_or_none(about.get("latest_charge")),
        amount,
        _read_currency(about),
        named.get("entryId"),
        named.get("checkoutId"),
        reason,
        named.get("collectionId"),
    )


def _of_charge(
    event: PaymentEvent,
    about: Mapping[str, Any],
    charge: str | None,
    amount: int,
    reason: str | None,
) -> PaymentNews:
    named = _read_metadata_ids(about)
    return PaymentNews(
        event,
        _id_or_none(about.get("payment_intent")) or "",
        charge,
        amount,
        _read_currency(about),
        named.get("entryId"),
        named.get("checkoutId"),
        reason,
        named.get("collectionId"),
    )


def _id_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME else None


def _require_object(body: Mapping[str, Any]) -> Mapping[str, Any]:
    data = body.get("data")
    about = data.get("object") if _is_object(data) else None
    if not _is_object(about):
        raise ValueError("data.object: an object is needed")
    return about


def _read_metadata_ids(about: Mapping[str, Any]) -> dict[str, str]:
    """Return the ids in the metadata, without hyphens as this program writes them."""
    metadata = about.get("metadata")
    named = metadata if _is_object(metadata) else {}
    return {
        name: value.replace("-", "").lower()
        for name, value in named.items()
        if isinstance(value, str)
    }


def _require_amount(about: Mapping[str, Any], name: str) -> int:
    amount = about.get(name)
    if type(amount) is not int or not 0 <= amount <= LARGEST_YEN:
        raise ValueError(f"{name}: a whole number is needed, {LARGEST_YEN} at most")
    return amount


def _read_currency(about: Mapping[str, Any]) -> str:
    return str(about.get("currency") or "")[:10].lower()


def _require_name(facts: Mapping[str, Any], name: str) -> str:
    value = facts.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_NAME or not value.isprintable():
        raise ValueError(f"{name}: a name of 1 to {_LONGEST_NAME} characters is needed")
    return value


def _read_reason(value: object) -> str | None:
    return " ".join(value.split())[:_LONGEST_REASON] if isinstance(value, str) else None


def _read_instant(seconds: object) -> datetime | None:
    return instant_of(seconds) if type(seconds) is int else None


def _is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)
