"""Which websites may call the API from a browser with a key: exact web origins (rule 83)."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from pms.rules.enumerations import Scope

NEVER_IN_BROWSERS: Final = frozenset({Scope.RESIDENTS_READ, Scope.OTA_INGEST})
"""Scopes whose keys never have origins."""
MOST_ORIGINS: Final = 20
LONGEST_ORIGIN: Final = 300
"""Characters; a host has at most 253."""
LOCALHOST: Final = "localhost"
_DEFAULT_PORTS: Final = {"https": 443, "http": 80}
_HOST: Final = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9_-]*[a-z0-9])?)*"
)


class OriginProblem(StrEnum):
    """Why a text is not an origin that a key may have."""

    UNREADABLE = "unreadable"
    NOT_EXACT = "not_exact"
    NOT_ENCRYPTED = "not_encrypted"
    LOCALHOST = "localhost"
    SCOPES = "scopes"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class OriginRefusal:
    """A refused origin: the reason, what was given, and what would be taken instead, if anything.

    With the problem `SCOPES`, `given` names the scopes at fault.
    """

    problem: OriginProblem
    given: str
    instead: str | None = None


def refusal_of_origin(given: str, *, is_development: bool) -> OriginRefusal | None:
    """Why a text cannot be the origin of a website, or None.

    An origin is compared letter by letter with what browsers send: scheme, host in lower-case ASCII
    letters, and the port if it is not the scheme's own. `http` is taken for localhost in development.
    """
    exact = _write_exact_origin(given)
    if exact is None:
        return OriginRefusal(OriginProblem.UNREADABLE, given)
    parts = urlsplit(exact)
    if parts.hostname == LOCALHOST:
        if not is_development:
            return OriginRefusal(OriginProblem.LOCALHOST, given)
    elif parts.scheme != "https":
        return OriginRefusal(OriginProblem.NOT_ENCRYPTED, given)
    return None if exact == given else OriginRefusal(OriginProblem.NOT_EXACT, given, exact)


def refusal_of_origins(
    given: Collection[str], scopes: Collection[Scope], *, is_development: bool
) -> OriginRefusal | None:
    """Why a key with these scopes cannot have these origins, or None; without origins, None."""
    if not given:
        return None
    never = sorted(NEVER_IN_BROWSERS.intersection(scopes))
    if never:
        return OriginRefusal(OriginProblem.SCOPES, ", ".join(never))
    if len(given) > MOST_ORIGINS:
        return OriginRefusal(OriginProblem.TOO_MANY, str(len(given)))
    refusals = (refusal_of_origin(text, is_development=is_development) for text in given)
    return next(filter(None, refusals), None)


def _write_exact_origin(given: str) -> str | None:
    """Return the origin of an address as browsers write it; None if it is no web address."""
    if len(given) > LONGEST_ORIGIN:
        return None
    try:
        parts = urlsplit(given)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except ValueError:  # also a host that has no ASCII form
        return None
    if parts.scheme not in _DEFAULT_PORTS or not _HOST.fullmatch(host):
        return None
    ending = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{ending}"
