"""HTTP client for providers: bounded in time and size, without redirects."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlsplit

from pms.foundation.outside_reading import (
    OutsideConnection,
    Target,
    Unreachable,
    check_url,
    resolve_target,
    target_of,
)

_MOST_BYTES: Final = 256 * 1024
_MOST_OF_A_REASON: Final = 300
_LONGEST_URL: Final = 4_000
_LATER: Final = frozenset({408, 409, 425, 429})
_NOT_READY: Final = 202


class ProviderError(Exception):
    """The provider did not accept the call; `for_good` when a retry would not help.

    `status` and `answer` are those of its response, if there was one.
    """

    def __init__(
        self,
        reason: str,
        *,
        for_good: bool = False,
        status: int | None = None,
        answer: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(plain_reason(reason))
        self.for_good = for_good
        self.status = status
        self.answer: Mapping[str, Any] = answer or {}


class _TooLong(ProviderError):
    """The response exceeds the size limit."""


def plain_reason(reason: str) -> str:
    """Return a provider's message as one line that can be stored and shown."""
    shown = "".join(letter if letter.isprintable() else " " for letter in reason)
    return " ".join(shown.split())[:_MOST_OF_A_REASON]


@dataclass(frozen=True)
class CallLimits:
    """The timeout and the allowed addresses; anything but public HTTPS only in tests."""

    patience_seconds: float = 20.0
    allow_http: bool = False
    allowed_networks: Sequence[str] = ()


PUBLIC: Final = CallLimits()


@dataclass(frozen=True)
class ProviderRequest:
    """One request to a provider."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


def ask_provider(request: ProviderRequest, limits: CallLimits = PUBLIC) -> Mapping[str, Any]:
    """Return the JSON object of a provider's response; raise `ProviderError` for anything else."""
    answer = _parse_json(_send_checked_request(request, limits, _MOST_BYTES)[1])
    if not isinstance(answer, dict):
        raise ProviderError("the answer is no JSON object")
    return answer


def fetch_file(request: ProviderRequest, limits: CallLimits = PUBLIC, *, most_bytes: int) -> bytes:
    """Return the bytes of a provider's file; raise `ProviderError` when it is too large."""
    try:
        status, content = _send_checked_request(request, limits, most_bytes)
    except _TooLong as failure:
        most = most_bytes // (1024 * 1024)
        raise ProviderError(f"The file is larger than {most} MiB.", for_good=True) from failure
    if status == _NOT_READY:
        raise ProviderError("the file is not ready yet", status=status)
    return content


def _send_checked_request(
    request: ProviderRequest, limits: CallLimits, most_bytes: int
) -> tuple[int, bytes]:
    status, content = _send_request(request, _check_target(request.url, limits), limits, most_bytes)
    if status >= 300:
        is_final = 300 <= status < 500 and status not in _LATER
        raise ProviderError(
            f"{status}: {_read_reason(content)}",
            for_good=is_final,
            status=status,
            answer=_json_object(content),
        )
    return status, content


def problem_of_address(address: str, limits: CallLimits = PUBLIC) -> str | None:
    """Return why a URL cannot be a provider's; `None` when it can."""
    try:
        _check_target(address, limits)
        parts = urlsplit(address)
        if not limits.allowed_networks:
            check_url(address)
    except Unreachable as failure:
        return failure.code
    except (ProviderError, ValueError):
        return "not_an_address"
    return "not_an_address" if parts.query or parts.fragment else None


def check_page(url: object, *, allow_http: bool) -> str:
    """Return a URL that people are sent to; raise `ProviderError` unless it is a web page's."""
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


def _check_target(url: str, limits: CallLimits) -> Target:
    try:
        target = target_of(url)
    except Unreachable as failure:
        raise ProviderError("the address is none of a provider", for_good=True) from failure
    if target.scheme != "https" and not limits.allow_http:
        raise ProviderError("the address is no https address", for_good=True)
    return target


def _send_request(
    request: ProviderRequest, target: Target, limits: CallLimits, most_bytes: int
) -> tuple[int, bytes]:
    try:
        address = resolve_target(target, limits.allowed_networks)
    except Unreachable as failure:
        is_final = failure.code == "inside"
        connection_reason = "leads into a private network" if is_final else "is unknown"
        raise ProviderError(f"the address {connection_reason}", for_good=is_final) from failure
    connection = OutsideConnection(target, address, limits.patience_seconds)
    headers = {**request.headers, "Host": target.host_header, "Accept-Encoding": "identity"}
    try:
        with connection.limit_time():
            connection.request(request.method, target.path, request.body, headers)
            # A response that is not read to its end keeps its socket open until it is closed
            # itself.
            with connection.getresponse() as answer:
                content = answer.read(most_bytes + 1)
    except (OSError, HTTPException, ValueError, AttributeError) as failure:
        # Reading a socket that was shut down meanwhile raises various errors.
        is_slow = connection.is_late or isinstance(failure, TimeoutError)
        reason = "too slow" if is_slow else f"{type(failure).__name__}: {failure}"
        raise ProviderError(reason) from failure
    finally:
        connection.close()
    if connection.is_late:
        raise ProviderError("too slow")
    if len(content) > most_bytes:
        raise _TooLong("the answer is too long")
    return answer.status, content


def _parse_json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as failure:
        # Deeply nested brackets make the parser raise an error of its own.
        raise ProviderError("the answer is no JSON") from failure


def _read_reason(content: bytes) -> str:
    """The provider's own error message, if it has one that a person can read."""
    body = _json_object(content)
    error = body.get("error")
    nested = error.get("message") if isinstance(error, dict) else error
    reason = nested or body.get("message") or body.get("errorCode")
    return reason if isinstance(reason, str) else "no reason given"


def _json_object(content: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}
