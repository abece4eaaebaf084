"""API keys: issuing, replacing, revoking and listing them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.key_origins import check_origins
from pms.access.models import ApiKey, ApiKeyOrigin
from pms.foundation.audit import note_audit_event, note_change, subject_of
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.phrases import join_with_commas
from pms.foundation.prepared import one_of
from pms.foundation.tokens import key_hash, key_hint, new_key
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Scope
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.rules.scopes import (
    LEGACY_SCOPES,
    ScopeProblem,
    ScopeRefusal,
    read_scopes,
    refusal_of_scopes,
)
from pms.workspaces.models import Workspace

MOST_PER_HOUR = 1_000_000
_LONGEST_NAME = 100


class IssuedKey(NamedTuple):
    """A new key; `plaintext` is not stored and cannot be shown again."""

    id: str
    plaintext: str


def issue_key(
    work: Work,
    *,
    name: str,
    scopes: Iterable[str],
    is_public: bool = False,
    budget_per_hour: int = BUDGET_REQUESTS,
    is_legacy: bool = False,
    origins: Iterable[str] = (),
    is_development: bool = False,
) -> IssuedKey:
    """Return a new key of the session's workspace (specification, Authentication 3 to 6).

    `origins` are the websites whose pages may call the API with it; a key that has some is public.
    Raises `Refused` for an unknown scope, for `residents:read` together with listings or in public
    pages, for a missing name, for a budget out of range and for what cannot be an origin.
    """
    websites = list(dict.fromkeys(origins))
    granted = _grant_scopes(LEGACY_SCOPES if is_legacy else scopes, is_public)
    check_origins(websites, granted, is_development=is_development)
    is_public = is_public or bool(websites)
    plaintext = new_key()
    key = ApiKey(
        id=new_id(),
        name=_check_name(name),
        hint=key_hint(plaintext),
        hash=key_hash(plaintext),
        scopes=sorted(granted),
        is_public=is_public,
        is_legacy=is_legacy,
        budget_per_hour=_check_budget(budget_per_hour),
        created_at=work.clock.now(),
    )
    work.session.add(key)
    work.session.flush()
    work.session.add_all(ApiKeyOrigin(key_id=key.id, origin=origin) for origin in websites)
    facts = {
        "name": key.name,
        "hint": key.hint,
        "scopes": key.scopes,
        "is_public": is_public,
        "budget_per_hour": budget_per_hour,
        "origins": websites,
    }
    note_audit_event(work, AuditEvent.KEY_ISSUED, subject_of(key), after=facts)
    work.session.flush()
    return IssuedKey(key.id, plaintext)


def _grant_scopes(words: Iterable[str], is_public: bool) -> frozenset[Scope]:
    scopes = read_scopes(words)
    if isinstance(scopes, ScopeRefusal):
        raise _explain_refusal(scopes)
    refusal = refusal_of_scopes(scopes, is_public)
    if refusal is not None:
        raise _explain_refusal(refusal)
    return scopes


def _explain_refusal(refusal: ScopeRefusal) -> Refused:
    words = join_with_commas(refusal.words)
    match refusal.problem:
        case ScopeProblem.NO_SCOPES:
            return Refused("scopes: Choose at least one scope.")
        case ScopeProblem.UNKNOWN:
            return Refused(
                "scopes: '{words}' is not one of {allowed}.",
                words=words,
                allowed=join_with_commas(scope.value for scope in Scope),
            )
        case ScopeProblem.FORBIDDEN_IN_PUBLIC:
            return Refused("scopes: a key for public pages cannot have {words}.", words=words)
        case ScopeProblem.LISTINGS_WITH_RESIDENTS:
            return Refused(
                "scopes: {words} cannot be combined in one key; create two keys.", words=words
            )


def _check_name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= _LONGEST_NAME:
        raise Refused(
            "name: a key needs a name of 1 to {most_characters} characters.",
            most_characters=_LONGEST_NAME,
        )
    return name


def _check_budget(per_hour: int) -> int:
    if not 0 < per_hour <= MOST_PER_HOUR:
        raise Refused(
            "budget: '{per_hour}' is not a whole number from 1 to {most}.",
            per_hour=per_hour,
            most=MOST_PER_HOUR,
        )
    return per_hour


def revoke_key(work: Work, key_id: str) -> ApiKey:
    """Revoke the key now and return it; others are untouched (specification, Authentication 3)."""
    key = locked(work.session, ApiKey, key_id)
    if key.revoked_at is not None:
        raise Refused("The key '{name}' has already been revoked.", name=key.name)
    key.revoked_at = work.clock.now()
    note_change(work, AuditEvent.KEY_REVOKED, key, also={"name": key.name})
    return key


def replace_key(work: Work, key_id: str) -> IssuedKey:
    """Return a new key with all that the old one has, which is revoked now."""
    old = revoke_key(work, key_id)
    websites = select(ApiKeyOrigin.origin).where(ApiKeyOrigin.key_id == key_id)
    new = issue_key(
        work,
        name=old.name,
        scopes=old.scopes,
        is_public=old.is_public,
        budget_per_hour=old.budget_per_hour,
        is_legacy=old.is_legacy,
        origins=work.session.scalars(websites).all(),
        is_development=True,  # what the old key has was checked when it was entered
    )
    old.replaced_by_id = new.id
    return new


class KeyOfWorkspace(NamedTuple):
    """What may be shown of a key, with the slug of its workspace."""

    workspace: str
    id: str
    name: str
    hint: str
    scopes: list[str]
    is_public: bool
    is_legacy: bool
    budget_per_hour: int
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None
    replaced_by_id: str | None

    @property
    def state(self) -> str:
        """The state: live, legacy, revoked or replaced."""
        if self.revoked_at is None:
            return "legacy" if self.is_legacy else "live"
        return "replaced" if self.replaced_by_id else "revoked"


_KEYS = (
    select(
        Workspace.slug,
        ApiKey.id,
        ApiKey.name,
        ApiKey.hint,
        ApiKey.scopes,
        ApiKey.is_public,
        ApiKey.is_legacy,
        ApiKey.budget_per_hour,
        ApiKey.created_at,
        ApiKey.last_used_at,
        ApiKey.revoked_at,
        ApiKey.replaced_by_id,
    )
    .join(Workspace, Workspace.id == ApiKey.workspace_id)
    .order_by(
        Workspace.slug,
        ApiKey.revoked_at.is_not(None),
        ApiKey.created_at.desc(),
        ApiKey.id.desc(),
    )
)


def keys_of_workspaces(session: Session) -> Sequence[KeyOfWorkspace]:
    """Return the keys the session may see by workspace, live ones first, then newest first."""
    return [KeyOfWorkspace._make(row) for row in session.execute(_KEYS)]


def key_names(session: Session) -> dict[str, str]:
    """Return the names of all keys by their ids, revoked ones included."""
    return {row.id: row.name for row in session.execute(select(ApiKey.id, ApiKey.name))}


def workspace_id_of_key(session: Session, key_id: str) -> str:
    """Return the workspace of a key; raise `NotFound` for an unknown id."""
    question = select(ApiKey.workspace_id).where(ApiKey.id == key_id)
    workspace_id = session.scalar(question) if is_id(key_id) else None
    if workspace_id is None:
        raise no_such("key", key_id)
    return workspace_id


def workspaces_of_keys(session: Session, key_ids: Sequence[str]) -> dict[str, str]:
    """Return the workspaces of these keys by the key's id; deleted keys are left out."""
    question = select(ApiKey.id, ApiKey.workspace_id).where(one_of(ApiKey.id, key_ids))
    return {row.id: row.workspace_id for row in session.execute(question)}
