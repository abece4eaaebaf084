"""Finding the API key that a request presents, and the keys that pages of a website may use."""

import hmac
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, or_, select, update
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, ApiKeyOrigin
from pms.foundation.prepared import PreparedStatement
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import is_key, key_hash
from pms.rules.enumerations import Scope
from pms.rules.scopes import allowed_scopes
from pms.rules.web_origins import LONGEST_ORIGIN
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

_FIND_OF_ORIGIN = PreparedStatement(
    select(ApiKeyOrigin.key_id)
    .join(ApiKey, refers_to(ApiKeyOrigin.key_id, ApiKey))
    .where(ApiKeyOrigin.origin == bindparam("origin"), ApiKey.revoked_at.is_(None))
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


def keys_of_origin(connection: Connection, origin: str) -> frozenset[str]:
    """Return the ids of the live keys, in any workspace, that pages of this origin may use."""
    if len(origin) > LONGEST_ORIGIN or not origin.isascii() or not origin.isprintable():
        return frozenset()
    return frozenset(row[0] for row in _FIND_OF_ORIGIN.all_on(connection, origin=origin))


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
