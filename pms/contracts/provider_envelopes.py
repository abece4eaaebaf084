"""Speaks to a provider of signatures: hands a document over, and asks for the page to sign it on."""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from pms.contracts.queries import ContractRecord
from pms.foundation.provider_http import ProviderError, ProviderRequest
from pms.workspaces.integrations import Access

_FIRST: Final = "1"


def envelope_request(
    access: Access, call_id: str, record: ContractRecord, paper: bytes, signer: tuple[str, str]
) -> ProviderRequest:
    """Return the question that hands a document over; `signer` is a name and an address.

    The provider knows the call as a transaction, so that asking it again finds what it did.
    Raises `ProviderError` for good where the booking was cancelled meanwhile.
    """
    if record.is_of_cancelled:
        raise ProviderError("the booking was cancelled", for_good=True)
    name, email = signer
    told = {
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
        "recipients": {"signers": [_signer(record, name, email)]},
    }
    return _asking(access, "POST", "/envelopes", told)


def known_envelope_request(access: Access, call_id: str) -> ProviderRequest:
    """Return the question whether a call that was cut short reached the provider."""
    return _asking(access, "GET", f"/envelopes?{urlencode({'transaction_ids': call_id})}")


def envelope_lookup_request(access: Access, envelope: str) -> ProviderRequest:
    """Return the question how a document stands."""
    return _asking(access, "GET", f"/envelopes/{quote(envelope, safe='')}")


def envelope_void_request(access: Access, envelope: str) -> ProviderRequest:
    """Return the order to close a document that nobody is to sign any more."""
    told = {"status": "voided", "voidedReason": "The stay was changed; a new document follows."}
    return _asking(access, "PUT", f"/envelopes/{quote(envelope, safe='')}", told)


def signing_page_request(
    access: Access, envelope: str, record: ContractRecord, signer: tuple[str, str], back: str
) -> ProviderRequest:
    """Return the question for the page on which the signer signs; it is good for minutes."""
    name, email = signer
    told = {
        "returnUrl": back,
        "authenticationMethod": "email",
        "userName": name,
        "email": email,
        "clientUserId": record.reservation_id,
    }
    return _asking(access, "POST", f"/envelopes/{quote(envelope, safe='')}/views/recipient", told)


def envelope_in(answer: Mapping[str, Any]) -> str:
    """Return what the provider calls the document; raise `ProviderError` when it does not say."""
    envelope = answer.get("envelopeId")
    if not isinstance(envelope, str) or not 0 < len(envelope) <= 100 or not envelope.isprintable():
        raise ProviderError("the answer names no envelope")
    return envelope


def known_envelope_in(answer: Mapping[str, Any]) -> str | None:
    """Return the document of an earlier try, `None` where there is none."""
    found = answer.get("envelopes") or ()
    return envelope_in(found[0]) if isinstance(found, list) and found else None


def _signer(record: ContractRecord, name: str, email: str) -> dict[str, Any]:
    return {
        "recipientId": _FIRST,
        "routingOrder": _FIRST,
        "name": name,
        "email": email,
        # Signed on the page we lead to; without it the provider would write a mail of its own.
        "clientUserId": record.reservation_id,
    }


def _asking(
    access: Access, method: str, path: str, told: Mapping[str, Any] | None = None
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
        None if told is None else json.dumps(told, ensure_ascii=False).encode(),
    )
