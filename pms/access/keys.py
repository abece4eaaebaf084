"""API keys and their calls."""

import hmac
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from http import HTTPStatus
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, ApiKeyCall, ApiKeyHour
from pms.foundation.audit import note_audit_event, note_change, subject_of
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.last_calls import KEPT, LastCall
from pms.foundation.phrases import Joined, join_with_commas
from pms.foundation.prepared import PreparedStatement, one_of
from pms.foundation.tokens import is_key, key_hash, key_hint, new_key
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Scope
from pms.rules.request_budget import BUDGET_REQUESTS
from pms.rules.scopes import (
    LEGACY_SCOPES,
    ScopeProblem,
    ScopeRefusal,
    allowed_scopes,
    read_scopes,
    refusal_of_scopes,
)
from pms.workspaces.models import Workspace

_FIND = PreparedStatement(
    select(
        ApiKey.hash,
        ApiKey.id,
        ApiKey.workspace_id,
        ApiKey.scopes,
        ApiKey.is_legacy,
        ApiKey.budget_per_hour,
        Workspace.slug,
        Workspace.default_locale,
        Workspace.catalogue_version,
        Workspace.occupancy_version,
    )
    .join(Workspace, Workspace.id == ApiKey.workspace_id)
    .where(ApiKey.hash == bindparam("hash"), ApiKey.revoked_at.is_(None))
)


class KnownKey(NamedTuple):
    """A resolved key: its workspace, its scopes, and the versions of its listings."""

    id: str
    workspace_id: str
    scopes: frozenset[Scope]
    budget_per_hour: int
    workspace_slug: str
    default_locale: str
    catalogue_version: int
    occupancy_version: int


def find_key(connection: Connection, presented: str) -> KnownKey | None:
    """Return the live key of this text, else `None` (specification, Authentication 1 and 3).

    The connection is not bound to a workspace yet. Nothing is cached between requests, so a
    revocation applies from the next one on.
    """
    if not is_key(presented):
        return None
    wanted = key_hash(presented)
    row = _FIND.first(connection, hash=wanted)
    if row is None or not hmac.compare_digest(row[0], wanted):
        return None
    _, id_, workspace_id, words, is_legacy, budget, slug, locale, catalogue, occupancy = row
    scopes = _parse_scopes(tuple(words), is_legacy)
    return KnownKey(id_, workspace_id, scopes, budget, slug, locale, catalogue, occupancy)


@lru_cache(maxsize=256)
def _parse_scopes(words: tuple[str, ...], is_legacy: bool) -> frozenset[Scope]:
    return allowed_scopes(frozenset(map(Scope, words)), is_legacy)


def note_key_use(session: Session, key_id: str, used_at: datetime) -> None:
    """Record a key's last use; an older instant changes nothing."""
    session.execute(
        update(ApiKey)
        .where(
            ApiKey.id == key_id,
            or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at < used_at),
        )
        .values(last_used_at=used_at)
    )


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
) -> IssuedKey:
    """Return a new key of the session's workspace (specification, Authentication 3 to 6).

    Raises `Refused` for an unknown scope, for `residents:read` together with listings or in public
    pages, for a missing name and for a budget out of range.
    """
    granted = _grant_scopes(LEGACY_SCOPES if is_legacy else scopes, is_public)
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
    facts = {
        "name": key.name,
        "hint": key.hint,
        "scopes": key.scopes,
        "is_public": is_public,
        "budget_per_hour": budget_per_hour,
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
                "scopes: '{words}' is not one of {allowed}.", words=words, allowed=_every_scope()
            )
        case ScopeProblem.FORBIDDEN_IN_PUBLIC:
            return Refused("scopes: a key for public pages cannot have {words}.", words=words)
        case ScopeProblem.LISTINGS_WITH_RESIDENTS:
            return Refused(
                "scopes: {words} cannot be combined in one key; create two keys.", words=words
            )


def _every_scope() -> Joined:
    # Scopes are shown as they are written; they are not translated.
    return join_with_commas(scope.value for scope in Scope)


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
    """Return a new key with name, scopes and budget of the old one, which is revoked now."""
    old = revoke_key(work, key_id)
    new = issue_key(
        work,
        name=old.name,
        scopes=old.scopes,
        is_public=old.is_public,
        budget_per_hour=old.budget_per_hour,
        is_legacy=old.is_legacy,
    )
    old.replaced_by_id = new.id
    return new


class KeyCall(NamedTuple):
    """One call of a key; the path is the route's pattern."""

    at: datetime
    method: str
    path: str
    status: int
    milliseconds: int

    @property
    def is_refused(self) -> bool:
        return self.status >= HTTPStatus.BAD_REQUEST


def key_calls(session: Session, key_id: str) -> Sequence[KeyCall]:
    """Return the last calls of a key of the workspace, newest first."""
    call = ApiKeyCall
    rows = session.execute(
        select(call.at, call.method, call.path, call.status, call.milliseconds)
        .where(call.key_id == key_id)
        .order_by(call.at.desc(), call.id.desc())
        .limit(KEPT)
    )
    return [KeyCall(*row) for row in rows]


def noted_calls(session: Session, call_ids: Sequence[str]) -> frozenset[str]:
    """Return which of these calls are stored already, in any workspace."""
    return frozenset(session.scalars(select(ApiKeyCall.id).where(one_of(ApiKeyCall.id, call_ids))))


_NEWEST_FIRST: Final = (ApiKeyCall.at.desc(), ApiKeyCall.id.desc())


def note_key_calls(session: Session, key_id: str, calls: Sequence[LastCall]) -> None:
    """Store the calls of a key that are new, and delete those that are too old."""
    known = set(session.scalars(select(ApiKeyCall.id).where(ApiKeyCall.key_id == key_id)))
    new = [call._asdict() | {"key_id": key_id} for call in calls if call.id not in known]
    if not new:
        return
    insert_new(session, ApiKeyCall, new)
    old = session.scalars(
        select(ApiKeyCall.id)
        .where(ApiKeyCall.key_id == key_id)
        .order_by(*_NEWEST_FIRST)
        .offset(KEPT)
    ).all()
    if old:
        session.execute(
            delete(ApiKeyCall)
            .where(one_of(ApiKeyCall.id, old))
            .execution_options(synchronize_session=False)
        )


HOURS: Final = 24


def key_hours(session: Session, now: datetime) -> Mapping[str, Sequence[int]]:
    """Return the requests of the last 24 clock hours by key, the current hour last."""
    present = now.replace(minute=0, second=0, microsecond=0)
    first = present - timedelta(hours=HOURS - 1)
    found: defaultdict[str, list[int]] = defaultdict(lambda: [0] * HOURS)
    rows = session.execute(
        select(ApiKeyHour.key_id, ApiKeyHour.began_at, ApiKeyHour.requests).where(
            ApiKeyHour.began_at >= first, ApiKeyHour.began_at <= present
        )
    )
    for key_id, began_at, requests in rows:
        found[key_id][(began_at - first) // timedelta(hours=1)] = requests
    return found


def note_key_hours(session: Session, key_id: str, instants: Iterable[datetime]) -> None:
    """Raise the counts of the hours of these requests; a count is never lowered.

    The budget forgets instants older than an hour, so an hour is counted while it lasts and once
    after its end; the highest count is the right one.
    """
    counted = Counter(at.replace(minute=0, second=0, microsecond=0) for at in instants)
    found = select(ApiKeyHour).where(
        ApiKeyHour.key_id == key_id, ApiKeyHour.began_at.in_(list(counted))
    )
    known = {row.began_at: row for row in session.scalars(found)}
    for began_at, requests in counted.items():
        row = known.get(began_at)
        if row is None:
            session.add(ApiKeyHour(key_id=key_id, began_at=began_at, requests=requests))
        elif requests > row.requests:
            row.requests = requests
    session.flush()
