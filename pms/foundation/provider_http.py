"""Talks to a provider over HTTP: bounded in time and size, following nothing, refusing plainly."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

PATIENCE_SECONDS: Final = 20
_MOST_BYTES: Final = 256 * 1024
_MOST_OF_A_REASON: Final = 300
_LONGEST_URL: Final = 4_000
_LATER: Final = frozenset({408, 409, 425, 429})


class ProviderError(Exception):
    """The provider did not do it; `for_good` when asking again would not help."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


@dataclass(frozen=True)
class ProviderRequest:
    """One question to a provider."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


def ask_provider(request: ProviderRequest, *, allow_http: bool = False) -> Mapping[str, Any]:
    """Return the JSON object a provider answers with; raise `ProviderError` for anything else."""
    parts = _checked(request.url, allow_http)
    status, content = _exchange(request, parts)
    if status >= 300:
        is_final = 300 <= status < 500 and status not in _LATER
        raise ProviderError(f"{status}: {_reason(content)}", for_good=is_final)
    answer = _read(content)
    if not isinstance(answer, dict):
        raise ProviderError("the answer is no JSON object")
    return answer


def problem_of_address(address: str, *, allow_http: bool) -> str | None:
    """Return why an address is none of a provider, `None` when it is one."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return "unreadable"
    if parts.scheme != "https" and not (allow_http and parts.scheme == "http"):
        return "scheme"
    if not parts.hostname or parts.username or parts.password or parts.query or parts.fragment:
        return "unreadable"
    return None if address.isprintable() and " " not in address else "unreadable"


def checked_page(url: object, *, allow_http: bool) -> str:
    """Return an address people are sent to; raise `ProviderError` for anything but a web page."""
    schemes = ("https", "http") if allow_http else ("https",)
    if not isinstance(url, str) or len(url) > _LONGEST_URL or not url.isprintable():
        raise ProviderError("the answer has no address to go to")
    try:
        parts = urlsplit(url)
    except ValueError as failure:
        raise ProviderError("the answer has no address to go to") from failure
    if parts.scheme not in schemes or not parts.hostname:
        raise ProviderError("the answer has no address to go to")
    return url


def _checked(url: str, allow_http: bool) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in (("https", "http") if allow_http else ("https",)) or not parts.hostname:
        raise ProviderError("the address is no https address", for_good=True)
    return parts


def _exchange(request: ProviderRequest, parts: SplitResult) -> tuple[int, bytes]:
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(request.method, target or "/", request.body, dict(request.headers))
        answer = connection.getresponse()
        content = answer.read(_MOST_BYTES + 1)
    except (OSError, http.client.HTTPException, ValueError) as failure:
        raise ProviderError(f"{type(failure).__name__}: {failure}") from failure
    finally:
        connection.close()
    if len(content) > _MOST_BYTES:
        raise ProviderError("the answer is too long")
    return answer.status, content


def _read(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError as failure:
        raise ProviderError("the answer is no JSON") from failure


def _reason(content: bytes) -> str:
    """The provider's own words, where it has any that a person reads."""
    try:
        told = json.loads(content)
    except ValueError:
        told = None
    if isinstance(told, dict):
        error = told.get("error")
        nested = error.get("message") if isinstance(error, dict) else error
        reason = nested or told.get("message") or told.get("errorCode")
        if isinstance(reason, str):
            return reason[:_MOST_OF_A_REASON]
    return "no reason given"
