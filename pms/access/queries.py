"""Questions about the keys of a workspace, or of all of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.workspaces.models import Workspace


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
        """Return live, legacy, revoked or replaced."""
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
    """Return the keys the session may see by workspace, live ones first, then the newest."""
    return [KeyOfWorkspace._make(row) for row in session.execute(_KEYS)]


def key_names(session: Session) -> dict[str, str]:
    """Return the names of all keys by their ids, those that were revoked too."""
    return {row.id: row.name for row in session.execute(select(ApiKey.id, ApiKey.name))}


def workspace_id_of_key(session: Session, key_id: str) -> str:
    """Return whose key this is; raise `NotFound` for an id that no key has."""
    question = select(ApiKey.workspace_id).where(ApiKey.id == key_id)
    workspace_id = session.scalar(question) if is_id(key_id) else None
    if workspace_id is None:
        raise NotFound("There is no key '{key_id}'.", key_id=key_id[:60])
    return workspace_id


def workspaces_of_keys(session: Session, key_ids: Sequence[str]) -> dict[str, str]:
    """Return whose keys these are, by the id of the key; keys that are gone are left out."""
    question = select(ApiKey.id, ApiKey.workspace_id).where(one_of(ApiKey.id, key_ids))
    return {row.id: row.workspace_id for row in session.execute(question)}
