"""The signature provider: its signature, its events, and how documents are sent to it."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote, urlencode

from pms.foundation.provider_http import ProviderError, ProviderRequest
from pms.providers.authentication import (
    MOST_SIGNATURES,
    Access,
    Delivery,
    hmacs_in_base64,
    is_one_of,
)
from pms.rules.provider_json import ProviderEvent

_LONGEST: Final = 120
_LONGEST_REASON: Final = 1_000
_ENVELOPE: Final = "envelope-"
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2200


class EnvelopeNews(NamedTuple):
    """An event of a document: the provider's kind without its subject prefix."""

    envelope: str
    kind: str
    reason: str | None
    signer: str | None


def split_envelope(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the event of a delivery; raise `ValueError` if it names no document.

    A retry raises a counter in the body, so the event is identified by document, kind, recipient
    and time.
    """
    data = _require_data(body)
    kind, at = _require_text(body, "event"), _require_text(body, "generatedDateTime")
    parts = (_require_text(data, "envelopeId"), kind, _read_recipient(data), at)
    return [ProviderEvent("/".join(parts), kind, dict(body), _read_instant(at))]


def envelope_news(body: Mapping[str, Any]) -> EnvelopeNews:
    """Return the facts of a stored event."""
    data = _require_data(body)
    summary = data.get("envelopeSummary")
    summary_object = summary if isinstance(summary, Mapping) else {}
    reason = summary_object.get("voidedReason") or next(
        (reason for _, reason in _read_signers(summary_object) if reason), None
    )
    return EnvelopeNews(
        envelope=_require_text(data, "envelopeId"),
        kind=_require_text(body, "event").removeprefix(_ENVELOPE),
        reason=" ".join(reason.split())[:_LONGEST_REASON] if isinstance(reason, str) else None,
        signer=next((name for name, _ in _read_signers(summary_object)), None),
    )


def _read_signers(facts: Mapping[str, Any]) -> list[tuple[str | None, object]]:
    recipients = facts.get("recipients")
    found = recipients.get("signers") if isinstance(recipients, Mapping) else None
    signers = found if isinstance(found, list) else []
    return [
        (
            name if isinstance(name := signer.get("name"), str) else None,
            signer.get("declinedReason"),
        )
        for signer in signers
        if isinstance(signer, Mapping)
    ]


def _require_data(body: Mapping[str, Any]) -> Mapping[str, Any]:
    data = body.get("data")
    if not isinstance(data, Mapping):
        raise ValueError("data: an object is needed")
    return data


def _require_text(facts: Mapping[str, Any], name: str) -> str:
    value = facts.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST or not value.isprintable():
        raise ValueError(f"{name}: a text of 1 to {_LONGEST} characters is needed")
    return value


def _read_recipient(data: Mapping[str, Any]) -> str:
    """Return the recipient of an event, which may be missing or a number."""
    given = data.get("recipientId")
    if given is None or given == "":
        return ""
    return _require_text(
        {"recipientId": str(given) if type(given) is int else given}, "recipientId"
    )


def _read_instant(text: str) -> datetime | None:
    """Return the instant in UTC; None for an invalid text or a year out of range."""
    try:
        found = datetime.fromisoformat(text)
        instant = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return instant if _FIRST_YEAR <= instant.year <= _LAST_YEAR else None


_ESIGN: Final = "x-docusign-signature-"


def is_signed_document(delivery: Delivery, secrets: Sequence[str]) -> bool:
    """Whether one of the signatures matches; the provider signs with each of its active keys."""
    names = [f"{_ESIGN}{number}" for number in range(1, MOST_SIGNATURES + 1)]
    found = [delivery.headers.get(name, "") for name in names]
    return is_one_of(found, hmacs_in_base64(delivery.body, secrets))


_FIRST: Final = "1"


class SentDocument(Protocol):
    """A document as it is sent to the provider."""

    @property
    def title(self) -> str: ...
    @property
    def reservation_id(self) -> str: ...
    @property
    def is_of_cancelled(self) -> bool: ...


def envelope_request(
    access: Access, call_id: str, record: SentDocument, paper: bytes, signer: tuple[str, str]
) -> ProviderRequest:
    """Return the request that sends a document to be signed; `signer` is a name and an address.

    The call's id is sent as the transaction's id, by which an earlier try can be found. Raises a
    permanent `ProviderError` if the booking was cancelled meanwhile.
    """
    if record.is_of_cancelled:
        raise ProviderError("the booking was cancelled", for_good=True)
    name, email = signer
    facts = {
        "status": "sent",
        "transactionId": call_id,
        "emailSubject": record.title[:100],
        "documents": [
            {
                "documentId": _FIRST,
                "name": record.title[:100],
                "fileExtension": "pdf",
                "documentBase64": b64encode(paper).decode(),
            }
        ],
        "recipients": {"signers": [_build_signer(record, name, email)]},
    }
    return _build_request(access, "POST", "/envelopes", facts)


def known_envelope_request(access: Access, call_id: str) -> ProviderRequest:
    """Return the request that finds what an interrupted call created."""
    return _build_request(access, "GET", f"/envelopes?{urlencode({'transaction_ids': call_id})}")


def envelope_lookup_request(access: Access, envelope: str) -> ProviderRequest:
    """Return the request for the state of a document."""
    return _build_request(access, "GET", f"/envelopes/{quote(envelope, safe='')}")


def envelope_void_request(access: Access, envelope: str) -> ProviderRequest:
    """Return the request to void a document."""
    facts = {"status": "voided", "voidedReason": "The stay was changed; a new document follows."}
    return _build_request(access, "PUT", f"/envelopes/{quote(envelope, safe='')}", facts)


def signing_page_request(
    access: Access, envelope: str, record: SentDocument, signer: tuple[str, str], back: str
) -> ProviderRequest:
    """Return the request for the signing page, which is valid for minutes."""
    name, email = signer
    facts = {
        "returnUrl": back,
        "authenticationMethod": "email",
        "userName": name,
        "email": email,
        "clientUserId": record.reservation_id,
    }
    return _build_request(
        access, "POST", f"/envelopes/{quote(envelope, safe='')}/views/recipient", facts
    )


def envelope_in(answer: Mapping[str, Any]) -> str:
    """Return the provider's id of the document; raise `ProviderError` if it is missing."""
    envelope = answer.get("envelopeId")
    if not isinstance(envelope, str) or not 0 < len(envelope) <= 100 or not envelope.isprintable():
        raise ProviderError("the answer names no envelope")
    return envelope


def known_envelope_in(answer: Mapping[str, Any]) -> str | None:
    """Return the provider's id of an earlier try's document, or `None`."""
    found = answer.get("envelopes") or ()
    return envelope_in(found[0]) if isinstance(found, list) and found else None


def _build_signer(record: SentDocument, name: str, email: str) -> dict[str, Any]:
    return {
        "recipientId": _FIRST,
        "routingOrder": _FIRST,
        "name": name,
        "email": email,
        # Signed on an embedded page; without it the provider would send its own mail.
        "clientUserId": record.reservation_id,
    }


def account_request(access: Access) -> ProviderRequest:
    """Return a request for the account's name, which changes nothing."""
    return _build_request(access, "GET", "")


def _build_request(
    access: Access, method: str, path: str, facts: Mapping[str, Any] | None = None
) -> ProviderRequest:
    account = quote(access.account or "", safe="")
    return ProviderRequest(
        method,
        f"{access.address}/v2.1/accounts/{account}{path}",
        {
            "Authorization": f"Bearer {access.secret}",
            "Accept": "application/json",
            "Content-Type": "application/json",
        },
        None if facts is None else json.dumps(facts, ensure_ascii=False).encode(),
    )
