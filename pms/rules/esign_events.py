"""Reads what a provider of signatures tells of a document."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from pms.rules.provider_json import ProviderEvent

_LONGEST: Final = 120
_LONGEST_REASON: Final = 1_000
_ENVELOPE: Final = "envelope-"
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2200


class EnvelopeNews(NamedTuple):
    """One event of a document: the kind as the provider names it, without what it is about."""

    envelope: str
    kind: str
    reason: str | None
    signer: str | None


def split_envelope(body: Mapping[str, Any]) -> list[ProviderEvent]:
    """Return the one event of a delivery; raise `ValueError` for one that names no document.

    A retry raises a counter in the body, so the event is known by document, kind, recipient and
    time.
    """
    data = _data(body)
    kind, at = _text(body, "event"), _text(body, "generatedDateTime")
    parts = (_text(data, "envelopeId"), kind, _recipient(data), at)
    return [ProviderEvent("/".join(parts), kind, dict(body), _instant(at))]


def envelope_news(body: Mapping[str, Any]) -> EnvelopeNews:
    """Return what a stored event tells."""
    data = _data(body)
    summary = data.get("envelopeSummary")
    told = summary if isinstance(summary, Mapping) else {}
    reason = told.get("voidedReason") or _declined_reason(told)
    return EnvelopeNews(
        envelope=_text(data, "envelopeId"),
        kind=_text(body, "event").removeprefix(_ENVELOPE),
        reason=" ".join(reason.split())[:_LONGEST_REASON] if isinstance(reason, str) else None,
        signer=next((name for name, _ in _signers(told)), None),
    )


def _declined_reason(told: Mapping[str, Any]) -> object:
    return next((reason for _, reason in _signers(told) if reason), None)


def _signers(told: Mapping[str, Any]) -> list[tuple[str | None, object]]:
    recipients = told.get("recipients")
    found = recipients.get("signers") if isinstance(recipients, Mapping) else None
    signers = found if isinstance(found, list) else []
    return [
        (name if isinstance(name := one.get("name"), str) else None, one.get("declinedReason"))
        for one in signers
        if isinstance(one, Mapping)
    ]


def _data(body: Mapping[str, Any]) -> Mapping[str, Any]:
    data = body.get("data")
    if not isinstance(data, Mapping):
        raise ValueError("data: an object is needed")
    return data


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST or not value.isprintable():
        raise ValueError(f"{name}: a text of 1 to {_LONGEST} characters is needed")
    return value


def _recipient(data: Mapping[str, Any]) -> str:
    """Whom an event is about, which may be nobody, or a number."""
    given = data.get("recipientId")
    if given is None or given == "":
        return ""
    return _text({"recipientId": str(given) if type(given) is int else given}, "recipientId")


def _instant(text: str) -> datetime | None:
    """The instant in UTC; nothing for a text that is none, or one that no calendar here reaches."""
    try:
        found = datetime.fromisoformat(text)
        instant = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return instant if _FIRST_YEAR <= instant.year <= _LAST_YEAR else None
