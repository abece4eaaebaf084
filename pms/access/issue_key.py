"""Issues an API key: the plaintext leaves once, only its hash stays."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.keys import key_hash, key_hint, new_key
from pms.foundation.phrases import Joined, listed
from pms.rules.deeds import Deed
from pms.rules.enumerations import Scope
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.rules.scopes import (
    LEGACY_SCOPES,
    ScopeProblem,
    ScopeRefusal,
    read_scopes,
    refusal_of_scopes,
)

MOST_PER_HOUR = 1_000_000
_LONGEST_NAME = 100


class IssuedKey(NamedTuple):
    """A key just made; `plaintext` cannot be had again."""

    id: str
    plaintext: str


def issue_key(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    name: str,
    scopes: Iterable[str],
    is_public: bool = False,
    budget_per_hour: int = BUDGET_REQUESTS,
    is_legacy: bool = False,
) -> IssuedKey:
    """Return a new key of the session's workspace (specification, Authentication 3 to 6).

    Raises `Refused` for an unknown scope, for `residents:read` beside listings or in public
    pages, for a nameless key and for a budget out of range.
    """
    granted = _granted(LEGACY_SCOPES if is_legacy else scopes, is_public)
    plaintext = new_key()
    key = ApiKey(
        id=new_id(),
        name=_checked_name(name),
        hint=key_hint(plaintext),
        hash=key_hash(plaintext),
        scopes=sorted(granted),
        is_public=is_public,
        is_legacy=is_legacy,
        budget_per_hour=_checked_budget(budget_per_hour),
        created_at=clock.now(),
    )
    session.add(key)
    told = {
        "name": key.name,
        "hint": key.hint,
        "scopes": key.scopes,
        "is_public": is_public,
        "budget_per_hour": budget_per_hour,
    }
    note_deed(session, clock, actor, Deed.KEY_ISSUED, subject_of(key), after=told)
    session.flush()
    return IssuedKey(key.id, plaintext)


def _granted(words: Iterable[str], is_public: bool) -> frozenset[Scope]:
    scopes = read_scopes(words)
    if isinstance(scopes, ScopeRefusal):
        raise _explained(scopes)
    refusal = refusal_of_scopes(scopes, is_public)
    if refusal is not None:
        raise _explained(refusal)
    return scopes


def _explained(refusal: ScopeRefusal) -> Refused:
    words = listed(refusal.words)
    match refusal.problem:
        case ScopeProblem.NO_SCOPES:
            return Refused("scopes: a key needs at least one.")
        case ScopeProblem.UNKNOWN:
            return Refused(
                "scopes: '{words}' is not one of {allowed}.", words=words, allowed=_every_scope()
            )
        case ScopeProblem.FORBIDDEN_IN_PUBLIC:
            return Refused("scopes: a key used in public pages may not carry {words}.", words=words)
        case ScopeProblem.LISTINGS_WITH_RESIDENTS:
            return Refused(
                "scopes: one key may not carry {words} together; make two keys.", words=words
            )


def _every_scope() -> Joined:
    # As they are written, for a scope has no other words.
    return listed(scope.value for scope in Scope)


def _checked_name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= _LONGEST_NAME:
        raise Refused(
            "name: a key needs a name of 1 to {most_characters} characters.",
            most_characters=_LONGEST_NAME,
        )
    return name


def _checked_budget(per_hour: int) -> int:
    if not 0 < per_hour <= MOST_PER_HOUR:
        raise Refused(
            "budget: '{per_hour}' is not a whole number from 1 to {most}.",
            per_hour=per_hour,
            most=MOST_PER_HOUR,
        )
    return per_hour
