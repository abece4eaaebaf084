"""Which scopes a key may carry: a public website's three keys, and the legacy shared key."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pms.rules.enumerations import Scope

__all__ = [
    "FORBIDDEN_IN_PUBLIC",
    "LEGACY_SCOPES",
    "PRESETS",
    "Preset",
    "Scope",
    "ScopeProblem",
    "ScopeRefusal",
    "allowed_scopes",
    "read_scopes",
    "refusal_of_scopes",
]


class Preset(StrEnum):
    """The three keys a public website is normally provisioned with (Authentication 5)."""

    READ = "read"
    ACTIONS = "actions"
    TELEMETRY = "telemetry"


PRESETS: Final[dict[Preset, frozenset[Scope]]] = {
    Preset.READ: frozenset({Scope.PROPERTIES_READ, Scope.CONTENT_READ}),
    Preset.ACTIONS: frozenset({Scope.INQUIRIES_WRITE, Scope.LEADS_WRITE, Scope.CHAT_INVOKE}),
    Preset.TELEMETRY: frozenset({Scope.ANALYTICS_WRITE}),
}

FORBIDDEN_IN_PUBLIC: Final = frozenset({Scope.RESIDENTS_READ})
LEGACY_SCOPES: Final = frozenset({Scope.PROPERTIES_READ, Scope.CONTENT_READ})


class ScopeProblem(StrEnum):
    """Why a list of scopes cannot be issued (Authentication 4 and 5)."""

    NO_SCOPES = "no_scopes"
    UNKNOWN = "unknown"
    FORBIDDEN_IN_PUBLIC = "forbidden_in_public"
    LISTINGS_WITH_RESIDENTS = "listings_with_residents"


@dataclass(frozen=True, slots=True)
class ScopeRefusal:
    """A refused list of scopes: the reason and the words at fault."""

    problem: ScopeProblem
    words: tuple[str, ...]


def read_scopes(words: Iterable[str]) -> frozenset[Scope] | ScopeRefusal:
    """Read scopes by name; an unknown word is refused (Authentication 4)."""
    named = frozenset(words)
    unknown = named - frozenset(Scope)
    if unknown:
        return ScopeRefusal(ScopeProblem.UNKNOWN, tuple(sorted(unknown)))
    return frozenset(Scope(word) for word in named)


def refusal_of_scopes(scopes: frozenset[Scope], is_public: bool) -> ScopeRefusal | None:
    """Why a key with these scopes must not be issued, or None (Authentication 5).

    A key that reads listings never reads residents, nor does one embedded in a public page.
    """
    if not scopes:
        return ScopeRefusal(ScopeProblem.NO_SCOPES, ())
    if is_public and scopes & FORBIDDEN_IN_PUBLIC:
        return _refuse_scopes(ScopeProblem.FORBIDDEN_IN_PUBLIC, scopes & FORBIDDEN_IN_PUBLIC)
    both = frozenset({Scope.PROPERTIES_READ, Scope.RESIDENTS_READ})
    if both <= scopes:
        return _refuse_scopes(ScopeProblem.LISTINGS_WITH_RESIDENTS, both)
    return None


def allowed_scopes(scopes: frozenset[Scope], is_legacy: bool) -> frozenset[Scope]:
    """What a key may do: its own scopes; the legacy key at most `LEGACY_SCOPES` (6)."""
    return scopes & LEGACY_SCOPES if is_legacy else scopes


def _refuse_scopes(problem: ScopeProblem, scopes: frozenset[Scope]) -> ScopeRefusal:
    return ScopeRefusal(problem, tuple(sorted(scopes)))
